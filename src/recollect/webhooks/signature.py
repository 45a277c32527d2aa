"""The signature of a delivery: an HMAC over its id, its time and its body, as in the Standard Webhooks specification.

The time is signed, so a delivery that somebody recorded is worth nothing five minutes later.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
from collections.abc import Mapping
from datetime import datetime

_PREFIX = "whsec_"  # how a secret of ours begins; the key is the base64 behind it
_SECRET_BYTES = 32
_TOLERANCE = 300  # seconds that the clocks of two machines may differ


def new_signing_secret() -> str:
    """A secret. Not from the clock: a test that holds chance still must not hold this still."""
    return _PREFIX + base64.b64encode(os.urandom(_SECRET_BYTES)).decode("ascii")


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
    return any(
        hmac.compare_digest(each.encode(), expected.encode()) for each in headers.get("webhook-signature", "").split()
    )


def _digest(secret: str, delivery_id: str, moment: str, body: bytes) -> str:
    told = f"{delivery_id}.{moment}.".encode() + body
    return base64.b64encode(hmac.new(_key(secret), told, hashlib.sha256).digest()).decode("ascii")


def _key(secret: str) -> bytes:
    if secret.startswith(_PREFIX):
        try:
            return base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
        except binascii.Error:
            pass  # somebody's own secret that happens to begin like that
    return secret.encode()
