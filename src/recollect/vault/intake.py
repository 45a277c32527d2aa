"""From the folder to memory: what changed, which note each file is, and the next version of that note."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from recollect.domain.answers.vaults import Problem
from recollect.domain.changes import Changes, WriteNote
from recollect.domain.clock import checked_id
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.errors import InvalidInput, RecollectError
from recollect.domain.notes import Note, State, revised
from recollect.vault.attached_files import without_links
from recollect.vault.documents import LARGEST, Document, Malformed, parsed, stand_in_title, with_fields
from recollect.vault.folder import FoundFile, Stat, digest
from recollect.vault.layout import path_of, scope_at, tree_of
from recollect.vault.merge import merged
from recollect.vault.open_vault import Vault, VaultOutcome
from recollect.vault.pages import Tracks, file_bytes, is_own_document, is_page, page
from recollect.vault.pages import edited as edited_page
from recollect.vault.place import NAMED_BY_ID, SeenFile, VaultRecord

HELD_FROM = 4  # files: fewer than so many that vanish at once are believed
HELD_SHARE = 0.2  # of all files; more than that is taken for an accident until a person says otherwise


@dataclass(frozen=True, slots=True)
class Plan:
    """Changes found in the files: edited ones with what they say now, those that are gone, those held, and problems.

    The document of a page has no id: which note it is depends on where it is, and on what memory knows.
    """

    edited: Mapping[str, Document]
    contents: Mapping[str, bytes]
    gone: tuple[str, ...]
    held: tuple[str, ...]
    problems: tuple[Problem, ...]


def planned(
    seen: Mapping[str, SeenFile], found: FoundFile, *, accept: bool = False, pages: Collection[str] = ()
) -> Plan:
    """Tell edits from what we wrote ourselves, by their digests; and deletions from accidents, by their number.

    `pages` are the ids of notes whose files are pages; a file of any other note must be a document of ours.
    """
    problems = list(found.problems)
    alike = Counter(path.casefold() for path in found.stats)
    edited: dict[str, Document] = {}
    contents: dict[str, bytes] = {}
    for path, content in sorted(found.content.items()):
        if content is None:
            problems.append(_malformed(path, f"it is larger than {LARGEST:,} bytes"))
            continue
        if path in seen and seen[path].version and seen[path].digest == digest(content):
            continue
        if alike[path.casefold()] > 1:
            problems.append(
                Problem(path, "name_clash", f"{path} differs from another file in the case of its letters only.")
            )
            continue
        try:
            document = _document(content, path, seen.get(path), pages)
        except Malformed as problem:
            problems.append(_malformed(path, str(problem)))
            continue
        edited[path], contents[path] = _in_its_tree(document, path), content
    missing = tuple(sorted(path for path in seen if path not in found.stats))
    hidden = tuple(path for path in missing if path.rpartition("/")[0] not in found.folders)
    is_accident = len(missing) >= HELD_FROM and len(missing) > HELD_SHARE * len(seen)
    held = () if accept else missing if is_accident else hidden
    return Plan(edited, contents, tuple(path for path in missing if path not in held), held, tuple(problems))


def _document(content: bytes, path: str, known: SeenFile | None, pages: Collection[str]) -> Document:
    """Parse a file: as a document of ours if it has an id of ours, or had one when we last looked; else as a page."""
    is_ours = known is not None and known.version and known.note_id not in pages
    if is_ours or is_own_document(content) or NAMED_BY_ID.search(path):
        return parsed(without_links(content))
    if _CLASH.search(content):
        raise Malformed("a merge left its marks in it, such as `<<<<<<<`")
    return page(content, path)


_CLASH = re.compile(rb"^<{7} \S", re.M)


def _in_its_tree(document: Document, path: str) -> Document:
    return replace(document, fields={**document.fields, "scope": scope_at(path)})


def _malformed(path: str, why: str) -> Problem:
    return Problem(path, "malformed", f"{path} is not taken for a note: {why}.")


_AT_A_TIME = 500  # notes written in one transaction


def taken_in(
    vault: Vault, known: VaultRecord, found: FoundFile, *, accept: bool
) -> tuple[dict[str, SeenFile], VaultOutcome, set[str]]:
    """Files as they are now, what came of them, and the notes whose files have to be written again."""
    tracks = Tracks(vault, known.files, found)
    plan = planned(known.files, found, accept=accept, pages=tracks.notes_of_pages())
    files = {path: _resized(seen, found, path) for path, seen in known.files.items()}
    outcome = VaultOutcome(held=plan.held, problems=list(plan.problems), left_out=list(found.left_out))
    again: set[str] = set()
    owners = tracks.owners
    by_note = {seen.note_id: seen for seen in known.files.values()}
    edits: list[tuple[str, Note]] = []
    edited: dict[str, SeenFile] = {}
    for path, document in plan.edited.items():
        try:
            note_id = (
                tracks.note_at(path, plan.contents[path], document) if is_page(document) else _id_of(document, path)
            )
            if owners.setdefault(note_id, path) != path:
                raise Malformed(f"note {note_id} has a file already, {owners[note_id]}")
            seen, note = _read(vault, note_id, document, path, plan.contents[path], by_note.get(note_id))
        except Malformed as problem:
            told = f"{path} is not taken in: {problem}."
            outcome.problems.append(Problem(path, "malformed", told))
            continue
        edited[path] = _with_stat(seen, found.stats[path])
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


def _resized(seen: SeenFile, found: FoundFile, path: str) -> SeenFile:
    """The file as we saw it, with the size and time that it has now if its content is still the same."""
    content = found.content.get(path)
    if content is None or digest(content) != seen.digest:
        return seen
    return _with_stat(seen, found.stats[path])


def _with_stat(seen: SeenFile, stat: Stat) -> SeenFile:
    return SeenFile(seen.digest, seen.note_id, seen.version, *stat)


def _id_of(document: Document, path: str) -> str:
    """The id a file gives its note; by its name, if it does not say."""
    try:
        return checked_id(document.id or path.rpartition("/")[2].removesuffix(".md"))
    except InvalidInput:
        raise Malformed("it has no `id` of 26 letters and digits, nor is it named by one") from None


def _read(
    vault: Vault, note_id: str, document: Document, path: str, content: bytes, seen: SeenFile | None
) -> tuple[SeenFile, Note | None]:
    """Read a changed file: as some version of its note, which is no edit, or else as the note's next version."""
    if vault.log.tombstone(vault.space, note_id) is not None:
        raise Malformed(_FORGOTTEN_PAGE if is_page(document) else f"note {note_id} was forgotten, and {_FORGOTTEN}")
    versions = vault.store.versions(vault.space, [note_id])
    document = replace(document, fields={**document.fields, "id": note_id})
    put_back = is_page(document) and bool(versions) and versions[-1].state is State.RETRACTED
    same = None if put_back else _same_version(vault, document, content, versions)
    if same is not None:
        return SeenFile(digest(content), note_id, same.version), None
    if not versions:
        return SeenFile(digest(content), note_id, 1), vault.note_of(
            _first(vault, document, path), before=None, origin=vault.origin
        )
    current = versions[-1]
    if seen is not None and not seen.version and seen.digest == digest(content):
        return seen, None  # we wrote it from a version that memory no longer has, and nobody has edited it since
    here = vault.document_of(current)
    told = _as_edit(document, here)
    if (told.stamp < here.stamp or is_page(document)) and not put_back:
        told = merged(None, here, told)  # unless it is known what it was made from
    # The one it was made from, by our record or else by the time it still bears.
    for version in () if put_back else versions:
        if version.version == seen.version if seen else version.updated_at.isoformat() == document.stamp:
            was = vault.document_of(version)
            told = merged(was, here, _with_its_title(_as_edit(document, was), was))
    note = vault.note_of(told, before=current, origin=vault.origin, at=vault.clock.now())
    return SeenFile(digest(content), note_id, note.version), note


def _same_version(vault: Vault, document: Document, content: bytes, versions: Sequence[Note]) -> Note | None:
    """The newest version that a file says word for word, where it stands; `None` if it was edited."""
    told_by_file = content if is_page(document) else without_links(content)
    for version in reversed(versions):
        was = vault.document_of(version)
        if _is_at(was, document) and file_bytes(was) == told_by_file:
            return version
    return None


_FORGOTTEN = "cannot come back; save it anew under another id"
_FORGOTTEN_PAGE = "the note of this page was forgotten, and cannot come back; give the page another name"


def _is_at(was: Document, document: Document) -> bool:
    """Whether a version was in the same tree, and the page of one at the same place."""
    place = "vault_file" if is_page(document) else "vault_page"
    return tree_of(was) == tree_of(document) and was.fields[place] == document.fields[place]


def _first(vault: Vault, document: Document, path: str) -> Document:
    """The document of a note that memory does not have yet, with the times and the name that it needs."""
    now = vault.clock.now().isoformat()
    said = {name: document.fields[name] or now for name in ("created_at", "updated_at")}
    if not is_page(document):
        folder, _, name = path.rpartition("/")
        by_id = name.removesuffix(".md").upper() == document.id
        said["vault_file"] = name if not by_id and folder == path_of(document).rpartition("/")[0] else None
        said["vault_page"] = None
    return replace(document, fields={**document.fields, **said})


def _as_edit(document: Document, was: Document) -> Document:
    """The document of a file, completed with the fields that it need not say because the note has them."""
    if is_page(document):
        return edited_page(was, document) if is_page(was) else with_fields(document, {"updated_at": was.stamp})
    return with_fields(document, {"vault_file": was.fields["vault_file"], "vault_page": None})


def _with_its_title(document: Document, was: Document) -> Document:
    """A title that stood in for none follows the text that was edited below it."""
    follows = document.fields["title"] == was.fields["title"] == stand_in_title(was.text)
    return with_fields(document, {"title": stand_in_title(document.text)}) if follows else document


def _written(vault: Vault, edits: Sequence[tuple[str, Note]], outcome: VaultOutcome) -> Iterator[tuple[str, Note]]:
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
