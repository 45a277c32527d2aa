"""The webhooks of each space and the log of what they were sent, in any SQL database.

The delivery of a commit is queued inside its own transaction: neither is there without the other. Of each webhook one
delivery waits, and it begins where the last one ended: a receiver that is down for a day queues one job, not hundreds.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from recollect.domain.changes import Change, ChangeKind, QueueJob
from recollect.domain.clock import encode_id, format_time
from recollect.domain.errors import TooLarge
from recollect.domain.jobs.webhook import (
    MOST_DELIVERIES,
    MOST_WEBHOOKS,
    Endpoint,
    Webhook,
    WebhookDelivery,
    delivery_job,
)
from recollect.domain.origin import Channel, Origin
from recollect.domain.scopes import BOUND_BY, Scope
from recollect.stores.damaged_rows import reads
from recollect.stores.database import WEBHOOK_COLUMNS, Row, SqlPart, Transaction, Value, names_in
from recollect.stores.jobs.sql_jobs import Noted, edit_job

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recollect.domain.changes import Changes


class SqlWebhooks(SqlPart):
    """Webhooks in an SQL database."""

    def put(self, endpoint: Endpoint) -> Webhook:
        wanted = endpoint.webhook
        with self._database.writing(wanted.space) as transaction:
            known = {row[2] for row in transaction.rows("webhooks", space=wanted.space)}
            if wanted.name not in known and len(known) >= MOST_WEBHOOKS:
                raise TooLarge(
                    f"`{wanted.space}` has {MOST_WEBHOOKS} webhooks, and there can be no more.",
                    code="too_many_webhooks",
                    hint="`recollect webhooks remove` takes one away.",
                )
            transaction.rows("put_webhook", **_columns(endpoint), seq=None)
            [row] = transaction.rows("webhook", space=wanted.space, id="", name=wanted.name)
        return _endpoint(row).webhook

    def endpoint(self, space: str, webhook_id: str) -> Endpoint | None:
        return self._one(space, id=webhook_id, name="")

    def named(self, space: str, name: str) -> Endpoint | None:
        return self._one(space, id="", name=name)

    def webhooks(self, space: str) -> Sequence[Webhook]:
        return [_endpoint(row).webhook for row in self._read(space, "webhooks")]

    def remove(self, webhook: Webhook) -> None:
        with self._database.writing(webhook.space) as transaction:
            transaction.rows("drop_webhook_deliveries", space=webhook.space, webhook_id=webhook.id)
            transaction.rows("drop_webhook", space=webhook.space, id=webhook.id)

    def log(self, space: str, webhook_id: str, delivery: WebhookDelivery) -> None:
        with self._database.writing(space) as transaction:
            _insert(transaction, space, webhook_id, delivery)

    def move(self, webhook: Webhook, seq: int, delivery: WebhookDelivery | None = None) -> bool:
        key = {"space": webhook.space, "id": webhook.id}
        with self._database.writing(webhook.space) as transaction:
            moved = transaction.rows("move_webhook", **key, seq=seq, known=webhook.seq)
            if moved and delivery is not None:
                _insert(transaction, webhook.space, webhook.id, delivery)
        return bool(moved)

    def deliveries(
        self, space: str, *, webhook_id: str | None, before: str | None, limit: int
    ) -> Sequence[WebhookDelivery]:
        wanted = {"webhook_id": webhook_id, "before": before, "limit": limit}
        return [_delivery(row) for row in self._read(space, "webhook_deliveries", **wanted)]

    def every(self) -> Sequence[Endpoint]:
        """The webhooks of all spaces, where the database shows them at once."""
        with self._database.reading(None) as transaction:
            return [_endpoint(row) for row in transaction.rows("every_webhook")]

    def become(self, endpoints: Sequence[Endpoint]) -> None:
        """Hold these and no others, nor a log of others: a restored copy tells nobody whom this store does not tell."""
        with self._database.writing(None) as transaction:
            transaction.rows("drop_webhooks")
            for each in endpoints:
                transaction.rows("put_webhook", **_columns(each), seq=each.webhook.seq)
            transaction.rows("drop_stray_deliveries")

    def _one(self, space: str, **key: str) -> Endpoint | None:
        found = self._read(space, "webhook", **key)
        return _endpoint(found[0]) if found else None


def _insert(transaction: Transaction, space: str, webhook_id: str, delivery: WebhookDelivery) -> None:
    transaction.rows(
        "insert_webhook_delivery",
        space=space,
        id=delivery.id,
        webhook_id=webhook_id,
        event_id=delivery.event_id,
        event=delivery.event,
        attempt=delivery.attempt,
        at=format_time(delivery.at),
        status=delivery.status,
        code=delivery.code,
        milliseconds=delivery.milliseconds,
    )
    transaction.rows("drop_old_webhook_deliveries", space=space, webhook_id=webhook_id, most=MOST_DELIVERIES)


def _columns(endpoint: Endpoint) -> dict[str, Value]:
    webhook = endpoint.webhook
    return {
        "space": webhook.space,
        "id": webhook.id,
        "name": webhook.name,
        "url": endpoint.url,
        "secret": endpoint.secret,
        "host": webhook.host,
        "events": json.dumps(webhook.events),
        "content": int(webhook.content),
        "allow_private": int(webhook.allow_private),
        "allow_http": int(webhook.allow_http),
        "configured": int(webhook.configured),
        **{f"scope_{name}": getattr(webhook.within, name) for name in BOUND_BY},
        "created_at": format_time(webhook.created_at),
        "channel": webhook.origin.channel.value,
        "principal": webhook.origin.principal,
    }


@reads("webhook", names_in(WEBHOOK_COLUMNS))
def _endpoint(row: Row) -> Endpoint:
    webhook_id, space, name, host, events, content, allow_private, allow_http, configured, *rest = row
    *bound, created_at, channel, principal, seq, url, secret = rest
    webhook = Webhook(
        id=webhook_id,
        space=space,
        name=name,
        host=host,
        events=tuple(ChangeKind(each) for each in json.loads(events)),
        content=bool(content),
        allow_private=bool(allow_private),
        allow_http=bool(allow_http),
        configured=bool(configured),
        within=Scope(**dict(zip(BOUND_BY, bound, strict=True))),
        created_at=datetime.fromisoformat(created_at),
        origin=Origin(Channel(channel), principal),
        seq=seq,
    )
    return Endpoint(webhook, url, secret)


@reads("webhook_delivery", ("id", "name", "event_id", "event"))
def _delivery(row: Row) -> WebhookDelivery:
    delivery_id, name, event_id, event, attempt, at, status, code, milliseconds = row
    moment = datetime.fromisoformat(at)
    return WebhookDelivery(delivery_id, name, event_id, event, attempt, moment, status, code, milliseconds)


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
