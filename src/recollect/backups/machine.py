"""The name of this machine in the names of its backups."""

from __future__ import annotations

from pathlib import Path

from recollect.disk import write_whole
from recollect.domain.clock import Clock
from recollect.vault.place import machine_name_from

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
