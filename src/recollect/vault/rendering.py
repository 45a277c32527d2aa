"""Where each note of a space would be in a repository, and under which id: kept from sync to sync.

A note is rendered anew only when the change log names it. The file can be lost or thrown away at any time.
"""

from __future__ import annotations

import json
from typing import TypeAlias

from recollect.disk import write_whole
from recollect.domain.dataclass import dataclass
from recollect.domain.notes import Note, State
from recollect.domain.paging import current_notes
from recollect.vault.documents import written
from recollect.vault.git import blob_id
from recollect.vault.layout import PORTABLE_TREE, path_in_tree, tree_of
from recollect.vault.opened import Vault, changed_since

Entry: TypeAlias = tuple[str, str]  # a path, and the id of what is there


@dataclass(frozen=True, slots=True)
class Rendering:
    """Where each note belongs in a repository, as of a change. `None` stands for a note that is not shared."""

    seq: int
    entries: dict[str, Entry | None]


def rendered(vault: Vault) -> Rendering:
    """Every note of a space as it would be in a repository."""
    known = _kept(vault)
    seq, changed = changed_since(vault, known.seq)
    if changed is None:
        entries = {note.id: entry_of(vault, note) for note in current_notes(vault.store, vault.space)}
    elif not changed:
        return known
    else:
        notes = vault.store.current(vault.space, sorted(changed))
        entries = {note_id: entry for note_id, entry in known.entries.items() if note_id not in changed}
        entries.update((note.id, entry_of(vault, note)) for note in notes.values())
    fresh = Rendering(seq, entries)
    told = json.dumps({"machine": vault.place.machine, "seq": seq, "entries": entries})
    write_whole(vault.place.private / "rendered.json", told.encode())
    return fresh


def entry_of(vault: Vault, note: Note) -> Entry | None:
    document = vault.document_of(note)
    if note.state is State.RETRACTED or tree_of(document) != PORTABLE_TREE:
        return None
    return path_in_tree(document), blob_id(written(document))


def _kept(vault: Vault) -> Rendering:
    try:
        said = json.loads((vault.place.private / "rendered.json").read_text(encoding="utf-8"))
        if said["machine"] == vault.place.machine:
            entries = {note_id: entry and (entry[0], entry[1]) for note_id, entry in said["entries"].items()}
            return Rendering(said["seq"], entries)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return Rendering(0, {})
