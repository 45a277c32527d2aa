"""The index of vectors in the server itself, where the pgvector extension is installed: no process holds them.

Each vector has a place beside it, the same numbers in 16 bits. A small space is compared whole. One that has outgrown
that gets an HNSW index of its own, which holds nothing of any other space, so that no tenant is crowded out by another.
Either way the few nearest are compared once more with all 32 bits, in the process: what is near, and how near, is the
same as without the extension. Types and operators are named with their schema; the path is never searched for them.
"""

from __future__ import annotations

import hashlib
import logging
import struct
from contextlib import suppress
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from recollect.domain.dataclass import dataclass
from recollect.domain.meanings import Near, StoredVector, Vector, damaged_vector
from recollect.products import with_each

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from recollect.stores.database import Row, Transaction, Value
    from recollect.stores.postgres.database import PostgresDatabase

OLDEST = (0, 8)  # the first that asks its index on until enough pass a filter
# Vectors of a space that are compared one by one. Up to so many an index is no quicker on the machine it was measured
# on, and it is work for every write; `python -m bench.scale.vector_recall`.
EXACT_UP_TO = 30_000
_MOST_DIMENSIONS = 4000  # of an HNSW index of 16-bit numbers
# Vectors without a place that a question is compared with in the process. There are many only where the extension came
# after them, and until they have been given one: the newest first.
_BESIDE = 20_000
_PAGE = 500  # vectors that get their place in one transaction
_SPARE = 32  # more than are asked for, because 16 bits may put two in the wrong order
_WIDTH, _WIDEST = 200, 1000  # candidates that a search of the index keeps at hand; the extension allows no more
_MOST_LOOKED_AT = 40_000  # vectors that a search of the index looks at before it gives up
_LOCK = 7_205_759_404  # of a trial, and of building an index: one process of all does
_PATIENCE = "1s"  # that a trial waits for another, or for the table: a store opens without it too

_log = logging.getLogger("recollect.vectors")

# {extension} is its schema, {dimension} how many numbers a vector of the model has, {among} a condition.

# Keep the vector of a text, and its place; one that is here already stays.
INSERT_PLACED = """INSERT INTO embedding (space, model_id, record_id, version, vector, place)
VALUES (:space, :model_id, :record_id, :version, :vector, CAST(:place AS {extension}.halfvec))
ON CONFLICT (space, model_id, record_id, version) DO NOTHING
RETURNING record_id"""

# Vectors of a model in a space that have no place yet: written by a process that does not know of places.
_UNPLACED = """SELECT record_id, version, vector FROM embedding
WHERE space = :space AND model_id = :model_id AND place IS NULL
ORDER BY record_id DESC, version
LIMIT :limit"""

# Give a vector its place.
_PLACE = """UPDATE embedding SET place = CAST(:place AS {extension}.halfvec)
WHERE space = :space AND model_id = :model_id AND record_id = :record_id AND version = :version"""

# How many vectors of a model a space has, counted up to a limit.
_COUNT = """SELECT count(*) FROM (
    SELECT 1 FROM embedding WHERE space = :space AND model_id = :model_id LIMIT :limit
) AS counted"""

# Every model of a space, how many vectors of it there are, and how many numbers one of them has.
_MODELS = """SELECT model_id, many, (
    SELECT length(vector) / 4 FROM embedding AS one
    WHERE one.space = :space AND one.model_id = counted.model_id LIMIT 1
) FROM (SELECT model_id, count(*) AS many FROM embedding WHERE space = :space GROUP BY model_id) AS counted"""

# Whether an index of that name is there and finished.
_IS_VALID = """SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:name)"""

# The nearest, compared with every one: no index has this expression.
_NEAREST_BY_ALL = """SELECT record_id, version, vector FROM (
    SELECT record_id, version, vector, place OPERATOR({extension}.<#>) CAST(:question AS {extension}.halfvec) AS far
    FROM embedding
    WHERE space = :space AND model_id = :model_id AND place IS NOT NULL AND {among}
    ORDER BY far
    LIMIT :limit
) AS near"""

# The nearest by the index of the space, which is asked on until enough of them pass what is asked for beside it.
_NEAREST_BY_INDEX = """SELECT record_id, version, vector FROM embedding
WHERE space = :space AND model_id = :model_id AND place IS NOT NULL AND {among}
ORDER BY CAST(place AS {extension}.halfvec({dimension}))
    OPERATOR({extension}.<#>) CAST(:question AS {extension}.halfvec({dimension}))
LIMIT :limit"""

# How thoroughly the index is searched, in this transaction only, and that it is: the planner thinks little of it.
_SEARCH_WIDELY = """SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true),
set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true),
set_config('hnsw.ef_search', CAST(:width AS TEXT), true),
set_config('hnsw.max_scan_tuples', CAST(:most AS TEXT), true)"""

_INSTALLED = """SELECT extversion, nspname, col_description(attrelid, attnum),
has_schema_privilege(coalesce(CAST(%s AS name), current_user), pg_namespace.oid, 'USAGE')
FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
LEFT JOIN pg_attribute ON attrelid = to_regclass('recollect.embedding') AND attname = 'place' AND NOT attisdropped
WHERE extname = 'vector'"""

_INDEXES = """SELECT relname, indisvalid FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid
WHERE indrelid = 'recollect.embedding'::regclass AND relname LIKE 'embedding\\_near\\_%'"""

# What the comment of the column `place` says.
_TRYING = "Whether this server can compare vectors is being tried."
_USABLE = "The same numbers in 16 bits. This server was seen to compare them."

_UNTRIED = "pgvector has not been tried yet"


@dataclass(frozen=True, slots=True)
class Extension:
    """The pgvector extension of a database: its version and schema, or why it is not used."""

    version: str = ""
    schema: str = ""
    problem: str = "pgvector is not installed in this database"
    hint: str = "To have the server compare vectors, run `CREATE EXTENSION vector` in it as a superuser."

    @property
    def is_used(self) -> bool:
        return not self.problem


def extension_of(database: PostgresDatabase, role: str | None) -> Extension:
    """Find the extension and make it ready for the role that transactions take on. It is tried out once in the life of
    a database, and whatever goes wrong, the store opens without it.

    A build for another processor kills the server at the first distance. That one is being tried is therefore written
    down before, and no process tries again what did not come back.
    """
    try:
        with database.connected() as connection:
            if (found := _looked_up(connection, role)).problem != _UNTRIED:
                return found
            with suppress(psycopg.errors.InsufficientPrivilege), connection.transaction():
                # Holds the lock while another connection works.
                connection.execute("SELECT set_config('lock_timeout', %s, true)", (_PATIENCE,))
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
                if (found := _looked_up(connection, role)).problem == _UNTRIED:
                    with database.connected() as trying:
                        _try(trying, found.schema)
        with database.connected() as connection:
            return _looked_up(connection, role)
    except psycopg.Error as problem:
        said = problem.diag.message_primary or type(problem).__name__
        _log.warning("pgvector could not be tried: %s", said)
        return Extension(
            problem=f"pgvector could not be tried: {said}", hint="The next process that begins tries again."
        )


def _looked_up(connection: psycopg.Connection[Row], role: str | None) -> Extension:
    row = connection.execute(_INSTALLED, (role,)).fetchone()
    if row is None:
        return Extension()
    version, schema, told, is_open = row
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        return Extension(
            version, schema, f"pgvector {version} is older than {oldest}", "`ALTER EXTENSION vector UPDATE`"
        )
    if told == _USABLE and not is_open:
        may = "`recollect store grants` prints the `GRANT USAGE ON SCHEMA` that it needs."
        return Extension(version, schema, f"this role may not use the schema {schema}, where pgvector is", may)
    if told == _USABLE:
        return Extension(version, schema, "", "")
    if told == _TRYING:
        again = "Install one for this machine, then `COMMENT ON COLUMN recollect.embedding.place IS NULL`."
        return Extension(version, schema, f"pgvector {version} was tried and the server did not come back", again)
    return Extension(version, schema, _UNTRIED, "Open the store once as the owner of its tables.")


def _try(connection: psycopg.Connection[Row], schema: str) -> None:
    kind = sql.Identifier(schema, "halfvec")
    says = sql.SQL("COMMENT ON COLUMN recollect.embedding.place IS {}")
    with connection.transaction():
        connection.execute("SELECT set_config('lock_timeout', %s, true)", (_PATIENCE,))
        connection.execute(sql.SQL("ALTER TABLE recollect.embedding ADD COLUMN IF NOT EXISTS place {}").format(kind))
        connection.execute(
            "CREATE INDEX IF NOT EXISTS embedding_unplaced ON recollect.embedding (space, model_id) WHERE place IS NULL"
        )
        if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = 'recollect_member'").fetchone():
            allowed = sql.SQL("GRANT USAGE ON SCHEMA {} TO recollect_member")
            connection.execute(allowed.format(sql.Identifier(schema)))
        connection.execute(says.format(sql.Literal(_TRYING)))
    distance = sql.SQL("SELECT CAST({one} AS {kind}) OPERATOR({schema}.<#>) CAST({one} AS {kind})")
    one = sql.Literal("[" + ",".join(["1"] * 64) + "]")  # long enough for the widest registers
    connection.execute(distance.format(one=one, kind=kind, schema=sql.Identifier(schema)))
    connection.execute(says.format(sql.Literal(_USABLE)))


def spelled(statement: str, schema: str, dimension: int = 0, among: str = "TRUE") -> str:
    """A statement with the names that only an open database knows."""
    quoted = '"' + schema.replace('"', '""') + '"'
    named = statement.replace("{extension}", quoted).replace("{dimension}", str(dimension))
    return named.replace("{among}", among)


def place_of(vector: Vector) -> str:
    """A vector as the extension reads it."""
    numbers = struct.unpack(f"<{len(vector) // 4}f", vector)
    return "[" + ",".join([f"{number:.6g}" for number in numbers]) + "]"


def index_name(space: str, model_id: str = "") -> str:
    """The name of a space's index, or how the names of all its indexes begin."""
    of_space, of_model = (hashlib.sha256(each.encode()).hexdigest() for each in (space, model_id))
    return f"embedding_near_{of_space[:20]}_" + of_model[:8] * bool(model_id)


def unindexed(transaction: Transaction, space: str) -> list[tuple[str, int]]:
    """The models of which a space has outgrown being compared whole and has no index that is finished, and how many
    numbers their vectors have."""
    models = transaction.query(_MODELS, space=space)
    grown = [(row[0], row[2]) for row in models if row[1] > EXACT_UP_TO and row[2] <= _MOST_DIMENSIONS]
    return [each for each in grown if not _is_valid(transaction, index_name(space, each[0]))]


def _is_valid(transaction: Transaction, index: str) -> bool:
    return transaction.query(_IS_VALID, name=f"recollect.{index}") == [(True,)]


def drop_indexes(connection: psycopg.Connection[Row], spaces: Iterable[str]) -> None:
    """Drop the indexes of spaces that are gone: their names stand in them."""
    standing = tuple(map(index_name, spaces))
    for name, _ in connection.execute(_INDEXES).fetchall():
        if not name.startswith(standing):
            connection.execute(sql.SQL("DROP INDEX IF EXISTS {}").format(sql.Identifier("recollect", name)))


class ServerVectors:
    """Implements `ServedVectors`: the vectors of one model, compared by the server."""

    def __init__(self, database: PostgresDatabase, schema: str, model_id: str, dimension: int) -> None:
        self._database = database
        self._schema = schema
        self._model_id = model_id
        self.dimension = dimension
        self.exact_up_to = EXACT_UP_TO

    def nearest(self, space: str, question: Vector, *, limit: int, among: Collection[str] | None) -> Sequence[Near]:
        wanted = limit + _SPARE
        of_model: dict[str, Value] = {"space": space, "model_id": self._model_id, "limit": wanted}
        where = "TRUE"
        if among is not None:
            where, of_model["among"] = "record_id = ANY(string_to_array(:among, ','))", ",".join(among)
        few = among is not None and len(among) <= self.exact_up_to
        found: list[Row] = []
        with self._database.reading(space) as transaction:
            beside = self._unplaced(transaction, space, _BESIDE)  # before sorting is forbidden: that reads every vector
            by_index = not few and self._has_index(transaction, space)
            if by_index:
                width = min(_WIDEST, max(_WIDTH, 2 * wanted))
                transaction.query(self._sql(_SEARCH_WIDELY), width=width, most=_MOST_LOOKED_AT)
                sought = self._sql(_NEAREST_BY_INDEX, where)
                found = transaction.query(sought, question=place_of(question), **of_model)
            if len(found) < wanted:  # no index, or a filter that leaves few, so that it gave up
                found = transaction.query(self._sql(_NEAREST_BY_ALL, where), question=place_of(question), **of_model)
        allowed = None if among is None else frozenset(among)
        found += [row for row in beside if allowed is None or row[0] in allowed]
        return nearest_of(question, [StoredVector(row[0], row[1], bytes(row[2])) for row in found], limit)

    def plan(self, space: str, question: Vector) -> str:
        """How the server looks by index, in its own words; for whoever doubts that it does."""
        asked: dict[str, Value] = {
            "space": space,
            "model_id": self._model_id,
            "question": place_of(question),
            "limit": 10,
        }
        with self._database.reading(space) as transaction:
            transaction.query(self._sql(_SEARCH_WIDELY), width=_WIDTH, most=_MOST_LOOKED_AT)
            rows = transaction.query(f"EXPLAIN {self._sql(_NEAREST_BY_INDEX)}", **asked)
        return "\n".join(row[0] for row in rows)

    def place(self, space: str) -> None:
        """Give every vector of a space its place, and the space its index once it is too large to be compared whole."""
        while rows := self._page_placed(space):
            if len(rows) < _PAGE:
                break
        counted: dict[str, Value] = {"space": space, "model_id": self._model_id, "limit": self.exact_up_to + 1}
        with self._database.reading(space) as transaction:
            [(many,)] = transaction.query(_COUNT, **counted)
            is_due = many > self.exact_up_to and not self._has_index(transaction, space)
        if is_due and self.dimension <= _MOST_DIMENSIONS:
            with suppress(psycopg.errors.InsufficientPrivilege):  # only the owner of the tables can; `check` says so
                self._build(space)

    def drop_index(self, space: str) -> None:
        """See `ServedVectors.drop_index`. Others read and write meanwhile."""
        dropped = sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {}")
        name = sql.Identifier("recollect", index_name(space, self._model_id))
        with suppress(psycopg.errors.InsufficientPrivilege), self._database.connected() as connection:
            connection.execute(dropped.format(name))

    def _page_placed(self, space: str) -> list[Row]:
        with self._database.writing(space) as transaction:
            rows = self._unplaced(transaction, space, _PAGE)
            for record_id, version, vector in rows:
                place = place_of(self.checked(record_id, bytes(vector)))
                which: dict[str, Value] = {"record_id": record_id, "version": version}
                transaction.query(self._sql(_PLACE), space=space, model_id=self._model_id, place=place, **which)
        return rows

    def checked(self, record_id: str, vector: Vector) -> Vector:
        """The vector, if it is one of this model."""
        if len(vector) != 4 * self.dimension:
            raise damaged_vector(record_id)
        return vector

    def _build(self, space: str) -> None:
        """Build the index of a space while others read and write."""
        name = index_name(space, self._model_id)
        with self._database.connected() as holding, holding.transaction():
            # Without parameters: a statement with some stays open, and the building would wait for what it has seen.
            if holding.execute(f"SELECT pg_try_advisory_xact_lock({_LOCK})").fetchone() != (True,):
                return  # another process builds one
            with self._database.connected() as building:
                if dict(building.execute(_INDEXES).fetchall()).get(name) is False:  # left by one that was interrupted
                    building.execute(sql.SQL("DROP INDEX {}").format(sql.Identifier("recollect", name)))
                building.execute(
                    sql.SQL(
                        "CREATE INDEX CONCURRENTLY IF NOT EXISTS {name} ON recollect.embedding USING hnsw"
                        " ((CAST(place AS {kind}({dimension}))) {by}) WITH (m = 16, ef_construction = 100)"
                        " WHERE space = {space} AND model_id = {model} AND place IS NOT NULL"
                    ).format(
                        name=sql.Identifier(name),
                        kind=sql.Identifier(self._schema, "halfvec"),
                        dimension=sql.Literal(self.dimension),
                        by=sql.Identifier(self._schema, "halfvec_ip_ops"),
                        space=sql.Literal(space),
                        model=sql.Literal(self._model_id),
                    )
                )

    def _has_index(self, transaction: Transaction, space: str) -> bool:
        return _is_valid(transaction, index_name(space, self._model_id))

    def _unplaced(self, transaction: Transaction, space: str, limit: int) -> list[Row]:
        return transaction.query(_UNPLACED, space=space, model_id=self._model_id, limit=limit)

    def _sql(self, statement: str, among: str = "TRUE") -> str:
        return spelled(statement, self._schema, self.dimension, among)


def nearest_of(question: Vector, found: Sequence[StoredVector], limit: int) -> list[Near]:
    """The nearest of some, compared with all 32 bits; of equals that of the older record."""
    import numpy as np

    if not found:
        return []
    try:
        rows = np.frombuffer(b"".join(each.vector for each in found), dtype="<f4").reshape(len(found), -1)
        likeness = with_each(rows, np.frombuffer(question, dtype="<f4")).tolist()
    except ValueError as problem:
        raise damaged_vector() from problem
    near = [Near(each.record_id, each.version, like) for each, like in zip(found, likeness, strict=True)]
    return sorted(near, key=lambda each: (-each.likeness, each.record_id, each.version))[:limit]
