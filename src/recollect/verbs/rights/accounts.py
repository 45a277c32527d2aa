"""Accounts: people who sign in by name and password, or by an issuer of identities, with the rights of a token.

An account is made with a link, by which its owner signs in once and chooses a password. A forgotten password is mended
in the same way. Passwords are kept as Argon2id digests; trying one costs as much for a name that is not there.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from recollect.domain.access import AccessToken, Account
from recollect.domain.errors import Conflict, InvalidInput, NotAllowed, NotFound, Unsupported
from recollect.redaction.clean_records import checked_name

if TYPE_CHECKING:
    from argon2 import PasswordHasher

    from recollect.domain.access import AccountBook, SignIn
    from recollect.verbs.access import Access, SignedIn

SHORTEST, LONGEST = 12, 1000  # characters of a password
_MOST_IDENTITY = 320  # characters of an address


class Accounts:
    """The people of one store."""

    def __init__(self, access: Access, book: AccountBook) -> None:
        self._access, self._book = access, book

    def create(
        self,
        name: str,
        *,
        identity: str | None = None,
        scope: str | None = None,
        space: str | None = None,
        expires: str | None = None,
    ) -> tuple[Account, str]:
        """Make an account, and the secret of a link by which its owner signs in and chooses a password.

        `identity` is the address or subject that an issuer vouches for. `scope` and `space` say how far it goes.
        """
        known = checked_name(name, field="name")
        if known is None:
            raise InvalidInput("An account needs a name.", code="missing_field")
        if ":" in known:
            raise InvalidInput(
                "The name of an account has no colon.", code="invalid_name", hint="It ends the name when one signs in."
            )
        _hasher()
        if self._book.named(known):
            raise _taken(known)
        token = self._access.issue(scope=scope or "write", space=space, expires=expires, name=known).token
        account = Account(known, token.id, token.created_at, _identity(identity))
        if not self._book.keep(account):
            self._access.revoke(token.id)
            raise _taken(known)
        return account, self._access.link(token.id)

    def link(self, name: str) -> str:
        """The secret of a link by which the owner signs in once and may choose another password."""
        return self._access.link(self._named(name).token_id)

    def every(self) -> Sequence[tuple[Account, AccessToken]]:
        """All accounts by name, each with the token that says how far it goes."""
        tokens = {token.id: token for token in self._access.tokens()}
        return [(each, tokens[each.token_id]) for each in self._book.every() if each.token_id in tokens]

    def of_token(self, token: AccessToken) -> Account | None:
        """The account that has the rights of a token; `None` for a token that is nobody's account."""
        return self._book.of_token(token.id)

    def remove(self, name: str) -> Account:
        """Take an account away: its token ends, and with it every browser that is signed in by it."""
        found = self._named(name)
        self._access.revoke(found.token_id)
        self._book.drop(found.name)
        return found

    def choose_password(self, token: AccessToken, sign_in: SignIn, password: str) -> tuple[Account, SignedIn]:
        """Give the account of a browser that has just signed in another password. Every browser of it is signed out,
        and this one in again."""
        found = self.of_token(token)
        if found is None:
            raise NotFound(
                "This browser was signed in by a token, which has no password.",
                code="account_not_found",
                hint="`recollect accounts create` makes an account.",
            )
        if not self._access.is_fresh(sign_in):
            raise NotAllowed(
                "A password is chosen within ten minutes after signing in.",
                code="sign_in_too_old",
                hint="Sign in again; `recollect accounts link` makes a link where the password is forgotten.",
            )
        self._book.set_password(found.name, _hasher().hash(_checked(password, found.name)))
        self._access.sign_out_everywhere(token.id)
        return found, self._access.sign_in_as(token, personal=sign_in.personal)

    def by_password(self, name: str, password: str) -> AccessToken | None:
        """The live token of the account that this is the name and password of."""
        hasher = _hasher()
        may_be = name and max(len(name), len(password)) <= LONGEST and "\0" not in name
        found = self._book.named(name) if may_be else None
        right = _fits(hasher, (found.password if found else None) or _nobody(), password[:LONGEST])
        if found is None or found.password is None or not right:
            return None
        if hasher.check_needs_rehash(found.password):
            self._book.set_password(found.name, hasher.hash(password))
        return self._access.live(found.token_id)

    def by_identity(self, identities: Sequence[str]) -> AccessToken | None:
        """The live token of the account that an issuer vouches for, by any of these."""
        for each in identities:
            found = self._book.of_identity(_identity(each) or "")
            if found is not None:
                return self._access.live(found.token_id)
        return None

    def _named(self, name: str) -> Account:
        found = self._book.named(name)
        if found is None:
            raise NotFound(
                f"There is no account `{name[:60]}`.",
                code="account_not_found",
                hint="`recollect accounts list` shows them.",
            )
        return found


def shown_account(account: Account, token: AccessToken) -> dict[str, Any]:
    """An account as lists show it."""
    return {
        "name": account.name,
        "identity": account.identity,
        "has_password": account.password is not None,
        "scope": token.scope,
        "space": token.space,
        "live": token.revoked_at is None,
        "token_id": token.id,
    }


def _identity(said: str | None) -> str | None:
    """An identity in one spelling: addresses differ in capitals only by accident."""
    if said is None or not said.strip():
        return None
    if len(said) > _MOST_IDENTITY:
        raise InvalidInput("`identity` is too long.", code="invalid_field")
    return said.strip().casefold() if "@" in said else said.strip()


def _checked(password: str, name: str) -> str:
    if not SHORTEST <= len(password) <= LONGEST:
        raise InvalidInput(
            f"A password has {SHORTEST} to {LONGEST:,} characters; this one has {len(password):,}.",
            code="invalid_password",
            hint="A few words that nobody would put together are easy to remember.",
        )
    if name.casefold() in password.casefold() or len(set(password)) < 5:
        raise InvalidInput(
            "This password is easy to guess.", code="invalid_password", hint="Leave your name out, and vary it."
        )
    return password


def _fits(hasher: PasswordHasher, digest: str, password: str) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        return hasher.verify(digest, password)
    except (VerificationError, InvalidHashError):
        return False


@functools.cache
def _hasher() -> PasswordHasher:
    try:
        from argon2 import PasswordHasher
    except ImportError:
        raise Unsupported(
            "Accounts need the package argon2-cffi.",
            code="package_missing",
            hint="Install it with: pip install 'recollect[accounts]'",
        ) from None
    return PasswordHasher()


@functools.cache
def _nobody() -> str:
    """The digest that a password is held against where there is no account: it takes as long, and never fits."""
    import secrets

    return _hasher().hash(secrets.token_hex(16))


def _taken(name: str) -> Conflict:
    return Conflict(f"The name `{name}`, or its identity, is taken.", code="account_exists", hint="Choose another one.")
