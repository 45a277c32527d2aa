"""The vault of one space at work: where it is, the memory it belongs to, and what changed in that."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypeAlias

from recollect.domain.answers.vaults import Problem
from recollect.domain.changes import ChangeKind, Changes, Receipt
from recollect.domain.clock import Clock
from recollect.domain.dataclass import dataclass, field
from recollect.domain.notes import Note
from recollect.domain.origin import Channel, Origin
from recollect.domain.ports import Archive, Attachments, ChangeLog, Store, Upkeep
from recollect.domain.selections import current_notes
from recollect.vault.documents import Document, document_of, translated, with_fields
from recollect.vault.layout import Names
from recollect.vault.place import Place, VaultRecord

Apply: TypeAlias = Callable[[Changes], Receipt]

_PAGE = 1000
_MOST_KEPT = 20_000  # documents of notes that a round has made; 1 kB each is usual


@dataclass(frozen=True, slots=True)
class Vault:
    """The vault of one space at work: where it is, and the memory it belongs to."""

    place: Place
    space: str
    store: Store
    log: ChangeLog
    upkeep: Upkeep
    clock: Clock
    principal: str
    apply: Apply
    rehearsed: bool = False
    attachments: Attachments | None = None
    archive: Archive | None = None
    documents: dict[str, tuple[Note, Document]] = field(default_factory=dict)  # of notes made a moment ago
    whole: dict[int, dict[str, Note]] = field(default_factory=dict)  # all notes, as they were at the newest change
    known_names: list[Names] = field(default_factory=list)  # one, once it is asked for

    @property
    def names(self) -> Names:
        """The names of the files of notes that this machine made."""
        if not self.known_names:
            self.known_names.append(Names(self.place))
        return self.known_names[0]

    @property
    def origin(self) -> Origin:
        return Origin(Channel.VAULT_EDIT, self.principal)

    def all_notes(self, seq: int) -> dict[str, Note]:
        """Every note of the space by its id. They are read once for as long as `seq` is its newest change."""
        notes = self.whole.get(seq)
        if notes is None:
            notes = {note.id: note for note in current_notes(self.store, self.space)}
            self.whole.clear()
            if len(notes) <= _MOST_KEPT:
                self.whole[seq] = notes
        return notes

    def document_of(self, note: Note) -> Document:
        """The document of a note. One that was made from a document a moment ago is not translated again."""
        made, known = self.documents.get(note.id, (None, None))
        if known is not None and (made is note or made == note):
            document = known
            self.documents[note.id] = (note, known)  # the next one who asks has this very note, as a rule
        else:
            document = document_of(note, self.place.machine)
        name = self.names.of(note, document)
        return document if name == document.fields["vault_file"] else with_fields(document, {"vault_file": name})

    def may_be_on_a_line(self, note_id: str) -> bool:
        """Whether a note that was made a moment ago may give the value of an attribute."""
        made, _ = self.documents.get(note_id, (None, None))
        return made is None or made.attribute is not None

    def note_of(self, document: Document, *, before: Note | None, origin: Origin, at: datetime | None = None) -> Note:
        """The note that a document says; raises `Malformed`."""
        note, own = translated(
            document, space=self.space, machine=self.place.machine, before=before, origin=origin, at=at
        )
        self.keep(note, own)
        return note

    def keep(self, note: Note, document: Document) -> None:
        """Remember the document of a note that was made a moment ago, for as many as there is room for."""
        if note.id in self.documents or len(self.documents) < _MOST_KEPT:
            self.documents[note.id] = (note, document)


@dataclass(slots=True)
class VaultOutcome:
    """The outcome of a look at the folder."""

    taken_in: list[str] = field(default_factory=list)
    retracted: list[str] = field(default_factory=list)
    written: int = 0
    removed: int = 0
    held: tuple[str, ...] = ()
    problems: list[Problem] = field(default_factory=list)
    left_out: list[Problem] = field(default_factory=list)
    rivals: set[str] = field(default_factory=set)  # notes whose page is the page of another note
    record: VaultRecord | None = None  # of the files, as it was left on disk; `None`: nobody knows


@dataclass(slots=True)
class Synced:
    """The outcome of a sync: notes that came in and went out, what was held back, and what a person should look at."""

    received: set[str] = field(default_factory=set)
    sent: set[str] = field(default_factory=set)
    erased: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)
    behind: dict[str, Document | None] = field(default_factory=dict)  # what memory says where our head says more
    seq: int = 0  # the newest change of memory that our head reflects


def changed_since(vault: Vault, since: int) -> tuple[int, set[str] | None]:
    """The number of the newest change, and the notes changed since; `None` means: any may have."""
    space = vault.store.space(vault.space)
    newest = space.seq if space else 0
    if since == 0 or since > newest:
        return newest, None
    changed: set[str] = set()
    at = since
    while page := vault.log.changes_after(vault.space, at, limit=_PAGE):
        if any(each.kind in (ChangeKind.SPACE_RESTORED, ChangeKind.SPACE_DELETED) for each in page):
            return max(newest, page[-1].seq), None
        changed |= {
            each.record_id for each in page if each.kind in (ChangeKind.WRITTEN, ChangeKind.ADOPTED, ChangeKind.ERASED)
        }
        at = page[-1].seq
    return at, changed
