"""Versions of notes as rows, with all that is derived from them: words, forms, metadata, names and links."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.domain.notes import LINKS, Note
from recollect.language.world.search_forms import search_forms
from recollect.stores.database import Transaction, Value
from recollect.stores.graph.mention_rows import insert_mentions
from recollect.stores.records import note_values, note_words


def insert_new(transaction: Transaction, notes: Sequence[Note]) -> None:
    """Write the first versions of many notes, of which none is there: a statement for each table."""
    from recollect.stores.filters.metadata_rows import insert_leaves

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
        from recollect.stores.filters.metadata_rows import insert_leaves

        insert_leaves(transaction, note)
    insert_mentions(transaction, note)
    for relation in LINKS:
        for target in getattr(note, relation):
            transaction.rows("insert_link", **key, relation=relation, target=target)


def _forms(note: Note) -> str:
    return search_forms(note.title, note.text, " ".join(note.tags))
