"""A process that has just begun answers at once: by words, until vectors were read."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.errors import Damaged
from recollect.domain.meanings import StoredVector, Vector
from recollect.domain.observations import Observation
from recollect.recall.vectors import background
from recollect.recall.vectors.background import VectorIndexes
from tests.recall.test_vector_index import WordEmbedder, with_embedder

SECONDS = 240


class SlowEmbedder(WordEmbedder):
    """A model that is not there before it is let in."""

    def __init__(self) -> None:
        super().__init__()
        self.let_in = threading.Event()

    def query(self, text: str) -> Vector:
        assert self.let_in.wait(SECONDS)
        return super().query(text)


class BrokenEmbedder(WordEmbedder):
    """A model that cannot be loaded."""

    def query(self, text: str) -> Vector:
        raise Damaged(f"no vector of {text!r}", code="model_damaged")


@pytest.fixture
def slow(memory: Memory) -> Iterator[SlowEmbedder]:
    embedder = SlowEmbedder()
    with_embedder(memory, embedder)
    yield embedder
    embedder.let_in.set()


def indexes(memory: Memory, embedder: WordEmbedder, patience: float) -> VectorIndexes:
    return VectorIndexes(memory._engine.store, memory._engine.log, memory._engine.vectors, embedder, patience=patience)


def test_a_first_question_does_not_wait_for_vectors_and_the_next_has_them(memory: Memory, slow: SlowEmbedder) -> None:
    memory.save("Alice prefers tea")
    nearness = indexes(memory, slow, patience=0)
    assert nearness.nearest("default", "tea", limit=5) == []

    slow.let_in.set()
    nearness.wait("default")
    assert len(nearness.nearest("default", "tea", limit=5)) == 1


def test_words_answer_meanwhile(memory: Memory, slow: SlowEmbedder) -> None:
    memory.save("Alice prefers tea")
    memory._engine.nearness._patience = 0  # type: ignore[union-attr]

    assert [hit.text for hit in memory.search("what tea does Alice like").hits] == ["Alice prefers tea"]


def test_closing_ends_what_was_begun(memory: Memory, slow: SlowEmbedder) -> None:
    memory.save("Alice prefers tea")
    nearness = indexes(memory, slow, patience=0)
    nearness.nearest("default", "tea", limit=5)
    slow.let_in.set()
    nearness.close()

    assert [thread.name for thread in threading.enumerate() if thread.name == "recollect vectors"] == []


def test_whoever_asks_is_told_what_went_wrong(memory: Memory) -> None:
    memory.save("Alice prefers tea")
    nearness = indexes(memory, BrokenEmbedder(), patience=SECONDS)
    for _ in range(2):
        with pytest.raises(Damaged):
            nearness.nearest("default", "tea", limit=5)


def test_a_space_that_was_let_go_of_is_read_again(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "_SPACES", 2)
    embedder = WordEmbedder()
    with_embedder(memory, embedder)
    nearness = indexes(memory, embedder, patience=SECONDS)
    spaces = ["alice", "bob", "carol", "alice", "carol"]
    for space in dict.fromkeys(spaces):
        memory.save(f"{space} prefers tea", space=space)

    assert [len(nearness.nearest(space, "tea", limit=5)) for space in spaces] == [1] * 5


def test_many_threads_ask_at_once_and_read_it_once(memory: Memory) -> None:
    embedder = WordEmbedder()
    with_embedder(memory, embedder)
    memory.save("Alice prefers tea")
    nearness = indexes(memory, embedder, patience=SECONDS)
    counts: list[int] = []
    threads = [
        threading.Thread(target=lambda: counts.append(len(nearness.nearest("default", "tea", limit=5))))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)

    assert counts == [1] * 8


def test_vectors_are_read_once_though_another_thread_writes_and_asks_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Memory(store=str(tmp_path / "memory.db"), embedding="off")) as memory:
        memory.save("Alice prefers tea")  # which has no vector, so that it is looked for once more
        with_embedder(memory, WordEmbedder())
        memory.save("Bob likes it hot")
        engine, wrote = memory._engine, threading.Event()
        vectors_of, those, read = engine.vectors.every, engine.archive.those, []

        def write_and_ask() -> None:
            memory.save("Alice prefers coffee in the morning")
            assert engine.nearness is not None
            engine.nearness.nearest("default", "coffee", limit=5)

        def those_after_another_thread(space: str, record_ids: Sequence[str]) -> Mapping[str, Observation]:
            if not wrote.is_set():
                wrote.set()
                another = threading.Thread(target=write_and_ask)
                another.start()
                another.join(SECONDS)
            return those(space, record_ids)

        def every(space: str, model_id: str) -> Iterator[StoredVector]:
            read.append(space)
            return vectors_of(space, model_id)

        monkeypatch.setattr(engine.archive, "those", those_after_another_thread)
        monkeypatch.setattr(engine.vectors, "every", every)

        assert memory.search("tea").hits[0].text == "Alice prefers tea"
        assert wrote.is_set()
        assert read == ["default"]
