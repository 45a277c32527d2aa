"""A folder becomes the files in it that are worth reading, in the same order every time.

Nothing but ignore files is opened here. Links are not followed: one that leads out of the root is named, and what
one inside points to is read in its own place, once; so there are no loops.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from recollect.domain.dataclass import dataclass, replace
from recollect.remember.files.decoding import cleaned
from recollect.remember.files.documents import Unreadable
from recollect.remember.files.ignoring import BUILT_IN, NEVER, Rule, parse_rules, verdict
from recollect.remember.files.opening import (
    MAX_FILE_BYTES,
    bad_name,
    list_folder,
    not_a_file,
    outside_root,
    read_beneath,
    refusal,
    symlink_loop,
    too_large,
)

_ALL = "."  # the root itself, in a report
_MAX_DEPTH = 100  # folders; deeper is a machine's doing
_MAX_IGNORE_BYTES = 200_000


def walk(root: Path, *, ignore: Sequence[str] = (), max_bytes: int = MAX_FILE_BYTES) -> Iterator[Path | Unreadable]:
    """The files to read below a folder, or the file itself, and what cannot be read. Ignored ones are left out.

    The caller's patterns weigh most, then `.recollectignore`, then `.gitignore`, then what is built in; among those
    of one sort, the deeper folder and the later line. What a folder that is left out holds cannot be taken back.
    """
    try:
        found = root.stat()
    except OSError as problem:
        named = symlink_loop(str(root)) if problem.errno == errno.ELOOP else refusal(str(root), problem)
        yield replace(named, path=_ALL)
        return
    if stat.S_ISREG(found.st_mode):
        yield bad_name(root.name) or (
            root if found.st_size <= max_bytes else too_large(root.name, found.st_size, max_bytes)
        )
    elif stat.S_ISDIR(found.st_mode):
        rules = _Rules(caller=parse_rules(ignore), built_in=parse_rules(BUILT_IN))
        yield from _walk_folder(_Tree(root, os.path.realpath(root), max_bytes), (), rules)
    else:
        yield replace(not_a_file(str(root)), path=_ALL)


@dataclass(frozen=True, slots=True)
class _Tree:
    root: Path
    base: str  # the root's real path
    max_bytes: int


@dataclass(frozen=True, slots=True)
class _Rules:
    """The rules that hold in a folder, those of the folders above before its own."""

    caller: tuple[Rule, ...] = ()
    recollect: tuple[Rule, ...] = ()
    git: tuple[Rule, ...] = ()
    built_in: tuple[Rule, ...] = ()

    def leave_out(self, parts: tuple[str, ...], *, is_folder: bool) -> bool:
        if parts[-1] in NEVER:
            return True
        for rules in (self.caller, self.recollect, self.git, self.built_in):
            decided = verdict(rules, parts, is_folder=is_folder)
            if decided is not None:
                return decided
        return False


def _walk_folder(tree: _Tree, folder: tuple[str, ...], rules: _Rules) -> Iterator[Path | Unreadable]:
    shown = "/".join(folder) or _ALL
    if len(folder) > _MAX_DEPTH:
        yield Unreadable(shown, "too_deep", f"`{shown}` lies more than {_MAX_DEPTH} folders deep.")
        return
    try:
        entries = list_folder(tree.base, folder)
    except OSError as problem:
        yield refusal(shown, problem)
        return
    own = _own_rules(tree, folder, rules, {name for name, found in entries if stat.S_ISREG(found.st_mode)})
    if isinstance(own, Unreadable):
        yield own
        return
    for name, found in entries:
        parts = (*folder, name)
        is_folder = stat.S_ISDIR(found.st_mode)
        if own.leave_out(parts, is_folder=is_folder):
            continue
        refused = bad_name("/".join(parts))
        if refused:
            yield refused
        elif is_folder:
            yield from _walk_folder(tree, parts, own)
        else:
            yield from _judged(tree, parts, found)


def _own_rules(tree: _Tree, folder: tuple[str, ...], rules: _Rules, names: set[str]) -> _Rules | Unreadable:
    """The rules of a folder. If its ignore files cannot be read, nothing in it is: it might be what they leave out."""
    for name in (".gitignore", ".recollectignore"):
        if name not in names:
            continue
        shown = "/".join((*folder, name))
        source = read_beneath(tree.base, (*folder, name), shown=shown, max_bytes=_MAX_IGNORE_BYTES)
        if isinstance(source, Unreadable):
            message = f"{source.message} Without it, nothing in its folder is read."
            return replace(source, path="/".join(folder) or _ALL, message=message)
        found = parse_rules(cleaned(source.decode("utf-8", "replace").removeprefix("\ufeff")).split("\n"), folder)
        if name == ".gitignore":
            rules = replace(rules, git=(*rules.git, *found))
        else:
            rules = replace(rules, recollect=(*rules.recollect, *found))
    return rules


def _judged(tree: _Tree, parts: tuple[str, ...], found: os.stat_result) -> Iterator[Path | Unreadable]:
    """Decide on an entry that is no folder: its path, why it is refused, or nothing for a link that stays inside."""
    shown = "/".join(parts)
    if stat.S_ISLNK(found.st_mode):
        refused = _link(tree, parts, shown)
        if refused:
            yield refused
    elif not stat.S_ISREG(found.st_mode):
        yield not_a_file(shown)
    elif found.st_size > tree.max_bytes:
        yield too_large(shown, found.st_size, tree.max_bytes)
    else:
        yield tree.root.joinpath(*parts)


def _link(tree: _Tree, parts: tuple[str, ...], shown: str) -> Unreadable | None:
    """Why a link is refused; `None` if it points to something below the root."""
    link = Path(tree.base, *parts)
    if not Path(os.path.realpath(link)).is_relative_to(tree.base):
        return outside_root(shown)
    try:
        os.path.realpath(link, strict=True)
    except OSError as problem:
        return symlink_loop(shown) if problem.errno == errno.ELOOP else refusal(shown, problem)
    return None
