"""Access by token: tokens are made, shown once, tried, rotated and revoked, and browsers are signed in with them.

These are no verbs: a verb does not know which door it was called through. Over HTTP each is done `by` a token, and what
that token makes may do nothing that it may not do itself, ends no later than it, and ends with it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from recollect.dialects.registry import known_dialect
from recollect.domain.access import (
    COOKIE_PREFIX,
    LINK_LASTS,
    LINK_PREFIX,
    SEEN_KEPT_EVERY,
    SIGN_IN_LASTS,
    USE_KEPT_EVERY,
    AccessScope,
    AccessToken,
    IssuedToken,
    SignIn,
    SignInLink,
    digest_of,
    end_from,
    fits,
    new_secret,
    opens,
    token_id_in,
    up_to,
)
from recollect.domain.clock import checked_id
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.errors import Conflict, InvalidInput, NotAllowed, NotFound, StoreFailure
from recollect.domain.scopes import ANYWHERE, BOUND_BY, DEFAULT_SPACE, Scope, checked_space
from recollect.domain.values import choice, to_plain
from recollect.engine import Engine
from recollect.redaction.clean_records import checked_name

if TYPE_CHECKING:
    from recollect.verbs.rights.accounts import Accounts


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A browser that has just signed in, with the cookie that is nowhere else."""

    sign_in: SignIn
    token: AccessToken
    cookie: str = field(repr=False)


def shown(token: AccessToken) -> dict[str, Any]:
    """A token as lists show it: without its digest, which is of no use to anybody who reads this."""
    kept = {name: value for name, value in to_plain(token).items() if name not in ("digest", "within", "scopes")}
    return {
        **kept,
        "prefix": token.prefix,
        "scope": token.scope,
        "scopes": [each.value for each in AccessScope if each in token.scopes],
        **{name: getattr(token.within, name) for name in BOUND_BY},
    }


class Access:
    """The tokens of one store, and the browsers that are signed in with them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._clock, self._tokens, self._sign_ins = engine.clock, engine.tokens, engine.sign_ins

    def now(self) -> datetime:
        """The time by which tokens end."""
        return self._clock.now()

    def is_there(self, space: str) -> bool:
        """Whether there is such a space, for somebody who was let in to it."""
        return space == DEFAULT_SPACE or self._engine.store.space(checked_space(space)) is not None

    def is_public(self, space: str) -> bool:
        """Whether a space may be read without a token, in a dialect that knows such spaces."""
        found = self._engine.brains.brain(checked_space(space))
        return found is not None and found.public

    def issue(
        self,
        *,
        scope: str | None = None,
        scopes: Sequence[str] | None = None,
        space: str | None = None,
        expires: str | None = None,
        name: str | None = None,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        dialect: str | None = None,
        by: AccessToken | None = None,
    ) -> IssuedToken:
        """Make a token, for one space or for all. Its secret is in the answer and nowhere else.

        `scope` gives a right and those before it, `scopes` exactly the ones it lists; `read`, if neither is given.
        `expires` is a duration such as `30d` or a time; without it the token does not end, or ends with the one that
        it is made `by`. `user`, `agent` and `project` bind it to a part of its space. `name` is in whose name its
        bearer writes; by default it is made from the scope and the space. A token for a `dialect` opens the paths of
        that memory system and no others.
        """
        only = None if space is None else checked_space(space)
        within = _bound_to({"user": user, "agent": agent, "project": project}, only)
        now, token_id = self._clock.now(), self._clock.new_id()
        secret = new_secret(token_id)
        end = None if expires is None else end_from(expires, now)
        token = AccessToken(
            id=token_id,
            name=checked_name(name, field="name") or "",
            scopes=_rights(scope, scopes),
            space=only,
            created_at=now,
            expires_at=by.expires_at if by and end is None else end,
            digest=digest_of(secret),
            within=within,
            made_by=by.id if by else None,
            dialect=None if dialect is None else known_dialect(dialect),
        )
        if not token.name:
            token = replace(token, name=f"{token.scope} {only or 'everywhere'}")
        _require_held(by, token)
        if not self._tokens.keep(token):
            raise Conflict("The token that asks was revoked.", code="token_not_live", hint="Use another token.")
        return IssuedToken(token, secret)

    def rotate(
        self, token_id: str, *, overlap: str | None = None, expires: str | None = None, by: AccessToken | None = None
    ) -> IssuedToken:
        """Put a new secret in the place of a token: the same rights, another id. Of several at once, one succeeds.

        The old one ends now, or after `overlap`, a duration such as `1h`. `expires` is the new end, if it changes.
        """
        old = self._seen_by(by, token_id)
        now = self._clock.now()
        ends = now if overlap is None else end_from(overlap, now)
        new_id = self._clock.new_id()
        secret = new_secret(new_id)
        token = replace(
            old,
            id=new_id,
            created_at=now,
            expires_at=old.expires_at if expires is None else end_from(expires, now),
            last_used_at=None,
            digest=digest_of(secret),
            successor=None,
            # Over HTTP whoever rotates it has seen the secret, so it ends with them; a token that rotates itself too.
            made_by=by.id if by else old.made_by,
        )
        _require_held(by, token)
        if old.expires_at is not None:
            ends = min(ends, old.expires_at)
        if not self._tokens.rotate(old.id, token, now, ends):
            raise Conflict(
                f"Token {old.id} is over, or was rotated already.",
                code="token_not_live",
                hint="The list of tokens shows its successor.",
            )
        return IssuedToken(token, secret)

    def admit(self, secret: str, dialect: str | None = None) -> AccessToken | None:
        """The live token of a dialect, or of ours, that this is the secret of. The store is asked each time: a
        revocation holds at once."""
        token_id = token_id_in(secret)
        token = self._tokens.token(token_id) if token_id is not None else None
        now = self._clock.now()
        if token is None or not opens(token, secret, now) or token.dialect != dialect:
            return None
        self._note_use(token, now)
        return token

    @property
    def accounts(self) -> Accounts:
        """The people who sign in by name."""
        from recollect.verbs.rights.accounts import Accounts

        return Accounts(self, self._sign_ins.accounts)

    def live(self, token_id: str) -> AccessToken | None:
        """A token, if it opens anything now."""
        token = self._tokens.token(token_id)
        return token if token is not None and token.is_live(self._clock.now()) else None

    def is_live(self, token_id: str, sign_in_id: str | None = None) -> bool:
        """Whether a token that was admitted before still opens anything, and its browser is still signed in."""
        token, now = self._tokens.token(token_id), self._clock.now()
        if token is None or not token.is_live(now):
            return False
        sign_in = None if sign_in_id is None else self._sign_ins.sign_in(sign_in_id)
        return sign_in_id is None or (sign_in is not None and sign_in.is_live(now))

    def tokens(self, by: AccessToken | None = None) -> Sequence[AccessToken]:
        """All tokens, oldest first, those that no longer open anything among them; of one's own part only, `by` one."""
        return [each for each in self._tokens.every() if _is_seen_by(by, each)]

    def has_live(self, scope: AccessScope) -> bool:
        """Whether some live token for all spaces reaches that far."""
        now = self._clock.now()
        return any(each.is_live(now) and each.space is None and each.reaches(scope) for each in self.tokens())

    def revoke(self, token_id: str, *, by: AccessToken | None = None) -> AccessToken:
        """End a token and all that it made, now, for every process. Revoking it again changes nothing."""
        seen = self._seen_by(by, token_id)
        return self._tokens.revoke(seen.id, self._clock.now()) or seen

    def link(self, token_id: str, *, by: AccessToken | None = None) -> str:
        """The secret of a link that signs one browser in, within ten minutes, with the rights of a token."""
        token, now = self._seen_by(by, token_id), self._clock.now()
        if not token.is_live(now):
            raise Conflict(f"Token {token.id} is over.", code="token_not_live", hint="Make another one.")
        if token.dialect is not None:
            raise NotAllowed(
                f"Token {token.id} is for programs that speak {token.dialect}.",
                code="token_of_dialect",
                hint="Make a link for a token without a dialect.",
            )
        if by is not None and by.id not in (token.id, token.made_by):
            raise NotAllowed(
                "A link can be had for your own token, and for those that it made.",
                code="beyond_own_rights",
                hint="`recollect tokens link` makes one for any token.",
            )
        link_id = self._clock.new_id()
        secret = new_secret(link_id, LINK_PREFIX)
        self._sign_ins.offer(SignInLink(link_id, token.id, now, now + LINK_LASTS, digest_of(secret)))
        return secret

    def sign_in(self, secret: str, before: SignIn | None = None) -> SignedIn | None:
        """Sign a browser in by a token or by a link, which is used up; `None` if the secret opens nothing.

        The cookie is always a new one. The sign-in that the browser had `before` ends.
        """
        now = self._clock.now()
        link_id = token_id_in(secret, LINK_PREFIX)
        link = None if link_id is None else self._sign_ins.take(link_id, digest_of(secret))
        if link is not None:
            token = self._tokens.token(link.token_id) if now < link.expires_at else None
        else:
            token = self.admit(secret)
        if token is None or not token.is_live(now):
            return None
        # A program that has some token does not become a person by asking for a cookie.
        return self.sign_in_as(token, personal=link is not None or token.reaches(AccessScope.ADMIN), before=before)

    def sign_in_as(self, token: AccessToken, *, personal: bool, before: SignIn | None = None) -> SignedIn:
        """Sign a browser in with the rights of a live token; `personal` for a person who was recognised."""
        now, sign_in_id = self._clock.now(), self._clock.new_id()
        cookie = new_secret(sign_in_id, COOKIE_PREFIX)
        end = now + SIGN_IN_LASTS
        sign_in = SignIn(
            id=sign_in_id,
            token_id=token.id,
            created_at=now,
            seen_at=now,
            expires_at=end if token.expires_at is None else min(end, token.expires_at),
            personal=personal,
            digest=digest_of(cookie),
        )
        self._sign_ins.keep(sign_in, before.id if before else None)
        return SignedIn(sign_in, token, cookie)

    def admit_browser(self, cookie: str) -> tuple[SignIn, AccessToken] | None:
        """The sign-in that this is the cookie of, and its token, as long as both are live."""
        sign_in_id = token_id_in(cookie, COOKIE_PREFIX)
        sign_in = self._sign_ins.sign_in(sign_in_id) if sign_in_id is not None else None
        now = self._clock.now()
        if sign_in is None or not fits(sign_in.digest, cookie) or not sign_in.is_live(now):
            return None
        token = self._tokens.token(sign_in.token_id)
        if token is None or not token.is_live(now):
            return None
        if now - sign_in.seen_at >= SEEN_KEPT_EVERY:
            with contextlib.suppress(StoreFailure):
                self._sign_ins.seen(sign_in.id, now)
        self._note_use(token, now)
        return sign_in, token

    def is_fresh(self, sign_in: SignIn) -> bool:
        """Whether somebody signed in so recently that they may still be there."""
        return sign_in.is_fresh(self._clock.now())

    def sign_out(self, sign_in: SignIn) -> None:
        """Sign a browser out."""
        self._sign_ins.end(sign_in.id, self._clock.now())

    def sign_out_everywhere(self, token_id: str) -> int:
        """Sign every browser out that has the rights of a token; how many there were."""
        return self._sign_ins.end_every(token_id, self._clock.now())

    def _note_use(self, token: AccessToken, now: datetime) -> None:
        if token.last_used_at is None or now - token.last_used_at >= USE_KEPT_EVERY:
            # It waits for nobody; the next request tries again.
            with contextlib.suppress(StoreFailure):
                self._tokens.used(token.id, now)

    def _seen_by(self, by: AccessToken | None, token_id: str) -> AccessToken:
        """A token that one may look after. The same answer for what is not there and what is not yours."""
        found = self._tokens.token(checked_id(token_id, what="token"))
        if found is None or not _is_seen_by(by, found):
            raise NotFound(
                f"There is no token {token_id}.", code="token_not_found", hint="`recollect tokens list` shows them."
            )
        return found


def _is_seen_by(by: AccessToken | None, token: AccessToken) -> bool:
    return by is None or (by.covers(token.space) and by.within.includes(token.within))


def _rights(scope: str | None, scopes: Sequence[str] | None) -> frozenset[AccessScope]:
    if scopes is None:
        return up_to(choice(AccessScope, "read" if scope is None else scope, field="scope"))
    if scope is not None or isinstance(scopes, str) or not scopes:
        raise InvalidInput(
            "`scopes` lists at least one right, and stands in place of `scope`.",
            code="invalid_field",
            hint="`scope` is `read`, `write` or `admin` with those before it; `scopes` is exactly what it lists.",
        )
    return frozenset(choice(AccessScope, each, field="scope") for each in scopes)


def _bound_to(given: dict[str, str | None], space: str | None) -> Scope:
    within = Scope(**{name: checked_name(value, field=name) for name, value in given.items()})
    if within != ANYWHERE and space is None:
        raise InvalidInput(
            "A token that is bound to a user, an agent or a project is for one space.",
            code="space_missing",
            hint="Name the space as well.",
        )
    return within


def _require_held(by: AccessToken | None, token: AccessToken) -> None:
    if by is not None and not by.holds(token):
        raise NotAllowed(
            "A token cannot be given more than the one that asks for it has.",
            code="beyond_own_rights",
            hint="Its rights, space, scope and end must lie within those of your token.",
        )
