"""Where the file of a note is: `memory/<kind>/<id>.md`, or below `local` if it must not leave this machine.

The tree decides whether a note travels, whatever the file itself says. Names differ in more than their case, so that
no file system takes two for one.
"""

from __future__ import annotations

from recollect.domain.notes import Kind
from recollect.vault.documents import Document
from recollect.vault.translating import LOCAL

PORTABLE_TREE, LOCAL_TREE = "memory", "local"
TREES = (PORTABLE_TREE, LOCAL_TREE)
KINDS = frozenset(kind.value for kind in Kind)


def path_of(document: Document) -> str:
    """Where a document belongs, from the folder of the vault on."""
    return f"{tree_of(document)}/{path_in_tree(document)}"


def path_in_tree(document: Document) -> str:
    """Where a document belongs within its tree, which is also where a repository has it."""
    return f"{document.fields['kind'] or document.fields['type']}/{document.id}.md"


def tree_of(document: Document) -> str:
    return LOCAL_TREE if document.fields["scope"] == LOCAL else PORTABLE_TREE


def scope_at(path: str) -> str:
    """What the tree that a file is in says about where its note may go."""
    return LOCAL if path.partition("/")[0] == LOCAL_TREE else "portable"


def is_note_path(path: str) -> bool:
    """Whether a file is where a note may be: drafts, hidden files and other endings are none of ours."""
    tree, slash, rest = path.partition("/")
    return bool(slash) and tree in TREES and rest.endswith(".md") and not rest.startswith(".") and "/." not in rest
