"""KQL evaluated in the slow, obvious way: every assignment of every variable is tried against every clause.

It shares the tree with the real evaluator and nothing else: no joins, no order, no index, and paths by counting walks.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

from recollect.dialects.kip.nexus import Concept, NexusElement, Proposition
from recollect.dialects.kip.syntax import (
    Application,
    ConceptClause,
    ConceptMatch,
    Constant,
    FilterClause,
    GroupClause,
    LinkClause,
    LinkMatch,
    PathTerm,
    Predicates,
    Variable,
)

Thing = NexusElement | str


class NaiveGraph:
    """A handful of elements, looked through again and again."""

    def __init__(self, concepts: Iterable[Concept], links: Iterable[Proposition]) -> None:
        self.concepts, self.links = list(concepts), list(links)
        self.elements: list[NexusElement] = [*self.concepts, *self.links]
        self.by_id = {each.id: each for each in self.elements}
        self.predicates = sorted({each.predicate for each in self.links})

    def solutions(self, clauses: tuple[Any, ...], outer: Mapping[str, Thing | None]) -> list[dict[str, Thing | None]]:
        rows: list[dict[str, Thing | None]] = [dict(outer)]
        segment: list[Any] = []
        for number, clause in enumerate(clauses):
            if isinstance(clause, GroupClause) and clause.word == "UNION":
                rows = [after for row in rows for after in self._segment(segment, row)] if number else []
                rows += self.solutions(clause.clauses, {})
                names = {name for row in rows for name in row}
                rows = [{name: row.get(name) for name in names} for row in rows]
                segment = []
            else:
                segment.append(clause)
        return [after for row in rows for after in self._segment(segment, row)]

    def _segment(self, clauses: list[Any], row: Mapping[str, Thing | None]) -> list[dict[str, Thing | None]]:
        rows = [dict(row)]
        for clause in clauses:
            if isinstance(clause, FilterClause):
                continue
            if isinstance(clause, GroupClause) and clause.word == "NOT":
                rows = [each for each in rows if not self.solutions(clause.clauses, each)]
            elif isinstance(clause, GroupClause):
                new = _bound_by(clause.clauses)
                rows = [
                    {**dict.fromkeys(new), **after}
                    for each in rows
                    for after in (self.solutions(clause.clauses, each) or [each])
                ]
            else:
                rows = [after for each in rows for after in self._tried(clause, each)]
        return [
            each
            for each in rows
            if all(truth(clause.test, each) for clause in clauses if isinstance(clause, FilterClause))
        ]

    def _tried(self, clause: Any, row: Mapping[str, Thing | None]) -> Iterable[dict[str, Thing | None]]:
        """Every way to bind the variables of a pattern that are not bound yet, if the pattern is true then."""
        elements, predicates = _variables(clause)
        free = [name for name in (*elements, *predicates) if name not in row]
        ranges = [self.predicates if name in predicates else self.elements for name in free]
        for values in itertools.product(*ranges):
            after: dict[str, Any] = {**row, **dict(zip(free, values, strict=True))}
            if self._is_true(clause, after):
                yield after

    def _is_true(self, clause: Any, row: Mapping[str, Any]) -> bool:
        if isinstance(clause, ConceptClause):
            return self._fits(clause.match, row[clause.variable], row)
        if clause.variable is not None:
            return self._fits(clause.match, row[clause.variable], row)
        named = clause.match.predicate
        if isinstance(named, Predicates) and not (named.fewest == named.most == 1):
            ends = [
                [each for each in self.elements if self._fits(end, each, row)]
                for end in (clause.match.subject, clause.match.object)
            ]
            return any(self._walk(a.id, b.id, named) for a in ends[0] for b in ends[1])
        return any(self._fits(clause.match, each, row) for each in self.links)

    def _fits(self, end: Any, element: Any, row: Mapping[str, Any]) -> bool:
        match end:
            case Variable(name):
                bound = row[name]
                return bound is not None and not isinstance(bound, str) and bound.id == element.id
            case ConceptMatch(type, name, id):
                wanted = {"type": type, "name": name, "id": id}
                return isinstance(element, Concept) and all(
                    value is None or getattr(element, key) == value for key, value in wanted.items()
                )
            case LinkMatch(subject, predicate, object, id):
                if not isinstance(element, Proposition):
                    return False
                if id is not None:
                    return element.id == id
                said = row[predicate.name] if isinstance(predicate, Variable) else None
                named = (
                    element.predicate == said
                    if said is not None
                    else (isinstance(predicate, Predicates) and element.predicate in predicate.names)
                )
                ends = (subject, element.subject), (object, element.object)
                return named and all(self._fits(each, self.by_id[key], row) for each, key in ends)
            case _:
                raise AssertionError(end)

    def _walk(self, begin: str, end: str, predicates: Predicates) -> bool:
        """Whether a walk of so many steps leads from one to the other: steps are counted one by one."""
        most = predicates.most if predicates.most is not None else predicates.fewest + len(self.by_id)
        at = {begin}
        for steps in range(most + 1):
            if steps >= predicates.fewest and end in at:
                return True
            at = {each.object for each in self.links if each.predicate == predicates.names[0] and each.subject in at}
        return False


def truth(test: Any, row: Mapping[str, Any]) -> bool:
    """Whether a filter of comparisons holds; only what the generated queries use."""
    assert isinstance(test, Application)
    if test.name == "&&":
        return all(truth(each, row) for each in test.operands)
    if test.name == "||":
        return any(truth(each, row) for each in test.operands)
    if test.name == "!":
        return not truth(test.operands[0], row)
    values = [_value(each, row) for each in test.operands]
    if test.name == "IS_NULL":
        return values[0] is None
    one, other = values
    alike = type(one) is type(other) and type(one) in (int, str)
    match test.name:
        case "==":
            return one == other and type(one) is type(other)
        case "!=":
            return not (one == other and type(one) is type(other))
        case "<":
            return bool(alike and one < other)
        case _:
            return bool(alike and one >= other)


def _value(operand: Any, row: Mapping[str, Any]) -> Any:
    if isinstance(operand, Constant):
        return operand.value
    assert isinstance(operand, PathTerm)
    bound = row.get(operand.variable)
    if bound is None or not operand.parts:
        return ("element", bound.id) if isinstance(bound, Concept | Proposition) else bound
    if isinstance(bound, str):
        return None
    if operand.parts[0] == "attributes":
        return bound.attributes.get(operand.parts[1])
    return getattr(bound, operand.parts[0], None)


def _variables(clause: Any) -> tuple[set[str], set[str]]:
    elements, predicates = set[str](), set[str]()
    if clause.variable is not None:
        elements.add(clause.variable)
    left = [clause.match]
    while left:
        match = left.pop()
        if isinstance(match, Variable):
            elements.add(match.name)
        elif isinstance(match, LinkMatch):
            left += [each for each in (match.subject, match.object) if each is not None]
            if isinstance(match.predicate, Variable):
                predicates.add(match.predicate.name)
    return elements, predicates


def _bound_by(clauses: Iterable[Any]) -> set[str]:
    found = set[str]()
    for clause in clauses:
        if isinstance(clause, ConceptClause | LinkClause):
            found |= set().union(*_variables(clause))
        elif isinstance(clause, GroupClause) and clause.word != "NOT":
            found |= _bound_by(clause.clauses)
    return found
