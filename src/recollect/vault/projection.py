"""Both ways between memory and the folder: what was edited outside comes in, what changed in memory goes out.

Memory is the acknowledged truth. A file is written after its note and recorded after that, so that a crash at any
point leaves a file that equals some version of its note, which is never taken for an edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from recollect.disk import sync_folder
from recollect.domain.answers.vaults import Pages, Problem
from recollect.domain.changes import Changes, WriteNote
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.notes import Note, State, revised
from recollect.redaction.clean_records import holds_secret
from recollect.vault.attached_files import AttachedPages, put_down, recorded_attachments, wanted, with_links
from recollect.vault.documents import Document
from recollect.vault.folder import Draft, FoundFile, digest, look, put, take_away
from recollect.vault.intake import taken_in
from recollect.vault.layout import KINDS, LOCAL_TREE, TREES, is_safe_path, path_in_tree, path_of, tree_of
from recollect.vault.open_vault import Vault, VaultOutcome, changed_since
from recollect.vault.pages import file_bytes, is_page, mark_of, marked
from recollect.vault.place import SeenFile, VaultRecord, record, recorded, recorded_when

_AT_A_TIME = 500  # files that are synced together
_LARGE = 100_000  # bytes of a file


def in_step(vault: Vault, *, accept: bool = False, put_back: bool = False, anew: bool = False) -> VaultOutcome:
    """Take in what was edited outside, then write what is not in the folder yet. The caller holds the lock.

    With `anew`, and wherever memory is younger than the files, every file is looked at as if for the first time.
    """
    known = recorded(vault.place)
    space = vault.store.space(vault.space)
    if anew or known.seq > (space.seq if space else 0):
        known = VaultRecord()
    if not known.files and not vault.rehearsed:
        for tree in TREES:
            (vault.place.folder / tree).mkdir(parents=True, exist_ok=True, mode=0o700)
    found = look(vault.place.folder, known.files, recorded_when=recorded_when(vault.place))
    files, outcome, again = taken_in(vault, known, found, accept=accept)
    if put_back:
        again |= {files.pop(path).note_id for path in outcome.held if path in files}
        outcome.held = ()
    if vault.rehearsed:
        return outcome
    attached, before = wanted(vault), recorded_attachments(vault.place)
    again |= attached.changed_since(before)
    seq = _project(vault, known.seq, files, again, outcome, attached)
    put_down(vault, attached, before)
    problems = tuple(sorted(set(outcome.problems), key=lambda each: (each.path, each.code)))
    fresh = outcome.record = VaultRecord(seq, files, outcome.held, problems)
    if fresh != known or _was_unsure(known, found):
        record(vault.place, fresh)
    return outcome


def _was_unsure(known: VaultRecord, found: FoundFile) -> bool:
    """Whether a file was read only because it changed shortly before the record was written; a newer one is surer."""
    return any(path in known.files and known.files[path].version for path in found.content)


def _project(
    vault: Vault,
    since: int,
    files: dict[str, SeenFile],
    again: set[str],
    outcome: VaultOutcome,
    attached: AttachedPages,
) -> int:
    """Write the files of notes that changed since, and take those away whose notes are gone; up to which change."""
    paths = {seen.note_id: path for path, seen in files.items()}
    seq, changed = changed_since(vault, since)
    if changed is None:
        notes = vault.all_notes(seq)
        changed = {*notes, *paths}
    else:
        notes = vault.store.current(vault.space, sorted(changed | again))
    touched: set[Path] = set()
    waiting: list[_Waiting] = []
    for note_id in sorted(changed | again):
        links = attached.links.get(note_id, ())
        one = _project_one(vault, notes.get(note_id), paths.get(note_id), files, outcome, links)
        if one is None:
            continue
        waiting.append(one)
        # Others may want the place that a file leaves, and a large one is not kept waiting.
        if len(waiting) == _AT_A_TIME or one.moves or len(one.draft.content) > _LARGE:
            _put_down(vault, waiting, files, outcome, touched)
            waiting = []
    _put_down(vault, waiting, files, outcome, touched)
    for folder in sorted(touched):
        sync_folder(folder)
    vault.names.save()
    _settle_rivals(vault, files, outcome)
    return seq


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A file that is about to be written: what we knew to be there, and where the note's file was before."""

    draft: Draft
    known: SeenFile | None
    path: str | None

    @property
    def moves(self) -> bool:
        return self.path not in (None, self.draft.path)


def _settle_rivals(vault: Vault, files: dict[str, SeenFile], outcome: VaultOutcome) -> None:
    """Two notes of one page, which two machines took in apart: the older one goes on, and the next look joins them.

    The page is left alone, and taken for an edit of the note that goes on.
    """
    for note in vault.store.current(vault.space, sorted(outcome.rivals)).values():
        place = path_of(vault.document_of(note))
        other = vault.store.note(vault.space, files[place].note_id) if place in files else None
        if other is None or not is_page(vault.document_of(other)):
            continue
        files.pop(place)
        later = max((note, other), key=lambda each: (each.recorded_at, each.id))
        at = vault.clock.now()
        edit = WriteNote(revised(later, at, state=State.RETRACTED, retired_at=at, origin=vault.origin))
        vault.apply(Changes(vault.space, "vault", at, vault.origin, (edit,)))
        outcome.retracted.append(later.id)


def _project_one(
    vault: Vault,
    note: Note | None,
    path: str | None,
    files: dict[str, SeenFile],
    outcome: VaultOutcome,
    links: Sequence[str],
) -> _Waiting | None:
    """Take one file away, or say how it is to be written; its place is taken from then on."""
    if note is None or note.state is State.RETRACTED:
        if path is not None:
            _take_one_away(vault, note, path, files, outcome)
        return None
    document = vault.document_of(note)
    to_mark = vault.place.pages is Pages.MARKED and is_page(document) and mark_of(document) is None
    if to_mark:
        document = marked(document, note.id)
    content = file_bytes(document) if is_page(document) else with_links(file_bytes(document), links)
    target = _target(vault, document, path, files)
    if target is None:
        outcome.rivals.add(note.id)
        return None
    known = files.get(target)
    fingerprint = digest(content)
    if known is not None and known.digest == fingerprint:
        files[target] = replace(known, version=note.version)
        return None
    if known is not None and is_page(document) and known.version == note.version and target == path and not to_mark:
        return None  # a page says this version already, in bytes of its own
    if known is not None and is_page(document) and _keeps_a_secret(vault.place.folder / target):
        told = f"{target} is not brought in step with its note: it holds a secret, which memory does not keep."
        outcome.problems.append(Problem(target, "secret", told))
        return None
    files[target] = SeenFile(fingerprint, note.id, note.version)
    return _Waiting(Draft(target, content, known.digest if known else None), known, path)


def _take_one_away(
    vault: Vault, note: Note | None, path: str, files: dict[str, SeenFile], outcome: VaultOutcome
) -> None:
    if note is None and vault.log.tombstone(vault.space, files[path].note_id) is None:
        # Memory does not know it, as after a restore: it is taken in the next time, and never thrown away.
        files[path] = replace(files[path], version=0)
    elif take_away(vault.place.folder, path, over=files[path].digest):
        del files[path]
        outcome.removed += 1


def _put_down(
    vault: Vault, waiting: Sequence[_Waiting], files: dict[str, SeenFile], outcome: VaultOutcome, touched: set[Path]
) -> None:
    """Write files; the folders they are in are synced by the caller, once for all of them."""
    folder = vault.place.folder
    for each, status in zip(waiting, put(folder, [each.draft for each in waiting]), strict=True):
        target, path = each.draft.path, each.path
        if status is None:  # something else is there by now: it is looked at the next time
            if each.known is None:
                del files[target]
            else:
                files[target] = each.known
            continue
        seen = files[target]
        files[target] = SeenFile(seen.digest, seen.note_id, seen.version, *status)
        touched.add((folder / target).parent)
        outcome.written += 1
        if each.moves and path is not None and take_away(folder, path, over=files[path].digest):
            del files[path]


def _keeps_a_secret(page: Path) -> bool:
    """Whether a page would lose a key or a password if what memory has of it were written over it."""
    try:
        return holds_secret(page.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False


def _target(vault: Vault, document: Document, path: str | None, files: Mapping[str, SeenFile]) -> str | None:
    """Where a note's file goes; `None` if a page of another note is there.

    A page is at the same place on every machine. The file of another note stays where it is, unless its tree or its
    kind is another now.
    """
    proper = path_of(document)
    if is_page(document):
        if not is_safe_path(proper):
            return path if path is not None else _by_id(document)
        owner = files.get(proper)
        return proper if owner is None or owner.note_id == document.id else None
    if vault.place.names == "id" or not is_safe_path(proper) or _is_taken(document, proper, files):
        proper = _by_id(document)
    if path is None or _has_another_name(vault, document, path, files[path]):
        return proper
    tree, *between, _ = path.split("/")
    kind = document.fields["kind"] or document.fields["type"]
    of_another_kind = KINDS.intersection(between) - {kind}
    stays = (tree == LOCAL_TREE) == (tree_of(document) == LOCAL_TREE) and not of_another_kind
    return path if stays else proper


def _has_another_name(vault: Vault, document: Document, path: str, seen: SeenFile) -> bool:
    """Whether a file has the name that a note had, and the note has another one since two machines named it apart.

    A file that a person renamed keeps the name they gave it.
    """
    name = path.rpartition("/")[2]
    if vault.place.names == "id" or document.fields["vault_file"] in (None, name):
        return False
    versions = vault.store.versions(vault.space, [document.id])
    was = next((each for each in versions if each.version == seen.version), None)
    return was is not None and vault.document_of(was).fields["vault_file"] in (name, None)


def _by_id(document: Document) -> str:
    return f"{tree_of(document)}/{path_in_tree(document)}"


def _is_taken(document: Document, path: str, files: Mapping[str, SeenFile]) -> bool:
    owner = files.get(path)
    return owner is not None and owner.note_id != document.id
