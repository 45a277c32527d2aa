"""Brains in any SQL database, and conversations that follow their jobs.

A job whose payload names a `collection` is a conversation of the space's brain. It gets the next number of its
collection in the order of commits, or takes over the `conversation` that its payload names.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from recollect.domain.brain import MOST_RECALLS, STAGE_OF_JOB, Brain, BrainConversation, BrainFigures, Collection
from recollect.domain.changes import Changes
from recollect.domain.clock import format_time
from recollect.domain.jobs.job import Job, JobStage
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Row, SqlPart, Transaction, Value
from recollect.stores.records import time_from

_AFTER_ALL = 2**62


class SqlBrains(SqlPart):
    """Implements `Brains`."""

    def brain(self, space: str) -> Brain | None:
        return next((_brain(row) for row in self._read(space, "brain")), None)

    def keep(self, brain: Brain) -> None:
        with self._database.writing(brain.space) as transaction:
            transaction.rows(
                "keep_brain",
                space=brain.space,
                owner=brain.owner,
                title=brain.title,
                public=int(brain.public),
                tier=brain.tier,
                tier_at=None if brain.tier_at is None else format_time(brain.tier_at),
            )

    def keep_recall(self, space: str, receipt_id: str | None, principal: str, at: datetime) -> int:
        with self._database.writing(space) as transaction:
            transaction.rows("lock_space", space=space)  # one number at a time
            number = insert_conversation(
                transaction,
                {"space": space, "collection": Collection.RECALL.value},
                job_id=None,
                record_id=receipt_id,
                label="",
                stage=JobStage.DONE.value,
                principal=principal,
                at=format_time(at),
            )
            transaction.rows("drop_old_recalls", space=space, last=number - MOST_RECALLS)
            return number

    def conversations(
        self, space: str, collection: Collection, *, before: int | None, limit: int
    ) -> Sequence[BrainConversation]:
        end = _AFTER_ALL if before is None else before
        with self._database.reading(space) as transaction:
            found = transaction.rows("conversations", space=space, collection=collection.value, before=end, limit=limit)
            return [_conversation(row) for row in found]

    def conversation(self, space: str, collection: Collection, number: int) -> BrainConversation | None:
        found = self.conversations(space, collection, before=number + 1, limit=1)
        return found[0] if found and found[0].id == number else None

    def of_job(self, space: str, job_id: str) -> BrainConversation | None:
        named = self._read(space, "conversation_of_job", job_id=job_id)
        return self.conversation(space, Collection(named[0][0]), named[0][1]) if named else None

    def figures(self, space: str) -> BrainFigures:
        with self._database.reading(space) as transaction:
            [(concepts, propositions)] = transaction.rows("count_graph", space=space)
            counts = [_count(row) for row in transaction.rows("count_conversations", space=space)]
            rounds = [_round(row) for row in transaction.rows("maintenance_rounds", space=space)]
        done = [each for each in counts if each[1] is JobStage.DONE]
        return BrainFigures(
            concepts,
            propositions,
            {(collection, STAGE_OF_JOB[stage]): many for collection, stage, many, _ in counts},
            {kind: max(last for each, _, _, last in counts if each is kind) for kind, _, _, _ in counts},
            {collection: last for collection, _, _, last in done},
            {scope: (formed, at) for scope, formed, at in rounds},
        )


@reads("brain", ("space", "owner", "title"))
def _brain(row: Row) -> Brain:
    space, owner, title, public, tier, tier_at = row
    return Brain(space, owner, title, bool(public), tier, time_from(tier_at))


@reads("brain_conversation", ("space", "collection"))
def _conversation(row: Row) -> BrainConversation:
    space, collection, number, stage, created_at, updated_at, principal, job_id, record_id, label, learned, detail = row
    return BrainConversation(
        space,
        Collection(collection),
        number,
        STAGE_OF_JOB[JobStage(stage)],
        datetime.fromisoformat(created_at),
        datetime.fromisoformat(updated_at),
        principal,
        job_id,
        record_id,
        label,
        learned,
        detail,
    )


@reads("brain_conversation", ("collection",))
def _count(row: Row) -> tuple[Collection, JobStage, int, int]:
    collection, stage, many, last = row
    return Collection(collection), JobStage(stage), many, last


@reads("brain_conversation", ("label",))
def _round(row: Row) -> tuple[str, int, datetime]:
    scope, formed, at = row
    return scope, formed, datetime.fromisoformat(at)


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
