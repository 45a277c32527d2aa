"""A step of the schema that runs beside everybody: an index of a large table, built without locking it.

One process of all builds. It holds the lock in a transaction on a second connection, which has seen nothing that the
building would wait for; both go through a pooler.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from psycopg import sql

if TYPE_CHECKING:
    from recollect.stores.postgres.database import PostgresDatabase

_LOCK = 7_205_759_406
_NAMED = re.compile(r"CONCURRENTLY IF NOT EXISTS (\w+)")
_INVALID = """SELECT indexrelid::regclass::text FROM pg_index
WHERE indexrelid = to_regclass('recollect.' || %s) AND NOT indisvalid"""


def built(database: PostgresDatabase, script: str) -> bool:
    """Run the one statement of a script; false if another process does so. What an interrupted one left goes first."""
    with database.connected() as holding, holding.transaction():
        # Without parameters: a statement with some stays open, and the building would wait for what it has seen.
        if holding.execute(f"SELECT pg_try_advisory_xact_lock({_LOCK})".encode()).fetchone() != (True,):
            return False
        with database.connected() as building:
            for name in _NAMED.findall(script):
                if building.execute(_INVALID, (name,)).fetchone():
                    dropped = sql.SQL("DROP INDEX CONCURRENTLY {}").format(sql.Identifier("recollect", name))
                    building.execute(dropped)
            building.execute(script.encode())
    return True
