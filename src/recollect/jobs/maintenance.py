"""The verb that puts a space in order: as a job, so that one round runs at a time and an interrupted one goes on."""

from __future__ import annotations

from datetime import timedelta

from recollect.domain.answers.upkeep import MaintenanceReport, MaintenanceScope
from recollect.domain.changes import Changes, QueueJob, SetTimer
from recollect.domain.dataclass import replace
from recollect.domain.errors import Unsupported
from recollect.domain.jobs.job import UPKEEP, Timer, checked_timer, period_in
from recollect.domain.values import choice
from recollect.operations import Effect, operation
from recollect.verbs.writing import Writing

_MOST_BEFORE = 10  # rounds that may wait before the one that is asked for


class MaintenanceVerbs(Writing):
    """Maintenance: maintain."""

    @operation(Effect.WRITE)
    def maintain(
        self,
        *,
        scope: str = MaintenanceScope.QUICK.value,
        every: str | None = None,
        background: bool = False,
        space: str | None = None,
    ) -> MaintenanceReport:
        """Put a space in order, one round at a time: expire, merge what says the same, look at lost sources, reflect.

        Nothing is deleted: what another note takes over from stays in its history.
        """
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
