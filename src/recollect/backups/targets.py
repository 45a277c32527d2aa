"""Targets: each keeps objects under names, and gives them back.

An object is there whole or not at all. Names are made so that no two machines ever choose the same.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import (
    Misconfigured,
    NotFound,
    StorageFull,
    StoreFailure,
    Unreachable,
    Unsupported,
)

Moved: TypeAlias = Callable[[int], None]
"""Is told how many bytes have been moved so far."""

MOST_MANIFEST_BYTES = 16_000_000  # a line for each space; nothing of ours comes near it


@dataclass(frozen=True, slots=True)
class Item:
    """An object at a target. `size` is in bytes, `None` where a target cannot tell without fetching it."""

    name: str
    size: int | None


class Target(Protocol):
    """A place for objects. Whatever goes wrong is raised as one of our errors, without a word of any secret."""

    @property
    def shown(self) -> str:
        """The name of the target, for people."""
        ...

    def items(self) -> Sequence[Item]:
        """Every object that is there whole."""
        ...

    def read(self, names: Collection[str]) -> dict[str, bytes]:
        """Small objects by their names. One that is gone is left out, and one that is too long is empty."""
        ...

    def put(self, name: str, file: Path, moved: Moved) -> None:
        """Keep a file under a name. It is there whole once this returns, and not at all before."""
        ...

    def fetch(self, name: str, into: Path, moved: Moved) -> None:
        """Bring an object here. Raises `backup_not_found` if it is not there."""
        ...

    def remove(self, names: Collection[str]) -> None:
        """Remove objects. One that is not there is no failure."""
        ...


# -- what can go wrong, in the same words for every target --


def extra_missing(what: str, extra: str) -> Unsupported:
    return Unsupported(
        f"{what} needs a package that is not installed.",
        code="extra_missing",
        hint=f"Install it with: pip install 'recollect[{extra}]'",
    )


def not_there(shown: str, hint: str) -> NotFound:
    return NotFound(f"There is no {shown}.", code="target_not_found", hint=hint)


def object_not_there(shown: str, name: str) -> NotFound:
    return NotFound(
        f"There is no {name} at {shown}.", code="backup_not_found", hint="`recollect backups` lists what is there."
    )


def refused(shown: str, why: str = "") -> StoreFailure:
    told = f": {why}" if why else ""
    return StoreFailure(
        f"{shown} does not let us in{told}.",
        code="target_refused",
        hint="Check the credentials, and that they may do this there.",
    )


def no_credentials(shown: str, hint: str) -> Misconfigured:
    return Misconfigured(f"There are no credentials for {shown}.", code="credentials_missing", hint=hint)


def unreachable(shown: str) -> Unreachable:
    return Unreachable(
        f"{shown} does not answer.",
        code="target_unreachable",
        hint="Check the address and the network; then try again.",
    )


def full(shown: str) -> StorageFull:
    return StorageFull(f"There is no room left at {shown}.", code="target_full", hint="Free some space, and try again.")


def failed(shown: str, why: str) -> StoreFailure:
    return StoreFailure(f"{shown} could not do what was asked: {why}.", code="target_failure", hint="Try again.")


def disk_failure(problem: OSError, shown: str) -> StoreFailure:
    """Translate an error of this machine's disk, or of a mounted one, into one of ours."""
    if problem.errno in (errno.ENOSPC, errno.EDQUOT):
        return StorageFull()
    if problem.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return refused(shown, problem.strerror or "")
    return failed(shown, problem.strerror or type(problem).__name__)
