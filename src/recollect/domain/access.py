"""Access tokens: who may come in through a door that asks, how far, and until when.

A token is shown once, when it is made. What is kept is its id and the SHA-256 of the whole: the secret is 32 random
bytes, so there is nothing to guess and no need for a slow hash. The checksum at its end lets a mistyped token be
refused without asking anybody.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re
import zlib
from datetime import datetime, timedelta
from enum import StrEnum

from recollect.domain.clock import parse_time
from recollect.domain.dataclass import dataclass, field
from recollect.domain.errors import InvalidInput

TOKEN_PREFIX = "rcl_"  # noqa: S105 - what every token begins with, so that people and scanners know one
SECRET_BYTES = 32
USE_KEPT_EVERY = timedelta(hours=1)  # "last used" is coarse: a write for each request would cost more than it tells

_SPELLED = re.compile(r"rcl_([0-7][0-9A-HJKMNP-TV-Z]{25})_([a-z2-7]{52})([0-9a-f]{8})")
_DURATION = re.compile(r"(\d{1,6})\s*(m|h|d|w|y)")
_UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "y": timedelta(days=365),
}


class AccessScope(StrEnum):
    """How far a token goes; each includes the ones before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


_REACH = {scope: reach for reach, scope in enumerate(AccessScope)}


@dataclass(frozen=True, slots=True)
class AccessToken:
    """A token as it is kept. `space` is `None` for all spaces, `expires_at` for one that does not end."""

    id: str
    name: str
    scope: AccessScope
    space: str | None
    created_at: datetime
    expires_at: datetime | None = None
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None
    digest: str = field(default="", repr=False)

    def is_live(self, at: datetime) -> bool:
        """Whether it opens anything: neither revoked nor over."""
        return self.revoked_at is None and (self.expires_at is None or at < self.expires_at)

    def reaches(self, scope: AccessScope) -> bool:
        return _REACH[self.scope] >= _REACH[scope]

    def covers(self, space: str | None) -> bool:
        """Whether it is for this space; `None` asks for all of them."""
        return self.space is None or self.space == space


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A new token with its secret, which is nowhere else and cannot be shown again."""

    token: AccessToken
    secret: str = field(repr=False)


def new_secret(token_id: str) -> str:
    """The secret of a token. Not from the clock: a test that holds chance still must not hold this still."""
    chance = base64.b32encode(os.urandom(SECRET_BYTES)).decode("ascii").rstrip("=").lower()
    body = f"{TOKEN_PREFIX}{token_id}_{chance}"
    return body + _checksum(body)


def token_id_in(secret: str) -> str | None:
    """The id that a secret carries; `None` if it is no token at all, or was mistyped."""
    parts = _SPELLED.fullmatch(secret)
    if parts is None or _checksum(secret[:-8]) != parts[3]:
        return None
    return parts[1]


def digest_of(secret: str) -> str:
    """The digest that is kept in place of a secret."""
    return hashlib.sha256(secret.encode("ascii")).hexdigest()


def opens(token: AccessToken, secret: str, at: datetime) -> bool:
    """Whether a secret is that of this token, and the token is live. It takes as long whether it fits or not."""
    return hmac.compare_digest(token.digest, digest_of(secret)) and token.is_live(at)


def end_from(spelled: str, now: datetime) -> datetime:
    """When a token ends: so many minutes, hours, days, weeks or years from now (`30d`), or at a time."""
    parts = _DURATION.fullmatch(spelled.strip())
    try:
        end = now + int(parts[1]) * _UNITS[parts[2]] if parts else parse_time(spelled, field="expires")
    except OverflowError:
        raise InvalidInput(f"`expires` is out of range: `{spelled}`.", code="invalid_time") from None
    if end <= now:
        raise InvalidInput(f"`expires` is `{spelled}`, which is not after now.", code="invalid_period")
    return end


def _checksum(text: str) -> str:
    return f"{zlib.crc32(text.encode('ascii')):08x}"
