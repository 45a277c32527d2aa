"""Erasing notes and messages that were told to be kept for a time only, once that time is over.

It is no chapter of its own: it is loaded by `tidy`, which few processes call.
"""

from __future__ import annotations

from collections.abc import Sequence

from recollect.domain.changes import Basis, Changes, EraseNote
from recollect.domain.clock import just_after
from recollect.domain.filters.conditions import Comparison
from recollect.domain.notes import Note
from recollect.domain.observations import Observation
from recollect.domain.origin import rank
from recollect.domain.selections import Selection
from recollect.domain.trust.authority_table import authority_of
from recollect.verbs.notes import NoteVerbs
from recollect.verbs.writing import MARKED_BY, decided_anew

_AT_A_TIME = 200  # records of one commit: others can write in between


class DueEraser(NoteVerbs):
    """Erases what is due in a space. Whoever calls it need not rank high: the end was set by somebody who could."""

    def erased(self, space: str) -> tuple[str, ...]:
        """Erase all that is due, each commit with its own entry in the audit log; the ids of what is gone."""
        store, archive = self._engine.store, self._engine.archive
        due = Comparison("erases", "until", just_after(self._engine.clock.now()))
        notes = sorted(store.ids(space, Selection(where=due)))
        gone: list[str] = []
        for start in range(0, len(notes), _AT_A_TIME):
            gone += self._erased_notes(space, notes[start : start + _AT_A_TIME])
        after = ""
        while said := archive.due(space, self._engine.clock.now(), after=after, limit=_AT_A_TIME):
            # That says nothing against what was read from them, so no note is marked for review.
            self._apply(self._erasing(space, said))
            gone += said
            after = said[-1]
        if gone and self._rehearsed is None:
            self._cleaned(space, gone)
        return tuple(gone)

    def _erased_notes(self, space: str, note_ids: list[str]) -> list[str]:
        """Erase those of some notes that are due by now, and the messages from which nothing else was read."""

        def attempt() -> list[str]:
            basis, now = self._basis(space, MARKED_BY), self._engine.clock.now()
            current = self._engine.store.current(space, note_ids)
            due = sorted(each.id for each in current.values() if each.is_due(now))
            if not due:
                return []
            read = self._engine.archive.derived_notes(space, self._evidence_for(space, due))
            said = self._engine.archive.those(space, list(read))
            alone = [
                each
                for each, notes in read.items()
                if set(notes) <= set(due) and any(_ranks_as_high(current[one], said[each]) for one in notes)
            ]
            self._apply(self._erasing(space, [*due, *alone], basis=basis))
            return [*due, *alone]

        return decided_anew(attempt)

    def _erasing(self, space: str, record_ids: Sequence[str], basis: Basis | None = None) -> Changes:
        at, origin, edits = self._engine.clock.now(), self._caller.origin(), tuple(map(EraseNote, record_ids))
        return Changes(space, "tidy: at the end of their time", at, origin, edits, basis=basis)


def _ranks_as_high(note: Note, said: Observation) -> bool:
    """Whether a note is worth what a message is: one who could not forget the message does not end its time either."""
    return rank(note.authority) >= rank(authority_of(said))
