"""What the kernel says about a process's hold on a database: its locks, and files that were deleted under it."""

from __future__ import annotations

import os
from pathlib import Path


def held_locks(database: Path) -> list[str]:
    """This process's locks on the database and its shared memory, from /proc/locks. Nothing is opened for it."""
    names = {
        file.stat().st_ino: ending
        for ending in ("", "-shm")
        if (file := database.with_name(database.name + ending)).exists()
    }
    found = []
    for line in Path("/proc/locks").read_text().splitlines():
        # 12: POSIX  ADVISORY  READ 4711 fe:00:131 1073741826 1073742335
        _, _, _, kind, pid, place, *span = line.replace("-> ", "").split()
        inode = int(place.rpartition(":")[2])
        if int(pid) == os.getpid() and inode in names:
            found.append(f"{kind} {names[inode] or 'database'} {'-'.join(span)}")
    return sorted(found)


def deleted_files(database: Path) -> list[str]:
    """Files of the database that this process still has open but that are no longer there."""
    targets = []
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            targets.append(str(descriptor.readlink()))
        except FileNotFoundError:  # the descriptor with which the folder was read
            continue
    return [target for target in targets if target.startswith(str(database)) and target.endswith("(deleted)")]
