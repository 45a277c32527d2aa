"""Whether the answers of worlds are right: worked out once more, from what each message says and when.

It knows nothing of how worlds are made, only their format, so it can judge files of others as well.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import pairwise
from typing import Any, Protocol

from recollect.domain.dataclass import dataclass

CHANGES = ("assert", "corr", "upd", "imp", "future", "retract")  # kinds that mark the beginning of a version
TRAPS = ("hyp", "third", "back")

# How many wordings a slot must have at least, so that no engine can learn them by heart.
_LEAST = {
    "assert": 4,
    "upd": 4,
    "imp": 3,
    "restate": 2,
    "wrong": 1,
    "corr": 2,
    "future": 2,
    "back": 2,
    "hyp": 2,
    "third": 2,
}
_MOST_SHARED = 0.5  # of a question's telling words with one statement
_LEAST_ASKED = {"current": 3, "as_of": 2, "history": 2, "when_changed": 2}

_DATE = re.compile(
    r"\b(\d{1,2}) (January|February|March|April|May|June|July|August|September|October|November|December) (\d{4})"
)
_PLACEHOLDER = re.compile(r"\{\w+\}")
_WORD = re.compile(r"[a-z0-9']+")
_SAYS_LITTLE = frozenset(
    """a about after all also am an and another any are as at be become been began begin by can change changed did
    different do does for from get got had has have how i i'm in is it kind kinds last long made make many may me month
    most much must my of on one or other our over should so than that the their them time to under up use used was we
    were what when where which who whom whose with you""".split()
)


class Worded(Protocol):
    """What is looked at of a slot: how it is said and asked for."""

    @property
    def name(self) -> str: ...
    @property
    def many(self) -> bool: ...
    @property
    def values(self) -> Sequence[str]: ...
    @property
    def says(self) -> Mapping[str, Sequence[str]]: ...
    @property
    def questions(self) -> Mapping[str, Sequence[str]]: ...


@dataclass(frozen=True, slots=True)
class Mark:
    """Since this day a slot has this value; `None` means that it has none any more."""

    since: date
    said: date
    value: str | None
    message: str


def problems_in(world: Mapping[str, Any]) -> list[str]:
    """Everything about a world that contradicts its own messages; nothing if it is sound."""
    days = {message["id"]: date.fromisoformat(message["ts"]) for message in world["messages"]}
    texts = {message["id"]: message["text"] for message in world["messages"]}
    marks = marks_of(world)
    problems = list(_unclear(marks))
    for message, truth in world["truth"].items():
        if truth["kind"] == "restate" and value_at(marks[truth["slot"]], days[message]) != truth["value"]:
            problems.append(f"{message} restates {truth['value']}, which does not hold on {days[message]}.")
        if truth["value"] and truth["value"].lower() not in texts[message].lower():
            problems.append(f"{message} does not name its value {truth['value']}.")
    if sorted(days.values()) != list(days.values()):
        problems.append("The messages are not in the order of their days.")
    for query in world["queries"]:
        problems += [f"{query['qid']} ({query['type']}): {problem}" for problem in _wrong(query, world, marks)]
    return problems


def marks_of(world: Mapping[str, Any]) -> dict[str, list[Mark]]:
    """Of each slot with one value at a time: when it changed, in order."""
    marks: dict[str, list[Mark]] = defaultdict(list)
    for message in world["messages"]:
        truth = world["truth"][message["id"]]
        if truth["kind"] in CHANGES:
            said = date.fromisoformat(message["ts"])
            since = _since(truth, message["text"]) if truth["kind"] == "future" else said
            marks[truth["slot"]].append(Mark(since or said, said, truth["value"], message["id"]))
    return {slot: sorted(line, key=lambda mark: mark.since) for slot, line in marks.items()}


def value_at(line: Iterable[Mark], day: date) -> str | None:
    """What a slot's value was on a day."""
    mark = mark_at(line, day)
    return mark.value if mark else None


def mark_at(line: Iterable[Mark], day: date) -> Mark | None:
    return max((mark for mark in line if mark.since <= day), key=lambda mark: mark.since, default=None)


def problems_of_slots(slots: Sequence[Worded]) -> list[str]:
    """Too few wordings, too few values, and questions that only repeat what was said."""
    problems = []
    for slot in slots:
        least, asked = ({"multi": 4}, {"multi": 2}) if slot.many else (_LEAST, _LEAST_ASKED)
        problems += [
            f"{slot.name}: {len(slot.says.get(kind, ()))} wordings of {kind}; there must be {number}."
            for kind, number in least.items()
            if len(set(slot.says.get(kind, ()))) < number
        ]
        problems += [
            f"{slot.name}: {len(slot.questions.get(kind, ()))} questions of {kind}; there must be {number}."
            for kind, number in asked.items()
            if len(set(slot.questions.get(kind, ()))) < number
        ]
        if len(slot.values) < 5:
            problems.append(f"{slot.name}: {len(slot.values)} values; there must be 5.")
        problems += _only_echoed(slot)
    return problems


def overlap(question: str, statement: str) -> float:
    """The share of a question's telling words that a statement has too."""
    asked = _telling_words(question)
    return len(asked & _telling_words(statement)) / max(1, len(asked))


def _only_echoed(slot: Worded) -> Iterator[str]:
    """Of every type some question must be put in other words than any statement, or words alone would find it."""
    statements = [text for said in slot.says.values() for text in said]
    for kind, questions in slot.questions.items():
        if all(max(overlap(question, text) for text in statements) > _MOST_SHARED for question in questions):
            yield f"{slot.name}: every question of {kind} repeats the words of a statement."


def _telling_words(text: str) -> set[str]:
    return set(_WORD.findall(_PLACEHOLDER.sub(" ", text).lower())) - _SAYS_LITTLE


def _unclear(marks: Mapping[str, Sequence[Mark]]) -> Iterator[str]:
    """Slots of which more than one value could be meant at some time."""
    for slot, line in marks.items():
        days = [mark.since for mark in line]
        if len(set(days)) < len(days):
            yield f"{slot}: two values begin on the same day."
        if [mark.said for mark in line] != sorted(mark.said for mark in line):
            yield f"{slot}: the values do not begin in the order in which they were said."
        if any(earlier.value == later.value for earlier, later in pairwise(line)):
            yield f"{slot}: a change that changes nothing."


def _wrong(query: Mapping[str, Any], world: Mapping[str, Any], marks: Mapping[str, Sequence[Mark]]) -> Iterator[str]:
    truth, gold, kind = world["truth"], set(query["gold"]), query["type"]
    if kind == "absent":
        if gold:
            yield "it has an answer."
        return
    if not gold:
        yield "it has no answer."
    if any(truth[message]["slot"] != query["slot"] for part in ("gold", "stale", "traps") for message in query[part]):
        yield "it names a message of another slot."
    if gold & set(query["stale"]) or gold & set(query["traps"]):
        yield "a right answer is also among the wrong ones."
    if any(truth[message]["kind"] not in TRAPS for message in query["traps"]):
        yield "a trap is none."
    if kind == "multi":
        if gold != {message for message, each in truth.items() if each["slot"] == query["slot"]}:
            yield "the values are not all of them."
        return
    yield from _wrong_in_time(query, truth, marks[query["slot"]])


def _wrong_in_time(query: Mapping[str, Any], truth: Mapping[str, Any], line: Sequence[Mark]) -> Iterator[str]:
    kind, gold = query["type"], set(query["gold"])
    asked = date.fromisoformat(query["as_of"] or query["now"])
    held = mark_at(line, asked)
    if kind in ("history", "when_changed"):
        wanted = {mark.message for mark in line} if kind == "history" else {line[-1].message}
        if gold != wanted:
            yield f"the answer should be {sorted(wanted)}."
        return
    if (query["as_of"] is not None) != (kind == "as_of"):
        yield "`as_of` does not fit what is asked."
    if (held is None or held.value is None) != (kind == "retracted"):
        yield f"on {asked} the value is {held.value if held else 'unknown'}."
    if held is not None and held.message not in gold:
        yield f"{held.message}, which holds on {asked}, is not among the answers."
    for message in gold:
        if held is not None and truth[message]["value"] != held.value:
            yield f"{message} says {truth[message]['value']}, but on {asked} it is {held.value}."
    for message in query["stale"]:
        if held is not None and truth[message]["kind"] != "wrong" and truth[message]["value"] == held.value:
            yield f"{message} is called stale, but what it says holds on {asked}."


def _since(truth: Mapping[str, Any], text: str) -> date | None:
    """Since when something announced holds: as the truth says, or else as the text does."""
    if truth.get("since"):
        return date.fromisoformat(truth["since"])
    found = _DATE.search(text)
    return datetime.strptime(" ".join(found.groups()), "%d %B %Y").date() if found else None
