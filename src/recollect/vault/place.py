"""Where a vault is, which machine we are, and what its files held when we last looked.

The folder is for people; what is ours alone stands in a hidden folder of Recollect's own. The list of files is only
a shortcut: without it every file is compared with the versions of its note, and nothing is lost.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from recollect.disk import write_whole
from recollect.domain.answers.vaults import Pages, Problem
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.errors import Busy, NotFound, StorageFull, StoreFailure
from recollect.locks import take_lock

FILE = "vault.json"  # where a vault is, what this machine is called, and its remote

_PRIVATE = ".recollect"
NAMED_BY_ID = re.compile(r"(?:^|/)[0-9A-HJKMNP-TV-Z]{26}\.md$")
_LOOK_AGAIN = 0.02  # seconds between two tries for the lock


@dataclass(frozen=True, slots=True)
class Place:
    """A vault of one space: the folder of its files, our own folder, the name of this machine, and a remote.

    `names` says what new files are called, by `title` or by `id`; `pages` whether a person's own pages are tracked
    `beside` them or `marked` with the id of their note.
    """

    private: Path
    folder: Path
    machine: str
    remote: str | None = None
    names: str = "id"
    pages: Pages = Pages.BESIDE

    @property
    def repository(self) -> Path:
        return self.private / "repository.git"


@dataclass(frozen=True, slots=True)
class SeenFile:
    """A file as we last wrote or read it, and the version of the note it says. Version 0: of none that memory has."""

    digest: str
    note_id: str
    version: int
    size: int = -1
    modified: int = -1  # nanoseconds, as the file system has it
    inode: int = 0  # by which a file that was renamed is known again


@dataclass(frozen=True, slots=True)
class VaultRecord:
    """Our record of the files: each by its path, up to which change they were written, and what is held back."""

    seq: int = 0
    files: dict[str, SeenFile] = field(default_factory=dict)
    held: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def place_of(home: Path, space: str) -> Place:
    """The vault of a space; raises `NotFound` if none was opened."""
    private = private_folder(home, space)
    try:
        said = json.loads((private / FILE).read_text(encoding="utf-8"))
        return Place(
            private,
            Path(said["folder"]),
            said["machine"],
            said.get("remote"),
            said.get("names", "id"),  # as the release did that knew no other
            Pages(said.get("pages", Pages.BESIDE)),
        )
    except FileNotFoundError:
        raise NotFound(
            f"The space `{space}` has no vault.", code="vault_not_found", hint="`recollect vault open` makes one."
        ) from None
    except (ValueError, KeyError, TypeError, OSError) as problem:
        raise StoreFailure(f"{private / FILE} cannot be read: {problem}.", code="vault_unreadable") from None


def opened_place(
    home: Path,
    space: str,
    *,
    folder: Path | None,
    remote: str | None,
    chance: str,
    pages: Pages | None = None,
) -> Place:
    """The vault of a space, made if there is none; what is named is from now on so."""
    place = place_or_new(home, space, chance=chance)
    place = replace(place, folder=folder or place.folder, remote=remote or place.remote, pages=pages or place.pages)
    if not (place.private / FILE).exists() and _has_files_named_by_id(place.folder):
        place = replace(place, names="id")
    with on_disk(place.private):
        place.private.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(place.private / FILE, told(place))
    return place


def place_or_new(home: Path, space: str, *, chance: str) -> Place:
    """The vault of a space, or what it would be; nothing is written."""
    try:
        return place_of(home, space)
    except NotFound:
        private = private_folder(home, space)
        return Place(private, private.parent, machine_name_from(f"{chance} {private}"), names="title")


def _has_files_named_by_id(folder: Path) -> bool:
    """Whether a folder was made by a program that finds notes by the names of their files, and should go on so."""
    return any(NAMED_BY_ID.search(file.name) for tree in ("memory", "local") for file in folder.glob(f"{tree}/*/*"))


def told(place: Place) -> bytes:
    """The content of the file by which a vault is found again."""
    said = {
        "folder": str(place.folder),
        "machine": place.machine,
        "remote": place.remote,
        "names": place.names,
        "pages": place.pages,
    }
    return (json.dumps(said, indent=2) + "\n").encode()


def spaces_with_vaults(home: Path) -> list[str]:
    """The spaces for which a vault was opened."""
    found = (home / "vault").glob(f"*/{_PRIVATE}/{FILE}")
    return sorted(path.parent.parent.name.replace("%3A", ":") for path in found)


def private_folder(home: Path, space: str) -> Path:
    return home / "vault" / space.replace(":", "%3A") / _PRIVATE


def recorded(place: Place) -> VaultRecord:
    """The record of the files from our last look; empty, if it cannot be read or is of another folder."""
    try:
        said = json.loads((place.private / "files.json").read_text(encoding="utf-8"))
        if said.get("folder", str(place.folder)) != str(place.folder):
            return VaultRecord()
        return VaultRecord(
            said["seq"],
            {path: SeenFile(*each) for path, each in said["files"].items()},
            tuple(said["held"]),
            tuple(Problem(*each) for each in said["problems"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return VaultRecord()


def recorded_when(place: Place) -> int:
    """When the record was written, in nanoseconds of the file system's clock: what was changed since is looked at."""
    try:
        return (place.private / "files.json").stat().st_mtime_ns
    except OSError:
        return 0


def record(place: Place, known: VaultRecord) -> None:
    said = {
        "folder": str(place.folder),
        "seq": known.seq,
        "files": {path: _listed(seen) for path, seen in sorted(known.files.items())},
        "held": list(known.held),
        "problems": [list(asdict(problem).values()) for problem in known.problems],
    }
    write_whole(place.private / "files.json", json.dumps(said, ensure_ascii=False).encode())


def _listed(seen: SeenFile) -> list[str | int]:
    # Field by field: `asdict` copies deeply, which for 10,000 files takes as long as everything else.
    return [seen.digest, seen.note_id, seen.version, seen.size, seen.modified, seen.inode]


@contextmanager
def on_disk(folder: Path) -> Iterator[None]:
    """Raise errors of the file system as ours. Memory itself is not touched by them."""
    try:
        yield
    except OSError as problem:
        if problem.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StorageFull from None
        raise StoreFailure(
            f"{problem.filename or folder} cannot be read or written: {problem.strerror}.",
            code="not_writable",
            hint="Memory itself is safe; see to the folder, and run it again.",
        ) from None


@contextmanager
def locked(place: Place, *, patience: float) -> Iterator[None]:
    """One process at a time. The kernel holds the lock, and lets go of it when the process ends in whatever way."""
    with on_disk(place.folder):
        place.private.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(place.private / "lock", os.O_CREAT | os.O_RDWR, 0o600)
        try:
            until = time.monotonic() + patience
            while not take_lock(descriptor):
                if time.monotonic() >= until:
                    raise Busy("Another process is busy with this vault; nothing was done.", code="vault_busy")
                time.sleep(_LOOK_AGAIN)
            yield
        finally:
            os.close(descriptor)


def machine_name_from(chance: str) -> str:
    """The host's name and a few letters by chance: two laptops of the same name are two machines."""
    import platform

    host = re.sub(r"[^a-z0-9]+", "-", platform.node().partition(".")[0].lower()).strip("-")[:32]
    return f"{host or 'machine'}-{hashlib.sha256(chance.encode()).hexdigest()[:6]}"
