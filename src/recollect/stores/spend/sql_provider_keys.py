"""Keys of providers by space, sealed, in any SQL database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from recollect.domain.answers.spending import ProviderKey
from recollect.domain.chat.provider_settings import SealedKey
from recollect.domain.clock import format_time
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Database, Row, Value


class SqlProviderKeys:
    """Implements `ProviderKeys`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, key: SealedKey) -> None:
        with self._database.writing(key.shown.space) as transaction:
            transaction.rows("put_provider_key", **_columns(key))

    def keys(self, space: str) -> Sequence[SealedKey]:
        with self._database.reading(space) as transaction:
            return [_key(row) for row in transaction.rows("provider_keys", space=space)]

    def remove(self, space: str, provider: str) -> bool:
        with self._database.writing(space) as transaction:
            return bool(transaction.rows("drop_provider_key", space=space, provider=provider))

    def every(self) -> Sequence[SealedKey]:
        """The keys of all spaces, where the database shows them at once."""
        with self._database.reading(None) as transaction:
            return [_key(row) for row in transaction.rows("every_provider_key")]

    def become(self, keys: Sequence[SealedKey]) -> None:
        """Hold these and no others: a key that was taken away does not come back with a copy."""
        with self._database.writing(None) as transaction:
            transaction.rows("drop_provider_keys")
            for each in keys:
                transaction.rows("put_provider_key", **_columns(each))


def _columns(key: SealedKey) -> dict[str, Value]:
    shown = key.shown
    return {
        "space": shown.space,
        "provider": shown.provider,
        "sealed": key.sealed,
        "set_at": format_time(shown.set_at),
        "principal": shown.principal,
    }


@reads("provider_key", ("space", "provider"))
def _key(row: Row) -> SealedKey:
    space, provider, sealed, set_at, principal = row
    return SealedKey(ProviderKey(space, provider, datetime.fromisoformat(set_at), principal), sealed)
