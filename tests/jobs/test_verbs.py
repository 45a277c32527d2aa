"""The verbs about jobs, and those that queue one."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Conflict, InvalidInput, Memory, NotFound, Unsupported
from recollect.domain.jobs.job import JobsRun, JobStage
from tests.support.clock import SteadyClock


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    folder = tmp_path / "letters"
    folder.mkdir()
    for number in range(3):
        (folder / f"letter-{number}.txt").write_text(f"The cellar number {number} is damp.")
    return folder


def test_a_folder_can_be_taken_in_later(memory: Memory, letters: Path) -> None:
    later = memory.ingest(letters, background=True, project="house", space="alice")
    assert (later.read, memory.search("damp cellar", space="alice").hits) == (0, ())
    assert later.job_id is not None
    assert memory.job(later.job_id, space="alice").stage is JobStage.WAITING
    assert memory.status().jobs == {"waiting": 1}

    assert memory.run_jobs() == JobsRun(done=1)
    done = memory.job(later.job_id, space="alice")
    assert (done.stage, done.payload["where"]) == (JobStage.DONE, {"project": "house"})
    assert done.progress is not None and (done.progress.done, done.progress.total) == (3, 3)
    assert len(memory.search("damp cellar", space="alice", project="house").hits) == 3
    assert memory.status().jobs == {"done": 1}


def test_a_folder_that_is_gone_by_then_is_tried_again_and_told(
    memory: Memory, letters: Path, clock: SteadyClock
) -> None:
    job_id = memory.ingest(letters, background=True).job_id
    assert job_id is not None
    for letter in letters.iterdir():
        letter.unlink()
    letters.rmdir()
    for _ in range(5):
        memory.run_jobs()
        clock.advance(hours=1)
    dead = memory.job(job_id)
    assert (dead.stage, dead.failure) == (JobStage.DEAD, "file_not_found")
    assert [job.id for job in memory.jobs(stage="dead")] == [job_id]

    letters.mkdir()
    assert memory.retry_job(job_id).stage is JobStage.WAITING
    assert memory.run_jobs() == JobsRun(done=1)


def test_a_job_that_waits_can_be_cancelled(memory: Memory, letters: Path) -> None:
    job_id = memory.ingest(letters, background=True).job_id
    assert job_id is not None
    assert memory.cancel_job(job_id).stage is JobStage.CANCELLED
    assert memory.run_jobs() == JobsRun(done=0)
    with pytest.raises(Conflict) as refused:
        memory.cancel_job(job_id)
    assert refused.value.code == "job_stage"


def test_jobs_are_run_in_one_space_or_in_all(memory: Memory, letters: Path) -> None:
    for space in ("alice", "bob", "carol"):
        memory.ingest(letters, background=True, space=space)
    assert memory.run_jobs(space="bob") == JobsRun(done=1)
    assert [job.stage for space in ("alice", "bob") for job in memory.jobs(space=space)] == ["waiting", "done"]
    assert memory.run_jobs(limit=1) == JobsRun(done=1)
    assert memory.run_jobs() == JobsRun(done=1)


def test_a_list_of_jobs_has_pages(memory: Memory, letters: Path) -> None:
    queued = [memory.ingest(letters, background=True).job_id for _ in range(3)]
    first = memory.jobs(limit=2)
    rest = memory.jobs(limit=2, cursor=first.next_cursor)
    assert [job.id for job in (*first, *rest)] == list(reversed(queued))
    assert rest.next_cursor is None
    with pytest.raises(InvalidInput):
        memory.jobs(limit=2, cursor=first.next_cursor, stage="dead")
    with pytest.raises(InvalidInput) as refused:
        memory.jobs(stage="odd")
    assert refused.value.code == "unknown_stage"


def test_a_job_of_another_space_is_not_there(memory: Memory, letters: Path) -> None:
    job_id = memory.ingest(letters, background=True, space="alice").job_id
    assert job_id is not None
    memory.save("of bob", space="bob")
    for verb in (memory.job, memory.cancel_job, memory.retry_job):
        with pytest.raises(NotFound) as refused:
            verb(job_id, space="bob")
        assert refused.value.code == "job_not_found"


def test_nothing_is_queued_or_run_in_a_dry_run(memory: Memory, letters: Path) -> None:
    rehearsal = memory.dry_run()
    rehearsal.ingest(letters, background=True)
    assert [type(edit).__name__ for changes in rehearsal.changes for edit in changes.edits] == ["QueueJob"]
    assert memory.jobs().items == ()
    with pytest.raises(Unsupported):
        rehearsal.run_jobs()


def test_the_index_can_be_built_anew_later_and_is_asked_for_once(memory: Memory) -> None:
    memory.save("Alice prefers tea")
    first, second = memory.reindex(background=True), memory.reindex(background=True)
    assert first == second
    assert [job.kind for job in memory.jobs(whole_store=True)] == ["reindex"]
    assert memory.run_jobs().done == 2  # it queues the filling of vectors, which has nothing to do here
    with pytest.raises(InvalidInput):
        memory.reindex(background=True, check=True)


def test_what_is_over_is_marked_once_a_day_and_receipts_go_in_the_end(memory: Memory, clock: SteadyClock) -> None:
    memory.save("The parade is on Friday", expires_at="2026-01-02")
    receipt = memory.recall("parade").receipt
    assert receipt is not None
    assert memory.run_jobs() == JobsRun(done=0)  # the timer begins with the first run
    assert [timer.name for timer in memory.timers()] == ["upkeep"]
    clock.advance(days=2)
    assert memory.run_jobs() == JobsRun(done=1)
    assert [note.text for note in memory.list(state="expired")] == ["The parade is on Friday"]
    assert memory.why(receipt).receipt.id == receipt
    clock.advance(days=60)
    assert memory.run_jobs() == JobsRun(done=1)
    with pytest.raises(NotFound):
        memory.why(receipt)
    assert len(memory.jobs()) == 1  # settled jobs go, too


def test_those_who_watch_a_space_hear_of_its_jobs(memory: Memory, letters: Path) -> None:
    job_id = memory.ingest(letters, background=True, space="alice").job_id
    memory.run_jobs()
    told = [each for each in memory.following.after("alice", 0, limit=100) if each.job is not None]
    assert {each.record_id for each in told} == {job_id}
    kinds = [each.kind.value for each in told]
    assert (kinds[0], set(kinds[1:-1]), kinds[-1]) == ("job-queued", {"job-progressed"}, "job-done")
    assert told[-1].job == memory.jobs(space="alice")[0]


def test_jobs_are_counted_in_the_store_and_in_the_process(memory: Memory, letters: Path) -> None:
    memory.ingest(letters, background=True, space="alice")
    memory.ingest(letters, background=True, space="bob")
    memory.run_jobs(limit=1)
    assert memory.measuring.measures().jobs == {("ingest", "waiting"): 1, ("ingest", "done"): 1}
    assert memory.measuring.tally()["jobs", "ingest", "done"] == 1


def test_a_backup_is_made_again_by_itself(tmp_path: Path, clock: SteadyClock) -> None:
    with Memory(home=tmp_path / "home", targets={"nightly": str(tmp_path / "copies")}, clock=clock) as memory:
        memory.save("Alice prefers tea")
        memory.backup(target="nightly", every="1d", keep=2)
        [timer] = [each for each in memory.timers(whole_store=True) if each.kind == "backup"]
        assert (timer.every_seconds, timer.payload) == (86_400, {"target": "nightly", "keep": 2})
        memory.run_jobs()
        assert len(memory.backups(target="nightly")) == 1
        for expected in (2, 2):
            clock.advance(days=1)
            assert memory.run_jobs().dead == 0
            assert len(memory.backups(target="nightly")) == expected
        memory.backup(target="nightly", every="never")
        assert [each for each in memory.timers(whole_store=True) if each.kind == "backup"] == []


@pytest.mark.parametrize("every", ["often", "10s", "0d", "99999w", "-1d"])
def test_an_odd_period_is_refused_before_anything_is_copied(tmp_path: Path, every: str) -> None:
    with Memory(home=tmp_path / "home", targets={"nightly": str(tmp_path / "copies")}) as memory:
        with pytest.raises(InvalidInput):
            memory.backup(target="nightly", every=every)
        with pytest.raises(InvalidInput):
            memory.backup(tmp_path / "copy.db", every="1d")
        assert not (tmp_path / "copies").exists()
