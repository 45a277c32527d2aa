"""The outcome of a try that failed: another one later, or a dead letter. Pure decisions."""

from __future__ import annotations

from datetime import datetime, timedelta

from recollect.domain.changes import FailJob
from recollect.domain.chat.chat_model import Unanswered
from recollect.domain.errors import InvalidInput, RecollectError, Unsupported
from recollect.domain.jobs.job import Job

FIRST_PAUSE = 5.0  # seconds before the second try; each later pause is twice as long
LONGEST_PAUSE = 3600.0

_FOR_GOOD = (InvalidInput, Unsupported)  # the very same call cannot succeed later
_WORKER_LOST = "worker_lost"


def after_failure(
    job: Job, problem: Exception, now: datetime, chance: float, *, first_pause: float = FIRST_PAUSE
) -> FailJob:
    """Try again after a pause that doubles, shortened by up to half by chance; bury it when no try is left.

    A job that waits for a model, at a cap or while its provider rests, is tried when that is over, and no try is lost.
    """
    if isinstance(problem, Unanswered) and problem.wait is not None:
        due_at = now + timedelta(seconds=max(problem.wait, first_pause))
        return FailJob(job.id, job.generation, problem.code, str(problem), due_at, counts=False)
    failure = problem.code if isinstance(problem, RecollectError) else type(problem).__name__
    final = isinstance(problem, _FOR_GOOD) or (isinstance(problem, Unanswered) and problem.is_final)
    last = final or job.attempts >= job.max_attempts
    pause = min(LONGEST_PAUSE, first_pause * 2 ** min(job.attempts - 1, 30)) * (1 - chance / 2)
    retry_at = None if last else now + timedelta(seconds=pause)
    return FailJob(job.id, job.generation, failure, str(problem), retry_at)


def lost_too_often(job: Job) -> FailJob | None:
    """A dead letter for a job whose workers vanished with every try it had; it may be what ended them."""
    if job.attempts <= job.max_attempts:
        return None
    detail = f"Each of {job.max_attempts} workers ended, or lost its lease, before the job was done."
    return FailJob(job.id, job.generation, _WORKER_LOST, detail)


def next_turn(due_at: datetime, every_seconds: int, now: datetime) -> datetime:
    """The first moment of a timer after now. Periods that passed while nothing ran are made up for by one job."""
    missed = int((now - due_at).total_seconds() // every_seconds)
    return due_at + timedelta(seconds=every_seconds * (max(0, missed) + 1))
