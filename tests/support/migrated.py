"""Empty SQLite stores that are migrated already, for tests that are not about migrating.

The steps of the schema take longer than most tests. They run once in each process; after that a store in memory begins
as a copy of their result. A file that a test opens by its name, and every process that a test starts, runs them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest

from recollect.domain.clock import SystemClock
from recollect.stores import migrations
from recollect.stores.database import Database
from recollect.stores.sqlite import store
from recollect.stores.sqlite.database import IN_MEMORY, SqliteDatabase


@contextmanager
def migrated_in_memory() -> Iterator[None]:
    """Stores in memory begin as copies of one of them."""
    first = SqliteDatabase(IN_MEMORY, clock=SystemClock(), busy_timeout=10)
    migrations.migrate(first, SystemClock().now())

    def migrate(database: Database, at: datetime) -> int:
        if isinstance(database, SqliteDatabase) and database.path is None:
            with database.connection().backup("main", first.connection(), "main") as copy:
                copy.step()
        return migrations.migrate(database, at)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "migrate", migrate)
        yield
    first.close()


def migrated_file(file: Path) -> Path:
    """An empty store, closed, to be copied."""
    store.SqliteStore.open(str(file), clock=SystemClock(), busy_timeout=10).close()
    return file
