"""Receipts of searches, kept for a while in any SQL database.

A receipt is not memory: it has no row in the change log, is in no export, and may be lost when the power fails. It
never waits for another writer.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

from recollect.domain.answers.receipts import MOST_RECEIPTS, RECEIPT_DAYS, Fate, Found, RecallReceipt
from recollect.domain.clock import format_time
from recollect.domain.recollections import Coverage
from recollect.domain.values import to_plain
from recollect.redaction.clean_records import without_secrets
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Database, Row

_ASKED = ("query", "asked")  # what somebody said, kept apart from the rest so that it can be forgotten


class SqlReceipts:
    """Receipts in an SQL database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, space: str, receipt: RecallReceipt) -> None:
        plain: dict[str, Any] = to_plain(without_secrets(receipt))
        asked = {name: plain.pop(name) for name in _ASKED}
        body = {name: value for name, value in plain.items() if name not in ("id", "at")}
        oldest = format_time(receipt.at - timedelta(days=RECEIPT_DAYS))
        with self._database.jotting(space) as transaction:
            transaction.rows(
                "insert_receipt",
                space=space,
                id=receipt.id,
                at=format_time(receipt.at),
                asked=json.dumps(asked),
                body=json.dumps(body, separators=(",", ":")),
            )
            transaction.rows("drop_old_receipts", space=space, oldest=oldest, most=MOST_RECEIPTS)

    def receipt(self, space: str, receipt_id: str) -> RecallReceipt | None:
        with self._database.reading(space) as transaction:
            found = transaction.rows("receipt", space=space, id=receipt_id)
        return _receipt(found[0]) if found else None


@reads("receipt", ("id",))
def _receipt(row: Row) -> RecallReceipt:
    receipt_id, at, asked, spelled = row
    body: dict[str, Any] = json.loads(spelled)
    body.update(json.loads(asked) if asked is not None else {"query": None, "asked": {}})
    body["coverage"] = Coverage(body["coverage"])
    body["found"] = tuple(Found(**{**each, "fate": Fate(each["fate"])}) for each in body["found"])
    return RecallReceipt(id=receipt_id, at=datetime.fromisoformat(at), **body)
