"""The facts that one call knows: what the store had when it began, and what the call itself has changed since.

The store is asked once for each subject and attribute, however many messages speak of it. What a statement can change
is looked up by its value and by its time, so that many statements about one attribute take time in proportion to their
number.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import islice
from typing import TypeAlias

from recollect.domain.notes import ONCE_TRUE, Note, State
from recollect.domain.readings import PROJECT, UNRESOLVED, Polarity, Statement, Tense, is_denied
from recollect.domain.scopes import Scope
from recollect.domain.trust.disputes import dispute_of
from recollect.remember.reconcile import FactFinding, start_of
from recollect.remember.values import ValueIndex, normalised, same_value

Lookup: TypeAlias = Callable[[str | None, str], Sequence[Note]]

_LOOKED_BACK = 1000  # notes, for the one that held at a moment; where one value holds at a time it is the first
_MOST_OF_ATTRIBUTE = 1000  # notes of this call on an attribute, whosever it is


class FactLine:
    """The notes on one subject and attribute, by value and in the order of time."""

    def __init__(self, stored: Sequence[Note]) -> None:
        self._notes: dict[str, Note] = {}
        self._values = ValueIndex()
        self._by_value: dict[str, dict[str, None]] = {}
        self._by_time: list[tuple[datetime, str]] = []
        self._texts: set[str] | None = None
        self._stored = stored
        for note in stored:
            self.put(note)

    def put(self, note: Note) -> None:
        """Take in a note, in the place of its earlier version if there is one."""
        before = self._notes.get(note.id)
        if before is not None and _is_on_line(before):
            del self._by_time[bisect_left(self._by_time, _place(before))]
        if _is_on_line(note):
            insort(self._by_time, _place(note))
        self._notes[note.id] = note
        self._values.add(note.value or "")
        self._by_value.setdefault(note.value or "", {})[note.id] = None

    def wording(self, value: str, likeness: Callable[[str, str], float] | None) -> str:
        """A value in the wording that is known for it; see `ValueIndex.wording`."""
        return self._values.wording(value, likeness)

    def newest(self) -> Iterator[Note]:
        """All of them, the one that came last first."""
        return reversed(self._notes.values())

    def says(self, text: str) -> bool:
        """Whether a note that was there before this call says just that, word for word."""
        if self._texts is None:
            self._texts = {normalised(note.text) for note in self._stored}
        return normalised(text) in self._texts

    def touched_by(self, finding: FactFinding) -> list[Note]:
        """The notes that `reconcile` looks at for a finding, and which the others would change nothing about.

        Those with the value that is stated or replaced, the one that holds when it begins, the next one after that,
        and the last one before it was said that held at all. Of a value that is said to hold up to now likewise those
        around the time at which it was said.
        """
        statement = finding.statement
        found = {note.id: note for note in self._with_value(statement.value)}
        if statement.replaces:
            found.update((note.id, note) for note in self._with_value(statement.replaces))
        moments = (start_of(finding), finding.said_at) if statement.up_to_now else (start_of(finding),)
        others = [note for moment in moments for note in self._around(moment, finding.scope)]
        if statement.many and not statement.replaces:
            others = []
        if statement.corrects:
            earlier = self._before(finding.said_at, finding.scope, besides=found)
            others += [*islice(filter(_held_for_a_time, earlier), 1)]
        found.update((note.id, note) for note in others)
        return list(found.values())

    def _with_value(self, value: str) -> Iterator[Note]:
        """The notes whose value is the same; one without any stands for the empty value."""
        same = self._values.same_as(value) if value else ()
        for each in dict.fromkeys((*same, *(("",) if not normalised(value) else ()))):
            yield from (self._notes[note_id] for note_id in self._by_value.get(each, ()))

    def _around(self, moment: datetime, scope: Scope) -> Iterator[Note]:
        """The last note that held at a moment, and the first that begins after it."""
        some = islice(self._before(moment, scope), _LOOKED_BACK)
        yield from islice((note for note in some if note.valid_until is None or moment < note.valid_until), 1)
        after = bisect_right(self._by_time, (moment, _LAST_ID))
        later = (self._notes[note_id] for _, note_id in islice(self._by_time, after, after + _LOOKED_BACK))
        yield from islice((note for note in later if note.scope == scope), 1)

    def _before(self, moment: datetime, scope: Scope, besides: Iterable[str] = ()) -> Iterator[Note]:
        """The notes that begin by then, the last one first."""
        for place in range(bisect_right(self._by_time, (moment, _LAST_ID)) - 1, -1, -1):
            note = self._notes[self._by_time[place][1]]
            if note.scope == scope and note.id not in besides:
                yield note


_LAST_ID = "\U0010ffff"  # after every id


def _is_on_line(note: Note) -> bool:
    """Whether a note has a place in time: a proposal has none until it is settled, and is found by its value."""
    return note.state in ONCE_TRUE and dispute_of(note) is None


def _held_for_a_time(note: Note) -> bool:
    """Whether a note was true for longer than a moment; one that was closed at its own beginning never was."""
    return note.valid_until is None or note.valid_until > _place(note)[0]


def _place(note: Note) -> tuple[datetime, str]:
    return note.valid_from or datetime.min.replace(tzinfo=UTC), note.id


def was_read_before(statement: Statement, notes: Iterable[Note], said_at: datetime) -> bool:
    """Whether one of the notes from the same message says so already, or was taken back: it is not read anew then."""
    return any(
        statement.attribute in (note.attribute, UNRESOLVED)
        and (statement.subject == note.subject or not _is_of_somebody(statement.subject))
        and is_denied(note) == (statement.polarity is not Polarity.AFFIRMED)
        and same_value(note.value or "", statement.value)
        and (note.state is State.RETRACTED or _was_over(note, said_at) == (statement.tense is Tense.PAST))
        for note in notes
    )


def _is_of_somebody(subject: str) -> bool:
    """Whether a subject stays as it was read; a thing may be filed under the one it is a part of."""
    return subject != PROJECT and not subject.startswith("thing:")


def _was_over(note: Note, said_at: datetime) -> bool:
    return note.valid_until is not None and note.valid_until <= said_at and not is_denied(note)


class KnownFacts:
    """The facts known during one call, this call's own changes included."""

    def __init__(self, lookup: Lookup, holding: Callable[[str], Sequence[Note]]) -> None:
        self._lookup = cache(lookup)
        self._holding = cache(holding)  # each name of a sentence is looked up several times
        self._lines: dict[tuple[str | None, str], FactLine] = {}
        self._written: dict[str, Note] = {}
        self._values = ValueIndex()
        self._by_value: dict[str, dict[str, None]] = {}
        self._by_attribute: dict[str, dict[str, None]] = {}

    def line(self, subject: str | None, attribute: str) -> FactLine:
        """The notes on a subject and attribute."""
        line = self._lines.get((subject, attribute))
        if line is None:
            line = self._lines[subject, attribute] = FactLine(self._lookup(subject, attribute))
            for note_id in self._by_attribute.get(attribute, ()):
                if self._written[note_id].subject == subject:
                    line.put(self._written[note_id])
        return line

    def write(self, note: Note) -> None:
        """Take in a note as it will be once this call is written."""
        self._written[note.id] = note
        self._values.add(note.value or "")
        self._by_value.setdefault(note.value or "", {})[note.id] = None
        if note.attribute is not None:
            self._by_attribute.setdefault(note.attribute, {})[note.id] = None
            self.line(note.subject, note.attribute).put(note)

    def with_value(self, value: str) -> list[Note]:
        """The notes that have a value, whatever they are about."""
        ids = [note_id for same in self._values.same_as(value) for note_id in self._by_value[same]]
        return self._by_now(self._holding(value), ids)

    def with_attribute(self, attribute: str) -> list[Note]:
        """The notes on an attribute, whosever it is."""
        written = self._by_attribute.get(attribute, {})
        return self._by_now(self._lookup(None, attribute), list(islice(reversed(written), _MOST_OF_ATTRIBUTE))[::-1])

    def _by_now(self, stored: Iterable[Note], ids: Iterable[str]) -> list[Note]:
        found = {note.id: self._written.get(note.id, note) for note in stored}
        found.update((note_id, self._written[note_id]) for note_id in ids)
        return list(found.values())
