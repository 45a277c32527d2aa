"""The names of files that this machine gave to notes of its own: each is given once, and kept whatever the note says.

Other machines learn a name with the note. The list can be lost: a name is then made anew from what the note says now.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from recollect.disk import write_whole
from recollect.domain.notes import FILE_MATTERS, Note
from recollect.vault.documents import Document
from recollect.vault.layout import name_for
from recollect.vault.place import Place

_FILE = "names.json"


class Names:
    """Names by the ids of notes, read when one is first asked for and written by `save`."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._known: dict[str, str] | None = None
        self._taken: set[str] = set()
        self._fresh = False

    def of(self, note: Note, document: Document) -> str | None:
        """The name of a note's file; `None`: it is named by its id, as in older vaults and for notes made by others."""
        said: str | None = document.fields["vault_file"]
        if said is not None or self._place.names != "title" or _made_elsewhere(note):
            return said
        known = self._read()
        if note.id not in known:
            name = name_for(document)
            if name in self._taken:
                name = name_for(document, letters=len(note.id))
            known[note.id] = name
            self._taken.add(name)
            self._fresh = True
        return known[note.id]

    def save(self) -> None:
        """Put on disk what was given since."""
        if self._fresh and self._known is not None:
            write_whole(self._place.private / _FILE, json.dumps(self._known, ensure_ascii=False).encode())
            self._fresh = False

    def _read(self) -> dict[str, str]:
        if self._known is None:
            try:
                said = json.loads((self._place.private / _FILE).read_bytes())
                self._known = {str(note_id): str(name) for note_id, name in said.items()}
            except (OSError, ValueError, AttributeError):
                self._known = {}
            self._taken = set(self._known.values())
        return self._known


def _made_elsewhere(note: Note) -> bool:
    kept = note.metadata.get(FILE_MATTERS)
    return isinstance(kept, Mapping) and "machine_id" in kept
