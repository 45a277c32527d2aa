"""Which backups may go, and which one is meant: decisions only."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from recollect.backups.manifests import name_read
from recollect.domain.answers.backups import Backup, BackupList
from recollect.domain.errors import Damaged, InvalidInput, NotFound

ABANDONED = timedelta(days=1)  # after which an upload without a manifest is not under way any more


def superseded(backups: Sequence[Backup], *, machine: str, keep: int) -> tuple[str, ...]:
    """The names of this machine's backups beyond the newest so many. Those of other machines are theirs."""
    own = [each.stored.name for each in in_order(backups) if each.stored and each.stored.machine == machine]
    return tuple(own[max(1, keep) :])


def abandoned(unfinished: Collection[str], *, machine: str, at: datetime) -> tuple[str, ...]:
    """Names of uploads that this machine began and never finished."""
    known = {name: name_read(name) for name in unfinished}
    return tuple(
        name for name, parts in known.items() if parts and parts.machine == machine and at - parts.begun > ABANDONED
    )


def meant(held: BackupList, name: str | None, *, machine: str) -> Backup:
    """The backup to restore: the one that is named, or the newest of this machine.

    A machine without any of its own takes the newest of the only one that has; between several, somebody must choose.
    """
    if name is not None:
        return _named(held, name)
    own = [each for each in held.backups if each.stored and each.stored.machine == machine]
    machines = sorted({each.stored.machine for each in held.backups if each.stored})
    if not own and len(machines) > 1:
        raise InvalidInput(
            f"{held.target} holds backups of several machines: {', '.join(machines)}.",
            code="which_backup",
            hint="Name one with `--backup`; `recollect backups` lists them.",
        )
    candidates = own or held.backups
    if not candidates and not held.damaged:
        raise NotFound(f"There is no backup at {held.target}.", code="backup_not_found", hint="Make one first.")
    newest = next(iter(candidates), None)
    spoilt = [each for each in held.damaged if newest is None or _newer(each, newest)]
    if spoilt:
        raise Damaged(
            f"The newest backup at {held.target}, {spoilt[-1]}, is damaged.",
            code="backup_damaged",
            hint="Name an older one with `--backup`; `recollect backups` lists them.",
        )
    if newest is None:
        raise AssertionError("there is one, or a damaged one was found")
    return newest


def in_order(backups: Sequence[Backup]) -> list[Backup]:
    """Newest first; of the same moment, by name."""
    return sorted(backups, key=lambda each: (each.made_at, each.path), reverse=True)


def _named(held: BackupList, name: str) -> Backup:
    found = next((each for each in held.backups if each.stored and each.stored.name == name), None)
    if found is not None:
        return found
    if name in held.damaged:
        raise Damaged(
            f"The backup {name} at {held.target} is damaged.", code="backup_damaged", hint="Name another one."
        )
    raise NotFound(
        f"There is no backup `{name[:100]}` at {held.target}.",
        code="backup_not_found",
        hint="`recollect backups` lists what is there.",
    )


def _newer(name: str, backup: Backup) -> bool:
    """Whether a damaged one of the same machine was begun after a sound one; only its name can still tell."""
    parts, known = name_read(name), backup.stored and name_read(backup.stored.name)
    return bool(
        parts and known and parts.machine == known.machine and name > (backup.stored.name if backup.stored else "")
    )
