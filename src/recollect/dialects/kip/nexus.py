"""The graph as KIP sees it: concepts and propositions as values, the port they are read by, and a draft of changes.

A `NexusDraft` lies over any other nexus and holds what a command changes; over nothing, it is a graph in memory. What
it comes to is told by `edits`, and nothing is written before a verb does so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol, TypeAlias, runtime_checkable

from recollect.domain.dataclass import dataclass, field, replace

CONCEPT_TYPE, PROPOSITION_TYPE = "$ConceptType", "$PropositionType"
GENESIS = "_genesis"  # metadata of what every graph begins with


@dataclass(frozen=True, slots=True)
class Concept:
    """A node: of one type and name there is one. Metadata includes what the engine keeps (`_version` …)."""

    id: str
    type: str
    name: str
    attributes: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Proposition:
    """A link between two elements, each named by its id: of one subject, predicate and object there is one."""

    id: str
    subject: str
    predicate: str
    object: str
    attributes: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)


NexusElement: TypeAlias = Concept | Proposition


class Nexus(Protocol):
    """A graph that can be asked. Every argument that is given narrows the answer; the order is the graph's own."""

    def element(self, id: str) -> NexusElement | None:
        """The concept or proposition of an id."""
        ...

    def concepts(self, *, type: str | None = None, name: str | None = None) -> Iterable[Concept]:
        """Concepts by type and name, exactly as they are spelled."""
        ...

    def propositions(
        self, *, subject: str | None = None, predicate: str | None = None, object: str | None = None
    ) -> Iterable[Proposition]:
        """Propositions by the ids of their ends and by their predicate."""
        ...


@runtime_checkable
class ListedNexus(Protocol):
    """A graph that can tell the concepts of a type one after the other, from any place on, reading no more of them."""

    def listed(self, type: str, *, after: str, at_once: int) -> Iterator[tuple[str, Concept | None]]:
        """The concepts of a type, each after its place; `None` at a place that was looked at and has none.

        `after` is a place, or empty, `at_once` how many are read at first.
        """
        ...


@runtime_checkable
class CountedNexus(Protocol):
    """A graph that can tell how many concepts of a type it has without reading all of them."""

    def counted(self, type: str) -> Iterator[int]:
        """Numbers that come to the number of concepts of a type, one for each part of them that was looked at."""
        ...


@dataclass(frozen=True, slots=True)
class NexusEdit:
    """One element before and after: created without `before`, removed without `after`."""

    before: NexusElement | None
    after: NexusElement | None


class NexusDraft:
    """Changes over a graph, visible at once to whoever asks the draft."""

    def __init__(
        self,
        base: Nexus | None = None,
        *,
        new_id: Callable[[NexusElement], str] | None = None,
        now: str = "1970-01-01T00:00:00Z",
    ) -> None:
        self._base = base
        self._new_id = new_id
        self._now = now
        self._changed: dict[str, NexusElement | None] = {}
        self._named: dict[tuple[str, str], dict[str, None]] = {}
        self._links: dict[tuple[str, str], dict[str, None]] = {}  # by ("s", id), ("p", predicate), ("o", id)

    def element(self, id: str) -> NexusElement | None:
        return self._changed[id] if id in self._changed else self._below(id)

    def concepts(self, *, type: str | None = None, name: str | None = None) -> Iterator[Concept]:
        for each in () if self._base is None else self._base.concepts(type=type, name=name):
            if each.id not in self._changed:
                yield each
        keys = self._named.get((type, name), ()) if type is not None and name is not None else self._changed
        for key in list(keys):
            found = self._changed[key]
            if isinstance(found, Concept) and type in (None, found.type) and name in (None, found.name):
                yield found

    def propositions(
        self, *, subject: str | None = None, predicate: str | None = None, object: str | None = None
    ) -> Iterator[Proposition]:
        asked = {"subject": subject, "predicate": predicate, "object": object}
        for each in () if self._base is None else self._base.propositions(**asked):
            if each.id not in self._changed:
                yield each
        given = [
            (kind, value) for kind, value in (("s", subject), ("o", object), ("p", predicate)) if value is not None
        ]
        lists: list[dict[str, None]] = [self._links.get((kind, value), {}) for kind, value in given]
        shortest = min(lists, key=len) if lists else dict.fromkeys(self._changed)
        for key in list(shortest):
            found = self._changed[key]
            if (
                isinstance(found, Proposition)
                and subject in (None, found.subject)
                and predicate in (None, found.predicate)
                and object in (None, found.object)
            ):
                yield found

    def concept(self, type: str, name: str) -> Concept | None:
        """The one concept of a type and name."""
        return next(iter(self.concepts(type=type, name=name)), None)

    def proposition(self, subject: str, predicate: str, object: str) -> Proposition | None:
        """The one proposition of these ends and predicate."""
        return next(iter(self.propositions(subject=subject, predicate=predicate, object=object)), None)

    def put(self, element: NexusElement) -> NexusElement:
        """Write an element; with an empty id it is new. What is the same as before stays at its version."""
        before = self.element(element.id) if element.id else None
        if before is not None and replace(before, metadata=authored(before)) == replace(
            element, metadata=authored(element)
        ):
            return before
        version = 1 if before is None else int(before.metadata.get("_version", 0)) + 1
        kept = {key: value for key, value in element.metadata.items() if key == "_merged_from"}
        metadata = {**authored(element), **kept, "_version": version, "_updated_at": self._now}
        key = element.id or self._fresh_id(element)
        return self.keep(replace(element, id=key, metadata=metadata))

    def keep(self, element: NexusElement) -> NexusElement:
        """Take an element as it is, with its id and its version."""
        self._forget_index(element.id)
        self._changed[element.id] = element
        if isinstance(element, Concept):
            self._named.setdefault((element.type, element.name), {})[element.id] = None
        else:
            for key in _places(element):
                self._links.setdefault(key, {})[element.id] = None
        return element

    def remove(self, id: str) -> None:
        """Take an element out."""
        self._forget_index(id)
        self._changed[id] = None

    def edits(self) -> list[NexusEdit]:
        """Every element that is other than in the graph below, in the order in which it was first changed."""
        pairs = ((self._below(key), after) for key, after in self._changed.items())
        return [NexusEdit(before, after) for before, after in pairs if before != after]

    def _below(self, id: str) -> NexusElement | None:
        return None if self._base is None else self._base.element(id)

    def _fresh_id(self, element: NexusElement) -> str:
        if self._new_id is not None:
            return self._new_id(element)
        return f"{'C' if isinstance(element, Concept) else 'P'}:{len(self._changed) + 1}"

    def _forget_index(self, id: str) -> None:
        known = self._changed.get(id)
        if isinstance(known, Concept):
            self._named[known.type, known.name].pop(id, None)
        elif known is not None:
            for key in _places(known):
                self._links[key].pop(id, None)


def concept_id(type: str, name: str) -> str:
    """The id of a concept: of one type and name there is one."""
    return f"C:{type}:{name}"


def named_by(id: str) -> tuple[str, str] | None:
    """The type and the name that the id of a concept says; `None` if it is no such id."""
    mark, _, rest = id.partition(":")
    type, colon, name = rest.partition(":")
    return (type, name) if mark == "C" and colon and type and name else None


def authored(element: NexusElement) -> dict[str, Any]:
    """The metadata that its author gave it, without what the engine keeps."""
    return {key: value for key, value in element.metadata.items() if not key.startswith("_")}


def shown(element: NexusElement) -> dict[str, Any]:
    """An element as answers show it."""
    parts = {"attributes": dict(element.attributes), "metadata": dict(element.metadata)}
    if isinstance(element, Concept):
        return {"id": element.id, "type": element.type, "name": element.name, **parts}
    ends = {"subject": element.subject, "predicate": element.predicate, "object": element.object}
    return {"id": element.id, **ends, **parts}


def _places(link: Proposition) -> tuple[tuple[str, str], ...]:
    return (("s", link.subject), ("p", link.predicate), ("o", link.object))
