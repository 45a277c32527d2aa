"""The names of backups at a target, and the manifests that describe them."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

from recollect.domain.answers.backups import Backup, Stored
from recollect.domain.dataclass import dataclass

FORMAT = 1
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
        "format": FORMAT,
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
    }
    return (json.dumps(told, indent=2) + "\n").encode()


def manifest_parsed(name: str, content: bytes, target: str) -> Backup | None:
    """The backup that a manifest tells of; `None` if it cannot be read, or is not the manifest of that name."""
    try:
        said: dict[str, Any] = json.loads(content)
        if said["format"] != FORMAT or said["name"] != name or said["packing"] != "gzip":
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
