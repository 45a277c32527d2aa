"""Queue the delivery of a commit inside its own transaction: neither is there without the other.

Of each webhook one delivery waits, however many commits there are, and it begins where the last one ended. So a large
import, or a receiver that is down for a day, queues one job and not one for each change.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Protocol

from recollect.domain.changes import Change, QueueJob
from recollect.domain.clock import encode_id
from recollect.domain.webhooks.webhook import delivery_job
from recollect.stores.jobs.job_edits import Noted, edit_job

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recollect.domain.changes import Changes
    from recollect.stores.database import Row, Transaction


class Ledger(Noted, Protocol):
    """The ledger of a transaction, with what was changed so far."""

    @property
    def changes(self) -> Sequence[Change]: ...


def queue_deliveries(transaction: Transaction, changes: Changes, webhooks: Iterable[Row], ledger: Ledger) -> None:
    """Queue a delivery for each of the webhooks, given as id and events, that wants one of these changes."""
    kinds = {change.kind.value for change in ledger.changes}
    for webhook_id, events in webhooks:
        if not kinds.isdisjoint(json.loads(events)):
            job_id = _id(changes, webhook_id, ledger.seq)
            job = delivery_job(webhook_id, job_id, changes.space, changes.at, changes.origin)
            edit_job(transaction, changes, QueueJob(job), ledger)


def _id(changes: Changes, webhook_id: str, seq: int) -> str:
    """An id made of the moment and of the cause: a store has no chance of its own."""
    cause = hashlib.sha256(f"{changes.space}\n{webhook_id}\n{seq}".encode()).digest()[:10]
    return encode_id((int(changes.at.timestamp() * 1000) << 80) | int.from_bytes(cause))
