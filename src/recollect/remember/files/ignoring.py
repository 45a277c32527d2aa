r"""Pure: which paths are left out, in the language of `.gitignore`.

Comments, `!` to take back, `/` at the end for folders only, `/` elsewhere to tie the pattern to its folder, `*`, `?`,
`[a-z]`, `**` and `\` to quote. The last pattern that matches decides. Matching takes time with the product of the
lengths at most, since the patterns come with the files and may mean harm.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from recollect.domain.dataclass import dataclass

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
class Rule:
    """One pattern. `folder` are the steps from the root to where it stands; `steps` is what it matches from there."""

    folder: tuple[str, ...]
    steps: tuple[str, ...]
    takes_back: bool = False
    folders_only: bool = False


def parse_rules(lines: Iterable[str], folder: tuple[str, ...] = ()) -> tuple[Rule, ...]:
    """The rules of an ignore file, in order."""
    return tuple(rule for line in lines if (rule := _rule(line, folder)) is not None)


def verdict(rules: Sequence[Rule], parts: tuple[str, ...], *, is_folder: bool) -> bool | None:
    """Whether the path is left out (`True`) or taken back (`False`); `None` if no rule speaks of it."""
    for rule in reversed(rules):
        if rule.folders_only and not is_folder:
            continue
        depth = len(rule.folder)
        if parts[:depth] == rule.folder and len(parts) > depth and _matches_path(rule.steps, parts[depth:]):
            return not rule.takes_back
    return None


def _rule(line: str, folder: tuple[str, ...]) -> Rule | None:
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
    return Rule(folder, steps, takes_back, folders_only) if steps else None


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
