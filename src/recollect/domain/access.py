"""Access tokens and sign-ins: who may come in through a door that asks, how far, and until when.

A secret is shown once, when it is made. What is kept is its id and the SHA-256 of the whole: the secret is 32 random
bytes, so there is nothing to guess and no need for a slow hash. The checksum at its end lets a mistyped one be
refused without asking anybody. What a secret is for stands at its beginning: a token (`rcl_`), a link that signs a
browser in once (`rco_`), or the cookie of a browser that is signed in (`rcs_`).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re
import zlib
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from recollect.domain.clock import parse_time
from recollect.domain.dataclass import dataclass, field
from recollect.domain.errors import InvalidInput
from recollect.domain.scopes import ANYWHERE, Scope

TOKEN_PREFIX = "rcl_"  # noqa: S105 - what every token begins with, so that people and scanners know one
LINK_PREFIX, COOKIE_PREFIX = "rco_", "rcs_"
SECRET_BYTES = 32
USE_KEPT_EVERY = timedelta(hours=1)  # "last used" is coarse: a write for each request would cost more than it tells
SEEN_KEPT_EVERY = timedelta(minutes=5)  # as coarse as that, for the same reason
LINK_LASTS = timedelta(minutes=10)  # long enough to open it on another machine
SIGN_IN_LASTS = timedelta(hours=12)  # a working day
IDLE_LASTS = timedelta(hours=2)  # without a request
FRESH_LASTS = timedelta(minutes=10)  # after signing in, in which a person may write rules

_SPELLED = re.compile(r"(rc[los]_)([0-7][0-9A-HJKMNP-TV-Z]{25})_([a-z2-7]{52})([0-9a-f]{8})")
_DURATION = re.compile(r"(\d{1,6})\s*(m|h|d|w|y)")
_UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "y": timedelta(days=365),
}


class AccessScope(StrEnum):
    """A right that a token can have. By one name, a token is given it and those before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class AccessToken:
    """A token as it is kept. `space` is `None` for all spaces, `expires_at` for one that does not end.

    `within` binds it to a user, an agent or a project of its space: it reads and writes nothing else there.
    `made_by` is the token that made it over HTTP, with which it ends; `successor` the one it was rotated to.
    `dialect` is the one family of paths that it opens, if it is for one of another system; otherwise it opens ours.
    """

    id: str
    name: str
    scopes: frozenset[AccessScope]
    space: str | None
    created_at: datetime
    expires_at: datetime | None = None
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None
    digest: str = field(default="", repr=False)
    within: Scope = ANYWHERE
    made_by: str | None = None
    successor: str | None = None
    dialect: str | None = None

    @property
    def scope(self) -> str:
        """Its rights in a word: the highest if it has those below, otherwise each and `only`."""
        if not self.scopes:
            return "nothing"
        highest = max(self.scopes, key=_LADDER.index)
        if self.scopes == up_to(highest):
            return highest.value
        return " and ".join(each.value for each in _LADDER if each in self.scopes) + " only"

    @property
    def prefix(self) -> str:
        """The beginning of its secret, by which a person knows which one it is."""
        return f"{TOKEN_PREFIX}{self.id}"

    @property
    def is_bound(self) -> bool:
        """Whether it is for a part of its space only."""
        return self.within != ANYWHERE

    @property
    def is_everywhere(self) -> bool:
        """Whether it is an administrator's, of every space and all parts of it."""
        return self.reaches(AccessScope.ADMIN) and self.covers(None) and not self.is_bound

    def is_live(self, at: datetime) -> bool:
        """Whether it opens anything: neither revoked nor over."""
        return self.revoked_at is None and (self.expires_at is None or at < self.expires_at)

    def reaches(self, scope: AccessScope) -> bool:
        return scope in self.scopes

    def covers(self, space: str | None) -> bool:
        """Whether it is for this space; `None` asks for all of them."""
        return self.space is None or self.space == space

    def holds(self, other: AccessToken) -> bool:
        """Whether another token may do nothing, nowhere and at no time that this one may not."""
        return (
            other.scopes <= self.scopes
            and self.dialect in (None, other.dialect)
            and self.covers(other.space)
            and self.within.includes(other.within)
            and (self.expires_at is None or (other.expires_at is not None and other.expires_at <= self.expires_at))
        )


_LADDER = tuple(AccessScope)


def up_to(scope: AccessScope) -> frozenset[AccessScope]:
    """A right and those before it."""
    return frozenset(_LADDER[: _LADDER.index(scope) + 1])


def spelled_scopes(scopes: Iterable[AccessScope]) -> str:
    """Rights as they are stored: in their order, with spaces between."""
    return " ".join(each.value for each in _LADDER if each in frozenset(scopes))


@dataclass(frozen=True, slots=True)
class SignInLink:
    """A link that signs a browser in once, with the rights of a token."""

    id: str
    token_id: str
    created_at: datetime
    expires_at: datetime
    digest: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class SignIn:
    """A browser that is signed in. It may do as much as its token, and ends with it.

    `personal` says that a person signed in, by a link or as an administrator, and not a program with some token.
    """

    id: str
    token_id: str
    created_at: datetime
    seen_at: datetime
    expires_at: datetime
    personal: bool
    ended_at: datetime | None = None
    digest: str = field(default="", repr=False)

    def is_live(self, at: datetime) -> bool:
        """Whether the browser is still signed in: neither signed out, nor for too long, nor idle."""
        return self.ended_at is None and at < self.expires_at and at - self.seen_at < IDLE_LASTS

    def is_fresh(self, at: datetime) -> bool:
        """Whether the sign-in is so recent that the person is still there."""
        return at - self.created_at < FRESH_LASTS


@dataclass(frozen=True, slots=True)
class Account:
    """A person who signs in with a name and a password, or by an identity that an issuer vouches for. It has the rights
    of its token, whose secret nobody has. `password` is the digest, `None` until one is set."""

    name: str
    token_id: str
    created_at: datetime
    identity: str | None = None
    password: str | None = field(default=None, repr=False)


class AccountBook(Protocol):
    """The accounts of a store."""

    def keep(self, account: Account) -> bool:
        """Keep an account. False if its name or its identity is taken."""
        ...

    def named(self, name: str) -> Account | None: ...

    def of_identity(self, identity: str) -> Account | None: ...

    def of_token(self, token_id: str) -> Account | None: ...

    def every(self) -> Sequence[Account]: ...

    def set_password(self, name: str, password: str) -> None:
        """Put the digest of another password in the place of the one before."""
        ...

    def drop(self, name: str) -> None: ...


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A new token with its secret, which is nowhere else and cannot be shown again."""

    token: AccessToken
    secret: str = field(repr=False)


def new_secret(record_id: str, prefix: str = TOKEN_PREFIX) -> str:
    """A secret. Not from the clock: a test that holds chance still must not hold this still."""
    chance = base64.b32encode(os.urandom(SECRET_BYTES)).decode("ascii").rstrip("=").lower()
    body = f"{prefix}{record_id}_{chance}"
    return body + _checksum(body)


def token_id_in(secret: str, prefix: str = TOKEN_PREFIX) -> str | None:
    """The id that a secret of a kind carries; `None` if it is none of that kind, or was mistyped."""
    parts = _SPELLED.fullmatch(secret)
    if parts is None or parts[1] != prefix or _checksum(secret[:-8]) != parts[4]:
        return None
    return parts[2]


def digest_of(secret: str) -> str:
    """The digest that is kept in place of a secret."""
    return hashlib.sha256(secret.encode("ascii")).hexdigest()


def fits(digest: str, secret: str) -> bool:
    """Whether a digest is that of a secret. It takes as long whether it is or not."""
    return hmac.compare_digest(digest, digest_of(secret))


def opens(token: AccessToken, secret: str, at: datetime) -> bool:
    """Whether a secret is that of this token, and the token is live."""
    return fits(token.digest, secret) and token.is_live(at)


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
