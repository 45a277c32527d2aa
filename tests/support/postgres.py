"""A real PostgreSQL for the tests: the one RECOLLECT_TEST_POSTGRES names, or one that is started here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

import psycopg
import psycopg.conninfo

from recollect.domain.clock import SystemClock
from recollect.stores.opening import open_store
from tests.support import pgvector

# Deleted rows stay in the files for a while, and every search reads them again: a database that has grown is dropped.
_GROWN = 2_000_000  # bytes

# Every definition in a database and the transaction that wrote it last: equal before and after, nothing was defined.
_DEFINITIONS = """
SELECT count(*), bit_xor(hashtextextended(kind || ' ' || id || ' ' || written, 0)) FROM (
    SELECT 'schema', oid::text, xmin::text FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp_'
    UNION ALL SELECT 'table', oid::text, xmin::text FROM pg_class WHERE relpersistence <> 't'
    UNION ALL SELECT 'column', attrelid || '.' || attnum, xmin::text FROM pg_attribute WHERE attrelid >= 16384
    UNION ALL SELECT 'constraint', oid::text, xmin::text FROM pg_constraint
    UNION ALL SELECT 'trigger', oid::text, xmin::text FROM pg_trigger
    UNION ALL SELECT 'policy', oid::text, xmin::text FROM pg_policy
    UNION ALL SELECT 'rule', oid::text, xmin::text FROM pg_rewrite WHERE oid >= 16384
    UNION ALL SELECT 'function', oid::text, xmin::text FROM pg_proc WHERE oid >= 16384
    UNION ALL SELECT 'extension', oid::text, xmin::text FROM pg_extension
    UNION ALL SELECT 'migration', number::text, xmin::text FROM recollect.migration
    UNION ALL SELECT 'setting', setrole::text, xmin::text FROM pg_db_role_setting
) AS definition (kind, id, written)
"""

# Rows go without asking triggers and foreign keys, in whatever order the tables come.
_EMPTY = """
SET session_replication_role = replica;
DO $$
DECLARE
    filled regclass;
BEGIN
    FOR filled IN
        SELECT oid FROM pg_class
        WHERE relnamespace = 'recollect'::regnamespace AND relkind = 'r' AND relname <> 'migration'
    LOOP
        EXECUTE 'DELETE FROM ' || filled;
    END LOOP;
END
$$;
"""

_SIZE = """SELECT sum(pg_relation_size(oid)) FROM pg_class
WHERE relnamespace = 'recollect'::regnamespace AND relkind IN ('r', 'i')"""

_HANG_UP = """SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"""


@dataclass
class _Database:
    name: str
    connection: psycopg.Connection  # ours, kept as long as the database: connecting anew costs more than emptying
    definitions: object


class Server:
    """A server on which every test gets an empty database that no other test sees.

    Making and dropping a database takes longer than most tests. A migrated one whose definitions a test left alone
    is therefore emptied and handed on; any other is dropped, and the next is cloned from a template.
    """

    def __init__(self, address: str, *, has_vectors: bool = False) -> None:
        self.address = address
        self.has_vectors = has_vectors  # whether pgvector is in every database that comes migrated
        self._made = 0
        self._free: list[_Database] = []
        self._template = f"recollect_template_{os.getpid()}"
        self._run(f"CREATE DATABASE {self._template}")
        if has_vectors:
            with psycopg.connect(self.url(self._template), autocommit=True) as connection:
                connection.execute("CREATE EXTENSION vector")
        open_store(self.url(self._template), clock=SystemClock(), busy_timeout=10).close()

    def url(self, database: str) -> str:
        parts = psycopg.conninfo.conninfo_to_dict(self.address, dbname=database)
        user = f"{parts.get('user', 'postgres')}@"
        host, port = str(parts.get("host", "")), parts.get("port")
        if host.startswith("/"):
            return f"postgresql://{user}/{database}?host={host}" + (f"&port={port}" if port else "")
        return f"postgresql://{user}{host}{f':{port}' if port else ''}/{database}"

    @contextmanager
    def database(self, *, migrated: bool = True) -> Iterator[str]:
        """The address of an empty database, with the tables of a store in it if it is migrated."""
        if not migrated:
            name = self._create()
            try:
                yield self.url(name)
            finally:
                self._drop(name)
            return
        database = self._free.pop() if self._free else self._clone()
        try:
            yield self.url(database.name)
        finally:
            if self._emptied(database):
                self._free.append(database)
            else:
                self._discard(database)

    def close(self) -> None:
        for database in self._free:
            self._discard(database)
        self._drop(self._template)

    def _clone(self) -> _Database:
        name = self._create(f"TEMPLATE {self._template} STRATEGY FILE_COPY")
        connection = psycopg.connect(self.url(name), autocommit=True)
        return _Database(name, connection, connection.execute(_DEFINITIONS).fetchone())

    def _emptied(self, database: _Database) -> bool:
        """Whether the database is again as it was cloned: nobody in it, no row, and the same definitions."""
        ask = database.connection.execute
        try:
            ask(_HANG_UP)
            if ask(_DEFINITIONS).fetchone() != database.definitions or ask(_SIZE).fetchall() > [(_GROWN,)]:
                return False
            ask(_EMPTY)
        except psycopg.Error:  # a test hung up on everybody, or took a table away
            return False
        return True

    def _discard(self, database: _Database) -> None:
        database.connection.close()
        self._drop(database.name)

    def _create(self, how: str = "") -> str:
        self._made += 1
        name = f"recollect_test_{os.getpid()}_{self._made}"
        self._run(f"CREATE DATABASE {name} {how}")
        return name

    def _drop(self, name: str) -> None:
        self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def _run(self, sql: str) -> None:
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(sql.encode())


@contextmanager
def running_server() -> Iterator[Server]:
    """A server for this process, gone with it."""
    given = os.environ.get("RECOLLECT_TEST_POSTGRES")
    if given:
        with closing(Server(given)) as server:
            yield server
        return
    # The extension is tried before, on another server: it may be one that this processor cannot run.
    has_vectors = not pgvector.problem()
    with pgvector.own_server() as running:
        address = running.get_uri()
        with psycopg.connect(address, autocommit=True) as connection:
            # The machine does not lose power in a test; the server's own durability is not what is tested.
            for setting in ("fsync", "synchronous_commit", "full_page_writes"):
                connection.execute(f"ALTER SYSTEM SET {setting} = off".encode())
            connection.execute("SELECT pg_reload_conf()")
        with closing(Server(address, has_vectors=has_vectors)) as server:
            yield server
