"""A PostgreSQL database that many machines share.

Everything a transaction needs is set inside it: the schema, the space whose rows it may see, and a role that
row-level security binds. Nothing is left on the connection, so a transaction pooler may stand in between.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import psycopg
import psycopg.conninfo
import psycopg_pool

from recollect.domain.answers.upkeep import Check
from recollect.domain.clock import allowed_staleness, require_time, time_left, too_slow
from recollect.domain.errors import (
    Busy,
    Damaged,
    Misconfigured,
    RecollectError,
    Refused,
    StorageFull,
    StoreFailure,
    Unreachable,
)
from recollect.domain.scopes import ANYWHERE, Scope, moved_away
from recollect.stores.bound.bound_database import settings_of
from recollect.stores.conditions import has_words
from recollect.stores.database import Row, Search, Transaction, Value, statements, with_percent_parameters
from recollect.stores.postgres import roles
from recollect.stores.postgres.index_build import built
from recollect.stores.postgres.pgvector import (
    INSERT_PLACED,
    Extension,
    ServerVectors,
    drop_indexes,
    extension_of,
    place_of,
    spelled,
    unindexed,
)
from recollect.stores.postgres.replica import PATIENCE, Replica
from recollect.stores.postgres.roles import BOUND, GRANT_MEMBER, GRANT_VIEWS, MEMBER, PREPARE_MEMBER, SCHEMA, make_views

EVERY_SPACE = "*"  # not a name a space can have; it opens the list of spaces and the access tokens, and no other table

_MIGRATION_LOCK = 7_205_759_403  # any number that others are unlikely to use
_MIGRATION_PATIENCE = "600s"  # for another process that migrates
_OLDEST_SERVER = 150_000
_LONGEST_WORD = 2000  # bytes; longer ones are in no index
_CONNECTIONS = 8

_SNAPSHOT = psycopg.IsolationLevel.REPEATABLE_READ  # all statements of a read see the same moment
_NEWEST = psycopg.IsolationLevel.READ_COMMITTED  # after waiting for a lock, a write sees what the holder did

_ENTER = """SELECT set_config('search_path', %(schema)s, true), set_config('recollect.space', %(space)s, true),
set_config('lock_timeout', %(patience)s, true), set_config('statement_timeout', %(limit)s, true),
set_config('idle_in_transaction_session_timeout', %(limit)s, true), set_config('role', %(role)s, true),
set_config('enable_seqscan', 'off', true)"""

# Whoever writes in a space holds it together with other writers; whoever moves it holds it alone. Locks of the
# transaction: a pooler would hand those of a session on to somebody else.
_TOGETHER = ", pg_advisory_xact_lock_shared(hashtextextended(%(space)s, 7205759405))"
_ALONE = ", pg_advisory_xact_lock(hashtextextended(%(space)s, 7205759405))"

# The views of a bound reader come before the tables; what they ask for goes with the transaction.
_BIND = f"""SELECT set_config('search_path', '{BOUND}, {SCHEMA}', true), set_config('recollect.user', :user, true),
set_config('recollect.agent', :agent, true), set_config('recollect.project', :project, true),
set_config('recollect.part', :part, true)"""


class PostgresDatabase:
    """A pool of connections to one database."""

    dialect = "postgres"
    cache = None  # a server is shared by machines; what one of them keeps, another could not take away

    def __init__(self, url: str, *, busy_timeout: float, statement_timeout: float = 60.0, replica: str = "") -> None:
        self._url = url
        self._statement_timeout = statement_timeout
        self._replica = Replica(self._following) if replica else None
        self._replica_url = replica
        self._patience = f"{int(busy_timeout * 1000)}ms"
        named = statements("postgres")
        self._statements = {name: with_percent_parameters(named[name]) for name in named.blocks}
        try:
            parts = psycopg.conninfo.conninfo_to_dict(url)
        except psycopg.Error as problem:
            # The driver quotes the part it cannot read, and that may be the password.
            said = re.sub('".*"', "…", str(problem).strip(), flags=re.DOTALL)
            raise Misconfigured(f"The address of the PostgreSQL server cannot be read: {said}.") from None
        self.location = " ".join(f"{name}={value}" for name, value in parts.items() if "password" not in name)
        # The first connection is made by hand: a server that is not there is told at once, and with its reason.
        self._seconds = max(2, math.ceil(busy_timeout))
        with self._translated(), psycopg.connect(url, connect_timeout=self._seconds) as connection:
            self._look(connection)
            privileged = connection.execute(
                "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
            ).fetchone()
        self._pid = os.getpid()
        self._pool = self._new_pool()
        self._held, self._jotting = _Held(), threading.Lock()
        # A role that row-level security does not bind becomes one that it does, in every transaction.
        self._role = MEMBER if privileged and privileged[0] else "none"
        self._extension = Extension()
        self._served: dict[str, ServerVectors] = {}

    def _following(self) -> PostgresDatabase:
        return PostgresDatabase(self._replica_url, busy_timeout=PATIENCE, statement_timeout=self._statement_timeout)

    def reading(self, space: str | None) -> AbstractContextManager[Transaction]:
        return self._reading(space, ANYWHERE)

    def reading_within(self, space: str, within: Scope) -> AbstractContextManager[Transaction]:
        return self._reading(space, within)

    @contextlib.contextmanager
    def _reading(self, space: str | None, within: Scope) -> Iterator[Transaction]:
        require_time()
        held, part = self._held.by_part, (space, within)
        if part in held:
            with self._translated():
                yield held[part]
            return
        copy = self._replica.within(allowed_staleness()) if self._replica and space and allowed_staleness() else None
        if copy is not None:
            with copy._reading(space, within) as transaction:
                yield transaction
            return
        with self._transaction(space, _SNAPSHOT) as transaction:
            if within != ANYWHERE:
                transaction.query(_BIND, **settings_of(within))
            held[part] = transaction
            try:
                yield transaction
            finally:
                del held[part]

    @contextlib.contextmanager
    def writing(self, space: str | None, *, rehearse: bool = False) -> Iterator[Transaction]:
        with self._transaction(space, _NEWEST, rehearse=rehearse, hold=_TOGETHER) as transaction:
            yield transaction

    @contextlib.contextmanager
    def moving(self, space: str) -> Iterator[Transaction]:
        with self._transaction(space, _NEWEST, hold=_ALONE) as transaction:
            yield transaction

    @contextlib.contextmanager
    def jotting(self, space: str | None) -> Iterator[Transaction]:
        self._connections()  # after a fork with a lock of its own
        # Jots of this process would meet each other where they grow a table or drop the same old rows.
        with self._jotting, self._transaction(space, _NEWEST, hold=_TOGETHER, patience="1ms") as transaction:
            transaction.query("SELECT set_config('synchronous_commit', 'off', true)")
            yield transaction

    @contextlib.contextmanager
    def migrating(self) -> Iterator[Transaction]:
        with self._begun(_NEWEST) as connection:
            # A lock of the transaction, not of the session: a pooler would hand that one on to somebody else. Another
            # process may migrate for long; but a table that somebody reads is waited for as a write would, because
            # everybody else waits behind whoever waits for a whole table.
            connection.execute("SELECT set_config('lock_timeout', %s, true)", (_MIGRATION_PATIENCE,))
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))
            connection.execute("SELECT set_config('lock_timeout', %s, true)", (self._patience,))
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
            connection.execute("SELECT set_config('search_path', %s, true)", (SCHEMA,))
            if self._role == MEMBER:
                connection.execute(PREPARE_MEMBER)
            connection.execute(f"DROP SCHEMA IF EXISTS {BOUND} CASCADE")  # a view would hold its table as it is
            yield _PostgresTransaction(connection, self._statements, self._served)
            bound = make_views(connection)
            if self._role == MEMBER:
                connection.execute(GRANT_MEMBER + GRANT_VIEWS * bound)

    def build(self, script: str) -> bool:
        with self._translated(), contextlib.suppress(psycopg.errors.InsufficientPrivilege):  # only the owner can
            return built(self, script)
        return False

    def find_extension(self) -> None:
        """Look whether the server can compare vectors; once, after the tables were made."""
        with self._translated():
            self._extension = extension_of(self, MEMBER if self._role == MEMBER else None)
        if self._extension.is_used:
            insert = spelled(INSERT_PLACED, self._extension.schema)
            self._statements["insert_placed_vector"] = with_percent_parameters(insert)

    def served_vectors(self, model_id: str, dimension: int) -> ServerVectors | None:
        if self._extension.is_used:
            served = ServerVectors(self, self._extension.schema, model_id, dimension)
            return self._served.setdefault(model_id, served)
        return None

    def has_table(self, transaction: Transaction, name: str) -> bool:
        return transaction.query("SELECT to_regclass(:name) IS NOT NULL", name=f"{SCHEMA}.{name}") == [(True,)]

    def terms(self, words: Sequence[str], space: str, *, beginnings: bool) -> str:  # noqa: ARG002 - statements name it
        sought = (word for word in words if word and len(word.encode()) <= _LONGEST_WORD)
        quoted = ("'" + word.replace("\\", "\\\\").replace("'", "''") + "'" for word in sought)
        return " | ".join(word + ":*" * beginnings for word in quoted)

    def searches(
        self,
        transaction: Transaction,  # noqa: ARG002
        index: str,  # noqa: ARG002
        words: Sequence[str],
        space: str,
        *,
        beginnings: bool,
    ) -> Iterator[Search]:
        yield {"terms": self.terms(words, space, beginnings=beginnings)}

    def tagged(self, transaction: Transaction, tag: str, space: str) -> Search | None:  # noqa: ARG002 - the planner looks it up
        return {"tagged": tag} if has_words(tag) else None

    def clean_residue(self) -> str | None:
        """Old row versions stay in the server's files until it vacuums them; its log until it is recycled."""
        names = self._spaces()
        with self._translated(), self._connections().connection() as connection:
            for table in (
                "note",
                "note_text",
                "note_link",
                "note_metadata",
                "note_entity",
                "idempotency",
                "observation",
                "observation_text",
                "attachment",
                "attachment_reference",
                "embedding",
                "judgement",
                "statement_link",
                "receipt",
                "reminded",
                "evaluation_question",
                "slot",
                "action",
                "job",
            ):
                connection.execute(f"VACUUM {SCHEMA}.{table}")
            with contextlib.suppress(psycopg.errors.InsufficientPrivilege):  # only the owner of the tables can
                if self._extension.is_used:
                    drop_indexes(connection, names)
        return None

    def check(self) -> Sequence[Check]:
        with self._translated(), self._connections().connection() as connection:
            version = connection.info.server_version
            unbound = connection.execute(
                "SELECT relname FROM pg_class WHERE relnamespace = %s::regnamespace AND relkind = 'r'"
                " AND relname <> 'migration' AND NOT (relrowsecurity AND relforcerowsecurity) ORDER BY relname",
                (SCHEMA,),
            ).fetchall()
            words = roles.use_of_words(connection)
            secured = connection.execute("SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()").fetchone()
        names = ", ".join(row[0] for row in unbound)
        return [
            Check("server", True, f"PostgreSQL {version // 10000}.{version % 10000}"),
            Check(
                "connection",
                True,
                f"encrypted, {secured[1]}" if secured and secured[0] else "not encrypted",
                "" if secured and secured[0] else "`?sslmode=verify-full` in the address asks for TLS.",
            ),
            Check(
                "role",
                True,
                "bound by row-level security"
                if self._role == "none"
                else f"above it, and becomes {MEMBER} for each call",
                "" if self._role == "none" else "`recollect store grants` prints a role with the least rights.",
            ),
            Check(
                "isolation",
                not unbound,
                f"not forced on {names}" if unbound else "row-level security is forced on every table",
                "Run the migrations as the owner of the tables." if unbound else "",
            ),
            Check("text index", True, *words),
            Check("vector search", True, self.vector_search, self._extension.hint or self._hint_of_indexes()),
        ]

    def _hint_of_indexes(self) -> str:
        lacking = 0
        for space in self._spaces():
            with self.reading(space) as transaction:
                lacking += bool(unindexed(transaction, space))
        many = "A large space has" if lacking == 1 else f"{lacking:,} large spaces have"
        return f"{many} no index yet: run `recollect reindex` as the owner of the tables." if lacking else ""

    def _spaces(self) -> list[str]:
        with self.reading(None) as transaction:
            return [row[0] for row in transaction.rows("spaces")]

    @property
    def vector_search(self) -> str:
        found = self._extension
        if found.is_used:
            return f"compared by the server: pgvector {found.version} in the schema {found.schema}"
        return f"compared in each process: {found.problem}"

    def rebuild(self) -> None:
        with self._translated(), self._connections().connection() as connection:
            for index in ("note_words", "observation_words"):
                connection.execute(f"REINDEX INDEX {SCHEMA}.{index}".encode())
        for space in self._spaces() if self._extension.is_used else ():
            with self.reading(space) as transaction:
                models = unindexed(transaction, space)
            for model_id, dimension in models:
                with self._translated(), contextlib.suppress(Damaged):  # vectors that are damaged are told by a check
                    ServerVectors(self, self._extension.schema, model_id, dimension).place(space)

    def size(self) -> int | None:
        with self._translated(), self._connections().connection() as connection:
            row = connection.execute(
                "SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class"
                " WHERE relnamespace = %s::regnamespace AND relkind = 'r'",
                (SCHEMA,),
            ).fetchone()
        return int(row[0]) if row else None

    def close(self) -> None:
        if os.getpid() == self._pid:
            self._pool.close()
            if self._replica is not None:
                self._replica.close()

    @contextlib.contextmanager
    def connected(self) -> Iterator[psycopg.Connection[Row]]:
        """A connection as its user, outside of any transaction. The errors of the driver leave as they are."""
        with self._connections().connection() as connection:
            connection.isolation_level = _NEWEST
            yield connection

    @contextlib.contextmanager
    def _transaction(
        self,
        space: str | None,
        isolation: psycopg.IsolationLevel,
        *,
        rehearse: bool = False,
        hold: str = "",
        patience: str = "",
    ) -> Iterator[Transaction]:
        setting = {
            "schema": SCHEMA,
            "space": EVERY_SPACE if space is None else space,
            "patience": patience or self._patience,
            "limit": self._limit(),
            "role": self._role,
        }
        with self._begun(isolation, rehearse=rehearse) as connection:
            if self._role == MEMBER and space is None and not self._has_member(connection):
                setting["role"] = "none"  # before the first migration there is nobody to become
            connection.execute((_ENTER + hold * (space is not None)).encode(), setting)
            transaction = _PostgresTransaction(connection, self._statements, self._served)
            if space is not None and hold == _TOGETHER and transaction.rows("served_elsewhere", space=space):
                raise moved_away(space)
            yield transaction

    def _limit(self) -> str:
        """How long a statement may take: as it is set, but no longer than somebody waits for it; 0 is for ever."""
        seconds, left = self._statement_timeout, time_left()
        return f"{math.ceil(1000 * (seconds if left is None else min(seconds or left, left + 1)))}ms"

    @contextlib.contextmanager
    def _begun(self, isolation: psycopg.IsolationLevel, *, rehearse: bool = False) -> Iterator[psycopg.Connection[Row]]:
        with self._translated(), self._connections().connection() as connection:
            connection.isolation_level = isolation  # said with BEGIN, and kept by the driver only
            with connection.transaction(force_rollback=rehearse):
                yield connection

    def _has_member(self, connection: psycopg.Connection[Row]) -> bool:
        return bool(connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (MEMBER,)).fetchone())

    def _connections(self) -> psycopg_pool.ConnectionPool[psycopg.Connection[Row]]:
        """The pool this process made; one that came over a fork is left alone."""
        if os.getpid() != self._pid:
            self._pool, self._pid, self._jotting = self._new_pool(), os.getpid(), threading.Lock()
        return self._pool

    def _new_pool(self) -> psycopg_pool.ConnectionPool[psycopg.Connection[Row]]:
        # No prepared statements: behind a transaction pooler the next transaction may be on another connection.
        options: dict[str, Any] = {"autocommit": True, "prepare_threshold": None, "connect_timeout": self._seconds}
        return psycopg_pool.ConnectionPool(
            self._url,
            kwargs=options,
            min_size=0,
            max_size=_CONNECTIONS,
            timeout=2 * self._seconds,
            open=True,
            name="recollect",
        )

    def _look(self, connection: psycopg.Connection[Row]) -> None:
        if connection.info.server_version < _OLDEST_SERVER:
            raise Refused(
                f"The server at {self.location} is PostgreSQL {connection.info.server_version // 10000}.",
                code="old_server",
                hint=f"PostgreSQL {_OLDEST_SERVER // 10000} or newer is needed.",
            )

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as problem:
            raise self._ours(problem) from problem

    def _ours(self, problem: psycopg.Error) -> RecollectError:
        said = (problem.diag.message_primary or str(problem)).strip().rstrip(".")
        match problem:
            case (
                psycopg.errors.LockNotAvailable()
                | psycopg.errors.SerializationFailure()
                | psycopg.errors.DeadlockDetected()
            ):
                return Busy()
            case psycopg.errors.QueryCanceled() | psycopg.errors.IdleInTransactionSessionTimeout():
                return too_slow()
            case psycopg.errors.DiskFull():
                return StorageFull()
            case psycopg_pool.PoolTimeout() | psycopg_pool.TooManyRequests():
                return Unreachable(f"The server at {self.location} did not answer in time.")
            case psycopg.errors.InsufficientPrivilege():
                return StoreFailure(
                    f"The server at {self.location} refuses: {said}.",
                    code="not_writable",
                    hint="Let the owner of the database run `recollect status` once, so that the tables are made.",
                )
            case psycopg.OperationalError():
                return Unreachable(f"The server at {self.location} cannot be used: {said}.")
            case _:
                return StoreFailure(f"PostgreSQL reports: {said}.")


class _Held(threading.local):
    """The views that a thread is reading in."""

    def __init__(self) -> None:
        self.by_part: dict[tuple[str | None, Scope], Transaction] = {}


class _PostgresTransaction:
    def __init__(
        self, connection: psycopg.Connection[Row], named: dict[str, str], served: Mapping[str, ServerVectors]
    ) -> None:
        self._connection = connection
        self._named = named
        self._served = served

    def rows(self, statement: str, **values: Value) -> list[Row]:
        if statement == "insert_vector" and (served := self._served.get(str(values["model_id"]))):
            record_id, vector = str(values["record_id"]), values["vector"]
            if isinstance(vector, bytes):
                values["place"] = place_of(served.checked(record_id, vector))
                statement = "insert_placed_vector"
        return self._fetch(self._named[statement], values)

    def each(self, statement: str, values: Sequence[Mapping[str, Value]]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(self._named[statement].encode(), values)

    def query(self, sql: str, **values: Value) -> list[Row]:
        return self._fetch(with_percent_parameters(sql), values)

    def script(self, sql: str) -> None:
        self._connection.execute(sql.encode())

    def _fetch(self, sql: str, values: dict[str, Value]) -> list[Row]:
        cursor = self._connection.execute(sql.encode(), values)
        return cursor.fetchall() if cursor.description else []
