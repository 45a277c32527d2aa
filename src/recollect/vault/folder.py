"""The files of a vault: found without following any link, and written only over what we last saw there."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from recollect.disk import sync_files, sync_folder, write_draft
from recollect.domain.answers.vaults import Problem
from recollect.domain.dataclass import dataclass, field
from recollect.vault.documents import LARGEST
from recollect.vault.layout import TREES
from recollect.vault.place import SeenFile

Stat: TypeAlias = tuple[int, int, int]  # size, time of the last change in nanoseconds, inode

_TEMPLATER = ".obsidian/plugins/templater-obsidian/data.json"
_MANY = 32  # files that are synced together; for fewer, each by itself is quicker
UNSURE = 2_000_000_000  # nanoseconds: a file changed so shortly before we looked may have changed again since


@dataclass(slots=True)
class FoundFile:
    """Files that may be notes. `content` has what was read: files that may have changed, too large ones as `None`."""

    stats: dict[str, Stat] = field(default_factory=dict)
    content: dict[str, bytes | None] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    left_out: list[Problem] = field(default_factory=list)  # folders that are no business of ours, and why
    folders: set[str] = field(default_factory=set)  # that could be looked into, from the vault's on; "" is its own


@dataclass(frozen=True, slots=True)
class Draft:
    """A file that is to be written. `over` is the digest of what we last saw there; `None`: nothing."""

    path: str
    content: bytes
    over: str | None


def look(folder: Path, seen: Mapping[str, SeenFile], *, recorded_when: int) -> FoundFile:
    """Every file that may be a note. A file with the size, time and inode we saw last is not read again."""
    found = walked(folder)
    for path, (size, modified, inode) in found.stats.items():
        known = seen.get(path)
        if (
            known is not None
            and known.version
            and (known.size, known.modified) == (size, modified)
            and known.inode in (0, inode)
            and modified < recorded_when - UNSURE
        ):
            continue
        try:
            found.content[path] = (folder / path).read_bytes() if size <= LARGEST else None
        except OSError as problem:
            found.problems.append(Problem(path, "unreadable", f"{path} cannot be read: {problem.strerror}."))
            found.content.pop(path, None)
    return found


def walked(folder: Path) -> FoundFile:
    """The same without reading any file."""
    found = FoundFile()
    if folder.is_dir():
        _walk(str(folder), "", found, template_folders(folder))
    return found


def signature(folder: Path) -> tuple[int, int, int]:
    """Something that changes whenever a file is written, made or taken away: how many, how large, how new."""
    stats = walked(folder).stats.values()
    return len(stats), sum(size for size, _, _ in stats), sum(modified for _, modified, _ in stats)


def fingerprint(stats: Iterable[tuple[str, Stat]]) -> str:
    """All sizes, times and inodes of a folder as one digest."""
    told = "\n".join(f"{path}\0{size} {modified} {inode}" for path, (size, modified, inode) in sorted(stats))
    return hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()


def template_folders(folder: Path) -> dict[str, str]:
    """The folders that Obsidian, by its own settings, takes templates from; by their paths, each with its reason."""
    told: dict[str, str] = {}
    for file, key in ((".obsidian/templates.json", "folder"), (_TEMPLATER, "templates_folder")):
        try:
            said = json.loads((folder / file).read_bytes())
            name = str(said.get(key) or "").strip("/")
        except (OSError, ValueError, AttributeError):
            continue
        if name:
            told[name.casefold()] = "Obsidian takes templates from it"
    if not told and (folder / ".obsidian").is_dir():
        told["templates"] = "it is the usual folder for templates"
    return told


def _walk(root: str, below: str, found: FoundFile, templates: Mapping[str, str]) -> None:
    try:
        with os.scandir(f"{root}/{below}") as scanned:
            entries = sorted(scanned, key=lambda entry: entry.name)
    except OSError as problem:
        found.problems.append(Problem(below, "unreadable", f"The folder {below} cannot be read: {problem.strerror}."))
        return
    found.folders.add(below)
    ours = below.partition("/")[0] in TREES
    for entry in entries:
        name = entry.name
        if name[0] == ".":
            continue
        path = f"{below}/{name}" if below else name
        if name.endswith(".md") and entry.is_file(follow_symlinks=False):
            status = entry.stat(follow_symlinks=False)
            found.stats[path] = (status.st_size, status.st_mtime_ns, status.st_ino)
        elif entry.is_symlink():
            if ours or path in TREES or name.endswith(".md") or entry.is_dir():
                found.problems.append(_link(path))
        elif entry.is_dir(follow_symlinks=False):
            why = templates.get(path.casefold()) or ("programs keep it" if name == "node_modules" else None)
            if why is None:
                _walk(root, path, found, templates)
            else:
                found.left_out.append(Problem(path, "left_out", f"The folder {path} is left out: {why}."))


def _link(path: str) -> Problem:
    return Problem(path, "symlink", f"{path} is a symbolic link; links are not followed.")


def put(folder: Path, drafts: Sequence[Draft]) -> list[Stat | None]:
    """Write files, each only if there still is what we last saw; what each is then, in the same order.

    `None` if something else is there by now: it is left alone, and taken for an edit the next time. All bytes are safe
    before the first file gets its name; the names are safe only once the caller has synced the folders.
    """
    many = len(drafts) >= _MANY
    written: list[tuple[str, Stat] | None] = []
    try:
        open_folders = _Folders(folder)
        for draft in drafts:
            is_open = open_folders.has(draft.path)
            written.append(_drafted(folder, draft, sync=not many) if is_open else None)
        if many:
            sync_files(folder, [each[0] for each in written if each])
        open_folders = _Folders(folder)  # looked at again: syncing takes a while
        return [
            each and _landed(folder, draft, *each, is_open=open_folders.has(draft.path))
            for draft, each in zip(drafts, written, strict=True)
        ]
    except BaseException:
        for each in filter(None, written):
            with suppress(OSError):
                os.unlink(each[0])  # noqa: PTH108
        raise


def _drafted(folder: Path, draft: Draft, *, sync: bool) -> tuple[str, Stat]:
    """A file under another name, hidden beside its place. One that a killed process left there is written over."""
    above, _, name = draft.path.rpartition("/")
    at = f"{folder}/{above}/.{name}.draft"
    status = write_draft(at, draft.content, sync=sync)
    return at, (status.st_size, status.st_mtime_ns, status.st_ino)


def _landed(folder: Path, draft: Draft, at: str, stat: Stat, *, is_open: bool) -> Stat | None:
    """Give a file its name, if nothing else has it by now."""
    target = f"{folder}/{draft.path}"
    if not is_open or (os.path.lexists(target) if draft.over is None else _digest_here(target) != draft.over):
        os.unlink(at)  # noqa: PTH108
        return None
    os.replace(at, target)  # noqa: PTH105
    return stat


class _Folders:
    """Folders that files can be written to, made where they are not there: no link is on the way to them."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[str, bool] = {}

    def has(self, path: str) -> bool:
        """Whether the folder of a file is one of them; each is looked at once."""
        above = path.rpartition("/")[0]
        if above not in self._known:
            self._known[above] = not _has_link(self._root, above)
            if self._known[above]:
                _make_folder(self._root / above)
        return self._known[above]


def _digest_here(target: str) -> str | None:
    """The digest of a file, whatever a link with its name leads to."""
    return "" if os.path.islink(target) else digest_of(Path(target))  # noqa: PTH114


def take_away(folder: Path, path: str, *, over: str) -> bool:
    """Remove a file if it still is what we last saw; whether it is gone now."""
    target = folder / path
    found = digest_of(target)
    if found is None:
        return True
    if found != over or _has_link(folder, path):
        return False
    target.unlink()
    sync_folder(target.parent)
    return True


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def digest_of(path: Path) -> str | None:
    """The digest of a file; `None` if there is none."""
    try:
        return digest(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError:
        return ""


def _has_link(folder: Path, path: str) -> bool:
    """Whether the file, or a folder on the way to it, is a symbolic link."""
    at = str(folder)
    for name in path.split("/"):
        at = os.path.join(at, name)  # noqa: PTH118
        if os.path.islink(at):  # noqa: PTH114
            return True
    return False


def _make_folder(folder: Path) -> None:
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    folder.mkdir(exist_ok=True, mode=0o700)
    sync_folder(folder.parent)
