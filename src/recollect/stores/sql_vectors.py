"""Texts as vectors, read from any SQL database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from recollect.domain.clock import format_time
from recollect.domain.meanings import Cache, EmbeddingChoice, ServedVectors, StoredVector, Unembedded
from recollect.stores.conditions import among, in_pieces
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Row, SqlPart

_PAGE = 5000
_NO_BYTES = (str, int, float)


class SqlVectors(SqlPart):
    """Vectors in an SQL database."""

    @property
    def cache(self) -> Cache | None:
        return self._database.cache

    @property
    def where_compared(self) -> str:
        return self._database.vector_search

    def served(self, model_id: str, dimension: int) -> ServedVectors | None:
        return self._database.served_vectors(model_id, dimension)

    def every(self, space: str, model_id: str) -> Iterator[StoredVector]:
        record_id, version = "", -1
        while True:
            rows = self._read(
                space, "vectors_after", model_id=model_id, record_id=record_id, version=version, limit=_PAGE
            )
            for row in rows:
                yield _vector(row)
            if len(rows) < _PAGE:
                return
            record_id, version = rows[-1][0], rows[-1][1]

    def of(self, space: str, model_id: str, record_ids: Sequence[str]) -> list[StoredVector]:
        found: list[StoredVector] = []
        with self._database.reading(space) as transaction:
            for some in in_pieces(record_ids):
                where, values = among(self._statements, "record_id", some)
                sql = f"{self._statements['vectors_of']}{where}"
                rows = transaction.query(sql, space=space, model_id=model_id, **values)
                found += map(_vector, rows)
        return found

    def missing(self, space: str, model_id: str, *, limit: int) -> list[Unembedded]:
        with self._database.reading(space) as transaction:
            rows = transaction.rows("notes_without_vector", space=space, model_id=model_id, limit=limit)
            room = limit - len(rows)
            if room > 0:
                rows += transaction.rows("observations_without_vector", space=space, model_id=model_id, limit=room)
        return [Unembedded(*row) for row in rows]

    def lacking(self, space: str, model_id: str, *, written_before: datetime | None = None) -> int:
        before = format_time(written_before or datetime.max.replace(tzinfo=UTC))
        with self._database.reading(space) as transaction:
            [(notes,)] = transaction.rows("count_notes_without_vector", space=space, model_id=model_id, before=before)
            [(said,)] = transaction.rows(
                "count_observations_without_vector", space=space, model_id=model_id, before=before
            )
        return int(notes + said)

    def choice(self) -> EmbeddingChoice:
        with self._database.reading(None) as transaction:
            found = transaction.rows("embedding_choice")
        return EmbeddingChoice(*found[0]) if found else EmbeddingChoice()

    def choose(self, choice: EmbeddingChoice, *, instead_of: EmbeddingChoice, at: datetime) -> bool:
        with self._database.writing(None) as transaction:
            chosen = transaction.rows(
                "put_embedding_choice",
                serving=choice.serving,
                beside=choice.beside,
                known_serving=instead_of.serving,
                known_beside=instead_of.beside,
                at=format_time(at),
            )
        return bool(chosen)

    def drop(self, space: str, model_id: str) -> None:
        with self._database.writing(space) as transaction:
            transaction.rows("drop_model_vectors", space=space, model_id=model_id)


@reads("embedding", ("id", "version"))
def _vector(row: Row) -> StoredVector:
    record_id, version, vector = row[:3]
    if isinstance(vector, _NO_BYTES) or not vector:
        raise ValueError("it is no vector")
    return StoredVector(record_id, version, bytes(vector))
