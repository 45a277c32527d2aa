"""The log record of each request: who asked for which verb, how it ended and how long it took.

Never a path, a query or a body, for those hold memories. One line of JSON each, at INFO.
"""

from __future__ import annotations

import json
import logging

from recollect.domain.clock import Clock, format_time
from recollect.domain.dataclass import dataclass
from recollect.redaction.clean_records import without_secrets

REQUESTS = "recollect.http.requests"  # the logger

_LOG = logging.getLogger(REQUESTS)


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """One request that was answered. `verb` is empty for what was refused, `code` for what was not."""

    request_id: str
    method: str
    verb: str
    space: str | None
    token: str | None
    status: int
    code: str
    seconds: float
    sent: int  # bytes of the answer
    figures: str = ""  # what figures of its dialect begin with, if that has some
    path: str = ""  # of a line of a dialect: as the table has it, and never as it was asked for


def write_down(record: RequestRecord, clock: Clock) -> None:
    """One line in the log."""
    if not _LOG.isEnabledFor(logging.INFO):
        return
    said = {
        "at": format_time(clock.now()),
        "request_id": record.request_id,
        "method": record.method,
        "verb": record.verb,
        "space": record.space,
        "token": record.token,
        "status": record.status,
        "code": record.code,
        "ms": round(record.seconds * 1000, 2),
        "bytes": record.sent,
    }
    told = {name: value for name, value in said.items() if value not in (None, "")}
    # Strangers may send a secret as an id or as a space. The token is told by its id, which is ours and opens nothing.
    _LOG.info(json.dumps({**without_secrets(told), **({"token": record.token} if record.token else {})}))
