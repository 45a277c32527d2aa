"""Behind the store's back: plain SQL with the rights of whoever owns the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from recollect import Memory
from recollect.domain.ports import Store
from recollect.stores.database import Database, Row, Transaction
from recollect.stores.sql_store import SqlStore


def store_of(memory: Memory) -> SqlStore:
    """The store under a memory."""
    return cast("SqlStore", memory._engine.store)


def database_of(store: Store) -> Database:
    """The database under a store."""
    assert isinstance(store, SqlStore)
    return store._database


@contextmanager
def tampering(store: Store) -> Iterator[Transaction]:
    """A transaction that no row-level security binds."""
    database = database_of(store)
    with database.writing(None) as transaction:
        if database.dialect == "postgres":
            transaction.query("SELECT set_config('role', 'none', true)")  # whoever connected, and no member
        yield transaction


def rows(store: Store, sql: str) -> list[Row]:
    """What a statement yields, whatever space it is about."""
    with tampering(store) as transaction:
        return transaction.query(sql)


def tables(store: Store) -> list[str]:
    """Every table of a store, those of the text index included."""
    sqlite = database_of(store).dialect == "sqlite"
    found = (
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        if sqlite
        else "SELECT tablename FROM pg_tables WHERE schemaname = 'recollect'"
    )
    return sorted(name for (name,) in rows(store, found))


def drop_guards(store: Store) -> None:
    """Remove the triggers that keep the audit log append-only, as an intruder with full rights would."""
    with tampering(store) as transaction:
        if database_of(store).dialect == "sqlite":
            transaction.script("DROP TRIGGER audit_is_never_changed; DROP TRIGGER audit_is_never_deleted")
        else:
            transaction.script("ALTER TABLE audit DISABLE TRIGGER ALL")
