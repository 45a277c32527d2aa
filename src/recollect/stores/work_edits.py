"""Carry out the edits that keep sessions, observations, slots and actions."""

from __future__ import annotations

from recollect.domain import changes as edits
from recollect.domain.changes import Changes
from recollect.domain.clock import format_time
from recollect.domain.dataclass import replace
from recollect.domain.errors import Conflict, Erased, NotFound
from recollect.language.world.roots import search_forms
from recollect.redaction.clean_records import without_secrets
from recollect.stores.database import Transaction
from recollect.stores.sql_links import ERASE_LINKS
from recollect.stores.work_records import (
    action_from_row,
    action_values,
    observation_from_row,
    observation_values,
    session_from_row,
    session_values,
    slot_from_row,
    slot_values,
)

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
