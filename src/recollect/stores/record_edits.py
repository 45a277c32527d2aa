"""Carry out the edits that keep sessions, observations, slots, actions and versions of notes, each as its rows.

A version of a note is written with all that is derived from it: words, forms, metadata, names and links. Metadata has a
row for each value, and the graph one for each name in a note. Both can be made anew from the notes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from recollect.domain import changes as edits
from recollect.domain.changes import Changes
from recollect.domain.clock import format_time
from recollect.domain.dataclass import replace
from recollect.domain.desk import Action, Slot
from recollect.domain.errors import Conflict, Erased, NotFound
from recollect.domain.graph.mentions import mentions_of
from recollect.domain.notes import LINKS, Note, leaves_of
from recollect.domain.observations import Observation, Session
from recollect.domain.origin import Origin
from recollect.domain.scopes import SCOPE_FIELDS
from recollect.language.world.words import likeliest, root_by_script, root_in, words_of, words_of_our_folding
from recollect.redaction.clean_records import without_secrets
from recollect.stores.database import Transaction, Value
from recollect.stores.records import action_from_row, observation_from_row, session_from_row, slot_from_row
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
    return bool(transaction.rows("insert_session", **_session_values(edit.session)))


def revise_session(transaction: Transaction, edit: edits.ReviseSession) -> None:
    """Write a session's row anew; it must be there."""
    key = {"space": edit.session.space, "id": edit.session.id}
    here = transaction.rows("session", **key)
    if not here:
        raise NotFound(f"There is no session {edit.session.id}.", code="session_not_found")
    if replace(session_from_row(here[0]), read_to=edit.known.read_to) != edit.known:  # a model may read meanwhile
        raise Conflict(f"Session {edit.session.id} was changed in the meantime.", code="stale_version")
    values = _session_values(edit.session)
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
    transaction.rows("insert_observation", **_observation_values(observation))
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
    if not transaction.rows(statement, **_slot_values(slot)):
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
    transaction.rows("insert_slot", **_slot_values(slot))
    return True


def write_action(transaction: Transaction, edit: edits.WriteAction) -> None:
    """The next version; `Conflict` if another one was faster, `NotFound` or `Erased` if it is gone."""
    action = edit.action
    statement = "insert_action" if action.version == 1 else "replace_action"
    if transaction.rows(statement, **_action_values(action)):
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
    transaction.rows("insert_action", **_action_values(action))
    return True


BEGINNING = 100  # characters; an index of PostgreSQL holds rows of up to 2,700 bytes


# -- versions of notes -------------------------------------------------------------------------------------------------


def insert_new(transaction: Transaction, notes: Sequence[Note]) -> None:
    """Write the first versions of many notes, of which none is there: a statement for each table."""

    texts: list[dict[str, Value]] = [
        {"space": note.space, "id": note.id, "version": note.version, **_note_words(note), "forms": _forms(note)}
        for note in notes
    ]
    transaction.each("insert_text", texts)
    rows = [_note_values(note) for note in notes]
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
    words = _note_words(note)
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
    transaction.rows("insert_note", **_note_values(note), text_version=text_version, replaced_at=replaced_at)
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
    insert_metadata(transaction, ((note.space, note.id, note.version, note.metadata) for note in notes))


def insert_metadata(transaction: Transaction, versions: Iterable[tuple[str, str, int, Mapping[str, Any]]]) -> None:
    """The same of versions by their space, id and number."""
    rows: list[dict[str, Value]] = [
        {"space": space, "id": note_id, "version": version, **row}
        for space, note_id, version, metadata in versions
        for row in leaf_rows(metadata)
    ]
    if rows:
        transaction.each("insert_leaf", rows)


def leaf_rows(metadata: Mapping[str, Any]) -> Iterator[dict[str, Value]]:
    """The rows of the metadata of a version, without those columns that say which it is."""
    for place, leaf in enumerate(leaves_of(metadata)):
        yield {
            "place": place,
            "path": leaf.path,
            "kind": leaf.kind,
            "beginning": leaf.text[:BEGINNING],
            "text": leaf.text,
            "number": leaf.number,
        }


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


# -- records as rows --------------------------------------------------------------------------------------------------


def _note_values(note: Note) -> dict[str, Value]:
    """A note's own columns, without its words."""
    scope, origin = note.scope, note.origin
    # Field by field and without calls for what is empty, as most fields are: an import writes thousands.
    return {
        "id": note.id,
        "space": note.space,
        "version": note.version,
        "kind": note.kind.value,
        "subject": note.subject,
        "attribute": note.attribute,
        "value": note.value,
        "scope_user": scope.user,
        "scope_agent": scope.agent,
        "scope_project": scope.project,
        "scope_session": scope.session,
        "scope_machine": scope.machine,
        "state": note.state.value,
        "confidence": note.confidence,
        "importance": note.importance,
        "pinned": int(note.pinned),
        "channel": origin.channel.value,
        "principal": origin.principal,
        "session": origin.session,
        "source": origin.source,
        "authority": note.authority.value,
        "recorded_at": format_time(note.recorded_at),
        "updated_at": format_time(note.updated_at),
        "valid_from": None if note.valid_from is None else format_time(note.valid_from),
        "valid_until": None if note.valid_until is None else format_time(note.valid_until),
        "occurred_at": None if note.occurred_at is None else format_time(note.occurred_at),
        "expires_at": None if note.expires_at is None else format_time(note.expires_at),
        "retired_at": None if note.retired_at is None else format_time(note.retired_at),
        "last_seen_at": None if note.last_seen_at is None else format_time(note.last_seen_at),
        "verified_at": None if note.verified_at is None else format_time(note.verified_at),
        "supersedes": _as_json(note.supersedes) if note.supersedes else "[]",
        "derived_from": _as_json(note.derived_from) if note.derived_from else "[]",
        "depends_on": _as_json(note.depends_on) if note.depends_on else "[]",
        "related": _as_json(note.related) if note.related else "[]",
        "review": note.review,
        "metadata": _as_json(note.metadata) if note.metadata else "{}",
        "key": note.key,
        "erase_at": None if note.erase_at is None else format_time(note.erase_at),
    }


def _note_words(note: Note) -> dict[str, Value]:
    """A note's words: what the text index is made of."""
    return {"title": note.title, "text": note.text, "tags": _spelled_tags(note.tags)}


def _spelled_tags(tags: Sequence[str]) -> str:
    """Tags between spaces: ` a b `, so that ` a ` finds exactly the tag a."""
    return f" {' '.join(tags)} " if tags else ""


def _session_values(session: Session) -> dict[str, Value]:
    """A session's columns."""
    own: dict[str, Value] = {
        "id": session.id,
        "space": session.space,
        "title": session.title,
        "started_at": format_time(session.started_at),
        "ended_at": format_time(session.ended_at) if session.ended_at else None,
        "branch": session.branch,
        "folder": session.folder,
        "commits": _as_json([[each.sha, format_time(each.at), each.message, each.branch] for each in session.commits]),
        "reflected": session.reflected,
        "read_to": session.read_to,
    }
    scope: dict[str, Value] = {f"scope_{name}": getattr(session.scope, name) for name in SCOPE_FIELDS}
    return {**own, **scope, **_origin_values(session.origin)}


def _observation_values(observation: Observation) -> dict[str, Value]:
    """An observation's own columns, without its words."""
    return {
        "id": observation.id,
        "space": observation.space,
        "session_id": observation.session_id,
        "position": observation.position,
        "kind": observation.kind.value,
        "role": observation.role,
        "standing": observation.standing.value if observation.standing else None,
        "activity": observation.activity.value if observation.activity else None,
        "files": _as_json(observation.files),
        "observed_at": format_time(observation.observed_at),
        "recorded_at": format_time(observation.recorded_at),
        "scope_user": observation.scope.user,
        "scope_agent": observation.scope.agent,
        "scope_project": observation.scope.project,
        "scope_machine": observation.scope.machine,
        "metadata": _as_json(observation.metadata),
        "erase_at": format_time(observation.erase_at) if observation.erase_at else None,
        "attachments": _as_json([[getattr(each, name) for name in _OF_A_FILE] for each in observation.attachments]),
        **_origin_values(observation.origin),
    }


_OF_A_FILE = ("digest", "name", "media_type", "size", "alt", "caption")


def _slot_values(slot: Slot) -> dict[str, Value]:
    """A slot's columns."""
    return {
        "id": slot.id,
        "space": slot.space,
        "label": slot.label,
        "project": slot.project or "",
        "text": slot.text,
        "description": slot.description,
        "size_limit": slot.limit,
        "pinned": int(slot.pinned),
        "version": slot.version,
        "updated_at": format_time(slot.updated_at),
        "authority": slot.authority.value,
        **_origin_values(slot.origin),
    }


def _action_values(action: Action) -> dict[str, Value]:
    """An action's columns."""
    return {
        "id": action.id,
        "space": action.space,
        "version": action.version,
        "text": action.text,
        "status": action.status.value,
        "priority": action.priority,
        "depends_on": json.dumps(action.depends_on),
        "project": action.project,
        "created_at": format_time(action.created_at),
        "updated_at": format_time(action.updated_at),
        "authority": action.authority.value,
        **_origin_values(action.origin),
    }


def _origin_values(origin: Origin) -> dict[str, Value]:
    return {
        "channel": origin.channel.value,
        "principal": origin.principal,
        "session": origin.session,
        "source": origin.source,
    }


def _as_json(value: Any) -> str:
    if not value:
        return "{}" if isinstance(value, dict) else "[]"
    return _JSON.encode(value)


_JSON = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
