"""A machine joins others: what its vault is called and where it syncs, decided before anything is written.

A machine keeps its name: the files of its notes say it, and so does its branch of the remote.
"""

from __future__ import annotations

import re
from pathlib import Path

from recollect.domain.dataclass import dataclass, replace
from recollect.domain.errors import Conflict, InvalidInput, Unreachable
from recollect.vault.git import GitRepository, named_remote
from recollect.vault.place import FILE, Place, place_or_new, told
from recollect.vault.sync import HEADS

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?")  # one ref on every file system, whatever it makes of case


@dataclass(frozen=True, slots=True)
class Wish:
    """A person's wishes for the vault of a machine. `None`: nothing was said. `alone` takes a remote away."""

    remote: str | None = None
    machine: str | None = None
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Joined:
    """The vault as it should be. `companions` are the machines that the remote knows; `None`: it was not asked."""

    place: Place
    companions: tuple[str, ...] | None = None

    @property
    def file(self) -> Path:
        return self.place.private / FILE

    @property
    def content(self) -> bytes:
        return told(self.place)

    @property
    def returns(self) -> bool:
        """Whether the remote knows a machine of this name: this one, from before, or two would share a name."""
        return self.place.machine in (self.companions or ())


def joined(home: Path, space: str, wish: Wish, *, chance: str, asking: bool) -> Joined:
    """The vault that is wished for. With `asking` the remote must answer. Raises, and has written nothing."""
    if wish.alone and wish.remote is not None:
        raise InvalidInput(
            "`--local-only` and `--remote` were both given.", code="usage", hint="A machine has a remote or has none."
        )
    remote = None if wish.remote is None else named_remote(wish.remote)
    place = _named(place_or_new(home, space, chance=chance), wish.machine)
    place = replace(place, remote=None if wish.alone else remote or place.remote)
    if place.remote is None or not asking:
        return Joined(place)
    return Joined(place, _companions(GitRepository(place.repository), place.remote))


def _named(place: Place, machine: str | None) -> Place:
    """A vault that is not there yet takes the name; one that is has its own."""
    if machine is None or machine == place.machine:
        return place
    if not _NAME.fullmatch(machine):
        raise InvalidInput(
            f"`--machine-id` is `{machine[:80]}`.",
            code="invalid_machine",
            hint="Small letters, digits, `-` and `_`, at most 64, such as thinkpad.",
        )
    if (place.private / FILE).exists():
        raise Conflict(
            f"This machine is called `{place.machine}` already; files and history say so.",
            code="machine_named",
            hint="Leave `--machine-id` out.",
        )
    return replace(place, machine=machine)


def _companions(repository: GitRepository, remote: str) -> tuple[str, ...]:
    try:
        found = repository.refs_at(remote, HEADS)
    except Unreachable as problem:
        raise Unreachable(
            f"{problem.message} Nothing was written.",
            code=problem.code,
            hint="`git init --bare` makes a repository there; `--no-sync` names it without asking.",
        ) from None
    return tuple(sorted(name.removeprefix(HEADS) for name in found))
