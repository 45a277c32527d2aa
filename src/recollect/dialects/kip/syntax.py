"""The tree of a KIP command: plain values, parameters filled in, with places for errors that come later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from recollect.domain.dataclass import dataclass, field

Place: TypeAlias = tuple[int, int]  # line and column, both from 1
NOWHERE: Place = (0, 0)


# --- patterns -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Variable:
    """`?name`."""

    name: str
    at: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class ConceptMatch:
    """`{type: …, name: …, id: …}`: each of them that is given has to agree."""

    type: str | None = None
    name: str | None = None
    id: str | None = None
    at: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Predicates:
    """One predicate or alternatives, of one hop; or one predicate with a range of hops, without end if `None`."""

    names: tuple[str, ...]
    fewest: int = 1
    most: int | None = 1

    @property
    def is_one_hop(self) -> bool:
        return self.fewest == 1 and self.most == 1


@dataclass(frozen=True, slots=True)
class LinkMatch:
    """`(subject, predicate, object)`, or `(id: …)` alone."""

    subject: End | None = None
    predicate: Variable | Predicates | None = None
    object: End | None = None
    id: str | None = None
    at: Place = NOWHERE


End: TypeAlias = Variable | ConceptMatch | LinkMatch


@dataclass(frozen=True, slots=True)
class ConceptClause:
    """`?variable {…}`."""

    variable: str
    match: ConceptMatch


@dataclass(frozen=True, slots=True)
class LinkClause:
    """`?variable (…)`; the variable may be left out."""

    variable: str | None
    match: LinkMatch


# --- expressions ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PathTerm:
    """`?variable`, or a part of what it is bound to: `.name`, `.attributes.key` …"""

    variable: str
    parts: tuple[str, ...] = ()
    at: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Constant:
    """A JSON value."""

    value: Any


@dataclass(frozen=True, slots=True)
class Application:
    """A function or operator with its operands: `==`, `&&`, `!`, `IN`, `CONTAINS`, `ADD` …"""

    name: str
    operands: tuple[Expression, ...]


Expression: TypeAlias = PathTerm | Constant | Application


@dataclass(frozen=True, slots=True)
class AggregateTerm:
    """`COUNT(DISTINCT ?x.name)` and the like."""

    name: str
    of: PathTerm
    distinct: bool = False


Projection: TypeAlias = PathTerm | AggregateTerm


# --- WHERE ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FilterClause:
    """`FILTER(…)`."""

    test: Expression


@dataclass(frozen=True, slots=True)
class GroupClause:
    """`OPTIONAL {…}`, `NOT {…}` or `UNION {…}`."""

    word: str
    clauses: tuple[Clause, ...]


Clause: TypeAlias = ConceptClause | LinkClause | FilterClause | GroupClause
Where: TypeAlias = tuple[Clause, ...]


# --- commands -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SortKey:
    """One key of `ORDER BY`."""

    of: Projection
    descending: bool = False


@dataclass(frozen=True, slots=True)
class FindCommand:
    """`FIND(…) WHERE {…} ORDER BY … LIMIT … CURSOR …`."""

    columns: tuple[Projection, ...]
    where: Where
    order: tuple[SortKey, ...] = ()
    limit: int | None = None
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class LinkOut:
    """One entry of `SET PROPOSITIONS`."""

    predicate: str
    object: End
    metadata: Mapping[str, Any]
    at: Place


@dataclass(frozen=True, slots=True)
class UpsertBlock:
    """`CONCEPT ?handle {…}` or `PROPOSITION ?handle {…}`, with metadata of its own."""

    handle: str | None
    match: ConceptMatch | LinkMatch
    attributes: Mapping[str, Any] = field(default_factory=dict)
    links: tuple[LinkOut, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    version: int | None = None


@dataclass(frozen=True, slots=True)
class UpsertCommand:
    """`UPSERT {…} WITH METADATA {…}`."""

    blocks: tuple[UpsertBlock, ...]
    metadata: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class UpdateCommand:
    """`UPDATE ?target SET ATTRIBUTES {…} SET METADATA {…} WHERE {…} LIMIT n`."""

    target: Variable
    attributes: Mapping[str, Expression]
    metadata: Mapping[str, Expression]
    where: Where
    limit: int | None


@dataclass(frozen=True, slots=True)
class MergeCommand:
    """`MERGE CONCEPT ?source INTO ?target WHERE {…}`."""

    source: Variable
    target: Variable
    where: Where


@dataclass(frozen=True, slots=True)
class DeleteCommand:
    """`DELETE ATTRIBUTES|METADATA {…} FROM ?x`, `DELETE PROPOSITIONS ?x` or `DELETE CONCEPT ?x DETACH`, with WHERE."""

    what: str
    keys: tuple[str, ...]
    target: Variable
    where: Where


@dataclass(frozen=True, slots=True)
class DescribeCommand:
    """`DESCRIBE PRIMER`, `DOMAINS`, `CONCEPT TYPES`, `CONCEPT TYPE "X"` and the same of propositions."""

    what: str  # the words of it, such as `CONCEPT TYPES`
    name: str | None = None
    limit: int | None = None
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class SearchCommand:
    """`SEARCH CONCEPT|PROPOSITION "term" WITH TYPE … MODE … THRESHOLD … LIMIT …`."""

    what: str
    term: str
    type: str | None = None
    mode: str | None = None
    threshold: float | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class ExportCommand:
    """`EXPORT ?target WHERE {…} LIMIT n`."""

    target: Variable
    where: Where
    limit: int | None


WriteCommand: TypeAlias = UpsertCommand | UpdateCommand | MergeCommand | DeleteCommand
ReadCommand: TypeAlias = FindCommand | DescribeCommand | SearchCommand | ExportCommand
Command: TypeAlias = WriteCommand | ReadCommand
WRITES = (UpsertCommand, UpdateCommand, MergeCommand, DeleteCommand)
