"""The files of a vault: found without following any link, and written only over what we last saw there."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from recollect.disk import sync_folder, write_draft_over
from recollect.domain.vaults import Problem
from recollect.vault.documents import LARGEST
from recollect.vault.layout import TREES, is_note_path
from recollect.vault.place import Seen

_UNSURE = 2_000_000_000  # nanoseconds: a file changed so shortly before we looked may have changed again since


@dataclass(slots=True)
class Found:
    """What is in the folder. `content` has what was read: files that may have changed, too large ones as `None`."""

    sizes: dict[str, tuple[int, int]] = field(default_factory=dict)
    content: dict[str, bytes | None] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    folders: set[str] = field(default_factory=set)  # that could be looked into, from the vault's on


def look(folder: Path, seen: Mapping[str, Seen], *, recorded_when: int) -> Found:
    """Every file that may be a note. What has the size and the time we saw last is not read again."""
    found = Found()
    for tree in TREES:
        top = folder / tree
        if top.is_symlink():
            found.problems.append(_link(tree))
        elif top.is_dir():
            _walk(folder, tree, found)
    for path, (size, modified) in found.sizes.items():
        known = seen.get(path)
        settled = known is not None and known.version and (known.size, known.modified) == (size, modified)
        if settled and modified < recorded_when - _UNSURE:
            continue
        try:
            found.content[path] = (folder / path).read_bytes() if size <= LARGEST else None
        except OSError as problem:
            found.problems.append(Problem(path, "unreadable", f"{path} cannot be read: {problem.strerror}."))
            found.content.pop(path, None)
    return found


def signature(folder: Path) -> tuple[int, int, int]:
    """Something that changes whenever a file is written, made or taken away: how many, how large, how new."""
    found = Found()
    for tree in TREES:
        if not (folder / tree).is_symlink():
            _walk(folder, tree, found)
    sizes = found.sizes.values()
    return len(sizes), sum(size for size, _ in sizes), sum(modified for _, modified in sizes)


def _walk(root: Path, below: str, found: Found) -> None:
    try:
        with os.scandir(root / below) as scanned:
            entries = sorted(scanned, key=lambda entry: entry.name)
    except OSError as problem:
        found.problems.append(Problem(below, "unreadable", f"The folder {below} cannot be read: {problem.strerror}."))
        return
    found.folders.add(below)
    for entry in entries:
        path = f"{below}/{entry.name}"
        if entry.name.startswith("."):
            continue
        if entry.is_symlink():
            found.problems.append(_link(path))
        elif entry.is_dir(follow_symlinks=False):
            _walk(root, path, found)
        elif is_note_path(path) and entry.is_file(follow_symlinks=False):
            status = entry.stat(follow_symlinks=False)
            found.sizes[path] = (status.st_size, status.st_mtime_ns)


def _link(path: str) -> Problem:
    return Problem(path, "symlink", f"{path} is a symbolic link; links are not followed.")


def put(folder: Path, path: str, content: bytes, *, over: str | None) -> tuple[int, int] | None:
    """Write a file if it still is what we last saw (`over` is its digest, `None`: nothing); its size and time then.

    `None` if it is something else by now: it is left alone, and taken for an edit the next time. The name is safe only
    once the caller has synced the folder.
    """
    target = folder / path
    if _has_link(folder, target) or digest_of(target) != over:
        return None
    _make_folder(target.parent)
    write_draft_over(target, content)
    status = target.stat()
    return status.st_size, status.st_mtime_ns


def take_away(folder: Path, path: str, *, over: str) -> bool:
    """Remove a file if it still is what we last saw; whether it is gone now."""
    target = folder / path
    found = digest_of(target)
    if found is None:
        return True
    if found != over or _has_link(folder, target):
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


def _has_link(folder: Path, target: Path) -> bool:
    return any(each.is_symlink() for each in _upwards(folder, target))


def _upwards(folder: Path, target: Path) -> Iterator[Path]:
    while target != folder:
        yield target
        target = target.parent


def _make_folder(folder: Path) -> None:
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    folder.mkdir(exist_ok=True, mode=0o700)
    sync_folder(folder.parent)
