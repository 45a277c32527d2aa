"""Where the file of a note is: `memory/<kind>/<name>.md`, or below `local` if it must not leave this machine.

A page of a person's own is where they put it, in any folder of the vault. The tree decides whether a note travels,
whatever the file itself says: only what is below `local` stays. Names differ in more than their case, so that no file
system takes two for one.
"""

from __future__ import annotations

import re
import unicodedata

from recollect.domain.notes import Kind
from recollect.vault.documents import Document
from recollect.vault.translating import LOCAL

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
