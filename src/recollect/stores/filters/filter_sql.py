"""Conditions of a filter as SQL and the values they bind. No text of a user becomes SQL here.

Every piece is true or false and never unknown, so that `NOT` means the same in SQL as in Python: a column that may be
empty is asked for that first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import assert_never, cast

from recollect.domain.clock import format_time
from recollect.domain.filters.conditions import AllOf, AnyOf, Comparison, Condition, Not, Scalar
from recollect.domain.notes import spelled
from recollect.stores.database import Database, Transaction, Value, statements
from recollect.stores.record_edits import BEGINNING

FEW = 1_500  # notes that are looked at one by one, rather than walking all of them in their order
_VERY_FEW = 200  # and of no other condition it is asked how many meet it
_MOST_TAGS = 8  # of one condition that are looked up
_MOST_LOOKS = 4  # conditions of one filter of which it is found out how many notes meet them

# Each goes on with what is wanted of a row.
_OF_THIS_NOTE = (
    "SELECT 1 FROM note_metadata AS leaf"
    " WHERE leaf.space = note.space AND leaf.note_id = note.id AND leaf.version = note.version"
)
_OF_ANY_NOTE = "SELECT leaf.note_id FROM note_metadata AS leaf WHERE leaf.space = :space"
_ANY_NOTE = "SELECT note.id FROM note WHERE note.space = :space AND note.replaced_at IS NULL"

_COLUMNS = {
    "user": "note.scope_user",
    "agent": "note.scope_agent",
    "project": "note.scope_project",
    "session": "note.scope_session",
    "machine": "note.scope_machine",
    "title": "words.title",
    "text": "words.text",
    "tag": "words.tags",
    "created": "note.recorded_at",
    "updated": "note.updated_at",
    "occurred": "note.occurred_at",
    "expires": "note.expires_at",
    "erases": "note.erase_at",
}
_OF_WORDS = frozenset(("title", "text", "tag"))
_ORDER = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<=", "since": ">=", "until": "<"}
# Fields whose index finds the notes that have a value without reading the others.
_INDEXED = frozenset(
    "kind key subject attribute user agent project session machine created updated occurred erases".split()
)


class _Writer:
    """Writes a condition and collects the values that it binds."""

    def __init__(self) -> None:
        self.values: dict[str, Value] = {}

    def bound(self, value: Value) -> str:
        name = f"filter_{len(self.values)}"
        self.values[name] = value
        return f":{name}"

    def condition(self, condition: Condition) -> str:
        match condition:
            case AllOf(parts):
                return f"({' AND '.join(map(self.condition, parts))})" if parts else "(1 = 1)"
            case AnyOf(parts):
                return f"({' OR '.join(map(self.condition, parts))})"
            case Not(part):
                return f"NOT {self.condition(part)}"
            case Comparison():
                return self.comparison(condition)
            case _:
                assert_never(condition)

    def comparison(self, comparison: Comparison) -> str:
        field, operator, value = comparison.field, comparison.operator, comparison.value
        if comparison.path:
            return self._of_metadata(comparison.path, operator, value)
        if operator == "ne":
            return f"NOT {self.comparison(Comparison(field, 'eq', value))}"
        if field == "valid":
            column, sign = ("valid_until", ">") if operator == "since" else ("valid_from", "<")
            return f"(note.{column} IS NULL OR note.{column} {sign} {self.bound(_plain(value))})"
        if field == "tag":
            return self._of_tags(operator, value)
        column = _COLUMNS.get(field, f"note.{field}")
        if operator == "exists":
            return f"({column} IS {'NOT ' if value else ''}NULL)"
        # Spelled so that no planner takes it for a range of an index, in place of the values that are looked for.
        return f"(NOT ({column} IS NULL){self._test(column, operator, value)})"

    def _test(self, column: str, operator: str, value: Scalar | tuple[Scalar, ...]) -> str:
        if isinstance(value, tuple):
            return f" AND {column} IN ({', '.join(self.bound(_plain(each)) for each in value)})"
        if operator == "contains":
            return f" AND replace({column}, {self.bound(_plain(value))}, '') <> {column}"
        return f" AND {column} {_ORDER.get(operator, '=')} {self.bound(_plain(value))}"

    def _of_tags(self, operator: str, value: Scalar | tuple[Scalar, ...]) -> str:
        if operator == "exists":
            return f"(words.tags {'<>' if value else '='} '')"
        tags: Sequence[Scalar] = value if isinstance(value, tuple) else (value,)
        has = (f"replace(words.tags, {self.bound(f' {tag} ')}, '') <> words.tags" for tag in tags)
        return f"({' OR '.join(has)})"

    def _of_metadata(self, path: str, operator: str, value: Scalar | tuple[Scalar, ...]) -> str:
        if operator in ("ne", "exists"):
            wanted = "NOT EXISTS" if operator == "ne" or value is False else "EXISTS"
            leaf = self.leaf(path, "eq" if operator == "ne" else "exists", value)
        else:
            wanted, leaf = "EXISTS", self.leaf(path, operator, value)
        return f"{wanted} ({_OF_THIS_NOTE} AND {leaf})"

    def leaf(self, path: str, operator: str, value: Scalar | tuple[Scalar, ...]) -> str:
        """The condition on a row of the metadata."""
        at = f"leaf.path = {self.bound(path)}"
        if operator == "exists":
            # A slash is what comes after a dot.
            below = f"leaf.path > {self.bound(f'{path}.')} AND leaf.path < {self.bound(f'{path}/')}"
            return f"({at} OR ({below}))"
        if operator in ("eq", "in"):
            values: Sequence[Scalar] = value if isinstance(value, tuple) else (value,)
            spellings = [spelled(cast("str | float", each)) for each in values]
            begun = ", ".join(self.bound(text[:BEGINNING]) for _, text, _ in spellings)  # what the index is asked for
            equal = " OR ".join(self._equal(kind, text) for kind, text, _ in spellings)
            return f"{at} AND leaf.beginning IN ({begun}) AND ({equal})"
        if operator == "contains":
            return f"{at} AND leaf.kind = 'text' AND replace(leaf.text, {self.bound(_plain(value))}, '') <> leaf.text"
        sign = _ORDER[operator]
        if isinstance(value, str):
            return f"{at} AND leaf.kind = 'text' AND leaf.text {sign} {self.bound(value)}"
        number = float(cast("float", value))
        return f"{at} AND leaf.number IS NOT NULL AND leaf.number {sign} {self.bound(number)}"

    def _equal(self, kind: str, text: str) -> str:
        return f"(leaf.kind = {self.bound(kind)} AND leaf.text = {self.bound(text)})"


def condition_sql(condition: Condition) -> tuple[str, dict[str, Value]]:
    """A condition on `note` and, for some fields, its `words`; and its parameters."""
    writer = _Writer()
    return writer.condition(condition), writer.values


def reads_words(condition: Condition) -> bool:
    """Whether a condition is about the words of a note, which stand in a table of their own."""
    from recollect.domain.filters.conditions import comparisons_in

    return any(comparison.field in _OF_WORDS for comparison in comparisons_in(condition))


def few_ids(database: Database, transaction: Transaction, condition: Condition, space: str) -> list[str] | None:
    """The ids of all notes that can meet a condition, and maybe of some that do not; `None` if there are too many.

    Each part that an index answers is asked how many meet it, up to a number. Left to itself, a planner that does not
    know how rare a value is walks all notes for it, or sorts all that have a common one.
    """
    best: tuple[str, dict[str, Value]] | None = None
    fewest = FEW + 1
    parts = condition.parts if isinstance(condition, AllOf) else (condition,)
    found = (look for some in _looked_up(parts) for look in [_look(database, transaction, some, space)] if look)
    for sql, values in islice(found, _MOST_LOOKS):
        counted = f"SELECT COUNT(*) FROM ({sql}\nLIMIT :most) AS found"  # noqa: S608 - put together of our own pieces
        [(many,)] = transaction.query(counted, space=space, most=FEW + 1, **values)
        if many < fewest:
            best, fewest = (sql, values), many
        if many <= _VERY_FEW:
            break
    if best is None:
        return None
    # An index hands them out in order, which is kept: sorting them is quick then.
    return list(dict.fromkeys(row[0] for row in transaction.query(best[0], space=space, **best[1])))


def _looked_up(parts: Sequence[Condition]) -> Iterator[list[Comparison]]:
    """The comparisons among the parts, those together that are about one time: its two ends make a range."""
    ranges: dict[str, list[Comparison]] = {}
    for part in parts:
        if isinstance(part, Comparison):
            if part.operator in ("since", "until"):
                ranges.setdefault(part.field, []).append(part)
            else:
                yield [part]
    yield from ranges.values()


def _look(
    database: Database, transaction: Transaction, some: Sequence[Comparison], space: str
) -> tuple[str, dict[str, Value]] | None:
    """The statement that finds the notes which meet comparisons of a field by an index; `None` where there is none."""
    writer, part = _Writer(), some[0]
    if part.path:
        if part.operator not in ("eq", "in", *_ORDER) or (isinstance(part.value, str) and part.operator in _ORDER):
            return None
        leaf = writer.leaf(part.path, part.operator, part.value)
        return f"{_OF_ANY_NOTE} AND {leaf}", writer.values
    if part.field == "tag" and part.operator in ("eq", "in"):
        return _look_for_tags(database, transaction, part.value, space)
    if part.field not in _INDEXED or part.operator not in ("eq", "in", "since", "until"):
        return None
    where = " AND ".join(map(writer.comparison, some))
    return f"{_ANY_NOTE} AND {where}", writer.values


def _look_for_tags(
    database: Database, transaction: Transaction, tags: Scalar | tuple[Scalar, ...], space: str
) -> tuple[str, dict[str, Value]] | None:
    """The statement that finds the notes with any of some tags by the index of words."""
    pieces, values = statements(database.dialect), dict[str, Value]()
    found: list[str] = []
    for number, tag in enumerate(tags if isinstance(tags, tuple) else (tags,)):
        tagged = database.tagged(transaction, str(tag), space) if number < _MOST_TAGS else None
        if tagged is None:
            return None
        values[f"tagged_{number}"] = tagged["tagged"]
        piece = pieces["tagged"].replace(":tagged", f":tagged_{number}")
        found.append(f"{pieces['selected_ids_by_tag']}\n{piece}")
    return "\nUNION ALL\n".join(found), values


def _plain(value: object) -> Value:
    if isinstance(value, datetime):
        return format_time(value)
    if isinstance(value, bool):
        return int(value)
    return cast("Value", value)
