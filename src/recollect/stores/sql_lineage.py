"""How notes hang together, read from any SQL database."""

from __future__ import annotations

import json
from collections.abc import Sequence

from recollect.stores.database import Database, Row


class SqlLineage:
    """The links between notes in an SQL database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def chains(self, space: str, note_ids: Sequence[str]) -> dict[str, Sequence[str]]:
        found: dict[str, list[str]] = {note_id: [] for note_id in note_ids}
        for start, note_id in self._read(space, "chains", ids=json.dumps(list(found))):
            found[start].append(note_id)
        return {start: sorted(chain) for start, chain in found.items()}

    def descendants(self, space: str, note_id: str) -> Sequence[str]:
        return sorted(row[0] for row in self._read(space, "descendants", id=note_id))

    def resting_on(self, space: str, record_ids: Sequence[str]) -> Sequence[str]:
        found: set[str] = set()
        for record_id in record_ids:
            if record_id not in found:  # what rests on it is among the rest already
                found.update(row[0] for row in self._read(space, "resting_on", id=record_id))
        return sorted(found)

    def links_to(self, space: str, note_id: str) -> Sequence[tuple[str, str]]:
        return sorted((row[0], row[1]) for row in self._read(space, "links_to", id=note_id))

    def _read(self, space: str, statement: str, **values: str | int) -> list[Row]:
        with self._database.reading(space) as transaction:
            return transaction.rows(statement, space=space, **values)
