"""Play a world of dated messages into a fresh memory, ask its questions, and note which messages were found.

Three tracks beside the plain baseline. `raw` hands over the words only. `told` hands over subject, attribute and
value of every fact, so that only the bookkeeping and the search are tested. `named` also says which attribute a
question is about, and looks it up instead of searching, so that the bookkeeping is tested alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from bench.baselines import by_words
from bench.consistency import marks_of, value_at
from bench.failures import Account, account_of
from bench.measuring import timed
from bench.shares import Answer
from recollect import Memory, Settings
from recollect.domain.answers.recollections import Coverage
from recollect.domain.clock import SystemClock
from recollect.domain.dataclass import dataclass, field
from recollect.domain.notes import Note

SPACE = "world"
_FOUND = 20  # hits per question: enough to see where the right one is

# The shared bank has bare names for its slots; whoever hands facts over would call them so.
_NAMES = {
    "allergy": ("user", "allergies"),
    "branch": ("thing:repo", "branching model"),
    "car": ("user", "car"),
    "city": ("user", "location"),
    "coffee": ("user", "usual_drink"),
    "db": ("thing:billing service", "database"),
    "deploy": ("thing:api", "hosting"),
    "langs": ("user", "languages"),
    "python": ("thing:worker", "python version"),
    "standup": ("thing:team", "weekly meeting"),
    "testcmd": ("thing:repo", "test command"),
}
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


class Track(StrEnum):
    """What is handed over to the memory, and what to the question."""

    WORDS = "words"
    RAW = "raw"
    TOLD = "told"
    NAMED = "named"


class Stands(StrEnum):
    """Which messages a note stands for, when it was read from several."""

    FIRST = "first"
    NEWEST = "newest"
    EVERY = "every"


@dataclass(frozen=True, slots=True)
class Part:
    """One world in one track: everything a process of its own needs."""

    world: Mapping[str, Any]
    track: Track
    slots: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # what to call each slot, if the bank says so
    embedding: str = "off"
    models: Path = Path("models")
    explained: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """What came of it. Times are in seconds; `account` says what was read and why answers failed, if asked for."""

    track: Track
    answers: Mapping[Stands, Sequence[Answer]]
    told_in: float
    asked_in: float
    account: Account | None = None


class WorldClock(SystemClock):
    """Shows the time of the world that is being played."""

    def __init__(self) -> None:
        super().__init__()
        self.moment = datetime(2020, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment

    def set(self, day: str) -> datetime:
        self.moment = noon(day)
        return self.moment


def noon(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)


def fresh_memory(clock: WorldClock, space: str, embedding: str, models: Path) -> Memory:
    """An empty memory that goes with the object, and asks this clock."""
    settings = Settings(
        home=Path("/nonexistent"),
        store=":memory:",
        space=space,
        principal="someone",
        models=models,
        embedding=embedding,
    )
    return Memory(settings=settings, clock=clock)


def play(part: Part) -> Played:
    """One world, one track."""
    if part.track is Track.WORDS:
        return _by_words(part.world)
    clock = WorldClock()
    with closing(fresh_memory(clock, SPACE, part.embedding, part.models)) as memory:
        told = _Told(memory, part)
        tell = told.say if part.track is Track.RAW else told.tell
        told_in, _ = timed(_tell_all, part.world, clock, tell)
        asked_in, found = timed(_ask_all, part.world, clock, told.ask)
        answers = {
            stands: [
                Answer(query, told.messages(hits, stands), told.coverage.get(query["qid"])) for query, hits in found
            ]
            for stands in Stands
        }
        account = account_of(memory, part.world, told.learned, found, told.said) if part.explained else None
        return Played(part.track, answers, told_in, asked_in, account)


def play_as(part: Part, views: Callable[[Memory], Mapping[str, Memory]]) -> dict[str, list[Answer]]:
    """Tell the words of a world once, and ask its questions of several views of that memory: the answers by view."""
    clock = WorldClock()
    with closing(fresh_memory(clock, SPACE, part.embedding, part.models)) as memory:
        told = _Told(memory, part)
        _tell_all(part.world, clock, told.say)
        answers: dict[str, list[Answer]] = {}
        for name, view in views(memory).items():
            told.memory = view
            found = _ask_all(part.world, clock, told.ask)
            answers[name] = [
                Answer(query, told.messages(hits, Stands.FIRST), told.coverage.get(query["qid"]))
                for query, hits in found
            ]
        return answers


def _by_words(world: Mapping[str, Any]) -> Played:
    texts = {message["id"]: message["text"] for message in world["messages"]}
    asked_in, found = timed(by_words, texts, [query["q"] for query in world["queries"]], limit=_FOUND)
    answers = [Answer(query, tuple(ids)) for query, ids in zip(world["queries"], found, strict=True)]
    return Played(Track.WORDS, dict.fromkeys(Stands, answers), 0.0, asked_in)


def _tell_all(world: Mapping[str, Any], clock: WorldClock, tell: Callable[[Mapping[str, Any], datetime], None]) -> None:
    for message in world["messages"]:
        tell(message, clock.set(message["ts"]))


def _ask_all(
    world: Mapping[str, Any], clock: WorldClock, ask: Callable[[Mapping[str, Any]], Sequence[Any]]
) -> list[tuple[Mapping[str, Any], Sequence[Any]]]:
    found = []
    for query in world["queries"]:
        clock.set(query["now"])
        found.append((query, ask(query)))
    return found


@dataclass(frozen=True, slots=True)
class _Listed:
    """A note that was looked up, in the form of a hit."""

    note: Note
    evidence: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return self.note.id


class _Told:
    """A memory, and which message each thing in it came from."""

    def __init__(self, memory: Memory, part: Part) -> None:
        self.memory, self.world, self.track, self._slots = memory, part.world, part.track, part.slots
        self.said: dict[str, str] = {}  # observations to messages
        self.learned: dict[str, list[Any]] = {}  # messages to what was made of them
        self._marks = marks_of(part.world)
        self._last: dict[str, Note] = {}  # slots to the note that was learned last
        self.coverage: dict[str, Coverage] = {}  # questions to how much was said to be known of them

    def say(self, message: Mapping[str, Any], at: datetime, *, extract: bool = True) -> None:
        """Hand over the words."""
        heard = self.memory.add(message["text"], at=at, extract=extract, space=SPACE)
        self.said.update(dict.fromkeys(heard.observation_ids, message["id"]))
        self.learned[message["id"]] = list(heard.learned)

    def tell(self, message: Mapping[str, Any], at: datetime) -> None:
        """Hand over the fact; what is none is only kept."""
        truth = self.world["truth"][message["id"]]
        slot, kind = truth["slot"], truth["kind"]
        if kind in ("filler", "third", "hyp"):
            self.say(message, at, extract=False)
            return
        value, how = truth["value"], self._manner(message, truth)
        if kind == "retract":
            value = value_at([mark for mark in self._marks[slot] if mark.message != message["id"]], at.date())
        subject, attribute = self._name(slot)
        learned = self.memory.learn(
            subject, attribute, value, text=message["text"], source=message["id"], at=at, space=SPACE, **how
        )
        self.learned[message["id"]] = [learned]
        if learned.note is not None and kind != "back":
            self._last[slot] = learned.note

    def _manner(self, message: Mapping[str, Any], truth: Mapping[str, Any]) -> dict[str, Any]:
        """In what way something is said, beside its value."""
        match truth["kind"]:
            case "multi":
                return {"many": True}
            case "corr":
                return {"corrects": True}
            case "retract":
                return {"polarity": "ended"}
            case "back":
                return {"past": True, **_long_ago(truth, message["text"])}
            case "future":
                begins = (mark.since for mark in self._marks[truth["slot"]] if mark.message == message["id"])
                return {"since": next(begins).isoformat()}
            case _:
                return {}

    def ask(self, query: Mapping[str, Any]) -> Sequence[Any]:
        """The hits for a question."""
        as_of = noon(query["as_of"]) if query["as_of"] else None
        if self.track is Track.NAMED:
            return [_Listed(note) for note in self._looked_up(query, as_of)]
        answer = self.memory.search(query["q"], as_of=as_of, limit=_FOUND, space=SPACE)
        self.coverage[query["qid"]] = answer.coverage
        return answer.hits

    def _looked_up(self, query: Mapping[str, Any], as_of: datetime | None) -> Sequence[Note]:
        """What a question is about, without its words: the notes on a subject and attribute, or their history."""
        last = self._last.get(query["slot"])
        if last is None:
            return ()
        if query["type"] in ("history", "when_changed"):
            return [step.note for step in reversed(self.memory.history(last.id, space=SPACE).steps)]
        listed = self.memory.list(
            as_of=as_of, subject=last.subject, attribute=last.attribute, limit=_FOUND, space=SPACE
        )
        return listed.items

    def messages(self, hits: Sequence[Any], stands: Stands) -> tuple[str, ...]:
        """The messages behind hits, each once. A hit that came from none keeps its place."""
        found: dict[str, None] = {}
        for hit in hits:
            found.update(dict.fromkeys(self._behind(hit, stands)))
        return tuple(found)

    def _behind(self, hit: Any, stands: Stands) -> Sequence[str]:
        if hit.note is None:
            return [self.said.get(hit.id, hit.id)]
        evidence = [self.said[each] for each in hit.evidence if each in self.said]
        if not evidence:
            return [hit.note.origin.source or hit.id]
        match stands:
            case Stands.FIRST:
                return evidence[-1:]
            case Stands.NEWEST:
                return evidence[:1]
            case Stands.EVERY:
                return evidence

    def _name(self, slot: str) -> tuple[str, str]:
        if slot in self._slots:
            return self._slots[slot]["subject"], self._slots[slot]["attribute"]
        return _NAMES.get(slot, ("user", slot))


def _long_ago(truth: Mapping[str, Any], text: str) -> dict[str, str]:
    """When something was true that no longer is: the year that is named."""
    if truth.get("since"):
        return {"since": truth["since"], "until": truth["until"]}
    year = _YEAR.search(text)
    return {"since": f"{year.group()}-01-01", "until": f"{int(year.group()) + 1}-01-01"} if year else {}
