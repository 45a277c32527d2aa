"""A client of Anda Brain: it mints capabilities as the old command line does, and says what it is told to."""

from __future__ import annotations

import time
from typing import Any

from recollect.codecs.cwt import KeyPair, new_key_pair, signed_token, unpadded

KEYS: KeyPair = new_key_pair()
OLD_KEYS: KeyPair = new_key_pair()  # which are on their way out
MANAGER = "manager-principal"
ENVIRONMENT = {
    "ED25519_PUBKEYS": f"{unpadded(KEYS.public)}, {unpadded(OLD_KEYS.public)}",
    "MANAGERS": f"{MANAGER},another",
    "SHARDING_IDX": "0",
}


def capability(scope: Any = "*", space: Any = "*", *, subject: Any = "alice-principal", **how: Any) -> str:
    """A signed capability; `lasts` is in seconds, `claims` adds to them or takes one away."""
    now = int(time.time())
    claims = {1: "anda-cli", 2: subject, 3: space, 4: now + how.pop("lasts", 3600), 6: now, 9: scope}
    claims |= how.pop("claims", {})
    keys = how.pop("keys", KEYS)
    return signed_token({label: value for label, value in claims.items() if value is not None}, keys.private, **how)


def manager() -> str:
    return capability(subject=MANAGER)
