"""A delivery, from the change to its end: sent, written down, and tried again later until it is given up.

`Later` is the port of a queue. A delivery that it is handed can be run by any process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol

from recollect.domain.clock import Clock
from recollect.domain.dataclass import dataclass, replace
from recollect.webhooks.endpoints import WebhookEndpoint
from recollect.webhooks.sender import Attempt, send
from recollect.webhooks.signature import signed

# Minutes after each failure; together a little over a day, which a receiver can be down for.
_WAITS = (0.5, 2, 10, 60, 360, 1080)


@dataclass(frozen=True, slots=True)
class Delivery:
    """A change on its way to an endpoint. Its id stays the same however often it is tried, so a receiver knows it."""

    id: str
    endpoint: str
    space: str
    event: str
    payload: Mapping[str, Any]
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class DeliveryRecord:
    """One attempt as it is written down: never what was sent. `retry_at` is `None` after success or the last one."""

    delivery_id: str
    endpoint: str
    space: str
    event: str
    attempt: int
    at: datetime
    status: int
    code: str
    seconds: float
    retry_at: datetime | None


class Later(Protocol):
    """A queue that runs deliveries later."""

    def deliver(self, delivery: Delivery, at: datetime) -> None:
        """Call `deliver` with this delivery at a moment, in this process or another."""
        ...


class DeliveryLog(Protocol):
    """Where attempts are written down."""

    def keep(self, record: DeliveryRecord) -> None:
        """Keep a record, and drop those that are too many."""
        ...

    def records(self, *, endpoint: str | None = None, limit: int) -> Sequence[DeliveryRecord]:
        """The newest records, newest first."""
        ...


class Webhooks:
    """Sends deliveries to the endpoints of a configuration."""

    def __init__(
        self,
        endpoints: Sequence[WebhookEndpoint],
        clock: Clock,
        later: Later,
        log: DeliveryLog,
        send: Callable[[WebhookEndpoint, Mapping[str, str], bytes], Attempt] = send,
    ) -> None:
        self._endpoints = {each.name: each for each in endpoints}
        self._clock, self._later, self._log, self._send = clock, later, log, send

    def deliver(self, delivery: Delivery) -> Attempt | None:
        """Try a delivery once; `None` if its endpoint is not configured any more, and then it is over."""
        endpoint = self._endpoints.get(delivery.endpoint)
        if endpoint is None:
            return None
        now = self._clock.now()
        body = _body(delivery)
        attempt = self._send(endpoint, signed(endpoint.secret, delivery.id, now, body), body)
        retry_at = None if attempt.succeeded else retry_after(delivery.attempt, now)
        self._log.keep(_record(delivery, attempt, now, retry_at))
        if retry_at is not None:
            self._later.deliver(replace(delivery, attempt=delivery.attempt + 1), retry_at)
        return attempt


def retry_after(attempt: int, now: datetime) -> datetime | None:
    """When a delivery whose attempt failed is tried again; `None` if it is given up."""
    return now + timedelta(minutes=_WAITS[attempt - 1]) if attempt <= len(_WAITS) else None


def _body(delivery: Delivery) -> bytes:
    said = {"id": delivery.id, "event": delivery.event, "space": delivery.space, "data": dict(delivery.payload)}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def _record(delivery: Delivery, attempt: Attempt, at: datetime, retry_at: datetime | None) -> DeliveryRecord:
    return DeliveryRecord(
        delivery.id,
        delivery.endpoint,
        delivery.space,
        delivery.event,
        delivery.attempt,
        at,
        attempt.status,
        attempt.code,
        attempt.seconds,
        retry_at,
    )
