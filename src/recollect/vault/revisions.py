"""Revisions taken back: one edit as a new edit, or a forgotten note out of every commit of this machine.

Each note that the revision names is either set back or left with a reason; none is passed over.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress

from recollect.domain.answers.vaults import Problem, Reverted
from recollect.domain.changes import Changes, WriteNote
from recollect.domain.dataclass import replace
from recollect.domain.errors import Busy, RecollectError, StoreFailure
from recollect.domain.notes import Note, State, revised
from recollect.domain.origin import Authority, Caller, lowest
from recollect.domain.trust.authority_table import may_change
from recollect.vault.attached_files import forgotten
from recollect.vault.commits import paths_of, without
from recollect.vault.documents import Document, Malformed, parsed
from recollect.vault.git import GitRepository
from recollect.vault.merge import merged
from recollect.vault.open_vault import Vault
from recollect.vault.place import Place, locked, record, recorded
from recollect.vault.provenance import changed_notes, found, sides
from recollect.vault.sync import APPLIED, HEADS, THEIRS


class _Left(Exception):
    """A note that is not set back: a stable code, and the reason in words."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


def reverted(vault: Vault, revision: str, caller: Caller) -> Reverted:
    """Set every note of a revision back to what it said before. One that cannot be does not keep the others."""
    repository = GitRepository(vault.place.repository)
    commit = found(vault, repository, revision)
    before, after = sides(repository, commit)
    changed = changed_notes(before, after)
    entries = {note_id: (before.notes.get(note_id), after.notes.get(note_id)) for note_id in changed}
    contents = repository.contents(entry[1] for both in entries.values() for entry in both if entry)
    done: list[str] = []
    problems: list[Problem] = []
    for note_id in sorted({*changed, *(after.erased - before.erased)}):
        was, became = entries.get(note_id, (None, None))
        try:
            note = _set_back(vault, note_id, _read(contents, was), _read(contents, became), caller)
            vault.apply(Changes(vault.space, "revert", vault.clock.now(), note.origin, (WriteNote(note),)))
            done.append(note_id)
        except StoreFailure:
            raise
        except (_Left, Malformed, RecollectError) as problem:
            code = "not_reverted" if isinstance(problem, Malformed) else problem.code
            why = str(problem).rstrip(".")
            problems.append(Problem(note_id, code, f"Note {note_id} stays as it is: {why}."))
    return Reverted(commit.id, tuple(done), tuple(problems))


def _read(contents: Mapping[str, bytes], entry: tuple[str, str] | None) -> Document | None:
    return None if entry is None else parsed(contents[entry[1]])


def _set_back(vault: Vault, note_id: str, was: Document | None, became: Document | None, caller: Caller) -> Note:
    """The next version of one note, in the caller's name; raises `_Left` where there is nothing to take back."""
    current = vault.store.note(vault.space, note_id)
    if current is not None and not may_change(caller, current.authority, "revert"):
        ranks = f"a caller through {caller.channel.value} ranks as `{caller.ceiling.value}`"
        raise _Left("authority_too_low", f"it has the authority `{current.authority.value}`, and {ranks}")
    note = _as_before(vault, note_id, current, was, became)
    if caller.ceiling is Authority.INSTRUCTION:
        return note
    return replace(note, origin=caller.origin(note.origin.source), authority=lowest([note.authority, caller.ceiling]))


def _as_before(vault: Vault, note_id: str, current: Note | None, was: Document | None, became: Document | None) -> Note:
    """The next version of one note as its file was."""
    at = vault.clock.now()
    if current is None:
        if vault.log.tombstone(vault.space, note_id) is not None:
            raise _Left("forgotten", "it was forgotten, and cannot come back")
        if was is None:
            raise _Left("already_set_back", "memory does not have it, as before the revision")
        return vault.note_of(was, before=None, origin=vault.origin)
    if was is None:
        if current.state is State.RETRACTED:
            raise _Left("already_set_back", "it is retracted already")
        return revised(current, at, state=State.RETRACTED, retired_at=at, origin=vault.origin)
    here = vault.document_of(current)
    told = (
        was if became is None else merged(became, here, replace(was, fields={**was.fields, "updated_at": here.stamp}))
    )
    if told == here:
        if _same_but_for_time(was, here):
            raise _Left("already_set_back", "it says what it said before the revision")
        raise _Left("changed_since", "what the revision changed was changed again since; the later change stands")
    return vault.note_of(told, before=current, origin=vault.origin, at=at)


def _same_but_for_time(one: Document, other: Document) -> bool:
    times = ("updated_at", "last_seen_at", "verified_at")
    return one.text == other.text and all(
        value == other.fields[name] for name, value in one.fields.items() if name not in times
    )


_PATIENCE = 2.0  # seconds; whoever holds the lock is syncing, and that sync removes it too


def erased_from_vault(place: Place, note_ids: Collection[str], attached: Collection[str]) -> str | None:
    """Remove the files of some notes and their traces in our history; what is left to remove, if anything.

    Files of messages go, too, if they are not among those that are still `attached` to one.
    """
    try:
        with locked(place, patience=_PATIENCE):
            known = recorded(place)
            files = {path: seen for path, seen in known.files.items() if seen.note_id not in note_ids}
            for path in known.files.keys() - files.keys():
                with suppress(FileNotFoundError):
                    (place.folder / path).unlink()
            record(place, replace(known, files=files))
            forgotten(place, attached)
            if (place.repository / "HEAD").exists():
                _erase_from_history(GitRepository(place.repository), frozenset(note_ids))
    except (Busy, OSError) as problem:
        return f"files of the vault in {place.folder} ({problem}); the next `recollect sync` removes them."
    except RecollectError as problem:
        return f"the history of the vault ({problem.message}); the next `recollect sync` removes it."
    return None


def _erase_from_history(repository: GitRepository, note_ids: frozenset[str]) -> None:
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
