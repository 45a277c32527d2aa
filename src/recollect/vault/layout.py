"""Where the file of a note is, and the names that this machine gave to files of its own.

A page of a person's own is where they put it, in any folder of the vault. The tree decides whether a note travels,
whatever the file itself says: only what is below `local` stays. Names differ in more than their case, so that no file
system takes two for one.

Other machines learn a name with the note. The list can be lost: a name is then made anew from what the note says now.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping

from recollect.disk import write_whole
from recollect.domain.notes import FILE_MATTERS, Kind, Note
from recollect.vault.documents import LOCAL, Document
from recollect.vault.place import Place

PORTABLE_TREE, LOCAL_TREE = "memory", "local"
TREES = (PORTABLE_TREE, LOCAL_TREE)
KINDS = frozenset(kind.value for kind in Kind)

_SLUG = 48  # characters of a title that are in the name of its file
_OF_ID = 4  # characters of an id that follow them
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.I)
_FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f]|[. ]$')


def path_of(document: Document) -> str:
    """Where a document belongs, from the folder of the vault on."""
    if document.fields["vault_page"] is not None:
        return _path_of_page(document)
    name = document.fields["vault_file"] or f"{document.id}.md"
    return f"{tree_of(document)}/{document.fields['kind'] or document.fields['type']}/{name}"


def path_in_tree(document: Document) -> str:
    """Where a repository has a document: by its id, whatever its file is called."""
    return f"{document.fields['kind'] or document.fields['type']}/{document.id}.md"


def _path_of_page(document: Document) -> str:
    said = str(document.fields["vault_file"] or "")
    tree, _, rest = said.partition("/")
    if (tree == LOCAL_TREE) == (tree_of(document) == LOCAL_TREE):
        return said
    return rest if tree == LOCAL_TREE else f"{LOCAL_TREE}/{said}"


def tree_of(document: Document) -> str:
    return LOCAL_TREE if document.fields["scope"] == LOCAL else PORTABLE_TREE


def scope_at(path: str) -> str:
    """The scope of a note by the tree that its file is in: local or portable."""
    return LOCAL if path.partition("/")[0] == LOCAL_TREE else "portable"


def name_for(document: Document, *, letters: int = _OF_ID) -> str:
    """The name of a file that people can read: its first words, and a few letters of its id."""
    words = str(document.fields["title"] or document.text[:400])
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", words).casefold()).lower()
    plain = "".join(each for each in folded if not unicodedata.combining(each))
    slug = re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", plain)).strip("-")
    while len(slug) > _SLUG or len(slug.encode()) > 2 * _SLUG:
        shorter = slug.rpartition("-")[0] if "-" in slug[_SLUG // 2 :] else ""
        slug = shorter or slug[: _SLUG if len(slug) > _SLUG else len(slug) - 1]
    return f"{slug or 'note'}-{document.id[-letters:].lower()}.md"


def is_safe_path(path: str) -> bool:
    """Whether every system can have a file there, below the folder of a vault: others may send what they like."""
    parts = path.split("/")
    return (
        path.endswith(".md")
        and len(path) <= _LONGEST_PATH
        and path.isprintable()
        and not any(
            not part or part.startswith(".") or len(part.encode()) > _LONGEST_NAME or _FORBIDDEN.search(part)
            for part in parts
        )
        and not any(_RESERVED.match(part) for part in parts)
    )


_LONGEST_PATH, _LONGEST_NAME = 400, 250  # characters; bytes


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
