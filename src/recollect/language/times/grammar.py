"""Patterns against tokens: the description of a language they come from, and the numbers in a match.

A phrase is tried only where its first word can stand, and what was tried is remembered, so the work grows with the
length of the text and not faster. Phrases do not contain themselves, which keeps every match short.

A word belongs to classes, each with a value: "three" is a `number`, 3. A pattern is a row of elements:

    number          a word of that class; its value is kept under the class's name
    COUNT           another phrase of the grammar; what it matched is kept
    'ago'           that very word
    a|b             one or the other
    name:a|b        the same, kept under a name of our choice
    a?              may be missing
    !a  =a          the next word is not, or is, such; it is not taken
    <!a  <=a        the word before is not, or is, such

Some classes come from the shape of a token and not from a list: `number`, `dom` (1 to 31), `nth` (5th), `year` (1000 to
2199), `shortyear` ('92), `iso`, `isomonth` (2024-06 and 06/2024), `slash`, `stamp`, `clock`, `pair` (5-12), `yearpair`,
`quarter` (Q3), `half` (H1), `datedquarter`, `decade` (1990s), `shortdecade` (90s), `name` (a capitalised word in no
list), `word` (any other in no list), `capital` (begins with a capital), `edge` (punctuation, the end of the text, and
the words of that class).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from re import Pattern
from typing import Any, Literal

from recollect.domain.dataclass import dataclass, field
from recollect.domain.periods import TimeRelation
from recollect.language.times import calendar as on
from recollect.language.times.calendar import Lean, Unit
from recollect.language.times.tokens import END, Token, Vocabulary

Needs = Literal["not past", "a hint", "still going on"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and what it means: the name of a function in `meanings.py`.

    `relation` is how the phrase bears on what is said; `if_ahead` replaces it for a period that has not begun.
    `lean` decides which year a phrase without one is in, whatever the text hints at; `default` when it does not
    hint. `needs` is what the rest of the sentence must say for the phrase to count.
    """

    pattern: str
    means: str = "same"
    value: Any = None
    relation: TimeRelation = TimeRelation.AT
    if_ahead: TimeRelation | None = None
    lean: Lean | None = None
    default: Lean | None = None
    needs: Needs | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """A language's words and patterns.

    Five of the phrases are looked for: TOP anywhere in a text, ALONE only as the whole of it, NOT to be passed over,
    CUE for what hints at "past" or "future" and LASTING for what says (True) or denies (False) that something goes on;
    the values of their rules say so. `weak` gives a word other classes when it is not capitalised: "may" is hardly
    ever the month. `endings` are the classes of words that are in no list, in the order they are tried.
    """

    name: str
    classes: Mapping[str, Mapping[str, Any]]
    phrases: Mapping[str, tuple[Rule, ...]]
    triggers: frozenset[str]  # without one of these words, or a digit, there is no time phrase
    endings: tuple[tuple[str, Pattern[str]], ...] = ()
    weak: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    never_after: str = ""  # a class of words that make any phrase a habit: "every Friday"


@dataclass(frozen=True, slots=True)
class PhraseMatch:
    """The match of a rule: the values of its classes, and the matches of its phrases, by name."""

    rule: Rule
    order: int  # of the rule among its phrase's: the earlier one wins a tie
    got: Mapping[str, Any]
    end: int  # the token after the last one taken


@dataclass(frozen=True, slots=True)
class Element:
    """One place of a pattern: what it takes, and the name to keep it under, if any.

    `look` is where to look without taking: 0 here, -1 before; None takes.
    """

    takes: tuple[tuple[str, str | None], ...]
    optional: bool = False
    look: int | None = None
    wanted: bool = True


@dataclass(frozen=True, slots=True)
class Compiled:
    rule: Rule
    order: int
    elements: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class Grammar:
    """A language, ready to be matched: its words, and for each phrase the rules by the class they can begin with."""

    language: Language
    vocabulary: Vocabulary
    rules: Mapping[str, Mapping[str, tuple[Compiled, ...]]]


class Matching:
    """The phrases of one text."""

    def __init__(self, grammar: Grammar, found: list[Token]) -> None:
        self._rules = grammar.rules
        self._tokens = found
        self._end = len(found)
        self._known: dict[tuple[str, int], PhraseMatch | None] = {}

    def all(self, phrase: str, at: int) -> list[PhraseMatch]:
        """Every match of a phrase that begins at a token, the longest first, equals in the order of their rules."""
        matches = self._tried(phrase, at)
        matches.sort(key=lambda match: (-match.end, match.order))
        return matches

    def _longest(self, phrase: str, at: int) -> PhraseMatch | None:
        key = (phrase, at)
        if key not in self._known:
            matches = self._tried(phrase, at)
            self._known[key] = min(matches, key=lambda match: (-match.end, match.order), default=None)
        return self._known[key]

    def _tried(self, phrase: str, at: int) -> list[PhraseMatch]:
        if at >= self._end:
            return []
        by_class = self._rules[phrase]
        classes = self._tokens[at].classes
        found: list[PhraseMatch] = []
        if by_class.keys().isdisjoint(classes):
            return found
        for name in classes:
            for compiled in by_class.get(name, ()):
                got: dict[str, Any] = {}
                end = self._follow(compiled.elements, 0, at, got)
                if end is not None:
                    found.append(PhraseMatch(compiled.rule, compiled.order, got, end))
        return found

    def _follow(self, elements: tuple[Element, ...], place: int, at: int, got: dict[str, Any]) -> int | None:
        """Where a pattern ends, from one of its places on, or None. Takes what is optional when it can."""
        while place < len(elements):
            element = elements[place]
            if element.look is not None:
                if self._is(element, at + element.look) is not element.wanted:
                    return None
            elif element.optional:
                tried = dict(got)
                taken = self._take(element, at, tried)
                end = None if taken is None else self._follow(elements, place + 1, taken, tried)
                if end is not None:
                    got.update(tried)
                    return end
            else:
                taken = self._take(element, at, got)
                if taken is None:
                    return None
                at = taken
            place += 1
        return at

    def _is(self, element: Element, at: int) -> bool:
        token = self._tokens[at] if 0 <= at < self._end else None
        classes = token.classes if token else END
        capital = token is not None and token.capital
        return any(option in classes or (capital and option == "capital") for option, _ in element.takes)

    def _take(self, element: Element, at: int, got: dict[str, Any]) -> int | None:
        if at >= self._end:
            return None
        classes = self._tokens[at].classes
        for option, name in element.takes:
            if option in classes:
                if name:
                    got[name] = classes[option]
                return at + 1
            beginnings = self._rules.get(option)
            if beginnings is not None and not beginnings.keys().isdisjoint(classes):
                match = self._longest(option, at)
                if match is not None:
                    got[name or option] = match
                    return match.end
        return None


@cache
def grammar_of(language: Language) -> Grammar:
    """A language made ready, once."""
    compiled = {
        phrase: [Compiled(rule, order, tuple(_elements(rule.pattern))) for order, rule in enumerate(rules)]
        for phrase, rules in language.phrases.items()
    }
    literals = {
        option
        for rules in compiled.values()
        for rule in rules
        for element in rule.elements
        for option, _ in element.takes
        if option[0] == "'"
    }
    words = _by_word(language.classes)
    for literal in literals:
        words.setdefault(literal[1:-1], {})[literal] = literal[1:-1]
    for word, classes in words.items():
        if not word[0].isalnum():
            classes["edge"] = True
    firsts: dict[str, frozenset[str]] = {}
    weak = {
        word: {**classes, **{name: value for name, value in words.get(word, {}).items() if name[0] == "'"}}
        for word, classes in language.weak.items()
    }
    return Grammar(
        language,
        Vocabulary(words, weak, language.triggers, language.endings),
        {phrase: _by_first(rules, compiled, firsts) for phrase, rules in compiled.items()},
    )


_ELEMENT = re.compile(r"(<!|<=|!|=)?(?:(\w+):)?([^\s?]+)(\?)?")


def _elements(pattern: str) -> Iterator[Element]:
    for piece in pattern.split():
        match = _ELEMENT.fullmatch(piece)
        if match is None:
            raise ValueError(f"`{piece}` in `{pattern}` is not an element of a pattern.")
        look, name, options, optional = match.groups()
        yield Element(
            tuple((option, name or (None if option[0] == "'" else option)) for option in options.split("|")),
            optional is not None,
            None if look is None else -1 if look[0] == "<" else 0,
            look is None or look[-1] == "=",
        )


def _by_word(classes: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    words: dict[str, dict[str, Any]] = {}
    for name, members in classes.items():
        for word, value in members.items():
            words.setdefault(word, {})[name] = value
    return words


def _by_first(
    rules: list[Compiled], compiled: Mapping[str, list[Compiled]], firsts: dict[str, frozenset[str]]
) -> dict[str, tuple[Compiled, ...]]:
    found: dict[str, list[Compiled]] = {}
    for rule in rules:
        for name in _firsts_of(rule, compiled, firsts):
            found.setdefault(name, []).append(rule)
    return {name: tuple(members) for name, members in found.items()}


def _firsts_of(
    rule: Compiled, compiled: Mapping[str, list[Compiled]], firsts: dict[str, frozenset[str]]
) -> frozenset[str]:
    """The classes the first token of a rule can have."""
    names: set[str] = set()
    for element in rule.elements:
        if element.look is not None:
            continue
        for option, _ in element.takes:
            if option not in compiled:
                names.add(option)
                continue
            if option not in firsts:
                firsts[option] = frozenset().union(*(_firsts_of(r, compiled, firsts) for r in compiled[option]))
            names |= firsts[option]
        if not element.optional:
            break
    return frozenset(names)


def amount(match: PhraseMatch) -> tuple[float, float]:
    """The least and the most a count can mean. Without a count, one."""
    count: PhraseMatch | None = match.got.get("AMOUNT")
    if count is None:
        return (1, 1)
    extra: float = match.rule.value or 0
    low, high = _count(count)
    if "more" in match.got:
        high = max(high, match.got["more"])
    return (low + extra, high + extra)


def _count(match: PhraseMatch) -> tuple[float, float]:
    got = match.got
    for part in got.values():
        if isinstance(part, PhraseMatch):
            return _count(part)
    if match.rule.value is not None:
        low, high = match.rule.value
        plus = got.get("number", 0)
        return (low + plus, high + plus)
    if "pair" in got:
        first, last = got["pair"]
        return (min(first, last), max(first, last))
    if "low" in got:
        return (min(got["low"], got["high"]), max(got["low"], got["high"]))
    if "tens" in got:
        return (got["tens"] + got["ones"],) * 2
    return (got["number"],) * 2 if "number" in got else (1, 1)


def number(match: PhraseMatch) -> int:
    """Which day of the month, or the how-manieth."""
    got = match.got
    value = got.get("dom") or got.get("nth") or got.get("ordinal") or 0
    return int(value) + int(got.get("tens", 0))


def ordinal(match: PhraseMatch) -> int:
    return number(match.got["DOM"]) if "DOM" in match.got else number(match)


def clock(match: PhraseMatch) -> tuple[int, bool]:
    """Minutes of the day, and whether it is sure that they are not twelve hours off."""
    got = match.got
    if "noon" in got:
        return (12 * 60, True)
    if "dom" in got:
        if got["dom"] > 12:
            raise ValueError(got["dom"])
        return (got["dom"] % 12 * 60 + got["ampm"], True)
    minutes, sure = got["clock"]
    if "ampm" not in got:
        return (minutes, sure)
    return (minutes % (12 * 60) + got["ampm"], True)


def whole_units(unit: Unit, count: float) -> tuple[Unit, int, int]:
    """A count without halves, in a smaller unit if need be, and how many of those it may be off by."""
    if count == int(count) or unit not in on.SMALLER:
        return (unit, int(count), 0)
    smaller, times = on.SMALLER[unit]
    return (smaller, round(count * times), 1)
