"""Pure: notes become entities and relations.

A note about a subject says something of an entity. Its value is an entity too if the record of the attribute says so,
if the note is tagged `relation`, or if other notes are about it; otherwise it is an attribute. Projects, tags and files
of a note hang on whom it is about. A denial relates nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from recollect.attributes.catalogue import attribute_named, flagged
from recollect.attributes.records import About, Flag
from recollect.domain.dataclass import dataclass
from recollect.domain.graph.entity import Entity, EntityName, EntityRelation, EntityType
from recollect.domain.graph.mentions import (
    ALIAS,
    SAME_AS,
    TYPE,
    Mention,
    Role,
    entity_key,
    mentions_of,
    subject_key,
    subject_of,
    value_of,
)
from recollect.domain.notes import ONCE_TRUE, Note
from recollect.domain.readings import PROJECT, USER, is_denied

IDENTITY = frozenset({ALIAS, SAME_AS})
PART_OF, TAGGED, CONCERNS, RELATED = "part_of", "tagged", "concerns", "related"
_VALUES = (Role.OBJECT, Role.TARGET)
_HANGING = {Role.PROJECT: PART_OF, Role.TAG: TAGGED, Role.FILE: CONCERNS}
_BY_ROLE = {Role.PROJECT: EntityType.PROJECT, Role.TAG: EntityType.TAG, Role.FILE: EntityType.FILE}
_ALWAYS = datetime.min.replace(tzinfo=UTC)
_NEVER_ENDS = datetime.max.replace(tzinfo=UTC)


class Triple(NamedTuple):
    """A note says that one entity stands to another in some way."""

    subject: Mention
    predicate: str
    object: Mention
    note: Note


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Facts beyond the notes at hand: which keys notes are about, which keys mean the same, which types were given."""

    subjects: frozenset[str] = frozenset()
    roots: Mapping[str, str] | None = None
    types: Mapping[str, str] | None = None

    def root(self, key: str) -> str:
        return (self.roots or {}).get(key, key)

    def type(self, key: str) -> str:
        return (self.types or {}).get(self.root(key), "")


def is_told(note: Note, now: datetime) -> bool:
    """Whether a note takes part in the graph at all: it was true once, and is still to be shown."""
    return note.state in ONCE_TRUE and not note.is_due(now)


def names_entity(mention: Mention, note: Note, knowledge: Knowledge) -> bool:
    """Whether a note names an entity there, and not only a value."""
    if mention.role not in _VALUES:
        return True
    attribute = mention.attribute
    if is_denied(note) or attribute == TYPE or attribute in IDENTITY or flagged(attribute, Flag.PROPER_NAME):
        return False
    record = attribute_named(attribute)
    if mention.role is Role.TARGET or record is None:
        return mention.role is Role.TARGET or mention.key in knowledge.subjects
    return bool(record.entity_type)


def triples_of(note: Note, knowledge: Knowledge, named: Sequence[Mention] | None = None) -> Iterator[Triple]:
    """The relations that a note states, in the order in which it names their ends; `named` are its mentions."""
    if is_denied(note):
        return
    named = mentions_of(note) if named is None else named
    subject = next((each for each in named if each.role is Role.SUBJECT), None)
    holder = subject or next((each for each in named if each.role is Role.PROJECT), None)
    if holder is None:
        return
    for each in named:
        if each.role in _VALUES and subject is not None:
            if names_entity(each, note, knowledge) and each.key != subject.key:
                yield Triple(subject, each.attribute, each, note)
        elif each.role in _HANGING and knowledge.root(each.key) != knowledge.root(holder.key):
            yield Triple(holder, _HANGING[each.role], each, note)


def linked(one: Note, other: Note) -> Triple | None:
    """The relation between whom two related notes are about; `None` if they are about the same or about nobody."""
    subject, object = subject_of(one), subject_of(other)
    if subject is None or object is None or subject.key == object.key:
        return None
    return Triple(subject, RELATED, object, one)


def relations_of(triples: Iterable[Triple], moment: datetime, knowledge: Knowledge) -> list[EntityRelation]:
    """The relations that triples come to, those that hold first and the newest of them first.

    Several notes that say the same at times that meet are one relation; after a gap it is another one.
    """
    said: dict[tuple[str, str, str], list[Triple]] = defaultdict(list)
    for triple in triples:
        ends = knowledge.root(triple.subject.key), triple.predicate, knowledge.root(triple.object.key)
        if ends[0] != ends[2]:
            said[ends].append(triple)
    found = [_relation(stretch, moment, knowledge) for backing in said.values() for stretch in _stretches(backing)]
    return sorted(found, key=lambda each: (each.current, each.valid_from or _ALWAYS, each.evidence[-1]), reverse=True)


def entity_of(key: str, notes: Sequence[Note], moment: datetime, knowledge: Knowledge) -> Entity | None:
    """The entity that notes are about or name, newest note first; `None` if none of them does."""
    named = [
        (each, note)
        for note in notes
        for each in mentions_of(note)
        if knowledge.root(each.key) == knowledge.root(key) and names_entity(each, note, knowledge)
    ]
    if not named:
        return None
    root = knowledge.root(key)
    name, *others = _names(root, [*_called(root, notes, moment), *(mention.name for mention, _ in named)])
    seen = [(note.recorded_at, note.last_seen_at or note.updated_at) for _, note in named]
    return Entity(
        id=root,
        name=name,
        type=knowledge.type(root) or _type(named, moment),
        aliases=tuple(others),
        attributes=_attributes(root, notes, moment, knowledge),
        first_seen=min(first for first, _ in seen),
        last_seen=max(last for _, last in seen),
        note_ids=tuple(dict.fromkeys(note.id for _, note in named)),
    )


def entities_among(notes: Sequence[Note], moment: datetime, knowledge: Knowledge) -> list[Entity]:
    """Every entity that some notes name, by id. The notes are the newest first."""
    by_key: dict[str, list[Note]] = {}
    for note in notes:
        named = (each.key for each in mentions_of(note) if names_entity(each, note, knowledge))
        for key in dict.fromkeys(map(knowledge.root, named)):
            by_key.setdefault(key, []).append(note)
    found = (entity_of(key, by_key[key], moment, knowledge) for key in sorted(by_key))
    return [each for each in found if each is not None]


def triples_among(notes: Sequence[Note], knowledge: Knowledge) -> Iterator[Triple]:
    """Every relation that some notes state, and those between whom related ones are about."""
    by_id = {note.id: note for note in notes}
    for note in notes:
        yield from triples_of(note, knowledge)
        links = (linked(note, by_id[other]) for other in note.related if other in by_id)
        yield from (link for link in links if link is not None)


def _relation(stretch: Sequence[Triple], moment: datetime, knowledge: Knowledge) -> EntityRelation:
    backing = sorted((triple.note for triple in stretch), key=lambda note: note.id)
    newest = max(stretch, key=lambda triple: triple.note.id)
    holding = [note for note in backing if note.holds_at(moment)]
    ends = [note.valid_until for note in backing]
    doubts = [note.review for note in holding or backing]
    return EntityRelation(
        id=backing[0].id,
        subject=_end(newest.subject, newest.note, knowledge),
        predicate=newest.predicate,
        object=_end(newest.object, newest.note, knowledge),
        evidence=tuple(dict.fromkeys(note.id for note in backing)),
        valid_from=min((note.valid_from for note in backing if note.valid_from), default=None),
        valid_to=None if None in ends else max(end for end in ends if end is not None),
        current=bool(holding),
        review=doubts[-1] if all(doubts) else None,
    )


def _stretches(backing: Sequence[Triple]) -> Iterator[list[Triple]]:
    """The triples of one relation, together as long as their times meet."""
    stretch: list[Triple] = []
    end = _ALWAYS
    for triple in sorted(backing, key=lambda each: (each.note.valid_from or _ALWAYS, each.note.id)):
        begins, ends = triple.note.valid_from or _ALWAYS, triple.note.valid_until or _NEVER_ENDS
        if stretch and begins > end:
            yield stretch
            stretch = []
        stretch.append(triple)
        end = max(end, ends) if len(stretch) > 1 else ends
    if stretch:
        yield stretch


def _end(mention: Mention, note: Note, knowledge: Knowledge) -> EntityName:
    return EntityName(
        knowledge.root(mention.key), mention.name, knowledge.type(mention.key) or _type([(mention, note)], None)
    )


def _type(named: Iterable[tuple[Mention, Note]], moment: datetime | None) -> str:
    """The type that most of what is said of an entity speaks for. One that was given outright counts alone."""
    votes: Counter[str] = Counter()
    for mention, note in named:
        record = attribute_named(mention.attribute)
        if mention.role is Role.SUBJECT:
            if mention.attribute == TYPE and note.value and (moment is None or note.holds_at(moment)):
                return note.value
            kind = (note.subject or "").partition(":")[0]
            if kind in (USER, "person", "relation"):
                votes[EntityType.PERSON] += 2
            elif kind == PROJECT:
                votes[EntityType.PROJECT] += 2
            elif record is not None and record.about is About.PERSON:
                votes[EntityType.PERSON] += 1
        elif mention.role in _VALUES and record is not None and record.entity_type:
            votes[record.entity_type] += 1
        elif mention.role in _BY_ROLE:
            votes[_BY_ROLE[mention.role]] += 1
    return str(min(votes, key=lambda each: (each == EntityType.TAG, -votes[each], each), default=EntityType.THING))


def _called(root: str, notes: Sequence[Note], moment: datetime) -> Iterator[str]:
    """The names that notes give an entity: how somebody is called, and by which other names."""
    for note in notes:
        attribute = note.attribute or ""
        if not note.value or (attribute not in IDENTITY and not flagged(attribute, Flag.PROPER_NAME)):
            continue
        subject = subject_of(note)
        if subject is None or not note.holds_at(moment) or is_denied(note):
            continue
        if attribute in IDENTITY or subject.key == root:
            yield note.value


def _attributes(
    root: str, notes: Sequence[Note], moment: datetime, knowledge: Knowledge
) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for note in notes:
        if not note.attribute or not note.value or knowledge.root(subject_key(note)) != root:
            continue
        if note.attribute in (TYPE, *IDENTITY) or not note.holds_at(moment) or is_denied(note):
            continue
        value = value_of(note)
        if value is None or not names_entity(value, note, knowledge):
            found.setdefault(note.attribute, {})[note.value] = None
    return {attribute: tuple(values) for attribute, values in found.items()}


def _names(root: str, called: Iterable[str]) -> list[str]:
    """The names of an entity, one spelling of each and the best first: its own, but a real name before `user`."""
    spelled: dict[str, str] = {}
    for name in sorted(called, key=lambda name: (name == name.lower(), name)):
        spelled.setdefault(entity_key(name), name)
    own = root.partition(":")[0] in (USER, PROJECT)
    return [spelled[key] for key in sorted(spelled, key=lambda key: ((key == root) is own, key))]


def given_types(notes: Iterable[Note], moment: datetime, root: Callable[[str], str]) -> dict[str, str]:
    """The types that notes give entities outright, by the root of their keys; the newest of several holds."""
    found: dict[str, str] = {}
    for note in sorted(notes, key=lambda note: note.id):
        subject = subject_of(note)
        if note.attribute == TYPE and note.value and subject is not None and note.holds_at(moment):
            found[root(subject.key)] = note.value
    return found


def roots_among(notes: Iterable[Note], moment: datetime) -> dict[str, str]:
    """The key that each of some merged keys is known by: one that nobody says is another's name, or else the first."""
    groups: dict[str, set[str]] = {}
    borrowed: set[str] = set()
    for note in notes:
        if note.attribute not in IDENTITY or not note.holds_at(moment) or is_denied(note):
            continue
        subject, value = subject_of(note), value_of(note)
        if subject is None or value is None or subject.key == value.key:
            continue
        one, other = subject.key, value.key
        borrowed.add(other)
        together = groups.get(one, {one}) | groups.get(other, {other})
        groups.update(dict.fromkeys(together, together))
    return {key: min(together - borrowed or together) for key, together in groups.items()}


def newest_first(notes: Iterable[Note]) -> list[Note]:
    """Notes by their ids, each once."""
    each_once = {note.id: note for note in notes}
    return [each_once[note_id] for note_id in sorted(each_once, reverse=True)]


def only_calls(mention: Mention, note: Note) -> bool:
    """Whether a note names somebody there only by saying how they are called."""
    return mention.role in (Role.OBJECT, Role.TARGET) and flagged(note.attribute, Flag.PROPER_NAME)
