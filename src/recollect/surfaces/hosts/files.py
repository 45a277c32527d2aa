"""The only place where files of hosts are touched: read, backed up, written whole or not at all, put back.

A file keeps its mode and stays the link it may be. What was there before, and what we made of it, stands in
Recollect's own folder, so that it can be put back to the byte as long as nobody else has changed the file since.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from recollect.disk import OWN, write_whole
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.errors import Conflict, Misconfigured, StoreFailure
from recollect.surfaces.hosts.json_text import BrokenJson
from recollect.surfaces.hosts.known import HostFile, Wiring
from recollect.surfaces.hosts.plan import HostStanding, Ours, is_bare, joined, parted, standing

RECORDS = "connected.json"
BACKUPS = "before-init"

_LARGEST = 50_000_000  # bytes of a settings file; Claude Code's own grows to some


@dataclass(frozen=True, slots=True)
class HostRecord:
    """The record of a changed file: the backup of what was there, `None` for nothing, and its SHA-256 as we left it.

    `parts` are the sorts of what we put there, and `folders` those that had to be made for it.
    """

    path: str
    agents: tuple[str, ...]
    before: str | None
    after: str
    parts: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Records:
    """All that was connected, with which commands, and under which names of the server."""

    commands: tuple[tuple[str, ...], ...] = ()
    names: tuple[str, ...] = ()
    files: tuple[HostRecord, ...] = ()

    @property
    def ours(self) -> Ours:
        return Ours(self.commands)

    def of(self, path: Path) -> HostRecord | None:
        return next((each for each in self.files if each.path == str(path)), None)

    def has(self, target: HostFile) -> bool:
        """Whether we have put that part there."""
        known = self.of(target.path)
        return known is not None and part_of(target) in known.parts


def part_of(target: HostFile) -> str:
    """The sort of part that a target is about, as records have it."""
    return type(target.part).__name__.lower()


@dataclass(frozen=True, slots=True)
class Edit:
    """One file as it is and as it should become, `None` for no file; and what of it is somebody else's."""

    path: Path
    agents: tuple[str, ...]
    before: bytes | None
    after: bytes | None
    targets: tuple[HostFile, ...] = ()
    foreign: bool = False

    @property
    def changes(self) -> bool:
        return self.before != self.after


def plan(targets: Iterable[tuple[str, HostFile]], ours: Ours) -> list[Edit]:
    """The edits that make every target as it should be. Raises before anything is touched."""
    edits = []
    for path, agents, parts in _by_file(targets):
        before = _read(path)
        text = _decoded(path, before)
        try:
            foreign = any(standing(text, target, ours) is HostStanding.FOREIGN for target in parts)
            for target in parts:
                text = joined(text, target, ours)
        except BrokenJson as problem:
            raise _refused(path, problem) from None
        edits.append(Edit(path, agents, before, _encoded(text), parts, foreign))
    return edits


def plan_undo(targets: Iterable[tuple[str, HostFile]], records: Records, home: Path) -> list[Edit]:
    """The edits that take everything back: to what was there before, or to what is there now without our parts."""
    edits = []
    for path, agents, parts in _by_file(targets):
        now = _read(path)
        record = records.of(path)
        if record is not None and set(record.agents) - set(agents):
            continue  # somebody who stays connected needs it
        if record is not None and now is not None and _sum(now) == record.after:
            was = None if record.before is None else _backup(home, record.before)
            edits.append(Edit(path, agents, now, was, parts))
            continue
        text = _decoded(path, now)
        try:
            for target in parts:
                text = parted(text, target, records.ours)
        except BrokenJson as problem:
            raise _refused(path, problem) from None
        if record is not None and record.before is None and is_bare(text, [each.part for each in parts]):
            text = None
        edits.append(Edit(path, agents, now, _encoded(text), parts))
    return edits


def plan_whole(path: Path, agent: str, content: bytes) -> Edit:
    """The edit that makes a file of our own what it should be."""
    return Edit(path, (agent,), _read(path), content)


def plan_return(agent: str, records: Records, home: Path) -> list[Edit]:
    """The edits that restore the files that belong to this agent alone to what they were.

    A file that somebody has changed since stays as it is.
    """
    edits = []
    for record in records.files:
        if record.agents == (agent,):
            now = _read(Path(record.path))
            ours = now is not None and _sum(now) == record.after
            was = None if record.before is None or not ours else _backup(home, record.before)
            edits.append(Edit(Path(record.path), record.agents, now, was if ours else now))
    return edits


def carry_out(edits: Sequence[Edit], records: Records, home: Path, wiring: Wiring) -> Records:
    """Write what was planned. What was there is kept first, so that a crash in between loses nothing."""
    records = replace(
        records,
        commands=tuple(dict.fromkeys((*records.commands, wiring.command))),
        names=tuple(dict.fromkeys((*records.names, wiring.name))),
    )
    for edit in edits:
        known = records.of(edit.path)
        if not edit.changes:
            more = known is not None and set(edit.agents) - set(known.agents)
            if known is not None and more:
                agents = tuple(sorted({*known.agents, *edit.agents}))
                records = _with(records, replace(known, agents=agents))
            continue
        records = _with(records, _recorded(edit, known, records.ours, home))
        save_records(records, home)
        _write(edit.path, edit.after, seen=edit.before)
    save_records(records, home)
    return records


def undo(edits: Sequence[Edit], records: Records, home: Path) -> Records:
    """Put back what was planned to be, and forget about it."""
    folders: set[str] = set()
    for edit in edits:
        record = records.of(edit.path)
        if edit.changes:
            _write(edit.path, edit.after, seen=edit.before)
        if record is None:
            continue
        folders.update(record.folders)
        records = replace(records, files=tuple(each for each in records.files if each != record))
        save_records(records, home)
        if record.before is not None:
            (home / BACKUPS / record.before).unlink(missing_ok=True)
    for folder in sorted(folders, key=len, reverse=True):
        with contextlib.suppress(OSError):  # somebody else has put something there
            Path(folder).rmdir()
    if not records.files:
        (home / RECORDS).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            (home / BACKUPS).rmdir()
    return records


def load_records(home: Path) -> Records:
    """The records of what was connected from this home; empty, if nothing was."""
    try:
        said = json.loads((home / RECORDS).read_text(encoding="utf-8"))
        files = tuple(
            HostRecord(
                each["path"],
                tuple(each["agents"]),
                each["before"],
                each["after"],
                tuple(each["parts"]),
                tuple(each["folders"]),
            )
            for each in said["files"]
        )
        return Records(tuple(tuple(words) for words in said["commands"]), tuple(said["names"]), files)
    except FileNotFoundError:
        return Records()
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise Misconfigured(
            f"{home / RECORDS} cannot be read: {problem}.",
            hint="Move it away; `recollect init --undo` then takes our parts out of what is there.",
        ) from None


def save_records(records: Records, home: Path) -> None:
    """Keep what was connected, for its owner only."""
    files = [asdict(each) for each in records.files]
    said = {"version": 1, "commands": records.commands, "names": records.names, "files": files}
    _keep(home / RECORDS, json.dumps(said, indent=2).encode())


def _keep(path: Path, content: bytes) -> None:
    """Write a file of our own home, without which no file of an agent is touched."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, content)
    except OSError as problem:
        raise StoreFailure(
            f"{path} cannot be written: {problem.strerror}.",
            code="not_writable",
            hint="Set RECOLLECT_HOME to a folder you can write to.",
        ) from None


def _by_file(targets: Iterable[tuple[str, HostFile]]) -> list[tuple[Path, tuple[str, ...], tuple[HostFile, ...]]]:
    """The targets of each file, in order, and the agents that they are for."""
    files: dict[Path, list[tuple[str, HostFile]]] = {}
    for agent, target in targets:
        files.setdefault(target.path, []).append((agent, target))
    return [
        (path, tuple(sorted({agent for agent, _ in found})), tuple({repr(each): each for _, each in found}.values()))
        for path, found in files.items()
    ]


def _recorded(edit: Edit, known: HostRecord | None, ours: Ours, home: Path) -> HostRecord:
    """The record to keep of a file before it is written.

    If the file is still as we left it, its backup stays. If somebody has changed it since, the backup is what they
    would have now without us.
    """
    agents = tuple(sorted({*edit.agents, *(known.agents if known else ())}))
    parts = tuple(sorted({*(part_of(each) for each in edit.targets), *(known.parts if known else ())}))
    after = _sum(edit.after or b"")
    if known is not None and edit.before is not None and _sum(edit.before) == known.after:
        return replace(known, agents=agents, after=after, parts=parts)
    was = edit.before
    if known is not None and was is not None:
        text = _decoded(edit.path, was)
        for target in edit.targets:
            text = parted(text, target, ours)
        bare = known.before is None and is_bare(text, [each.part for each in edit.targets])
        was = None if bare else _encoded(text)
    name = None
    if was is not None:
        name = f"{hashlib.sha256(str(edit.path).encode('utf-8', 'surrogateescape')).hexdigest()[:16]}-{edit.path.name}"
        _keep(home / BACKUPS / name, was)
    folders = tuple(str(each) for each in _missing_folders(edit.path)) or (known.folders if known else ())
    return HostRecord(str(edit.path), agents, name, after, parts, folders)


def _missing_folders(path: Path) -> list[Path]:
    """The folders that have to be made for a file, the outermost first."""
    missing = []
    folder = path.parent
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    return missing[::-1]


def _with(records: Records, record: HostRecord) -> Records:
    others = tuple(each for each in records.files if each.path != record.path)
    return replace(records, files=(*others, record))


def _backup(home: Path, name: str) -> bytes:
    try:
        return (home / BACKUPS / name).read_bytes()
    except OSError as problem:
        raise StoreFailure(
            f"The backup {home / BACKUPS / name} cannot be read: {problem.strerror}.",
            code="backup_missing",
            hint=f"Move {home / RECORDS} away; `recollect init --undo` then takes our parts out of what is there.",
        ) from None


def _read(path: Path) -> bytes | None:
    """The bytes of a file; `None` if there is none."""
    try:
        if path.stat().st_size > _LARGEST:
            raise Misconfigured(f"{path} is over {_LARGEST:,} bytes; it was not touched.", code="settings_unreadable")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise Misconfigured(
            f"{path} cannot be read: {problem.strerror}. Nothing was changed.", code="settings_unreadable"
        ) from None


def _decoded(path: Path, found: bytes | None) -> str | None:
    try:
        return None if found is None else found.decode("utf-8")
    except UnicodeDecodeError:
        raise _refused(path, "it is not UTF-8") from None


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8")


def _refused(path: Path, problem: object) -> Misconfigured:
    return Misconfigured(
        f"{path} cannot be added to: {problem}. Nothing was changed.",
        code="broken_settings",
        hint="Correct the file, or leave its agent out with `--agents`.",
    )


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _write(path: Path, content: bytes | None, *, seen: bytes | None) -> None:
    """Make a file what it should be, if it is still what it was when it was looked at."""
    if _read(path) != seen:
        raise Conflict(
            f"{path} was changed while we were at it; it was left as it is.",
            code="settings_changed",
            hint="Run the same command again.",
        )
    try:
        if content is None:
            Path(os.path.realpath(path)).unlink(missing_ok=True)
            return
        place = Path(os.path.realpath(path))  # a link stays a link; what it leads to is written
        place.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(place.stat().st_mode) if place.exists() else OWN
        write_whole(place, content, mode=mode)
    except OSError as problem:
        raise StoreFailure(
            f"{path} cannot be written: {problem.strerror}.",
            code="not_writable",
            hint="What was written before it stays; `recollect init --undo` takes it back.",
        ) from None
