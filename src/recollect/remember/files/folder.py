r"""A folder becomes the files in it that are worth reading, without those that ignore rules leave out.

Nothing but ignore files is opened here. Links are not followed: one that leads out of the root is named, and what
one inside points to is read in its own place, once; so there are no loops.

Comments, `!` to take back, `/` at the end for folders only, `/` elsewhere to tie the pattern to its folder, `*`, `?`,
`[a-z]`, `**` and `\` to quote. The last pattern that matches decides. Matching takes time with the product of the
lengths at most, since the patterns come with the files and may mean harm.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from recollect.domain.dataclass import dataclass, replace
from recollect.remember.files.chunks import Unreadable
from recollect.remember.files.opened_file import (
    MAX_FILE_BYTES,
    bad_name,
    cleaned,
    list_folder,
    not_a_file,
    outside_root,
    read_beneath,
    refusal,
    symlink_loop,
    too_large,
)

# Never looked at, whatever any pattern says.
NEVER = frozenset({".git", ".hg", ".svn", ".jj", ".bzr"})

# Left out unless a pattern of the caller or in a file takes it back.
BUILT_IN = """
node_modules/ bower_components/ .venv/ venv/ virtualenv/ site-packages/ __pycache__/ .tox/ .nox/ .eggs/ *.egg-info/
.mypy_cache/ .ruff_cache/ .pytest_cache/ .hypothesis/ .cache/ .gradle/ .terraform/ .next/ .nuxt/ .svelte-kit/
.parcel-cache/ .turbo/ .idea/ .ipynb_checkpoints/
.gitignore .gitattributes .gitmodules .recollectignore .DS_Store Thumbs.db desktop.ini *~ *.swp *.pyc *.pyo
*.lock *.lockb package-lock.json npm-shrinkwrap.json pnpm-lock.yaml go.sum *.min.js *.min.css *.map
.env .env.* !.env.example !.env.sample !.env.template .netrc .npmrc .pypirc *.pem *.key *.p12 *.pfx *.keystore
id_rsa id_dsa id_ecdsa id_ed25519
""".split()

_STAR = "*"
_ANY_FOLDERS = "**"
_MAX_PATTERN = 1_000  # characters; no name is longer

_SPECIAL = re.compile(r"[\\*?\[]")
_ELEMENT = re.compile(r"\\(.)|(\*+)|(\?)|\[([!^]?)(\]?[^\]]{0,255})\]|(.)", re.DOTALL)

Element: TypeAlias = "str | Callable[[str], bool]"


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """One pattern. `folder` are the steps from the root to where it stands; `steps` is what it matches from there."""

    folder: tuple[str, ...]
    steps: tuple[str, ...]
    takes_back: bool = False
    folders_only: bool = False


def parse_rules(lines: Iterable[str], folder: tuple[str, ...] = ()) -> tuple[IgnoreRule, ...]:
    """The rules of an ignore file, in order."""
    return tuple(rule for line in lines if (rule := _rule(line, folder)) is not None)


def verdict(rules: Sequence[IgnoreRule], parts: tuple[str, ...], *, is_folder: bool) -> bool | None:
    """Whether the path is left out (`True`) or taken back (`False`); `None` if no rule speaks of it."""
    for rule in reversed(rules):
        if rule.folders_only and not is_folder:
            continue
        depth = len(rule.folder)
        if parts[:depth] == rule.folder and len(parts) > depth and _matches_path(rule.steps, parts[depth:]):
            return not rule.takes_back
    return None


def _rule(line: str, folder: tuple[str, ...]) -> IgnoreRule | None:
    pattern = line.rstrip("\r\n")
    while pattern.endswith((" ", "\t")) and not pattern.endswith(("\\ ", "\\\t")):
        pattern = pattern[:-1]
    if not pattern or pattern.startswith("#") or len(pattern) > _MAX_PATTERN:
        return None
    takes_back = pattern.startswith("!")
    pattern = pattern[1:] if takes_back else pattern
    folders_only = pattern.endswith("/")
    pattern = pattern.rstrip("/") if folders_only else pattern
    if not pattern:
        return None
    steps = tuple(step if step.strip(_STAR) or step == _STAR else _ANY_FOLDERS for step in pattern.split("/") if step)
    if "/" not in pattern:
        steps = (_ANY_FOLDERS, *steps)
    if steps and steps[-1] == _ANY_FOLDERS:
        steps = (*steps, _STAR)  # `a/**` is what is in `a`, not `a` itself
    return IgnoreRule(folder, steps, takes_back, folders_only) if steps else None


def _matches_path(steps: Sequence[str], parts: Sequence[str]) -> bool:
    if len(steps) == 2 and steps[0] == _ANY_FOLDERS:
        return _name_test(steps[1])(parts[-1])
    return _matches(steps, parts, _ANY_FOLDERS, lambda step, part: _name_test(step)(part))


@lru_cache(maxsize=4_096)
def _name_test(pattern: str) -> Callable[[str], bool]:
    """A test for names. The usual patterns are a name or an ending, and there are many files to test."""
    ending = pattern.removeprefix(_STAR)
    if not _SPECIAL.search(pattern):
        return lambda name: name == pattern
    if not _SPECIAL.search(ending):
        return lambda name: name.endswith(ending)
    elements = _elements(pattern)
    return lambda name: _matches(elements, name, _STAR, _matches_character)


def _matches_character(element: Element, character: str) -> bool:
    return element(character) if callable(element) else element == f"\\{character}"


def _matches(pattern: Sequence[Element], items: Sequence[str], star: str, same: Callable[..., bool]) -> bool:
    """Whether items match a pattern in which `star` stands for any number of them.

    Only the last star has to be tried again: if what follows an earlier one was found once, it need not be elsewhere.
    """
    here = at = 0
    last_star, resume = -1, 0
    while at < len(items):
        if here < len(pattern) and pattern[here] == star:
            last_star, resume = here, at
            here += 1
        elif here < len(pattern) and same(pattern[here], items[at]):
            here, at = here + 1, at + 1
        elif last_star >= 0:
            resume += 1
            here, at = last_star + 1, resume
        else:
            return False
    return all(element == star for element in pattern[here:])


def _elements(pattern: str) -> tuple[Element, ...]:
    """A name's pattern as stars, sets of characters, and characters, which have a `\\` before them."""
    elements: list[Element] = []
    for quoted, stars, any_one, negated, members, plain in _ELEMENT.findall(pattern):
        if stars:
            elements.append(_STAR)
        elif any_one:
            elements.append(lambda _: True)
        elif members:
            elements.append(_one_of(members, negated=bool(negated)))
        else:
            elements.append(f"\\{quoted or plain}")
    return tuple(elements)


def _one_of(members: str, *, negated: bool) -> Callable[[str], bool]:
    """A test for a character of a set such as `a-z_`."""
    ranges: list[tuple[str, str]] = []
    at = 0
    while at < len(members):
        if at + 2 < len(members) and members[at + 1] == "-":
            ranges.append((members[at], members[at + 2]))
            at += 3
        else:
            ranges.append((members[at], members[at]))
            at += 1
    return lambda character: any(low <= character <= high for low, high in ranges) is not negated


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

    caller: tuple[IgnoreRule, ...] = ()
    recollect: tuple[IgnoreRule, ...] = ()
    git: tuple[IgnoreRule, ...] = ()
    built_in: tuple[IgnoreRule, ...] = ()

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
