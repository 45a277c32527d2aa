"""The table `spend` of the settings: caps, and prices that are not in the table that ships."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recollect.domain.dataclass import dataclass, field, names_of
from recollect.domain.spend.spend import Price, SpendCaps, price_of

_TOKENS = ("day_tokens", "space_tokens", "session_tokens")
_MONEY = ("day_usd", "space_usd", "session_usd")
_FIELDS = (*_TOKENS, *_MONEY, "readers", "prices")
_MOST_TOKENS = 10**12
_MOST_USD = 10**6
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
