"""Edits in words: what a rehearsal would have written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from recollect.domain.changes import (
    AddObservation,
    AdoptAction,
    AdoptNote,
    AdoptSlot,
    CancelJob,
    Changes,
    CountVerdicts,
    DeleteSpace,
    DropSession,
    DropTimer,
    Edit,
    EraseNote,
    FailJob,
    FinishJob,
    FoldObservations,
    HoldJob,
    JobEdit,
    KeepAttachment,
    LimitSpace,
    MarkRead,
    OpenSession,
    OpenSpace,
    QueueJob,
    RecordFile,
    RefuteLink,
    RejudgeSpace,
    ResumeSpace,
    RetryJob,
    ReviseSession,
    SetTimer,
    SettleLink,
    TurnTimer,
    WriteAction,
    WriteJudgement,
    WriteNote,
    WriteSlot,
    WriteVector,
)
from recollect.surfaces.cli.screens.cards import quoted
from recollect.surfaces.cli.screens.reports import reason_in_words
from recollect.surfaces.cli.terminal import Terminal, inert, wrap


def change_lines(rehearsed: Sequence[Changes], terminal: Terminal) -> Iterator[str]:
    """The changes that would be written, an edit a line."""
    for changes in rehearsed:
        heading = f"{changes.reason} in `{changes.space}`"
        yield terminal.paint(inert(heading), "bold")
        room = None if terminal.width is None else terminal.width - 4
        for edit in changes.edits:
            first, *more = wrap(inert(_told(edit)), room)
            yield f"  {first}"
            yield from (f"    {line}" for line in more)


def _told(edit: Edit) -> str:
    match edit:
        case WriteNote(note):
            what = "write" if note.version == 1 else f"write version {note.version} of"
            return f"{what} note {note.id} ({note.kind.value}, {note.state.value}): {quoted(note.text)}"
        case AdoptNote(note):
            return f"take in version {note.version} of note {note.id}: {quoted(note.text)}"
        case EraseNote(note_id):
            return f"erase note {note_id}, for good"
        case OpenSpace(description):
            return f"open the space: {quoted(description)}" if description else "open the space"
        case DeleteSpace():
            return "erase the space and everything in it, for good"
        case LimitSpace(notes, messages, attachment_bytes):
            said = [f"{notes:,} notes"] if notes is not None else []
            said += [f"{messages:,} messages a day"] if messages is not None else []
            said += [f"{attachment_bytes:,} bytes of files"] if attachment_bytes is not None else []
            return f"limit the space to {' and '.join(said)}" if said else "limit the space no more"
        case ResumeSpace(seq):
            return f"count changes on from {seq:,}"
        case OpenSession(session):
            return f"open session {session.id}, unless it is open"
        case ReviseSession(session):
            return f"write down how session {session.id} is by now"
        case FoldObservations(_, observation_ids):
            return f"fold {len(observation_ids):,} observations into one summary"
        case WriteSlot(slot) | AdoptSlot(slot):
            return f"write version {slot.version} of the slot {slot.label}: {quoted(slot.text)}"
        case WriteAction(action) | AdoptAction(action):
            return (
                f"write version {action.version} of action {action.id} ({action.status.value}): {quoted(action.text)}"
            )
        case AddObservation(said):
            return f"keep {said.kind.value} {said.id} word for word: {quoted(said.text)}"
        case KeepAttachment(digest, content):
            return f"keep a file of {len(content):,} bytes (SHA-256 {digest[:12]}…)"
        case DropSession(session_id):
            return f"take session {session_id} out, if it is there"
        case CountVerdicts(verdicts):
            return f"count {', '.join(f'{count:,} {reason_in_words(reason)}' for reason, count in verdicts)}"
        case RecordFile(_, path, _, None):
            return f"note that the file {path} is gone"
        case RecordFile(_, path, sha256, _):
            return f"note that the file {path} was read (SHA-256 {sha256[:12]}…)"
        case WriteVector(record_id, _, model_id):
            return f"keep the vector that {model_id} made of {record_id}"
        case MarkRead(session_id, position):
            return f"note that a model has read session {session_id} up to message {position:,}"
        case WriteJudgement(judgement):
            return f"keep how {judgement.model} judged {judgement.record_id}, with {len(judgement.links):,} links"
        case RejudgeSpace():
            return "have every text judged anew"
        case SettleLink(older, newer, _, relation):
            return f"keep that a model settled {newer} and {older} as {relation.value if relation else 'nothing'}"
        case RefuteLink(link) if link.is_refuted:
            return f"refute that {link.newer} {link.relation.value} {link.older}"
        case RefuteLink(link):
            return f"let it stand that {link.newer} {link.relation.value} {link.older}"
        case _:
            return _job_edit_in_words(edit)


def _job_edit_in_words(edit: JobEdit) -> str:
    match edit:
        case QueueJob(job):
            return f"queue a job: {job.kind}"
        case HoldJob(job_id) | FinishJob(job_id) | FailJob(job_id) as told:
            return f"{type(told).__name__.removesuffix('Job').lower()} job {job_id}"
        case CancelJob(job_id):
            return f"cancel job {job_id}"
        case RetryJob(job_id):
            return f"let job {job_id} wait for another try"
        case SetTimer(timer):
            return f"have a job queued every {timer.every_seconds:,} seconds: {timer.kind}"
        case TurnTimer(name):
            return f"move the timer `{name}` on"
        case DropTimer(name):
            return f"take the timer `{name}` away"
        case _:
            assert_never(edit)
