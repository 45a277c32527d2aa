"""The spend ledger, and sealed keys of providers by space, in any SQL database.

Reservations come one after the other, whichever process they come from. The ledger belongs to the store and to no
space, so it is written by a transaction that is opened for none.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from recollect.domain.answers.spending import ProviderKey, SpendLine
from recollect.domain.chat.provider_settings import SealedKey
from recollect.domain.chat.spend import CapReached, SettledCall, SpendCaps, SpendRequest, Spent, cap_reached
from recollect.domain.clock import format_time
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Row, SqlPart, Value

_COLUMNS = (
    "id space session task provider model day reserved_at expires_at settled_at tokens micros"
    " input_tokens cached_tokens output_tokens"
).split()


class SqlSpendLedger(SqlPart):
    """Implements `SpendLedger`."""

    def reserve(self, request: SpendRequest, caps: SpendCaps) -> CapReached | None:
        day = request.at.date().isoformat()
        with self._database.writing(None) as transaction:
            transaction.rows("take_spend_turn")
            [row] = transaction.rows("spent", day=day, space=request.space, session=request.session)
            reached = cap_reached(request, caps, Spent(*row))
            if reached is None:
                transaction.rows(
                    "reserve_spend",
                    id=request.id,
                    space=request.space,
                    session=request.session,
                    task=request.task,
                    provider=request.provider,
                    model=request.model,
                    day=day,
                    reserved_at=format_time(request.at),
                    expires_at=format_time(request.expires_at),
                    tokens=request.tokens,
                    micros=request.micros,
                )
        return reached

    def settle(self, request_id: str, cost: SettledCall, at: datetime) -> None:
        with self._database.writing(None) as transaction:
            transaction.rows(
                "settle_spend",
                id=request_id,
                at=format_time(at),
                tokens=cost.tokens,
                micros=cost.micros,
                input=cost.input,
                cached=cost.cached,
                output=cost.output,
            )

    def lines(self, *, since: str, at: datetime) -> Sequence[SpendLine]:
        with self._database.reading(None) as transaction:
            return [_line(row) for row in transaction.rows("spend_lines", since=since, at=format_time(at))]

    def spent(self, *, day: str, space: str, session: str) -> Spent:
        with self._database.reading(None) as transaction:
            [row] = transaction.rows("spent", day=day, space=space, session=session)
        return Spent(*row)

    def drop_before(self, day: str) -> None:
        with self._database.writing(None) as transaction:
            transaction.rows("drop_old_spend", day=day)

    def every(self) -> Sequence[Row]:
        """All calls as they are kept."""
        with self._database.reading(None) as transaction:
            return transaction.rows("every_spend")

    def become(self, calls: Sequence[Row]) -> None:
        """Hold these and no others: what was spent since a copy was made is spent after it is restored, too."""
        with self._database.writing(None) as transaction:
            transaction.rows("drop_spend")
            transaction.each("put_spend", [dict(zip(_COLUMNS, call, strict=True)) for call in calls])


@reads("spend", ("task", "space", "day", "provider", "model", "many"))
def _line(row: Row) -> SpendLine:
    task, space, day, provider, model, calls, tokens, read, cached, written, micros, unpriced, unsettled = row
    return SpendLine(
        calls=calls,
        tokens=tokens,
        input_tokens=read,
        cached_tokens=cached,
        output_tokens=written,
        cost_usd=micros / 1e6,
        unpriced=unpriced,
        unsettled=unsettled,
        task=task,
        space=space,
        day=day,
        provider=provider,
        model=model,
    )


class SqlProviderKeys(SqlPart):
    """Implements `ProviderKeys`."""

    def put(self, key: SealedKey) -> None:
        with self._database.writing(key.shown.space) as transaction:
            transaction.rows("put_provider_key", **_columns(key))

    def keys(self, space: str) -> Sequence[SealedKey]:
        return [_key(row) for row in self._read(space, "provider_keys")]

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
