"""Define before use: types and predicates of a command have to be in the graph, as nodes of the two meta-types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from recollect.dialects.kip.errors import TYPE, KipError
from recollect.dialects.kip.nexus import CONCEPT_TYPE, PROPOSITION_TYPE, Nexus
from recollect.dialects.kip.syntax import (
    ConceptClause,
    ConceptMatch,
    GroupClause,
    LinkClause,
    LinkMatch,
    Place,
    Predicates,
    Where,
)


def require_defined(where: Where, nexus: Nexus) -> None:
    """Refuse patterns with a type or predicate that nobody defined: `KIP_2001`."""
    for kind, name, at in dict.fromkeys(_names(where)):
        require_name(kind, name, nexus, at)


def require_name(kind: str, name: str, nexus: Nexus, at: Place | None = None) -> None:
    """Refuse one type or predicate that nobody defined."""
    if not any(True for _ in nexus.concepts(type=kind, name=name)):
        what = "concept type" if kind == CONCEPT_TYPE else "predicate"
        raise KipError(TYPE, f"There is no {what} `{name}`.", at=at, hint=_hint(kind, name, nexus))


def _hint(kind: str, name: str, nexus: Nexus) -> str | None:
    alike = [each.name for each in nexus.concepts(type=kind) if each.name.lower() == name.lower()]
    return f"Capitals count: it is `{alike[0]}`." if alike else None


def _names(where: Where) -> Iterator[tuple[str, str, Place]]:
    for clause in where:
        match clause:
            case ConceptClause(_, match) | LinkClause(_, match):
                yield from _in_match(match)
            case GroupClause(_, inner):
                yield from _names(inner)
            case _:
                pass


def _in_match(match: ConceptMatch | LinkMatch) -> Iterator[tuple[str, str, Place]]:
    if isinstance(match, ConceptMatch):
        if match.type is not None:
            yield CONCEPT_TYPE, match.type, match.at
        return
    if isinstance(match.predicate, Predicates):
        yield from ((PROPOSITION_TYPE, name, match.at) for name in match.predicate.names)
    ends: Iterable[object] = (match.subject, match.object)
    for end in ends:
        if isinstance(end, ConceptMatch | LinkMatch):
            yield from _in_match(end)
