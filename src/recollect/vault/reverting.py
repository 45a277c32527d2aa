"""Take one revision back, as a new edit: what was changed since stays, and history keeps both."""

from __future__ import annotations

from dataclasses import replace

from recollect.domain.changes import Changes, WriteNote
from recollect.domain.errors import RecollectError, StoreFailure
from recollect.domain.notes import Note, State, revised
from recollect.domain.origin import Authority, Caller, lowest
from recollect.domain.trust.authority_table import require_rank
from recollect.domain.vaults import Problem, Reverted
from recollect.vault.documents import Document, Malformed, parsed
from recollect.vault.git import Repository
from recollect.vault.merging import merged
from recollect.vault.projecting import Vault
from recollect.vault.telling import changed_notes, found, sides
from recollect.vault.translating import document_of, note_of


def reverted(vault: Vault, revision: str, caller: Caller) -> Reverted:
    """Set every note of a revision back to what it said before. One that cannot be does not keep the others."""
    repository = Repository(vault.place.repository)
    commit = found(vault, repository, revision)
    before, after = sides(repository, commit)
    done: list[str] = []
    problems: list[Problem] = []
    for note_id in changed_notes(before, after):
        entries = [files.notes.get(note_id) for files in (before, after)]
        contents = repository.contents(entry[1] for entry in entries if entry)
        try:
            was, became = (None if entry is None else parsed(contents[entry[1]]) for entry in entries)
            note = _set_back(vault, note_id, was, became, caller)
            if note is not None:
                vault.apply(Changes(vault.space, "revert", vault.clock.now(), note.origin, (WriteNote(note),)))
                done.append(note_id)
        except StoreFailure:
            raise
        except (Malformed, RecollectError) as problem:
            problems.append(Problem(note_id, "not_reverted", f"Note {note_id} stays as it is: {problem}"))
    return Reverted(commit.id, tuple(done), tuple(problems))


def _set_back(vault: Vault, note_id: str, was: Document | None, became: Document | None, caller: Caller) -> Note | None:
    """The next version of one note, in the caller's name; `None` if there is nothing to take back."""
    current = vault.store.note(vault.space, note_id)
    if current is not None:
        require_rank(caller, current.authority, "revert", what=f"Note {note_id}")
    note = _as_before(vault, note_id, current, was, became)
    if note is None or caller.ceiling is Authority.INSTRUCTION:
        return note
    return replace(note, origin=caller.origin(note.origin.source), authority=lowest([note.authority, caller.ceiling]))


def _as_before(
    vault: Vault, note_id: str, current: Note | None, was: Document | None, became: Document | None
) -> Note | None:
    """The next version of one note as its file was; `None` if there is nothing to take back."""
    machine, at = vault.place.machine, vault.clock.now()
    if current is None:
        if was is None or vault.store.tombstone(vault.space, note_id) is not None:
            return None
        return note_of(was, space=vault.space, machine=machine, before=None, origin=vault.origin)
    if was is None:
        if current.state is State.RETRACTED:
            return None
        return revised(current, at, state=State.RETRACTED, retired_at=at, origin=vault.origin)
    here = document_of(current, machine)
    told = (
        was if became is None else merged(became, here, replace(was, fields={**was.fields, "updated_at": here.stamp}))
    )
    if told == here:
        return None
    return note_of(told, space=vault.space, machine=machine, before=current, origin=vault.origin, at=at)
