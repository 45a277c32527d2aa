"""The graph of a space at a moment, read from its notes by way of the index of entities.

Each read takes the newest notes that name an entity, up to a bound, so that its time does not grow with the space. What
was read is kept as long as this value is: a walk comes by the same entities again and again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice

from recollect.attributes.catalogue import attribute_named
from recollect.domain.dataclass import replace
from recollect.domain.graph.entity import Entity, EntityName, EntityRelation
from recollect.domain.graph.graph_ports import EntityIndex
from recollect.domain.graph.mentions import (
    TYPE,
    Mention,
    Role,
    entity_key,
    mentions_of,
    subject_of,
    user_key,
    without_possessive,
)
from recollect.domain.notes import ONCE_TRUE, Note
from recollect.domain.ports import Store
from recollect.domain.selections import Page, Selection
from recollect.graph.candidate_keys import ranges_of, votes_of
from recollect.graph.derivation import (
    IDENTITY,
    TAGGED,
    Knowledge,
    Triple,
    entities_among,
    entity_of,
    given_types,
    is_told,
    linked,
    newest_first,
    only_calls,
    relations_of,
    roots_among,
    triples_among,
    triples_of,
)
from recollect.graph.index_steps import Leads, leads

MOST_NOTES = 500  # the newest that name one entity; of somebody all notes are about, the rest is left out
MOST_NAMES = 50  # of one entity
_A_FEW = 20  # notes that give an entity another name, or a type
_FEW = 200  # keys with another name; where there are more, each is asked about when it comes up
_PAGE = 1000  # notes


class MemoryGraph:
    """The graph of one space, read from its notes anew at each call. To write, write notes.

    `as_of` asks what was true then, `known_at` what was known then.
    """

    def __init__(
        self,
        store: Store,
        index: EntityIndex,
        space: str,
        *,
        now: datetime,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> None:
        self._store, self._index, self._space = store, index, space
        self._now, self._known_at = now, known_at
        self.told = Selection(states=ONCE_TRUE, known_at=known_at, kept_at=now)
        self.moment = as_of or known_at or now
        self._about: dict[str, Sequence[Note]] = {}
        self._read: dict[str, Note] = {}
        self._groups: dict[str, frozenset[str]] = {}
        self._roots: dict[str, str] = {}
        self._renamed: frozenset[str] | None = None  # keys that notes give another name, as far as they are few
        self._subjects: dict[str, bool] = {}  # whether notes are about a key
        self._typing: dict[str, Sequence[Note]] = {}  # notes that give a key its type
        self._named: dict[str, tuple[Mention, ...]] = {}  # by the notes that name them
        self._links: dict[str, list[tuple[str, str]]] = {}  # by the notes at which they begin or end

    def entity(self, name: str) -> Entity | None:
        """The entity of a name, an alias or an id; `None` if no note names it."""
        key = self.key_of(name)
        if key is None:
            return None
        notes = self.notes_about(key)
        found = entity_of(key, notes, self.moment, self._knowledge(notes))
        return found and replace(found, partial=len(notes) >= MOST_NOTES)

    def entities(
        self, *, type: str | None = None, name: str | None = None, after: str = "", limit: int = 50
    ) -> Page[Entity]:
        beginning, found = entity_key(name or ""), list[Entity]()
        while True:
            keys = self._keys(type, beginning, after, limit + 1)
            for key in keys[:limit]:
                after = key
                if self._root(key) != key:
                    continue  # told under the name it was merged into
                each = self.entity(key)
                if each is not None and each.id == key and (type is None or each.type == type):
                    found.append(each)
                if len(found) == limit:
                    return Page(tuple(found), after)
            if len(keys) <= limit:
                return Page(tuple(found))

    def keys_of_type(self, type: str, *, after: str = "", limit: int) -> Sequence[str]:
        """Ids that may be those of entities of a type, in their order; a read grows with these, not with the space."""
        return self._keys(type, "", after, limit)

    def settled(self, type: str) -> frozenset[str]:
        """Ids of entities of a type by the index alone; of those that are left out only the notes tell."""
        votes = votes_of(type) if self._known_at is None else None
        return self._index.settled(self._space, votes, selection=self.told, limit=MOST_NOTES) if votes else frozenset()

    def likely_beside(self, keys: Iterable[str], *, past: bool = False) -> dict[str, dict[str, list[str]]]:
        """For each of some ids those that relations lead to, with the notes that may state them, by the index alone.

        Perhaps they do not count, or do not state it: `counting` and `stated` look. No note is read but related ones.
        """
        wanted = list(dict.fromkeys(keys))
        self._learn_groups(wanted)
        names = {each: key for key in wanted for each in self._groups[key]}
        found = self._index.beside(self._space, names, selection=self._counting(past), limit=MOST_NOTES)
        ends, perhaps = list[tuple[str, str, str]](), list[tuple[str, str, str]]()
        for key, role, attribute, other, part, told, note_id in found:
            lead = leads(role, attribute, part, told)
            if lead is not Leads.NO:
                (ends if lead is Leads.YES else perhaps).append((key, other, note_id))
        open_ = {other for _, other, _ in perhaps}
        subjects = self._index.known(self._space, open_, roles={Role.SUBJECT}) if open_ else frozenset[str]()
        ends += (each for each in perhaps if each[1] in subjects)
        # A link holds as long as the note where it begins: the other one may be over.
        ends += self._related_ends(names)
        self._learn_groups(self._otherwise_called({other for _, other, _ in ends} - self._groups.keys()))
        beside: dict[str, dict[str, list[str]]] = {key: {} for key in wanted}
        for one, other, note_id in ends:
            key, root = names[one], self._roots.get(other, other)
            if root != self._roots.get(one, one):
                beside[key].setdefault(root, []).append(note_id)
        return beside

    def counting(self, note_ids: Collection[str], *, past: bool = False) -> frozenset[str]:
        """Those of some notes that hold at the moment; with `past` all that are told."""
        return self._index.selected(self._space, note_ids, selection=self._counting(past))

    def read(self, note_ids: Collection[str]) -> None:
        """Read some notes and their links together, so that each by itself costs nothing any more."""
        self.versions(note_ids)
        self._learn_links(note_ids)

    def _counting(self, past: bool) -> Selection:
        """The notes that hold at the moment; with `past` all that are told."""
        return self.told if past else replace(self.told, valid_at=self.moment)

    def _related_ends(self, names: Collection[str]) -> Iterator[tuple[str, str, str]]:
        """The ends of links between notes, the first of them among some keys, and the note where the link begins."""
        pairs = self._index.related_naming(self._space, names, limit=MOST_NOTES)
        notes = self.versions(each for pair in pairs for each in pair) if pairs else {}
        for pair in pairs:
            both = [subject.key for each in pair if each in notes and (subject := subject_of(notes[each]))]
            if len(both) == 2 and is_told(notes[pair[0]], self._now):
                yield from ((one, other, pair[0]) for one, other in (both, both[::-1]) if one in names)

    def stated(self, key: str, other: str, note_ids: Iterable[str], *, past: bool = False) -> list[Triple]:
        """The statements of some notes that lead from one entity to another; none if none of them counts."""
        notes = [note for note in self.versions(note_ids).values() if is_told(note, self._now)]
        triples, knowledge = self._triples(notes, typed=False)
        ends = {self._root(key), self._root(other)}
        found = [
            each
            for each in triples
            if {knowledge.root(each.subject.key), knowledge.root(each.object.key)} == ends and each.predicate != TAGGED
        ]
        return found if any(self._counts(each, past) for each in found) else []

    def some(self, keys: Iterable[str]) -> list[Entity]:
        """Entities by their ids, read together. Left out are keys of none, and those that were merged into another."""
        wanted = list(dict.fromkeys(keys))
        self._read_about(wanted)
        about = {key: self.notes_about(key) for key in wanted if self._root(key) == key}
        knowledge = self._knowledge([note for notes in about.values() for note in notes])
        found = ((notes, entity_of(key, notes, self.moment, knowledge)) for key, notes in about.items())
        return [replace(each, partial=len(notes) >= MOST_NOTES) for notes, each in found if each is not None]

    def stating(self, predicate: str) -> list[EntityRelation]:
        """Every relation of a predicate that holds, read from the notes that have it as their attribute."""
        notes: list[Note] = []
        before: str | None = None
        while page := self._store.notes(
            self._space, replace(self.told, attribute=predicate), before=before, limit=_PAGE
        ):
            notes += page
            before = page[-1].id
        self._read.update((note.id, note) for note in notes)
        return [each for each in self._relations(notes) if each.current and each.predicate == predicate]

    def relations(
        self,
        *,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        past: bool = False,
        before: str | None = None,
        limit: int = 50,
    ) -> Page[EntityRelation]:
        """Relations on the pages of their newest notes; `next_cursor` is the note id to go on before."""
        ends = [None if each is None else self.key_of(each) for each in (subject, object)]
        if (subject is not None and ends[0] is None) or (object is not None and ends[1] is None):
            return Page(())
        notes, more = self._page(ends[0] or ends[1], predicate, before, limit)
        found = (
            each
            for each in self._relations(notes)
            if self._is_asked_for(each, past=past)
            and (predicate is None or each.predicate == predicate)
            and (ends[0] is None or each.subject.id == ends[0])
            and (ends[1] is None or each.object.id == ends[1])
        )
        return Page(tuple(found), more)

    def neighbours(self, key: str, *, past: bool = False) -> Sequence[EntityRelation]:
        """The relations of an entity by its id, on either end: those that hold first, newest first."""
        root = self._root(key)
        found = self._relations(self.notes_about(key))
        near = (each for each in found if root in (each.subject.id, each.object.id))
        return [each for each in near if self._is_asked_for(each, past=past)]

    def between(self, steps: Sequence[Sequence[Triple]], *, past: bool = False) -> list[EntityRelation]:
        """For each step from one entity to another the relation its statements come to: the newest that holds."""
        knowledge = self._knowledge([each.note for triples in steps for each in triples])
        found = [relations_of(triples, self.moment, knowledge) for triples in steps]
        asked = ((each for each in some if self._is_asked_for(each, past=past)) for some in found)
        return [next(those, some[0]) for those, some in zip(asked, found, strict=True)]

    def _counts(self, triple: Triple, past: bool) -> bool:
        """Whether a statement holds at the moment; with `past` also if it held before."""
        note = triple.note
        return note.holds_at(self.moment) or (past and (note.valid_from is None or note.valid_from <= self.moment))

    def notes_about(self, key: str) -> Sequence[Note]:
        """The newest notes that name an entity by its id, newest first; also those that no longer hold."""
        root = self._root(key)
        if root not in self._about:
            some = (note for each in sorted(self._group(root)) for note in self._naming(each, limit=MOST_NOTES))
            self._about[root] = newest_first(some)
        return self._about[root]

    def key_of(self, name: str) -> str | None:
        """The id of the entity that a name, an alias or an id means; `None` if no note names it, or several fit."""
        key = entity_key(name)
        for each in dict.fromkeys((key, user_key(name), entity_key(without_possessive(name)))) if key else ():
            if (named := self._named_by(each)) is not None:
                return self._root(named)
        longer = self._index.keys(self._space, beginning=f"{key} ", limit=2) if key else ()
        return self._root(longer[0]) if len(longer) == 1 and self.notes_about(longer[0]) else None

    def keys_like(self, key: str, *, limit: int) -> Sequence[str]:
        """Other keys that begin as a key does, for whoever compares them."""
        parts = {Role.SUBJECT, Role.OBJECT, Role.TARGET}
        found = self._index.keys(self._space, roles=parts, beginning=key.partition(" ")[0][:3], limit=limit)
        return [each for each in found if each != key]

    def versions(self, note_ids: Iterable[str]) -> Mapping[str, Note]:
        """Some notes by their ids, as they are, or were at the asked moment."""
        wanted = list(dict.fromkeys(note_ids))
        others = [each for each in wanted if each not in self._read]
        if self._known_at is None:
            self._read.update(self._store.current(self._space, others))
        else:
            found = (self._store.note(self._space, each, known_at=self._known_at) for each in others)
            self._read.update((note.id, note) for note in found if note is not None)
        return {each: self._read[each] for each in wanted if each in self._read}

    def is_told(self, note: Note) -> bool:
        return is_told(note, self._now)

    def everything(self) -> tuple[list[Entity], list[EntityRelation]]:
        """All entities by id and all relations, past ones too, in one pass over the notes of the space."""
        notes = [note for note in self._every_note() if is_told(note, self._now)]
        self._read.update((note.id, note) for note in notes)
        roots = roots_among(notes, self.moment)
        subjects = frozenset(subject.key for note in notes if (subject := subject_of(note)))
        knowledge = Knowledge(subjects, roots, given_types(notes, self.moment, lambda key: roots.get(key, key)))
        return entities_among(notes, self.moment, knowledge), relations_of(
            triples_among(notes, knowledge), self.moment, knowledge
        )

    def _is_asked_for(self, relation: EntityRelation, *, past: bool) -> bool:
        """Whether a relation holds at the moment; with `past` also if it held before, not if it is to come."""
        begun = relation.valid_from is None or relation.valid_from <= self.moment
        return relation.current or (past and begun)

    def _relations(self, notes: Sequence[Note]) -> list[EntityRelation]:
        triples, knowledge = self._triples(notes)
        return relations_of(triples, self.moment, knowledge)

    def _triples(self, notes: Sequence[Note], *, typed: bool = True) -> tuple[list[Triple], Knowledge]:
        """The relations that notes state one by one, and what is known of their ends."""
        pairs = self._related(notes)
        knowledge = self._knowledge([*notes, *(each for pair in pairs for each in pair)], typed=typed)
        triples = [triple for note in notes for triple in triples_of(note, knowledge, self._mentions(note))]
        triples += (link for pair in pairs if (link := linked(*pair)) is not None)
        return triples, knowledge

    def _mentions(self, note: Note) -> tuple[Mention, ...]:
        """The entities that a note names, found out once: a walk looks at a note from each of its ends."""
        known = self._named.get(note.id)
        if known is None:
            known = self._named[note.id] = mentions_of(note)
        return known

    def _every_note(self) -> Iterator[Note]:
        before, selection = None, Selection(known_at=self._known_at)
        while page := self._store.notes(self._space, selection, before=before, limit=_PAGE):
            yield from page
            before = page[-1].id

    def _named_by(self, key: str) -> str | None:
        """The key under which notes speak of a key: its own, or whoever is called so if nothing else is."""
        notes = self.notes_about(key)
        if not notes:
            return None
        group = self._group(key)
        named = ((each, note) for note in notes for each in self._mentions(note) if each.key in group)
        if not all(only_calls(each, note) for each, note in named):
            return key
        called = (subject.key for note in notes if note.holds_at(self.moment) and (subject := subject_of(note)))
        return next(called, None)

    def _naming(
        self,
        key: str,
        *,
        limit: int,
        attributes: Collection[str] = (),
    ) -> Iterator[Note]:
        """Notes that name a key in the version that counts, and are to be shown."""
        found = self._index.naming(self._space, key, attributes=attributes, selection=self.told, limit=limit)
        for note in found:
            self._read[note.id] = note
            if any(each.key == key for each in self._mentions(note)):
                yield note

    def _every_naming(self, key: str, at_once: int, before: str | None) -> Iterator[Note]:
        """Notes that name a key, newest first, a page at a time. A page may have many that named it only once."""
        while True:
            read = self._index.naming(self._space, key, selection=self.told, before=before, limit=at_once)
            self._read.update((note.id, note) for note in read)
            yield from (note for note in read if any(each.key == key for each in self._mentions(note)))
            if len(read) < at_once:
                return
            before = read[-1].id

    def _root(self, key: str) -> str:
        self._group(key)
        return self._roots.get(key, key)

    def _group(self, key: str) -> frozenset[str]:
        """All keys that mean the same as one, looked for along the notes that say so."""
        if key in self._groups:
            return self._groups[key]
        saying: list[Note] = []
        seen, new = {key}, {key}
        while new and len(seen) <= MOST_NAMES:
            given = sorted(self._otherwise_called(new))
            notes = [note for each in given for note in self._naming(each, limit=_A_FEW, attributes=IDENTITY)]
            new = {each.key for note in notes for each in self._mentions(note) if each.attribute in IDENTITY} - seen
            saying, seen = [*saying, *notes], seen | new
        roots = roots_among(saying, self.moment)
        group = frozenset(each for each in roots if roots[each] == roots.get(key)) or frozenset({key})
        self._roots.update({each: roots.get(each, each) for each in group})
        self._groups.update(dict.fromkeys(group, group))
        return group

    def _read_about(self, keys: Sequence[str]) -> None:
        """Read the notes about some keys together, so that each by itself costs nothing any more."""
        self._learn_groups(keys)
        alone = [key for key in keys if self._groups[key] == {key} and key not in self._about]
        found = self._index.naming_any(self._space, alone, selection=self.told, limit=MOST_NOTES)
        for key in alone:
            notes = found.get(key, ())
            self._read.update((note.id, note) for note in notes)
            self._about[key] = [note for note in notes if any(each.key == key for each in self._mentions(note))]

    def _learn_groups(self, keys: Iterable[str]) -> None:
        """Find out which keys have other names; the most have none."""
        others = {key for key in keys if key not in self._groups}
        given = self._otherwise_called(others) if others else frozenset()
        self._groups.update({key: frozenset({key}) for key in others - given})
        for key in sorted(given):
            self._group(key)

    def _otherwise_called(self, keys: Collection[str]) -> frozenset[str]:
        """Those of some keys of which a note gives another name; in most spaces few have one, and all are read once."""
        if self._renamed is None:
            parts = {Role.SUBJECT, Role.OBJECT, Role.TARGET}
            self._renamed = frozenset(self._index.keys(self._space, roles=parts, attributes=IDENTITY, limit=_FEW))
        few = len(self._renamed) < _FEW
        return self._renamed.intersection(keys) if few else self._index.known(self._space, keys, attributes=IDENTITY)

    def _knowledge(self, notes: Sequence[Note], *, typed: bool = True) -> Knowledge:
        """Facts about the entities that some notes name, in a few reads for all of them; types only if `typed`."""
        named = {each for note in notes for each in self._mentions(note)}
        keys = {each.key for each in named}
        self._learn_groups(keys)
        open_ = {each.key for each in named if each.role is Role.OBJECT and attribute_named(each.attribute) is None}
        self._learn_subjects(open_)
        known_by = {each for key in keys for each in self._groups[key]}
        roots = {key: self._root(key) for key in known_by if len(self._group(key)) > 1}
        subjects = frozenset(key for key in open_ if self._subjects[key])
        if not typed:
            return Knowledge(subjects, roots)
        self._learn_types(known_by)
        types = [note for key in sorted(known_by) for note in self._typing[key]]
        return Knowledge(subjects, roots, given_types(types, self.moment, lambda key: roots.get(key, key)))

    def _learn_subjects(self, keys: Iterable[str]) -> None:
        """Find out of which keys a note that is to be shown is about."""
        others = {key for key in keys if key not in self._subjects}
        told = self._named_in(others, Role.SUBJECT) if others else {}
        for key in others:
            about = (subject_of(note) for note in told.get(key, ()))
            self._subjects[key] = any(each is not None and each.key == key for each in about)

    def _learn_types(self, keys: Iterable[str]) -> None:
        """Read the notes that give some keys their types."""
        others = {key for key in keys if key not in self._typing}
        told = self._named_in(others, Role.SUBJECT, TYPE) if others else {}
        self._typing.update({key: told.get(key, ()) for key in others})

    def _named_in(self, keys: Collection[str], role: Role, *attributes: str) -> Mapping[str, Sequence[Note]]:
        """A few notes for each of some keys that have a part there."""
        known = self._index.known(self._space, keys, roles={role}, attributes=attributes)
        if not known:
            return {}
        return self._index.naming_any(
            self._space, known, roles={role}, attributes=attributes, selection=self.told, limit=_A_FEW
        )

    def _related(self, notes: Sequence[Note]) -> list[tuple[Note, Note]]:
        """The pairs of notes that are related, of which one is among some notes."""
        by_id = {note.id: note for note in notes}
        self._learn_links(by_id)
        pairs = sorted({pair for each in by_id for pair in self._links[each]})
        others = [each for pair in pairs for each in pair if each not in by_id]
        by_id |= {note.id: note for note in self.versions(others).values() if is_told(note, self._now)}
        known = [(by_id[one], by_id[other]) for one, other in pairs if one in by_id and other in by_id]
        return [(one, other) for one, other in known if other.id in one.related]

    def _learn_links(self, note_ids: Iterable[str]) -> None:
        others = [each for each in note_ids if each not in self._links]
        self._links.update({each: [] for each in others})
        for pair in self._index.related_to(self._space, others) if others else ():
            for each in dict.fromkeys(pair):
                if each in self._links:
                    self._links[each].append(pair)

    def _page(
        self, end: str | None, predicate: str | None, before: str | None, limit: int
    ) -> tuple[list[Note], str | None]:
        """One page of the notes that may state such relations, and the id to go on before."""
        if end is None:
            selection = Selection(attribute=predicate, known_at=self._known_at)
            found = self._store.notes(self._space, selection, before=before, limit=limit + 1)
        elif before is None and len(known := self._about.get(end, ())) < min(limit, MOST_NOTES) and end in self._about:
            found = known
        else:
            group = sorted(self._group(end))
            some = (islice(self._every_naming(key, limit + 1, before), limit + 1) for key in group)
            found = newest_first(note for notes in some for note in notes)
        more = found[limit - 1].id if len(found) > limit else None
        return [note for note in found[:limit] if is_told(note, self._now)], more

    def _keys(self, type: str | None, beginning: str, after: str, limit: int) -> Sequence[str]:
        """Keys that may be those of entities of a type, by what notes say of them; of any without one."""
        found: set[str] = set()
        for parts, attributes, begins in ranges_of(type):
            longer = max(beginning, begins, key=len)
            if longer.startswith(beginning) and longer.startswith(begins):
                found.update(
                    self._index.keys(
                        self._space, roles=parts, attributes=attributes, beginning=longer, after=after, limit=limit
                    )
                )
        return sorted(found)[:limit]


def name_of(relation: EntityRelation, key: str) -> EntityName:
    """The other end of a relation of an entity."""
    return relation.object if relation.subject.id == key else relation.subject
