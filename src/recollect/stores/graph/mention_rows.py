"""The names in notes as rows: derived from every version of them, and written with each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from recollect.domain.answers.upkeep import Check
from recollect.domain.errors import Damaged, StoreFailure
from recollect.domain.graph.mentions import mentions_of
from recollect.domain.notes import Note
from recollect.stores.database import Database, Row, Transaction, Value
from recollect.stores.records import note_from_row

_AT_A_TIME = 1000  # versions
_BOUND = ("note", "note_text", "note_entity")


def insert_mentions(transaction: Transaction, *notes: Note) -> None:
    """Write what some versions name. A name of an earlier version stays: it is how that version is found."""
    rows: list[dict[str, Value]] = [
        {"space": note.space, "key": key, "id": note.id, "role": role.value, "attribute": attribute}
        for note in notes
        for key, role, attribute, _ in mentions_of(note)
    ]
    if rows:
        transaction.each("insert_mention", rows)


def fill_mentions(transaction: Transaction, dialect: str) -> None:
    """Write down what the notes of an older database name, once all its other tables are as they should be.

    On PostgreSQL the rule that even the owner of the tables sees one space only is lifted for it.
    """
    bound = _BOUND if dialect == "postgres" else ()
    for table in bound:
        transaction.script(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
    for (space,) in transaction.query("SELECT DISTINCT space FROM note"):
        for row in _rows(transaction, space):
            with suppress(Damaged):  # as it did before, and as `doctor` says, it keeps nobody from all the others
                insert_mentions(transaction, note_from_row(row))
    for table in bound:
        transaction.script(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")


def rebuild_mentions(database: Database, space: str) -> None:
    """Make the rows of a space anew from its notes."""
    with database.writing(space) as transaction:
        transaction.rows("erase_space_mentions", space=space)
        for note in _versions(transaction, space):
            insert_mentions(transaction, note)


def check_mentions(database: Database, space: str) -> Check:
    """Compare the rows of a space with the notes they were made from."""
    name = f"graph of {space}"
    try:
        with database.reading(space) as transaction:
            different, many = 0, 0
            for note_id, wanted in _named(_versions(transaction, space)):
                many += len(wanted)
                different += wanted != set(transaction.rows("mentions", space=space, id=note_id))
            [(there,)] = transaction.rows("count_mentions", space=space)
    except StoreFailure as problem:
        return Check.failed(name, problem)
    if different or there != many:
        return Check(name, False, f"{there:,} names are there, {many:,} should be", "Run `recollect reindex`.")
    return Check(name, True, "equal to the notes")


def _named(versions: Iterable[Note]) -> Iterator[tuple[str, set[tuple[Value, ...]]]]:
    """All names in the versions of each note together; the versions of a note come one after the other."""
    note_id, named = "", set[tuple[Value, ...]]()
    for note in versions:
        if note.id != note_id and note_id:
            yield note_id, named
            named = set()
        note_id = note.id
        named |= {(key, role.value, attribute) for key, role, attribute, _ in mentions_of(note)}
    if note_id:
        yield note_id, named


def _versions(transaction: Transaction, space: str) -> Iterator[Note]:
    return map(note_from_row, _rows(transaction, space))


def _rows(transaction: Transaction, space: str) -> Iterator[Row]:
    """Every version of the notes of a space, some at a time."""
    note_id, version = "", 0
    while page := transaction.rows("export_versions", space=space, id=note_id, version=version, limit=_AT_A_TIME):
        yield from page
        note_id, _, version = page[-1][:3]
