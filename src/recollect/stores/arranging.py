"""Carry out the edits of what lies on the desk: slots and actions."""

from __future__ import annotations

from recollect.domain.changes import AdoptAction, AdoptSlot, WriteAction, WriteSlot
from recollect.domain.errors import Conflict, Erased, NotFound
from recollect.stores.database import Transaction
from recollect.stores.desk_records import action_from_row, action_values, slot_from_row, slot_values

# What deleting a space erases of it.
ERASE_DESK = ("erase_space_slots", "erase_space_actions")


def write_slot(transaction: Transaction, edit: WriteSlot) -> None:
    """The next version; `Conflict` if another one was faster to it, or to the label."""
    slot = edit.slot
    statement = "insert_slot" if slot.version == 1 else "replace_slot"
    if not transaction.rows(statement, **slot_values(slot)):
        raise Conflict(f"The slot `{slot.label}` was changed in the meantime.", code="stale_version")


def adopt_slot(transaction: Transaction, edit: AdoptSlot) -> bool:
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


def write_action(transaction: Transaction, edit: WriteAction) -> None:
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


def adopt_action(transaction: Transaction, edit: AdoptAction) -> bool:
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
