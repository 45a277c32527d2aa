"""Kinds of jobs, and the work that each of them is: the same verbs that everybody uses, behind a fence.

A payload names what is meant: a folder, a target. It never quotes memory.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, TypeAlias, cast

from recollect.domain.answers.bounds import KEPT_USE_DAYS
from recollect.domain.answers.daily_activity import KEPT_ACTIVITY_DAYS
from recollect.domain.answers.receipts import RECEIPT_DAYS
from recollect.domain.answers.reminders import REMINDED_DAYS
from recollect.domain.answers.upkeep import MaintenanceReport, MaintenanceScope, Progress
from recollect.domain.brain import FORM
from recollect.domain.changes import Edit, FinishJob, HoldJob, QueueJob, RejudgeSpace
from recollect.domain.errors import RecollectError
from recollect.domain.jobs.job import (
    BACKUP,
    BACKUP_SPACE,
    EMBED,
    JUDGE,
    READ,
    REDERIVE,
    REDERIVE_ONE,
    SETTLE,
    UPKEEP,
    Job,
    JobProgress,
    lease_lost,
)
from recollect.domain.jobs.webhook import DELIVER, delivery_job
from recollect.domain.scopes import WHOLE_STORE
from recollect.domain.values import choice
from recollect.verbs.actor import chapter_alone
from recollect.verbs.brains.formation import Formation
from recollect.verbs.ingest import IngestingVerbs
from recollect.verbs.maintenance.rederivation import Rederivation
from recollect.verbs.models.settled_pairs import PairSettling
from recollect.verbs.transport import CarryingVerbs
from recollect.verbs.upkeep import UpkeepVerbs


class Interrupted(Exception):
    """The runner is to stop; the job goes back as it is, and is begun anew elsewhere."""


class Task:
    """One job while it is held. The worker's thread uses it, and the thread that renews leases looks at it."""

    def __init__(self, job: Job, stopping: threading.Event) -> None:
        self.job = job
        self.progress: JobProgress | None = None
        self.is_finished = False  # settled together with what it wrote last
        self.is_lost = False  # somebody else has taken it, or the runner is gone
        self._stopping = stopping
        self._written: JobProgress | None = None
        self._finishing = False

    def tell(self, phase: str, done: int = 0, total: int = 0) -> None:
        """Say how far it has come. Raises when the job is lost, or the runner is to stop: a good moment to do so."""
        self.progress = JobProgress(phase, done, total)
        self.require_held()
        if self._stopping.is_set():
            raise Interrupted

    def hear(self, progress: Progress) -> None:
        """The same in the words of verbs that tell how far they have come."""
        self.tell(progress.step, progress.done, progress.total)

    def require_held(self) -> None:
        """Raise if it is known already that the job is lost. The store is asked with every write all the same."""
        if self.is_lost:
            raise lease_lost(self.job.id)

    def fence(self, space: str) -> tuple[Edit, ...]:
        """The edit that goes with each of its changes, so that they pass only while the job is held."""
        self.require_held()
        if space != self.job.space:
            return ()  # of another space nothing is written by jobs, except what is derived
        if self._finishing:
            return (FinishJob(self.job.id, self.job.generation, self.progress),)
        told = self.progress if self.progress != self._written else None
        self._written = self.progress
        return (HoldJob(self.job.id, self.job.generation, told),)

    @contextmanager
    def finishing(self) -> Iterator[None]:
        """Settle the job in the same commit as the one change that is made inside: its effect comes exactly once."""
        self._finishing = True
        yield
        self.is_finished = True


REINDEX, INGEST = "reindex", "ingest"

KEPT_DAYS = 7  # for which a settled job can be looked at
MOST_KEPT = 1000  # of a space; dead ones stay beyond that

_DAY = 86_400  # seconds

# Name, kind and period of the timers that every space has.
BUILT_IN_TIMERS = ((UPKEEP, UPKEEP, _DAY),)


class Works(IngestingVerbs, CarryingVerbs, UpkeepVerbs, Formation, PairSettling, Rederivation):
    """The verbs that jobs are made of."""

    def fill_vectors(self, task: Task) -> None:
        """Make the vectors of all texts of the space that have none."""
        self._embed_what_is_missing(task.job.space, task.tell)

    def judge_texts(self, task: Task) -> None:
        """Compare the texts of the space that wait with older ones, and keep how they are linked."""
        self._judge_what_waits(task.job.space, task.tell)

    def read_session(self, task: Task) -> None:
        """Have a model read what it has not read of a session; what people are still at has another turn."""
        job = task.job
        rest = self._read_session(job.space, str(job.payload["session"]), tell=task.tell)
        if rest is not None:
            with task.finishing():
                self._carry_out("read", job.space, QueueJob(rest))

    def form(self, task: Task) -> None:
        """Learn what a conversation of a brain says, in one commit with the end of the job."""
        found = self._engine.brains.of_job(task.job.space, task.job.id)
        if found is not None:  # else another job has taken it over
            with task.finishing():
                self.formed(found, task.tell)

    def settle_pairs(self, task: Task) -> None:
        """Put the pairs to a model that are in doubt."""
        self._settle_pairs(task.job.space, tell=task.tell)

    def rederive(self, task: Task) -> None:
        """Derive notes anew that rest on something which has changed; an earlier version queued one at a time."""
        said = task.job.payload
        self.rederived(task.job.space, [str(each) for each in said.get("notes") or [said["note"]]], task.finishing)

    def index_anew(self, task: Task) -> None:
        """Build the text index anew, and queue the filling of vectors in every space."""
        task.tell("text index")
        self._engine.upkeep.rebuild()
        spaces = self._engine.store.spaces()
        for done, space in enumerate(spaces):
            task.tell("queueing vectors", done, len(spaces))
            self._carry_out("reindex", space.name, QueueJob(self._embedding_of(space.name)))
            if self._engine.judge is not None:
                self._carry_out("reindex", space.name, RejudgeSpace(), QueueJob(self._judging_of(space.name)))

    def keep_up(self, task: Task) -> MaintenanceReport | None:
        """Put a space in order as its scope says, and drop receipts, jobs and figures that are too old."""
        space, now = task.job.space, self._engine.clock.now()
        self._engine.receipts.expire(space, before=now - timedelta(days=RECEIPT_DAYS))
        oldest = (now - timedelta(days=KEPT_ACTIVITY_DAYS)).date()
        self._engine.activity.expire_days(space, before=oldest.isoformat())
        self._engine.activity.expire_uses(space, before=(now - timedelta(days=KEPT_USE_DAYS)).date().isoformat())
        self._engine.spend.drop_before(oldest.isoformat())
        self._engine.reminders.expire(space, before=now - timedelta(days=REMINDED_DAYS))
        self._engine.jobs.expire(space, before=now - timedelta(days=KEPT_DAYS), most=MOST_KEPT)
        if space == WHOLE_STORE or not self._is_there(space):
            return None
        from recollect.verbs.maintenance.maintenance_round import MaintenanceRound

        maintaining = chapter_alone(MaintenanceRound, self._engine, self._caller)
        maintaining._fence = self._fence
        scope = choice(MaintenanceScope, task.job.payload.get("scope", MaintenanceScope.DAYDREAM), field="scope")
        report = maintaining.maintained(task.job, scope, task.tell)
        judge = self._engine.judge
        if judge is not None and self._engine.links.waiting(space, judge.model_id):
            self._carry_out("upkeep", space, QueueJob(self._judging_of(space)))
        return report

    def back_up(self, task: Task) -> None:
        """Send a copy of the store, or of one space, to a target."""
        said = task.job.payload
        compact, space = bool(said.get("compact")), said.get("space")
        self.backup(target=str(said["target"]), keep=said.get("keep"), compact=compact, space=space)

    def take_in(self, task: Task) -> None:
        """Take a file or a folder in."""
        said: Mapping[str, Any] = task.job.payload
        self.ingest(
            str(said["path"]),
            ignore=[str(each) for each in said.get("ignore", ())],
            space=task.job.space,
            **cast("dict[str, Any]", said.get("where", {})),
        )

    def tell_webhook(self, task: Task) -> None:
        """Tell a webhook what it has not been told yet; what is left after a while has another turn."""
        from recollect.webhooks.delivery import deliver, with_secret

        job, engine = task.job, self._engine
        known = engine.webhooks.endpoint(job.space, str(job.payload["webhook"]))
        if known is None:
            return
        try:
            endpoint = with_secret(engine, known)
            goes_on = deliver(engine, endpoint, job_id=job.id, tries=job.attempts, tell=task.tell)
        except RecollectError:
            if job.attempts >= job.max_attempts and engine.store.space(job.space) is None:
                engine.webhooks.remove(known.webhook)  # it stayed to be told of the end of its space, and never was
            raise
        if goes_on:
            clock = engine.clock
            rest = delivery_job(known.webhook.id, clock.new_id(), job.space, clock.now(), job.origin)
            with task.finishing():
                self._carry_out("webhook", job.space, QueueJob(rest))


Work: TypeAlias = Callable[[Works, Task], object]

WORKS: Mapping[str, Work] = {
    EMBED: Works.fill_vectors,
    JUDGE: Works.judge_texts,
    READ: Works.read_session,
    FORM: Works.form,
    SETTLE: Works.settle_pairs,
    REDERIVE: Works.rederive,
    REDERIVE_ONE: Works.rederive,
    REINDEX: Works.index_anew,
    UPKEEP: Works.keep_up,
    BACKUP: Works.back_up,
    BACKUP_SPACE: Works.back_up,
    INGEST: Works.take_in,
    DELIVER: Works.tell_webhook,
}
