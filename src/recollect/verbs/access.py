"""Access by token: tokens are made, shown once, tried and revoked.

These are no verbs. A verb does not know which door it was called through, and a door that could make tokens for itself
would be no door.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from recollect.domain.access import (
    USE_KEPT_EVERY,
    AccessScope,
    AccessToken,
    IssuedToken,
    digest_of,
    end_from,
    new_secret,
    opens,
    token_id_in,
)
from recollect.domain.clock import checked_id
from recollect.domain.errors import NotFound, StoreFailure
from recollect.domain.scopes import checked_space
from recollect.domain.values import choice
from recollect.engine import Engine
from recollect.redaction.clean_text import checked_name


class Access:
    """The tokens of one store."""

    def __init__(self, engine: Engine) -> None:
        self._clock, self._tokens = engine.clock, engine.tokens

    def issue(
        self, *, scope: str = "read", space: str | None = None, expires: str | None = None, name: str | None = None
    ) -> IssuedToken:
        """Make a token, for one space or for all. Its secret is in the answer and nowhere else.

        `expires` is a duration such as `30d` or a time; without it the token does not end. `name` is in whose name
        its bearer writes; by default it is made from the scope and the space.
        """
        reach = choice(AccessScope, scope, field="scope")
        only = None if space is None else checked_space(space)
        now, token_id = self._clock.now(), self._clock.new_id()
        secret = new_secret(token_id)
        token = AccessToken(
            id=token_id,
            name=checked_name(name, field="name") or f"{reach.value} {only or 'everywhere'}",
            scope=reach,
            space=only,
            created_at=now,
            expires_at=None if expires is None else end_from(expires, now),
            digest=digest_of(secret),
        )
        self._tokens.keep(token)
        return IssuedToken(token, secret)

    def admit(self, secret: str) -> AccessToken | None:
        """The live token that this is the secret of. The store is asked each time: a revocation holds at once."""
        token_id = token_id_in(secret)
        token = self._tokens.token(token_id) if token_id is not None else None
        now = self._clock.now()
        if token is None or not opens(token, secret, now):
            return None
        if token.last_used_at is None or now - token.last_used_at >= USE_KEPT_EVERY:
            # It waits for nobody; the next request tries again.
            with contextlib.suppress(StoreFailure):
                self._tokens.used(token.id, now)
        return token

    def is_live(self, token_id: str) -> bool:
        """Whether a token that was admitted before still opens anything."""
        token = self._tokens.token(token_id)
        return token is not None and token.is_live(self._clock.now())

    def tokens(self) -> Sequence[AccessToken]:
        """All tokens, oldest first, those that no longer open anything among them."""
        return self._tokens.every()

    def has_live(self, scope: AccessScope) -> bool:
        """Whether some live token for all spaces reaches that far."""
        now = self._clock.now()
        return any(each.is_live(now) and each.space is None and each.reaches(scope) for each in self.tokens())

    def revoke(self, token_id: str) -> AccessToken:
        """End a token now, for every process. Revoking it again changes nothing."""
        found = self._tokens.revoke(checked_id(token_id, what="token"), self._clock.now())
        if found is None:
            raise NotFound(
                f"There is no token {token_id}.", code="token_not_found", hint="`recollect tokens list` shows them."
            )
        return found
