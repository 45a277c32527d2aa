"""Chat stories: what is believed and answered from the way people really chat.

python -m bench.stories --data PATH                a file, or a folder with `stories*.jsonl` or `messages*.jsonl`
python -m bench.stories --data PATH --wrong        what was believed wrongly, missed and not answered, too
python -m bench.stories --data PATH --notes        every fact that is held at the end, with its quote
python -m bench.stories --data PATH --rules        how many facts of each rule are right, stale and wrong
python -m bench.stories --data PATH --without RULE the same with some rules of the reader left out
python -m bench.stories --data PATH --judge FOLDER the same with a judge's second opinion on what the rules read

A story is a line of JSON: dated messages over months, then what a careful reader knows at the end. Each is played into
a space of its own, message by message with the clock at the message's time; the questions are asked an hour after the
last one. A line with one `text` instead of messages is a story of one message. What the lines hold is said in
docs/benchmarks.md.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

from bench.card import Row, Table
from bench.command import Command
from bench.measuring import say
from bench.playing import WorldClock, fresh_memory
from bench.updates import PLACE
from recollect import Memory
from recollect.domain.answers.recollections import Hit
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.notes import Note, State
from recollect.domain.readings import PROJECT, USER, Reader, is_denied
from recollect.engine import Deferred
from recollect.inference.judge import OnnxJudge
from recollect.readers.choice import LEAST_AGREED, JudgedReader
from recollect.readers.rules.reader import RulesReader
from recollect.recall.evidence.messages import shown_sentence

FILES = ("stories*.jsonl", "messages*.jsonl")
ABSENT = f"There are no stories there. Name a file, or a folder with {' or '.join(FILES)}, with `--data` or {PLACE}."

_SPACE = "story"
_TOP = 5
_MOST_NOTES = 500  # of one story: more than any has
_LATER = timedelta(hours=1)  # from the last message to the questions
_UNSCORED = frozenset(("yes", "no"))  # answers that no text can be asked to hold


@dataclass(frozen=True, slots=True)
class Held:
    """A fact as the memory has it at the end of a story."""

    subject: str
    attribute: str
    value: str
    current: bool
    text: str
    quote: str
    rule: str = ""

    def is_about(self, claim: Mapping[str, Any]) -> bool:
        """Whether it is about whom a claim is about; somebody's things and projects are theirs."""
        kind, _, key = self.subject.partition(":")
        about = _words(str(claim["about"]).removeprefix("user's "))
        if about == "user":
            return kind in (USER, PROJECT, "thing")
        relation = _words(str(claim.get("relation", "")))
        if kind in (USER, PROJECT):
            return bool(relation) and has_words(self.value, about) and has_words(self.attribute, relation)
        return has_words(key, about) or (bool(relation) and has_words(key, relation))

    def says(self, claim: Mapping[str, Any]) -> bool:
        """Whether its value, or the thing it is about, has the words of a claim."""
        return self.is_about(claim) and (
            has_words(self.value, claim["value"]) or has_words(self.attribute, claim["value"])
        )


class Verdict(StrEnum):
    """What a fact that is held at the end of a story is worth."""

    RIGHT = "right"
    STALE = "stale"  # it was true once
    WRONG = "wrong"
    UNJUDGED = "unjudged"  # no claim of the story and no label speaks of it


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the texts that were found for it, best first."""

    ask: str
    answer: str
    others: Sequence[str]
    found: Sequence[str]

    @property
    def place(self) -> int | None:
        """Where the first text with the answer stands, from 0."""
        return next((at for at, text in enumerate(self.found) if has_words(text, self.answer)), None)

    @property
    def stale_above(self) -> bool:
        """Whether a text with a wrong value and without the answer stands above the first right one."""
        above = self.found[: self.place] if self.place is not None else self.found
        return any(has_words(text, other) for text in above for other in self.others)


@dataclass(frozen=True, slots=True)
class Told:
    """A story and what came of it."""

    name: str
    story: Mapping[str, Any]
    held: Sequence[Held]
    asked: Sequence[Asked]

    @property
    def current(self) -> list[Held]:
        return [each for each in self.held if each.current]

    def verdict(self, fact: Held) -> Verdict:
        """What a held fact is worth: as a person labelled it, or else by the claims of the story."""
        by_hand = {_fact_key(each): each["verdict"] for each in self.story.get("held", ())}
        labelled = by_hand.get(_fact_key({"subject": fact.subject, "attribute": fact.attribute, "value": fact.value}))
        if labelled is not None:
            return Verdict(labelled)
        for kind, verdict in (("facts", Verdict.RIGHT), ("not_facts", Verdict.WRONG), ("past", Verdict.STALE)):
            if any(fact.says(claim) for claim in self.story[kind]):
                return verdict
        return Verdict.UNJUDGED

    def false(self) -> Iterator[tuple[Mapping[str, Any], Held]]:
        """What must not be believed, and is."""
        return _said(self.story["not_facts"], self.current)

    def stale(self) -> Iterator[tuple[Mapping[str, Any], Held]]:
        """What was true once, and is still believed."""
        still = [(fact["about"], _words(fact["value"])) for fact in self.story["facts"]]
        over = [claim for claim in self.story["past"] if (claim["about"], _words(claim["value"])) not in still]
        return _said(over, self.current)

    def known(self) -> Iterator[tuple[Mapping[str, Any], Held]]:
        return _said(self.story["facts"], self.current)

    def closed(self) -> Iterator[tuple[Mapping[str, Any], Held]]:
        """What is true, was known, and is no longer believed."""
        known = [id(claim) for claim, _ in self.known()]
        lost = [claim for claim in self.story["facts"] if id(claim) not in known]
        return _said(lost, [each for each in self.held if not each.current])


def run(
    data: Sequence[Path],
    *,
    embedding: str = "off",
    models: Path = Path("models"),
    wrong: bool = False,
    notes: bool = False,
    rules: bool = False,
    reader: Reader | None = None,
) -> list[Table]:
    """Play the stories of each file and score them; `reader` reads them instead of the one that the settings choose."""
    files = story_files(data)
    if not files:
        return [Table("stories", [], ABSENT)]
    scores: list[Row] = []
    more: list[Table] = []
    every: list[Told] = []
    for file in files:
        told = list(_told(file, embedding, models, reader))
        every += told
        scores.append(_scores(file.stem, told))
        more += list(_wrong(file.stem, told)) if wrong else []
        more += [Table(f"stories: {file.stem}, facts", list(_facts(file.stem, told)))] if notes else []
    more += [Table("stories: rules", list(_by_rule(every)))] if rules else []
    return [Table("stories", scores), *more]


def story_files(data: Sequence[Path]) -> list[Path]:
    """The files, and those of the set below folders. Without a path the variable says where."""
    places = list(data) or ([Path(os.environ[PLACE])] if os.environ.get(PLACE) else [])
    return [file for place in places for file in ([place] if place.is_file() else _below(place))]


def _below(folder: Path) -> list[Path]:
    return sorted(file for pattern in FILES for file in folder.glob(pattern))


def stories_of(file: Path) -> list[Mapping[str, Any]]:
    """The stories of a file."""
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [_as_story(json.loads(line)) for line in lines]


def _told(file: Path, embedding: str, models: Path, reader: Reader | None) -> Iterator[Told]:
    stories = stories_of(file)
    for number, story in enumerate(stories, 1):
        yield tell(f"{file.stem}:{number}", story, embedding=embedding, models=models, reader=reader)
        if number == len(stories) or number % 10 == 0:
            say(f"stories: {file.stem}: {number} of {len(stories)} told")


def _as_story(line: Mapping[str, Any]) -> Mapping[str, Any]:
    if "messages" in line:
        return line
    message = {"at": line["at"], "session": "s1", "role": "user", "content": line["text"]}
    return {**line, "messages": [message], "questions": []}


def tell(
    name: str,
    story: Mapping[str, Any],
    *,
    embedding: str = "off",
    models: Path = Path("models"),
    reader: Reader | None = None,
) -> Told:
    """Play one story into a fresh memory, and ask its questions."""
    clock = WorldClock()
    with closing(fresh_memory(clock, _SPACE, embedding, models)) as memory:
        if reader is not None:
            memory._engine = replace(memory._engine, reading=Deferred(lambda: reader))
        play(story, memory, clock)
        return Told(name, story, held_in(memory), asked_of(story, memory))


def held_in(memory: Memory) -> list[Held]:
    """The facts that a memory holds of a story, current and closed."""
    listed = memory.list(limit=_MOST_NOTES, space=_SPACE).items
    closed = memory.list(limit=_MOST_NOTES, state=State.SUPERSEDED.value, space=_SPACE).items
    held = [_held(note, current=True) for note in listed if note.attribute and not is_denied(note)]
    return held + [_held(note, current=False) for note in closed if note.attribute and not is_denied(note)]


def tell_as(
    story: Mapping[str, Any], views: Callable[[Memory], Mapping[str, Memory]], *, embedding: str, models: Path
) -> dict[str, list[Asked]]:
    """Play one story, and ask its questions of several views of that memory: the answers by view."""
    clock = WorldClock()
    with closing(fresh_memory(clock, _SPACE, embedding, models)) as memory:
        play(story, memory, clock)
        return {name: asked_of(story, view) for name, view in views(memory).items()}


def play(story: Mapping[str, Any], memory: Memory, clock: WorldClock) -> None:
    """Tell a story, message by message with the clock at the message's time; and let an hour pass."""
    for message in story["messages"]:
        clock.moment = datetime.fromisoformat(message["at"])
        spoken = {"role": message["role"], "content": message["content"]}
        memory.add([spoken], at=clock.moment, session=message["session"], space=_SPACE)
    clock.moment += _LATER


def asked_of(story: Mapping[str, Any], memory: Memory) -> list[Asked]:
    """The questions of a story, and what a memory finds for them."""
    return [
        Asked(
            question["ask"],
            question["answer"],
            question.get("not", ()),
            [_read(hit) for hit in memory.search(question["ask"], limit=_TOP, space=_SPACE).hits],
        )
        for question in story["questions"]
        if _words(question["answer"]) not in _UNSCORED
    ]


def _read(hit: Hit) -> str:
    """A hit as every door shows it: its text, and the sentence it was read from if that says more."""
    return f"{hit.text} {shown_sentence(hit)}".rstrip()


def _held(note: Note, *, current: bool) -> Held:
    said = note.metadata.get("said", {})
    rule = "+".join(each.partition(":")[2] for each in said.get("read_by", ()))
    return Held(
        note.subject or "", note.attribute or "", note.value or "", current, note.text, said.get("quote", ""), rule
    )


# -- scores ----------------------------------------------------------------------------------------------------------


def _scores(name: str, told: Sequence[Told]) -> Row:
    """The figures of a file. Shares are in percent; `current` is how many facts are held, right or wrong."""
    asked = [question for each in told for question in each.asked]
    verdicts = Counter(each.verdict(fact) for each in told for fact in each.current)

    def share(found: int, claims: int) -> float:
        return 100 * found / max(1, claims)

    def count(kind: str) -> int:
        return sum(len(each.story[kind]) for each in told)

    return {
        "stories": f"{name} ({len(told)})",
        "current": verdicts.total(),
        **{f"held_{verdict.value}_%": share(verdicts[verdict], verdicts.total()) for verdict in Verdict},
        "false_facts_%": share(sum(len(list(each.false())) for each in told), count("not_facts")),
        "stale_facts_%": share(sum(len(list(each.stale())) for each in told), count("past")),
        "wrongly_closed_%": share(sum(len(list(each.closed())) for each in told), count("facts")),
        "known_%": share(sum(len(list(each.known())) for each in told), count("facts")),
        "questions": len(asked),
        "answered@1_%": share(sum(question.place == 0 for question in asked), len(asked)),
        f"answered@{_TOP}_%": share(sum(question.place is not None for question in asked), len(asked)),
        "stale_above_%": share(sum(question.stale_above for question in asked), len(asked)),
    }


def _wrong(name: str, told: Sequence[Told]) -> Iterator[Table]:
    """What went wrong, one row each."""
    for title, which in (("false", Told.false), ("stale", Told.stale), ("closed", Told.closed)):
        rows: list[Row] = [
            {f"{name}, {title}": each.name, "claim": _shown(claim), "held_as": held.text, "quote": held.quote}
            for each in told
            for claim, held in which(each)
        ]
        yield Table(f"stories: {name}, {title}", rows, "There are none.")
    unknown: list[Row] = []
    for each in told:
        known = [id(claim) for claim, _ in each.known()]
        unknown += [
            {f"{name}, unknown": each.name, "claim": _shown(claim)}
            for claim in each.story["facts"]
            if id(claim) not in known
        ]
    yield Table(f"stories: {name}, unknown", unknown, "There are none.")
    missed: list[Row] = [
        {
            f"{name}, missed": each.name,
            "asked": question.ask,
            "answer": question.answer,
            "place": None if question.place is None else question.place + 1,
            "stale": "above" if question.stale_above else "",
            "first": question.found[0] if question.found else "",
        }
        for each in told
        for question in each.asked
        if question.place != 0
    ]
    yield Table(f"stories: {name}, missed", missed, "Every first hit has the answer.")


def _facts(name: str, told: Iterable[Told]) -> Iterator[Row]:
    for each in told:
        for held in each.held:
            yield {
                f"{name}, facts": each.name,
                "state": "current" if held.current else "closed",
                "verdict": each.verdict(held).value if held.current else "",
                "subject": held.subject,
                "attribute": held.attribute,
                "value": held.value,
                "rule": held.rule,
                "quote": held.quote,
            }


def _by_rule(told: Iterable[Told]) -> Iterator[Row]:
    """The verdicts on the facts of each rule, the rule with the most wrong ones first."""
    counts: dict[str, Counter[Verdict]] = {}
    for each in told:
        for held in each.current:
            counts.setdefault(held.rule, Counter())[each.verdict(held)] += 1
    for rule, verdicts in sorted(counts.items(), key=lambda each: -each[1][Verdict.WRONG]):
        yield {"rule": rule, **{verdict.value: verdicts[verdict] for verdict in Verdict}}


def _shown(claim: Mapping[str, Any]) -> str:
    return f"{claim['about']}: {claim.get('what') or claim.get('why', '')}: {claim['value']}"


# -- words -----------------------------------------------------------------------------------------------------------


def _said(claims: Iterable[Mapping[str, Any]], held: Sequence[Held]) -> Iterator[tuple[Mapping[str, Any], Held]]:
    """Each claim that a fact says, with the first that does."""
    for claim in claims:
        found = next((each for each in held if each.says(claim)), None)
        if found is not None:
            yield claim, found


def _fact_key(fact: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(_words(str(fact[part])) for part in ("subject", "attribute", "value"))


def _words(text: str) -> str:
    """The words of a text, as they are compared."""
    return " ".join(_WORD.findall(text.casefold().replace("_", " ")))


_WORD = re.compile(r"[^\W_]+")


def has_words(text: str, words: str) -> bool:
    """Whether whole words stand in a text, one after the other."""
    wanted = _words(words)
    return bool(wanted) and f" {wanted} " in f" {_words(text)} "


# -- the command -----------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    command = Command("stories", "Chat stories, scored.")
    parser = command.parser
    parser.add_argument(
        "--data", type=Path, nargs="*", default=[], metavar="PATH", help=f"files or folders; default: {PLACE}"
    )
    parser.add_argument("--wrong", action="store_true", help="list what was believed wrongly, missed and not answered")
    parser.add_argument("--notes", action="store_true", help="list every fact with its quote")
    parser.add_argument("--rules", action="store_true", help="count the facts of each rule by what they are worth")
    parser.add_argument("--without", nargs="*", default=[], metavar="RULE", help="rules of the reader to leave out")
    parser.add_argument("--judge", type=Path, metavar="FOLDER", help="a judge for the reader; it makes no links")
    parser.add_argument("--least", type=float, default=LEAST_AGREED, help="of a judge's agreement")
    asked = parser.parse_args(arguments)
    reader: Reader | None = RulesReader(asked.without) if asked.without or asked.judge else None
    if asked.judge and reader:
        reader = JudgedReader(reader, OnnxJudge(asked.judge, "judge"), least=asked.least)
    tables = run(
        asked.data,
        embedding=asked.embedding,
        models=asked.models,
        wrong=asked.wrong,
        notes=asked.notes,
        rules=asked.rules,
        reader=reader,
    )
    command.show(tables, arguments, asked.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
