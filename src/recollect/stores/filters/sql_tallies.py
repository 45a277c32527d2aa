"""Counts of the notes that a selection finds, in SQL."""

from __future__ import annotations

from collections import Counter

from recollect.domain.selections import Facet, Selection
from recollect.stores.conditions import conditions
from recollect.stores.database import Database, Row
from recollect.stores.statements import statements

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


class SqlTallies:
    """Implements `Tallies`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._statements = statements(database.dialect)

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
