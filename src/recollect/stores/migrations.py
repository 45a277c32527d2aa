"""Numbered migrations, run exactly once, however many processes open an old database together.

`migrations/0001_words.sql` is for both databases, `0001_words.sqlite.sql` and `.postgres.sql` for one of them.
All that are missing run in one transaction that a single process can hold; the others find them done.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from pathlib import Path

from recollect.domain.clock import format_time
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import Refused
from recollect.domain.late import Late
from recollect.stores.database import Database, Transaction

_FILE = Late(r"(\d{4})_(\w+?)(?:\.(sqlite|postgres))?\.sql")

_FOLDER = Path(__file__).parent / "migrations"

_TAKES_METADATA_APART = 16  # the one step that no SQL can take: see `leaves_of`

_LEDGER = "CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL)"


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema; the number says which."""

    number: int
    name: str
    scripts: tuple[str, ...]


@cache
def migrations(dialect: str) -> tuple[Migration, ...]:
    """The steps of a dialect, in order."""
    found: dict[int, tuple[str, list[str]]] = {}
    sources = [(_FILE.fullmatch(file.name), file) for file in _FOLDER.iterdir()]
    # What both databases share comes first; a dialect builds on it.
    ordered = sorted(
        ((parts, file) for parts, file in sources if parts), key=lambda source: (source[0][1], source[0][3] or "")
    )
    for parts, file in ordered:
        if parts[3] in (None, dialect):
            _, scripts = found.setdefault(int(parts[1]), (parts[2], []))
            scripts.append(file.read_text(encoding="utf-8"))
    return tuple(Migration(number, name, tuple(texts)) for number, (name, texts) in sorted(found.items()))


def migrate(database: Database, at: datetime, steps: Sequence[Migration] | None = None) -> int:
    """Bring the database to this version's schema and return its number; refuse one that is newer."""
    newest = _newest_number() if steps is None else steps[-1].number
    with database.reading(None) as transaction:
        if _check(database, transaction, newest) >= newest:
            return newest
    wanted = migrations(database.dialect) if steps is None else steps
    with database.migrating() as transaction:
        if not database.has_table(transaction, "migration"):
            transaction.script(_LEDGER)
        # Looked at again: another process may have been faster to the lock.
        done = _check(database, transaction, newest)
        for step in wanted:
            if step.number > done:
                for script in step.scripts:
                    transaction.script(script)
                if step.number == _TAKES_METADATA_APART and done:
                    from recollect.stores.filters.metadata_rows import fill

                    fill(transaction, database.dialect)
                transaction.rows("insert_migration", number=step.number, name=step.name, at=format_time(at))
    return newest


def _newest_number() -> int:
    """The number of the last step, told from the names of the files alone: most databases need none of them."""
    return max(int(file.name[:4]) for file in _FOLDER.iterdir() if file.suffix == ".sql")


def _check(database: Database, transaction: Transaction, newest: int) -> int:
    if not database.has_table(transaction, "migration"):
        return 0
    done = max((number for number, _ in transaction.rows("migrations")), default=0)
    if done > newest:
        raise Refused(
            f"The database at {database.location} is from a newer version of Recollect (schema {done}; this "
            f"version knows {newest}). It was left as it is.",
            code="newer_database",
            hint="Update Recollect, or point RECOLLECT_STORE or RECOLLECT_HOME to another database.",
        )
    return int(done)
