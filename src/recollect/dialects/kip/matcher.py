"""Solutions of WHERE: patterns are joined one after the other, the most constrained first.

A solution binds variables to concepts, propositions, names of predicates, or null. Solutions are distinct. OPTIONAL,
NOT and UNION stand where they are written; a FILTER belongs to the clauses up to the next UNION, wherever it stands
among them. A variable that is null matches no pattern.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from recollect.dialects.kip.errors import REFERENCE, KipError
from recollect.dialects.kip.expressions import Bound, holds
from recollect.dialects.kip.nexus import Concept, Nexus, NexusElement, Proposition
from recollect.dialects.kip.parser import paths_in
from recollect.dialects.kip.syntax import (
    Clause,
    ConceptClause,
    ConceptMatch,
    End,
    FilterClause,
    GroupClause,
    LinkClause,
    LinkMatch,
    Predicates,
    Variable,
    Where,
)
from recollect.dialects.kip.work_budget import WorkBudget

Solution: TypeAlias = dict[str, Bound]
Pattern: TypeAlias = ConceptClause | LinkClause
_ANYTHING: Sequence[str | None] = (None,)


class WhereMatcher:
    """Matches WHERE clauses against one graph within one budget."""

    def __init__(self, nexus: Nexus, budget: WorkBudget) -> None:
        self._nexus, self._budget = nexus, budget

    def solutions(self, where: Where) -> list[Solution]:
        """Every distinct solution; each binds every variable of the clauses, perhaps to null."""
        return self._group(where, [{}])

    def _group(self, clauses: Sequence[Clause], rows: list[Solution]) -> list[Solution]:
        segment: list[Clause] = []
        for place, clause in enumerate(clauses):
            if isinstance(clause, GroupClause) and clause.word == "UNION":
                rows = self._segment(segment, rows) if place else []  # before the first clause nothing was asked
                other = self._group(clause.clauses, [{}])
                names = {name: None for row in (*rows, *other) for name in row}
                rows = _distinct([{**names, **row} for row in (*rows, *other)])
                segment = []
            else:
                segment.append(clause)
        return self._segment(segment, rows)

    def _segment(self, clauses: Sequence[Clause], rows: list[Solution]) -> list[Solution]:
        filters = [clause for clause in clauses if isinstance(clause, FilterClause)]
        patterns: list[Pattern] = []
        for clause in clauses:
            if isinstance(clause, GroupClause):
                rows, filters = self._joined(patterns, rows, filters)
                patterns = []
                rows = self._without(clause, rows) if clause.word == "NOT" else self._perhaps(clause, rows)
            elif not isinstance(clause, FilterClause):
                patterns.append(clause)
        rows, filters = self._joined(patterns, rows, filters)
        return _filtered(filters, rows)

    def _without(self, clause: GroupClause, rows: list[Solution]) -> list[Solution]:
        return [row for row in rows if not self._group(clause.clauses, [row])]

    def _perhaps(self, clause: GroupClause, rows: list[Solution]) -> list[Solution]:
        names = dict.fromkeys(sorted(variables_of(clause.clauses)))
        found: list[Solution] = []
        for row in rows:
            found += self._group(clause.clauses, [row]) or [{**names, **row}]
            self._budget.hold(len(found))
        return [{**names, **row} for row in found]

    def _joined(
        self, patterns: Sequence[Pattern], rows: list[Solution], filters: list[FilterClause]
    ) -> tuple[list[Solution], list[FilterClause]]:
        """The rows with the patterns joined in, and the filters that could not be applied yet."""
        left, bound = list(patterns), set(rows[0]) if rows else set()
        while left and rows:
            pattern = min(left, key=lambda each: _cost(each, bound))
            left.remove(pattern)
            joined: list[Solution] = []
            for row in rows:
                joined += self._matched(pattern, row)
                self._budget.hold(len(joined))
            rows = _distinct(joined)
            bound |= variables_of((pattern,))
            ready = [each for each in filters if {path.variable for path in paths_in(each.test)} <= bound]
            rows = _filtered(ready, rows)
            filters = [each for each in filters if each not in ready]
        return rows, filters

    def _matched(self, pattern: Pattern, row: Solution) -> Iterator[Solution]:
        if isinstance(pattern, ConceptClause):
            for concept in self._concepts(pattern.match, row.get(pattern.variable), pattern.variable in row):
                yield {**row, pattern.variable: concept}
            return
        for link, after in self._links(pattern.match, row, _bound_link(pattern, row)):
            if pattern.variable is None:
                yield after
            elif pattern.variable not in after:
                yield {**after, pattern.variable: link}
            elif link is not None and _is_same(after[pattern.variable], link):
                yield after

    def _concepts(self, match: ConceptMatch, known: Bound, is_bound: bool) -> Iterable[Concept]:
        if is_bound:
            return [known] if isinstance(known, Concept) and _fits(match, known) else []
        if match.id is not None:
            found = self._nexus.element(match.id)
            return [found] if isinstance(found, Concept) and _fits(match, found) else []
        return self._counted(self._nexus.concepts(type=match.type, name=match.name))

    def _counted(self, found: Iterable[Concept]) -> Iterator[Concept]:
        for each in found:
            self._budget.step()
            yield each

    # --- links ------------------------------------------------------------------------------------------------------

    def _links(
        self, match: LinkMatch, row: Solution, known: Proposition | None
    ) -> Iterator[tuple[Proposition | None, Solution]]:
        """Links that fit, each with the row that it makes; a path of several hops is no link."""
        if match.id is not None:
            found = self._nexus.element(match.id)
            if isinstance(found, Proposition):
                yield found, row
            return
        assert match.subject is not None and match.object is not None and match.predicate is not None  # noqa: S101
        if isinstance(match.predicate, Predicates) and not match.predicate.is_one_hop:
            for after in self._paths(match.predicate, match.subject, match.object, row):
                yield None, after
            return
        for link in self._candidates(match, row, known):
            self._budget.step()
            for after in self._fitted(match, link, row):
                yield link, after

    def _candidates(self, match: LinkMatch, row: Solution, known: Proposition | None) -> Iterable[Proposition]:
        if known is not None:
            return [known]
        predicates: Sequence[str | None] = [None]
        if isinstance(match.predicate, Predicates):
            predicates = match.predicate.names
        elif isinstance(match.predicate, Variable) and match.predicate.name in row:
            name = row[match.predicate.name]
            predicates = [name] if isinstance(name, str) else []
        subjects, objects = self._ends(match.subject, row), self._ends(match.object, row)
        if subjects is not None and (objects is None or len(subjects) <= len(objects)):
            objects = objects if objects is not None and len(objects) == 1 else None
        elif objects is not None:
            subjects = None
        return (
            link
            for predicate in predicates
            for subject in (_ANYTHING if subjects is None else subjects)
            for object in (_ANYTHING if objects is None else objects)
            for link in self._nexus.propositions(subject=subject, predicate=predicate, object=object)
        )

    def _ends(self, end: End | None, row: Solution) -> list[str] | None:
        """The ids that an end can have; `None` if it can be anything."""
        if isinstance(end, Variable):
            if end.name not in row:
                return None
            bound = row[end.name]
            return [bound.id] if isinstance(bound, Concept | Proposition) else []
        if isinstance(end, ConceptMatch):
            return [each.id for each in self._concepts(end, None, False)]
        if isinstance(end, LinkMatch):
            return list(dict.fromkeys(link.id for link, _ in self._links(end, row, None) if link is not None))
        return None

    def _fitted(self, match: LinkMatch, link: Proposition, row: Solution) -> Iterator[Solution]:
        named = match.predicate
        after = row
        if isinstance(named, Predicates):
            if link.predicate not in named.names:
                return
        elif isinstance(named, Variable):
            if named.name in row and row[named.name] != link.predicate:
                return
            after = {**row, named.name: link.predicate}
        for begun in self._end(match.subject, link.subject, after):
            yield from self._end(match.object, link.object, begun)

    def _end(self, end: End | None, id: str, row: Solution) -> Iterator[Solution]:
        """The rows in which an end of a pattern is the element of an id."""
        found = self._nexus.element(id)
        if found is None:
            return
        match end:
            case Variable(name):
                if name not in row:
                    yield {**row, name: found}
                elif _is_same(row[name], found):
                    yield row
            case ConceptMatch():
                if isinstance(found, Concept) and _fits(end, found):
                    yield row
            case LinkMatch():
                if isinstance(found, Proposition):
                    for link, after in self._links(end, row, None if end.id else found):
                        if link is not None and link.id == id:
                            yield after
            case None:
                pass

    # --- paths ------------------------------------------------------------------------------------------------------

    def _paths(self, predicates: Predicates, subject: End, object: End, row: Solution) -> Iterator[Solution]:
        """The rows whose ends are joined by so many hops."""
        begins, ends = self._ends(subject, row), self._ends(object, row)
        forward = begins is not None or ends is None
        starts = begins if forward else ends
        if starts is None:
            starts = self._all_ids(predicates.fewest == 0, predicates.names[0])
        near, far = (subject, object) if forward else (object, subject)
        for start in dict.fromkeys(starts):
            for reached in self._reached(start, predicates, forward=forward):
                for begun in self._end(near, start, row):
                    yield from self._end(far, reached, begun)

    def _all_ids(self, reflexive: bool, predicate: str) -> list[str]:
        if reflexive:  # everything is joined to itself by no hop
            links = (each.id for each in self._nexus.propositions())
            return [*(each.id for each in self._counted(self._nexus.concepts())), *links]
        return [link.subject for link in self._nexus.propositions(predicate=predicate)]

    def _reached(self, start: str, predicates: Predicates, *, forward: bool) -> list[str]:
        """Elements at the end of a walk of so many hops, each once, nearest first."""
        level, seen, hops = {start: None}, dict[str, None](), 0
        earlier: set[frozenset[str]] = set()
        while level:
            if hops >= predicates.fewest:
                if predicates.most is None:
                    level = {each: None for each in level if each not in seen}
                seen |= level
            key = frozenset(level)
            if hops == predicates.most or (hops >= predicates.fewest and key in earlier):
                break
            if hops >= predicates.fewest:
                earlier.add(key)
            level = self._next_level(level, predicates.names[0], forward=forward)
            hops += 1
        return list(seen)

    def _next_level(self, level: Iterable[str], predicate: str, *, forward: bool) -> dict[str, None]:
        found: dict[str, None] = {}
        for each in level:
            links = (
                self._nexus.propositions(subject=each, predicate=predicate)
                if forward
                else self._nexus.propositions(object=each, predicate=predicate)
            )
            for link in links:
                self._budget.step()
                found[link.object if forward else link.subject] = None
        return found


def variables_of(clauses: Iterable[Clause]) -> set[str]:
    """The variables that clauses bind for whoever comes after them: not those of NOT."""
    found: set[str] = set()
    for clause in clauses:
        match clause:
            case ConceptClause(variable):
                found.add(variable)
            case LinkClause(variable, match):
                found |= _in_link(match) | ({variable} if variable else set())
            case GroupClause(word, inner) if word != "NOT":
                found |= variables_of(inner)
            case _:
                pass
    return found


def require_bound(terms: Iterable[tuple[str, tuple[int, int]]], where: Where) -> None:
    """Refuse names of variables that WHERE does not bind."""
    known = variables_of(where)
    for name, at in terms:
        if name not in known:
            raise KipError(REFERENCE, f"The variable `?{name}` is bound nowhere.", at=at)
    _require_filters(where, set())


def _require_filters(clauses: Where, outer: set[str]) -> None:
    known = outer | variables_of(clauses)
    for clause in clauses:
        if isinstance(clause, FilterClause):
            for path in paths_in(clause.test):
                if path.variable not in known:
                    raise KipError(REFERENCE, f"The variable `?{path.variable}` is bound nowhere.", at=path.at)
        elif isinstance(clause, GroupClause):
            _require_filters(clause.clauses, set() if clause.word == "UNION" else known)


def _in_link(match: LinkMatch) -> set[str]:
    found: set[str] = set()
    for part in (match.subject, match.predicate, match.object):
        if isinstance(part, Variable):
            found.add(part.name)
        elif isinstance(part, LinkMatch):
            found |= _in_link(part)
    return found


def _bound_link(pattern: LinkClause, row: Solution) -> Proposition | None:
    known = row.get(pattern.variable) if pattern.variable is not None else None
    return known if isinstance(known, Proposition) else None


def _filtered(filters: Sequence[FilterClause], rows: list[Solution]) -> list[Solution]:
    return [row for row in rows if all(holds(each.test, row) for each in filters)] if filters else rows


def _fits(match: ConceptMatch, concept: Concept) -> bool:
    return match.id in (None, concept.id) and match.type in (None, concept.type) and match.name in (None, concept.name)


def _is_same(bound: Bound, found: NexusElement) -> bool:
    return isinstance(bound, Concept | Proposition) and bound.id == found.id


def _distinct(rows: list[Solution]) -> list[Solution]:
    return list({tuple(sorted((name, identity(value)) for name, value in row.items())): row for row in rows}.values())


def identity(bound: Bound) -> str:
    """A text that two bindings share only if they are the same."""
    if bound is None:
        return ""
    return f"={bound}" if isinstance(bound, str) else bound.id


def _cost(pattern: Pattern, bound: set[str]) -> int:
    """How much a pattern may match, roughly: the fewer of its parts are known, the more."""
    if isinstance(pattern, ConceptClause):
        match = pattern.match
        if pattern.variable in bound or match.id is not None or (match.type and match.name):
            return 0
        return 3 if match.name else 60
    if pattern.match.id is not None or (pattern.variable is not None and pattern.variable in bound):
        return 0
    ends = [_end_cost(end, bound) for end in (pattern.match.subject, pattern.match.object)]
    named = pattern.match.predicate
    loose = 5 if isinstance(named, Variable) and named.name not in bound else 0
    hops = 2 if isinstance(named, Predicates) and not named.is_one_hop else 0
    return min(ends) + max(ends) // 10 + loose + hops


def _end_cost(end: End | None, bound: set[str]) -> int:
    match end:
        case Variable(name):
            return 1 if name in bound else 100
        case ConceptMatch(type, name, id):
            return 1 if id is not None or (type and name) else 4 if name else 70
        case LinkMatch():
            return 30
        case _:
            return 100
