"""Numbered migrations, run exactly once, however many processes open an old database together.

`migrations/0001_words.sql` is for both databases, `0001_words.sqlite.sql` and `.postgres.sql` for one of them.
All that are missing run in one transaction that a single process can hold; the others find them done. One that ends in
`.concurrent.sql` runs after them and outside of any transaction, while everybody reads and writes: an index of a large
table. The store is opened without waiting for it if another process builds it. A step whose name begins with `expand_`
promises that the version before goes on working, and may be started, on the database that it made.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from os import scandir
from pathlib import Path

from recollect.domain.clock import format_time
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import Busy, Refused
from recollect.domain.late import Late
from recollect.stores.database import Database, Transaction

_FILE = Late(r"(\d{4})_(\w+?)(?:\.(sqlite|postgres))?(\.concurrent)?\.sql")

_FOLDER = Path(__file__).parent / "migrations"

# Steps that no SQL can take alone: see `leaves_of` and `mentions_of`.
_TAKES_METADATA_APART, _NAME_ENTITIES = 16, frozenset({35, 40})

_EXPANDS = "expand_"  # how the name of a step begins that takes nothing from the version before
_TRIES = 3  # to get the locks of a migration, before it is said that the database is busy

_LEDGER = "CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL)"


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema; the number says which."""

    number: int
    name: str
    scripts: tuple[str, ...]
    concurrent: bool = False  # runs beside others, outside of any transaction


@cache
def migrations(dialect: str) -> tuple[Migration, ...]:
    """The steps of a dialect, in order."""
    found: dict[int, Migration] = {}
    # What both databases share comes first; a dialect builds on it.
    for file in sorted(_FOLDER.iterdir(), key=lambda file: (file.name[:4], len(file.suffixes), file.name)):
        parts = _FILE.fullmatch(file.name)
        if parts and parts[3] in (None, dialect):
            number, text = int(parts[1]), file.read_text(encoding="utf-8")
            before = found[number].scripts if number in found else ()
            found[number] = Migration(number, parts[2], (*before, text), concurrent=bool(parts[4]))
    return tuple(found.values())


def migrate(database: Database, at: datetime, steps: Sequence[Migration] | None = None) -> int:
    """Bring the database to this version's schema and return its number; refuse one that is newer."""
    numbers = _numbers(database.dialect) if steps is None else frozenset(step.number for step in steps)
    newest = max(numbers)
    with database.reading(None) as transaction:
        if numbers <= _done(database, transaction, newest):
            return newest
    wanted = migrations(database.dialect) if steps is None else steps
    together = [step for step in wanted if not step.concurrent]
    for left in reversed(range(_TRIES)):
        try:
            _run_together(database, together, newest, at)
            break
        except Busy:
            if not left:
                raise
    with database.reading(None) as transaction:
        done = _done(database, transaction, newest)
    for step in wanted:
        if step.number not in done and all(database.build(script) for script in step.scripts):
            with database.migrating() as transaction:
                if step.number not in _done(database, transaction, newest):
                    _write_down(transaction, step, at)
    return newest


def _run_together(database: Database, steps: Sequence[Migration], newest: int, at: datetime) -> None:
    """Run the steps that are missing in one transaction, or none of them."""
    with database.migrating() as transaction:
        if not database.has_table(transaction, "migration"):
            transaction.script(_LEDGER)
        # Looked at again: another process may have been faster to the lock.
        done = _done(database, transaction, newest)
        for step in steps:
            if step.number not in done:
                for script in step.scripts:
                    transaction.script(script)
                if step.number == _TAKES_METADATA_APART and done:
                    from recollect.stores.filters.sql_upkeep import fill_leaves

                    fill_leaves(transaction, database.dialect)
                _write_down(transaction, step, at)
        named = {step.number for step in steps} | done
        if done and _NAME_ENTITIES & (named - done):  # at the end: notes are read with the columns they have then
            from recollect.stores.filters.sql_upkeep import fill_mentions

            fill_mentions(transaction, database.dialect)


def _write_down(transaction: Transaction, step: Migration, at: datetime) -> None:
    transaction.rows("insert_migration", number=step.number, name=step.name, at=format_time(at))


def _numbers(dialect: str) -> frozenset[int]:
    """The numbers of all steps, told from the names of the files alone: most databases need none of them."""
    other = {"sqlite": ".postgres.", "postgres": ".sqlite."}[dialect]
    names = [file.name for file in scandir(_FOLDER) if file.name.endswith(".sql")]
    return frozenset(int(name[:4]) for name in names if other not in name)


def _done(database: Database, transaction: Transaction, newest: int) -> frozenset[int]:
    """The numbers of the steps that were run; refuse a database that this version cannot serve."""
    if not database.has_table(transaction, "migration"):
        return frozenset()
    done = {int(number): name for number, name in transaction.rows("migrations")}
    if any(number > newest and not name.startswith(_EXPANDS) for number, name in done.items()):
        raise Refused(
            f"The database at {database.location} is from a newer version of Recollect (schema {max(done)}; this "
            f"version knows {newest}). It was left as it is.",
            code="newer_database",
            hint="Update Recollect, or point RECOLLECT_STORE or RECOLLECT_HOME to another database.",
        )
    return frozenset(done)
