"""Why an answer failed: was the message not read, read wrongly, put away wrongly, or only ranked too low?

It compares what the memory made of each message with what the message means. This is for whoever improves the
engine; the scores do not depend on it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeAlias

from bench.consistency import CHANGES, TRAPS
from bench.shares import FIRST
from recollect import Memory, RecollectError
from recollect.domain.dataclass import dataclass
from recollect.domain.notes import ONCE_TRUE, Note, State

Key: TypeAlias = tuple[str, str]
Found: TypeAlias = Sequence[tuple[Mapping[str, Any], Sequence[Any]]]

_STATED = (*CHANGES, "restate", "wrong", "multi")  # kinds that state a value of their slot
_TOP = 5
_WORD = re.compile(r"[\w.+#-]*\w")
_ARTICLES = frozenset(("a", "an", "the", "my", "our"))


class Read(StrEnum):
    """What was made of a message that means something, or of one that is a trap."""

    RIGHT = "right"
    OTHER_KEY = "right value, other key"
    WRONG_VALUE = "wrong value"
    NOTHING = "nothing read"
    TAKEN = "taken for a fact"  # a trap
    LET_GO = "let go"  # a trap


class Cause(StrEnum):
    """What went wrong with an answer."""

    NOT_READ = "extraction: nothing read"
    WRONG_VALUE = "extraction: wrong value"
    OTHER_KEY = "extraction: other key than the stale one"
    TRAP = "extraction: trap taken for a fact"
    AS_PAST = "extraction: read as past"
    RETRACTED = "reconcile: right note retracted as a mistake"
    CLOSED = "reconcile: right note does not hold then"
    BOTH_HOLD = "reconcile: stale note holds too"
    LOW = "ranking: right note found, but lower"
    MISSED = "ranking: right note not found"


@dataclass(frozen=True, slots=True)
class Failure:
    """One answer, or one message that should have been among the first five, and what stands where it should."""

    question: str
    type: str
    slot: str
    kind: str  # of the message that should have been found
    cause: Cause
    above: str  # what came first instead
    wanted: str
    got: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """Of one world: how each message was read, by slot, kind and outcome; what fillers became; the failures.

    A takeover is wrong if what took over says nothing of the same slot, is a trap, or is one more of many values.
    """

    readings: Counter[tuple[str, str, Read]]
    examples: Mapping[tuple[str, str, Read], str]
    fillers: int
    filler_notes: int
    takeovers: int
    wrong_takeovers: Sequence[str]
    failures: Sequence[Failure]


def account_of(
    memory: Memory,
    world: Mapping[str, Any],
    learned: Mapping[str, Sequence[Any]],
    found: Found,
    said: Mapping[str, str],
) -> Account:
    """Look at what a played memory holds, and at every answer that was not right."""
    return _Inquest(memory, world, learned, said).account(found)


class _Inquest:
    def __init__(
        self, memory: Memory, world: Mapping[str, Any], learned: Mapping[str, Sequence[Any]], said: Mapping[str, str]
    ) -> None:
        self._memory, self._truth, self._said = memory, world["truth"], said
        self._texts = {message["id"]: message["text"] for message in world["messages"]}
        self._notes = {message: self._final(made) for message, made in learned.items()}
        self._as_past = {
            (message, each.note.id)
            for message, made in learned.items()
            for each in made
            if each.note is not None and each.action == "historical"
        }
        self._keys = self._usual_keys()

    def account(self, found: Found) -> Account:
        readings: Counter[tuple[str, str, Read]] = Counter()
        examples: dict[tuple[str, str, Read], str] = {}
        for message, truth in self._truth.items():
            if truth["kind"] != "filler":
                mark = (truth["slot"], truth["kind"], self._reading(message))
                readings[mark] += 1
                examples.setdefault(mark, f"{self._texts[message]} → {self._shown(message)}")
        fillers = [message for message, truth in self._truth.items() if truth["kind"] == "filler"]
        failures = [failure for query, hits in found for failure in self._failures(query, hits)]
        notes = sum(len(self._notes.get(message, ())) for message in fillers)
        takeovers = list(self._takeovers())
        wrong = [shown for shown, is_wrong in takeovers if is_wrong]
        return Account(readings, examples, len(fillers), notes, len(takeovers), wrong, failures)

    # -- messages ------------------------------------------------------------------------------------------------------

    def _final(self, made: Sequence[Any]) -> list[Note]:
        """The notes that were made of a message, as they are in the end."""
        notes = []
        for note_id in dict.fromkeys(learned.note.id for learned in made if learned.note is not None):
            try:
                notes.append(self._memory.get(note_id))
            except RecollectError:
                continue
        return notes

    def _usual_keys(self) -> dict[str, Key]:
        """Under which subject and attribute each slot's values were mostly put."""
        counted: dict[str, Counter[Key]] = {}
        for message, truth in self._truth.items():
            if truth["kind"] in _STATED:
                counted.setdefault(truth["slot"], Counter()).update(_key(note) for note in self._right(message))
        return {slot: keys.most_common(1)[0][0] for slot, keys in counted.items() if keys}

    def _right(self, message: str) -> list[Note]:
        """The notes of a message that say what it means."""
        value = self._truth[message]["value"]
        notes = self._notes.get(message, [])
        if value is None:
            return [note for note in notes if _polarity(note) != "affirmed"]
        return [note for note in notes if _same(note.value or "", value) and _polarity(note) == "affirmed"]

    def _reading(self, message: str) -> Read:
        truth, right = self._truth[message], self._right(message)
        usual = self._keys.get(truth["slot"])
        if truth["kind"] in TRAPS:
            # What was true long ago may well be noted, as long as it does not hold now.
            taken = [note for note in right if _key(note) == usual and note.valid_until is None and _is_believed(note)]
            return Read.TAKEN if taken else Read.LET_GO
        if not right:
            return Read.WRONG_VALUE if self._notes.get(message) else Read.NOTHING
        return Read.RIGHT if any(_key(note) == usual for note in right) else Read.OTHER_KEY

    def _takeovers(self) -> Iterator[tuple[str, bool]]:
        """Every note that took over from another, with the messages of both, and whether it should not have."""
        read_from: dict[str, str] = {}
        made: dict[str, Note] = {}
        for message, notes in self._notes.items():
            for note in notes:
                made[note.id] = note
                read_from.setdefault(note.id, message)
        for note in made.values():
            for earlier in note.supersedes:
                new, old = read_from[note.id], read_from.get(earlier)
                if old is not None:
                    yield f"{self._texts[old]} ⇐ {self._texts[new]} {_spelled(note)}", self._must_not(new, old)

    def _must_not(self, new: str, old: str) -> bool:
        """Whether what one message says may not take over from what another said."""
        later, earlier = self._truth[new], self._truth[old]
        if new == old or later["slot"] is None is earlier["slot"]:
            return False
        return later["slot"] != earlier["slot"] or later["kind"] in (*TRAPS, "multi")

    def _shown(self, message: str) -> str:
        return "; ".join(_spelled(note) for note in self._notes.get(message, ())) or "nothing"

    # -- answers -------------------------------------------------------------------------------------------------------

    def _failures(self, query: Mapping[str, Any], hits: Sequence[Any]) -> Iterator[Failure]:
        messages = [self._message(hit) for hit in hits]
        if query["type"] in FIRST and (not messages or messages[0] not in query["gold"]):
            yield self._failure(query, query["gold"], hits, messages)
        if query["type"] in ("history", "multi"):
            top = list(dict.fromkeys(messages))[:_TOP]
            for message in query["gold"]:
                if message not in top:
                    yield self._failure(query, [message], hits, messages)

    def _failure(
        self, query: Mapping[str, Any], gold: Sequence[str], hits: Sequence[Any], messages: Sequence[str | None]
    ) -> Failure:
        cause, detail = self._cause(query, gold, hits, messages)
        top = hits[0] if hits else None
        return Failure(
            question=query["q"],
            type=query["type"],
            slot=query["slot"],
            kind=self._truth[gold[0]]["kind"],
            cause=cause,
            above=self._role(query, messages[0] if messages else None, top),
            wanted=" / ".join(self._texts[message] for message in gold),
            got="" if top is None else _spelled(top.note) if top.note else f"“{top.text}”",
            detail=detail,
        )

    def _cause(
        self, query: Mapping[str, Any], gold: Sequence[str], hits: Sequence[Any], messages: Sequence[str | None]
    ) -> tuple[Cause, str]:
        made = "; ".join(self._shown(message) for message in gold)
        right = [(message, note) for message in gold for note in self._right(message)]
        if not right:
            read = any(self._notes.get(message) for message in gold)
            return (Cause.WRONG_VALUE if read else Cause.NOT_READ), made
        top = hits[0].note if hits else None
        above = f"{made}; above it {_spelled(top)}" if top is not None else made
        if query["type"] not in ("history", "when_changed"):
            moment = datetime.fromisoformat(query["as_of"] or query["now"]).replace(hour=12, tzinfo=UTC)
            holding = [note for _, note in right if _is_believed(note) and note.holds_at(moment)]
            if not holding:
                return self._closed(query, right, messages), above
            if top is not None and messages[0] in query["stale"]:
                linked = any(_key(top) == _key(note) for note in holding)
                return (Cause.BOTH_HOLD if linked else Cause.OTHER_KEY), above
            if top is not None and messages[0] in query["traps"]:
                return Cause.TRAP, above
        places = [place for place, message in enumerate(messages, 1) if message in gold]
        return (Cause.LOW, f"{made}, at place {places[0]}") if places else (Cause.MISSED, made)

    def _closed(
        self, query: Mapping[str, Any], right: Sequence[tuple[str, Note]], messages: Sequence[str | None]
    ) -> Cause:
        """Why no note that says the right thing holds at the time that is asked about."""
        if any((message, note.id) in self._as_past for message, note in right):
            return Cause.AS_PAST
        if any(note.state is State.RETRACTED for _, note in right):
            return Cause.RETRACTED
        return Cause.TRAP if messages and messages[0] in query["traps"] else Cause.CLOSED

    def _role(self, query: Mapping[str, Any], message: str | None, hit: Any) -> str:
        """What a hit is to a question."""
        if hit is None:
            return "nothing at all"
        form = "note" if hit.note is not None else "message"
        if message is None:
            return f"unknown {form}"
        if message in query["gold"]:
            return f"right {form}"
        if message in query["stale"]:
            return f"stale {form}"
        if message in query["traps"]:
            return f"trap {form}"
        slot = self._truth[message]["slot"]
        return (
            f"filler {form}"
            if slot is None
            else f"{form} of the same slot"
            if slot == query["slot"]
            else f"{form} of another slot"
        )

    def _message(self, hit: Any) -> str | None:
        """The message a hit was first read from."""
        if hit.note is None:
            return self._said.get(hit.id)
        return next((self._said[each] for each in reversed(hit.evidence) if each in self._said), hit.note.origin.source)


def _same(value: str, meant: str) -> bool:
    """Whether a value is what was meant, give or take an article or a remark."""
    one, other = _telling(value), _telling(meant)
    return bool(one and other) and (one <= other or other <= one)


def _telling(value: str) -> set[str]:
    return set(_WORD.findall(value.lower())) - _ARTICLES


def _key(note: Note) -> Key:
    return note.subject or "", note.attribute or ""


def _polarity(note: Note) -> str:
    said = note.metadata.get("said", {})
    return str(said.get("polarity", "affirmed")) if isinstance(said, dict) else "affirmed"


def _is_believed(note: Note) -> bool:
    return note.state in ONCE_TRUE


def _spelled(note: Note) -> str:
    """A note in one line, for whoever looks for the fault."""
    since, until = (f"{moment:%Y-%m-%d}" if moment else "" for moment in (note.valid_from, note.valid_until))
    denied = "" if _polarity(note) == "affirmed" else f" ({_polarity(note)})"
    return f"[{note.subject}.{note.attribute} = {note.value}{denied}, {note.state.value} {since}…{until}]"
