"""Ports: the index by which notes that name an entity are found, and the graph that is read from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from recollect.domain.graph.mentions import NamedPair, Role, TypeVotes
    from recollect.domain.notes import Note
    from recollect.domain.selections import Selection


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
