"""The signature of a delivery: an HMAC over its id, its time and its body, as in the Standard Webhooks specification.

The time is signed, so a delivery that somebody recorded is worth nothing five minutes later.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime

_TOLERANCE = 300  # seconds that the clocks of two machines may differ


def signed(secret: str, delivery_id: str, at: datetime, body: bytes) -> dict[str, str]:
    """The headers that go with a delivery."""
    moment = str(int(at.timestamp()))
    return {
        "webhook-id": delivery_id,
        "webhook-timestamp": moment,
        "webhook-signature": f"v1,{_digest(secret, delivery_id, moment, body)}",
    }


def is_genuine(secret: str, headers: Mapping[str, str], body: bytes, now: datetime) -> bool:
    """Whether a delivery came from whoever has the secret, just now; for receivers. Headers are in lower case."""
    delivery_id, moment = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not moment.isdigit() or len(moment) > 12 or abs(now.timestamp() - int(moment)) > _TOLERANCE:
        return False
    expected = f"v1,{_digest(secret, delivery_id, moment, body)}"
    return any(hmac.compare_digest(each, expected) for each in headers.get("webhook-signature", "").split())


def _digest(secret: str, delivery_id: str, moment: str, body: bytes) -> str:
    told = f"{delivery_id}.{moment}.".encode() + body
    return base64.b64encode(hmac.new(secret.encode(), told, hashlib.sha256).digest()).decode("ascii")
