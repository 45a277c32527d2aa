"""Links between statements, read from any SQL database."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.domain.links.statement_link import Judgement, StatementLink
from recollect.domain.notes import Note
from recollect.domain.observations import Observation
from recollect.stores.conditions import among, in_pieces
from recollect.stores.database import Database, Row, RowReader, Value
from recollect.stores.links.link_rows import judgement_from_row, link_from_row
from recollect.stores.records import NOTE_WIDTH, note_from_row
from recollect.stores.statements import statements
from recollect.stores.work_records import observation_from_row


class SqlStatementLinks(RowReader):
    """Judgements and links in an SQL database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._statements = statements(database.dialect)

    def links_of(self, space: str, record_ids: Sequence[str]) -> list[StatementLink]:
        found: set[Row] = set()
        links = self._statements["links_from"]
        with self._database.reading(space) as transaction:
            for some in in_pieces(record_ids):
                # Each half has an index of its own; a condition with OR would have none on one of the databases.
                older, values = among(self._statements, "older", some)
                newer, _ = among(self._statements, "newer", some)
                found.update(transaction.query(f"{links}{older}\nUNION\n{links}{newer}", space=space, **values))
        return sorted(map(link_from_row, found), key=lambda link: (link.older, link.newer))

    def judgements(self, space: str, record_ids: Sequence[str]) -> dict[str, Judgement]:
        found: dict[str, Judgement] = {}
        with self._database.reading(space) as transaction:
            for some in in_pieces(record_ids):
                where, values = among(self._statements, "record_id", some)
                rows = transaction.query(f"{self._statements['judgements']}{where}", space=space, **values)
                found.update((judged.record_id, judged) for judged in map(judgement_from_row, rows))
        return found

    def unjudged_notes(self, space: str, model: str, *, limit: int) -> list[tuple[Note, int]]:
        rows = self._read(space, "unjudged_notes", model_id=model, limit=limit)
        return [(note_from_row(row), row[NOTE_WIDTH]) for row in rows]

    def unjudged_messages(self, space: str, model: str, *, limit: int) -> list[Observation]:
        return [
            observation_from_row(row) for row in self._read(space, "unjudged_messages", model_id=model, limit=limit)
        ]

    def waiting(self, space: str, model: str) -> int:
        with self._database.reading(space) as transaction:
            [(notes,)] = transaction.rows("count_unjudged_notes", space=space, model_id=model)
            [(messages,)] = transaction.rows("count_unjudged_messages", space=space, model_id=model)
        return int(notes + messages)

    def models(self, space: str) -> list[str]:
        return sorted(model for (model,) in self._read(space, "judging_models"))

    def doubtful(
        self, space: str, *, between: tuple[float, float], after: tuple[str, str], limit: int
    ) -> list[StatementLink]:
        bounds: dict[str, Value] = {"least": between[0], "most": between[1]}
        rows = self._read(space, "doubtful_links_after", older=after[0], newer=after[1], limit=limit, **bounds)
        return [link_from_row(row) for row in rows]

    def unlinked_changes(self, space: str, *, after: tuple[str, str], limit: int) -> list[StatementLink]:
        rows = self._read(space, "unlinked_changes_after", older=after[0], newer=after[1], limit=limit)
        return [link_from_row(row) for row in rows]

    def refuted(self, space: str, *, after: tuple[str, str], limit: int) -> list[StatementLink]:
        rows = self._read(space, "refuted_links_after", older=after[0], newer=after[1], limit=limit)
        return [link_from_row(row) for row in rows]
