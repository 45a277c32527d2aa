"""The graph of a space as a nexus: anchored questions are looked up, and a scan reads the whole graph once.

A question that names a concept, a type or a predicate costs as much as there is to find, however large the space is.
Many concepts are read together, and so are the ends of their relations. A question that names none of these looks at
every note, and so does `{type: "$PropositionType"}`, which lists the predicates in use; this is done in one pass, and
later questions of the command are answered from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING

from recollect.dialects.kip.genesis import genesis
from recollect.dialects.kip.nexus import (
    CONCEPT_TYPE,
    PROPOSITION_TYPE,
    Concept,
    NexusDraft,
    NexusElement,
    Proposition,
    concept_id,
    named_by,
)
from recollect.dialects.kip.note_elements import (
    META_TYPES,
    ConceptNotes,
    attribute_key,
    concept_of,
    kept,
    link_note,
    notes_of,
    proposition_of,
)
from recollect.dialects.kip.vocabulary import HANGING, attribute_of, definition, is_known, known_predicates, known_types
from recollect.domain.dataclass import replace
from recollect.domain.graph.mentions import TYPE, Role, entity_key, mentions_of, subject_key

if TYPE_CHECKING:
    from recollect.domain.graph.entity import Entity, EntityName, EntityRelation
    from recollect.domain.graph.graph_ports import EntityIndex
    from recollect.domain.notes import Note
    from recollect.domain.selections import Selection
    from recollect.graph.memory_graph import MemoryGraph

_PAGE = 200  # notes
_MOST_TYPES = 1000
_TOGETHER = 500  # concepts that are read at once
_FEW = 500  # keys of which all concepts are read to be counted
_COUNTED = 10_000  # keys that are looked at in one read
_LINK = "p:"  # the ids of entities that stand for propositions


class NoteNexus:
    """One space at one moment."""

    def __init__(self, graph: MemoryGraph, index: EntityIndex, space: str) -> None:
        self._graph, self._index, self._space = graph, index, space
        self._entities: dict[str, tuple[Concept, ConceptNotes] | None] = {}
        self._keys: dict[str, str] = {}  # of concepts, by their ids
        self._backing: dict[str, tuple[Note, ...]] = {}  # of propositions, by their ids
        self._beside: dict[str, Sequence[str]] = {}  # keys that were read together, until one's relations are asked for
        self._whole: NexusDraft | None = None
        self._given: list[str] | None = None

    # --- the port ---------------------------------------------------------------------------------------------------

    def element(self, id: str) -> NexusElement | None:
        if self._whole is not None:
            return self._whole.element(id) or self._defined_by(id)
        if link_note(id):
            return self._link(id)
        named = named_by(id)
        return None if named is None else self._concept(*named)

    def concepts(self, *, type: str | None = None, name: str | None = None) -> Iterator[Concept]:
        if name is not None:
            found = self._called(name) if type is None else (self.element(concept_id(type, name)),)
            yield from (each for each in found if isinstance(each, Concept))
            return
        by_type = type is not None and self._whole is None
        yield from self._of_type(str(type)) if by_type else self._everything().concepts(type=type)
        for kind in META_TYPES:
            if type in (None, kind):
                yield from self._undefined(kind)

    def propositions(
        self, *, subject: str | None = None, predicate: str | None = None, object: str | None = None
    ) -> Iterator[Proposition]:
        named = None if predicate is None else attribute_of(predicate)
        if self._whole is None and (subject is not None or object is not None):
            found: Iterable[Proposition] = self._around(subject, named, object)
        elif self._whole is None and named is not None and named not in HANGING:
            found = self._stating(named)
        else:
            found = self._everything().propositions(subject=subject, predicate=named, object=object)
        for each in found:
            yield each if predicate in (None, each.predicate) else replace(each, predicate=str(predicate))

    def listed(self, type: str, *, after: str, at_once: int) -> Iterator[tuple[str, Concept | None]]:
        """See `ListedNexus`; places are ids of entities. No definitions are among them that nobody wrote.

        Each read takes twice as many as the one before: where many places have no concept, few reads pass them.
        """
        while keys := self._graph.keys_of_type(type, after=after, limit=at_once):
            some = [each for each in keys if not each.startswith(_LINK)]
            self._read_together(some)
            self._beside.update(dict.fromkeys(some, some))
            for key in keys:
                found = self._entities.get(key)
                yield key, found[0] if found is not None and found[0].type == type else None
            if len(keys) < at_once:
                return
            after, at_once = keys[-1], max(at_once, min(2 * at_once, _TOGETHER))

    def counted(self, type: str) -> Iterator[int]:
        """See `CountedNexus`. Concepts are read of which the index alone does not tell the type, and all if few may be.

        An id has the name of a concept, and not its key: a user may be called as somebody else is.
        """
        few = len(self._graph.keys_of_type(type, limit=_FEW + 1)) <= _FEW
        settled = frozenset[str]() if few else self._graph.settled(type)
        ids, after, shared = set[str](), "", set[str]()
        while keys := self._graph.keys_of_type(type, after=after, limit=_COUNTED):
            unsettled = [key for key in keys if key not in settled]
            for start in range(0, len(unsettled), _TOGETHER):
                some = unsettled[start : start + _TOGETHER]
                self._read_together(some)
                for key in some:
                    found = self._entities.get(key)
                    if found is not None and found[0].type == type:
                        ids.add(found[0].id)
                        shared |= {entity_key(found[0].name)} - {key}
                    yield 0
            yield from repeat(0, len(keys) - len(unsettled))
            after = keys[-1]
        for key in shared & settled:
            yield 0
            found = self._by_key(key)
            ids |= {found[0].id} if found is not None else set()
        yield len(ids) + len(settled - shared)

    @property
    def holding(self) -> Selection:
        """The notes that hold at the moment."""
        return replace(self._graph.told, valid_at=self._graph.moment)

    def held(self, note_ids: Sequence[str]) -> dict[str, Note]:
        """Those of some notes that hold at the moment."""
        found, graph = self._graph.versions(note_ids), self._graph
        return {id: note for id, note in found.items() if graph.is_told(note) and note.holds_at(graph.moment)}

    # --- for the writer ---------------------------------------------------------------------------------------------

    def notes(self, id: str) -> ConceptNotes | None:
        """The notes of a concept; `None` if nothing is known of it."""
        key = self._keys.get(id) if isinstance(self.element(id), Concept) else None
        found = self._by_key(key) if key is not None else None
        return None if found is None else found[1]

    def backing(self, id: str) -> tuple[Note, ...]:
        """The notes behind a proposition, the first of which keeps what KIP says of it."""
        self.element(id)
        return self._backing.get(id, ())

    def known_as(self, subject: str) -> Concept | None:
        """The concept that notes about a subject are about, however it is spelled there."""
        key = entity_key(subject)
        found = self._by_key(key) if key else None
        return None if found is None else found[0]

    # --- looked up --------------------------------------------------------------------------------------------------

    def _concept(self, type: str, name: str) -> Concept | None:
        return self._written(type, name) or self._defined_by(concept_id(type, name))

    def _written(self, type: str, name: str) -> Concept | None:
        """The concept of a type and name, if notes tell of it."""
        for subject in self._subjects(type, name):
            found = self.known_as(subject)
            if found is not None and (found.type, found.name) == (type, name):
                return found
        return None

    def _subjects(self, type: str, name: str) -> Iterator[str]:
        """Ways in which notes may spell whom a type and name mean; the last is a user who is called so."""
        yield from (name, f"{type}:{name}")
        yield self._graph.key_of(name) or ""

    def _called(self, name: str) -> Iterator[NexusElement | None]:
        """The concepts of a name, whatever their types: known by it alone, or by it after one of the types."""
        given = self._index.keys(self._space, roles=(Role.OBJECT,), attributes=(TYPE,), limit=_MOST_TYPES)
        types = {*given, *map(entity_key, known_types())}
        spelled = self._index.known(self._space, {key for each in types if (key := entity_key(f"{each}:{name}"))})
        for key in dict.fromkeys((entity_key(name), *sorted(spelled), self._graph.key_of(name) or "")):
            found = self._by_key(key) if key else None
            if found is not None and found[0].name == name:
                yield found[0]
        for kind in META_TYPES:
            if self._written(kind, name) is None:
                yield self._defined_by(concept_id(kind, name))

    def _of_type(self, type: str) -> Iterator[Concept]:
        """The concepts of a type, some of them read at a time."""
        return (concept for _, concept in self.listed(type, after="", at_once=_TOGETHER) if concept is not None)

    def _read_together(self, keys: Iterable[str]) -> None:
        others = [each for each in dict.fromkeys(keys) if each not in self._entities and not each.startswith(_LINK)]
        for start in range(0, len(others), _TOGETHER):
            for entity in self._graph.some(others[start : start + _TOGETHER]):
                self._keep(entity.id, entity, self._graph.notes_about(entity.id))

    def _read_ends(self, key: str) -> None:
        """Read the other ends of relations of an entity, and of those that were read together with it."""
        some = [each for each in self._beside.get(key, ()) if each in self._beside]
        for each in some:
            del self._beside[each]
        about = (note for each in some for note in self._graph.notes_about(each))
        self._read_together(each.key for note in about for each in mentions_of(note))

    def _stating(self, predicate: str) -> Iterator[Proposition]:
        """The propositions with a predicate."""
        found = self._graph.stating(predicate)
        self._read_together(each.id for relation in found for each in (relation.subject, relation.object))
        return self._propositions(found)

    def _defined_by(self, id: str) -> Concept | None:
        """The definition of a type or predicate that is in use, or could be, though nobody wrote one."""
        kind, name = named_by(id) or ("", "")
        if kind not in META_TYPES or genesis().element(id) is not None:
            return None
        return definition(kind, name) if is_known(kind, name) or self._is_used(kind, name) else None

    def _is_used(self, kind: str, name: str) -> bool:
        if kind == PROPOSITION_TYPE:
            return bool(self._graph.relations(predicate=name, limit=20).items)
        return any(note.value == name for note in self._giving(entity_key(name)))

    def _giving(self, key: str, *, limit: int = 20) -> Sequence[Note]:
        """Some notes that give a type."""
        told = self._graph.told
        return self._index.naming(
            self._space, key, roles=(Role.OBJECT,), attributes=(TYPE,), selection=told, limit=limit
        )

    def _by_key(self, key: str) -> tuple[Concept, ConceptNotes] | None:
        if key not in self._entities:
            entity = None if key.startswith(_LINK) else self._graph.entity(key)
            if entity is None or entity_key(entity.id) != entity_key(key):
                self._entities[key] = None
            else:
                self._keep(key, entity, self._graph.notes_about(entity.id))
        return self._entities[key]

    def _keep(self, key: str, entity: Entity, notes: Sequence[Note]) -> Concept:
        own = notes_of(entity, notes, self._graph.moment)
        concept = concept_of(entity, own)
        self._entities[key] = (concept, own)
        self._keys[concept.id] = entity.id
        return concept

    def _link(self, id: str) -> Proposition | None:
        note = self._graph.versions([link_note(id)]).get(link_note(id))
        subject = "" if note is None else subject_key(note)
        return next((each for each in self._relations(subject, None, None) if each.id == id), None) if subject else None

    def _around(self, subject: str | None, predicate: str | None, object: str | None) -> Iterator[Proposition]:
        ends = [None if each is None else self._spelled(each) for each in (subject, object)]
        if (subject is not None and not ends[0]) or (object is not None and not ends[1]):
            return
        for key in filter(None, ends):
            self._read_ends(key)
        for each in self._relations(ends[0], predicate, ends[1]):
            if subject in (None, each.subject) and object in (None, each.object):
                yield each

    def _spelled(self, id: str) -> str | None:
        """An element as notes name it at an end; `None` if no note does."""
        if link_note(id):
            return id
        return self._keys.get(id) if isinstance(self.element(id), Concept) else None

    def _relations(self, subject: str | None, predicate: str | None, object: str | None) -> Iterator[Proposition]:
        before: str | None = None
        while True:
            page = self._graph.relations(
                subject=subject, predicate=predicate, object=object, before=before, limit=_PAGE
            )
            yield from self._propositions(page.items)
            before = page.next_cursor
            if before is None:
                return

    def _propositions(self, relations: Sequence[EntityRelation]) -> Iterator[Proposition]:
        notes = self._graph.versions([each for relation in relations for each in relation.evidence])
        for relation in relations:
            backing = tuple(notes[each] for each in relation.evidence if each in notes)
            ends = [self._end(each) for each in (relation.subject, relation.object)]
            found = _stated(relation, backing, ends[0], ends[1])
            if found is not None:
                self._backing[found.id] = backing
                yield found

    def _end(self, name: EntityName) -> str | None:
        """The id of the element at one end of a relation."""
        if name.id.startswith(_LINK):
            return name.name
        found = self._by_key(name.id)
        return None if found is None else found[0].id

    # --- read whole -------------------------------------------------------------------------------------------------

    def _everything(self) -> NexusDraft:
        if self._whole is None:
            entities, relations = self._graph.everything()
            current = [each for each in relations if each.current]
            wanted = {each for entity in entities for each in entity.note_ids}
            wanted |= {each for relation in current for each in relation.evidence}
            notes = self._graph.versions(wanted)
            whole = NexusDraft()
            for entity in entities:
                if not entity.id.startswith(_LINK):
                    about = [notes[each] for each in sorted(entity.note_ids, reverse=True) if each in notes]
                    whole.keep(self._keep(entity.id, entity, about))
            for each in self._propositions(current):
                whole.keep(each)
            self._whole = whole
        return self._whole

    def _types(self) -> list[str]:
        """Every type that some concept has."""
        if self._given is None:
            keys = self._index.keys(self._space, roles=(Role.OBJECT,), attributes=(TYPE,), limit=_MOST_TYPES)
            notes = (note for key in keys for note in self._giving(key))
            self._given = list(dict.fromkeys([*META_TYPES, *known_types(), *(str(note.value) for note in notes)]))
        return self._given

    def _undefined(self, kind: str) -> Iterator[Concept]:
        """Definitions of what is in use, or could be, for which there is none."""
        if kind == CONCEPT_TYPE:
            used = [each for each in self._types() if each not in META_TYPES]
        else:
            used = [*known_predicates(), *(each.predicate for each in self._everything().propositions())]
        for name in dict.fromkeys(used):
            if self._written(kind, name) is None and genesis().element(concept_id(kind, name)) is None:
                yield definition(kind, name)


def _stated(
    relation: EntityRelation, backing: Sequence[Note], subject: str | None, object: str | None
) -> Proposition | None:
    """The proposition of a relation; `None` if its notes only give an attribute, or an end of it is gone."""
    if subject is None or object is None or not backing:
        return None
    if all("key" in kept(each) and attribute_key(each) for each in backing):
        return None
    first = next((each for each in backing if "link" in kept(each)), backing[0])
    return proposition_of(relation, first, subject, object)
