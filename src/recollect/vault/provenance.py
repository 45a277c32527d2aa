"""How it came to be, for people: revisions of all machines, what each changed, who wrote which line.

Revisions are commits of the private repository, told in notes and not in files. Lines are told from the versions in
memory, which also know in whose name and through which door each was written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from difflib import SequenceMatcher, unified_diff

from recollect.domain.answers.vaults import (
    Blame,
    BlamedLine,
    Difference,
    Log,
    Machine,
    Machines,
    Revision,
    RevisionDetail,
)
from recollect.domain.errors import NotFound
from recollect.domain.notes import FILE_MATTERS, Note
from recollect.domain.selections import current_notes
from recollect.vault.commits import MERGER, Files, files_of
from recollect.vault.documents import Document, document_of, written
from recollect.vault.git import GitCommit, GitRepository
from recollect.vault.open_vault import Vault
from recollect.vault.sync import own_ref

_FURTHEST = 10_000  # commits that are looked through


def log(vault: Vault, *, limit: int) -> Log:
    """The newest revisions of all machines, newest first. Merges are nobody's doing, and not told."""
    repository = GitRepository(vault.place.repository)
    told: list[Revision] = []
    for commit in _commits(vault, repository):
        revision = _revision(repository, commit)
        if revision.machine != MERGER and _says_something(revision):
            told.append(revision)
        if len(told) == limit:
            break
    return Log(tuple(told), vault.place.machine)


def detail(vault: Vault, revision: str) -> RevisionDetail:
    """One revision, found by the beginning of its id, with what it changed in each note."""
    repository = GitRepository(vault.place.repository)
    commit = found(vault, repository, revision)
    after, before = _sides(repository, commit)
    changed = changed_notes(before, after)
    contents = repository.contents(
        side.notes[note_id][1] for note_id in changed for side in (before, after) if note_id in side.notes
    )

    def lines(files: Files, note_id: str) -> list[str]:
        entry = files.notes.get(note_id)
        return [] if entry is None else contents[entry[1]].decode("utf-8", "replace").splitlines()

    parent = commit.parents[0][:12] if commit.parents else ""
    differences = (
        _difference(note_id, parent, commit.id[:12], lines(before, note_id), lines(after, note_id))
        for note_id in changed
    )
    return RevisionDetail(_revision(repository, commit), tuple(differences))


def difference(versions: Sequence[Note], machine: str, since: int | None) -> Difference:
    """Compare the newest version of a note with the one before; with an earlier one, if its number is given."""
    newest = versions[-1]
    earlier = [note for note in versions[:-1] if since is None or note.version <= since]
    before = [] if not earlier else _lines(document_of(earlier[-1], machine))
    name = f"version {earlier[-1].version}" if earlier else ""
    return _difference(newest.id, name, f"version {newest.version}", before, _lines(document_of(newest, machine)))


def blame(versions: Sequence[Note], machine: str) -> Blame:
    """Of each line of a note's file, the version that brought it."""
    told: list[tuple[str, Note]] = []
    for version in versions:
        lines = _lines(document_of(version, machine))
        runs = SequenceMatcher(None, [line for line, _ in told], lines, autojunk=False).get_opcodes()
        told = [
            each
            for tag, start, end, there, to in runs
            for each in (told[start:end] if tag == "equal" else [(line, version) for line in lines[there:to]])
        ]
    return Blame(
        versions[-1].id,
        tuple(
            BlamedLine(line, note.version, note.updated_at, note.origin.principal, note.origin.channel.value)
            for line, note in told
        ),
    )


def machines(vault: Vault) -> Machines:
    """The machines that share this memory, the one heard of last first."""
    repository = GitRepository(vault.place.repository)
    revisions: Counter[str] = Counter()
    seen: dict[str, int] = {}
    for commit in _commits(vault, repository):
        if commit.author != MERGER:
            revisions[commit.author] += 1
            seen[commit.author] = max(commit.at, seen.get(commit.author, 0))
    notes = Counter(_maker(note, vault.place.machine) for note in current_notes(vault.store, vault.space))
    told = (
        Machine(name, name == vault.place.machine, datetime.fromtimestamp(at, UTC), revisions[name], notes[name])
        for name, at in seen.items()
    )
    return Machines(tuple(sorted(told, key=lambda each: (each.last_seen, each.name), reverse=True)))


def found(vault: Vault, repository: GitRepository, revision: str) -> GitCommit:
    """The commit whose id begins so; raises `NotFound` if there is none, or more than one."""
    asked = revision.strip().lower()
    fitting = [each for each in _commits(vault, repository) if asked and each.id.startswith(asked)]
    if len(fitting) != 1:
        raise NotFound(
            f"There is no revision `{revision[:40]}`." if not fitting else f"Several revisions begin with `{asked}`.",
            code="revision_not_found",
            hint="`recollect log` shows them.",
        )
    return fitting[0]


def sides(repository: GitRepository, commit: GitCommit) -> tuple[Files, Files]:
    """The files before a commit, and after it."""
    after, before = _sides(repository, commit)
    return before, after


def changed_notes(before: Files, after: Files) -> list[str]:
    """The notes that two states say something different of."""
    both = {*before.notes, *after.notes}
    return sorted(each for each in both if before.notes.get(each) != after.notes.get(each))


def _commits(vault: Vault, repository: GitRepository) -> Iterable[GitCommit]:
    if not (repository.path / "HEAD").exists():
        return ()
    head = repository.ref(own_ref(vault))
    if head is None:
        return ()
    order = repository.history(head, limit=_FURTHEST)
    commits = repository.commits(order)
    return [commits[each] for each in order]


def _sides(repository: GitRepository, commit: GitCommit) -> tuple[Files, Files]:
    parent = commit.parents[0] if commit.parents else None
    return files_of(repository, commit.id), files_of(repository, parent)


def _revision(repository: GitRepository, commit: GitCommit) -> Revision:
    after, before = _sides(repository, commit)
    changed = changed_notes(before, after)
    return Revision(
        id=commit.id,
        machine=commit.author,
        at=datetime.fromtimestamp(commit.at, UTC),
        written=tuple(each for each in changed if each not in before.notes),
        changed=tuple(each for each in changed if each in before.notes and each in after.notes),
        removed=tuple(each for each in changed if each not in after.notes),
        erased=tuple(sorted(after.erased - before.erased)),
    )


def _says_something(revision: Revision) -> bool:
    return bool(revision.written or revision.changed or revision.removed or revision.erased)


def _difference(note_id: str, before: str, after: str, old: Sequence[str], new: Sequence[str]) -> Difference:
    lines = list(unified_diff(old, new, lineterm="", n=2))[2:]
    return Difference(note_id, before, after, tuple(lines))


def _lines(document: Document) -> list[str]:
    return written(document).decode().splitlines()


def _maker(note: Note, machine: str) -> str:
    kept = note.metadata.get(FILE_MATTERS)
    return note.scope.machine or (kept.get("machine_id") if isinstance(kept, dict) else None) or machine
