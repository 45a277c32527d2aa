"""What becomes of a try that failed, and when a timer comes again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from recollect.domain.errors import Busy, InvalidInput, Unsupported
from recollect.domain.jobs.job import Job
from recollect.jobs.runner import FIRST_PAUSE, LONGEST_PAUSE, after_failure, lost_too_often, next_turn

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def tried(attempts: int, *, of: int = 5) -> Job:
    return Job("J", "alice", "sum", NOW, NOW, attempts=attempts, max_attempts=of, generation=attempts)


@pytest.mark.parametrize(("attempts", "pause"), [(1, 1), (2, 2), (3, 4), (4, 8)])
def test_each_pause_is_twice_as_long_as_the_one_before(attempts: int, pause: int) -> None:
    failed = after_failure(tried(attempts), OSError("gone"), NOW, 0.0)
    assert failed.retry_at == NOW + timedelta(seconds=FIRST_PAUSE * pause)
    assert (failed.failure, failed.detail) == ("OSError", "gone")


def test_chance_shortens_a_pause_by_half_at_most_and_none_is_endless() -> None:
    job = tried(1)
    assert after_failure(job, Busy(), NOW, 1.0).retry_at == NOW + timedelta(seconds=FIRST_PAUSE / 2)
    assert after_failure(tried(90, of=100), Busy(), NOW, 0.0).retry_at == NOW + timedelta(seconds=LONGEST_PAUSE)


def test_the_last_try_leaves_a_dead_letter_with_the_code_of_its_error() -> None:
    failed = after_failure(tried(5), Busy(), NOW, 0.0)
    assert (failed.failure, failed.retry_at) == ("busy", None)


@pytest.mark.parametrize("problem", [InvalidInput("no"), Unsupported("no")])
def test_what_no_second_try_can_mend_is_not_tried_again(problem: Exception) -> None:
    assert after_failure(tried(1), problem, NOW, 0.0).retry_at is None


def test_a_job_that_took_all_its_workers_along_is_buried() -> None:
    assert lost_too_often(tried(5)) is None
    buried = lost_too_often(tried(6))
    assert buried is not None and (buried.failure, buried.retry_at) == ("worker_lost", None)


def test_a_timer_makes_up_for_missed_periods_with_one_job() -> None:
    hour = timedelta(hours=1)
    assert next_turn(NOW, 3600, NOW) == NOW + hour
    assert next_turn(NOW, 3600, NOW + 5.5 * hour) == NOW + 6 * hour
