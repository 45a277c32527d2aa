"""Access tokens, sign-ins and accounts in any SQL database: the digest of each, never its secret.

They belong to the store and to no space, so they are seen only by a transaction that is opened for none.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from recollect.domain.access import AccessScope, AccessToken, Account, SignIn, SignInLink, spelled_scopes
from recollect.domain.clock import format_time
from recollect.domain.scopes import BOUND_BY, Scope
from recollect.redaction.clean_records import clean
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Row, SqlPart, Transaction
from recollect.stores.records import time_from


class SqlAccessTokens(SqlPart):
    """Tokens in an SQL database."""

    def keep(self, token: AccessToken) -> bool:
        with self._database.writing(None) as transaction:
            if not _may_be_made(transaction, token):
                return False
            _insert(transaction, token)
            return True

    def token(self, token_id: str) -> AccessToken | None:
        with self._database.reading(None) as transaction:
            return _found(transaction, token_id)

    def every(self) -> Sequence[AccessToken]:
        with self._database.reading(None) as transaction:
            return sorted(map(_token, transaction.rows("access_tokens")), key=lambda token: token.id)

    def revoke(self, token_id: str, at: datetime) -> AccessToken | None:
        with self._database.writing(None) as transaction:
            # Until there is none left: one of them may have been making another, and was waited for.
            while transaction.rows("revoke_access_token", id=token_id, at=format_time(at)):
                pass
            return _found(transaction, token_id)

    def rotate(self, token_id: str, successor: AccessToken, at: datetime, ends: datetime) -> bool:
        with self._database.writing(None) as transaction:
            if not _may_be_made(transaction, successor):
                return False
            at_once = ends <= at
            rotated = transaction.rows(
                "rotate_access_token",
                id=token_id,
                successor=successor.id,
                revoked_at=format_time(at) if at_once else None,
                ends=None if at_once else format_time(ends),
                at=format_time(at),
            )
            if not rotated:
                return False
            # In this order: the successor may itself be made by the token.
            transaction.rows("adopt_access_tokens", id=token_id, successor=successor.id)
            _insert(transaction, successor)
            return True

    def used(self, token_id: str, at: datetime) -> None:
        with self._database.jotting(None) as transaction:
            transaction.rows("use_access_token", id=token_id, at=format_time(at))

    def become(self, tokens: Sequence[AccessToken]) -> None:
        """Hold these and no others: a restored copy must not bring a revoked token back to life."""
        with self._database.writing(None) as transaction:
            for statement in ("drop_access_tokens", "drop_sign_ins", "drop_sign_in_links"):
                transaction.rows(statement)
            for token in tokens:
                _insert(transaction, token)


class SqlSignIns(SqlPart):
    """Browsers that are signed in, and links that sign one in, in an SQL database."""

    @property
    def accounts(self) -> SqlAccounts:
        return SqlAccounts(self._database)

    def offer(self, link: SignInLink) -> None:
        with self._database.writing(None) as transaction:
            transaction.rows("drop_old_sign_in_links", at=format_time(link.created_at))
            transaction.rows(
                "insert_sign_in_link",
                id=link.id,
                token_id=link.token_id,
                created_at=format_time(link.created_at),
                expires_at=format_time(link.expires_at),
                digest=link.digest,
            )

    def take(self, link_id: str, digest: str) -> SignInLink | None:
        with self._database.writing(None) as transaction:
            rows = transaction.rows("take_sign_in_link", id=link_id, digest=digest)
        return _link(rows[0]) if rows else None

    def keep(self, sign_in: SignIn, instead_of: str | None = None) -> None:
        with self._database.writing(None) as transaction:
            at = format_time(sign_in.created_at)
            transaction.rows("drop_old_sign_ins", at=at)
            if instead_of is not None:
                transaction.rows("end_sign_in", id=instead_of, at=at)
            transaction.rows(
                "insert_sign_in",
                id=sign_in.id,
                token_id=sign_in.token_id,
                created_at=at,
                seen_at=format_time(sign_in.seen_at),
                expires_at=format_time(sign_in.expires_at),
                personal=int(sign_in.personal),
                ended_at=_spelled(sign_in.ended_at),
                digest=sign_in.digest,
            )

    def sign_in(self, sign_in_id: str) -> SignIn | None:
        with self._database.reading(None) as transaction:
            rows = transaction.rows("sign_in", id=sign_in_id)
        return _sign_in(rows[0]) if rows else None

    def seen(self, sign_in_id: str, at: datetime) -> None:
        with self._database.jotting(None) as transaction:
            transaction.rows("see_sign_in", id=sign_in_id, at=format_time(at))

    def end(self, sign_in_id: str, at: datetime) -> None:
        with self._database.writing(None) as transaction:
            transaction.rows("end_sign_in", id=sign_in_id, at=format_time(at))

    def end_every(self, token_id: str, at: datetime) -> int:
        with self._database.writing(None) as transaction:
            return len(transaction.rows("end_sign_ins", token_id=token_id, at=format_time(at)))


def _may_be_made(transaction: Transaction, token: AccessToken) -> bool:
    """Whether the token that makes another one is not revoked, nor will be before this is written."""
    return token.made_by is None or bool(transaction.rows("hold_access_token", id=token.made_by))


def _insert(transaction: Transaction, token: AccessToken) -> None:
    transaction.rows(
        "insert_access_token",
        id=token.id,
        name=clean(token.name),
        scope=spelled_scopes(token.scopes),
        space=token.space,
        created_at=format_time(token.created_at),
        expires_at=_spelled(token.expires_at),
        last_used_at=_spelled(token.last_used_at),
        revoked_at=_spelled(token.revoked_at),
        digest=token.digest,
        scope_user=token.within.user,
        scope_agent=token.within.agent,
        scope_project=token.within.project,
        made_by=token.made_by,
        successor=token.successor,
        dialect=token.dialect,
    )


def _found(transaction: Transaction, token_id: str) -> AccessToken | None:
    rows = transaction.rows("access_token", id=token_id)
    return _token(rows[0]) if rows else None


@reads("access_token", ("id", "name"))
def _token(row: Row) -> AccessToken:
    token_id, name, scopes, space, created_at, expires_at, last_used_at, revoked_at, digest, *rest = row
    *bound, made_by, successor, dialect = rest
    return AccessToken(
        token_id,
        name,
        frozenset(AccessScope(each) for each in scopes.split()),
        space,
        datetime.fromisoformat(created_at),
        time_from(expires_at),
        time_from(last_used_at),
        time_from(revoked_at),
        digest,
        Scope(**dict(zip(BOUND_BY, bound, strict=True))),
        made_by,
        successor,
        dialect,
    )


@reads("sign_in_link", ("id",))
def _link(row: Row) -> SignInLink:
    link_id, token_id, created_at, expires_at, digest = row
    return SignInLink(link_id, token_id, datetime.fromisoformat(created_at), datetime.fromisoformat(expires_at), digest)


@reads("sign_in", ("id",))
def _sign_in(row: Row) -> SignIn:
    sign_in_id, token_id, created_at, seen_at, expires_at, personal, ended_at, digest = row
    created, seen, expires = (datetime.fromisoformat(each) for each in (created_at, seen_at, expires_at))
    return SignIn(sign_in_id, token_id, created, seen, expires, bool(personal), time_from(ended_at), digest)


def _spelled(moment: datetime | None) -> str | None:
    return None if moment is None else format_time(moment)


class SqlAccounts(SqlPart):
    """Accounts in an SQL database. They belong to the store and to no space."""

    def keep(self, account: Account) -> bool:
        with self._database.writing(None) as transaction:
            return _inserted(transaction, account)

    def named(self, name: str) -> Account | None:
        return self._one("account", name=name)

    def of_identity(self, identity: str) -> Account | None:
        return self._one("account_of_identity", identity=identity)

    def of_token(self, token_id: str) -> Account | None:
        return self._one("account_of_token", token_id=token_id)

    def every(self) -> Sequence[Account]:
        with self._database.reading(None) as transaction:
            return sorted(map(_account, transaction.rows("accounts")), key=lambda account: account.name)

    def set_password(self, name: str, password: str) -> None:
        with self._database.writing(None) as transaction:
            transaction.rows("set_account_password", name=name, password=password)

    def drop(self, name: str) -> None:
        with self._database.writing(None) as transaction:
            transaction.rows("drop_account", name=name)

    def become(self, accounts: Sequence[Account]) -> None:
        """Hold these and no others: a restored copy must not bring an old password back, nor lock anybody out."""
        with self._database.writing(None) as transaction:
            transaction.rows("drop_accounts")
            for account in accounts:
                _inserted(transaction, account)

    def _one(self, statement: str, **given: str) -> Account | None:
        with self._database.reading(None) as transaction:
            rows = transaction.rows(statement, **given)
        return _account(rows[0]) if rows else None


def _inserted(transaction: Transaction, account: Account) -> bool:
    return bool(
        transaction.rows(
            "insert_account",
            name=account.name,
            token_id=account.token_id,
            created_at=format_time(account.created_at),
            identity=account.identity,
            password=account.password,
        )
    )


@reads("account", ("name",))
def _account(row: Row) -> Account:
    name, token_id, created_at, identity, password = row
    return Account(name, token_id, datetime.fromisoformat(created_at), identity, password)
