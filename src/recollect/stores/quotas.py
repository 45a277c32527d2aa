"""Quotas, inside the transaction that writes: whichever door something comes through, the space's row is held while it
is counted, so the last free place is given away once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from recollect.domain.changes import Change, ChangeKind, Changes, LimitSpace, OpenSpace
from recollect.domain.clock import format_time
from recollect.domain.errors import QuotaReached
from recollect.stores.database import Transaction


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


def require_within_quota(transaction: Transaction, changes: Changes, done: Sequence[Change]) -> None:
    """Raise `QuotaReached` if what was just written is more than the space may have; count it otherwise."""
    came = sum(change.kind is ChangeKind.OBSERVED for change in done)
    grew = any(
        change.kind is ChangeKind.ADOPTED or (change.kind is ChangeKind.WRITTEN and change.version == 1)
        for change in done
    )
    if not came and not grew:
        return
    found = transaction.rows("quota", space=changes.space)
    if not found:
        return
    [(notes, messages, day, used)] = found
    if grew and notes is not None:
        [(held,)] = transaction.rows("count_current", space=changes.space)
        if held > notes:
            raise QuotaReached(
                f"The space `{changes.space}` may hold {notes:,} notes, and holds as many; nothing was written.",
                code="note_quota",
                hint="Forget what is no longer needed, or ask for more: `recollect spaces limit`.",
            )
    if came and messages is not None:
        today = changes.at.date().isoformat()
        used = (used if day == today else 0) + came
        if used > messages:
            raise QuotaReached(
                f"The space `{changes.space}` may take in {messages:,} messages a day; nothing was written.",
                code="message_quota",
                hint="Come back after midnight UTC, or ask for more: `recollect spaces limit`.",
                wait=_until_tomorrow(changes.at),
            )
        transaction.rows("count_taken_in", space=changes.space, day=today, used=used)


def _until_tomorrow(at: datetime) -> float:
    """Seconds until the next day begins."""
    midnight = at.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return (midnight - at).total_seconds()
