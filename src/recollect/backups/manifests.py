"""Backups at a target: their names, the manifests that describe them, and which of them may go."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from recollect.disk import write_whole
from recollect.domain.answers.upkeep import Backup, BackupList, Stored
from recollect.domain.clock import Clock
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.errors import Damaged, InvalidInput, NotFound
from recollect.vault.place import machine_name_from

FORMAT, OF_SPACE = 1, 2  # a version that knows only the first would take one space for a whole store
PACKED, MANIFEST = ".db.gz", ".json"

_NAME = re.compile(r"recollect-(\d{8}T\d{6}\.\d{6}Z)-([a-z0-9-]{1,60})-([a-z0-9]{8})")
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Name:
    """The parts of a backup's name: when it was begun, and by which machine."""

    begun: datetime
    machine: str


def new_name(at: datetime, machine: str, chance: str) -> str:
    """A name that sorts by time and that no other machine, and no other moment of this one, makes again."""
    return f"recollect-{at.astimezone(UTC):%Y%m%dT%H%M%S.%fZ}-{machine}-{chance[-8:].lower()}"


def name_read(name: str) -> Name | None:
    """A name taken apart; `None` if it is not one of ours."""
    found = _NAME.fullmatch(name)
    try:
        return found and Name(datetime.strptime(found[1], "%Y%m%dT%H%M%S.%fZ").replace(tzinfo=UTC), found[2])
    except ValueError:
        return None


def manifest_bytes(backup: Backup, stored: Stored) -> bytes:
    """The manifest that stands beside a packed copy. It says nothing of where that is: targets are moved."""
    told = {
        "format": FORMAT if backup.space is None else OF_SPACE,
        "name": stored.name,
        "machine": stored.machine,
        "made_at": backup.made_at.isoformat(),
        "schema": backup.schema,
        "notes": backup.notes,
        "changes": backup.changes,
        "sha256": backup.sha256,
        "size_bytes": backup.size_bytes,
        "packing": "gzip",
        "packed_sha256": stored.packed_sha256,
        "packed_bytes": stored.packed_bytes,
        **({} if backup.space is None else {"space": backup.space}),
    }
    return (json.dumps(told, indent=2) + "\n").encode()


def manifest_parsed(name: str, content: bytes, target: str) -> Backup | None:
    """The backup that a manifest tells of; `None` if it cannot be read, or is not the manifest of that name."""
    try:
        said: dict[str, Any] = json.loads(content)
        known_formats = (FORMAT,) if said.get("space") is None else (FORMAT, OF_SPACE)
        if said["format"] not in known_formats or said["name"] != name or said["packing"] != "gzip":
            return None
        backup = Backup(
            path=f"{target}/{name}{PACKED}",
            manifest=f"{target}/{name}{MANIFEST}",
            sha256=_digest(said["sha256"]),
            size_bytes=_whole(said["size_bytes"]),
            schema=_whole(said["schema"]),
            notes=_whole(said["notes"]),
            changes={str(space): _whole(seq) for space, seq in said["changes"].items()},
            made_at=datetime.fromisoformat(said["made_at"]).astimezone(UTC),
            stored=Stored(name, str(said["machine"]), _digest(said["packed_sha256"]), _whole(said["packed_bytes"])),
            space=None if said.get("space") is None else str(said["space"]),
        )
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return None
    known = name_read(name)
    return backup if known is not None and backup.stored and backup.stored.machine == known.machine else None


def _digest(value: Any) -> str:
    if not isinstance(value, str) or not _DIGEST.fullmatch(value):
        raise ValueError
    return value


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError
    return value


_FILE = "backup-machine"


def machine_name(home: Path, clock: Clock) -> str:
    """The host's name and a few letters by chance that are kept in the home; a home on another host is another one."""
    file = home / _FILE
    try:
        chance = file.read_text(encoding="ascii").strip()
    except (FileNotFoundError, UnicodeDecodeError):
        chance = ""
    if not chance:
        chance = clock.new_id()
        write_whole(file, f"{chance}\n".encode("ascii"))
    return machine_name_from(chance)


ABANDONED = timedelta(days=1)  # after which an upload without a manifest is not under way any more


def superseded(backups: Sequence[Backup], *, machine: str, keep: int, space: str | None = None) -> tuple[str, ...]:
    """The names of this machine's backups beyond the newest so many: of the whole store, or of one space.

    Those of other machines are theirs.
    """
    of_it = [each for each in in_order(backups) if each.space == space]
    own = [each.stored.name for each in of_it if each.stored and each.stored.machine == machine]
    return tuple(own[max(1, keep) :])


def with_space(held: BackupList, space: str | None) -> BackupList:
    """Those of the backups that can be restored as a whole, or those that have a space."""
    fits = [each for each in held.backups if each.space is None or each.space == space]
    return replace(held, backups=tuple(each for each in fits if space is None or space in each.changes))


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
