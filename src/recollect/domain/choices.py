"""One of a few words, as its closed set has it."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from recollect.domain.errors import InvalidInput

E = TypeVar("E", bound=StrEnum)


def choice(options: type[E], value: str, *, field: str) -> E:
    """A member of a closed set from its spelling, or an error that lists them."""
    try:
        return options(value)
    except ValueError:
        allowed = ", ".join(option.value for option in options)
        raise InvalidInput(f"`{field}` is `{value}`.", code=f"unknown_{field}", hint=f"It can be: {allowed}.") from None
