"""A forgotten note leaves its file and every commit of this machine; the next sync carries that to the others."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from recollect.domain.dataclass import replace
from recollect.domain.errors import Busy, RecollectError
from recollect.vault.commits import paths_of, without
from recollect.vault.git import Repository
from recollect.vault.place import Place, locked, record, recorded
from recollect.vault.syncing import APPLIED, HEADS, THEIRS

_PATIENCE = 2.0  # seconds; whoever holds the lock is syncing, and that sync removes it too


def erased_from_vault(place: Place, note_ids: Collection[str]) -> str | None:
    """Remove the files of some notes and their traces in our history; what is left to remove, if anything."""
    try:
        with locked(place, patience=_PATIENCE):
            known = recorded(place)
            files = {path: seen for path, seen in known.files.items() if seen.note_id not in note_ids}
            for path in known.files.keys() - files.keys():
                with suppress(FileNotFoundError):
                    (place.folder / path).unlink()
            record(place, replace(known, files=files))
            if (place.repository / "HEAD").exists():
                _erase_from_history(Repository(place.repository), frozenset(note_ids))
    except (Busy, OSError) as problem:
        return f"files of the vault in {place.folder} ({problem}); the next `recollect sync` removes them."
    except RecollectError as problem:
        return f"the history of the vault ({problem.message}); the next `recollect sync` removes it."
    return None


def _erase_from_history(repository: Repository, note_ids: frozenset[str]) -> None:
    repository.prepare()
    paths = paths_of(note_ids)
    for ref, head in {
        **repository.refs(HEADS.rpartition("/")[0]),
        **repository.refs(APPLIED.rpartition("/")[0]),
    }.items():
        clean = without(repository, head, note_ids)
        if clean != head:
            repository.point(ref, clean, was=head)
    for ref, head in repository.refs(THEIRS.rpartition("/")[0]).items():
        if repository.touching(head, paths):
            repository.drop_ref(ref)
    repository.prune()
