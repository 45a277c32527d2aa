"""The log of webhook deliveries in any SQL database. It belongs to the store, as access tokens do."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from recollect.domain.clock import format_time
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Database, Row
from recollect.stores.records import time_from
from recollect.webhooks.delivery import DeliveryRecord

_MOST = 1000  # attempts that are kept


class SqlDeliveries:
    """Attempts in an SQL database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, record: DeliveryRecord) -> None:
        with self._database.writing(None) as transaction:
            transaction.rows(
                "insert_webhook_delivery",
                space=record.space,
                delivery_id=record.delivery_id,
                attempt=record.attempt,
                endpoint=record.endpoint,
                event=record.event,
                at=format_time(record.at),
                status=record.status,
                code=record.code,
                seconds=record.seconds,
                retry_at=None if record.retry_at is None else format_time(record.retry_at),
            )
            transaction.rows("drop_old_webhook_deliveries", most=_MOST)

    def records(self, *, endpoint: str | None = None, limit: int) -> Sequence[DeliveryRecord]:
        with self._database.reading(None) as transaction:
            rows = transaction.rows("webhook_deliveries", endpoint=endpoint, limit=limit)
        return [_record(row) for row in rows]


@reads("webhook_delivery", ("id",))
def _record(row: Row) -> DeliveryRecord:
    *named, at, status, code, seconds, retry_at = row
    delivery_id, endpoint, space, event, attempt = named
    moment = datetime.fromisoformat(at)
    return DeliveryRecord(
        delivery_id, endpoint, space, event, attempt, moment, status, code, seconds, time_from(retry_at)
    )
