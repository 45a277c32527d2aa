"""The port to the spend ledger of a store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from recollect.domain.answers.spending import SpendLine
    from recollect.domain.spend.spend import CapReached, SettledCall, SpendCaps, SpendRequest, Spent


class SpendLedger(Protocol):
    """Calls of language models, of all spaces and processes: no two of them together can pass a cap."""

    def reserve(self, request: SpendRequest, caps: SpendCaps) -> CapReached | None:
        """Write down the most that a call can cost, or say which cap it would pass and write nothing."""
        ...

    def settle(self, request_id: str, cost: SettledCall, at: datetime) -> None:
        """Write down what a call did cost, once; what is settled already stays as it is."""
        ...

    def lines(self, *, since: str, at: datetime) -> Sequence[SpendLine]:
        """The cost of calls from a day on, summed up as finely as can be asked for."""
        ...

    def spent(self, *, day: str, space: str, session: str) -> Spent:
        """The sums that count against the caps."""
        ...

    def drop_before(self, day: str) -> None:
        """Forget the calls of days that are too long ago."""
        ...
