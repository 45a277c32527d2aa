"""Both ways between memory and the folder: what was edited outside comes in, what changed in memory goes out.

Memory is the acknowledged truth. A file is written after its note and recorded after that, so that a crash at any
point leaves a file that equals some version of its note, which is never taken for an edit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from recollect.disk import sync_folder
from recollect.domain.changes import ChangeKind, Changes, Receipt, WriteNote
from recollect.domain.clock import Clock, checked_id
from recollect.domain.errors import InvalidInput, RecollectError
from recollect.domain.notes import Note, State, revised
from recollect.domain.origin import Channel, Origin
from recollect.domain.ports import Store
from recollect.domain.recollections import Selection
from recollect.domain.vaults import Problem
from recollect.vault.documents import Document, Malformed, stand_in_title, with_fields, written
from recollect.vault.folder import Found, digest, look, put, take_away
from recollect.vault.layout import KINDS, TREES, path_of, tree_of
from recollect.vault.merging import merged
from recollect.vault.place import Place, Record, Seen, record, recorded, recorded_when
from recollect.vault.planning import planned
from recollect.vault.translating import document_of, note_of

Apply: TypeAlias = Callable[[Changes], Receipt]

_AT_A_TIME = 100  # notes written in one transaction
_PAGE = 1000


@dataclass(frozen=True, slots=True)
class Vault:
    """The vault of one space at work: where it is, and the memory it belongs to."""

    place: Place
    space: str
    store: Store
    clock: Clock
    principal: str
    apply: Apply
    rehearsed: bool = False

    @property
    def origin(self) -> Origin:
        return Origin(Channel.VAULT_EDIT, self.principal)


@dataclass(slots=True)
class Outcome:
    """What a look at the folder came to."""

    taken_in: list[str] = field(default_factory=list)
    retracted: list[str] = field(default_factory=list)
    written: int = 0
    removed: int = 0
    held: tuple[str, ...] = ()
    problems: list[Problem] = field(default_factory=list)


def in_step(vault: Vault, *, accept: bool = False, put_back: bool = False, anew: bool = False) -> Outcome:
    """Take in what was edited outside, then write what is not in the folder yet. The caller holds the lock.

    With `anew`, and wherever memory is younger than the files, every file is looked at as if for the first time.
    """
    known = recorded(vault.place)
    space = vault.store.space(vault.space)
    if anew or known.seq > (space.seq if space else 0):
        known = Record()
    if not known.files and not vault.rehearsed:
        for tree in TREES:
            (vault.place.folder / tree).mkdir(parents=True, exist_ok=True, mode=0o700)
    found = look(vault.place.folder, known.files, recorded_when=recorded_when(vault.place))
    files, outcome, again = _take_in(vault, known, found, accept=accept)
    if put_back:
        again |= {files.pop(path).note_id for path in outcome.held if path in files}
        outcome.held = ()
    if vault.rehearsed:
        return outcome
    seq = _project(vault, known.seq, files, again, outcome)
    problems = tuple(sorted(set(outcome.problems), key=lambda each: (each.path, each.code)))
    fresh = Record(seq, files, outcome.held, problems)
    if fresh != known:
        record(vault.place, fresh)
    return outcome


def current_notes(store: Store, space: str, states: Iterable[State] = ()) -> Iterator[Note]:
    """The current version of every note of a space."""
    before = None
    while page := store.notes(space, Selection(states=frozenset(states)), before=before, limit=_PAGE):
        yield from page
        before = page[-1].id


# -- in --------------------------------------------------------------------------------------------------------------


def _take_in(vault: Vault, known: Record, found: Found, *, accept: bool) -> tuple[dict[str, Seen], Outcome, set[str]]:
    """Files as they are now, what came of them, and the notes whose files have to be written again."""
    plan = planned(known.files, found, accept=accept)
    files = {path: _resized(seen, found, path) for path, seen in known.files.items()}
    outcome = Outcome(held=plan.held, problems=list(plan.problems))
    again: set[str] = set()
    owners = {seen.note_id: path for path, seen in known.files.items() if path in found.sizes}
    by_note = {seen.note_id: seen for seen in known.files.values()}
    edits: list[tuple[str, Note]] = []
    edited: dict[str, Seen] = {}
    for path, document in plan.edited.items():
        try:
            note_id = _id_of(document, path)
            if owners.setdefault(note_id, path) != path:
                raise Malformed(f"note {note_id} has a file already, {owners[note_id]}")
            seen, note = _read(vault, note_id, document, plan.contents[path], by_note.get(note_id))
        except Malformed as problem:
            told = f"{path} is not taken in: {problem}."
            outcome.problems.append(Problem(path, "malformed", told))
            continue
        edited[path] = replace(seen, size=found.sizes[path][0], modified=found.sizes[path][1])
        again.add(note_id)
        if note is not None:
            edits.append((path, note))
        else:
            files[path] = edited[path]
    moved = {path for path in (*plan.gone, *plan.held) if files[path].note_id in owners}  # and not deleted
    outcome.held = tuple(path for path in plan.held if path not in moved)
    for path in sorted({*plan.gone, *moved}):
        seen = files.pop(path)
        if path in moved:
            continue
        note = vault.store.note(vault.space, seen.note_id)
        if note is None or note.state is State.RETRACTED:
            continue
        if note.version != seen.version:
            again.add(note.id)  # edited in memory since: an edit is stronger than a deletion
            continue
        at = vault.clock.now()
        edits.append((path, revised(note, at, state=State.RETRACTED, retired_at=at, origin=vault.origin)))
    for path, note in _written(vault, edits, outcome):
        if path in edited:
            files[path] = edited[path]
        (outcome.retracted if note.state is State.RETRACTED else outcome.taken_in).append(note.id)
    return files, outcome, again


def _resized(seen: Seen, found: Found, path: str) -> Seen:
    """What we saw, with the size and time the file has now if it still holds the same."""
    content = found.content.get(path)
    if content is None or digest(content) != seen.digest:
        return seen
    size, modified = found.sizes[path]
    return replace(seen, size=size, modified=modified)


def _id_of(document: Document, path: str) -> str:
    """The id a file gives its note; by its name, if it does not say."""
    try:
        return checked_id(document.id or path.rpartition("/")[2].removesuffix(".md"))
    except InvalidInput:
        raise Malformed("it has no `id` of 26 letters and digits, nor is it named by one") from None


def _read(
    vault: Vault, note_id: str, document: Document, content: bytes, seen: Seen | None
) -> tuple[Seen, Note | None]:
    """What a changed file is: some version of its note, which is no edit, or else the note's next version."""
    machine = vault.place.machine
    if vault.store.tombstone(vault.space, note_id) is not None:
        raise Malformed(f"note {note_id} was forgotten, and cannot come back; save it anew under another id")
    document = replace(document, fields={**document.fields, "id": note_id})
    versions = vault.store.versions(vault.space, [note_id])
    for version in reversed(versions):
        was = document_of(version, machine)
        if tree_of(was) == tree_of(document) and written(was) == content:
            return Seen(digest(content), note_id, version.version), None
    if not versions:
        made = {"created_at": vault.clock.now().isoformat(), "updated_at": vault.clock.now().isoformat()}
        said = {name: document.fields[name] or made[name] for name in made}
        document = replace(document, fields={**document.fields, **said})
        first = note_of(document, space=vault.space, machine=machine, before=None, origin=vault.origin)
        return Seen(digest(content), note_id, 1), first
    current = versions[-1]
    if seen is not None and not seen.version and seen.digest == digest(content):
        return seen, None  # we wrote it from a version that memory no longer has, and nobody has edited it since
    told = document
    if document.stamp < current.updated_at.isoformat():
        told = merged(None, document_of(current, machine), document)  # unless it is known what it was made from
    for version in versions:  # the one it was made from, by our record or else by the time it still bears
        if version.version == seen.version if seen else version.updated_at.isoformat() == document.stamp:
            was = document_of(version, machine)
            told = merged(was, document_of(current, machine), _with_its_title(document, was))
    note = note_of(told, space=vault.space, machine=machine, before=current, origin=vault.origin, at=vault.clock.now())
    return Seen(digest(content), note_id, note.version), note


def _with_its_title(document: Document, was: Document) -> Document:
    """A title that stood in for none follows the text that was edited below it."""
    follows = document.fields["title"] == was.fields["title"] == stand_in_title(was.text)
    return with_fields(document, {"title": stand_in_title(document.text)}) if follows else document


def _written(vault: Vault, edits: Sequence[tuple[str, Note]], outcome: Outcome) -> Iterator[tuple[str, Note]]:
    """Write notes, many in one transaction; where something stands in the way, one by one, so that only it waits."""
    for start in range(0, len(edits), _AT_A_TIME):
        some = edits[start : start + _AT_A_TIME]
        try:
            _apply(vault, [note for _, note in some])
            yield from some
        except RecollectError as problem:
            if problem.retryable:
                raise
            for path, note in some:
                try:
                    _apply(vault, [note])
                    yield path, note
                except RecollectError as why:
                    if why.retryable:
                        raise
                    outcome.problems.append(Problem(path, why.code, f"{path} is not taken in: {why.message}"))


def _apply(vault: Vault, notes: Sequence[Note]) -> None:
    edits = tuple(WriteNote(note) for note in notes)
    vault.apply(Changes(vault.space, "vault", vault.clock.now(), vault.origin, edits))


# -- out -------------------------------------------------------------------------------------------------------------


def _project(vault: Vault, since: int, files: dict[str, Seen], again: set[str], outcome: Outcome) -> int:
    """Write the files of notes that changed since, and take those away whose notes are gone; up to which change."""
    paths = {seen.note_id: path for path, seen in files.items()}
    seq, changed = changed_since(vault, since)
    if changed is None:
        notes = {note.id: note for note in current_notes(vault.store, vault.space)}
        changed = {*notes, *paths}
    else:
        notes = vault.store.current(vault.space, sorted(changed | again))
    touched: set[Path] = set()
    for note_id in sorted(changed | again):
        _project_one(vault, notes.get(note_id), paths.get(note_id), files, outcome, touched)
    for folder in sorted(touched):
        sync_folder(folder)
    return seq


def _project_one(
    vault: Vault,
    note: Note | None,
    path: str | None,
    files: dict[str, Seen],
    outcome: Outcome,
    touched: set[Path],
) -> None:
    """Write one file, or take it away; the folder it is in is synced by the caller, once for all of its files."""
    folder = vault.place.folder
    if note is None and path is not None and vault.store.tombstone(vault.space, files[path].note_id) is None:
        # Memory does not know it, as after a restore: it is taken in the next time, and never thrown away.
        files[path] = replace(files[path], version=0)
        return
    if note is None or note.state is State.RETRACTED:
        if path is not None and take_away(folder, path, over=files[path].digest):
            del files[path]
            outcome.removed += 1
        return
    document = document_of(note, vault.place.machine)
    content = written(document)
    target = _target(document, path)
    known = files.get(target)
    if known is not None and known.digest == digest(content):
        files[target] = replace(known, version=note.version)
        return
    status = put(folder, target, content, over=known.digest if known else None)
    if status is None:
        return  # something else is there by now: it is looked at the next time
    touched.add((folder / target).parent)
    files[target] = Seen(digest(content), note.id, note.version, *status)
    outcome.written += 1
    if path is not None and path != target and take_away(folder, path, over=files[path].digest):
        del files[path]


def _target(document: Document, path: str | None) -> str:
    """Where a note's file goes: where it is, unless its tree or its kind is another now."""
    proper = path_of(document)
    if path is None:
        return proper
    tree, *between, _ = path.split("/")
    kind = document.fields["kind"] or document.fields["type"]
    of_another_kind = KINDS.intersection(between) - {kind}
    return path if tree == tree_of(document) and not of_another_kind else proper


def changed_since(vault: Vault, since: int) -> tuple[int, set[str] | None]:
    """The number of the newest change, and the notes changed since; `None` means: any may have."""
    space = vault.store.space(vault.space)
    newest = space.seq if space else 0
    if since == 0 or since > newest:
        return newest, None
    changed: set[str] = set()
    at = since
    while page := vault.store.changes_after(vault.space, at, limit=_PAGE):
        if any(each.kind in (ChangeKind.SPACE_RESTORED, ChangeKind.SPACE_DELETED) for each in page):
            return max(newest, page[-1].seq), None
        changed |= {
            each.record_id for each in page if each.kind in (ChangeKind.WRITTEN, ChangeKind.ADOPTED, ChangeKind.ERASED)
        }
        at = page[-1].seq
    return at, changed
