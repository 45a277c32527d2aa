"""The rule that finds a kind of secret, and the few shapes that nearly all keys and tokens have.

A rule names its keywords and one pattern, which is tried only where a keyword stands. Patterns are written so that
they need no second look: runs are possessive (`++`, `{20,}+`), every other quantifier is bounded, and a run without
a bound is either the last thing in its pattern or begins where no other run can. A pattern is compiled when its
keyword is first seen, for most never are.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

# Sets of characters, for use inside brackets.
ALNUM = "A-Za-z0-9"
LOWER = "a-z0-9"
UPPER = "A-Z0-9"
HEX = "0-9a-f"
ANYHEX = "0-9a-fA-F"
WORD = "A-Za-z0-9_"
SAFE = r"A-Za-z0-9_\-"  # base64 for addresses
BASE64 = "A-Za-z0-9+/"

UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"

# Where a token may begin: not inside a word, but after an escaped line end in JSON or an escape in an address.
START = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"
END = "(?![A-Za-z0-9])"

_LEAST_ENTROPY = 1.5  # bits per character: random hex has 3 and more, `ghp_xxxx…` has less than 1


class SecretRule(NamedTuple):
    """One kind of secret: where to look, and what it looks like.

    `keywords` are lower case; the pattern is tried `back` characters before each, in the original spelling. If it
    has a group, the group is the secret, else the whole match is. `entropy` is in bits per character. One of `near`,
    if given, must stand shortly before. `check` has the last word. What a `general` rule finds may be known better by
    another.
    """

    kind: str
    keywords: tuple[str, ...]
    pattern: str
    back: int = 0
    entropy: float = _LEAST_ENTROPY
    near: tuple[str, ...] = ()
    check: Callable[[str], bool] | None = None
    general: bool = False


def prefixed(
    kind: str,
    prefixes: str,
    characters: str,
    length: str,
    *,
    entropy: float = _LEAST_ENTROPY,
    check: Callable[[str], bool] | None = None,
) -> SecretRule:
    """A token that says whose it is: one of the prefixes (divided by spaces), then so many of these characters.

    `length` is as in a pattern: `36` is exactly that, `20,60` is between, `36,` is that or more.
    """
    names = prefixes.split()
    heads = "|".join(re.escape(name) for name in names)
    closed = "" if length.endswith(",") else f"(?![{characters}])"
    return SecretRule(
        kind=kind,
        keywords=tuple(dict.fromkeys(name.lower() for name in names)),
        pattern=f"{START}(?:{heads})[{characters}]{{{length}}}+{closed}",
        entropy=entropy,
        check=check,
    )


def shaped(
    kind: str,
    keywords: str,
    pattern: str,
    *,
    back: int = 0,
    entropy: float = _LEAST_ENTROPY,
    near: tuple[str, ...] = (),
    check: Callable[[str], bool] | None = None,
) -> SecretRule:
    """A secret with a shape of its own. Keywords are divided by spaces; the pattern begins where a token may."""
    return SecretRule(kind, tuple(keywords.split()), START + pattern, back, entropy, near, check)


def anywhere(
    kind: str,
    keywords: tuple[str, ...],
    pattern: str,
    *,
    entropy: float = _LEAST_ENTROPY,
    near: tuple[str, ...] = (),
    check: Callable[[str], bool] | None = None,
    general: bool = False,
) -> SecretRule:
    """A secret inside something else, such as an address or a header. Keywords may have spaces."""
    return SecretRule(kind, keywords, pattern, 0, entropy, near, check, general)


class SecretFinding(NamedTuple):
    """A secret's place and kind. `rank` says how much the kind is worth: the lowest of several is kept."""

    rank: int
    start: int
    end: int
    kind: str
