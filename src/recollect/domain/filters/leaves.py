"""Metadata taken apart into leaves: a path and a value each, as filters compare them.

A path is the keys joined by dots, and a list has its members' leaves at its own path. Both databases and the plain
check in Python compare these leaves, so what a value is equal to is decided here only. The keys that the engine keeps
for itself have no leaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from recollect.domain.notes import FILE_MATTERS
from recollect.domain.text import without_control_characters
from recollect.domain.trust.claims import ENGINE_KEYS

OF_THE_ENGINE = frozenset((*ENGINE_KEYS, FILE_MATTERS, "said"))
MAX_LEAVES = 1000  # of one note; metadata has at most 64,000 bytes, and a list of small numbers is no index
MAX_PATH = 200  # characters; longer paths have no leaf, since an index of PostgreSQL could not hold them

TEXT, NUMBER, TRUTH = "text", "number", "truth"


class Leaf(NamedTuple):
    """One value of the metadata. `text` spells it, exactly; `number` orders it, and is `None` for what is none."""

    path: str
    kind: str
    text: str
    number: float | None


def leaves_of(metadata: Mapping[str, Any]) -> tuple[Leaf, ...]:
    """The leaves of a note's metadata, each once, in the order of their keys; the first of them, if they are many."""
    found: dict[Leaf, None] = {}
    for path, value in _walked(of_callers(metadata), ""):
        if value is not None and path and len(path) <= MAX_PATH:
            found[Leaf(path, *spelled(value))] = None
            if len(found) == MAX_LEAVES:
                break
    return tuple(found)


def of_callers(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata that callers wrote, without what the engine keeps beside it."""
    return {key: value for key, value in metadata.items() if key not in OF_THE_ENGINE}


def spelled(value: str | float | bool) -> tuple[str, str, float | None]:
    """The kind, spelling and number of a value. A whole number has one spelling, whether it came as 1 or as 1.0."""
    if isinstance(value, bool):
        return TRUTH, "true" if value else "false", None
    if isinstance(value, str):
        return TEXT, without_control_characters(value), None
    if isinstance(value, float) and not value.is_integer():
        return NUMBER, repr(value), value
    try:
        return NUMBER, str(int(value)), float(value)
    except OverflowError:
        return NUMBER, str(value), float("-inf") if value < 0 else float("inf")


def path_of(keys: str) -> str:
    """A path as it is kept: without what cannot be stored."""
    return without_control_characters(keys)


def _walked(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, item in sorted(value.items()):
            yield from _walked(item, f"{path}.{path_of(key)}" if path else path_of(key))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _walked(item, path)
    else:
        yield path, value
