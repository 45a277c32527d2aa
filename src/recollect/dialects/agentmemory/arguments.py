"""Arguments as agentmemory's clients send them: texts with commas, numbers as words, names of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from recollect.dialects.tool import Doer
from recollect.domain.errors import InvalidInput

Given: TypeAlias = Mapping[str, Any]

MOST = 1000  # records of one kind in an answer
_PAGE = 500


def need(given: Given, *names: str) -> list[str]:
    """The texts of these names, all of which must be there."""
    found = [given.get(name) for name in names]
    if not all(isinstance(each, str) and each.strip() for each in found):
        listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])}, and {names[-1]}"
        raise InvalidInput(f"{listed} {'is' if len(names) == 1 else 'are'} required", code="field_missing")
    return [str(each) for each in found]


def some(given: Given, **names: str) -> dict[str, Any]:
    """Arguments of ours for those of theirs that were given."""
    return {ours: given[theirs] for ours, theirs in names.items() if given.get(theirs) not in (None, "", "*")}


def count(given: Given, name: str, otherwise: int, most: int = MOST) -> int:
    """A number that was given, as its clients send it: a number or a text with one."""
    try:
        return max(0, min(int(float(given.get(name) or otherwise)), most))
    except (TypeError, ValueError, OverflowError):
        raise InvalidInput(f"`{name}` must be a number.", code="invalid_number") from None


def number(given: Given, name: str) -> float:
    """A number that need not be whole; nothing is 0."""
    try:
        return float(given.get(name) or 0)
    except (TypeError, ValueError):
        raise InvalidInput(f"`{name}` must be a number.", code="invalid_number") from None


def flag(given: Given, name: str) -> bool:
    """Whether something was asked for, by a truth value or by its word."""
    return str(given.get(name, "")).lower() in ("true", "1", "yes")


def all_of(doer: Doer, verb: str, most: int = MOST, **given: Any) -> list[Any]:
    """The items of a list of ours, page by page."""
    found: list[Any] = []
    cursor: str | None = None
    while len(found) < most:
        page = doer.do(
            verb, {**given, "limit": min(_PAGE, most - len(found)), **({"cursor": cursor} if cursor else {})}
        )
        found += page
        cursor = page.next_cursor
        if cursor is None:
            break
    return found
