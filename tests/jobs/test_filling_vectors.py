"""Vectors are made after the write where it would wait for them: words answer meanwhile, and nothing is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from recollect import Memory
from recollect.assembly import _inference
from recollect.domain.errors import Unreachable
from recollect.domain.jobs.job import JobsRun, JobStage
from recollect.domain.meanings import Vector
from recollect.inference.static import HashedEmbedder
from recollect.jobs.runner import JobRunner, Pace
from recollect.verbs.writing import MOST_TEXTS_IN_A_WRITE
from tests.support.clock import SteadyClock
from tests.support.raw import store_of


class FarEmbedder(HashedEmbedder):
    """A model on another machine, which can be out of reach."""

    address = "https://models.example.com"
    reachable = True
    meanwhile: Callable[[], object] | None = None  # happens once, while vectors are made

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        if not self.reachable:
            raise Unreachable("The model did not answer.")
        happening, self.meanwhile = self.meanwhile, None
        if happening is not None:
            happening()
        return super().passages(texts)

    def query(self, text: str) -> Vector:
        return super().passages([text])[0]


@pytest.fixture
def far() -> FarEmbedder:
    return FarEmbedder()


@pytest.fixture
def remote(store_address: str, tmp_path: Path, clock: SteadyClock, far: FarEmbedder) -> Iterator[Memory]:
    with Memory(store=store_address, home=tmp_path / "home", embedding="off", clock=clock) as memory:
        store = store_of(memory)
        memory._engine.inference.made = _inference(far, None, store, store.log, store.vectors)
        yield memory


def test_a_write_does_not_wait_for_a_remote_model(remote: Memory, far: FarEmbedder, clock: SteadyClock) -> None:
    far.reachable = False
    note = remote.save("Alice prefers tea")
    remote.save("Bob prefers coffee")
    assert remote.search("tea").hits[0].note == note  # by its words
    [job] = remote.jobs()
    assert (job.kind, job.stage, remote.status().unembedded) == ("embed", JobStage.WAITING, 2)

    assert remote.run_jobs() == JobsRun(done=0, failed=1)
    assert remote.job(job.id).failure == "unreachable"
    far.reachable = True
    clock.advance(hours=1)
    assert remote.run_jobs() == JobsRun(done=1)
    assert remote.status().unembedded == 0
    assert store_of(remote).vectors.lacking("default", far.model_id) == 0


def test_what_is_written_while_vectors_are_made_gets_its_own(remote: Memory, far: FarEmbedder) -> None:
    remote.save("Alice prefers tea")
    store = store_of(remote)
    far.meanwhile = lambda: remote.save("Bob prefers coffee")
    assert remote.run_jobs() == JobsRun(done=2)
    assert store.vectors.lacking("default", far.model_id) == 0


def test_vectors_of_what_was_forgotten_meanwhile_are_not_kept(remote: Memory, far: FarEmbedder) -> None:
    note = remote.save("Alice prefers tea")
    remote.forget(note.id)
    assert remote.run_jobs() == JobsRun(done=1)
    assert list(store_of(remote).vectors.every("default", far.model_id)) == []


@pytest.fixture
def local(store_address: str, tmp_path: Path, clock: SteadyClock) -> Iterator[Memory]:
    with Memory(store=store_address, home=tmp_path / "home", embedding="hashed", clock=clock) as memory:
        yield memory


def a_large_batch() -> list[dict[str, str]]:
    return [{"role": "user", "content": f"message number {each}"} for each in range(MOST_TEXTS_IN_A_WRITE + 1)]


def test_local_vectors_are_made_in_the_write_where_nobody_runs_jobs(local: Memory) -> None:
    local.add(a_large_batch(), extract=False)
    assert (local.jobs().items, local.status().unembedded) == ((), 0)
    assert local._engine.vectors.lacking("default", local._engine.embedders[0].model_id) == 0


def test_a_large_batch_is_left_to_a_runner_and_a_single_note_is_not(local: Memory) -> None:
    with JobRunner(local._engine, {}, Pace(look_every=0.05)).started():  # one that knows no kind takes nothing
        local.save("Alice prefers tea")
        assert local.jobs().items == ()
        local.add(a_large_batch(), extract=False)
    assert local.status().unembedded == MOST_TEXTS_IN_A_WRITE + 1
    assert len(local.search("message number 7").hits) > 0
    assert local.run_jobs() == JobsRun(done=1)
    assert local.status().unembedded == 0
