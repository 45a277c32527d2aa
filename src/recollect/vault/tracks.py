"""Which note a page is, although the page does not say.

A page is known by where it is. One at a place we do not know is, in this order: the note whose mark it bears; a page
that is gone from where it was and has the same content or the same inode, so it was renamed; the note that memory, and
with it every other machine, has at that place; or a new note, whose id follows from the place. So machines that get a
page by other ways than ours call it the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from recollect.domain.notes import FILE_MATTERS, State
from recollect.domain.paging import current_notes
from recollect.vault.documents import Document
from recollect.vault.folder import Found, digest
from recollect.vault.opened import Vault
from recollect.vault.pages import derived_id, mark_of, place_name
from recollect.vault.place import Seen


class Tracks:
    """Pages and their notes, as a look at the folder finds them. `owners` has the file of each note that has one."""

    def __init__(self, vault: Vault, seen: Mapping[str, Seen], found: Found) -> None:
        self._vault, self._seen, self._found = vault, seen, found
        self.owners = {each.note_id: path for path, each in seen.items() if path in found.stats}

    def notes_of_pages(self) -> frozenset[str]:
        """The notes among those with a changed file whose file is a page."""
        changed = sorted({self._seen[path].note_id for path in self._found.content if path in self._seen})
        return frozenset(
            note.id
            for note in self._vault.store.current(self._vault.space, changed).values()
            if _page_of(note.metadata)
        )

    def note_at(self, path: str, content: bytes, document: Document) -> str:
        """The id of the note of a page."""
        known = self._seen.get(path)
        marked = mark_of(document)
        if marked is not None:
            return marked
        if known is not None and known.version:
            return known.note_id
        return self._renamed(path, content) or self._claimed(path) or self._new(path)

    def _renamed(self, path: str, content: bytes) -> str | None:
        told, inode = digest(content), self._found.stats[path][2]
        name = path.rpartition("/")[2]
        gone = [
            (each.digest != told, was.rpartition("/")[2] != name, was, each.note_id)
            for was, each in self._missing.items()
            if each.note_id not in self.owners and (each.digest == told or (inode and each.inode == inode))
        ]
        return min(gone)[3] if gone else None

    def _claimed(self, path: str) -> str | None:
        note_id = self._places.get(place_name(path))
        return None if note_id is None or self.owners.get(note_id, path) != path else note_id

    def _new(self, path: str) -> str:
        turn = 0
        while self.owners.get(derived_id(path, turn), path) != path or derived_id(path, turn) in self._elsewhere:
            turn += 1
        return derived_id(path, turn)

    @cached_property
    def _missing(self) -> dict[str, Seen]:
        """Pages that are not where they were. A note that has an id in its file says itself where it went."""
        gone = {path: each for path, each in self._seen.items() if path not in self._found.stats}
        notes = self._vault.store.current(self._vault.space, sorted({each.note_id for each in gone.values()}))
        pages = {note.id for note in notes.values() if _page_of(note.metadata)}
        return {path: each for path, each in gone.items() if each.note_id in pages}

    @cached_property
    def _places(self) -> dict[str, str]:
        """The notes of pages by the places that memory has them at."""
        return {place: note_id for note_id, place in self._pages.items()}

    @cached_property
    def _elsewhere(self) -> frozenset[str]:
        """Notes whose page has another place by now than the one their id follows from."""
        return frozenset(note_id for note_id, place in self._pages.items() if derived_id(place) != note_id)

    @cached_property
    def _pages(self) -> dict[str, str]:
        notes = current_notes(self._vault.store, self._vault.space)
        found = ((note.id, _page_of(note.metadata)) for note in notes if note.state is not State.RETRACTED)
        return {note_id: place for note_id, place in found if place}


def _page_of(metadata: Mapping[str, object]) -> str | None:
    """Where the page of a note is; `None` for a note that is no page."""
    kept = metadata.get(FILE_MATTERS)
    if not isinstance(kept, Mapping) or kept.get("vault_page") is None:
        return None
    return str(kept.get("vault_file") or "")
