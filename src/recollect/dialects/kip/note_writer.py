"""Edits of a nexus become versions of notes: pure, given the notes there are.

A new value of an attribute is the next version of its note. An element that is deleted is taken back as by `retract`:
its notes stay in the history, and `forget` erases them. Notes that tell of a merged concept in other words go over to
the one it was merged into.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from recollect.dialects.kip.errors import CONSTRAINT, DUPLICATE, IMMUTABLE, MISSING, KipError
from recollect.dialects.kip.genesis import genesis
from recollect.dialects.kip.nexus import Concept, NexusEdit, Proposition
from recollect.dialects.kip.note_elements import (
    META_TYPES,
    ConceptNotes,
    attribute_fields,
    head_fields,
    kept,
    link_fields,
    link_note,
)
from recollect.dialects.kip.vocabulary import HANGING
from recollect.domain.dataclass import replace
from recollect.domain.graph.entity import EntityType
from recollect.domain.graph.mentions import MAX_KEY, entity_key
from recollect.domain.notes import State
from recollect.domain.trust.authority_table import require_rank
from recollect.remember import decisions
from recollect.remember.fields import checked_fields

if TYPE_CHECKING:
    from recollect.dialects.kip.note_nexus import NoteNexus
    from recollect.domain.changes import WriteNote
    from recollect.domain.notes import Note
    from recollect.remember.decisions import Occasion

_ADOPTED = (EntityType.THING, EntityType.TAG)  # types that say nothing: such an entity takes any other
_REASON = "deleted by KIP"


class NoteWriter:
    """Makes the notes of one commit. `occasion` is called for each note, and gives a new one its id."""

    def __init__(self, nexus: NoteNexus, occasion: Callable[[], Occasion]) -> None:
        self._nexus, self._occasion = nexus, occasion
        self._subjects: dict[str, str] = {}  # of concepts of this commit, by their ids
        self._taken: dict[str, str] = {}  # ids of new concepts by their keys
        self._written: dict[str, WriteNote] = {}

    def notes(self, edits: Sequence[NexusEdit]) -> list[WriteNote]:
        """The versions to be written, all or nothing. Concepts come first, for links name them."""
        for edit in edits:
            if isinstance(edit.after, Concept):
                self._concept(edit.before if isinstance(edit.before, Concept) else None, edit.after)
        for edit in edits:
            if isinstance(edit.after, Proposition):
                self._link(edit.after)
            elif isinstance(edit.before, Proposition):
                self._unlink(edit.before)
        for edit in edits:
            if edit.after is None and isinstance(edit.before, Concept):
                self._remove(edit.before, _merged_into(edit.before, edits))
        return list(self._written.values())

    def _concept(self, before: Concept | None, after: Concept) -> None:
        known = self._nexus.notes(after.id)
        subject = self._subjects[after.id] = known.subject if known is not None else self._new_subject(after)
        head = None if known is None else known.head
        for key, value in after.attributes.items():
            backing = () if known is None else known.attributes.get(key, ())
            if before is None or not backing or before.attributes.get(key) != value or key not in before.attributes:
                self._write(_own(backing) or next(iter(backing), None), attribute_fields(after, subject, key))
                self._retract(each for each in backing[1:] if each is not _own(backing))
        for key, backing in () if known is None else known.attributes.items():
            if before is not None and key in before.attributes and key not in after.attributes:
                self._retract(backing)
        self._write(head, head_fields(after, subject))

    def _new_subject(self, concept: Concept) -> str:
        """How notes name a concept: by its name, or with its type before it where the name means something else."""
        key = entity_key(concept.name)
        if not key or len(concept.name) > MAX_KEY - len(concept.type) - 1:
            raise KipError(CONSTRAINT, f"A name has a letter or digit, and at most {MAX_KEY} characters with its type.")
        for subject in (concept.name, f"{concept.type}:{concept.name}"):
            if subject == concept.name and concept.type in META_TYPES:
                continue
            known, key = self._nexus.known_as(subject), entity_key(subject)
            if known is not None and known.type == concept.type and known.name != concept.name:
                raise KipError(DUPLICATE, f"`{concept.name}` is known as `{known.name}` already.", hint=_SPELLED)
            is_free = known is None or known.type in _ADOPTED or (known.type, known.name) == _identity(concept)
            if is_free and self._taken.setdefault(key, concept.id) == concept.id:
                return subject
        raise KipError(DUPLICATE, f"`{concept.name}` differs from another name by its spelling only.", hint=_SPELLED)

    def _link(self, link: Proposition) -> None:
        ends = [self._spelled(each) for each in (link.subject, link.object)]
        fields = link_fields(link, *ends)
        fields["depends_on"] = tuple(filter(None, map(link_note, (link.subject, link.object))))
        backing = self._nexus.backing(link.id)
        if link.predicate in HANGING and backing and not any("link" in kept(each) for each in backing):
            raise KipError(IMMUTABLE, f"`{link.predicate}` follows from the project, tags and files of notes.")
        first = next((each for each in backing if "link" in kept(each)), next(iter(backing), None))
        self._write(first, fields, new_id=None if first is not None else link_note(link.id))
        self._retract(each for each in backing if each is not first and not _states(each, fields))

    def _unlink(self, link: Proposition) -> None:
        backing = self._nexus.backing(link.id)
        if link.predicate in HANGING and not any("link" in kept(each) for each in backing):
            raise KipError(IMMUTABLE, f"`{link.predicate}` follows from the project, tags and files of notes.")
        self._retract(backing)

    def _remove(self, concept: Concept, into: Concept | None) -> None:
        known = self._nexus.notes(concept.id) or ConceptNotes("")
        for note in known.about:
            if into is not None and not note.attribute:
                self._write(note, {"subject": self._subjects.get(into.id) or self._spelled(into.id)})
            else:
                self._retract([note])

    def _spelled(self, id: str) -> str:
        """An element as notes name it at an end."""
        if link_note(id):
            return id
        if id not in self._subjects:
            known = self._nexus.notes(id)
            if known is None:  # something that every graph has is written down when a note first names it
                self._concept(None, self._unwritten(id))
            else:
                self._subjects[id] = known.subject
        return self._subjects[id]

    def _unwritten(self, id: str) -> Concept:
        found = genesis().element(id) or self._nexus.element(id)
        if not isinstance(found, Concept):
            raise KipError(MISSING, f"There is no concept with the id `{id}`.")
        return found

    def _write(self, note: Note | None, fields: dict[str, Any], *, new_id: str | None = None) -> None:
        occasion = self._occasion()
        if note is None:
            if new_id:
                occasion = replace(occasion, new_id=new_id)
            [written] = decisions.save(occasion, checked_fields(fields, required=("text",)))
        else:
            note = self._written[note.id].note if note.id in self._written else note
            require_rank(occasion.caller, note.authority, "update", what=f"Note {note.id}")
            own = dict(fields)
            if "metadata" in own:
                own["metadata"] = {**note.metadata, **own["metadata"]}
            if "tags" in own:
                own["tags"] = tuple(dict.fromkeys((*note.tags, *own["tags"])))
            [written] = decisions.update(occasion, note, checked_fields(own))
            if note.id in self._written:
                written = replace(written, note=replace(written.note, version=note.version))
        self._written[written.note.id] = written

    def _retract(self, notes: Iterable[Note]) -> None:
        for note in notes:
            if note.id not in self._written and note.state in (State.ACTIVE, State.DISPUTED):
                occasion = self._occasion()
                require_rank(occasion.caller, note.authority, "retract", what=f"Note {note.id}")
                [self._written[note.id]] = decisions.retract(occasion, note, _REASON)


def _identity(concept: Concept) -> tuple[str, str]:
    return concept.type, concept.name


def _own(backing: Sequence[Note]) -> Note | None:
    """The note among some that KIP wrote."""
    return next((each for each in backing if "key" in kept(each)), None)


def _states(note: Note, fields: dict[str, Any]) -> bool:
    """Whether a note says the same of the same two."""
    return all(getattr(note, name) == fields[name] for name in ("subject", "attribute", "value"))


def _merged_into(source: Concept, edits: Sequence[NexusEdit]) -> Concept | None:
    """The concept that a removed one was merged into, if it was."""
    mark = f"{source.type}:{source.name}"
    for edit in edits:
        after, earlier = edit.after, () if edit.before is None else edit.before.metadata.get("_merged_from", ())
        if isinstance(after, Concept) and mark in after.metadata.get("_merged_from", ()) and mark not in earlier:
            return after
    return None


_SPELLED = "Here, names that differ in capitals, accents and hyphens only mean the same."
