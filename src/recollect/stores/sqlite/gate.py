"""Requirements checked before a database file is opened: a sound SQLite and a file system whose locks work.

SQLite 3.7.0 to 3.51.2 can lose committed pages when two connections checkpoint at once (the WAL-reset bug;
3.44.6 and 3.50.7 carry the fix). On network file systems its locks do not hold between machines.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import apsw

from recollect.domain.errors import Refused
from recollect.domain.late import Late

_FIXED = (3, 51, 3)
_BACKPORTED = {(3, 44): 6, (3, 50): 7}

_NETWORK_FILE_SYSTEMS = frozenset(
    {
        "9p", "afs", "afpfs", "beegfs", "ceph", "cifs", "davfs", "fuse.davfs2", "fuse.gcsfuse", "fuse.glusterfs",
        "fuse.rclone", "fuse.s3fs", "fuse.sshfs", "gfs2", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2",
        "smb2", "smb3", "smbfs", "virtiofs", "webdav",
    }
)  # fmt: skip

MOUNTS = Path("/proc/self/mountinfo")
_ESCAPE = Late(r"\\([0-7]{3})")  # a space in the name of a mount is written \040


def require_sound_sqlite(version: str | None = None) -> None:
    """Refuse an SQLite with the WAL-reset bug."""
    found = version or apsw.sqlite_lib_version()
    major, minor, patch = (int(part) for part in found.split(".")[:3])
    if (major, minor, patch) >= _FIXED or patch >= _BACKPORTED.get((major, minor), patch + 1):
        return
    raise Refused(
        f"SQLite {found} can lose committed data when several processes write (the WAL-reset bug).",
        code="unsafe_sqlite",
        hint="Install the `apsw` package as a wheel: it brings SQLite 3.51.3 or newer.",
    )


def require_local_file_system(path: Path, mounts: Iterable[str] | None = None) -> None:
    """Refuse a place whose locks cannot be relied on. Where the mounts are not known, it is let pass."""
    if str(path).startswith("\\\\"):
        raise _unsafe(path, "a network share")
    if mounts is None:
        if not MOUNTS.exists():
            return
        mounts = MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    kind = _file_system(os.path.realpath(path), mounts)
    if kind in _NETWORK_FILE_SYSTEMS:
        raise _unsafe(path, kind)


def _file_system(path: str, mounts: Iterable[str]) -> str:
    """The kind of the file system a path is on: of the mounts above it, the deepest and newest."""
    best, kind = "", ""
    for line in mounts:
        before, separator, after = line.partition(" - ")
        fields = before.split(" ")
        if not separator or len(fields) < 5:
            continue
        point = _ESCAPE.sub(lambda octal: chr(int(octal[1], 8)), fields[4]) if "\\" in fields[4] else fields[4]
        inside = path == point or path.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, after.split(" ")[0]
    return kind


def _unsafe(path: Path, kind: str) -> Refused:
    return Refused(
        f"{path} is on {kind}, where file locks do not hold: several processes could damage the database.",
        code="unsafe_file_system",
        hint="Set RECOLLECT_HOME to a folder on a local disk, or use a PostgreSQL server for shared memory.",
    )
