"""Accounts of people in any SQL database: the digest of a password, never the password."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from recollect.domain.access import Account
from recollect.domain.clock import format_time
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Database, Row, Transaction


class SqlAccounts:
    """Accounts in an SQL database. They belong to the store and to no space."""

    def __init__(self, database: Database) -> None:
        self._database = database

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
