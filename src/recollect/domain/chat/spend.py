"""Spending as values, and the decision whether a call of a model may begin.

Every call reserves the most it can cost before it is made and is settled with what it did cost afterwards. What was
reserved counts until then, and for good if nobody settles it: a process that died may have spent it all. Money is in
millionths of a US dollar, so that a price for a million tokens is multiplied by tokens and stays a whole number.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from recollect.domain.answers.spending import SpendCap, SpendLine
from recollect.domain.dataclass import dataclass, field, names_of
from recollect.domain.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence


MOST_TOKENS = 10**12  # of one call, whatever a provider claims: sums stay within the numbers of a database
GROUPS = ("task", "space", "day", "provider", "model")  # the ways in which spending can be summed up


@dataclass(frozen=True, slots=True)
class SpendCaps:
    """The most that may be spent: by everybody in one day, in one space in one day, in one session altogether.

    Days are those of UTC. Money is capped where the price of a model is known; `None` is no cap of its own.
    """

    day_tokens: int = 500_000
    space_tokens: int = 500_000
    session_tokens: int = 200_000
    day_micros: int | None = 1_000_000
    space_micros: int | None = None
    session_micros: int | None = None


NO_SPENDING = SpendCaps(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class SpendRequest:
    """A call that is about to be made, with the most it can cost. `micros` is `None` where no price is known."""

    id: str
    space: str
    session: str
    task: str
    provider: str
    model: str
    at: datetime
    expires_at: datetime
    tokens: int
    micros: int | None


@dataclass(frozen=True, slots=True)
class SettledCall:
    """The cost of a call that was made. `tokens` counts against the caps, whatever the provider called them."""

    tokens: int
    micros: int | None
    input: int = 0
    cached: int = 0
    output: int = 0


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens and money that were spent or are reserved, by everybody today, by the space today and by the session."""

    day_tokens: int = 0
    space_tokens: int = 0
    session_tokens: int = 0
    day_micros: int = 0
    space_micros: int = 0
    session_micros: int = 0


@dataclass(frozen=True, slots=True)
class CapReached:
    """The cap that a call would pass: `day`, `space` or `session`, in `tokens` or `usd`."""

    of: str
    unit: str
    cap: int
    spent: int

    @property
    def message(self) -> str:
        """The cap in a sentence."""
        whose = {"day": "today, in all spaces", "space": "today in this space", "session": "in this session"}[self.of]
        if self.unit == "usd":
            return f"The cap of {self.cap / 1e6:.2f} US dollars for models is reached {whose}."
        return f"The cap of {self.cap} tokens for models is reached {whose}."


def cap_reached(request: SpendRequest, caps: SpendCaps, spent: Spent) -> CapReached | None:
    """The first cap that a call would pass if it cost the most it can; `None` if it may be made."""
    for of in ("day", "space") + (("session",) if request.session else ()):
        most, used = getattr(caps, f"{of}_tokens"), getattr(spent, f"{of}_tokens")
        if used + request.tokens > most:
            return CapReached(of, "tokens", most, used)
        most, used = getattr(caps, f"{of}_micros"), getattr(spent, f"{of}_micros")
        if most is not None and request.micros is not None and used + request.micros > most:
            return CapReached(of, "usd", most, used)
    return None


def spend_caps_of(caps: SpendCaps, spent: Spent) -> tuple[SpendCap, ...]:
    """The caps as a report shows them."""
    found = []
    for of in ("day", "space", "session"):
        found.append(SpendCap(of, "tokens", getattr(caps, f"{of}_tokens"), getattr(spent, f"{of}_tokens")))
        money = getattr(caps, f"{of}_micros")
        if money is not None:
            found.append(SpendCap(of, "usd", money / 1e6, getattr(spent, f"{of}_micros") / 1e6))
    return tuple(found)


def checked_groups(by: Sequence[str] | None) -> tuple[str, ...]:
    """The ways in which spending is to be summed up, as they are asked for: a list, or words with commas between."""
    if by is None:
        return ()
    asked = [part.strip() for each in ([by] if isinstance(by, str) else by) for part in str(each).split(",")]
    for each in asked:
        if each not in GROUPS:
            raise InvalidInput(
                f"Spending cannot be summed up by `{each[:60]}`.",
                code="invalid_group",
                hint=f"By: {', '.join(GROUPS)}.",
            )
    return tuple(each for each in GROUPS if each in asked)


def summed(lines: Sequence[SpendLine], by: Sequence[str]) -> tuple[SpendLine, ...]:
    """Lines put together where they agree in what is asked for; the newest day first, then what cost the most."""
    found: dict[tuple[str, ...], SpendLine] = {}
    counted = [name for name in names_of(SpendLine) if name not in GROUPS]
    for line in lines:
        key = tuple(getattr(line, name) for name in by)
        known = found.get(key)
        sums = {name: getattr(line, name) + (getattr(known, name) if known else 0) for name in counted}
        found[key] = SpendLine(**sums, **dict(zip(by, key, strict=True)))
    ordered = sorted(found.values(), key=lambda line: (-line.tokens, line.task, line.space, line.provider, line.model))
    return tuple(sorted(ordered, key=lambda line: line.day, reverse=True))


_MOST_USD = 1_000_000  # for a million tokens; more is a mistake in a table


@dataclass(frozen=True, slots=True)
class Price:
    """Millionths of a millionth of a US dollar for one token: read anew, read from the provider's cache, written."""

    input: int
    cached: int
    output: int

    def micros(self, *, input: int = 0, cached: int = 0, output: int = 0) -> int:
        """The cost of so many tokens in millionths of a dollar, rounded up."""
        return -(-(input * self.input + cached * self.cached + output * self.output) // 1_000_000)

    def most_micros(self, sent: int, answered: int) -> int:
        """The most that so many tokens can cost, whether or not they are in the cache."""
        return -(-(sent * max(self.input, self.cached) + answered * self.output) // 1_000_000)


def price_of(input: object, cached: object, output: object) -> Price:
    """A price from US dollars for a million tokens. Raises `ValueError` for what is none."""
    return Price(_pico(input), _pico(cached), _pico(output))


def _pico(usd: object) -> int:
    if isinstance(usd, bool) or not isinstance(usd, int | float) or not 0 <= usd <= _MOST_USD:
        raise ValueError(f"a price is a number of US dollars for a million tokens, from 0 to {_MOST_USD}.")
    return round(usd * 1_000_000)


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


_TOKENS = ("day_tokens", "space_tokens", "session_tokens")
_MONEY = ("day_usd", "space_usd", "session_usd")
_FIELDS = (*_TOKENS, *_MONEY, "readers", "prices")
_MOST_TOKENS = 10**12
_PRICED = ("input", "cached", "output")


@dataclass(frozen=True, slots=True)
class SpendSettings:
    """The caps, prices by `provider:model`, and whether those who may only read have models asked for them."""

    caps: SpendCaps = SpendCaps()
    prices: Mapping[str, Price] = field(default_factory=dict)
    readers: bool = False

    def __str__(self) -> str:
        caps = ", ".join(f"{name}={getattr(self.caps, name)}" for name in names_of(SpendCaps))
        return f"{caps}, readers={self.readers}"


def spend_in(table: Any) -> SpendSettings:
    """The caps and prices of a table, or of `name=number` with spaces between. Raises `ValueError`."""
    if isinstance(table, str):
        table = {name: _number(value) for name, _, value in (each.partition("=") for each in table.split())}
    if not isinstance(table, Mapping):
        raise ValueError("it must be a table in the file, such as [spend], or name=number with spaces between.")
    unknown = sorted(set(table) - set(_FIELDS))
    if unknown:
        raise ValueError(f"there is no `{unknown[0][:60]}`; there are: {', '.join(_FIELDS)}.")
    caps = {name: _tokens(name, table[name]) for name in _TOKENS if name in table}
    money = {name.replace("_usd", "_micros"): _micros(name, table[name]) for name in _MONEY if name in table}
    prices = table.get("prices", {})
    if not isinstance(prices, Mapping):
        raise ValueError("`prices` must be a table.")
    readers = table.get("readers", False)
    if readers not in (0, 1):
        raise ValueError("`readers` must be true or false; 1 or 0 in a variable.")
    priced = {name: _price(name, each) for name, each in prices.items()}
    return SpendSettings(SpendCaps(**{**caps, **money}), priced, bool(readers))


def _number(value: str) -> int | float:
    try:
        return int(value) if value.lstrip("-").isdigit() else float(value)
    except ValueError:
        raise ValueError("each cap is name=number.") from None


def _tokens(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST_TOKENS:
        raise ValueError(f"`{name}` must be a whole number from 0 to {_MOST_TOKENS}.")
    return value


def _micros(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _MOST_USD:
        raise ValueError(f"`{name}` must be US dollars from 0 to {_MOST_USD}.")
    return int(value * 1_000_000)


def _price(name: str, said: Any) -> Price:
    provider, _, model = name.partition(":")
    if not provider or not model:
        raise ValueError(f"`{name[:60]}` has a price and is no `provider:model`.")
    if not isinstance(said, Mapping) or "input" not in said or set(said) - set(_PRICED):
        raise ValueError(f"the price of `{name[:60]}` is a table of `input`, and perhaps `cached` and `output`.")
    return price_of(said["input"], said.get("cached", said["input"]), said.get("output", said["input"]))
