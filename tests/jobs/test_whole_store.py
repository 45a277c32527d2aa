"""Work for the whole store belongs to no space: only whoever oversees all of them sees it, or stops it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import InvalidInput, Memory, NotAllowed, NotFound
from recollect.domain.jobs.job import Job, JobsRun
from tests.support.clock import SteadyClock
from tests.surfaces.http.client import Client, served


def reindexing(memory: Memory) -> Job:
    memory.reindex(background=True)
    [job] = memory.jobs(whole_store=True, stage="waiting")
    return job


def test_it_is_listed_apart_and_no_space_is_made_for_it(memory: Memory) -> None:
    memory.save("Alice prefers tea")
    job = reindexing(memory)
    assert memory.jobs(stage="waiting").items == ()
    assert [each.name for each in memory.spaces()] == ["default"]
    assert memory.status().spaces == memory.spaces().items
    for named in (job.space, "*"):
        with pytest.raises(InvalidInput):
            memory.jobs(space=named)
    assert memory.cancel_job(job.id).stage == "cancelled"
    assert memory.retry_job(job.id).stage == memory.job(job.id).stage == "waiting"
    assert memory.run_jobs() == JobsRun(done=2)  # itself, and the vectors that it queues


def test_it_takes_its_turn_among_spaces_and_is_dropped_when_it_is_old(
    memory: Memory, clock: SteadyClock, tmp_path: Path
) -> None:
    for number in range(3):
        (tmp_path / f"{number}.md").write_text("Alice prefers tea.\n")
        memory.ingest(tmp_path / f"{number}.md", background=True)
    reindexing(memory)
    memory.run_jobs(limit=2)
    assert [each.stage for each in memory.jobs(whole_store=True)] == ["done"]
    memory.run_jobs()
    clock.advance(days=9)
    memory.run_jobs()
    assert {each.kind for each in memory.jobs(whole_store=True)} == {"upkeep"}
    assert memory.jobs(whole_store=True, stage="dead").items == ()


def test_whoever_is_bound_to_a_part_does_not_see_it(memory: Memory) -> None:
    job = reindexing(memory)
    bound = memory.bound_to(user="ana")
    for asked in (lambda: bound.jobs(whole_store=True), lambda: bound.timers(whole_store=True)):
        with pytest.raises(NotAllowed) as refused:
            asked()
        assert refused.value.code == "store_wide"
    with pytest.raises(NotFound):
        bound.job(job.id)


@pytest.fixture
def plain(clock: SteadyClock) -> Iterator[Memory]:
    with Memory(store=":memory:", principal="tester", clock=clock) as opened:
        opened.save("Alice prefers tea")
        yield opened


@pytest.fixture
def anybody(plain: Memory) -> Iterator[Client]:
    with served(plain) as client:
        yield client


def test_only_an_administrator_of_all_spaces_lists_and_stops_it(plain: Memory, anybody: Client) -> None:
    job = reindexing(plain)
    tokens = [
        plain.access.issue(scope="write"),
        plain.access.issue(scope="write", space="default"),
        plain.access.issue(scope="admin", space="default"),
    ]
    for visitor in (anybody.with_token(token.secret) for token in tokens):
        for path in ("list", "timers"):
            answer = visitor.get(f"/v1/spaces/default/jobs/{path}?whole_store=true")
            assert (answer.status, answer.json["code"]) == (403, "store_wide")
        assert visitor.get(f"/v1/spaces/default/jobs/show?job_id={job.id}").status == 404
        for verb in ("cancel", "retry"):
            answer = visitor.post(f"/v1/spaces/default/jobs/{verb}", {"job_id": job.id})
            assert (answer.status, answer.json["code"]) == (404, "job_not_found")
        assert visitor.get("/v1/spaces/@store/jobs/list").status in (400, 404, 422)
    assert plain.job(job.id).stage == "waiting"

    admin = anybody.with_token(plain.access.issue(scope="admin").secret)
    listed = admin.get("/v1/spaces/default/jobs/list?whole_store=true").json["items"]
    assert [each["id"] for each in listed] == [job.id]
    assert admin.post("/v1/spaces/default/jobs/cancel", {"job_id": job.id}).json["stage"] == "cancelled"
