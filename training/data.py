"""Banks of wordings into labelled examples. Pure but for reading the files; a seed gives the same examples again.

A bank is one author's folder: `slots.jsonl` (wordings with `{v}` and `{old}`), `talk.jsonl` (whole conversations),
`acts.jsonl` (lessons, the acts before which each should be told, and near ones before which it should not),
`near.jsonl` (messages, questions that each answers, and questions that it only seems to answer), `asks.jsonl`
(questions, and which kind of answer each wants) or `asked.jsonl` (further questions about conversations of others).
The labels follow from what a wording is for. A plan, a quotation or somebody else's affair never replaces anything,
and nothing replaces it: the judge sees such messages on both sides of a pair.

    python -m training.data --banks training/banks
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from training.settings import BANKS, settings

RELATIONS = ("unrelated", "same", "adds", "replaces", "ends")
STANCES = ("asserted", "planned", "others", "quoted", "past", "hypothetical", "asked", "talk", "scheduled")

STANCE_OF_WORDING = {
    "statement": "asserted",
    "update": "asserted",
    "implicit": "asserted",
    "correction": "asserted",
    "restatement": "asserted",
    "second": "asserted",
    "filed": "asserted",
    "retraction": "asserted",
    "future": "planned",
    "undecided": "planned",
    "scheduled": "scheduled",
    "third_person": "others",
    "quoted": "quoted",
    "backdated": "past",
    "hypothetical": "hypothetical",
    "asked": "asked",
    "filler": "talk",
}
TRAPS = ("future", "undecided", "third_person", "quoted", "backdated", "hypothetical", "asked")
HOLDING = ("statement", "update", "implicit", "restatement", "correction", "filed")  # after these the value is known
ANSWERING = (*HOLDING, "second", "scheduled", "retraction")


@dataclass(frozen=True, slots=True)
class Pair:
    older: str
    newer: str
    relation: str
    kind: str  # what the newer text was written as; for figures by kind


@dataclass(frozen=True, slots=True)
class Message:
    text: str
    stance: str
    kind: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question and where its answer is looked for. No `right` text: nothing there answers it.

    `near` are the places of the texts by likeness, where an encoder has ordered them.
    """

    ask: str
    texts: tuple[str, ...]
    right: frozenset[int]
    neutral: frozenset[int]  # outdated answers: neither right nor a fair example of wrong
    kind: str
    near: tuple[int, ...] = ()
    tempting: frozenset[int] = frozenset()  # wrong texts that are always shown


@dataclass(frozen=True, slots=True)
class Bank:
    author: str
    slots: tuple[Mapping[str, Any], ...]
    talks: tuple[Mapping[str, Any], ...]
    lessons: tuple[Mapping[str, Any], ...] = ()
    nears: tuple[Mapping[str, Any], ...] = ()
    asks: tuple[Mapping[str, Any], ...] = ()


def banks(root: Path, authors: Sequence[str]) -> list[Bank]:
    """The banks of these authors, in this order; an author whose folder is not there is left out.

    Dated decisions were written by others, for slots of all of them: `*/scheduled.jsonl` names bank and slot.
    """
    dated = {
        (each["bank"], each["slot"]): {"scheduled": each["scheduled"], "undecided": each["undecided"]}
        for path in sorted(root.glob("*/scheduled.jsonl"))
        for each in _lines(path)
    }
    return [
        Bank(
            name,
            tuple(
                {**slot, "filed": _filed(slot), **dated.get((name, slot["slot"]), {})}
                for slot in _lines(root / name / "slots.jsonl")
            ),
            (*_lines(root / name / "talk.jsonl"), *_asked_about_others(root, name)),
            _lines(root / name / "acts.jsonl"),
            _lines(root / name / "near.jsonl"),
            _lines(root / name / "asks.jsonl"),
        )
        for name in authors
        if (root / name).is_dir()
    ]


def _asked_about_others(root: Path, author: str) -> Iterator[Mapping[str, Any]]:
    """Conversations of other authors with this one's questions alone: who wrote them has told their changes."""
    by_talk: dict[tuple[str, int], list[Mapping[str, Any]]] = {}
    for each in _lines(root / author / "asked.jsonl"):
        by_talk.setdefault((each["bank"], each["talk"]), []).append(each)
    told = {bank: _lines(root / bank / "talk.jsonl") for bank, _ in by_talk}
    for (bank, number), asked in by_talk.items():
        said = [{**each, "stance": ""} for each in told[bank][number]["messages"]]
        yield {**told[bank][number], "messages": said, "changes": [], "questions": asked}


def _filed(slot: Mapping[str, Any]) -> list[str]:
    """A value as a memory files it, in the name of its slot."""
    name = slot["slot"].replace("_", " ")
    return [f"User's {name} is {{v}}." if slot.get("about") == "user" else f"The {name} is {{v}}.", f"{name}: {{v}}"]


def pairs(given: Sequence[Bank], draw: Random, *, each: int, swapped: float, talk_unrelated: int) -> list[Pair]:
    """Pairs for the judge: `each` from every slot, and those of the conversations."""
    foreign = _values_of(given)
    found = [
        _slot_pair(slot, bank.slots, draw, foreign, swapped)
        for bank in given
        for slot in bank.slots
        for _ in range(each)
    ]
    found.extend(pair for bank in given for talk in bank.talks for pair in _talk_pairs(talk, draw, talk_unrelated))
    return found


def messages(given: Sequence[Bank], draw: Random, *, swapped: float) -> list[Message]:
    """Every wording once, with values drawn for it, and every message of the conversations."""
    foreign = _values_of(given)
    found = [
        Message(_filled(wording, *_values(slot, draw, foreign, swapped), draw), stance, kind)
        for bank in given
        for slot in bank.slots
        for kind, stance in STANCE_OF_WORDING.items()
        for wording in slot.get(kind, ())
    ]
    for bank in given:
        for talk in bank.talks:
            found += [
                Message(_spoken(said), "asserted" if said["stance"] == "stated" else said["stance"], "talk")
                for said in talk["messages"]
                if said["stance"]  # nobody has labelled those of public conversations
            ]
    return found


def questions(given: Sequence[Bank], draw: Random, *, swapped: float) -> list[Question]:
    """Questions with the texts among which their answer is: a conversation, or messages of many slots."""
    found: list[Question] = []
    for bank in given:
        found.extend(_slot_questions(bank, draw, swapped))
        for talk in bank.talks:
            found.extend(_talk_questions(talk))
        found.extend(_acts(bank, [other for other in given if other.lessons and other is not bank], draw))
        found.extend(_nears(bank))
    return found


def neighbours(given: Sequence[Bank], draw: Random, *, each: int, swapped: float) -> list[tuple[str, str]]:
    """Messages, each with an earlier one that it has to do with."""
    made = pairs(given, draw, each=each, swapped=swapped, talk_unrelated=0)
    return [(pair.newer, pair.older) for pair in made if pair.relation != "unrelated"]


def told_of(bank: Bank, draw: Random, *, swapped: float) -> list[tuple[int, str]]:
    """One message of every sort that asserts something, of every slot, with the number of the slot."""
    foreign = _values_of([bank])
    return [
        (number, _filled(draw.choice(slot[kind]), *_values(slot, draw, foreign, swapped), draw))
        for number, slot in enumerate(bank.slots)
        for kind in (*ANSWERING, "other_slot", "filler")
        if slot.get(kind)
    ]


@dataclass(frozen=True, slots=True)
class World:
    """Messages in the order in which a memory is told them. `told_once`: no draw makes them different."""

    texts: tuple[str, ...]
    told_once: bool


def worlds(given: Sequence[Bank], draw: Random, *, swapped: float) -> Iterator[World]:
    """Every conversation, and for each author of slots a few messages of every slot, shuffled."""
    for bank in given:
        for talk in bank.talks:
            if talk["changes"]:  # else only questions were written of it
                yield World(tuple(_spoken(said) for said in talk["messages"]), told_once=True)
        foreign = _values_of([bank])
        told = []
        for slot in bank.slots:
            values = _values(slot, draw, foreign, swapped)
            kinds = [kind for kind in (*STANCE_OF_WORDING, "other_slot") if slot.get(kind)]
            told += [
                _filled(draw.choice(slot[kind]), *values, draw)
                for kind in draw.sample(kinds, min(_TOLD_OF_A_SLOT, len(kinds)))
            ]
        draw.shuffle(told)
        if told:
            yield World(tuple(told), told_once=False)


_TOLD_OF_A_SLOT = 6


def group(question: Question, draw: Random, size: int) -> list[int]:
    """Places of `size` texts to rank: some right and outdated ones, the nearest wrong ones, others drawn.

    Shorter where the question has fewer texts. The nearest are those that an encoder has put in order.
    """
    taken = question.right | question.neutral
    near = [*sorted(question.tempting), *(at for at in question.near if at not in taken | question.tempting)]
    right = draw.sample(sorted(question.right), min(_RIGHT_IN_A_GROUP, len(question.right)))
    outdated = sorted(question.neutral)[:_OUTDATED_IN_A_GROUP]
    hard, next_to_it = near[:_HARD_IN_A_GROUP], near[_HARD_IN_A_GROUP:]
    rest = [at for at in range(len(question.texts)) if at not in taken and at not in near]
    easy = draw.sample(next_to_it, min(size, len(next_to_it))) + draw.sample(rest, min(size, len(rest)))
    return (right + outdated + hard + easy)[:size]


_RIGHT_IN_A_GROUP, _OUTDATED_IN_A_GROUP, _HARD_IN_A_GROUP = 4, 2, 8


def written_in(given: Sequence[Bank]) -> Iterator[str]:
    """Every text of the banks, wordings and values as they were written."""
    for bank in given:
        for slot in bank.slots:
            for wordings in slot.values():
                yield from wordings if isinstance(wordings, list) else ()
        for talk in bank.talks:
            yield from (_spoken(said) for said in talk["messages"])
            yield from (asked["ask"] for asked in talk["questions"])
        for lesson in bank.lessons:
            yield from (lesson["text"], *map(_done, (*lesson["acts"], *lesson["fine"])))
        for near in bank.nears:
            yield from (near["text"], *near["answered"], *near["near"])


@lru_cache(maxsize=65_536)
def _bag(text: str) -> frozenset[str]:
    return frozenset(word for word in re.findall(r"\w+", text.lower()) if len(word) > 2)


def _lines(path: Path) -> tuple[Mapping[str, Any], ...]:
    if not path.exists():
        return ()
    return tuple(json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())


def _filled(wording: str, value: str, old: str, draw: Random) -> str:
    filled = wording.replace("{v}", value).replace("{old}", old)
    return filled.replace("{date}", _day(draw)) if "{date}" in filled else filled


def _day(draw: Random) -> str:
    """A day, as people write one."""
    day, month, year = draw.randint(1, 28), draw.choice(_MONTHS), draw.choice(("", f" {draw.randint(2021, 2026)}"))
    return draw.choice(
        (
            f"{day} {month}{year}",
            f"{day:02} {month}{year}",
            f"{month} {day}",
            f"the {day}th" if 4 <= day <= 20 else f"{day} {month[:3]}",
            f"{draw.randint(2021, 2026)}-{_MONTHS.index(month) + 1:02}-{day:02}",
            f"next {draw.choice(_WEEKDAYS)}",
            f"the first of {month}",
        )
    )


_MONTHS = tuple("January February March April May June July August September October November December".split())
_WEEKDAYS = tuple("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())


def _values_of(given: Sequence[Bank]) -> list[str]:
    """Every value of these banks once."""
    return list(dict.fromkeys(value for bank in given for slot in bank.slots for value in slot["values"]))


def _values(slot: Mapping[str, Any], draw: Random, foreign: Sequence[str], swapped: float) -> tuple[str, str]:
    """A present and an earlier value that differ; now and then both from some other slot."""
    from_elsewhere = foreign and draw.random() < swapped
    value, old = draw.sample(foreign if from_elsewhere else list(dict.fromkeys(slot["values"])), 2)
    return value, old


def _slot_pair(
    slot: Mapping[str, Any], others: Sequence[Mapping[str, Any]], draw: Random, foreign: Sequence[str], swapped: float
) -> Pair:
    new, old = _values(slot, draw, foreign, swapped)
    kind = draw.choices(tuple(_PAIRS), weights=tuple(_PAIRS.values()))[0]
    holding = [each for each in HOLDING if slot.get(each)]
    older = _filled(draw.choice(slot[draw.choice(holding)]), old, draw.choice(slot["values"]), draw)

    def one_of(wordings: str, value: str, before: str = old) -> str:
        return _filled(draw.choice(slot.get(wordings) or slot["hypothetical"]), value, before, draw)

    match kind:
        case "restatement":
            return Pair(older, one_of(draw.choice(_AGAIN), old), "same", kind)
        case "retraction":
            return Pair(older, one_of(kind, new), "ends", kind)
        case "change":
            written = draw.choice(("update", "update", "implicit", "implicit", "correction", "statement"))
            # A further pet told or mentioned stands beside the first; one that is changed or put right does not.
            beside = slot["many"] and written in ("implicit", "statement")
            return Pair(older, one_of(written, new), "adds" if beside else "replaces", written)
        case "change of another":
            # "We swapped B for C" ends what an older message says of A, unless A and B can be true side by side.
            between = [value for value in slot["values"] if value not in (old, new)] or [old]
            newer = one_of(draw.choice(("update", "update", "correction")), new, draw.choice(between))
            return Pair(older, newer, "adds" if slot["many"] else "replaces", kind)
        case "end of another":
            between = [value for value in slot["values"] if value not in (old, new)] or [old]
            newer = one_of("retraction", new, draw.choice(between))
            return Pair(older, newer, "unrelated" if slot["many"] and between != [old] else "ends", kind)
        case "scheduled":
            if not slot.get("scheduled"):
                return Pair(older, one_of("update", new), "replaces", "update")
            return Pair(older, one_of(kind, new), "adds" if slot["many"] else "replaces", kind)
        case "second":
            if not slot["many"] or not slot.get("second"):
                return Pair(older, one_of("update", new), "replaces", "update")
            return Pair(older, one_of("second", new), "adds", kind)
        case "trap":
            written = draw.choice(TRAPS)
            return Pair(older, one_of(written, draw.choice((new, new, old))), "unrelated", written)
        case "after a trap":
            was = one_of(draw.choice(TRAPS), draw.choice((new, old)))
            return Pair(was, one_of(draw.choice(("statement", "update", "implicit")), new), "unrelated", kind)
        case "other_slot":
            sides = (older, draw.choice(slot["other_slot"]))
            first, second = sides if draw.random() < 0.7 else sides[::-1]
            return Pair(first, second, "unrelated", kind)
        case "filler":
            return Pair(older, draw.choice(slot["filler"]), "unrelated", kind)
        case "after its end":
            was = one_of("retraction", new)
            return Pair(was, one_of(draw.choice(("statement", "update", "implicit")), new), "replaces", kind)
        case "after chatter":
            was = draw.choice(slot[draw.choice(("filler", "other_slot"))])
            return Pair(was, one_of(draw.choice(holding), new), "unrelated", kind)
        case _:
            drawn = _elsewhere(slot, others, draw, 1 if kind == "elsewhere" else _NEARBY)
            texts = [_filled(wording, *_values(other, draw, foreign, swapped), draw) for other, wording in drawn]
            nearest = max(texts, key=lambda text: len(_bag(text) & _bag(older)) / (6 + len(_bag(text))))
            sides = (older, nearest)
            first, second = sides if draw.random() < 0.7 else sides[::-1]
            return Pair(first, second, "unrelated", kind)


def _elsewhere(
    slot: Mapping[str, Any], others: Sequence[Mapping[str, Any]], draw: Random, count: int
) -> list[tuple[Mapping[str, Any], str]]:
    """Wordings of other slots of the same author, most of them changes: an eager judge lets those replace anything."""
    rest = [each for each in others if each is not slot] or [slot]
    found = []
    for _ in range(count):
        other = draw.choice(rest)
        kind = draw.choice(("statement", "update", "update", "implicit", "correction", "retraction", "restatement"))
        found.append((other, draw.choice(other[kind])))
    return found


_AGAIN = ("restatement", "restatement", "statement", "implicit")  # wordings in which a value is told once more
_NEARBY = 40  # texts of other slots, of which the one that shares most words with the older message is taken

# How often each sort of pair is drawn. Traps and neighbours are the weak side of a judge: they are most.
_PAIRS = {
    "restatement": 18,
    "retraction": 8,
    "change": 24,
    "change of another": 8,
    "end of another": 3,
    "second": 4,
    "scheduled": 7,
    "after its end": 3,
    "trap": 18,
    "after a trap": 6,
    "other_slot": 8,
    "filler": 3,
    "after chatter": 6,
    "elsewhere": 6,
    "nearby": 14,
}


def _spoken(said: Mapping[str, Any]) -> str:
    """What was said, with who said it, unless that is only the user."""
    return str(said["text"]) if said["who"] == "user" else f"{said['who']}: {said['text']}"


def spoken(talk: Mapping[str, Any]) -> list[str]:
    """The messages of a conversation in their order."""
    return [_spoken(said) for said in talk["messages"]]


def chain_of(talk: Mapping[str, Any]) -> list[int]:
    """Of each message which chain of changes it is part of: those have to do with each other even where nobody wrote
    the pair down.
    """
    place = {said["id"]: at for at, said in enumerate(talk["messages"])}
    chain = list(range(len(place)))
    for change in _changes(talk, place):
        joined, gone = chain[place[change["older"]]], chain[place[change["newer"]]]
        chain = [joined if head == gone else head for head in chain]
    return chain


def _changes(talk: Mapping[str, Any], known: Container[int]) -> list[Mapping[str, Any]]:
    return [each for each in talk["changes"] if each["older"] in known and each["newer"] in known]


def _talk_pairs(talk: Mapping[str, Any], draw: Random, unrelated: int) -> Iterator[Pair]:
    text, chain = spoken(talk), chain_of(talk)
    place = {said["id"]: at for at, said in enumerate(talk["messages"])}
    changes = _changes(talk, place)
    for change in changes:
        yield Pair(text[place[change["older"]]], text[place[change["newer"]]], change["how"], f"talk {change['how']}")
    touched = sorted({place[each[side]] for each in changes for side in ("older", "newer")})
    for _ in range(unrelated * len(changes)):
        first, second = sorted((draw.choice(touched), draw.choice(range(len(text)))))
        if chain[first] != chain[second]:
            yield Pair(text[first], text[second], "unrelated", "talk unrelated")


def _talk_questions(talk: Mapping[str, Any]) -> Iterator[Question]:
    place = {said["id"]: at for at, said in enumerate(talk["messages"])}
    texts = tuple(_spoken(said) for said in talk["messages"])
    for asked in talk["questions"]:
        right = frozenset(place[each] for each in asked["evidence"] if each in place)
        stale = frozenset(place[each] for each in asked.get("stale", ()) if each in place)
        yield Question(asked["ask"], texts, right, stale - right, asked["kind"])


def _acts(bank: Bank, others: Sequence[Bank], draw: Random) -> Iterator[Question]:
    """Acts, each with the lessons of its author, and some with those of another, of which none should be told."""
    texts = tuple(lesson["text"] for lesson in bank.lessons)
    for own, lesson in ((frozenset({number}), each) for number, each in enumerate(bank.lessons)):
        for act in lesson["acts"]:
            yield Question(_done(act), texts, own, frozenset(), "act")
        for act in lesson["fine"]:
            yield Question(_done(act), texts, frozenset(), frozenset(), "act that is fine", tempting=own)
        if others:
            elsewhere = tuple(each["text"] for each in draw.choice(others).lessons)
            act = draw.choice([*lesson["acts"], *lesson["fine"]])
            yield Question(_done(act), elsewhere, frozenset(), frozenset(), "act elsewhere")


def _nears(bank: Bank) -> Iterator[Question]:
    """Questions that a message answers, and those that it only seems to, each among the author's messages."""
    texts = tuple(each["text"] for each in bank.nears)
    for number, each in enumerate(bank.nears):
        own = frozenset({number})
        for ask in each["answered"]:
            yield Question(ask, texts, own, frozenset(), "near, answered")
        for ask in each["near"]:
            yield Question(ask, texts, frozenset(), frozenset(), "near, not answered", tempting=own)


def _done(act: str) -> str:
    """An act as a memory spells it: a line that is typed, or the files that are edited."""
    return act.removeprefix("$ ")


def _slot_questions(bank: Bank, draw: Random, swapped: float) -> Iterator[Question]:
    """One world for each author: of every slot a few messages that answer, its traps, neighbours and chatter."""
    texts: list[str] = []
    answers: dict[int, set[int]] = {}
    past: dict[int, set[int]] = {}
    foreign = _values_of([bank])
    for number, slot in enumerate(bank.slots):
        new, old = _values(slot, draw, foreign, swapped)
        answers[number], past[number] = set(), set()
        written = draw.sample([kind for kind in ANSWERING if slot.get(kind)], 3)
        for kind in (*written, *(kind for kind in TRAPS if slot.get(kind)), "other_slot", "filler"):
            if kind in ANSWERING:
                answers[number].add(len(texts))
            if kind == "backdated":
                past[number].add(len(texts))
            texts.append(_filled(draw.choice(slot[kind]), new, old, draw))
    world = tuple(texts)
    for number, slot in enumerate(bank.slots):
        right = frozenset(answers[number])
        for ask in slot["ask_now"]:
            yield Question(ask, world, right, frozenset(), "slot now")
        for kind in ("ask_past", "ask_history"):
            for ask in slot[kind]:
                yield Question(ask, world, right | past[number], frozenset(), f"slot {kind[4:]}")


def main() -> None:
    """Count the examples of training and validation; nothing of the blind banks is read."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument("--banks", type=Path, default=BANKS)
    root = arguments.parse_args().banks
    chosen = settings()
    for part in ("train", "validation"):
        given = banks(root, chosen["banks"][part])
        draw, data, share = Random(0), chosen["data"], chosen["data"]["swapped"]
        made = pairs(given, draw, each=data["pairs"], swapped=share, talk_unrelated=data["talk_unrelated"])
        told, asked = messages(given, draw, swapped=share), questions(given, draw, swapped=share)
        print(part, [bank.author for bank in given])
        print("  slots", sum(len(bank.slots) for bank in given), "talks", sum(len(bank.talks) for bank in given))
        print("  pairs", dict(Counter(pair.relation for pair in made)))
        print("  messages", dict(Counter(message.stance for message in told)))
        print("  questions", dict(Counter(question.kind for question in asked)))


if __name__ == "__main__":
    main()
