"""Commits of several machines become one: where each note would be, merged one by one with the right base.

The same heads give the same commit, byte for byte, wherever they are merged: heads are sorted, and a merge takes its
time from its parents. So machines that merge on their own agree without talking.

A note is rendered anew only when the change log names it. The file can be lost or thrown away at any time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import partial, reduce
from typing import TypeAlias

from recollect.disk import write_whole
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.notes import Kind, Note, State
from recollect.vault.documents import Document, Malformed, parsed, written
from recollect.vault.git import GitCommit, GitRepository, blob_id
from recollect.vault.layout import PORTABLE_TREE, path_in_tree, tree_of
from recollect.vault.merge import merged_or_gone
from recollect.vault.open_vault import Vault, changed_since

ERASED = "erased"  # the folder of the ids of notes that were forgotten: nothing but their names
MERGER = "recollect"  # the author of merges, which are nobody's own

_SORTED_OUT = 16  # commits whose files are kept at hand
_DEEPEST = 3  # bases of bases of …; beyond that the first of them stands for all


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a commit: of each note where it is and what it holds, who was forgotten, and whatever else."""

    notes: dict[str, tuple[str, str]] = field(default_factory=dict)
    erased: frozenset[str] = frozenset()
    others: dict[str, str] = field(default_factory=dict)

    def by_path(self) -> dict[str, str]:
        told = dict(self.others)
        told.update((path, blob) for note_id, (path, blob) in self.notes.items() if note_id not in self.erased)
        told.update((f"{ERASED}/{note_id}", _EMPTY) for note_id in self.erased)
        return told


_EMPTY = blob_id(b"")


def files_of(repository: GitRepository, commit: str | None) -> Files:
    """The files of a commit, sorted out once. Nobody changes them."""
    known = repository.sorted_out.get(commit or "")
    if isinstance(known, Files):
        return known
    notes: dict[str, tuple[str, str]] = {}
    others: dict[str, str] = {}
    erased: set[str] = set()
    for path, blob in sorted(repository.files(commit).items()):
        folder, _, name = path.rpartition("/")
        if folder == ERASED:
            erased.add(name)
        elif folder and name.endswith(".md"):
            notes[name.removesuffix(".md")] = (path, blob)
        else:
            others[path] = blob
    found = Files(notes, frozenset(erased), others)
    if len(repository.sorted_out) >= _SORTED_OUT:
        repository.sorted_out.clear()
    repository.sorted_out[commit or ""] = found
    return found


def kept(repository: GitRepository, files: Files) -> str:
    """The tree of some files."""
    if files.erased:
        repository.keep([b""])
    return repository.tree(files.by_path())


def merged_heads(repository: GitRepository, heads: Iterable[str]) -> str | None:
    """One commit that has everything the heads have; one of them, if it has that already."""
    apart = repository.independent(heads)
    return reduce(partial(_merged, repository), apart) if apart else None


def _merged(repository: GitRepository, one: str, two: str) -> str:
    found = repository.commits([one, two])
    base = _Bases(repository).of(one, two)
    tree = kept(repository, merged_files(repository, base, files_of(repository, one), files_of(repository, two)))
    at = max(each.at for each in found.values())
    return repository.commit(tree, sorted((one, two)), author=MERGER, at=at, message="merge")


@dataclass(slots=True)
class _Bases:
    """The merge bases of pairs of commits.

    Machines that merge at the same time have several bases in common: those are merged first, with their own bases.
    Each pair is worked out once.
    """

    repository: GitRepository
    known: dict[tuple[str, str, int], Files] = field(default_factory=dict)

    def of(self, one: str, two: str, depth: int = 0) -> Files:
        place = (min(one, two), max(one, two), depth)
        if place not in self.known:
            self.known[place] = self._found(one, two, depth)
        return self.known[place]

    def _found(self, one: str, two: str, depth: int) -> Files:
        bases = self.repository.bases(one, two)
        if not bases:
            return Files()
        base = files_of(self.repository, bases[0])
        for other in bases[1:] if depth < _DEEPEST else ():
            below = self.of(bases[0], other, depth + 1)
            base = merged_files(self.repository, below, base, files_of(self.repository, other))
        return base


def merged_files(repository: GitRepository, before: Files, ours: Files, theirs: Files) -> Files:
    """All notes of both sides, each merged with what both knew of it. Who was forgotten stays so."""
    erased = ours.erased | theirs.erased
    notes: dict[str, tuple[str, str]] = {}
    clashing: list[str] = []
    for note_id in sorted({*ours.notes, *theirs.notes}):
        old, one, two = (side.notes.get(note_id) for side in (before, ours, theirs))
        if note_id in erased:
            continue
        if one == two or two == old:
            chosen = one
        elif one == old:
            chosen = two
        else:
            clashing.append(note_id)
            continue
        if chosen is not None:
            notes[note_id] = chosen
    notes.update(_settled(repository, before, ours, theirs, clashing))
    others = {
        path: max(filter(None, (ours.others.get(path), theirs.others.get(path))))
        for path in {*ours.others, *theirs.others}
    }
    return Files(notes, erased, others)


def _settled(
    repository: GitRepository, before: Files, ours: Files, theirs: Files, note_ids: Iterable[str]
) -> dict[str, tuple[str, str]]:
    """Notes that both sides changed, merged field by field."""
    sides = {note_id: tuple(side.notes.get(note_id) for side in (before, ours, theirs)) for note_id in note_ids}
    contents = repository.contents(each[1] for three in sides.values() for each in three if each)
    settled: dict[str, tuple[str, str]] = {}
    fresh: dict[str, bytes] = {}
    for note_id, (old, one, two) in sides.items():
        try:
            document = merged_or_gone(*(_document(contents, each) for each in (old, one, two)))
        except Malformed:  # not ours: what can be read, or else the same on every machine
            settled[note_id] = max(filter(None, (one, two)), key=lambda each: (_is_document(contents, each), each))
            continue
        if document is not None:
            content = written(document)
            settled[note_id] = (path_in_tree(document), blob_id(content))
            fresh[note_id] = content
    repository.keep(fresh.values())
    return settled


def _is_document(contents: Mapping[str, bytes], entry: tuple[str, str]) -> bool:
    try:
        return _document(contents, entry) is not None
    except Malformed:
        return False


def _document(contents: Mapping[str, bytes], entry: tuple[str, str] | None) -> Document | None:
    return None if entry is None else parsed(contents[entry[1]])


# -- erasing -----------------------------------------------------------------------------------------------------------


def paths_of(note_ids: Iterable[str]) -> list[str]:
    """Every place at which a repository may have the note."""
    return [f"{kind.value}/{note_id}.md" for note_id in sorted(note_ids) for kind in Kind]


def without(repository: GitRepository, head: str, note_ids: frozenset[str]) -> str:
    """The head of the same history in which some notes never were.

    Every machine rewrites a commit into the same one, so what they have in common stays common.
    """
    note_ids -= files_of(repository, head).erased  # whoever says that they are forgotten has done this already
    if not note_ids or not repository.touching(head, paths_of(note_ids)):
        return head
    rewritten: dict[str, str] = {}
    history = repository.history(head, limit=1_000_000)
    for oid, commit in _oldest_first(repository.commits(history)):
        files = files_of(repository, oid)
        parents = tuple(rewritten.get(each, each) for each in commit.parents)
        if parents == commit.parents and not note_ids & files.notes.keys():
            continue
        left = {note_id: entry for note_id, entry in files.notes.items() if note_id not in note_ids}
        tree = kept(repository, replace(files, notes=left))
        rewritten[oid] = repository.keep_commit(replace(commit, tree=tree, parents=parents))
    return rewritten.get(head, head)


def _oldest_first(commits: Mapping[str, GitCommit]) -> list[tuple[str, GitCommit]]:
    """Commits, each after its parents."""
    told: dict[str, GitCommit] = {}
    waiting = list(commits)
    while waiting:
        oid = waiting[-1]
        missing = [each for each in commits[oid].parents if each in commits and each not in told]
        if missing and oid not in told:
            waiting += missing
            continue
        waiting.pop()
        told.setdefault(oid, commits[oid])
    return list(told.items())


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
        entries = {note.id: entry_of(vault, note) for note in vault.all_notes(seq).values()}
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
