"""A database file that many processes and threads use at once, and never lose anything in.

What holds it together: one bundled SQLite; a connection per thread, stamped with the process that made it;
write-ahead log with `synchronous=FULL`, so that what is acknowledged is on the disk; every write takes the
write lock at its first moment (a lock taken later fails under contention whatever the timeout); and no code of
ours ever opens the file itself, because closing any descriptor of it would drop SQLite's locks.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import apsw

from recollect.domain.clock import Clock, require_time
from recollect.domain.errors import Busy, Damaged, RecollectError, Refused, StorageFull, StoreFailure
from recollect.domain.late import Late
from recollect.domain.scopes import moved_away
from recollect.stores.damaged_rows import damaged_record
from recollect.stores.database import Row, Search, Transaction, Value, statements
from recollect.stores.sqlite.damage import (
    ELSEWHERE,
    ESSENTIAL,
    INDEXES,
    OURS,
    checks,
    damage_of,
    forbids_writing,
    next_step,
    require_local_file_system,
    require_sound_sqlite,
    tells_of_damage,
    truncated,
)
from recollect.stores.sqlite.files import CacheFolder, make_file, make_folder, not_writable
from recollect.stores.sqlite.frozen import Way, cannot_be_written, read_only, stamp_of, way_to_read
from recollect.stores.sqlite.searching import IndexSizes, searches, size_of, tagged, terms_in
from recollect.stores.sqlite.wal import LogKeeper

if TYPE_CHECKING:
    from recollect.domain.answers.upkeep import Check
    from recollect.domain.scopes import Scope

IN_MEMORY = ":memory:"

_TRIES = 3  # each waits the whole busy timeout
_LONGEST_PAUSE = 0.05  # seconds between two tries
_CACHE_KIB = 16 * 1024  # pages a connection keeps at most; the text index of 100,000 notes fits
_WAL_LIMIT = 32 * 1024 * 1024  # bytes the log file is cut back to when it starts over

_NAMES = itertools.count(1)  # of databases in memory: two of one name would be one

T = TypeVar("T")

# Connections of a process we were forked from. They must be neither used nor closed here, so they are kept.
_abandoned: list[apsw.Connection] = []


class SqliteDatabase:
    """An open database file, or one in memory that goes with the object."""

    dialect = "sqlite"
    vector_search = ""  # always in the process

    def __init__(self, path: str, *, clock: Clock, busy_timeout: float) -> None:
        require_sound_sqlite()
        self._clock = clock
        self._busy_timeout = busy_timeout
        self._local = threading.local()
        # Each connection with the way it was opened: a copy it reads stays as long as the connection does.
        self._open: weakref.WeakKeyDictionary[apsw.Connection, Way | None] = weakref.WeakKeyDictionary()
        self._pid = os.getpid()
        self._statements = statements("sqlite")
        self.read_only = False
        self._way: Way | None = None  # how a file that cannot be written was opened last
        self._way_lock, self._jotting = threading.Lock(), threading.Lock()
        self.log: LogKeeper | None = None
        if path == IN_MEMORY:
            self.location, self.path, self.cache = IN_MEMORY, None, None
            self._target = f"file:/recollect-{next(_NAMES)}?vfs=memdb"
            # The first connection keeps the database alive for the others.
            self._anchor = self.connect()
        else:
            self.path = Path(path).expanduser().absolute()
            require_local_file_system(self.path)
            self.cache = CacheFolder(self.path, clock)
            self.location = self._target = str(self.path)
            self.read_only = cannot_be_written(self.path)
            self.log = LogKeeper(self.path)
            if not self.read_only:
                _prepare_file(self.path, clock)
            _require_no_orphaned_log(self.path)
        self._patiently(self._look)

    def served_vectors(self, model_id: str, dimension: int) -> None:
        """None: there is no server that could compare them."""

    def reading(self, space: str | None) -> AbstractContextManager[Transaction]:  # noqa: ARG002 - every statement names its space
        require_time()
        connection = self.connection()
        held: Transaction | None = getattr(self._local, "held", None)
        return self._begun(connection) if held is None else HeldTransaction(held, self._ours)

    def reading_within(self, space: str, within: Scope) -> AbstractContextManager[Transaction]:  # noqa: ARG002
        require_time()
        from recollect.stores.sqlite.bound_reader import BoundReader

        self.connection()  # a fork is noticed there
        bound: BoundReader | None = getattr(self._local, "bound", None)
        if bound is None or self._is_outdated(bound.connection):
            bound = self._local.bound = BoundReader(self.connect())
        connection = bound.connection

        def begun() -> Transaction:
            self._patiently(lambda: connection.execute("BEGIN"))
            return SqliteTransaction(connection, self._statements)

        return bound.reading(within, self.translated(connection), begun)

    @contextlib.contextmanager
    def _begun(self, connection: apsw.Connection) -> Iterator[Transaction]:
        connection = self._following_the_file(connection)
        with self.translated(connection):
            connection.execute("BEGIN")  # waits for nobody: it locks nothing yet
            self._local.held = SqliteTransaction(connection, self._statements)
            try:
                yield self._local.held
            finally:
                self._local.held = None
            connection.execute("COMMIT")
        if self._is_outdated(connection):
            raise Busy(f"{self.location} was changed while it was read.", hint="Try again.")

    @contextlib.contextmanager
    def writing(self, space: str | None, *, rehearse: bool = False) -> Iterator[Transaction]:
        self._require_writable()
        connection = self.connection()
        with self.translated(connection):
            self._patiently(lambda: connection.execute("BEGIN IMMEDIATE"))
            transaction = SqliteTransaction(connection, self._statements)
            if space is not None and transaction.rows("served_elsewhere", space=space):
                raise moved_away(space)
            yield transaction
            connection.execute("ROLLBACK" if rehearse else "COMMIT")

    def moving(self, space: str) -> AbstractContextManager[Transaction]:  # noqa: ARG002 - one writer has the whole file
        return self.writing(None)

    @contextlib.contextmanager
    def jotting(self, space: str | None) -> Iterator[Transaction]:
        self._require_writable()
        connection = self.connection()
        try:
            with self.translated():
                # Without a sync of its own: the next write that is acknowledged syncs this one too.
                connection.set_busy_timeout(0)
                connection.pragma("synchronous", "normal")
            with self._jotting, self.translated(connection):  # another jot of this process is short
                connection.execute("BEGIN IMMEDIATE")
                transaction = SqliteTransaction(connection, self._statements)
                if space is not None and transaction.rows("served_elsewhere", space=space):
                    raise moved_away(space)
                yield transaction
                connection.execute("COMMIT")
        finally:
            connection.set_busy_timeout(int(self._busy_timeout * 1000))
            connection.pragma("synchronous", "full")

    @contextlib.contextmanager
    def migrating(self) -> Iterator[Transaction]:
        self._require_writable()
        connection = self.connection()
        if self.path is not None and self._patiently(lambda: connection.pragma("journal_mode")) != "wal":
            self._patiently(lambda: connection.pragma("journal_mode", "wal"))
        with self.writing(None) as transaction:
            yield transaction

    def build(self, script: str) -> bool:
        with self.writing(None) as transaction:
            transaction.script(script)
        return True

    def has_table(self, transaction: Transaction, name: str) -> bool:
        return bool(transaction.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = :name", name=name))

    def terms(self, words: Sequence[str], space: str, *, beginnings: bool) -> str:
        return terms_in(space, words, beginnings=beginnings)

    def searches(
        self, transaction: Transaction, index: str, words: Sequence[str], space: str, *, beginnings: bool
    ) -> Iterator[Search]:
        whole = transaction is getattr(self._local, "held", None)  # and no part of a space
        size = (self._local.sizes.of if whole else size_of)(transaction, index, space)
        return searches(transaction, index, words, space, size, beginnings=beginnings)

    def tagged(self, transaction: Transaction, tag: str, space: str) -> Search | None:
        return tagged(transaction, tag, space)

    def clean_residue(self) -> str | None:
        """Write the file anew and empty the log, at a cost that grows with the whole file.

        A row is overwritten where it lies when it is deleted, but that is not enough: pages that were rearranged
        before have other copies of it, the text index keeps words as the bounds of its own pages, and the log has
        older pages.
        """
        if self.path is None or self.cache is None:
            return None
        connection = self.connection()

        def write_anew() -> None:
            with self.translated(connection):
                connection.execute("VACUUM")

        def empty_log() -> None:
            with self.translated(connection):
                [(blocked, _, _)] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            if blocked:
                raise Busy

        try:
            self.cache.clear()
            if self.log is not None:
                self.log.clear()
        except OSError as problem:
            return f"The files in {problem.filename} could not be taken away. Forget it again to clean them."
        try:
            self.rebuild()
            self._patiently(write_anew)
            self._patiently(empty_log)
        except Busy:
            return "Another process is reading; the files still have older pages. Forget it again to clean them."
        except StoreFailure as problem:
            # What was asked for is done and safe; raising here would say that it was not.
            return f"The files still have older pages: {problem.message} Forget it again to clean them."
        return None

    def check(self) -> Sequence[Check]:
        return checks(self)

    def rebuild(self) -> None:
        with self.writing(None) as transaction:
            for index in INDEXES:
                transaction.query(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")  # noqa: S608

    def size(self) -> int | None:
        if self.path is None:
            return None
        files = (self.path, Path(f"{self.path}-wal"))
        # Asking by name is safe; opening the file would not be.
        return sum(file.stat().st_size for file in files if file.exists())

    def close(self) -> None:
        if os.getpid() != self._pid:
            return
        connections = list(self._open)
        self._open.clear()
        self._local = threading.local()
        for connection in connections:
            with self.translated():
                connection.close()
        self._way = None

    def connection(self) -> apsw.Connection:
        """This thread's own connection, made by this process."""
        if os.getpid() != self._pid:
            _abandoned.extend(self._open)
            self._open = weakref.WeakKeyDictionary()
            self._local = threading.local()
            self._way, self._way_lock, self._jotting = None, threading.Lock(), threading.Lock()
            self._pid = os.getpid()
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self.connect()
            self._local.sizes = IndexSizes(connection)
        return connection

    def connect(self) -> apsw.Connection:
        """A connection beside the thread's own."""
        with self.translated():
            flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
            target, way = self._target, None
            if self.path is None:
                flags |= apsw.SQLITE_OPEN_URI
            elif self.read_only:
                way = self._way_to_read(self.path)
                target, flags = way.target, way.flags
            connection = apsw.Connection(target, flags=flags)
            connection.set_busy_timeout(int(self._busy_timeout * 1000))
            if self.read_only:
                connection.pragma("query_only", 1)
            if self.log is not None and self.log.is_damaged:
                # The last one to leave would empty the log, and with it what may still be got out.
                connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            # Plans do not depend on bound values: otherwise every new value has its statement planned anew.
            connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
            connection.pragma("synchronous", "full")
            connection.pragma("fullfsync", 1)  # macOS: without it a sync stops at the disk's own cache
            connection.pragma("secure_delete", 1)
            connection.pragma("temp_store", "memory")  # no note is spilled into a temporary file
            connection.pragma("journal_size_limit", _WAL_LIMIT)
            connection.pragma("cache_size", -_CACHE_KIB)
        self._open[connection] = way
        return connection

    def _look(self) -> None:
        """See whether the file is a database, and one of ours, before anything is written to it."""
        connection = self.connection()
        with self.translated(connection):
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if tables >= ESSENTIAL and self.log is not None:
                self.log.look(connection, keep=not self.read_only)
        if not tables or tables >= ESSENTIAL:
            return
        if self.path is not None and tables & OURS:
            raise Damaged(f"{self.location} is damaged: tables are missing.", hint=next_step(self.path))
        raise Refused(
            f"{self.location} is an SQLite database, but not one of Recollect's.",
            code="foreign_database",
            hint=ELSEWHERE,
        )

    def _require_writable(self) -> None:
        if self.read_only:
            raise read_only(self.location)

    def _following_the_file(self, connection: apsw.Connection) -> apsw.Connection:
        """This thread's connection, made anew if somebody else has changed a file that cannot be written."""
        if not self._is_outdated(connection):
            return connection
        self._local.connection = None
        self._open.pop(connection, None)
        with self.translated():
            connection.close()
        return self.connection()

    def _is_outdated(self, connection: apsw.Connection) -> bool:
        """Whether the file was changed, and SQLite's own locks do not keep this connection from half of a change."""
        way = self._open.get(connection) if self.read_only else None
        return way is not None and self.path is not None and way.stamp not in (None, stamp_of(self.path))

    def _way_to_read(self, path: Path) -> Way:
        """The way that other threads have found, as long as the file is as it was then: a copy is made once."""
        with self._way_lock:
            if self._way is None or self._way.stamp != stamp_of(path):
                self._way = way_to_read(path)
            return self._way

    def _patiently(self, attempt: Callable[[], T]) -> T:
        """Try again, at random moments, when another process has the lock; then give up with `Busy`."""
        for tries_left in reversed(range(_TRIES)):
            try:
                with self.translated():
                    return attempt()
            except Busy:
                if not tries_left:
                    raise
                time.sleep(self._clock.chance() * _LONGEST_PAUSE)
        raise AssertionError("unreachable")

    def translated(self, connection: apsw.Connection | None = None) -> AbstractContextManager[None]:
        """Roll the transaction back on any exception, and raise an error of SQLite as one of ours."""
        return Translated(connection, self._ours)

    def _ours(self, problem: apsw.Error) -> RecollectError:
        where = self.location
        match problem:
            case apsw.BusyError() | apsw.LockedError():
                return Busy()
            case apsw.FullError():
                return StorageFull()
            case _ if self.path is not None and tells_of_damage(problem):
                return damage_of(self.path, str(problem))
            case apsw.CorruptError() | apsw.NotADBError():
                return Damaged(f"{where} is damaged: {problem}.")
            case apsw.ReadOnlyError() if self.path is not None and forbids_writing(self.path):
                return Damaged(f"{where} is damaged: its header makes no sense.", hint=next_step(self.path))
            case apsw.ReadOnlyError():
                return read_only(where, str(problem))
            case apsw.CantOpenError() if self.path is not None and not os.access(self.path, os.R_OK):
                return StoreFailure(
                    f"{where} cannot be read: {problem}.", code="not_readable", hint="Check who owns it, and the disk."
                )
            case apsw.CantOpenError() | apsw.PermissionsError() | apsw.AuthError():
                return StoreFailure(
                    f"{where} cannot be opened for writing: {problem}.",
                    code="not_writable",
                    hint="Check who owns the folder and its files.",
                )
            case apsw.IOError():
                return StoreFailure(f"The disk failed under {where}: {problem}.", code="disk_failed")
            case _:
                return StoreFailure(f"SQLite reports: {problem}.")


def _require_no_orphaned_log(path: Path) -> None:
    """Refuse an empty file with a log beside it: SQLite would take it for new, and delete the log."""
    log = Path(f"{path}-wal")
    # In this order: a process that makes the database writes to the log after it wrote to the file.
    if log.exists() and log.stat().st_size and path.exists() and not path.stat().st_size:
        raise truncated(path, "it is empty, but its log is not")


def _prepare_file(path: Path, clock: Clock) -> None:
    """Make an empty file that only its owner can read, unless there is one.

    It is made under another name and linked into place once it is closed: a descriptor that is still open when
    another thread has connected would drop that thread's locks when it closes.
    """
    try:
        make_folder(path.parent)
        if path.is_dir():
            raise Refused(f"{path} is a folder, not a database.", code="not_a_database", hint="Name a file in it.")
        if not path.exists():
            blank = path.with_name(f".{path.name}.{clock.new_id()}")
            make_file(blank)
            try:
                # Another process was faster, or the file system has no links: then SQLite makes the file.
                with contextlib.suppress(OSError):
                    os.link(blank, path)
            finally:
                blank.unlink()
    except OSError as problem:
        raise not_writable(path, problem, hint="Set RECOLLECT_HOME to a folder you can write to.") from problem


_TABLE = Late(r"(?:FROM|UPDATE|INTO)\s+(\w+)")  # the first table that a statement names


class HeldTransaction:
    """The view that a thread has open, entered once more. No generator: a search enters it twenty times."""

    def __init__(self, transaction: Transaction, ours: Callable[[apsw.Error], RecollectError]) -> None:
        self._transaction, self._ours = transaction, ours

    def __enter__(self) -> Transaction:
        return self._transaction

    def __exit__(self, _kind: object, problem: BaseException | None, _trace: object) -> None:
        if isinstance(problem, apsw.Error):
            raise self._ours(problem) from problem


class Translated:
    """Rolls the transaction of a connection back on any exception, and raises an error of SQLite as one of ours."""

    def __init__(self, connection: apsw.Connection | None, ours: Callable[[apsw.Error], RecollectError]) -> None:
        self._connection, self._ours = connection, ours

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, problem: BaseException | None, _trace: object) -> None:
        if problem is not None and self._connection is not None and self._connection.in_transaction:
            # A rollback that fails was done by SQLite already; the first error is the one that tells.
            with contextlib.suppress(apsw.Error):
                self._connection.execute("ROLLBACK")
        if isinstance(problem, apsw.Error):
            raise self._ours(problem) from problem


class SqliteTransaction:
    """Statements on one connection, between its beginning and its end."""

    def __init__(self, connection: apsw.Connection, named: Mapping[str, str]) -> None:
        self._connection = connection
        self._named = named

    def rows(self, statement: str, **values: Value) -> list[Row]:
        return self.query(self._named[statement], **values)

    def each(self, statement: str, values: Sequence[Mapping[str, Value]]) -> None:
        self._connection.executemany(self._named[statement], values)

    def query(self, sql: str, **values: Value) -> list[Row]:
        try:
            return self._connection.execute(sql, values).fetchall()
        except UnicodeDecodeError as problem:
            table = _TABLE.search(sql)
            raise damaged_record(table[1] if table else "", "", "a text in it is not UTF-8") from problem

    def script(self, sql: str) -> None:
        self._connection.execute(sql)
