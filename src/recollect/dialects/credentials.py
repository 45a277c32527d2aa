"""Credentials of other systems as tokens of ours: a secret of the environment, a capability, an asserted user."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from recollect.codecs.cwt import AUDIENCE, EXPIRES, ISSUED, NOT_BEFORE, SCOPE, SUBJECT, VerifyingKey, claims_in
from recollect.domain.access import AccessScope, AccessToken, up_to
from recollect.domain.dataclass import replace
from recollect.domain.errors import InvalidInput, NotAllowed, RecollectError
from recollect.domain.scopes import Scope, checked_space

BEGINNING = datetime.min.replace(tzinfo=UTC)
_END = datetime.max.replace(tzinfo=UTC)


def is_secret(shown: str, known: str | None) -> bool:
    """Whether a secret is the one that is known, looked at for as long whatever it is."""
    if not shown or not known:
        return False
    return hmac.compare_digest(shown.encode("utf-8", "surrogateescape"), known.encode("utf-8", "surrogateescape"))


def stand_in(name: str, token_id: str = "", within: Scope | None = None) -> AccessToken:
    """A token that is in no store, for whoever shows a secret of the environment: it may write."""
    return AccessToken(token_id, name, up_to(AccessScope.WRITE), None, BEGINNING, within=within or Scope())


def in_the_name_of(token: AccessToken, user: str, header: str) -> AccessToken:
    """The token, bound to the user whom a header names."""
    named = user or token.within.user
    if not named:
        raise InvalidInput(f"`{header}` is missing: whose memory is meant?", code="user_missing")
    if token.within.user not in (None, named):
        raise NotAllowed("This key is for another user.", code="user_of_another_key")
    return replace(token, within=replace(token.within, user=named))


def capability(
    token: str, keys: Sequence[VerifyingKey], scopes: Mapping[str, frozenset[AccessScope]], now: datetime
) -> AccessToken | None:
    """A signed capability (CWT) as a token; `None` if no known key signed it, it is over, or it says too little.

    Its subject is the name, its audience the space or `*` for all, and its scope a word of `scopes`.
    """
    claims = claims_in(token, keys) if keys else None
    if claims is None:
        return None
    subject, audience, scope = (claims.get(label, "") for label in (SUBJECT, AUDIENCE, SCOPE))
    ends, begins, issued = (_moment(claims, label) for label in (EXPIRES, NOT_BEFORE, ISSUED))
    if not all(isinstance(each, str) for each in (subject, audience, scope)) or not subject or scope not in scopes:
        return None
    if ends is None or ends <= now or (begins is not None and begins > now):
        return None
    try:
        space = None if audience == "*" else checked_space(audience)
    except RecollectError:
        return None
    token_id = hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()[:26]
    return AccessToken(token_id, subject[:200], scopes[scope], space, issued or BEGINNING, ends)


def _moment(claims: Mapping[Any, Any], label: int) -> datetime | None:
    """A time among the claims, in seconds; one that cannot be is long over."""
    said = claims.get(label)
    if said is None:
        return None
    if isinstance(said, bool) or not isinstance(said, int | float):
        return BEGINNING if label != NOT_BEFORE else _END
    try:
        return datetime.fromtimestamp(said, UTC)
    except (ValueError, OverflowError, OSError):
        return BEGINNING if said < 0 else _END
