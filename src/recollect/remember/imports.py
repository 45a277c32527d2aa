"""Lines of an export come back as notes: each edit screened, each version at its place.

A line that is broken is reported with its number and the others still come in, so that running the import again
brings only what is missing. A file can claim any origin: without `trust` the importer is the origin of everything, and
what a note claims is kept beside it. With it the file is believed, up to the authority the caller could give.

A file is only believed about its own origin when the importer vouches for it (`trust`). Otherwise everything in it is
quoted by the importer, now, and nothing in it can end, change or erase what a person said here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, TypeAlias

from recollect.codecs.plain import (
    EXPORT_FORMAT,
    EXPORT_HEADER,
    action_from_plain,
    note_from_plain,
    observation_from_plain,
    refutation_from_plain,
    session_from_plain,
    slot_from_plain,
)
from recollect.domain.answers.recollections import ImportFailure, ImportReport
from recollect.domain.changes import (
    AddObservation,
    AdoptAction,
    AdoptNote,
    AdoptSlot,
    ChangeKind,
    Changes,
    Edit,
    EraseNote,
    KeepAttachment,
    OpenSession,
    OpenSpace,
    Receipt,
    RefuteLink,
)
from recollect.domain.clock import checked_id
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.desk import Action, Slot
from recollect.domain.errors import Conflict, Erased, InvalidInput, RecollectError
from recollect.domain.links.statement_link import StatementLink, StatementLinks
from recollect.domain.notes import CLAIMED, Note, State, checked_note
from recollect.domain.observations import Observation
from recollect.domain.origin import Authority, Caller, lowest, rank
from recollect.domain.ports import Archive, ChangeLog, Desk, Lineage, Store
from recollect.domain.scopes import checked_space
from recollect.domain.trust.authority_table import authority_of
from recollect.domain.trust.claims import essence, importer_of, taken_in
from recollect.domain.trust.disputes import why_disputed, why_forgotten, why_unsupported, with_dispute, with_mark
from recollect.redaction.clean_records import without_secrets
from recollect.remember.suspicion import why_suspected

_TICK = timedelta(microseconds=1)  # between two versions that are taken in together

Screened: TypeAlias = Edit | RecollectError | None  # `None`: it is here already


@dataclass(frozen=True, slots=True)
class ImportScreen:
    """The importer, the time and the stores of an import; with `trust` the file is believed about its origin."""

    store: Store
    lineage: Lineage
    log: ChangeLog
    archive: Archive
    desk: Desk
    links: StatementLinks
    caller: Caller
    at: datetime
    trust: bool = False

    def screened(self, space: str, edits: Sequence[Edit]) -> Iterator[Screened]:
        """Each edit in its turn."""
        noted = [edit.note for edit in edits if isinstance(edit, AdoptNote)]
        said = [edit.observation.id for edit in edits if isinstance(edit, AddObservation)]
        here = _Here.of(self.store, self.log, space, noted, self.archive.those(space, said) if said else {})
        for edit in edits:
            try:
                yield self._screened(space, edit, here)
            except RecollectError as problem:
                yield problem

    def _screened(self, space: str, edit: Edit, here: _Here) -> Screened:
        match edit:
            case AdoptNote(note):
                return self._note(note, here)
            case AdoptSlot(slot):
                return self._slot(space, slot)
            case AdoptAction(action):
                return self._action(space, action)
            case RefuteLink(link):
                return self._refuted(space, link)
            case EraseNote(record_id) if not self.trust:
                self._require_lower(space, record_id)
                return edit
            case OpenSession(session) if not self.trust:
                return OpenSession(replace(session, origin=self._importer.origin(session.origin.source)))
            case AddObservation(said):
                return self._said(said, here.said.get(said.id))
            case _:
                return edit

    @property
    def _importer(self) -> Caller:
        return importer_of(self.caller)

    def _believed(self, authority: Authority) -> Authority:
        """The authority something gets: what it claims, but no more than the importer could give."""
        return lowest([authority, self.caller.ceiling if self.trust else Authority.QUOTED])

    def _note(self, note: Note, here: _Here) -> AdoptNote | None:
        versions = here.versions.get(note.id, {})
        if note.version in versions:
            # A secret that the file still has, or an earlier version of the program stored, makes no difference.
            if without_secrets(essence(versions[note.version])) == without_secrets(essence(note)):
                return None
            raise Conflict(
                f"Version {note.version} of note {note.id} is here already and says something else.",
                code="version_differs",
                hint="The two were changed apart from each other; update the note to what it should say.",
            )
        if self.trust:
            return AdoptNote(replace(note, authority=self._believed(note.authority)))
        current = versions[max(versions)] if versions else None
        if current is not None and rank(current.authority) > rank(Authority.QUOTED):
            raise _outranked(f"Note {note.id}", current.authority)
        taken = self._dated(note, versions)
        higher = [each for each in note.supersedes if each in here.higher]
        if higher:
            taken = _contesting(taken, note, here.higher[higher[0]], higher)
        lost = next((here.lost[each] for each in (*note.derived_from, *note.depends_on) if each in here.lost), None)
        for why in filter(None, (why_suspected(self._importer, taken), lost)):
            taken = replace(taken, review=with_mark(why, taken.review))
        here.versions.setdefault(note.id, {})[note.version] = taken
        return AdoptNote(checked_note(taken))

    def _said(self, said: Observation, here: Observation | None) -> AddObservation | None:
        if here is not None:
            same = replace(
                here, position=said.position, origin=said.origin, recorded_at=said.recorded_at, standing=said.standing
            )
            if said.scope.includes(here.scope):  # parts that were not said came from the session
                same = replace(same, scope=said.scope)
            if without_secrets(same) == without_secrets(said):
                return None
        if self.trust:
            return AddObservation(said)
        return AddObservation(replace(said, origin=self._importer.origin(said.origin.source), recorded_at=self.at))

    def _dated(self, note: Note, versions: dict[int, Note]) -> Note:
        """The note, written down now: after the version before it, before the one after it."""
        at = self.at + (note.version - 1) * _TICK
        before = max((each for each in versions if each < note.version), default=None)
        after = min((each for each in versions if each > note.version), default=None)
        if before is not None:
            at = max(at, versions[before].updated_at + (note.version - before) * _TICK)
        if after is not None:
            at = min(at, versions[after].updated_at - (after - note.version) * _TICK)
        recorded = min((each.recorded_at for each in versions.values()), default=self.at)
        return taken_in(note, self._importer, recorded_at=recorded, at=at)

    def _slot(self, space: str, slot: Slot) -> AdoptSlot | None:
        here = self.desk.slot(space, slot.label, slot.project)
        if here is not None and here.text:
            if (here.updated_at, here.version, here.id) >= (slot.updated_at, slot.version, slot.id):
                return None
            if (here.id, here.text, here.description) == (slot.id, slot.text, slot.description):
                return None
            if not self.trust and rank(here.authority) > rank(Authority.QUOTED):
                raise _outranked(f"The slot `{slot.label}`", here.authority)
        slot = replace(slot, authority=self._believed(slot.authority))
        if self.trust:
            return AdoptSlot(slot)
        origin = self._importer.origin(slot.origin.source)
        return AdoptSlot(replace(slot, origin=origin, pinned=False, updated_at=min(slot.updated_at, self.at)))

    def _refuted(self, space: str, link: StatementLink) -> RefuteLink | None:
        """A person's word on a link, unless it is here already or is about what ranks higher than the file."""
        ends = [link.older, link.newer]
        if any(each.is_refuted and [each.older, each.newer] == ends for each in self.links.links_of(space, ends)):
            return None
        if not self.trust:
            ranks = [note.authority for note in self.store.current(space, ends).values()]
            ranks += [authority_of(said) for said in self.archive.those(space, ends).values()]
            for higher in filter(lambda each: rank(each) > rank(Authority.QUOTED), ranks):
                raise _outranked(f"One of {link.older} and {link.newer}", higher)
            link = link.refuted(min(link.refuted_at or self.at, self.at), self._importer.principal)
        return RefuteLink(link)

    def _action(self, space: str, action: Action) -> AdoptAction | None:
        here = self.desk.action(space, action.id)
        if here is not None:
            if (here.updated_at, here.version) >= (action.updated_at, action.version):
                return None
            if replace(here, updated_at=action.updated_at, origin=action.origin, authority=action.authority) == action:
                return None
            if not self.trust and rank(here.authority) > rank(Authority.QUOTED):
                raise _outranked(f"Action {action.id}", here.authority)
        action = replace(action, authority=self._believed(action.authority))
        if self.trust:
            return AdoptAction(action)
        origin = self._importer.origin(action.origin.source)
        return AdoptAction(replace(action, origin=origin, updated_at=min(action.updated_at, self.at)))

    def _require_lower(self, space: str, record_id: str) -> None:
        """Raise if what a tombstone would erase was said by a person, or is what a person's word was read from."""
        note = self.store.note(space, record_id)
        if note is None:
            read = [each for relation, each in self.lineage.links_to(space, record_id) if relation == "derived_from"]
            found: list[Note | Slot | Action] = list(self.store.current(space, read).values())
            found += (slot for slot in self.desk.slots(space) if slot.id == record_id and slot.text)
            found += filter(None, [self.desk.action(space, record_id)])
            said = self.archive.observation(space, record_id)
            if said is not None and rank(authority_of(said)) > rank(Authority.QUOTED):
                raise _outranked(f"Message {record_id}", authority_of(said))
        else:
            found = [note]
        for each in found:
            if rank(each.authority) > rank(Authority.QUOTED):
                raise _outranked(f"What {record_id} says", each.authority)


@dataclass(frozen=True, slots=True)
class _Here:
    """The records here already: of the notes and messages that come, and notes of a higher authority that they name."""

    versions: dict[str, dict[int, Note]]
    higher: dict[str, Note]
    said: Mapping[str, Observation]
    lost: dict[str, str]  # sources of theirs that were taken back here, and why what is made from them is marked

    @classmethod
    def of(
        cls, store: Store, log: ChangeLog, space: str, noted: Sequence[Note], said: Mapping[str, Observation]
    ) -> _Here:
        versions: dict[str, dict[int, Note]] = {}
        ids = list(dict.fromkeys(note.id for note in noted))
        for note in store.versions(space, ids) if ids else ():
            versions.setdefault(note.id, {})[note.version] = note
        named = list(dict.fromkeys(each for note in noted for each in note.supersedes))
        sources = [each for note in noted for each in (*note.derived_from, *note.depends_on)]
        wanted = list(dict.fromkeys((*named, *sources)))
        current = store.current(space, wanted) if wanted else {}
        higher = {
            each: current[each]
            for each in named
            if each in current and rank(current[each].authority) > rank(Authority.QUOTED)
        }
        lost: dict[str, str] = {}
        for each in dict.fromkeys(sources):
            parent = current.get(each)
            if parent is not None:
                why = why_unsupported(parent)
            else:
                why = None if log.tombstone(space, each) is None else why_forgotten(each)
            if why is not None:
                lost[each] = why
        return cls(versions, higher, said, lost)


def _contesting(taken: Note, note: Note, higher: Note, names: Sequence[str]) -> Note:
    """A note that claims to have taken over from one of a higher authority, as a proposal."""
    claim = {**taken.metadata[CLAIMED], "supersedes": list(names)}
    supersedes = tuple(each for each in note.supersedes if each not in names)
    if note.state is not State.ACTIVE:
        return replace(taken, supersedes=supersedes, metadata={**taken.metadata, CLAIMED: claim})
    claim |= {"state": note.state.value, "related": list(note.related)}
    return replace(
        taken,
        state=State.DISPUTED,
        supersedes=supersedes,
        related=tuple(dict.fromkeys((*note.related, higher.id))),
        review=why_disputed(higher),
        metadata=with_dispute({**taken.metadata, CLAIMED: claim}, higher.id, "supersede"),
    )


def _outranked(what: str, authority: Authority) -> InvalidInput:
    return InvalidInput(
        f"{what} has the authority `{authority.value}` here; what is imported is only quoted and cannot change it.",
        code="authority_too_low",
        hint="Import it with `--trust` if you vouch for the file, or into another space.",
    )


_TYPES = ("space", "note", "session", "observation", "attachment", "slot", "action", "refutation", "tombstone")

Apply: TypeAlias = Callable[[Changes], Receipt]


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    space: str
    edit: Edit


def import_lines(
    lines: Sequence[str], *, first_line: int, into: str | None, screen: ImportScreen, apply: Apply
) -> ImportReport:
    """Take lines in, space by space, as few transactions as possible; `screen` says what of them may be."""
    read: list[_Line] = []
    failures: list[ImportFailure] = []
    for number, text in enumerate(lines, start=first_line):
        try:
            understood = _understood(text, into)
            if understood is not None:
                read.append(_Line(number, *understood))
        except RecollectError as problem:
            failures.append(ImportFailure(number, problem.code, problem.message))

    imported = unchanged = erased = 0
    for space, group in groupby(read, key=lambda line: line.space):
        for line, outcome in _outcomes(list(group), space, screen, apply):
            match outcome:
                case Erased():
                    erased += 1
                case RecollectError():
                    failures.append(ImportFailure(line.number, outcome.code, outcome.message))
                case _ if isinstance(line.edit, OpenSpace | KeepAttachment):
                    pass  # what holds the records, and the bytes of their files, is not one of them
                case True:
                    imported += 1
                case _:
                    unchanged += 1
    return ImportReport(imported, unchanged, erased, tuple(sorted(failures, key=lambda failure: failure.line)))


def _outcomes(
    lines: Sequence[_Line], space: str, screen: ImportScreen, apply: Apply
) -> Iterator[tuple[_Line, bool | RecollectError]]:
    """The outcome of each line: taken in, here already, or why not."""
    wanted: list[_Line] = []
    for line, found in zip(lines, screen.screened(space, [line.edit for line in lines]), strict=True):
        if found is None or isinstance(found, RecollectError):
            yield line, found or False
        else:
            wanted.append(replace(line, edit=found))
    yield from _apply_all(wanted, space, screen.at, screen.caller, apply) if wanted else ()


def _apply_all(
    lines: Sequence[_Line], space: str, at: datetime, caller: Caller, apply: Apply
) -> list[tuple[_Line, bool | RecollectError]]:
    """All at once; if something stands in the way, in halves, until it is found."""
    try:
        receipt = apply(Changes(space, "import", at, caller.origin(), tuple(line.edit for line in lines)))
    except RecollectError as problem:
        if problem.retryable:
            raise
        if len(lines) == 1:
            return [(lines[0], problem)]
        middle = len(lines) // 2
        return [
            outcome
            for half in (lines[:middle], lines[middle:])
            for outcome in _apply_all(half, space, at, caller, apply)
        ]
    changed = {
        (change.record_id, change.version) for change in receipt.changes if change.kind is not ChangeKind.SPACE_OPENED
    }
    return [(line, _key(line.edit) in changed) for line in lines]


def _key(edit: Edit) -> tuple[str, int]:
    match edit:
        case AdoptNote(note):
            return note.id, note.version
        case EraseNote(note_id):
            return note_id, 0
        case OpenSession(session):
            return session.id, 0
        case AddObservation(observation):
            return observation.id, 0
        case AdoptSlot(slot):
            return slot.id, slot.version
        case AdoptAction(action):
            return action.id, action.version
        case RefuteLink(link):
            return link.newer, 0
        case _:
            return "", 0


def _understood(line: str, into: str | None) -> tuple[str, Edit] | None:
    """The space and the edit that a line asks for; `None` for the header and for empty lines."""
    if not line.strip():
        return None
    record = _record(line)
    kind = record.get("type")
    if kind == EXPORT_HEADER:
        if record.get("format") != EXPORT_FORMAT:
            raise InvalidInput(
                f"The export has format {record.get('format')!r}; this version reads format {EXPORT_FORMAT}.",
                code="unknown_format",
            )
        return None
    if kind not in _TYPES:
        raise InvalidInput(f"`{kind}` is not a type of record.", code="unknown_type")
    space = into or checked_space(record.get("space", record.get("name", "")))
    match kind:
        case "space":
            description = record.get("description", "")
            if not isinstance(description, str):
                raise InvalidInput("`description` must be text.", code="invalid_field")
            return space, OpenSpace(description, only_if_new=True)
        case "note":
            return space, AdoptNote(note_from_plain({**record, "space": space}))
        case "session":
            return space, OpenSession(session_from_plain({**record, "space": space}))
        case "observation":
            return space, AddObservation(observation_from_plain({**record, "space": space}))
        case "attachment":
            from recollect.codecs.attachments import attachment_from_plain

            return space, attachment_from_plain(record)
        case "slot":
            return space, AdoptSlot(slot_from_plain({**record, "space": space}))
        case "action":
            return space, AdoptAction(action_from_plain({**record, "space": space}))
        case "refutation":
            return space, RefuteLink(refutation_from_plain(record))
        case _:
            return space, EraseNote(checked_id(record.get("note_id", "")))


def _record(line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise InvalidInput(f"This is not JSON: {problem}.", code="invalid_json") from None
    if not isinstance(record, dict):
        raise InvalidInput("A line must be a JSON object.", code="invalid_json")
    return record
