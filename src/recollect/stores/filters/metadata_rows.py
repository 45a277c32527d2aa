"""The metadata of notes as rows, one for each value: derived from the notes, and written with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from recollect.domain.answers.upkeep import Check
from recollect.domain.errors import StoreFailure
from recollect.domain.filters.leaves import leaves_of
from recollect.domain.notes import Note
from recollect.stores.database import Database, Transaction, Value

BEGINNING = 100  # characters; an index of PostgreSQL holds rows of up to 2,700 bytes
_AT_A_TIME = 1000  # versions
_BOUND = ("note", "note_metadata")


def insert_leaves(transaction: Transaction, *notes: Note) -> None:
    """Write the rows of some versions."""
    _insert(transaction, ((note.space, note.id, note.version, note.metadata) for note in notes))


def _insert(transaction: Transaction, versions: Iterable[tuple[str, str, int, Mapping[str, Any]]]) -> None:
    rows: list[dict[str, Value]] = [
        {"space": space, "id": note_id, "version": version, **row}
        for space, note_id, version, metadata in versions
        for row in _rows(metadata)
    ]
    if rows:
        transaction.each("insert_leaf", rows)


def fill(transaction: Transaction, dialect: str) -> None:
    """Take the metadata of an older database apart, as the last step of its migration.

    On PostgreSQL the rule that even the owner of the tables sees one space only is lifted for it.
    """
    bound = _BOUND if dialect == "postgres" else ()
    for table in bound:
        transaction.script(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
    for space, note_id, version, metadata in transaction.rows("every_metadata"):
        _insert(transaction, [(space, note_id, version, json.loads(metadata))])
    for table in bound:
        transaction.script(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")


def rebuild_leaves(database: Database, space: str) -> None:
    """Make the rows of a space anew from its notes."""
    with database.writing(space) as transaction:
        transaction.rows("erase_space_leaves", space=space)
        for note_id, version, metadata in _versions(transaction, space):
            _insert(transaction, [(space, note_id, version, json.loads(metadata))])


def check_leaves(database: Database, space: str) -> Check:
    """Compare the rows of a space with the metadata they were made from."""
    name = f"metadata of {space}"
    try:
        with database.reading(space) as transaction:
            different, many = 0, 0
            for note_id, version, metadata in _versions(transaction, space):
                wanted = [tuple(row.values()) for row in _rows(json.loads(metadata))]
                many += len(wanted)
                different += wanted != transaction.rows("leaves", space=space, id=note_id, version=version)
            [(there,)] = transaction.rows("count_leaves", space=space)
    except (StoreFailure, ValueError) as problem:
        return Check.failed(name, problem if isinstance(problem, StoreFailure) else StoreFailure(str(problem)))
    if different or there != many:
        return Check(name, False, f"{there:,} values are there, {many:,} should be", "Run `recollect reindex`.")
    return Check(name, True, "equal to the notes")


def _rows(metadata: Mapping[str, Any]) -> Iterator[dict[str, Value]]:
    for place, leaf in enumerate(leaves_of(metadata)):
        yield {
            "place": place,
            "path": leaf.path,
            "kind": leaf.kind,
            "beginning": leaf.text[:BEGINNING],
            "text": leaf.text,
            "number": leaf.number,
        }


def _versions(transaction: Transaction, space: str) -> Iterator[tuple[str, int, str]]:
    note_id, version = "", 0
    while page := transaction.rows("metadata_after", space=space, id=note_id, version=version, limit=_AT_A_TIME):
        yield from page
        note_id, version, _ = page[-1]
