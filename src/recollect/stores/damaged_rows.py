"""Rows that do not hold what their table can hold: every reader of rows reports them as one error.

A flipped bit can turn a text into bytes, a number into nothing, or a word of a closed list into another one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TypeVar

from recollect.domain.errors import Damaged, RecollectError
from recollect.stores.database import Row

T = TypeVar("T")

_MOST_SHAPES = 4096  # combinations of types that are remembered as sound
_HINT = "`recollect rescue FILE` writes out everything else, and says what is lost."


def damaged_record(table: str, record: str, detail: str) -> Damaged:
    """The error for one row that cannot be read. `record` is empty if its id cannot be told."""
    which = f"The record {record[:80]} in the table `{table}`" if record else f"A record in the table `{table}`"
    return Damaged(f"{which} is damaged: {detail}.", code="damaged_record", hint=_HINT)


def reads(
    table: str, columns: Sequence[str] = (), *, named_by: int = 0
) -> Callable[[Callable[[Row], T]], Callable[[Row], T]]:
    """Decorates a function from a row to a value: whatever is wrong with the row leaves as `damaged_record`.

    `columns` names those whose types are checked, as far as `_TYPES` knows them; the id stands at `named_by`.
    """
    allowed = tuple(_TYPES.get(name, _TEXT_OR_NOTHING) for name in columns)
    sound: set[tuple[type, ...]] = set()

    def decorate(read: Callable[[Row], T]) -> Callable[[Row], T]:
        @wraps(read)
        def checked(row: Row) -> T:
            try:
                shape = tuple(map(type, row))
                if shape not in sound:
                    for name, kind, fitting in zip(columns, shape, allowed, strict=False):
                        if kind not in fitting:
                            raise TypeError(f"`{name}` cannot be {kind.__name__}")
                    if len(sound) < _MOST_SHAPES:
                        sound.add(shape)
                return read(row)
            except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as problem:
                raise damaged_record(table, _name(row, named_by), _in_words(problem)) from problem
            except Damaged:
                raise
            except RecollectError as problem:
                raise damaged_record(table, _name(row, named_by), problem.message.rstrip(".")) from problem

        return checked

    return decorate


def _name(row: Row, place: int) -> str:
    return row[place] if len(row) > place and isinstance(row[place], str) and row[place].isprintable() else ""


def _in_words(problem: Exception) -> str:
    if isinstance(problem, KeyError):
        return f"{str(problem)[:80]} is none of the words that can stand there"
    return str(problem)[:120].rstrip(".") or type(problem).__name__


_TEXT, _TEXT_OR_NOTHING = frozenset({str}), frozenset({str, type(None)})
_WHOLE, _NUMBER = frozenset({int}), frozenset({int, float})
_TYPES = {
    **dict.fromkeys(("id", "space", "text", "tags", "kind", "state", "label", "description", "name", "digest"), _TEXT),
    **dict.fromkeys(("principal", "reason", "summary", "record_id"), _TEXT),
    **dict.fromkeys(("version", "pinned", "position", "size_limit", "priority", "seq", "reflected", "read_to"), _WHOLE),
    **dict.fromkeys(("content", "allow_private", "allow_http", "configured"), _WHOLE),
    **dict.fromkeys(("many", "longest", "recalled", "found"), _WHOLE),
    **dict.fromkeys(("attempts", "max_attempts", "generation", "done", "total"), _WHOLE),
    **dict.fromkeys(("confidence", "importance"), _NUMBER),
}
