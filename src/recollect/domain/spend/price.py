"""The price of a model's tokens, in whole numbers: nothing is lost by rounding, and what is rounded is rounded up."""

from __future__ import annotations

from recollect.domain.dataclass import dataclass

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
