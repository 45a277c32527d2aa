"""Carry out the edits of whole spaces, and the erasure of what is in them."""

from __future__ import annotations

from recollect.domain.changes import Changes, LimitSpace, OpenSpace
from recollect.domain.clock import format_time
from recollect.stores.database import Transaction
from recollect.stores.jobs.sql_jobs import ERASE_JOBS
from recollect.stores.record_edits import ERASE_DESK, ERASE_OBSERVATION, ERASE_SPACE
from recollect.stores.sql_links import ERASE_SPACE_LINKS


def open_space(transaction: Transaction, changes: Changes, edit: OpenSpace, *, is_new: bool) -> bool:
    """Say what a space is for, and of which tier a new one is; whether anything changed."""
    if edit.only_if_new and not is_new:
        return False
    if edit.tier is not None and is_new:
        at = format_time(changes.at)
        transaction.rows("keep_tier_of_new_brain", space=changes.space, tier=edit.tier, tier_at=at)
    return bool(transaction.rows("describe_space", space=changes.space, description=edit.description))


def limit_space(transaction: Transaction, changes: Changes, edit: LimitSpace) -> None:
    """Set the quota of a space."""
    transaction.rows(
        "set_quota",
        space=changes.space,
        notes=edit.notes,
        messages=edit.messages,
        attachment_bytes=edit.attachment_bytes,
    )


def erase_note(transaction: Transaction, changes: Changes, note_id: str) -> bool:
    """Whether the note was not forgotten before."""
    key = {"space": changes.space, "id": note_id}
    fresh = transaction.rows("insert_tombstone", **key, at=format_time(changes.at))
    for statement in (
        "erase_versions",
        "erase_texts",
        *("erase_links", "erase_leaves"),
        *ERASE_OBSERVATION,
        "erase_slot",
        "erase_action",
        "blank_requests",
        "blank_receipts",
        *("erase_reminded", "erase_note_uses"),
        "erase_evaluation_questions",
    ):
        transaction.rows(statement, **key)
    transaction.rows("blank_jobs", space=changes.space)
    return bool(fresh)


def delete_space(transaction: Transaction, changes: Changes) -> None:
    """Everything goes, and every note leaves a tombstone: an import cannot bring a deleted space back."""
    at = format_time(changes.at)
    for (note_id,) in transaction.rows("note_ids", space=changes.space):
        transaction.rows("insert_tombstone", space=changes.space, id=note_id, at=at)
    for statement in ("observation_ids", "desk_ids"):
        for (record_id,) in transaction.rows(statement, space=changes.space):
            transaction.rows("insert_tombstone", space=changes.space, id=record_id, at=at)
    for statement in (
        "erase_space_notes",
        "erase_space_texts",
        *("erase_space_links", "erase_space_leaves", "erase_space_mentions"),
        "erase_space_requests",
        "erase_space_vectors",
        "erase_space_receipts",
        "erase_space_reminded",
        "erase_space_evaluation_questions",
        "erase_space_evaluation_runs",
        "erase_space_quota",
        *("erase_space_activity", "erase_space_note_uses"),
        "erase_space_webhooks",
        "erase_space_deliveries",
        "forget_spender",
        "erase_space_provider_keys",
        *ERASE_SPACE,
        *ERASE_DESK,
        *ERASE_JOBS,
        *ERASE_SPACE_LINKS,
    ):
        transaction.rows(statement, space=changes.space)
    transaction.rows("bury_space", space=changes.space, at=at)
