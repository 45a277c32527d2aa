"""Carry out the edits that keep sessions, observations, slots, actions and versions of notes.

A version of a note is written with all that is derived from it: words, forms, metadata, names and links. Metadata has a
row for each value, and the graph one for each name in a note. Both can be made anew from the notes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from operator import attrgetter
from typing import Any

from recollect.domain import changes as edits
from recollect.domain.answers.upkeep import Check
from recollect.domain.changes import Changes
from recollect.domain.clock import format_time
from recollect.domain.dataclass import replace
from recollect.domain.errors import Conflict, Damaged, Erased, NotFound, StoreFailure
from recollect.domain.graph.mentions import mentions_of
from recollect.domain.notes import LINKS, Note, leaves_of
from recollect.language.world.folding import words_of, words_of_our_folding
from recollect.language.world.guess import likeliest
from recollect.language.world.roots import root_by_script, root_in
from recollect.redaction.clean_records import without_secrets
from recollect.stores.database import Database, Row, Transaction, Value
from recollect.stores.records import (
    action_from_row,
    action_values,
    note_from_row,
    note_values,
    note_words,
    observation_from_row,
    observation_values,
    session_from_row,
    session_values,
    slot_from_row,
    slot_values,
)
from recollect.stores.sql_links import ERASE_LINKS

# What erasing an observation takes away. Bytes of files go before it is forgotten which ones they were.
ERASE_OBSERVATION = (
    "erase_observation",
    "erase_observation_text",
    "erase_vectors",
    "erase_attachment_alone",
    "erase_attachment_references",
    *ERASE_LINKS,
)

# What deleting a space erases of what happened in it.
ERASE_SPACE = (
    "erase_space_attachments",
    "erase_space_attachment_references",
    "erase_space_observations",
    "erase_space_observation_texts",
    "erase_space_sessions",
    "erase_space_verdicts",
    "erase_space_files",
)


# -- what happened ----------------------------------------------------------------------------------------------------


def open_session(transaction: Transaction, edit: edits.OpenSession) -> bool:
    """Whether the session was not open before."""
    return bool(transaction.rows("insert_session", **session_values(edit.session)))


def revise_session(transaction: Transaction, edit: edits.ReviseSession) -> None:
    """Write a session's row anew; it must be there."""
    key = {"space": edit.session.space, "id": edit.session.id}
    here = transaction.rows("session", **key)
    if not here:
        raise NotFound(f"There is no session {edit.session.id}.", code="session_not_found")
    if replace(session_from_row(here[0]), read_to=edit.known.read_to) != edit.known:  # a model may read meanwhile
        raise Conflict(f"Session {edit.session.id} was changed in the meantime.", code="stale_version")
    values = session_values(edit.session)
    # How it began does not change, and how far it is read has an edit of its own.
    kept = {"started_at", "scope_session", "channel", "principal", "session", "source", "read_to"}
    transaction.rows("revise_session", **{name: value for name, value in values.items() if name not in kept})


def add_observation(transaction: Transaction, edit: edits.AddObservation) -> bool:
    """Whether the observation was not here before; a different one with its id is a `Conflict`."""
    observation = edit.observation
    key = {"space": observation.space, "id": observation.id}
    if transaction.rows("tombstone", **key):
        raise Erased(f"Observation {observation.id} was forgotten.")
    here = transaction.rows("observation", **key)
    if here:
        known = replace(without_secrets(observation_from_row(here[0])), position=0)
        # What was not said of its scope came from its session, and from exports that do not have it yet.
        if observation.scope.includes(known.scope):
            known = replace(known, scope=observation.scope)
        if known == replace(observation, position=0):
            return False
        raise Conflict(f"There is another observation {observation.id}.", code="observation_differs")
    if observation.position == 0:
        place = {"space": observation.space, "session_id": observation.session_id}
        [(position,)] = transaction.rows("next_position", **place)
        observation = replace(observation, position=position)
    transaction.rows("insert_observation", **observation_values(observation))
    transaction.rows(
        "insert_observation_text",
        **key,
        title=observation.title,
        speaker=observation.speaker,
        text=observation.text,
        forms=search_forms(observation.title, observation.text, observation.speaker),
    )
    for each in observation.attachments:
        transaction.rows("insert_attachment_reference", **key, digest=each.digest)
    return True


def fold_observations(transaction: Transaction, changes: Changes, edit: edits.FoldObservations) -> list[str]:
    """The ids of the observations that made room; the summary takes the place that its own position names."""
    folded = []
    for observation_id in edit.observation_ids:
        key = {"space": changes.space, "id": observation_id}
        if transaction.rows("insert_tombstone", **key, at=format_time(changes.at)):
            for statement in ERASE_OBSERVATION:
                transaction.rows(statement, **key)
            folded.append(observation_id)
    if not folded:
        raise Conflict("Another process has folded these observations already.", code="stale_version")
    add_observation(transaction, edits.AddObservation(edit.summary))
    return folded


def drop_session(transaction: Transaction, changes: Changes, edit: edits.DropSession) -> list[str]:
    """The ids of the observations that went."""
    place = {"space": changes.space, "session_id": edit.session_id}
    dropped = [row[0] for row in transaction.rows("session_observations", **place)]
    for observation_id in dropped:
        for statement in ERASE_OBSERVATION:
            transaction.rows(statement, space=changes.space, id=observation_id)
    transaction.rows("erase_session", space=changes.space, id=edit.session_id)
    return dropped


def count_verdicts(transaction: Transaction, changes: Changes, edit: edits.CountVerdicts) -> None:
    for reason, times in edit.verdicts:
        transaction.rows("add_verdict", space=changes.space, reason=reason, times=times)


def record_file(transaction: Transaction, changes: Changes, edit: edits.RecordFile) -> None:
    place = {"space": changes.space, "root": edit.root, "path": edit.path}
    if edit.session_id is None:
        transaction.rows("forget_file", **place)
    else:
        transaction.rows(
            "insert_file", **place, sha256=edit.sha256, session_id=edit.session_id, at=format_time(changes.at)
        )


# -- slots and actions -------------------------------------------------------------------------------------------------

# What deleting a space erases of it.
ERASE_DESK = ("erase_space_slots", "erase_space_actions")


def write_slot(transaction: Transaction, edit: edits.WriteSlot) -> None:
    """The next version; `Conflict` if another one was faster to it, or to the label."""
    slot = edit.slot
    statement = "insert_slot" if slot.version == 1 else "replace_slot"
    if not transaction.rows(statement, **slot_values(slot)):
        raise Conflict(f"The slot `{slot.label}` was changed in the meantime.", code="stale_version")


def adopt_slot(transaction: Transaction, edit: edits.AdoptSlot) -> bool:
    """Whether it was taken in."""
    slot = edit.slot
    if transaction.rows("tombstone", space=slot.space, id=slot.id):
        raise Erased(f"The slot `{slot.label}` was deleted.")
    here = transaction.rows("slot_labelled", space=slot.space, project=slot.project or "", label=slot.label)
    if here:
        known = slot_from_row(here[0])
        if (known.updated_at, known.version, known.id) >= (slot.updated_at, slot.version, slot.id):
            return False
        transaction.rows("erase_slot", space=slot.space, id=known.id)
    transaction.rows("erase_slot", space=slot.space, id=slot.id)
    transaction.rows("insert_slot", **slot_values(slot))
    return True


def write_action(transaction: Transaction, edit: edits.WriteAction) -> None:
    """The next version; `Conflict` if another one was faster, `NotFound` or `Erased` if it is gone."""
    action = edit.action
    statement = "insert_action" if action.version == 1 else "replace_action"
    if transaction.rows(statement, **action_values(action)):
        return
    key = {"space": action.space, "id": action.id}
    if transaction.rows("tombstone", **key):
        raise Erased(f"Action {action.id} was forgotten.")
    if not transaction.rows("action", **key):
        raise NotFound(f"There is no action {action.id} in `{action.space}`.", code="action_not_found")
    raise Conflict(f"Action {action.id} was changed in the meantime.", code="stale_version")


def adopt_action(transaction: Transaction, edit: edits.AdoptAction) -> bool:
    """Whether it was taken in."""
    action = edit.action
    key = {"space": action.space, "id": action.id}
    if transaction.rows("tombstone", **key):
        raise Erased(f"Action {action.id} was forgotten.")
    here = transaction.rows("action", **key)
    if here:
        known = action_from_row(here[0])
        if (known.updated_at, known.version) >= (action.updated_at, action.version):
            return False
        transaction.rows("erase_action", **key)
    transaction.rows("insert_action", **action_values(action))
    return True


BEGINNING = 100  # characters; an index of PostgreSQL holds rows of up to 2,700 bytes
_AT_A_TIME = 1000  # versions


# -- versions of notes -------------------------------------------------------------------------------------------------


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


_READ = 100_000  # characters; the roots of a longer text would not fit into an index row of PostgreSQL
_LONGEST_FORM = 200  # letters of a word


def search_forms(*texts: str | None) -> str:
    """The forms of some texts as one, each once and with a space between them; empty if their words are enough."""
    text = " ".join(each for each in texts if each)[:_READ]
    language = likeliest(text).latin
    if language is None and text.isascii():
        return ""
    root = root_in(language) if language is not None else root_by_script
    roots = (root(word) for word in words_of(text) if language is not None or not word.isascii())
    return " ".join(dict.fromkeys(form[:_LONGEST_FORM] for form in (*roots, *words_of_our_folding(text))))


# -- metadata ---------------------------------------------------------------------------------------------------------


def insert_leaves(transaction: Transaction, *notes: Note) -> None:
    """Write the rows of some versions."""
    _insert_leaves(transaction, ((note.space, note.id, note.version, note.metadata) for note in notes))


def _insert_leaves(transaction: Transaction, versions: Iterable[tuple[str, str, int, Mapping[str, Any]]]) -> None:
    rows: list[dict[str, Value]] = [
        {"space": space, "id": note_id, "version": version, **row}
        for space, note_id, version, metadata in versions
        for row in _leaf_rows(metadata)
    ]
    if rows:
        transaction.each("insert_leaf", rows)


def fill_leaves(transaction: Transaction, dialect: str) -> None:
    """Take the metadata of an older database apart, as the last step of its migration."""
    with _of_all_spaces(transaction, dialect, "note", "note_metadata"):
        for space, note_id, version, metadata in transaction.rows("every_metadata"):
            _insert_leaves(transaction, [(space, note_id, version, json.loads(metadata))])


def rebuild_leaves(database: Database, space: str) -> None:
    """Make the rows of a space anew from its notes."""
    with database.writing(space) as transaction:
        transaction.rows("erase_space_leaves", space=space)
        for note_id, version, metadata in _metadata(transaction, space):
            _insert_leaves(transaction, [(space, note_id, version, json.loads(metadata))])


def check_leaves(database: Database, space: str) -> Check:
    """Compare the rows of a space with the metadata they were made from."""
    name = f"metadata of {space}"
    try:
        with database.reading(space) as transaction:
            different, many = 0, 0
            for note_id, version, metadata in _metadata(transaction, space):
                wanted = [tuple(row.values()) for row in _leaf_rows(json.loads(metadata))]
                many += len(wanted)
                different += wanted != transaction.rows("leaves", space=space, id=note_id, version=version)
            [(there,)] = transaction.rows("count_leaves", space=space)
    except (StoreFailure, ValueError) as problem:
        return Check.failed(name, problem if isinstance(problem, StoreFailure) else StoreFailure(str(problem)))
    return _compared(name, "values", there, many, different)


def _leaf_rows(metadata: Mapping[str, Any]) -> Iterator[dict[str, Value]]:
    for place, leaf in enumerate(leaves_of(metadata)):
        yield {
            "place": place,
            "path": leaf.path,
            "kind": leaf.kind,
            "beginning": leaf.text[:BEGINNING],
            "text": leaf.text,
            "number": leaf.number,
        }


def _metadata(transaction: Transaction, space: str) -> Iterator[tuple[str, int, str]]:
    """The id, the version and the metadata of every version of a space that has any, some at a time."""
    note_id, version = "", 0
    while page := transaction.rows("metadata_after", space=space, id=note_id, version=version, limit=_AT_A_TIME):
        yield from page
        note_id, version, _ = page[-1]


# -- names ------------------------------------------------------------------------------------------------------------


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
    """Write down what the notes of an older database name, once all its other tables are as they should be."""
    with _of_all_spaces(transaction, dialect, "note", "note_text", "note_entity"):
        for (space,) in transaction.query("SELECT DISTINCT space FROM note"):
            for row in _versions(transaction, space):
                with suppress(Damaged):  # as it did before, and as `doctor` says, it keeps nobody from all the others
                    insert_mentions(transaction, note_from_row(row))


def rebuild_mentions(database: Database, space: str) -> None:
    """Make the rows of a space anew from its notes."""
    with database.writing(space) as transaction:
        transaction.rows("erase_space_mentions", space=space)
        for row in _versions(transaction, space):
            insert_mentions(transaction, note_from_row(row))


def check_mentions(database: Database, space: str) -> Check:
    """Compare the rows of a space with the notes they were made from."""
    name = f"graph of {space}"
    try:
        with database.reading(space) as transaction:
            different, many = 0, 0
            notes = map(note_from_row, _versions(transaction, space))
            for note_id, versions in groupby(notes, attrgetter("id")):  # they come one after the other
                wanted = {(key, role.value, about) for note in versions for key, role, about, _ in mentions_of(note)}
                many += len(wanted)
                different += wanted != set(transaction.rows("mentions", space=space, id=note_id))
            [(there,)] = transaction.rows("count_mentions", space=space)
    except StoreFailure as problem:
        return Check.failed(name, problem)
    return _compared(name, "names", there, many, different)


def _versions(transaction: Transaction, space: str) -> Iterator[Row]:
    """Every version of the notes of a space, some at a time."""
    note_id, version = "", 0
    while page := transaction.rows("export_versions", space=space, id=note_id, version=version, limit=_AT_A_TIME):
        yield from page
        note_id, _, version = page[-1][:3]


# -- both -------------------------------------------------------------------------------------------------------------


@contextmanager
def _of_all_spaces(transaction: Transaction, dialect: str, *tables: str) -> Iterator[None]:
    """On PostgreSQL the rule that even the owner of the tables sees one space only is lifted for a migration."""
    bound = tables if dialect == "postgres" else ()
    for table in bound:
        transaction.script(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
    yield
    for table in bound:
        transaction.script(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")


def _compared(name: str, what: str, there: int, wanted: int, different: int) -> Check:
    if different or there != wanted:
        return Check(name, False, f"{there:,} {what} are there, {wanted:,} should be", "Run `recollect reindex`.")
    return Check(name, True, "equal to the notes")
