"""Figures: those of each day, read and added to, and counts of the notes that are selected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from recollect.domain.answers.daily_activity import DayCount, Figure, NoteUse
from recollect.domain.selections import Facet, Selection
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Row, SqlPart, Transaction
from recollect.stores.sql_store import conditions


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


_GROUPED = {
    Facet.KIND: "note.kind",
    Facet.STATE: "note.state",
    Facet.TAG: "words.tags",
    Facet.SUBJECT: "note.subject",
    Facet.ATTRIBUTE: "note.attribute",
    Facet.USER: "note.scope_user",
    Facet.AGENT: "note.scope_agent",
    Facet.PROJECT: "note.scope_project",
    Facet.SESSION: "note.scope_session",
    Facet.MACHINE: "note.scope_machine",
    Facet.DAY: "substr(note.recorded_at, 1, 10)",
}


class SqlTallies(SqlPart):
    """Implements `Tallies`."""

    def count(self, space: str, selection: Selection) -> int:
        [(total,)] = self._counted(space, selection, "COUNT(*)")
        return int(total)

    def counts(self, space: str, selection: Selection, facet: Facet) -> dict[str, int]:
        column = _GROUPED[facet]
        found: Counter[str] = Counter()
        for value, count in self._counted(space, selection, f"{column}, COUNT(*)", f"\nGROUP BY {column}"):
            # Tags stand together; each is counted.
            for each in ((value or "").split() or [""]) if facet is Facet.TAG else [value or ""]:
                found[each] += count
        return dict(found)

    def _counted(self, space: str, selection: Selection, columns: str, grouped: str = "") -> list[Row]:
        where, values = conditions(selection)
        statement = "selected_ids_by_tag" if "words." in f"{columns}{where}" else "selected_ids"
        sql = self._statements[statement].replace("SELECT note.id", f"SELECT {columns}", 1)
        with self._database.reading(space) as transaction:
            return transaction.query(f"{sql}{where}{grouped}", space=space, **values)
