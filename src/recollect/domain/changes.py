"""Changes: everything one decision wants to write. The only way to write.

A decision makes a `Changes` value; `Store.apply` carries it out whole or not at all. That one language serves
dry runs, the audit log, the change log that caches follow, files and sync.
"""

from __future__ import annotations

import json
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from recollect.domain.clock import format_time
from recollect.domain.dataclass import dataclass
from recollect.domain.desk import Action, Slot
from recollect.domain.jobs.job import Job, JobProgress, Timer
from recollect.domain.links.statement_link import Judgement, Settlement, StatementLink
from recollect.domain.notes import Note
from recollect.domain.observations import Observation, Session
from recollect.domain.origin import Origin


@dataclass(frozen=True, slots=True)
class WriteNote:
    """Write the next version of a note. It must follow the version that is current now; 1 means: a new note."""

    note: Note


@dataclass(frozen=True, slots=True)
class AdoptNote:
    """Take in one version of a note as another store had it, at its place among the versions.

    What is here already and equal is left alone; what is here and different is a `Conflict`.
    """

    note: Note


@dataclass(frozen=True, slots=True)
class EraseNote:
    """Erase a note with all its versions, an observation, a slot or an action; leave a tombstone without content.

    With the tombstone it cannot come back: one that is not here is only marked, and a later import is refused.
    """

    note_id: str


@dataclass(frozen=True, slots=True)
class OpenSpace:
    """Make the space, or say what it is for; with `only_if_new` one that is there keeps its description.

    A `tier` is that of the brain of a new space.
    """

    description: str
    only_if_new: bool = False
    tier: int | None = None


@dataclass(frozen=True, slots=True)
class DeleteSpace:
    """Erase everything in the space."""


@dataclass(frozen=True, slots=True)
class LimitSpace:
    """Say how many notes the space may hold and how many messages it takes in on a day; `None` is no limit.

    The files of its messages have a limit in any case; `None` is the usual one.
    """

    notes: int | None
    messages: int | None
    attachment_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class ResumeSpace:
    """Go on counting from `seq` at least: the space was set back to an earlier state, and caches must notice."""

    seq: int


@dataclass(frozen=True, slots=True)
class OpenSession:
    """Open a session, unless it is open already."""

    session: Session


@dataclass(frozen=True, slots=True)
class ReviseSession:
    """Write down how a session is by now: its end, its title, where it is held, its commits.

    It must still be as it was `known`; otherwise somebody else was faster.
    """

    session: Session
    known: Session


@dataclass(frozen=True, slots=True)
class AddObservation:
    """Keep an observation. Position 0 means: after the last one of its session.

    One that is here already, with the same id, is left alone.
    """

    observation: Observation


@dataclass(frozen=True, slots=True)
class KeepAttachment:
    """Keep the bytes of a file, once, for all observations of the space that name its digest.

    Without such an observation nothing is kept: bytes never lie in a store with nobody to forget them.
    """

    digest: str
    content: bytes


@dataclass(frozen=True, slots=True)
class FoldObservations:
    """Put a summary in the place of some observations of a session. They leave tombstones, as if erased."""

    summary: Observation
    observation_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DropSession:
    """Take a session out with everything in it: it was a copy of something that is read anew.

    Unlike erasing it leaves no tombstones, for the same words may come in again.
    """

    session_id: str


@dataclass(frozen=True, slots=True)
class WriteSlot:
    """Write the next version of a slot. It must follow the version that is there now; 1 means: a new slot."""

    slot: Slot


@dataclass(frozen=True, slots=True)
class AdoptSlot:
    """Take a slot in as another store had it. Of two with one label, the one written later stays."""

    slot: Slot


@dataclass(frozen=True, slots=True)
class WriteAction:
    """Write the next version of an action. It must follow the version that is there now; 1 means: a new one."""

    action: Action


@dataclass(frozen=True, slots=True)
class AdoptAction:
    """Take an action in as another store had it, unless the one here is as new."""

    action: Action


@dataclass(frozen=True, slots=True)
class CountVerdicts:
    """Count how many candidates became notes, and why others did not."""

    verdicts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class RecordFile:
    """Remember what a file held when it was taken in; without a session it is gone."""

    root: str
    path: str
    sha256: str
    session_id: str | None


@dataclass(frozen=True, slots=True)
class WriteVector:
    """Keep the vector of a text, as a model made it. One that is here already stays."""

    record_id: str
    version: int
    model_id: str
    vector: bytes


@dataclass(frozen=True, slots=True)
class MarkRead:
    """Keep up to which position a model has read a session. It never goes back, and a session that is gone has none."""

    session_id: str
    position: int


@dataclass(frozen=True, slots=True)
class WriteJudgement:
    """Keep what a model judged of a record, with its links, in the place of what was judged before.

    Refuted links stay as they are. A record or an older end that is not there any more is passed over.
    """

    judgement: Judgement


@dataclass(frozen=True, slots=True)
class RejudgeSpace:
    """Have every text of the space wait for a judgement. The links there are stay until each is judged anew."""


@dataclass(frozen=True, slots=True)
class SettleLink:
    """Keep the word of a language model on a link that the judge was unsure of. A person's word on it stands above.

    `judged_at` says which link was asked about: one that was judged anew since is of other words. `settled_as` is
    `None` if the model was asked and said nothing of it.
    """

    older: str
    newer: str
    judged_at: datetime
    settled_as: Settlement | None
    settled_by: str
    settled_because: str


@dataclass(frozen=True, slots=True)
class RefuteLink:
    """Keep a person's word that a link is none, which holds whatever a model says; or that it was taken back."""

    link: StatementLink


@dataclass(frozen=True, slots=True)
class QueueJob:
    """Queue a job with its cause. One whose key waits already for its first try is left out."""

    job: Job


@dataclass(frozen=True, slots=True)
class HoldJob:
    """Let these changes pass only while a job of this generation is held; and say how far it has come."""

    job_id: str
    generation: int
    progress: JobProgress | None = None


@dataclass(frozen=True, slots=True)
class FinishJob:
    """Settle a job as done, with the last of what it wrote; refused as `lease_lost` if it is not held any more."""

    job_id: str
    generation: int
    progress: JobProgress | None = None


@dataclass(frozen=True, slots=True)
class FailJob:
    """Say why a try failed, and when to try again; without a time the job is a dead letter. Refused as above."""

    job_id: str
    generation: int
    failure: str
    detail: str
    retry_at: datetime | None = None
    counts: bool = True  # whether the try was one of those that the job has


@dataclass(frozen=True, slots=True)
class CancelJob:
    """Settle a job that is open as cancelled. A worker that runs it cannot write any more."""

    job_id: str


@dataclass(frozen=True, slots=True)
class RetryJob:
    """Let a dead or cancelled job wait again, as if it had never been tried."""

    job_id: str


@dataclass(frozen=True, slots=True)
class SetTimer:
    """Have a job queued again and again; a timer of the same name is replaced."""

    timer: Timer


@dataclass(frozen=True, slots=True)
class TurnTimer:
    """Move a timer on from the moment that was due. `Conflict` if another process did so first."""

    name: str
    due_at: datetime
    next_at: datetime


@dataclass(frozen=True, slots=True)
class DropTimer:
    """Take a timer away, if it is there."""

    name: str


JobEdit: TypeAlias = QueueJob | HoldJob | FinishJob | FailJob | CancelJob | RetryJob | SetTimer | TurnTimer | DropTimer

Edit: TypeAlias = (
    WriteNote
    | AdoptNote
    | EraseNote
    | OpenSpace
    | DeleteSpace
    | LimitSpace
    | ResumeSpace
    | OpenSession
    | ReviseSession
    | AddObservation
    | KeepAttachment
    | FoldObservations
    | DropSession
    | WriteSlot
    | AdoptSlot
    | WriteAction
    | AdoptAction
    | CountVerdicts
    | RecordFile
    | WriteVector
    | MarkRead
    | WriteJudgement
    | RejudgeSpace
    | SettleLink
    | RefuteLink
    | JobEdit
)


@dataclass(frozen=True, slots=True)
class Idempotency:
    """The caller's own key for a request, and a fingerprint of what was asked with it."""

    key: str
    fingerprint: str

    def kept_key(self, part: str = "") -> str:
        """The digest stored for the key: people make keys of what they have at hand, and some of that is secret.

        Whoever is bound to a `part` of a space has keys of their own.
        """
        import hashlib

        told = f"{part}\n{self.key}" if part else self.key
        return f"sha256:{hashlib.sha256(told.encode('utf-8', 'surrogatepass')).hexdigest()}"


@dataclass(frozen=True, slots=True)
class Basis:
    """The condition of a decision besides the records it changes: no change of these kinds came after this number.

    With 0 the space was not there at all.
    """

    seq: int
    kinds: frozenset[ChangeKind]


@dataclass(frozen=True, slots=True)
class Changes:
    """One decision: what to write, in which space, for what reason, in whose name."""

    space: str
    reason: str
    at: datetime
    origin: Origin
    edits: tuple[Edit, ...]
    idempotency: Idempotency | None = None
    basis: Basis | None = None  # without one, only the versions of what is changed are compared


class ChangeKind(StrEnum):
    """The kind of a change to a record, as the change log says it."""

    WRITTEN = "written"
    ADOPTED = "adopted"
    ERASED = "erased"
    SESSION_OPENED = "session-opened"
    SESSION_REVISED = "session-revised"
    OBSERVED = "observed"
    SLOT_WRITTEN = "slot-written"
    ACTION_WRITTEN = "action-written"
    EMBEDDED = "embedded"
    LINK_REFUTED = "link-refuted"
    JOB_QUEUED = "job-queued"
    JOB_PROGRESSED = "job-progressed"
    JOB_DONE = "job-done"
    JOB_FAILED = "job-failed"
    JOB_DEAD = "job-dead"
    JOB_CANCELLED = "job-cancelled"
    TIMER_SET = "timer-set"
    TIMER_DROPPED = "timer-dropped"
    SPACE_OPENED = "space-opened"
    SPACE_LIMITED = "space-limited"
    SPACE_DELETED = "space-deleted"
    SPACE_RESTORED = "space-restored"


@dataclass(frozen=True, slots=True)
class Change:
    """One row of the change log. Within a space `seq` follows the order of commits, without gaps but at a restore."""

    seq: int
    kind: ChangeKind
    record_id: str
    version: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """The result of `apply`. `replayed` means it had been done before, under the same idempotency key.

    `changes` names only what changed: an adopted version that was here already is not in it.
    """

    changes: tuple[Change, ...]
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Tombstone:
    """The record that stays of an erased note: that it was, and when it went."""

    note_id: str
    erased_at: datetime


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One link of a space's audit chain. `digest` covers every field and the digest before it."""

    seq: int
    at: datetime
    reason: str
    channel: str
    principal: str
    summary: str
    digest: str


def audit_digest(previous: str, entry: AuditEntry) -> str:
    """The digest an entry must have after the one before it."""
    said = [entry.seq, format_time(entry.at), entry.reason, entry.channel, entry.principal, entry.summary]
    import hashlib

    return hashlib.sha256(json.dumps([previous, *said], separators=(",", ":")).encode("utf-8")).hexdigest()
