"""Edits in words: what a rehearsal would have written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from recollect.domain import changes as edits
from recollect.domain.changes import Changes, Edit, JobEdit
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
        case edits.WriteNote(note):
            what = "write" if note.version == 1 else f"write version {note.version} of"
            return f"{what} note {note.id} ({note.kind.value}, {note.state.value}): {quoted(note.text)}"
        case edits.AdoptNote(note):
            return f"take in version {note.version} of note {note.id}: {quoted(note.text)}"
        case edits.EraseNote(note_id):
            return f"erase note {note_id}, for good"
        case edits.OpenSpace(description):
            return f"open the space: {quoted(description)}" if description else "open the space"
        case edits.DeleteSpace():
            return "erase the space and everything in it, for good"
        case edits.LimitSpace(notes, messages, attachment_bytes):
            said = [f"{notes:,} notes"] if notes is not None else []
            said += [f"{messages:,} messages a day"] if messages is not None else []
            said += [f"{attachment_bytes:,} bytes of files"] if attachment_bytes is not None else []
            return f"limit the space to {' and '.join(said)}" if said else "limit the space no more"
        case edits.ResumeSpace(seq):
            return f"count changes on from {seq:,}"
        case edits.OpenSession(session):
            return f"open session {session.id}, unless it is open"
        case edits.ReviseSession(session):
            return f"write down how session {session.id} is by now"
        case edits.FoldObservations(_, observation_ids):
            return f"fold {len(observation_ids):,} observations into one summary"
        case edits.WriteSlot(slot) | edits.AdoptSlot(slot):
            return f"write version {slot.version} of the slot {slot.label}: {quoted(slot.text)}"
        case edits.WriteAction(action) | edits.AdoptAction(action):
            return (
                f"write version {action.version} of action {action.id} ({action.status.value}): {quoted(action.text)}"
            )
        case edits.AddObservation(said):
            return f"keep {said.kind.value} {said.id} word for word: {quoted(said.text)}"
        case edits.KeepAttachment(digest, content):
            return f"keep a file of {len(content):,} bytes (SHA-256 {digest[:12]}…)"
        case edits.DropSession(session_id):
            return f"take session {session_id} out, if it is there"
        case edits.CountVerdicts(verdicts):
            return f"count {', '.join(f'{count:,} {reason_in_words(reason)}' for reason, count in verdicts)}"
        case edits.RecordFile(_, path, _, None):
            return f"note that the file {path} is gone"
        case edits.RecordFile(_, path, sha256, _):
            return f"note that the file {path} was read (SHA-256 {sha256[:12]}…)"
        case edits.WriteVector(record_id, _, model_id):
            return f"keep the vector that {model_id} made of {record_id}"
        case edits.MarkRead(session_id, position):
            return f"note that a model has read session {session_id} up to message {position:,}"
        case edits.WriteJudgement(judgement):
            return f"keep how {judgement.model} judged {judgement.record_id}, with {len(judgement.links):,} links"
        case edits.RejudgeSpace():
            return "have every text judged anew"
        case edits.SettleLink(older, newer, _, relation):
            return f"keep that a model settled {newer} and {older} as {relation.value if relation else 'nothing'}"
        case edits.RefuteLink(link) if link.is_refuted:
            return f"refute that {link.newer} {link.relation.value} {link.older}"
        case edits.RefuteLink(link):
            return f"let it stand that {link.newer} {link.relation.value} {link.older}"
        case _:
            return _job_edit_in_words(edit)


def _job_edit_in_words(edit: JobEdit) -> str:
    match edit:
        case edits.QueueJob(job):
            return f"queue a job: {job.kind}"
        case edits.HoldJob(job_id) | edits.FinishJob(job_id) | edits.FailJob(job_id) as told:
            return f"{type(told).__name__.removesuffix('Job').lower()} job {job_id}"
        case edits.CancelJob(job_id):
            return f"cancel job {job_id}"
        case edits.RetryJob(job_id):
            return f"let job {job_id} wait for another try"
        case edits.SetTimer(timer):
            return f"have a job queued every {timer.every_seconds:,} seconds: {timer.kind}"
        case edits.TurnTimer(name):
            return f"move the timer `{name}` on"
        case edits.DropTimer(name):
            return f"take the timer `{name}` away"
        case _:
            assert_never(edit)
