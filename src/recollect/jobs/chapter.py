"""Verbs about jobs: which there are, how far they have come, and what becomes of those that failed."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from recollect.codecs.cursors import decode_cursor, encode_cursor
from recollect.domain.changes import CancelJob, Changes, QueueJob, RetryJob, SetTimer
from recollect.domain.clock import checked_id
from recollect.domain.dataclass import replace
from recollect.domain.errors import NotAllowed, Unsupported
from recollect.domain.jobs.job import UPKEEP, Job, JobsRun, JobStage, Timer, checked_timer, no_job, period_in
from recollect.domain.scopes import WHOLE_STORE
from recollect.domain.selections import Page
from recollect.domain.values import choice
from recollect.operations import Effect
from recollect.verbs.actor import checked_limit, operation
from recollect.verbs.writing import Writing

if TYPE_CHECKING:
    from recollect.domain.answers.upkeep import MaintenanceReport, MaintenanceScope

_MOST_BEFORE = 10  # rounds of maintenance that may wait before the one that is asked for


class JobVerbs(Writing):
    """Jobs: list, show, retry, cancel, run, the timers that queue them, and maintenance, which is one."""

    @operation(Effect.READ, name="jobs.list")
    def jobs(
        self,
        *,
        stage: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
        whole_store: bool = False,
        space: str | None = None,
    ) -> Page[Job]:
        """List work that is done in the background, newest first: what waits, runs, is done or has failed."""
        name, size = self._place(space, whole_store), checked_limit(limit)
        stages = () if stage is None else (choice(JobStage, stage, field="stage"),)
        mark = ("jobs", name, stage)
        before = decode_cursor(cursor, of=mark, like=0) if cursor else None
        found = self._engine.jobs.jobs(name, stages=stages, before=before, limit=size + 1)
        more = encode_cursor(found[size - 1].seq, of=mark) if len(found) > size else None
        return Page(tuple(found[:size]), more)

    @operation(Effect.READ, name="jobs.show")
    def job(self, job_id: str, *, space: str | None = None) -> Job:
        """Show one job: how far it has come, and why it failed."""
        wanted = checked_id(job_id, what="job")
        return self._job(self._place(space, self._is_of_the_whole(wanted)), wanted)

    @operation(Effect.WRITE, name="jobs.retry")
    def retry_job(self, job_id: str, *, space: str | None = None) -> Job:
        """Let a dead or cancelled job wait for another try."""
        name, wanted = self._changed_in(space, job_id)
        self._carry_out("jobs.retry", name, RetryJob(wanted))
        return self._job(name, wanted)

    @operation(Effect.WRITE, name="jobs.cancel")
    def cancel_job(self, job_id: str, *, space: str | None = None) -> Job:
        """Cancel a job. One that runs cannot write any more; what it wrote before stays."""
        name, wanted = self._changed_in(space, job_id)
        self._carry_out("jobs.cancel", name, CancelJob(wanted))
        return self._job(name, wanted)

    @operation(Effect.WRITE, name="jobs.run")
    def run_jobs(self, *, limit: int = 1000, space: str | None = None) -> JobsRun:
        """Do what is due now, and wait for it; a server does so by itself. Without a space, those of all."""
        if self._rehearsed is not None:
            raise Unsupported("Jobs have no dry run.", hint="`recollect jobs list --stage waiting` shows what is due.")
        from recollect.jobs.runner import JobRunner

        name = None if space is None else self._known(space)
        outcomes = JobRunner(self._engine).run_due(limit=checked_limit(limit), space=name)
        return JobsRun(**{stage: outcomes[stage] for stage in ("done", "failed", "dead", "lost")})

    @operation(Effect.READ, name="jobs.timers")
    def timers(self, *, whole_store: bool = False, space: str | None = None) -> Page[Timer]:
        """List what is queued again and again, and when next."""
        return Page(tuple(self._engine.jobs.timers(self._place(space, whole_store))))

    @operation(Effect.WRITE)
    def maintain(
        self,
        *,
        scope: str = "quick",
        every: str | None = None,
        background: bool = False,
        space: str | None = None,
    ) -> MaintenanceReport:
        """Put a space in order, one round at a time: expire, merge what says the same, look at lost sources, reflect.

        Nothing is deleted: what another note takes over from stays in its history.
        """
        from recollect.domain.answers.upkeep import MaintenanceReport, MaintenanceScope

        if self._rehearsed is not None:
            raise Unsupported("Maintenance has no dry run.", hint="`recollect reflect` and `recollect dedup` have one.")
        name, wanted = self._known(space), choice(MaintenanceScope, scope, field="scope")
        if every is not None:
            self._carry_out("maintain", name, SetTimer(self._timer(name, wanted, every)))
        new = self._maintenance_of(name, wanted)
        if background:
            return MaintenanceReport(name, wanted, self._queue("maintain", new).id)
        # Without a ring: the runner of this process is not to take it first.
        self._engine.store.apply(Changes(name, "maintain", new.created_at, new.origin, (QueueJob(new),)))
        job = self._engine.jobs.waiting(name, new.key or "") or new
        from recollect.jobs.runner import JobRunner
        from recollect.jobs.works import Works

        reports: list[MaintenanceReport | None] = []
        runner = JobRunner(self._engine, {UPKEEP: lambda hands, task: reports.append(Works.keep_up(hands, task))})
        runner.run_due(limit=_MOST_BEFORE, space=name, timers=False)
        queued = MaintenanceReport(name, wanted, job.id)
        return next((each for each in reports if each is not None and each.job_id == job.id), queued)

    def _timer(self, space: str, scope: MaintenanceScope, every: str) -> Timer:
        """The timer of a space's maintenance; `never` sets back the one that every space has."""
        from recollect.jobs.works import BUILT_IN_TIMERS

        [(name, kind, daily)] = BUILT_IN_TIMERS
        never = every == "never"
        period = daily if never else period_in(every)
        now, payload = self._engine.clock.now(), {} if never else {"scope": scope.value}
        timer = Timer(space, name, kind, period, now, payload, self._caller.origin())
        return replace(checked_timer(timer), next_at=now + timedelta(seconds=period))

    def _place(self, space: str | None, whole_store: bool) -> str:
        """A space to read from, or where work for all of them stands, which is no space and has its own right."""
        if not whole_store:
            return self._readable(space)
        if not self._caller.oversees:
            raise NotAllowed(
                "Work for the whole store is for an administrator of all spaces.",
                code="store_wide",
                hint="Leave out `whole_store` to see that of a space.",
            )
        return WHOLE_STORE

    def _changed_in(self, space: str | None, job_id: str) -> tuple[str, str]:
        """The place of a job that is to be changed, and its id."""
        wanted = checked_id(job_id, what="job")
        return WHOLE_STORE if self._is_of_the_whole(wanted) else self._known(space), wanted

    def _is_of_the_whole(self, job_id: str) -> bool:
        """Whether a job is for the whole store, as far as this caller may know: for others there is no such job."""
        return self._caller.oversees and self._engine.jobs.job(WHOLE_STORE, job_id) is not None

    def _job(self, space: str, job_id: str) -> Job:
        found = self._engine.jobs.job(space, job_id)
        if found is None:
            raise no_job(job_id, space)
        return found
