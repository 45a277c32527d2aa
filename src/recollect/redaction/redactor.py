"""Take what must not be kept out of a text, before anything else sees it.

Pure, and in time that grows with the text alone. What was found is reported by kind and place, never by what it was.

One pass over the text finds the keywords of all rules at once. All keywords together make one pattern, arranged as a
tree, so that a place in the text is left after a step or two. Where a keyword stands, the rules that know it are tried,
and nowhere else.
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
from recollect.redaction.rules import SecretFinding, SecretRule
from recollect.redaction.structures import (
    dotted_tokens,
    has_dotted_token,
    kubernetes_secrets,
    private_keys,
    private_spans,
)
from recollect.redaction.values import entropy, is_placeholder

_PASSES = 8  # the first finds nearly everything, the second that nothing is left; more only what is made for it
_PLACEHOLDER = Late(r"\[redacted:[a-z0-9-]{1,60}\]")
_GLUED = Late("(?<=[A-Za-z0-9_-])[A-Za-z0-9_-]++")


class Redaction(NamedTuple):
    """One thing that was taken out. The span is in the original text, its end not included."""

    kind: str
    start: int
    end: int


class Redacted(NamedTuple):
    """The text with a placeholder for each redaction, and the redactions in the order they stand."""

    text: str
    redactions: tuple[Redaction, ...]


def redact(text: str, *, pii: bool = False, once: bool = False) -> Redacted:
    """The text without secrets, and without personal data if `pii`. Doing it again changes nothing.

    `once` finds the same, and is quicker for a process that reads little and ends: it gets to know only those keywords
    that the text has.
    """
    clean = text
    redactions: tuple[Redaction, ...] = ()
    for _ in range(_PASSES):
        more = _found(clean, pii, once)
        if not more:
            break
        # A secret that is gone can uncover another, to which it was glued or which it kept from its name.
        redactions = _in_original(more, redactions)
        clean = _replaced(text, redactions)
    return Redacted(clean, redactions)


def is_plain(text: str) -> bool:
    """Whether nothing in a text, nor in any beginning of it, can be a secret: no rule and no frame has its mark there.

    Most texts are, and it is quickly told; of the others only `redact` can tell.
    """
    lowered = text.lower()
    return (
        len(lowered) == len(text)
        and not has_dotted_token(text)
        and "private" not in lowered
        and "kind: secret" not in lowered
        and not has_keyword(lowered)
    )


def _found(text: str, pii: bool, once: bool) -> tuple[Redaction, ...]:
    lowered = _lowered(text)
    found = [*_framed(text, lowered), *findings(text, lowered, once=once)]
    if pii:
        from recollect.redaction.personal import personal_data

        found += personal_data(text)
    return tuple(_merged(text, _outside_placeholders(text, found))) if found else ()


def _framed(text: str, lowered: str) -> Iterator[SecretFinding]:
    """Everything that a frame is around. Each sort is looked for only where its mark stands."""
    if "<private" in lowered:
        yield from (SecretFinding(0, *span, "private") for span in private_spans(text))
    if "private key" in lowered:
        yield from (SecretFinding(0, *span, "private-key") for span in private_keys(text))
    if text.count(".") > 1:
        yield from (SecretFinding(1, *span, "discord-token") for span in dotted_tokens(text))
    if "kind: secret" in lowered:
        yield from (SecretFinding(2, *span, "kubernetes-secret") for span in kubernetes_secrets(text, lowered))


def _lowered(text: str) -> str:
    """The text to look for keywords in: lower case, with every character in its place and placeholders blanked."""
    lowered = text.lower()
    if len(lowered) != len(text):  # the dotted capital I, and it alone, becomes two characters
        lowered = text.replace("İ", "I").lower()
    return _PLACEHOLDER.sub(_blank, lowered) if "[redacted:" in lowered else lowered


def _blank(placeholder: re.Match[str]) -> str:
    return "\0" * len(placeholder.group())


def _outside_placeholders(text: str, found: list[SecretFinding]) -> list[SecretFinding]:
    """Without what touches a placeholder from an earlier redaction, unless it has a frame of its own around it."""
    if not found or "[redacted:" not in text:
        return found
    kept = []
    taken = [placeholder.span() for placeholder in _PLACEHOLDER.finditer(text)]
    at = 0
    for finding in sorted(found, key=lambda finding: finding.start):
        while at < len(taken) and taken[at][1] <= finding.start:
            at += 1
        if finding.rank == 0 or at == len(taken) or taken[at][0] >= finding.end:
            kept.append(finding)
    return kept


def _merged(text: str, found: Iterable[SecretFinding]) -> Iterator[Redaction]:
    """Merge overlapping findings into one redaction, over all of them, with the kind that says most.

    Text glued to a secret goes with it: it may be the rest of one, and nothing must be left that only looks like
    the beginning of another now.
    """
    best: SecretFinding | None = None
    start = end = 0
    for finding in sorted(found, key=lambda finding: (finding.start, finding.rank, -finding.end)):
        if best is None or finding.start >= end:
            if best is not None:
                yield Redaction(best.kind, start, end)
            best, start, end = finding, finding.start, 0
        elif finding.rank < best.rank:
            best = finding
        if finding.end > end:
            glued = _GLUED.match(text, finding.end)
            end = glued.end() if glued else finding.end
    if best is not None:
        yield Redaction(best.kind, start, end)


def _in_original(more: tuple[Redaction, ...], earlier: tuple[Redaction, ...]) -> tuple[Redaction, ...]:
    """Both together, with the places of `more`, which are in the text that `earlier` left, moved to the original's."""
    together: list[Redaction] = []
    at = shift = 0
    for redaction in more:
        while at < len(earlier) and earlier[at].start - shift < redaction.start:
            together.append(earlier[at])
            shift += _shrunk(earlier[at])
            at += 1
        start = redaction.start + shift
        while at < len(earlier) and earlier[at].start - shift < redaction.end:
            shift += _shrunk(earlier[at])
            at += 1
        together.append(Redaction(redaction.kind, start, redaction.end + shift))
    return (*together, *earlier[at:])


def _shrunk(redaction: Redaction) -> int:
    """By how many characters it made the text shorter; less than none if it made it longer."""
    return redaction.end - redaction.start - len(_placeholder(redaction))


def _replaced(text: str, redactions: tuple[Redaction, ...]) -> str:
    pieces: list[str] = []
    at = 0
    for redaction in redactions:
        pieces += (text[at : redaction.start], _placeholder(redaction))
        at = redaction.end
    return "".join((*pieces, text[at:]))


def _placeholder(redaction: Redaction) -> str:
    return f"[redacted:{redaction.kind}]"


# -- where a rule may apply --------------------------------------------------------------------------------------------

RULES: tuple[SecretRule, ...] = (*structures.RULES, *clouds.RULES, *services.RULES)

_Search = Callable[[str, int, int], re.Match[str] | None]

_NEARBY = 200  # characters before a secret in which the command it belongs to must stand
_ESCAPE = Late(r"\\[nrt]|%[0-9a-f]{2}")
_STEP = 64_000  # characters; the keywords of hostile text are looked for in about 10 ms
_READ_ONCE = 64  # characters from which a value is not read again for a name inside it


def findings(text: str, lowered: str, *, once: bool = False) -> Iterator[SecretFinding]:
    """Everything that a keyword led to. They may overlap, and are in no order. `once`: see `redact`."""
    # One character in front makes the text's beginning like any other. An escape is not part of the word after it.
    ahead = " " + (_ESCAPE.sub(_spaces_for, lowered) if "\\" in lowered or "%" in lowered else lowered)
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


def _spaces_for(escape: re.Match[str]) -> str:
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
