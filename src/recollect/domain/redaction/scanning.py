"""Where a rule may apply: one pass over the text that finds the keywords of all rules at once.

All keywords together make one pattern, arranged as a tree, so that a place in the text is left after a step or two.
Where a keyword stands, the rules that know it are tried, and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from recollect.domain.redaction import clouds, code_hosts, messaging, models, payments, services, structures
from recollect.domain.redaction.assignments import Assignment, assigned_to_vendor, assigned_to_word
from recollect.domain.redaction.names import VENDORS, WORDS
from recollect.domain.redaction.rules import Rule
from recollect.domain.redaction.values import entropy, is_placeholder

RULES: tuple[Rule, ...] = (
    *structures.RULES,
    *clouds.RULES,
    *code_hosts.RULES,
    *models.RULES,
    *payments.RULES,
    *messaging.RULES,
    *services.RULES,
)

_Search = Callable[[str, int], re.Match[str] | None]

_NEARBY = 200  # characters before a secret in which the command it belongs to must stand
_ESCAPE = re.compile(r"\\[nrt]|%[0-9a-f]{2}")
_READ_ONCE = 64  # characters from which a value is not read again for a name inside it


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret's place and kind. `rank` says how much the kind is worth: the lowest of several is kept."""

    rank: int
    start: int
    end: int
    kind: str


def findings(text: str, lowered: str) -> Iterator[Finding]:
    """Everything that a keyword led to. They may overlap, and are in no order."""
    patterns = _keywords()
    # One character in front makes the text's beginning like any other. An escape is not part of the word after it.
    ahead = " " + (_ESCAPE.sub(_blank, lowered) if "\\" in lowered or "%" in lowered else lowered)
    yield from _led_to(patterns.beginnings.search, ahead, text, lowered)
    yield from _led_to(patterns.signs.search, lowered, text, lowered)
    yield from _led_to((patterns.words if lowered.isascii() else patterns.all_words).search, lowered, text, lowered)
    if any(mark in lowered for mark in patterns.marks):
        yield from _led_to(patterns.marked.search, lowered, text, lowered)


def _led_to(search: _Search, source: str, text: str, lowered: str) -> Iterator[Finding]:
    at = read = 0
    while (hit := search(source, at)) is not None:
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
                yield Finding(3, given.start, given.end, given.kind)
            # What is no secret may have a secret's name inside; but a long one is not read over and over for that.
            if given.kind is not None or given.end - given.start > _READ_ONCE:
                read = given.end


@cache
def _vendor_in(keyword: str) -> str:
    """The longest vendor's name that the keyword begins with, for it may be one with something behind it."""
    return max((vendor for vendor in VENDORS if keyword.startswith(vendor)), key=len, default="")


def _applied(rule: Rule, pattern: re.Pattern[str], text: str, lowered: str, begin: int) -> Finding | None:
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
    return Finding(2 if rule.general else 1, start, end, rule.kind)


@dataclass(frozen=True, slots=True)
class _Keywords:
    """All keywords, by where they can stand. A pattern that starts with few characters passes over all others."""

    beginnings: re.Pattern[str]  # where a word can begin: nearly all tokens, and the names of vendors
    signs: re.Pattern[str]  # anywhere, and begin with neither letter nor digit
    words: re.Pattern[str]  # anywhere: words for secrets, for they are parts of longer names
    all_words: re.Pattern[str]  # the same with those that are not in ASCII
    marks: tuple[str, ...]  # in the middle of a token; so rare that each is looked for first
    marked: re.Pattern[str]


@cache
def _keywords() -> _Keywords:
    beginnings: set[str] = set(VENDORS)
    signs: set[str] = set()
    marks: set[str] = set()
    for rule in RULES:
        for keyword in rule.keywords:
            kind = signs if not keyword[0].isalnum() else marks if rule.back else beginnings
            kind.add(keyword)
    return _Keywords(
        beginnings=re.compile(f"[^a-z0-9]({_tree(beginnings)})"),
        signs=re.compile(f"({_tree(signs)})"),
        words=re.compile(f"({_tree(word for word in WORDS if word.isascii())})"),
        all_words=re.compile(f"({_tree(WORDS)})"),
        marks=tuple(sorted(marks)),
        marked=re.compile(f"({_tree(marks)})"),
    )


def _blank(escape: re.Match[str]) -> str:
    return " " * len(escape.group())


@cache
def _rules_for(keyword: str) -> tuple[tuple[Rule, re.Pattern[str]], ...]:
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
        node[""] = {}
    # Not joined here: only from alternatives that begin with one character each can `re` tell where to look.
    return "|".join(re.escape(letter) + _branch(rest) for letter, rest in sorted(root.items()))


def _branch(node: dict[str, Any]) -> str:
    """How the words go on from here. Branches that go on alike are one branch."""
    alike: dict[str, list[str]] = {}
    for letter, rest in sorted(node.items()):
        if letter:
            alike.setdefault(_branch(rest), []).append(re.escape(letter))
    ways = [(letters[0] if len(letters) == 1 else f"[{''.join(letters)}]") + rest for rest, letters in alike.items()]
    if not ways:
        return ""
    if "" in node:
        return f"(?:{'|'.join(ways)})?+"
    return ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"
