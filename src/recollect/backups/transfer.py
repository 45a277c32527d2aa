"""A backup on its way: made and checked here, packed, sent, the manifest last; and the same way back.

Everything happens in a folder that is thrown away. Whatever goes wrong, the store is as it was, and a target holds
nothing that could be taken for a backup and is none.

Gzip, because it is everywhere, in Python and on every machine a backup may have to be opened on by hand.

A lock beside it says that somebody is at work in it. What a killed process left behind, perhaps a whole copy, the next
one removes.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import assert_never

from recollect.backups.addresses import Address, BucketAddress, FolderAddress, GitAddress, HubAddress
from recollect.backups.manifests import (
    MANIFEST,
    PACKED,
    abandoned,
    in_order,
    machine_name,
    manifest_bytes,
    manifest_parsed,
    meant,
    name_read,
    new_name,
    superseded,
    with_space,
)
from recollect.backups.targets import Target, disk_failure, failed
from recollect.codecs.plain import manifest_text
from recollect.domain.answers.upkeep import Backup, BackupList, Progress, Stored, Tell
from recollect.domain.clock import Clock
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.errors import Damaged, NotFound
from recollect.domain.ports import Backups
from recollect.locks import take_lock

_CHUNK = 1 << 20  # bytes
_LEVEL = 1  # to 38 % at 44 MB/s; 6 comes to 34 % at 12 MB/s, and loses more time than a slow line wins back

OLDER = "Use an older backup; `recollect backups` lists them."


def pack(source: Path, target: Path, done: Callable[[int], None]) -> tuple[str, int]:
    """Pack a file; the digest and size of the result. The same bytes are always packed the same way."""
    with (
        source.open("rb") as reader,
        target.open("xb") as writer,
        gzip.GzipFile(filename="", mode="wb", compresslevel=_LEVEL, fileobj=writer, mtime=0) as packing,
    ):
        read = 0
        while chunk := reader.read(_CHUNK):
            packing.write(chunk)
            read += len(chunk)
            done(read)
    with target.open("rb") as reader:
        return hashlib.file_digest(reader, "sha256").hexdigest(), target.stat().st_size


def require_same(file: Path, *, sha256: str, size: int, what: str) -> None:
    """A file is the very one its manifest speaks of; `backup_damaged` otherwise."""
    if file.stat().st_size == size:
        with file.open("rb") as reader:
            if hashlib.file_digest(reader, "sha256").hexdigest() == sha256:
                return
    raise Damaged(f"{what} is not what its manifest says.", code="backup_damaged", hint=OLDER)


def unpack(source: Path, target: Path, *, size: int, what: str, done: Callable[[int], None]) -> None:
    """Unpack a file, to its own size and not a byte more; `backup_damaged` if it is not one, or longer."""
    written = 0
    try:
        with gzip.open(source, "rb") as reader, target.open("xb") as writer:
            while chunk := reader.read(_CHUNK):
                written += len(chunk)
                if written > size:
                    raise Damaged(f"{what} unpacks into more than it says.", code="backup_damaged", hint=OLDER)
                writer.write(chunk)
                done(written)
            writer.flush()
            os.fsync(writer.fileno())
    except (gzip.BadGzipFile, zlib.error, EOFError):
        raise Damaged(f"{what} cannot be unpacked.", code="backup_damaged", hint=OLDER) from None


_BEGINNING, _LOCK = ".backup-", ".lock"


@contextmanager
def scratch(home: Path, chance: str) -> Iterator[Path]:
    """An empty folder that is gone afterwards. What the disk refuses is raised as one of our errors."""
    folder = home / f"{_BEGINNING}{chance}"
    lock = folder.with_name(folder.name + _LOCK)
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        _remove_abandoned(home)
        held = os.open(lock, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            take_lock(held)
            folder.mkdir(mode=0o700)
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            lock.unlink(missing_ok=True)
            os.close(held)
    except OSError as problem:
        raise disk_failure(problem, str(home)) from problem


def _remove_abandoned(home: Path) -> None:
    for lock in home.glob(f"{_BEGINNING}*{_LOCK}"):
        with suppress(OSError):  # somebody else removes it
            held = os.open(lock, os.O_RDWR)
            try:
                if take_lock(held):
                    shutil.rmtree(lock.with_name(lock.name.removesuffix(_LOCK)), ignore_errors=True)
                    lock.unlink(missing_ok=True)
            finally:
                os.close(held)


def _of_other_spaces(held: BackupList, space: str | None) -> NotFound:
    spaces = sorted({each.space for each in held.backups if each.space is not None})
    wanted = "the whole store" if space is None else f"the space `{space}`"
    shown = f"there are backups of {', '.join(f'`{each}`' for each in spaces)}" if spaces else "it is in none of them"
    return NotFound(
        f"There is no backup of {wanted} at {held.target}; {shown}.",
        code="backup_not_found",
        hint="`--space NAME` restores one space; `recollect backups` lists what is there.",
    )


@dataclass(frozen=True, slots=True)
class Sender:
    """Sends, lists and restores the backups of a home, and reports progress to `tell`."""

    home: Path
    clock: Clock
    tell: Tell

    def send(self, store: Backups, address: Address, *, keep: int | None) -> Backup:
        """Make a backup and put it at a target; with `keep`, then remove this machine's older ones."""
        with self._scratch() as folder:
            target = opened(address, folder, making=True)
            machine, at = machine_name(self.home, self.clock), self.clock.now()
            name = new_name(at, machine, self.clock.new_id())
            target.items()  # wrong credentials are found before the work, not after it

            # Written anew: no page of what was forgotten leaves this machine.
            copy = store.backup(folder / "copy.db", compact=True, at=at)
            packed = folder / f"{name}{PACKED}"
            sha256, size = pack(folder / "copy.db", packed, self._telling("packing", copy.size_bytes))
            (folder / "copy.db").unlink()
            stored = Stored(name, machine, sha256, size)
            target.put(packed.name, packed, self._telling("sending", size))
            manifest = folder / f"{name}{MANIFEST}"
            manifest.write_bytes(manifest_bytes(copy, stored))
            target.put(manifest.name, manifest, lambda _: None)

            held = _held(target)
            made = next((each for each in held.backups if each.stored and each.stored.name == name), None)
            if made is None or made.sha256 != copy.sha256:
                raise failed(target.shown, "the backup was sent, and is not there as it was sent")
            removed = () if keep is None else self._tidied(target, held, machine, keep, made.space)
        return replace(made, stored=replace(stored, removed=removed))

    def held(self, address: Address) -> BackupList:
        """List the backups at a target."""
        with self._scratch() as folder:
            return _held(opened(address, folder, making=False))

    def restore(self, store: Backups, address: Address, name: str | None, space: str | None = None) -> Backup:
        """Bring a backup here, check every byte of it, and only then let the store become it, or one space of it."""
        with self._scratch() as folder:
            target = opened(address, folder, making=False)
            there = _held(target)
            held = there if name is not None else with_space(there, space)
            if there.backups and not held.backups and not held.damaged:
                raise _of_other_spaces(there, space)
            backup = meant(held, name, machine=machine_name(self.home, self.clock))
            stored = backup.stored
            if stored is None:
                raise AssertionError("what a target holds is stored")
            packed, copy = folder / "packed", folder / "copy.db"
            target.fetch(f"{stored.name}{PACKED}", packed, self._telling("fetching", stored.packed_bytes))
            require_same(packed, sha256=stored.packed_sha256, size=stored.packed_bytes, what=backup.path)
            telling = self._telling("unpacking", backup.size_bytes)
            unpack(packed, copy, size=backup.size_bytes, what=backup.path, done=telling)
            require_same(copy, sha256=backup.sha256, size=backup.size_bytes, what=backup.path)
            packed.unlink()
            (folder / "copy.db.json").write_text(manifest_text(backup), encoding="utf-8")
            try:
                store.restore(copy, at=self.clock.now(), known_as=backup.path)
            except Damaged as problem:
                if problem.code != "backup_damaged":
                    raise
                # The sentence names a file in a folder that is gone by now.
                raise Damaged(f"{backup.path} is damaged.", code="backup_damaged", hint=OLDER) from None
        return backup

    def _tidied(self, target: Target, held: BackupList, machine: str, keep: int, space: str | None) -> tuple[str, ...]:
        """Remove what `keep` leaves no room for; a manifest goes before its copy, so that no half looks whole."""
        gone = superseded(held.backups, machine=machine, keep=keep, space=space)
        leftovers = abandoned(held.unfinished, machine=machine, at=self.clock.now())
        if gone:
            target.remove([f"{name}{MANIFEST}" for name in gone])
        if gone or leftovers:
            target.remove([f"{name}{PACKED}" for name in (*gone, *leftovers)])
        return gone

    def _telling(self, step: str, total: int) -> Callable[[int], None]:
        return lambda done: self.tell(Progress(step, done, total))

    def _scratch(self) -> AbstractContextManager[Path]:
        return scratch(self.home, self.clock.new_id().lower())


def _held(target: Target) -> BackupList:
    """The backups at a target: whole ones, copies without a manifest, and damaged ones."""
    sizes = {item.name: item.size for item in target.items()}
    named = {name.removesuffix(PACKED) for name in sizes if name.endswith(PACKED)}
    told = {name.removesuffix(MANIFEST) for name in sizes if name.endswith(MANIFEST)}
    ours = sorted(name for name in told if name_read(name))
    manifests = target.read([f"{name}{MANIFEST}" for name in ours])
    found: list[Backup] = []
    damaged: list[str] = []
    for name in ours:
        content = manifests.get(f"{name}{MANIFEST}")
        if content is None:
            continue  # somebody removed it just now
        backup = manifest_parsed(name, content, target.shown)
        size = sizes.get(f"{name}{PACKED}")
        whole = name in named and backup and backup.stored and size in (None, backup.stored.packed_bytes)
        if backup and whole:
            found.append(backup)
        else:
            damaged.append(name)
    unfinished = tuple(sorted(name for name in named - told if name_read(name)))
    return BackupList(target.shown, tuple(in_order(found)), unfinished, tuple(damaged))


def opened(address: Address, scratch: Path, *, making: bool) -> Target:
    """The target at an address. `making` it may be made, where that needs no more than a name.

    Raises `extra_missing` if its library is not installed. `scratch` is an empty folder for whatever it needs.
    """
    match address:
        case FolderAddress():
            from recollect.backups.folder import Folder

            return Folder(address, making=making)
        case GitAddress():
            from recollect.backups.git_remote import GitRemote

            return GitRemote(address, scratch)
        case BucketAddress():
            from recollect.backups.bucket import Bucket

            return Bucket(address)
        case HubAddress():
            from recollect.backups.hub import Hub

            return Hub(address, scratch, making=making)
        case _:
            assert_never(address)
