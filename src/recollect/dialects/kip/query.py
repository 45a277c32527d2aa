"""FIND: solutions become rows, rows become aligned columns, page by page.

A row stands for a distinct combination of what the variables named by FIND and ORDER BY are bound to, so nobody is told
twice because of a variable that was not asked for. With aggregates, rows with the same plain columns are one.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from recollect.codecs.cursors import decode_cursor, encode_cursor
from recollect.dialects.kip.errors import EXHAUSTED, SYNTAX, TIMEOUT, KipError
from recollect.dialects.kip.expressions import holds, plain, value_at
from recollect.dialects.kip.matcher import Solution, WhereMatcher, identity, require_bound
from recollect.dialects.kip.nexus import (
    CONCEPT_TYPE,
    PROPOSITION_TYPE,
    Concept,
    CountedNexus,
    ListedNexus,
    Nexus,
    Proposition,
)
from recollect.dialects.kip.syntax import (
    AggregateTerm,
    ConceptClause,
    FilterClause,
    FindCommand,
    PathTerm,
    Projection,
    SortKey,
)
from recollect.dialects.kip.work_budget import WorkBudget
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput

MOST_RESULTS = 10_000  # rows of one answer
_READ_AT_ONCE = 500  # concepts
_UNREADABLE = "The cursor cannot be read, or comes from another query."
_AGAIN = "Start over without CURSOR."
_COUNTED = (
    "Notes tell what is of a type, so all of it is read. Constrain the pattern, or page by LIMIT and CURSOR and count."
)


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One row of an answer: its columns, the values it is sorted by, and what tells it from every other row."""

    columns: tuple[Any, ...]
    sorted_by: tuple[Any, ...]
    identity: str


def find(command: FindCommand, nexus: Nexus, budget: WorkBudget) -> tuple[list[Any], str | None]:
    """The columns of a query, a single one alone, and the cursor of the next page if there is one."""
    _check(command)
    clause = _only_type(command)
    if clause is not None and _is_page(command) and isinstance(nexus, ListedNexus):
        return _listed(command, clause, nexus, budget)
    try:
        if clause is not None and _counts_all(command, clause) and isinstance(nexus, CountedNexus):
            return [_counted(str(clause.match.type), nexus, budget)], None
        solutions = WhereMatcher(nexus, budget).solutions(command.where)
    except KipError as refused:
        if refused.code != TIMEOUT or not _aggregates(command.columns):
            raise
        raise KipError(TIMEOUT, refused.message, hint=_COUNTED) from refused
    rows = _grouped(command, solutions) if _aggregates(command.columns) else _rows(command, solutions)
    page, cursor = paged(rows, command.order, command.limit, command.cursor, of=(command.columns, command.where))
    columns = [[plain(row.columns[place]) for row in page] for place in range(len(command.columns))]
    return (columns[0] if len(columns) == 1 else columns), cursor


def _only_type(command: FindCommand) -> ConceptClause | None:
    """The clause of a query for all concepts of a type, or those of them that a filter leaves; `None` of any other."""
    clauses = [each for each in command.where if not isinstance(each, FilterClause)]
    clause = clauses[0] if len(clauses) == 1 else None
    if not isinstance(clause, ConceptClause) or clause.match.type in (None, CONCEPT_TYPE, PROPOSITION_TYPE):
        return None
    return clause if clause.match.id is None and clause.match.name is None else None


def _is_page(command: FindCommand) -> bool:
    """Whether a query asks for some rows, in no order that it names."""
    return command.limit is not None and not command.order and not _aggregates(command.columns)


def _counts_all(command: FindCommand, clause: ConceptClause) -> bool:
    """Whether a query asks for nothing but the number of all concepts that a clause means."""
    if len(command.columns) != 1 or command.order or command.cursor is not None or len(command.where) != 1:
        return False
    [column] = command.columns
    if not isinstance(column, AggregateTerm) or column.name != "COUNT":
        return False
    return not column.of.parts and column.of.variable == clause.variable


def _counted(type: str, nexus: CountedNexus, budget: WorkBudget) -> int:
    number = 0
    for each in nexus.counted(type):
        budget.step()
        number += each
    return number


def _listed(
    command: FindCommand, clause: ConceptClause, nexus: ListedNexus, budget: WorkBudget
) -> tuple[list[Any], str | None]:
    """A page of the concepts of a type in the order of the graph, of which no more are read than are given out."""
    mark, size = ("listed", repr((command.columns, command.where))), min(command.limit or 1, MOST_RESULTS)
    after = "" if command.cursor is None else _last_place(command.cursor, mark)
    filters = [each for each in command.where if isinstance(each, FilterClause)]
    found: list[tuple[str, Solution]] = []
    # How many a filter leaves out is not known before.
    at_once = _READ_AT_ONCE if filters else min(size + 1, _READ_AT_ONCE)
    for place, concept in nexus.listed(str(clause.match.type), after=after, at_once=at_once):
        budget.step()
        if concept is None:
            continue
        row: Solution = {clause.variable: concept}
        if all(holds(each.test, row) for each in filters):
            found.append((place, row))
        if len(found) > size:
            break
    page = [row for _, row in found[:size]]
    paths = [each for each in command.columns if isinstance(each, PathTerm)]
    columns = [[plain(value_at(each, row[each.variable])) for row in page] for each in paths]
    cursor = encode_cursor(found[size - 1][0], of=mark) if len(found) > size else None
    return (columns[0] if len(columns) == 1 else columns), cursor


def _last_place(cursor: str, mark: tuple[str, str]) -> str:
    try:
        return str(decode_cursor(cursor, of=mark, like=""))
    except InvalidInput as problem:
        raise KipError(SYNTAX, _UNREADABLE, hint=_AGAIN) from problem


def paged(
    rows: Iterable[ResultRow],
    order: Sequence[SortKey],
    limit: int | None,
    cursor: str | None,
    *,
    of: tuple[object, ...],
) -> tuple[list[ResultRow], str | None]:
    """One page of sorted rows. A cursor names the last row of its page, which may be gone by now."""
    compare = _comparison(order)
    left = sorted(rows, key=functools.cmp_to_key(compare))
    mark = (repr(of), repr(order))
    if cursor is not None:
        after = _last_row(cursor, mark)
        left = [row for row in left if compare(row, after) > 0]
    if limit is None and len(left) > MOST_RESULTS:
        raise KipError(EXHAUSTED, f"{len(left):,} rows match; at most {MOST_RESULTS:,} are given without LIMIT.")
    page = left[: min(limit or MOST_RESULTS, MOST_RESULTS)]
    if len(page) == len(left):
        return page, None
    last_row = page[-1]
    return page, encode_cursor([json.dumps(last_row.sorted_by), last_row.identity], of=mark)


def _last_row(cursor: str, mark: tuple[str, str]) -> ResultRow:
    try:
        values, last = decode_cursor(cursor, of=mark, like=["", ""])
        return ResultRow((), tuple(json.loads(values)), last)
    except (InvalidInput, ValueError) as problem:
        raise KipError(SYNTAX, _UNREADABLE, hint=_AGAIN) from problem


def _check(command: FindCommand) -> None:
    terms = [each.of if isinstance(each, AggregateTerm) else each for each in _projections(command)]
    require_bound([(term.variable, term.at) for term in terms], command.where)
    grouped = _aggregates(command.columns)
    listed = {_key(each) for each in command.columns}
    for each in (key.of for key in command.order):
        if (grouped or isinstance(each, AggregateTerm)) and _key(each) not in listed:
            at = each.of.at if isinstance(each, AggregateTerm) else each.at
            raise KipError(SYNTAX, "With aggregates, ORDER BY names what FIND names too.", at=at)


def _rows(command: FindCommand, solutions: Sequence[Solution]) -> list[ResultRow]:
    found: dict[str, ResultRow] = {}
    names = _variables(command)
    paths = [each for each in command.columns if isinstance(each, PathTerm)]
    keys = [each.of for each in command.order if isinstance(each.of, PathTerm)]
    for solution in solutions:
        mark = _mark(solution, names)
        if mark not in found:
            found[mark] = ResultRow(
                tuple(value_at(each, solution[each.variable]) for each in paths),
                tuple(_sortable(value_at(each, solution[each.variable])) for each in keys),
                mark,
            )
    return list(found.values())


def _grouped(command: FindCommand, solutions: Sequence[Solution]) -> list[ResultRow]:
    names, plain_columns = _variables(command), [each for each in command.columns if isinstance(each, PathTerm)]
    distinct = {_mark(solution, names): solution for solution in solutions}
    groups: dict[str, list[Solution]] = {}
    for solution in distinct.values():
        key = [_identified(value_at(each, solution[each.variable])) for each in plain_columns]
        groups.setdefault(repr(key), []).append(solution)
    if not plain_columns and not groups:
        groups[repr([])] = []
    found: list[ResultRow] = []
    for mark, members in groups.items():
        values = {_key(each): _column(each, members) for each in command.columns}
        columns = tuple(values[_key(each)] for each in command.columns)
        found.append(ResultRow(columns, tuple(_sortable(values[_key(each.of)]) for each in command.order), mark))
    return found


def _column(column: Projection, members: Sequence[Solution]) -> Any:
    if isinstance(column, PathTerm):
        return value_at(column, members[0][column.variable])
    values = [value_at(column.of, each[column.of.variable]) for each in members]
    values = [each for each in values if each is not None]
    if column.distinct:
        values = list({repr(_identified(each)): each for each in values}.values())
    return _AGGREGATES[column.name](values)


def _numbers(values: Sequence[Any]) -> list[float]:
    return [each for each in values if isinstance(each, int | float) and not isinstance(each, bool)]


def _average(values: Sequence[Any]) -> float | None:
    numbers = _numbers(values)
    return sum(numbers) / len(numbers) if numbers else None


def _extreme(choose: Callable[..., Any]) -> Callable[[Sequence[Any]], Any]:
    """The least or the greatest: of the numbers if there are any, otherwise of the texts."""

    def of(values: Sequence[Any]) -> Any:
        return choose(_numbers(values) or [each for each in values if isinstance(each, str)], default=None)

    return of


_AGGREGATES: dict[str, Callable[[Sequence[Any]], Any]] = {
    "COUNT": len,
    "SUM": lambda values: sum(_numbers(values)),
    "AVG": _average,
    "MIN": _extreme(min),
    "MAX": _extreme(max),
}


def _comparison(order: Sequence[SortKey]) -> Callable[[ResultRow, ResultRow], int]:
    """Rows by each key in turn, null last in either direction; then by what tells them apart."""

    def compare(one: ResultRow, other: ResultRow) -> int:
        for key, left, right in zip(order, one.sorted_by, other.sorted_by, strict=True):
            if left == right and type(left) is type(right):
                continue
            if left is None or right is None:
                return 1 if left is None else -1
            a, b = _rank(left), _rank(right)
            if a != b:
                return (1 if a > b else -1) * (-1 if key.descending else 1)
        return (one.identity > other.identity) - (one.identity < other.identity)

    return compare


def _rank(value: Any) -> tuple[int, Any]:
    """Values of different types have an order too: false, true, numbers, texts."""
    if isinstance(value, bool):
        return 0, value
    return (1, value) if isinstance(value, int | float) else (2, value)


def _sortable(value: Any) -> Any:
    if isinstance(value, Concept | Proposition):
        return value.id
    return value if isinstance(value, str | int | float) else None


def _identified(value: Any) -> Any:
    return ("element", value.id) if isinstance(value, Concept | Proposition) else (type(value).__name__, value)


def _mark(solution: Solution, names: Sequence[str]) -> str:
    return "\n".join(identity(solution[name]) for name in names)


def _projections(command: FindCommand) -> list[Projection]:
    return [*command.columns, *(key.of for key in command.order)]


def _variables(command: FindCommand) -> list[str]:
    terms = (each.of if isinstance(each, AggregateTerm) else each for each in _projections(command))
    return list(dict.fromkeys(term.variable for term in terms))


def _aggregates(columns: Iterable[Projection]) -> bool:
    return any(isinstance(each, AggregateTerm) for each in columns)


def _key(term: Projection) -> tuple[object, ...]:
    """A term without its place in the command."""
    if isinstance(term, AggregateTerm):
        return (term.name, term.distinct, term.of.variable, term.of.parts)
    return (term.variable, term.parts)
