"""Access tokens in any SQL database: the digest of each, never its secret.

They belong to the store and to no space, so they are seen only by a transaction that is opened for none.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from recollect.domain.access import AccessScope, AccessToken
from recollect.domain.clock import format_time
from recollect.redaction.clean_text import clean
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Database, Row, Transaction
from recollect.stores.records import time_from


class SqlAccessTokens:
    """Tokens in an SQL database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, token: AccessToken) -> None:
        with self._database.writing(None) as transaction:
            _insert(transaction, token)

    def token(self, token_id: str) -> AccessToken | None:
        with self._database.reading(None) as transaction:
            return _found(transaction, token_id)

    def every(self) -> Sequence[AccessToken]:
        with self._database.reading(None) as transaction:
            return sorted(map(_token, transaction.rows("access_tokens")), key=lambda token: token.id)

    def revoke(self, token_id: str, at: datetime) -> AccessToken | None:
        with self._database.writing(None) as transaction:
            transaction.rows("revoke_access_token", id=token_id, at=format_time(at))
            return _found(transaction, token_id)

    def used(self, token_id: str, at: datetime) -> None:
        with self._database.jotting(None) as transaction:
            transaction.rows("use_access_token", id=token_id, at=format_time(at))

    def become(self, tokens: Sequence[AccessToken]) -> None:
        """Hold these and no others: a restored copy must not bring a revoked token back to life."""
        with self._database.writing(None) as transaction:
            transaction.rows("drop_access_tokens")
            for token in tokens:
                _insert(transaction, token)


def _insert(transaction: Transaction, token: AccessToken) -> None:
    transaction.rows(
        "insert_access_token",
        id=token.id,
        name=clean(token.name),
        scope=token.scope.value,
        space=token.space,
        created_at=format_time(token.created_at),
        expires_at=_spelled(token.expires_at),
        last_used_at=_spelled(token.last_used_at),
        revoked_at=_spelled(token.revoked_at),
        digest=token.digest,
    )


def _found(transaction: Transaction, token_id: str) -> AccessToken | None:
    rows = transaction.rows("access_token", id=token_id)
    return _token(rows[0]) if rows else None


@reads("access_token", ("id", "name"))
def _token(row: Row) -> AccessToken:
    token_id, name, scope, space, created_at, expires_at, last_used_at, revoked_at, digest = row
    return AccessToken(
        token_id,
        name,
        AccessScope(scope),
        space,
        datetime.fromisoformat(created_at),
        time_from(expires_at),
        time_from(last_used_at),
        time_from(revoked_at),
        digest,
    )


def _spelled(moment: datetime | None) -> str | None:
    return None if moment is None else format_time(moment)
