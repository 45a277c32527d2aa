"""Where a rule may apply: one pass over the text that finds the keywords of all rules at once.

All keywords together make one pattern, arranged as a tree, so that a place in the text is left after a step or two.
Where a keyword stands, the rules that know it are tried, and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from recollect.domain.late import Late
from recollect.redaction import clouds, services, structures
from recollect.redaction.assignments import Assignment, assigned_to_vendor, assigned_to_word
from recollect.redaction.names import VENDORS, WORDS
from recollect.redaction.rules import SecretRule
from recollect.redaction.values import entropy, is_placeholder

RULES: tuple[SecretRule, ...] = (*structures.RULES, *clouds.RULES, *services.RULES)

_Search = Callable[[str, int, int], re.Match[str] | None]

_NEARBY = 200  # characters before a secret in which the command it belongs to must stand
_ESCAPE = Late(r"\\[nrt]|%[0-9a-f]{2}")
_STEP = 64_000  # characters; the keywords of hostile text are looked for in about 10 ms
_READ_ONCE = 64  # characters from which a value is not read again for a name inside it


class SecretFinding(NamedTuple):
    """A secret's place and kind. `rank` says how much the kind is worth: the lowest of several is kept."""

    rank: int
    start: int
    end: int
    kind: str


def findings(text: str, lowered: str, *, once: bool = False) -> Iterator[SecretFinding]:
    """Everything that a keyword led to. They may overlap, and are in no order. `once`: see `redact`."""
    # One character in front makes the text's beginning like any other. An escape is not part of the word after it.
    ahead = " " + (_ESCAPE.sub(_blank, lowered) if "\\" in lowered or "%" in lowered else lowered)
    for place, source in ((_BEGINNINGS, ahead), (_SIGNS, lowered), (_WORDS, lowered), (_MARKS, lowered)):
        few = (once and len(source) <= _LITTLE) or place is _MARKS
        search = _search_in(source, place) if few else _search(place, is_ascii=lowered.isascii())
        if search is not None:
            yield from _led_to(search, source, text, lowered)


def has_keyword(lowered: str) -> bool:
    """Whether any rule could apply anywhere in a text, or in a part of it. Tells in a third of the time of `findings`.

    Of what is long, or has escapes in it, it says that one could.
    """
    if len(lowered) > _STEP or "\\" in lowered or "%" in lowered:
        return True
    is_ascii = lowered.isascii()
    return (
        _search(_BEGINNINGS, is_ascii=is_ascii)(f" {lowered}", 0, len(lowered) + 1) is not None
        or _search(_SIGNS, is_ascii=is_ascii)(lowered, 0, len(lowered)) is not None
        or _search(_WORDS, is_ascii=is_ascii)(lowered, 0, len(lowered)) is not None
        or any(mark in lowered for mark in _keywords()[_MARKS])
    )


def keyword_places(lowered: str) -> Iterator[int]:
    """Where keywords begin in a text without escapes. Of several that overlap only one need be told."""
    is_ascii = lowered.isascii()
    for place, source in ((_BEGINNINGS, f" {lowered}"), (_SIGNS, lowered), (_WORDS, lowered)):
        yield from (hit.start() for hit in _pattern(place, is_ascii=is_ascii).finditer(source))
    for mark in _keywords()[_MARKS]:
        at = lowered.find(mark)
        while at >= 0:
            yield at
            at = lowered.find(mark, at + 1)


@cache
def keyword_heads() -> tuple[str, ...]:
    """The first words of those keywords that go on behind a blank."""
    every = (word for words in _keywords().values() for word in words)
    return tuple(sorted({head for word in every if (head := word.split()[0]) != word}))


@cache
def keywords_with_equals() -> tuple[tuple[str, str], ...]:
    """Each keyword that has an equals sign, cut in two at it."""
    every = (word for words in _keywords().values() for word in words)
    return tuple((word[:at], word[at + 1 :]) for word in every for at, sign in enumerate(word) if sign == "=")


def _led_to(search: _Search, source: str, text: str, lowered: str) -> Iterator[SecretFinding]:
    at = read = 0
    while (hit := _first_hit(search, source, at)) is not None:
        begin = hit.start()
        at = begin + 1
        keyword = hit.group(1)
        known = False
        for rule, pattern in _rules_for(keyword):
            found = _applied(rule, pattern, text, lowered, begin)
            if found is not None:
                yield found
                known = True
                if found.start <= begin:
                    at = max(at, found.end)
        if known or begin < read:
            continue
        given: Assignment | None = None
        if keyword in WORDS:
            given = assigned_to_word(text, lowered, begin, keyword)
        elif vendor := _vendor_in(keyword):
            given = assigned_to_vendor(text, begin, vendor)
        if given is not None:
            if given.kind is not None:
                yield SecretFinding(3, given.start, given.end, given.kind)
            # What is no secret may have a secret's name inside; but a long one is not read over and over for that.
            if given.kind is not None or given.end - given.start > _READ_ONCE:
                read = given.end


def _first_hit(search: _Search, source: str, at: int) -> re.Match[str] | None:
    """The same as a search to the end, in steps: other threads wait for as long as one of them takes."""
    beyond = _longest_keyword() + 1  # so that a keyword which begins within a step is seen whole
    while at < len(source):
        hit = search(source, at, at + _STEP + beyond)
        if hit is not None and hit.start() < at + _STEP:
            return hit
        at += _STEP  # not to the hit: a longer keyword before it may have been cut off
    return None


@cache
def _vendor_in(keyword: str) -> str:
    """The longest vendor's name that the keyword begins with, for it may be one with something behind it."""
    return max((vendor for vendor in VENDORS if keyword.startswith(vendor)), key=len, default="")


def _applied(rule: SecretRule, pattern: re.Pattern[str], text: str, lowered: str, begin: int) -> SecretFinding | None:
    found = pattern.match(text, begin - rule.back) if begin >= rule.back else None
    if found is None:
        return None
    start, end = found.span(1 if pattern.groups else 0)
    secret = text[start:end]
    if rule.entropy and (entropy(secret) < rule.entropy or is_placeholder(secret)):
        return None
    if rule.check is not None and not rule.check(secret):
        return None
    if rule.near and not any(lowered.find(word, max(0, begin - _NEARBY), begin + 1) >= 0 for word in rule.near):
        return None
    return SecretFinding(2 if rule.general else 1, start, end, rule.kind)


# By where a keyword can stand. A pattern that starts with few characters passes over all others.
_BEGINNINGS = "where a word can begin"  # nearly all tokens, and the names of vendors
_SIGNS = "anywhere, and it begins with neither letter nor digit"
_WORDS = "anywhere, as part of a longer name"  # words for secrets
_MARKS = "in the middle of a token"  # so rare that each is looked for first

# The option of a command, whose rules want a blank before it; without one it is a hyphen between two words.
AFTER_BLANK = ("-p",)

_LITTLE = 64_000  # characters: to list the pairs of letters of a long text takes longer than to know all keywords

_PAIR = Late("(?<=[^a-z0-9])(?=(..))", re.DOTALL)


@cache
def _keywords() -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {_BEGINNINGS: set(VENDORS), _SIGNS: set(), _WORDS: set(WORDS), _MARKS: set()}
    for rule in RULES:
        for keyword in rule.keywords:
            found[_SIGNS if not keyword[0].isalnum() else _MARKS if rule.back else _BEGINNINGS].add(keyword)
    return {place: tuple(sorted(words)) for place, words in found.items()}


@cache
def _longest_keyword() -> int:
    return max(len(word) for words in _keywords().values() for word in words)


@cache
def _search(place: str, *, is_ascii: bool) -> _Search:
    """Looks for every keyword of a place; in a text of ASCII only, for those that can be there."""
    return _pattern(place, is_ascii=is_ascii).search


@cache
def _pattern(place: str, *, is_ascii: bool) -> re.Pattern[str]:
    return _pattern_for(place, [word for word in _keywords()[place] if word.isascii() or not is_ascii])


def _search_in(source: str, place: str) -> _Search | None:
    """Looks for those keywords of a place that the source has; `None` if it has none."""
    words: Iterable[str] = _keywords()[place]
    if place is _BEGINNINGS:
        pairs = set(_PAIR.findall(source))
        words = (word for word in words if word[:2] in pairs)
    there = [word for word in words if word in source]
    return _pattern_for(place, there).search if there else None


def _pattern_for(place: str, words: Iterable[str]) -> re.Pattern[str]:
    before = "[^a-z0-9]" if place is _BEGINNINGS else ""
    return re.compile(f"{before}({_tree(words)})")


def _blank(escape: re.Match[str]) -> str:
    return " " * len(escape.group())


@cache
def _rules_for(keyword: str) -> tuple[tuple[SecretRule, re.Pattern[str]], ...]:
    """The rules that know this keyword or one that it begins with; those that know more of it come first."""
    knowing = [(len(known), rule) for rule in RULES for known in rule.keywords if keyword.startswith(known)]
    ordered = dict.fromkeys(rule for _, rule in sorted(knowing, key=lambda pair: -pair[0]))
    return tuple((rule, re.compile(rule.pattern)) for rule in ordered)


def _tree(words: Iterable[str]) -> str:
    """A pattern for the longest of the words at a place."""
    root: dict[str, Any] = {}
    for word in words:
        node = root
        for letter in word:
            node = node.setdefault(letter, {})
        node[""] = f"(?<=[ \\t]{re.escape(word)})" if word in AFTER_BLANK else ""
    # Not joined here: only from alternatives that begin with one character each can `re` tell where to look.
    return "|".join(re.escape(letter) + _branch(rest) for letter, rest in sorted(root.items()))


def _branch(node: dict[str, Any]) -> str:
    """How the words go on from here. Branches that go on alike are one branch; the empty one says on what condition."""
    alike: dict[str, list[str]] = {}
    for letter, rest in sorted(node.items()):
        if letter:
            alike.setdefault(_branch(rest), []).append(re.escape(letter))
    ways = [(letters[0] if len(letters) == 1 else f"[{''.join(letters)}]") + rest for rest, letters in alike.items()]
    if not ways:
        return str(node[""])
    if "" in node:
        return f"(?:{'|'.join((*ways, node['']))})" if node[""] else f"(?:{'|'.join(ways)})?+"
    return ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"
