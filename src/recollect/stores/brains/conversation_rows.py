"""Conversations follow their jobs, inside the transaction that queues or settles one.

A job whose payload names a `collection` is a conversation of the space's brain. It gets the next number of its
collection in the order of commits, or takes over the `conversation` that its payload names.
"""

from __future__ import annotations

from recollect.domain.changes import Changes
from recollect.domain.clock import format_time
from recollect.domain.jobs.job import Job
from recollect.stores.database import Transaction, Value


def number_conversation(transaction: Transaction, job: Job) -> None:
    """Give a job that was just queued its conversation."""
    said = job.payload
    key: dict[str, Value] = {"space": job.space, "collection": str(said["collection"])}
    told: dict[str, Value] = {"job_id": job.id, "at": format_time(job.created_at)}
    number = said.get("conversation")
    if number is not None and transaction.rows("restart_conversation", **key, **told, id=int(number)):
        return
    insert_conversation(
        transaction,
        key,
        **told,
        record_id=said.get("session"),
        label=str(said.get("scope", "")),
        stage="waiting",
        principal=job.origin.principal,
    )


def insert_conversation(transaction: Transaction, key: dict[str, Value], **told: Value) -> int:
    """Keep a conversation under the next number of its collection, which is returned."""
    [(number,)] = transaction.rows("next_conversation", **key)
    transaction.rows("insert_conversation", **key, **told, id=number)
    return int(number)


def follow_job(transaction: Transaction, changes: Changes, job_id: str) -> None:
    """Have the conversation of a job, if it has one, be as far as the job is."""
    transaction.rows("follow_job", space=changes.space, job_id=job_id, at=format_time(changes.at))
