"""Figures of each day, read and added to in any SQL database, and the figures of a commit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from recollect.domain.answers.daily_activity import DayCount, Figure, NoteUse
from recollect.domain.changes import Change, ChangeKind, Changes, EraseNote, WriteNote
from recollect.domain.notes import State
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Row, Transaction
from recollect.stores.statements import SqlPart

_OF_A_NOTE = (ChangeKind.WRITTEN, ChangeKind.ADOPTED)


class SqlActivity(SqlPart):
    """Implements `ActivityLog`."""

    def add(self, space: str, counts: Sequence[DayCount]) -> None:
        with self._database.jotting(space) as transaction:
            _add(transaction, space, counts)

    def since(self, space: str, day: str) -> Sequence[DayCount]:
        return [_count(row) for row in self._read(space, "activity_since", day=day)]

    def expire_days(self, space: str, *, before: str) -> None:
        with self._database.writing(space) as transaction:
            transaction.rows("drop_old_activity", space=space, day=before)

    def add_uses(self, space: str, uses: Sequence[NoteUse]) -> None:
        with self._database.jotting(space) as transaction:
            transaction.rows("lock_space", space=space)  # no note is erased between looking for it and counting it
            for each in uses:
                counts = {"recalled": each.recalled, "found": each.found}
                key = {"id": each.note_id, "day": each.day, "actor": each.actor}
                transaction.rows("count_note_use", space=space, **key, **counts)

    def uses(self, space: str, note_id: str, *, since: str) -> Sequence[NoteUse]:
        return [_use(row) for row in self._read(space, "note_uses", id=note_id, day=since)]

    def expire_uses(self, space: str, *, before: str) -> None:
        with self._database.writing(space) as transaction:
            transaction.rows("drop_old_note_uses", space=space, day=before)


def count_commit(transaction: Transaction, changes: Changes, done: Sequence[Change]) -> None:
    """Count what a commit learned, superseded and erased, in its own transaction."""
    asked = {edit.note_id for edit in changes.edits if isinstance(edit, EraseNote)}  # a file read anew is not forgotten
    counts: Counter[Figure] = Counter(
        {
            Figure.LEARNED: sum(change.kind in _OF_A_NOTE and change.version == 1 for change in done),
            Figure.SUPERSEDED: sum(isinstance(edit, WriteNote) and _was_superseded(edit) for edit in changes.edits),
            Figure.FORGOTTEN: sum(change.kind is ChangeKind.ERASED and change.record_id in asked for change in done),
        }
    )
    day = changes.at.date().isoformat()
    _add(transaction, changes.space, [DayCount(day, each, many) for each, many in counts.items() if many])


def _was_superseded(edit: WriteNote) -> bool:
    """Whether this version is the one by which a note was superseded; later ones have its end from it."""
    return edit.note.state is State.SUPERSEDED and edit.note.retired_at == edit.note.updated_at


def _add(transaction: Transaction, space: str, counts: Sequence[DayCount]) -> None:
    for each in counts:
        figures = {"many": each.many, "total": each.total, "longest": each.longest}
        transaction.rows("count_activity", space=space, day=each.day, figure=each.figure.value, **figures)


@reads("note_use", ("note_id", "day", "actor", "recalled", "found"))
def _use(row: Row) -> NoteUse:
    return NoteUse(*row)


@reads("activity_day", ("day", "figure", "many", "total", "longest"))
def _count(row: Row) -> DayCount:
    day, figure, many, total, longest = row
    return DayCount(day, Figure(figure), many, total, longest)
