"""Ports: the index by which notes that name an entity are found, and the graph that is read from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from recollect.domain.graph.entity import Entity, EntityRelation
    from recollect.domain.graph.mentions import NamedPair, Role, TypeVotes
    from recollect.domain.notes import Note
    from recollect.domain.selections import Page, Selection


class EntityIndex(Protocol):
    """Which notes name which entities: derived from every version of every note, and written with it.

    A key of an earlier version counts, so a caller looks whether the version it got still names the entity.
    """

    def naming(
        self,
        space: str,
        key: str,
        *,
        roles: Collection[Role] = (),
        attributes: Collection[str] = (),
        selection: Selection | None = None,
        before: str | None = None,
        limit: int,
    ) -> Sequence[Note]:
        """Notes of a selection that name an entity, newest id first; of all notes without one."""
        ...

    def naming_any(
        self,
        space: str,
        keys: Collection[str],
        *,
        roles: Collection[Role] = (),
        attributes: Collection[str] = (),
        selection: Selection | None = None,
        limit: int,
    ) -> Mapping[str, Sequence[Note]]:
        """The same for each of some keys, read together; a key that no note names is left out."""
        ...

    def beside(self, space: str, keys: Collection[str], *, selection: Selection, limit: int) -> Sequence[NamedPair]:
        """The parts of some keys in notes, each with each part of another key there, but tags and types.

        No note is read: a part may be one of an earlier version. Where very many notes name the keys, only the newest
        of a selection are looked at, so many for each key; else those too that are not of the selection.
        """
        ...

    def selected(self, space: str, note_ids: Collection[str], *, selection: Selection) -> frozenset[str]:
        """Those of some notes that a selection takes."""
        ...

    def keys(
        self,
        space: str,
        *,
        roles: Collection[Role] = (),
        attributes: Collection[str] = (),
        beginning: str = "",
        after: str = "",
        limit: int,
    ) -> Sequence[str]:
        """Keys that some note names in such a part, by their code points, from the one after `after` on."""
        ...

    def known(
        self, space: str, keys: Collection[str], *, roles: Collection[Role] = (), attributes: Collection[str] = ()
    ) -> frozenset[str]:
        """Those of the keys that some note names in such a part."""
        ...

    def settled(self, space: str, votes: TypeVotes, *, selection: Selection, limit: int) -> frozenset[str]:
        """Keys that are those of entities of a type, whatever else is in their notes.

        Every part in which notes name such a key speaks for the type or for none, and the newest note with one that
        does is one of a selection, was never changed and denies nothing. Keys that more than `limit` parts name are
        left out, and so are those that are spelled as users, projects, relations and links are.
        """
        ...

    def related_to(self, space: str, note_ids: Collection[str]) -> Sequence[tuple[str, str]]:
        """The links by `relate` that begin or end at some notes: from which note to which."""
        ...

    def related_naming(self, space: str, keys: Collection[str], *, limit: int) -> Sequence[tuple[str, str]]:
        """The same of all notes that name some keys or named them: the newest of these, so many for each key."""
        ...


class Graph(Protocol):
    """The graph of one space at one moment. It is read from notes anew at each call, and nothing of it is kept.

    To write, write notes: `save(subject=…, attribute=…, value=…)` for a value or a relation, with the tag `relation`
    if the value is an entity whatever the attribute; attribute `type` with the tag `entity` for a type; `relate` for a
    link between two notes. A relation is ended by `supersede`, taken back by `retract` and erased by `forget` of its
    evidence.
    """

    def entity(self, name: str) -> Entity | None:
        """The entity of a name, an alias or an id; `None` if no note names it."""
        ...

    def entities(
        self, *, type: str | None = None, name: str | None = None, after: str = "", limit: int = 50
    ) -> Page[Entity]:
        """Entities by id. `name` is the beginning of a name. `next_cursor` is the id to go on after."""
        ...

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
        """Relations by their ends and predicate, newest note first; with `past` also those that no longer hold.

        A relation is on the page of its newest note, with the evidence that page has of it. `next_cursor` is the note
        id to go on before.
        """
        ...
