"""Versions of notes as rows, with all that is derived from them: words, forms, metadata, names and links.

Metadata has a row for each value, and can be made anew from the notes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from recollect.domain.answers.upkeep import Check
from recollect.domain.errors import StoreFailure
from recollect.domain.filters.leaves import leaves_of
from recollect.domain.notes import LINKS, Note
from recollect.language.world.roots import search_forms
from recollect.stores.database import Database, Transaction, Value
from recollect.stores.graph.mention_rows import insert_mentions
from recollect.stores.records import note_values, note_words


def insert_new(transaction: Transaction, notes: Sequence[Note]) -> None:
    """Write the first versions of many notes, of which none is there: a statement for each table."""

    texts: list[dict[str, Value]] = [
        {"space": note.space, "id": note.id, "version": note.version, **note_words(note), "forms": _forms(note)}
        for note in notes
    ]
    transaction.each("insert_text", texts)
    rows = [note_values(note) for note in notes]
    for row in rows:
        row["text_version"], row["replaced_at"] = row["version"], None
    transaction.each("insert_note", rows)
    insert_leaves(transaction, *(note for note in notes if note.metadata))
    insert_mentions(transaction, *notes)
    links: list[dict[str, Value]] = [
        {"space": note.space, "id": note.id, "relation": relation, "target": target}
        for note in notes
        for relation in LINKS
        for target in getattr(note, relation)
    ]
    if links:
        transaction.each("insert_link", links)


def insert_version(transaction: Transaction, note: Note, *, replaced_at: str | None) -> None:
    """Write one version of a note, and everything that is derived from it."""
    key = {"space": note.space, "id": note.id}
    words = note_words(note)
    text_version = note.version
    for version, title, text, tags in transaction.rows("texts", **key) if note.version > 1 else ():
        # Only with an earlier version: a text counts as a search key from the version on that first had it.
        if version < note.version and (title, text, tags) == (words["title"], words["text"], words["tags"]):
            text_version = version
            break
    else:
        transaction.rows("insert_text", **key, version=note.version, **words, forms=_forms(note))
        if note.version > 1:
            transaction.rows("drop_links_of_words", **key)
            transaction.rows("erase_judgement", **key)
    transaction.rows("insert_note", **note_values(note), text_version=text_version, replaced_at=replaced_at)
    if note.metadata:
        insert_leaves(transaction, note)
    insert_mentions(transaction, note)
    for relation in LINKS:
        for target in getattr(note, relation):
            transaction.rows("insert_link", **key, relation=relation, target=target)


def _forms(note: Note) -> str:
    return search_forms(note.title, note.text, " ".join(note.tags))


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
