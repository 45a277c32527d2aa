"""The index of vectors is what a rebuild would make of the store, after any writes, in every live process."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.domain.changes import Changes, ResumeSpace, WriteVector
from recollect.domain.errors import Erased
from recollect.domain.meanings import Near, Vector
from recollect.domain.origin import Origin
from recollect.engine import Deferred, Inference
from recollect.recall.vectors.background import VectorIndexes
from recollect.recall.vectors.index import VectorIndex
from recollect.stores.opening import open_store
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.postgres import Server
from tests.support.raw import store_of

BOUNDS = settings(
    max_examples=25,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
WORDS = ("tea", "coffee", "water", "beer", "milk", "juice")
QUESTION = "which drink is it"

# What can happen, as the name of a deed and which of the things that are there it is done to.
DEEDS = st.lists(
    st.tuples(
        st.sampled_from(
            """save save save add ingest update retitle supersede retract pin forget cascade replay import delete
            look""".split()
        ),
        st.integers(0, 1000),
    ),
    max_size=30,
)


class WordEmbedder:
    """Vectors from a digest of the text: the same for the same text.

    As with the models there are, no two point away from each other, unless they are `scattered`.
    """

    def __init__(self, model_id: str = "digest", dimension: int = 8, *, scattered: bool = False) -> None:
        self.model_id = model_id
        self.dimension = dimension
        self._kind = np.int8 if scattered else np.uint8

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        return [self._vector(text) for text in texts]

    def query(self, text: str) -> Vector:
        return self._vector(text)

    def _vector(self, text: str) -> Vector:
        digest = hashlib.shake_256(f"{self.model_id} {text}".encode()).digest(self.dimension)
        numbers = np.frombuffer(digest, dtype=self._kind).astype("<f4") + np.float32(0.5)
        return (numbers / np.linalg.norm(numbers)).astype("<f4").tobytes()


EMBEDDER = WordEmbedder()
SCATTERED = WordEmbedder("scattered", scattered=True)


@pytest.fixture
def meaning(memory: Memory) -> Memory:
    """A memory that turns each text into a vector."""
    return with_embedder(memory, EMBEDDER)


def with_embedder(memory: Memory, embedder: WordEmbedder) -> Memory:
    engine = memory._engine
    nearness = VectorIndexes(engine.store, engine.log, engine.vectors, embedder)
    memory._engine = replace(engine, inference=Deferred(lambda: Inference(embedder, nearness)))
    return memory


def index_of(memory: Memory, space: str, embedder: WordEmbedder = EMBEDDER) -> VectorIndex:
    """A new index, as another process would have it."""
    return VectorIndex(memory._engine.store, memory._engine.log, memory._engine.vectors, space, embedder)


def obvious(memory: Memory, space: str, embedder: WordEmbedder, *, limit: int) -> list[float]:
    """How near the nearest texts are, counted out one by one."""
    asked = np.frombuffer(embedder.query(QUESTION), dtype="<f4")
    every = memory._engine.vectors.every(space, embedder.model_id)
    return sorted((float(np.frombuffer(each.vector, dtype="<f4") @ asked) for each in every), reverse=True)[:limit]


def sorted_out(found: Sequence[Near]) -> list[tuple[float, str, int]]:
    """Answers in an order that a tie does not change."""
    return sorted((round(-near.likeness, 4), near.record_id, near.version) for near in found)


def assert_equal_to_a_rebuild(
    memory: Memory, space: str, index: VectorIndex, embedder: WordEmbedder = EMBEDDER
) -> None:
    asked = embedder.query(QUESTION)
    everything = sorted_out(index.nearest(asked, limit=10_000))
    assert everything == sorted_out(index_of(memory, space, embedder).nearest(asked, limit=10_000))
    kept = memory._engine.vectors.every(space, embedder.model_id)
    assert sorted((record_id, version) for _, record_id, version in everything) == sorted(
        (each.record_id, each.version) for each in kept
    )
    for limit in (1, 3, 10):
        likeness = [near.likeness for near in index.nearest(asked, limit=limit)]
        assert likeness == pytest.approx(obvious(memory, space, embedder, limit=limit), abs=1e-5)


class Life:
    """Deeds done to the notes, messages and files of one space."""

    def __init__(self, memory: Memory, space: str, folder: Path) -> None:
        self.memory = memory
        self.space = space
        self.folder = folder
        self.folder.mkdir()
        self.exported: list[str] = []

    def do(self, deed: str, number: int) -> None:
        memory, space, word = self.memory, self.space, WORDS[number % len(WORDS)]
        text = f"Alice prefers {word} {number % 4}"
        note = self._some_note(number)
        match deed:
            case "save":
                memory.save(text, space=space, derived_from=[note] if note and number % 3 == 0 else ())
            case "add":
                memory.add(f"I live in {word}town {number}. Nice {word}!", space=space)
            case "ingest":
                file = self.folder / f"{number % 2}.md"
                if number % 5:
                    file.write_text(f"# {word}\n\nAll about {word}.\n\n## More\n\n{text}\n")
                else:
                    file.unlink(missing_ok=True)
                memory.ingest(str(self.folder), space=space)
            case "replay":
                with suppress(Erased):  # what was written under the key may have been forgotten since
                    memory.save(text, space=space, idempotency_key=f"key {number % 3} {text}")
            case "delete" if number % 5 == 0 and self._is_there():
                memory.delete_space(space)
            case "import" if self.exported:
                memory.import_(self.exported, space=space)
            case "update" if note:
                memory.update(note, text=f"{text}, or so", space=space)
            case "retitle" if note:
                memory.update(note, title=word, space=space)
            case "supersede" if note:
                memory.supersede(note, text, space=space)
            case "retract" if note:
                memory.retract(note, space=space)
            case "pin" if note:
                memory.pin(note, space=space)
            case "forget" if note:
                memory.forget(note, space=space)
            case "cascade" if note:
                memory.forget(note, cascade=True, space=space)
            case "look" if self._is_there():
                self.exported = [json.dumps(each) for each in memory.export(space=space).records]

    def _is_there(self) -> bool:
        return self.memory._engine.store.space(self.space) is not None

    def _some_note(self, number: int) -> str | None:
        if not self._is_there():
            return None
        notes = self.memory.list(state="active", limit=100, space=self.space).items
        return notes[number % len(notes)].id if notes else None


@pytest.fixture
def other_process(store_address: str, meaning: Memory, clock: SteadyClock) -> Iterator[SqlStore]:
    """The same store, opened once more as another process would; a store in memory has only one."""
    if store_address == ":memory:":
        yield store_of(meaning)
        return
    opened = open_store(store_address, clock=clock, busy_timeout=5)
    yield opened
    opened.close()


_SPACES = count()

# A row of zeros stands for what was replaced or forgotten, and is nearer than whatever points away from the question.


@pytest.mark.parametrize(
    "embedder",
    [
        pytest.param(EMBEDDER, id="usual"),
        pytest.param(SCATTERED, id="scattered"),
    ],
)
@BOUNDS
@given(deeds=DEEDS)
def test_after_any_sequence_of_writes_it_equals_a_rebuild(
    meaning: Memory, other_process: SqlStore, embedder: WordEmbedder, tmp_path: Path, deeds: list[tuple[str, int]]
) -> None:
    space = f"space-{os.getpid()}-{next(_SPACES)}"
    life = Life(with_embedder(meaning, embedder), space, tmp_path / space)
    followed_closely = index_of(meaning, space, embedder)
    followed_from_afar = VectorIndex(other_process, other_process.log, other_process.vectors, space, embedder)
    for deed, number in deeds:
        life.do(deed, number)
        if deed == "look":
            assert_equal_to_a_rebuild(meaning, space, followed_closely, embedder)

    assert_equal_to_a_rebuild(meaning, space, followed_closely, embedder)
    assert_equal_to_a_rebuild(meaning, space, followed_from_afar, embedder)


def test_a_new_text_is_near_at_once_and_an_old_one_stays_a_key(meaning: Memory) -> None:
    index = index_of(meaning, "alice")
    note = meaning.save("Alice prefers tea", space="alice")
    assert [(near.record_id, near.version) for near in index.nearest(EMBEDDER.query("x"), limit=5)] == [(note.id, 1)]

    meaning.update(note.id, text="Alice prefers coffee", space="alice")
    [nearest, *_] = index.nearest(EMBEDDER.query("Alice prefers coffee"), limit=5)
    assert (nearest.record_id, nearest.version, round(nearest.likeness, 4)) == (note.id, 2, 1.0)
    [nearest, *_] = index.nearest(EMBEDDER.query("Alice prefers tea"), limit=5)
    assert (nearest.record_id, nearest.version) == (note.id, 1)


def test_a_change_that_leaves_the_words_alone_adds_no_vector(meaning: Memory) -> None:
    note = meaning.save("Alice prefers tea")
    meaning.pin(note.id)
    meaning.update(note.id, confidence=0.5)

    assert len(index_of(meaning, "default").nearest(EMBEDDER.query("x"), limit=5)) == 1


def test_what_is_forgotten_is_near_nothing(meaning: Memory) -> None:
    index = index_of(meaning, "alice")
    heard = meaning.add("I live in Oslo.", space="alice")
    kept = meaning.save("Alice prefers tea", space="alice")
    assert len(index.nearest(EMBEDDER.query("x"), limit=9)) == 3

    note = heard.learned[0].note
    assert note is not None
    meaning.forget(note.id, space="alice")
    assert [near.record_id for near in index.nearest(EMBEDDER.query("x"), limit=9)] == [kept.id]
    assert [each.record_id for each in meaning._engine.vectors.every("alice", "digest")] == [kept.id]


def test_what_was_forgotten_takes_no_place_among_the_nearest(memory: Memory) -> None:
    with_embedder(memory, SCATTERED)
    index = index_of(memory, "default", SCATTERED)
    notes = [memory.save(f"note {number}") for number in range(40)]
    assert len(index.nearest(SCATTERED.query("x"), limit=10)) == 10
    for note in notes[:30]:
        memory.forget(note.id)

    assert len(index.nearest(SCATTERED.query("x"), limit=10)) == 10


@pytest.mark.parametrize("which", [{"project": "storefront"}, {"tag": "drinks"}, {"kind": "lesson"}, {"pinned": True}])
def test_meaning_finds_what_a_filter_leaves_and_nothing_else(meaning: Memory, which: dict[str, Any]) -> None:
    wanted = meaning.save("Tea at five", project="storefront", tags=["drinks"], kind="lesson", pinned=True)
    for number in range(12):
        meaning.save(f"Something else {number}")

    hits = meaning.search("which beverage", **which).hits
    assert [hit.id for hit in hits] == [wanted.id]


def test_each_space_is_by_itself(meaning: Memory) -> None:
    meaning.save("Alice prefers tea", space="alice")
    meaning.save("Bob prefers tea", space="bob")
    nearness = meaning._engine.nearness
    assert nearness is not None

    assert len(nearness.nearest("alice", "tea", limit=9)) == 1
    assert len(nearness.nearest("bob", "tea", limit=9)) == 1
    assert nearness.nearest("nobody", "tea", limit=9) == []


def test_two_models_are_never_compared(meaning: Memory) -> None:
    meaning.save("Alice prefers tea")
    other = with_embedder(meaning, WordEmbedder("another", dimension=4))
    other.save("Bob prefers coffee")
    nearness = other._engine.nearness
    assert nearness is not None

    [near] = nearness.nearest("default", "tea", limit=9)
    assert near.record_id == other.list().items[0].id


def test_after_the_model_was_changed_only_its_own_vectors_answer(meaning: Memory) -> None:
    old = [meaning.save(f"Alice prefers {word}") for word in WORDS]
    another = WordEmbedder("another", dimension=4)
    with_embedder(meaning, another)
    new = meaning.save("Bob prefers cocoa")
    assert found_near(meaning, "what does Bob drink") == {new.id}
    before = {check.name: check for check in meaning.reindex(check=True).checks}
    assert not before["vectors of default"].ok
    assert "6 texts" in before["vectors of default"].detail
    assert "another" in before["vectors of default"].detail

    diagnosis = meaning.reindex()
    assert diagnosis.healthy
    assert found_near(meaning, "what does Bob drink") == {new.id, *(note.id for note in old)}
    assert_equal_to_a_rebuild(meaning, "default", index_of(meaning, "default", another), another)
    assert len(list(meaning._engine.vectors.every("default", EMBEDDER.model_id))) == len(old)


def test_without_a_model_there_are_no_vectors_to_lack(memory: Memory) -> None:
    memory.save("Alice prefers tea")

    assert [check.name for check in memory.reindex().checks if check.name.startswith("vectors")] == []


def test_what_is_imported_has_its_vectors_in_the_same_commit(meaning: Memory) -> None:
    note = meaning.save("Alice prefers tea")
    meaning.update(note.id, text="Alice prefers coffee")
    meaning.pin(note.id)
    exported = [json.dumps(each) for each in meaning.export().records]
    meaning.import_(exported, space="copy")

    kept = sorted((each.record_id, each.version) for each in meaning._engine.vectors.every("copy", "digest"))
    assert kept == [(note.id, 1), (note.id, 2)]
    assert meaning.reindex(check=True).healthy


def found_near(memory: Memory, question: str) -> set[str]:
    nearness = memory._engine.nearness
    assert nearness is not None
    return {near.record_id for near in nearness.nearest("default", question, limit=50)}


def test_a_rehearsal_leaves_no_vector(meaning: Memory) -> None:
    meaning.dry_run().save("Alice prefers tea")
    meaning.dry_run().add("I live in Oslo.")

    assert list(meaning._engine.vectors.every("default", "digest")) == []


def test_a_space_that_was_set_back_is_read_anew(meaning: Memory, clock: SteadyClock) -> None:
    index = index_of(meaning, "default")
    meaning.save("Alice prefers tea")
    assert len(index.nearest(EMBEDDER.query("x"), limit=9)) == 1
    meaning._engine.store.apply(Changes("default", "restore", clock.now(), Origin(), (ResumeSpace(1000),)))
    meaning.save("Alice prefers coffee")

    assert_equal_to_a_rebuild(meaning, "default", index)
    assert len(index.nearest(EMBEDDER.query("x"), limit=9)) == 2


def test_many_texts_are_all_there_as_it_grows(meaning: Memory) -> None:
    index = index_of(meaning, "default")
    for start in range(0, 900, 300):
        messages = [{"role": "assistant", "content": f"message {number}"} for number in range(start, start + 300)]
        meaning.add(messages)
        assert len(index.nearest(EMBEDDER.query("x"), limit=2000)) == start + 300

    assert_equal_to_a_rebuild(meaning, "default", index)


@pytest.mark.postgres
def test_both_databases_have_the_same_nearest(postgres_server: Server, clock: SteadyClock, tmp_path: Path) -> None:
    answers = []
    with postgres_server.database() as address:
        for store in (":memory:", address):
            with Memory(store=store, home=tmp_path, principal="tester", clock=clock) as memory:
                with_embedder(memory, EMBEDDER)
                for number in range(60):
                    note = memory.save(f"Alice prefers {WORDS[number % 6]} {number}")
                    if number % 7 == 0:
                        memory.update(note.id, text=f"Alice prefers {WORDS[number % 5]}, number {number}")
                    if number % 11 == 0:
                        memory.forget(note.id)
                versions = store_of(memory).versions("default", [note.id for note in memory.list(limit=100).items])
                texts = {(version.id, version.version): version.text for version in versions}
                nearness = memory._engine.nearness
                assert nearness is not None
                near = nearness.nearest("default", QUESTION, limit=20)
                answers.append([(texts[each.record_id, each.version], round(each.likeness, 5)) for each in near])

    assert answers[0] == answers[1]
    assert len(answers[0]) == 20


def test_a_tenant_of_five_beside_one_of_ten_thousand_has_all_five(store: SqlStore, clock: SteadyClock) -> None:
    for start in range(0, 10_000, 2500):
        edits = tuple(
            WriteVector(f"{number:026d}", 1, EMBEDDER.model_id, EMBEDDER.query(f"large {number}"))
            for number in range(start, start + 2500)
        )
        store.apply(Changes("large", "test", clock.now(), Origin(), edits))
    few = {f"{number:026d}": EMBEDDER.query(f"small {number}") for number in range(5)}
    edits = tuple(WriteVector(record_id, 1, EMBEDDER.model_id, vector) for record_id, vector in few.items())
    store.apply(Changes("small", "test", clock.now(), Origin(), edits))
    nearness = VectorIndexes(store, store.log, store.vectors, EMBEDDER)
    nearness.wait("large")
    nearness.wait("small")

    assert {near.record_id for near in nearness.nearest("small", QUESTION, limit=10)} == set(few)
    assert len(nearness.nearest("large", QUESTION, limit=10)) == 10
