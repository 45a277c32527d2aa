"""The account of one task in one space: the most a call can cost is reserved before it, what it did cost is settled.

A provider's word about tokens is taken where it can be true. One that claims fewer than the text can have, or says
nothing sensible, is not believed, and the call counts with all that was reserved; one that claims more is believed.
"""

from __future__ import annotations

import json
import re
from datetime import timedelta
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from recollect.domain.answers.recollections import Usage
from recollect.domain.chat.spend import MOST_TOKENS, CapReached, Price, SettledCall, SpendRequest, price_of
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import StoreFailure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.domain.chat.spend import SpendCaps, SpendLedger
    from recollect.domain.clock import Clock
    from recollect.providers.wire import ChatRequest, ClaimedUsage

_PER_MESSAGE = 32  # tokens that a provider may put around a message
_PER_CALL = 64
_BYTES_OF_A_TOKEN = 16  # no text that people write has longer ones on average
_GRACE = timedelta(seconds=60)  # after the time of a call, until it counts as one that nobody will settle


@dataclass(frozen=True, slots=True)
class Reservation:
    """A call that may be made: the most tokens that it can send and be answered with, and their price."""

    id: str
    sent: int
    answered: int
    micros: int | None

    @property
    def tokens(self) -> int:
        return self.sent + self.answered


@dataclass(frozen=True, slots=True)
class SpendAccount:
    """The spender, what it spends on, and up to where. `price` is `None` where it is not known."""

    ledger: SpendLedger
    clock: Clock
    caps: SpendCaps
    space: str
    session: str
    task: str
    provider: str
    model: str
    price: Price | None

    def reserve(self, sent: int, answered: int, seconds: float) -> Reservation | CapReached:
        """Reserve a call of at most so many tokens. Raises `StoreFailure`: what cannot be written down is not spent."""
        now = self.clock.now()
        micros = None if self.price is None else self.price.most_micros(sent, answered)
        found = Reservation(self.clock.new_id(), sent, answered, micros)
        request = SpendRequest(
            id=found.id,
            space=self.space,
            session=self.session,
            task=self.task,
            provider=self.provider,
            model=self.model,
            at=now,
            expires_at=now + timedelta(seconds=seconds) + _GRACE,
            tokens=found.tokens,
            micros=micros,
        )
        return self.ledger.reserve(request, self.caps) or found

    def settle(self, reservation: Reservation, cost: SettledCall) -> Usage:
        """Write down what a call did cost, and say so. Where that fails, what was reserved goes on counting."""
        try:
            self.ledger.settle(reservation.id, cost, self.clock.now())
        except StoreFailure:
            cost = in_full(reservation)
        return Usage(
            model_calls=1,
            model_tokens=cost.tokens,
            input_tokens=cost.input,
            cached_tokens=cost.cached,
            output_tokens=cost.output,
            cost_usd=None if cost.micros is None else cost.micros / 1e6,
        )

    def cost_of(self, reservation: Reservation, claimed: ClaimedUsage, size: int) -> SettledCall:
        """The cost of a call in which so many bytes went to and fro, by what the provider claims."""
        counts = (claimed.input, claimed.cached, claimed.output)
        if any(isinstance(each, bool) or not isinstance(each, int) or each < 0 for each in counts):
            return in_full(reservation)
        if sum(counts) < size // _BYTES_OF_A_TOKEN:
            return in_full(reservation)
        read, cached, written = (min(each, MOST_TOKENS) for each in counts)
        micros = None if self.price is None else self.price.micros(input=read, cached=cached, output=written)
        return SettledCall(
            min(read + cached + written, MOST_TOKENS), micros and min(micros, MOST_TOKENS), read, cached, written
        )


def in_full(reservation: Reservation) -> SettledCall:
    """The cost of a call of which nothing is known but the most it can be."""
    return SettledCall(reservation.tokens, reservation.micros, reservation.sent, 0, reservation.answered)


def for_nothing(reservation: Reservation) -> SettledCall:
    """The cost of a call that was never answered, nor begun."""
    return SettledCall(0, None if reservation.micros is None else 0)


def most_tokens(request: ChatRequest) -> int:
    """The most tokens that a request can have: no tokenizer makes more of a text than it has bytes."""
    schema = 0 if request.schema is None else len(json.dumps(request.schema))
    return (
        bytes_of([each.text for each in request.messages]) + _PER_MESSAGE * len(request.messages) + schema + _PER_CALL
    )


def bytes_of(texts: Sequence[str]) -> int:
    return sum(len(each.encode("utf-8", "replace")) for each in texts)


PRICES_OF = "2026-11-16"  # the day of the table
_DATED = re.compile(r"-(?:20\d\d-?\d\d-?\d\d|latest)$")


def price_for(provider: str, model: str, own: Mapping[str, Price]) -> Price | None:
    """The price of a model of a provider; `None` if it is not known. A dated name has the price of the undated one."""
    return (
        own.get(f"{provider}:{model}")
        or _shipped().get((provider, model))
        or _shipped().get((provider, _DATED.sub("", model)))
    )


@cache
def _shipped() -> dict[tuple[str, str], Price]:
    text = resources.files("recollect.providers").joinpath("prices.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return {(row[0], row[1]): price_of(float(row[2]), float(row[3]), float(row[4])) for row in rows}
