"""Pure: something said meets what is known, and becomes edits with a reason.

Per subject, attribute and scope there is one line of time. Each thing said marks a moment on it; between two marks
the earlier value holds. So it does not matter in which order messages arrive: an older one that is read later finds
its place among the marks. What was said about the past never closes the present, and what was said of one person
never touches another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from recollect.domain.changes import WriteNote
from recollect.domain.clock import format_time, just_after, later_end
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.notes import ONCE_TRUE, Kind, Note, State, checked_note, revised
from recollect.domain.origin import Authority, rank
from recollect.domain.periods import Precision
from recollect.domain.readings import Polarity, Statement, Tense, is_denied
from recollect.domain.trust.disputes import dispute_of, settled, why_disputed, with_dispute
from recollect.remember.known_facts import FactFinding, same_value, start_of, sure_at

REINFORCEMENT = 0.1  # how much of the remaining doubt one more sighting takes away
_NEVER = datetime.max.replace(tzinfo=UTC)
MOST_SIGHTINGS = 64  # kept per note; the oldest are dropped, and with them only the power to split that far back


class FactAction(StrEnum):
    """The outcome of a statement."""

    ADDED = "added"
    REINFORCED = "reinforced"
    SUPERSEDED = "superseded"  # it took over from another note
    CORRECTED = "corrected"  # another note was never true
    HISTORICAL = "historical"  # it was true, and no longer is
    DISPUTED = "disputed"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True)
class Reconciled:
    """The edits to write, what they do, why, and the note that now says it."""

    edits: tuple[WriteNote, ...]
    action: FactAction
    reason: str
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class _Desk:
    """The inputs that every decision needs."""

    finding: FactFinding
    at: datetime
    space: str
    new_id: Callable[[], str]

    @property
    def statement(self) -> Statement:
        return self.finding.statement


def reconcile(
    finding: FactFinding, known: Sequence[Note], *, space: str, at: datetime, new_id: Callable[[], str]
) -> Reconciled:
    """Decide what a finding changes. `known` are the current versions of notes on the same subject and attribute."""
    desk = _Desk(finding, at, space, new_id)
    here = [note for note in known if note.state in ONCE_TRUE and note.scope == finding.scope]
    waiting = [note for note in here if note.state is State.DISPUTED and dispute_of(note) is not None]
    line = sorted((note for note in here if note not in waiting), key=lambda note: (_begin(note), note.id))
    decided = _decide(desk, line)
    higher = _outranking(decided, line, finding.authority)
    return _granted(decided, desk, waiting) if higher is None else _contest(desk, decided, higher, waiting)


def _decide(desk: _Desk, line: Sequence[Note]) -> Reconciled:
    """Decide what a finding changes on its line of time, whatever its authority."""
    statement = desk.statement
    if statement.tense is Tense.PAST and statement.polarity is Polarity.AFFIRMED:
        return _remember_past(desk, line)
    if statement.corrects:
        corrected = _correct(desk, line)
        if corrected is not None:
            return corrected
    if statement.many:
        own = [note for note in line if same_value(note.value or "", statement.value)]
        return _up_to_now(desk, own, _one_of_many(desk, own))
    return _up_to_now(desk, line, _the_one(desk, line))


# -- who may displace whom -------------------------------------------------------------------------------------------


def _outranking(decided: Reconciled, line: Sequence[Note], authority: Authority) -> Note | None:
    """The note of a higher authority that a decision would end, correct or date anew; `None` if there is none."""
    known = {note.id: note for note in line}
    for edit in decided.edits:
        before, after = known.get(edit.note.id), edit.note
        if before is None or rank(before.authority) <= rank(authority):
            continue
        if (before.state, before.valid_from, before.valid_until) != (after.state, after.valid_from, after.valid_until):
            return before
    return None


def _contest(desk: _Desk, decided: Reconciled, higher: Note, waiting: Sequence[Note]) -> Reconciled:
    """Make a statement of lower authority a proposal beside the note it contradicts, which stays as it is."""
    if _agrees(higher, desk.statement):
        return _reinforce(desk, higher, start_of(desk.finding))
    same = next((note for note in waiting if _agrees(note, desk.statement)), None)
    if same is not None:
        again = _reinforce(desk, same, start_of(desk.finding))
        return replace(again, action=FactAction.DISPUTED) if again.edits else again
    verb = "retract" if decided.action is FactAction.CORRECTED else "supersede"
    note = _new_note(desk, start_of(desk.finding), None)
    note = replace(
        note,
        state=State.DISPUTED,
        related=(higher.id,),
        review=why_disputed(higher),
        metadata=with_dispute(note.metadata, higher.id, verb),
    )
    reason = f"{higher.value} has the authority {higher.authority.value}; it waits in review"
    return Reconciled((WriteNote(checked_note(note)),), FactAction.DISPUTED, reason, note)


def _granted(decided: Reconciled, desk: _Desk, waiting: Sequence[Note]) -> Reconciled:
    """The decision, and with it the end of every proposal that says the same and ranks no higher."""
    if decided.note is None or decided.action in (FactAction.DISPUTED, FactAction.IGNORED, FactAction.HISTORICAL):
        return decided
    given = rank(desk.finding.authority)
    met = [note for note in waiting if _agrees(note, desk.statement) and rank(note.authority) <= given]
    return replace(decided, edits=(*(WriteNote(settled(note, desk.at)) for note in met), *decided.edits))


def _start_on(line: Sequence[Note], finding: FactFinding) -> datetime:
    """Since when a statement holds, beside what was seen. "Today" is no moment: what was seen otherwise in the day,
    month or year that it names came before it, so it holds from the end of that time, or from when it was said.
    """
    start, sure = start_of(finding), sure_at(finding)
    if sure is None or sure <= start:
        return start
    others = [note for note in line if not _agrees(note, finding.statement)]
    return sure if any(start < seen <= sure for note in others for seen in _witnessed(note)) else start


# -- one value at a time ---------------------------------------------------------------------------------------------


def _the_one(desk: _Desk, line: Sequence[Note]) -> Reconciled:
    start = _start_on(line, desk.finding)
    holding = _holding(line, start)
    if holding is not None and _agrees(holding, desk.statement):
        return _reinforce(desk, holding, start)
    if desk.statement.polarity is not Polarity.AFFIRMED:
        return _end(desk, line, holding, start)
    if holding is not None and _contradicts(holding, desk.finding, start):
        return _dispute(desk, holding, start)
    return _take_over(desk, line, holding, start)


def _take_over(desk: _Desk, line: Sequence[Note], holding: Note | None, start: datetime) -> Reconciled:
    """Put a value on the line, from `start` up to the next mark."""
    edits: list[WriteNote] = []
    later = next((note for note in line if _begin(note) > start), None)
    end = _begin(later) if later is not None else None
    if holding is not None:
        # Seen again after this was true: then it held again, and this was true only in between.
        resumed = next((seen for seen in _sightings(holding) if seen > start), None)
        edits.append(WriteNote(_closed_at(holding, start, desk.at)))
        if resumed is not None and (holding.valid_until is None or resumed < holding.valid_until):
            between = _new_note(desk, start, resumed, supersedes=(holding.id,))
            again = _resumed(desk, holding, resumed, supersedes=(between.id,))
            edits += [WriteNote(again), WriteNote(between)]
            return Reconciled(tuple(edits), FactAction.HISTORICAL, f"held until it was {holding.value} again", between)
        end = holding.valid_until if holding.valid_until is not None else end
    if later is not None and _agrees(later, desk.statement) and end == _begin(later):
        earlier = _seen(revised(later, desk.at, valid_from=start), desk.finding, start)
        edits.append(WriteNote(earlier))
        return Reconciled(tuple(edits), FactAction.REINFORCED, "known already, but only since later", earlier)
    note = _new_note(desk, start, end, supersedes=(holding.id,) if holding else ())
    if later is not None and end == _begin(later):
        # The two are one chain: what is found by the earlier leads to the later.
        edits.append(WriteNote(revised(later, desk.at, supersedes=(*later.supersedes, note.id))))
    edits.append(WriteNote(note))
    if end is not None:
        return Reconciled(tuple(edits), FactAction.HISTORICAL, "it was true before what is known now", note)
    if holding is None:
        return Reconciled(tuple(edits), FactAction.ADDED, "nothing was known of it", note)
    return Reconciled(tuple(edits), FactAction.SUPERSEDED, f"newer than {holding.value}", note)


def _end(desk: _Desk, line: Sequence[Note], holding: Note | None, start: datetime) -> Reconciled:
    """Something has stopped, or is denied. Only the value that was meant is ended."""
    named = desk.statement.value
    if holding is not None and is_denied(holding) and (not named or same_value(holding.value or "", named)):
        return _reinforce(desk, holding, start)
    meant = holding if holding is not None and (not named or same_value(holding.value or "", named)) else None
    if meant is None and holding is not None:
        if desk.statement.polarity is Polarity.NEGATED:
            return Reconciled((), FactAction.IGNORED, f"it is {holding.value}, so nothing changes", holding)
        return _remember_past(desk, line)
    return _take_over(desk, line, meant, start)


# -- many values side by side ----------------------------------------------------------------------------------------


def _one_of_many(desk: _Desk, line: Sequence[Note]) -> Reconciled:
    """Each value has a line of its own: affirmed, ended, affirmed again."""
    start = _start_on(line, desk.finding)
    holding = _holding(line, start)
    if holding is not None and _agrees(holding, desk.statement):
        return _reinforce(desk, holding, start)
    return _take_over(desk, line, holding, start)


# -- since then and until now ----------------------------------------------------------------------------------------


def _up_to_now(desk: _Desk, line: Sequence[Note], decided: Reconciled) -> Reconciled:
    """The decision. A value that is said to have held since then until now holds now, whatever was said in between."""
    statement, now = desk.statement, desk.finding.said_at
    settled_already = decided.action in (FactAction.DISPUTED, FactAction.IGNORED)
    if not statement.up_to_now or statement.polarity is not Polarity.AFFIRMED or settled_already:
        return decided
    known = {note.id: note for note in line} | {edit.note.id: edit.note for edit in decided.edits}
    after = sorted(known.values(), key=lambda note: (_begin(note), note.id))
    holding = _holding(after, now)
    if holding is None or _agrees(holding, statement):
        return decided
    again = _take_over(desk, after, holding, now)
    return replace(again, edits=_each_written_once((*decided.edits, *again.edits)))


def _each_written_once(edits: Sequence[WriteNote]) -> tuple[WriteNote, ...]:
    """The last edit of each note, as the version that the first would have written."""
    versions: dict[str, int] = {}
    last: dict[str, Note] = {}
    for edit in edits:
        versions.setdefault(edit.note.id, edit.note.version)
        last[edit.note.id] = replace(edit.note, version=versions[edit.note.id])
    return tuple(WriteNote(note) for note in last.values())


# -- the past, corrections, contradictions ---------------------------------------------------------------------------


def _remember_past(desk: _Desk, line: Sequence[Note]) -> Reconciled:
    """It was true and is no longer: history, which leaves the present as it is."""
    statement, said_at = desk.statement, desk.finding.said_at
    begin = statement.since or statement.occurred
    finish = statement.until or statement.occurred
    start = begin.start if begin else None
    end = min(finish.end if finish else said_at, said_at)
    if start is not None and start >= end:
        start = None
    for note in line:
        if same_value(note.value or "", statement.value) and not is_denied(note) and note.valid_until is not None:
            return _reinforce(desk, note, min(said_at, note.valid_until))
    note = _new_note(desk, start, end)
    return Reconciled((WriteNote(note),), FactAction.HISTORICAL, "it was true, and is no longer", note)


def _correct(desk: _Desk, line: Sequence[Note]) -> Reconciled | None:
    """Replace an earlier value that was never true. `None` if there is nothing that could be meant."""
    statement, wrong = desk.statement, _mistake(desk, line)
    if wrong is None:
        return None
    retracted = revised(wrong, desk.at, state=State.RETRACTED, retired_at=desk.at)
    edits = [WriteNote(retracted)]
    before = next((note for note in line if note.valid_until == wrong.valid_from and _agrees(note, statement)), None)
    if before is not None:
        restored = revised(
            before, desk.at, valid_until=wrong.valid_until, state=_state(wrong.valid_until), retired_at=None
        )
        restored = _seen(restored, desk.finding, desk.finding.said_at)
        return Reconciled((*edits, WriteNote(restored)), FactAction.CORRECTED, f"{wrong.value} was a mistake", restored)
    start = start_of(desk.finding) if statement.since else wrong.valid_from
    if start is not None and wrong.valid_until is not None and start >= wrong.valid_until:
        start = wrong.valid_from
    note = _new_note(desk, start, wrong.valid_until, supersedes=(wrong.id,))
    return Reconciled((*edits, WriteNote(note)), FactAction.CORRECTED, f"{wrong.value} was a mistake", note)


def _mistake(desk: _Desk, line: Sequence[Note]) -> Note | None:
    """The value that a correction takes back: the one it names, or else the last before it."""
    statement = desk.statement
    held = [note for note in line if note.valid_until is None or note.valid_until > _begin(note)]
    candidates = [note for note in held if not _agrees(note, statement) and _begin(note) <= desk.finding.said_at]
    if statement.replaces:
        candidates = [note for note in candidates if same_value(note.value or "", statement.replaces)] or candidates
    return candidates[-1] if candidates and (statement.replaces or not statement.many) else None


def _contradicts(holding: Note, finding: FactFinding, start: datetime) -> bool:
    """Two sources say different things of the same day, and neither says that it changed."""
    statement = finding.statement
    same_day = _begin(holding).date() == start.date()
    other_source = bool(finding.source) and _said(holding).get("source", "") not in ("", finding.source)
    return same_day and other_source and not statement.replaces and not statement.corrects


def _dispute(desk: _Desk, holding: Note, start: datetime) -> Reconciled:
    note = replace(_new_note(desk, start, None), state=State.DISPUTED)
    edits = [WriteNote(note)]
    if holding.state is not State.DISPUTED:
        edits.insert(0, WriteNote(revised(holding, desk.at, state=State.DISPUTED)))
    return Reconciled(tuple(edits), FactAction.DISPUTED, f"another source says {holding.value}", note)


# -- notes -----------------------------------------------------------------------------------------------------------


def _new_note(desk: _Desk, start: datetime | None, end: datetime | None, *, supersedes: tuple[str, ...] = ()) -> Note:
    finding, statement = desk.finding, desk.statement
    said: dict[str, Any] = {"quote": statement.quote, "source": finding.source}
    if statement.read_by:
        said["read_by"] = list(statement.read_by)
    if statement.polarity is not Polarity.AFFIRMED:
        said["polarity"] = statement.polarity.value
    if statement.many:
        said["many"] = True
    named = statement.since or statement.occurred
    if named is not None:
        said["precision"] = named.precision.value
    sightings = [format_time(each) for each in sorted(_first_sightings(finding, start, end))]
    return checked_note(
        Note(
            id=desk.new_id(),
            space=desk.space,
            version=1,
            kind=Kind.SEMANTIC,
            text=statement.text,
            recorded_at=desk.at,
            updated_at=desk.at,
            subject=statement.subject,
            attribute=statement.attribute,
            value=statement.value or None,
            scope=finding.scope,
            state=_state(end),
            confidence=statement.confidence,
            importance=0.9 if finding.essential else 0.5,
            origin=finding.origin,
            authority=finding.authority,
            valid_from=start,
            valid_until=end,
            retired_at=None if end is None else desk.at,
            last_seen_at=finding.said_at,
            supersedes=supersedes,
            derived_from=finding.evidence,
            erase_at=finding.erase_at,
            metadata={**finding.metadata, "said": {**said, "sightings": sightings}},
        )
    )


def _first_sightings(finding: FactFinding, start: datetime | None, end: datetime | None) -> set[datetime]:
    """When a new note was seen: where it begins, and later if its statement says so."""
    statement, sure = finding.statement, sure_at(finding)
    seen = {start or finding.said_at}
    if statement.up_to_now and end is None:
        seen.add(finding.said_at)
    named = statement.since or statement.occurred
    if named is None or sure is None or not (named.precision is Precision.DAY or named.covers(finding.said_at)):
        return seen
    return seen | {sure} if (start or sure) < sure < (end or _NEVER) else seen


def _resumed(desk: _Desk, note: Note, start: datetime, *, supersedes: tuple[str, ...]) -> Note:
    """A note that holds again after something came in between, with what was seen of it since."""
    kept = [format_time(seen) for seen in _sightings(note) if seen >= start]
    return replace(
        note,
        id=desk.new_id(),
        version=1,
        recorded_at=desk.at,
        updated_at=desk.at,
        valid_from=start,
        supersedes=supersedes,
        metadata={**note.metadata, "said": {**_said(note), "sightings": kept}},
    )


def _closed_at(note: Note, moment: datetime, at: datetime) -> Note:
    """The note, ended at a moment. What was seen of it later went to the note that resumes it."""
    kept = [format_time(seen) for seen in _sightings(note) if seen <= moment]
    state = note.state if note.state is State.DISPUTED else State.SUPERSEDED
    # A note that would end where it begins still held for the smallest time there is.
    end = moment if note.valid_from is None or moment > note.valid_from else just_after(note.valid_from)
    metadata = {**note.metadata, "said": {**_said(note), "sightings": kept}}
    return revised(note, at, state=state, valid_until=end, retired_at=at, metadata=metadata)


def _reinforce(desk: _Desk, note: Note, moment: datetime) -> Reconciled:
    if set(desk.finding.evidence) & set(note.derived_from):
        return Reconciled((), FactAction.IGNORED, "it was read from there already", note)
    stronger = _seen(revised(note, desk.at), desk.finding, moment)
    return Reconciled((WriteNote(stronger),), FactAction.REINFORCED, "said again", stronger)


def _seen(note: Note, finding: FactFinding, moment: datetime) -> Note:
    """The note with one more sighting: more certain, and seen more recently."""
    sightings = sorted({*_said(note).get("sightings", ()), format_time(moment)})[-MOST_SIGHTINGS:]
    evidence = (*note.derived_from, *(each for each in finding.evidence if each not in note.derived_from))
    vouched = rank(finding.authority) >= rank(note.authority)
    return replace(
        note,
        erase_at=later_end(note.erase_at, finding.erase_at) if vouched else note.erase_at,
        confidence=round(note.confidence + REINFORCEMENT * (1 - note.confidence), 4),
        last_seen_at=max(note.last_seen_at or finding.said_at, finding.said_at),
        derived_from=evidence[-MOST_SIGHTINGS:],
        metadata={**note.metadata, "said": {**_said(note), "sightings": sightings}},
    )


def _holding(line: Sequence[Note], moment: datetime) -> Note | None:
    """The note that held at a moment; of several the one that began last."""
    holding = [
        note for note in line if _begin(note) <= moment and (note.valid_until is None or moment < note.valid_until)
    ]
    return holding[-1] if holding else None


def _agrees(note: Note, statement: Statement) -> bool:
    denied = statement.polarity is not Polarity.AFFIRMED
    return is_denied(note) == denied and same_value(note.value or "", statement.value)


def _sightings(note: Note) -> list[datetime]:
    return [datetime.fromisoformat(seen) for seen in _said(note).get("sightings", ())]


def _witnessed(note: Note) -> list[datetime]:
    """The moments at which it was seen, without the beginning of a time that was only named."""
    named = _said(note).get("precision", Precision.MOMENT.value) != Precision.MOMENT.value
    return [seen for seen in _sightings(note) if not (named and seen == note.valid_from)]


def _said(note: Note) -> dict[str, Any]:
    said = note.metadata.get("said", {})
    return said if isinstance(said, dict) else {}


def _state(end: datetime | None) -> State:
    return State.ACTIVE if end is None else State.SUPERSEDED


def _begin(note: Note) -> datetime:
    return note.valid_from or datetime.min.replace(tzinfo=note.recorded_at.tzinfo)
