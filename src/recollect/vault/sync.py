"""Machines in step: what changed here becomes a commit, all heads become one, and that becomes memory again.

Memory is one more replica, with a base of its own for each note: the newest state of our own history that some
version of the note equals. So a crash between any two steps is repaired by doing them again. Nothing is written to a
note that changed in the meantime; it is merged with what changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from recollect.domain.answers.vaults import Problem
from recollect.domain.changes import Changes, Edit, EraseNote, WriteNote
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.errors import Conflict, RecollectError
from recollect.domain.notes import Note, State, revised
from recollect.domain.origin import Channel, Origin
from recollect.redaction.redactor import redact
from recollect.vault.commits import Files, files_of, kept, merged_heads, rendered, without
from recollect.vault.documents import Document, Malformed, parsed, written
from recollect.vault.git import GitRepository, blob_id
from recollect.vault.layout import PORTABLE_TREE, path_in_tree, tree_of
from recollect.vault.merge import merged, merged_or_gone
from recollect.vault.open_vault import Synced, Vault
from recollect.vault.own_pages import OwnPages
from recollect.vault.settlement import settled

HEADS = "refs/heads/m-"  # one for each machine; only its own is ever written by one
THEIRS = "refs/remotes/origin/m-"
APPLIED = "refs/recollect/applied"  # what memory reflects

_AT_A_TIME = 500  # notes written in one transaction
_TRIES = 5  # for notes that others write while we do
_CANDIDATES = 20  # states of our own history that memory may be at, after a crash


def own_ref(vault: Vault) -> str:
    return f"{HEADS}{vault.place.machine}"


def committed(vault: Vault, repository: GitRepository, outcome: Synced) -> str | None:
    """Commit what changed in memory since the last sync to our own ref, and return its head."""
    outcome.behind.clear()
    ref = own_ref(vault)
    head, applied = repository.ref(ref), repository.ref(APPLIED)
    if head is None:
        head = repository.ref(f"{THEIRS}{vault.place.machine}")  # our repository is new, and we are not
    erased = frozenset(tombstones(vault))
    clean = without(repository, head, erased) if head else None
    reflected = without(repository, applied, erased) if applied else None
    before = files_of(repository, clean)
    files = _with_memory(vault, repository, files_of(repository, reflected), before, clean, outcome)
    files = replace(files, erased=before.erased | erased)
    if head is not None and (files == before or files.by_path() == before.by_path()):
        commit = clean
    elif head is None and not files.notes and not files.erased:
        return None
    else:
        outcome.sent |= {each for each, entry in files.notes.items() if before.notes.get(each) != entry}
        outcome.sent |= before.notes.keys() - files.notes.keys()
        vault.names.save()
        at = int(vault.clock.now().timestamp())
        commit = repository.commit(
            kept(repository, files),
            [clean] if clean else [],
            author=vault.place.machine,
            at=at,
            message=f"{vault.place.machine} in {vault.space}",
        )
    if commit is not None and commit != repository.ref(ref):
        repository.point(ref, commit, was=repository.ref(ref))
    return commit


def joined(vault: Vault, repository: GitRepository, head: str | None) -> str | None:
    """One commit of our head and those of all other machines, on our own ref."""
    others = repository.refs(THEIRS.rpartition("/")[0])
    erased = frozenset(tombstones(vault)).union(*(files_of(repository, each).erased for each in others.values()))
    heads = {each for each in (head, *others.values()) if each}
    whole = merged_heads(repository, {without(repository, each, erased) for each in heads})
    ref = own_ref(vault)
    if whole is not None and whole != repository.ref(ref):
        repository.point(ref, whole, was=repository.ref(ref))
    return whole


def applied(vault: Vault, repository: GitRepository, sent: str | None, whole: str | None, outcome: Synced) -> None:
    """Bring memory to what the joined commit says. `sent` is what memory was when we began."""
    if whole is None:
        return
    before, after = files_of(repository, sent), files_of(repository, whole)
    forgotten = sorted(after.erased - set(tombstones(vault)))
    if forgotten:
        _apply(vault, [EraseNote(each) for each in forgotten])
        outcome.erased |= set(forgotten)
        vault.upkeep.clean_residue()
    waiting = sorted(
        each
        for each in {*before.notes, *after.notes} - after.erased
        if before.notes.get(each) != after.notes.get(each) or each in outcome.behind
    )
    for _ in range(_TRIES):
        waiting = _written(vault, repository, before, after, waiting, outcome)
        if not waiting:
            break
    _settle(vault, outcome)
    if not waiting:  # otherwise the next sync finds out which notes memory has and which not
        repository.point(APPLIED, whole, was=repository.ref(APPLIED))


def refused(repository: GitRepository, head: str, known: Iterable[str]) -> str | None:
    """Why a commit must not leave this machine: a file in it is of a note that stays here. `None`: it may."""
    for content in repository.contents(repository.new_blobs(head, known)).values():
        try:
            if tree_of(parsed(content)) != PORTABLE_TREE:
                return "a note that is local to this machine is in what would be sent"
        except Malformed:
            continue
    return None


# -- what memory says --------------------------------------------------------------------------------------------------


def _with_memory(
    vault: Vault, repository: GitRepository, reflected: Files, head: Files, commit: str | None, outcome: Synced
) -> Files:
    """The files of our head with what changed in memory since it last reflected them."""
    rendering = rendered(vault)
    here, outcome.seq = rendering.entries, rendering.seq
    differing = [note_id for note_id in sorted({*here, *head.notes}) if here.get(note_id) != head.notes.get(note_id)]
    current = vault.store.current(vault.space, differing)
    notes = dict(head.notes)
    fresh: dict[str, bytes] = {}
    past = _Past(vault, repository, commit, reflected)
    past.read(side.notes[each] for side in (head, reflected) for each in differing if each in side.notes)
    for note_id in differing:
        if note_id not in here:
            outcome.behind[note_id] = None  # memory never heard of it, or was set back to before: what we have stays
            continue
        there = head.notes.get(note_id)
        document = _shared(vault, current.get(note_id))
        chosen = _chosen(past, note_id, document, there, reflected.notes.get(note_id))
        if chosen != document:
            outcome.behind[note_id] = document
        if chosen is not None and _has_secret(chosen):
            outcome.problems.append(_secret(note_id))
            continue
        if chosen is None:
            notes.pop(note_id, None)
            continue
        fresh[note_id] = written(chosen)
        notes[note_id] = (path_in_tree(chosen), blob_id(fresh[note_id]))
    repository.keep(fresh.values())
    return replace(head, notes=notes)


def _shared(vault: Vault, note: Note | None) -> Document | None:
    """The document of a note for other machines; `None` if the note was taken back, or stays here."""
    if note is None or note.state is State.RETRACTED:
        return None
    document = vault.document_of(note)
    return document if tree_of(document) == PORTABLE_TREE else None


@dataclass(slots=True)
class _Past:
    """States of our own history, newest first, for the rare note that changed both in memory and in our head."""

    vault: Vault
    repository: GitRepository
    commit: str | None
    reflected: Files
    states: list[Files] | None = None
    contents: dict[str, bytes] = field(default_factory=dict)

    def read(self, entries: Iterable[tuple[str, str]]) -> None:
        """Have some files at hand: one call for all of them."""
        self.contents.update(self.repository.contents(blob for _, blob in entries))

    def document(self, entry: tuple[str, str] | None) -> Document | None:
        if entry is not None and entry[1] not in self.contents:
            self.read([entry])
        return None if entry is None else parsed(self.contents[entry[1]])

    def base(self, note_id: str) -> tuple[str, str] | None:
        """The newest state of a note that memory once was at: what both sides came from."""
        if self.states is None:
            chain = self.repository.history(self.commit, limit=_CANDIDATES) if self.commit else []
            self.states = [*(files_of(self.repository, each) for each in chain), self.reflected]
        had = {
            blob_id(written(self.vault.document_of(version)))
            for version in self.vault.store.versions(self.vault.space, [note_id])
        }
        found = (each.notes[note_id] for each in self.states if note_id in each.notes)
        return next((entry for entry in found if entry[1] in had), self.reflected.notes.get(note_id))


def _chosen(
    past: _Past,
    note_id: str,
    document: Document | None,
    there: tuple[str, str] | None,
    reflected: tuple[str, str] | None,
) -> Document | None:
    """The document that our head should have of a note, where memory says something else."""
    entry = reflected if there == reflected else past.base(note_id)
    try:
        before, head = past.document(entry), past.document(there)
    except Malformed:
        return document
    if document is not None and before is not None and document != before and document.stamp < before.stamp:
        return head  # memory was set back to an earlier state: that is no edit
    return merged_or_gone(before, document, head)


def tombstones(vault: Vault) -> Iterator[str]:
    after = ""
    while page := vault.log.tombstones(vault.space, after=after, limit=1000):
        yield from (each.note_id for each in page)
        after = page[-1].note_id


def _has_secret(document: Document) -> bool:
    said = document.fields
    spoken = (said["title"], said["value"], said["source"], said["vault_page"], document.text)
    told = "\n".join(str(each) for each in spoken if each)
    return bool(redact(told).redactions)


def _secret(note_id: str) -> Problem:
    told = f"Note {note_id} seems to hold a secret; it stays on this machine. Update or forget it."
    return Problem(note_id, "secret", told)


# -- what memory becomes -----------------------------------------------------------------------------------------------


def _written(
    vault: Vault, repository: GitRepository, before: Files, after: Files, note_ids: Sequence[str], outcome: Synced
) -> list[str]:
    """Write what came in; those that somebody wrote at the same time are given back, to be tried again."""
    late: list[str] = []
    pages = OwnPages(vault.space, vault.place.machine, Origin(Channel.SYNC))
    for start in range(0, len(note_ids), _AT_A_TIME):
        some = note_ids[start : start + _AT_A_TIME]
        wanted = _wanted(vault, repository, pages, before, after, some, outcome)
        try:
            _apply(vault, [WriteNote(note) for note in wanted])
            outcome.received |= {note.id for note in wanted}
        except RecollectError as problem:
            if problem.retryable:
                raise
            for note in wanted:
                try:
                    _apply(vault, [WriteNote(note)])
                    outcome.received.add(note.id)
                except RecollectError as why:
                    if why.retryable:
                        raise
                    if why.code == "stale_version":
                        late.append(note.id)
                    else:
                        told = f"Note {note.id} is not taken in: {why.message}"
                        outcome.problems.append(Problem(note.id, why.code, told))
    return late


def _wanted(
    vault: Vault,
    repository: GitRepository,
    pages: OwnPages,
    before: Files,
    after: Files,
    note_ids: Sequence[str],
    outcome: Synced,
) -> list[Note]:
    """The versions that some notes need, so that memory says what the joined commit does."""
    entries = [side.notes[each] for each in note_ids for side in (before, after) if each in side.notes]
    contents = repository.contents(entry[1] for entry in entries)
    here = vault.store.current(vault.space, note_ids)
    unheard = (each for each in note_ids if each in after.notes and each not in here and each not in before.notes)
    fresh = pages.notes({note_id: contents[after.notes[note_id][1]] for note_id in unheard})
    wanted = []
    for note_id in note_ids:
        if note_id in fresh:
            note, document = fresh[note_id]
            vault.keep(note, document)
            wanted.append(note)
            continue
        try:
            old, new = (_read(contents, side.notes.get(note_id)) for side in (before, after))
            old = outcome.behind.get(note_id, old)
            following = _next(vault, here.get(note_id), old, new)
        except Malformed as problem:
            told = f"Note {note_id} is not taken in: {problem}."
            outcome.problems.append(Problem(note_id, "malformed", told))
            continue
        if following is not None:
            wanted.append(following)
    return wanted


def _next(vault: Vault, current: Note | None, old: Document | None, new: Document | None) -> Note | None:
    """The next version of one note; `None` if memory says it already."""
    origin = Origin(Channel.SYNC)
    if current is None:
        return None if new is None else vault.note_of(new, before=None, origin=origin)
    here = vault.document_of(current)
    if tree_of(here) != PORTABLE_TREE:
        return None
    if new is None:
        if here != old or current.state is State.RETRACTED:
            return None  # changed in the meantime: an edit is stronger than a deletion
        at = vault.clock.now()
        return revised(current, at, state=State.RETRACTED, retired_at=at, origin=origin)
    if current.state is State.RETRACTED and old is None:
        told = new  # deleted here, edited there
    else:
        told = new if old is None or here == old else merged(old, here, new)
    if told == here:
        return None
    return vault.note_of(told, before=current, origin=origin)


def _read(contents: Mapping[str, bytes], entry: tuple[str, str] | None) -> Document | None:
    return None if entry is None else parsed(contents[entry[1]])


def _settle(vault: Vault, outcome: Synced) -> None:
    """Two machines that learned different values of one thing meet in one history."""
    told = (note_id for note_id in outcome.received if vault.may_be_on_a_line(note_id))
    for edits in settled(vault.store, vault.space, sorted(told)):
        try:
            _apply(vault, edits)
        except Conflict:
            continue  # somebody is writing just now; whoever syncs next settles it


def _apply(vault: Vault, edits: Sequence[Edit]) -> None:
    if edits:
        vault.apply(Changes(vault.space, "sync", vault.clock.now(), Origin(Channel.SYNC), tuple(edits)))
