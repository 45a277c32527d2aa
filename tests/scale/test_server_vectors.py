"""Where pgvector is installed the server compares vectors, and the answers are those of a process that does."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

import numpy as np
import psycopg
import pytest

from recollect import Memory
from recollect.domain.changes import Changes, WriteVector
from recollect.domain.meanings import EmbeddingChoice, Near, Vector
from recollect.domain.origin import Origin
from recollect.recall.vectors.background import VectorIndexes
from recollect.stores.database import Row, Transaction
from recollect.stores.opening import open_store
from recollect.stores.postgres import pgvector
from recollect.stores.postgres.pgvector import ServerVectors
from recollect.stores.sql_store import SqlStore
from tests.recall.test_vector_index import WordEmbedder
from tests.support.clock import SteadyClock
from tests.support.postgres import Server

pytestmark = pytest.mark.postgres

EMBEDDER = WordEmbedder("digest-64", 64, scattered=True)
QUESTIONS = [EMBEDDER.query(f"question {number}") for number in range(30)]


@pytest.fixture
def address(postgres_server: Server) -> Iterator[str]:
    with postgres_server.database() as database:
        yield database


@pytest.fixture
def served_store(address: str, clock: SteadyClock) -> Iterator[SqlStore]:
    store = open_store(address, clock=clock, busy_timeout=5)
    yield store
    store.close()


def fill(store: SqlStore, clock: SteadyClock, space: str, many: int) -> dict[str, Vector]:
    vectors = {f"{number:026d}": EMBEDDER.query(f"{space} {number}") for number in range(many)}
    edits = tuple(WriteVector(record_id, 1, EMBEDDER.model_id, vector) for record_id, vector in vectors.items())
    store.apply(Changes(space, "test", clock.now(), Origin(), edits))
    return vectors


def served(store: SqlStore, *, exact_up_to: int = 10_000) -> ServerVectors:
    found = store.vectors.served(EMBEDDER.model_id, EMBEDDER.dimension)
    assert isinstance(found, ServerVectors)
    found.exact_up_to = exact_up_to
    return found


def ids(found: Sequence[Near]) -> list[str]:
    return [near.record_id for near in found]


def obvious(vectors: dict[str, Vector], question: Vector, *, limit: int) -> list[str]:
    asked = np.frombuffer(question, dtype="<f4")
    by_likeness = sorted(vectors, key=lambda each: (-float(np.frombuffer(vectors[each], dtype="<f4") @ asked), each))
    return by_likeness[:limit]


def indexes_of(address: str) -> list[str]:
    with psycopg.connect(address) as connection:
        rows = connection.execute("SELECT indexname FROM pg_indexes WHERE indexname LIKE 'embedding_near_%'").fetchall()
    return [row[0] for row in rows]


def test_every_store_has_the_same_nearest(postgres_server: Server, served_store: SqlStore, clock: SteadyClock) -> None:
    answers = []
    with postgres_server.database(migrated=False) as without:
        in_memory = open_store(":memory:", clock=clock, busy_timeout=5)
        plain = open_store(without, clock=clock, busy_timeout=5)
        for store in (in_memory, plain, served_store):
            fill(store, clock, "alice", 400)
            nearness = VectorIndexes(store, store.log, store.vectors, EMBEDDER)
            nearness.wait("alice")
            some = {f"{number:026d}" for number in range(0, 400, 7)}
            found = [
                nearness.nearest("alice", f"q {each}", limit=20, among=among)
                for each in range(5)
                for among in (None, some)
            ]
            answers.append([[(near.record_id, round(near.likeness, 5)) for near in each] for each in found])
        assert plain.vectors.served(EMBEDDER.model_id, EMBEDDER.dimension) is None
        in_memory.close()
        plain.close()

    assert answers[0] == answers[1] == answers[2]


def test_a_large_space_gets_an_index_of_its_own_and_finds_nearly_all(
    address: str, served_store: SqlStore, clock: SteadyClock
) -> None:
    large, small = fill(served_store, clock, "large", 1500), fill(served_store, clock, "small", 5)
    vectors = served(served_store, exact_up_to=200)
    vectors.place("large")
    vectors.place("small")

    found = [set(ids(vectors.nearest("large", question, limit=10, among=None))) for question in QUESTIONS]
    right = sum(
        len(each & set(obvious(large, question, limit=10))) for each, question in zip(found, QUESTIONS, strict=True)
    )
    assert right >= 0.98 * 10 * len(QUESTIONS)
    [index] = indexes_of(address)
    assert index in vectors.plan("large", QUESTIONS[0])
    assert set(ids(vectors.nearest("small", QUESTIONS[0], limit=10, among=None))) == set(small)


def test_a_filter_that_leaves_few_of_a_large_space_starves_no_answer(
    served_store: SqlStore, clock: SteadyClock
) -> None:
    large = fill(served_store, clock, "large", 1500)
    vectors = served(served_store, exact_up_to=20)
    vectors.place("large")
    few = obvious(large, QUESTIONS[0], limit=1500)[-40:]

    found = vectors.nearest("large", QUESTIONS[0], limit=10, among=few)

    assert ids(found) == obvious({each: large[each] for each in few}, QUESTIONS[0], limit=10)


def test_vectors_without_a_place_are_looked_for_while_the_server_may_sort(
    served_store: SqlStore, clock: SteadyClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(served_store, clock, "large", 50)
    vectors = served(served_store, exact_up_to=20)
    vectors.place("large")
    seen = []

    def look(self: ServerVectors, transaction: Transaction, space: str, limit: int) -> list[Row]:
        seen.append(transaction.query("SHOW enable_sort"))
        return unplaced(self, transaction, space, limit)

    unplaced = ServerVectors._unplaced
    monkeypatch.setattr(ServerVectors, "_unplaced", look)
    assert len(vectors.nearest("large", QUESTIONS[0], limit=10, among=None)) == 10
    assert seen == [[("on",)]]  # forbidden to sort, it would read every vector of the space in their order


def test_vectors_of_a_process_that_knows_of_no_places_are_near_all_the_same(
    address: str, served_store: SqlStore, clock: SteadyClock
) -> None:
    vectors = fill(served_store, clock, "alice", 50)  # before anybody asked which model is compared
    for _ in range(2):
        assert ids(served(served_store).nearest("alice", QUESTIONS[0], limit=10, among=None)) == obvious(
            vectors, QUESTIONS[0], limit=10
        )
        served(served_store).place("alice")
    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT count(*) FROM recollect.embedding WHERE place IS NULL").fetchone() == (0,)


def test_nothing_is_held_in_the_process(served_store: SqlStore, clock: SteadyClock) -> None:
    fill(served_store, clock, "alice", 200)
    nearness = VectorIndexes(served_store, served_store.log, served_store.vectors, EMBEDDER)
    nearness.wait("alice")

    assert len(nearness.nearest("alice", "tea", limit=10)) == 10
    assert nearness.held_bytes() == 0


def test_the_index_of_a_model_goes_with_its_vectors(address: str, clock: SteadyClock) -> None:
    with Memory(store=address, embedding="hashed", clock=clock) as memory:
        memory.save("tea")
        serving = memory._engine.embedder
        assert serving is not None
        memory._engine.vectors.choose(EmbeddingChoice("off", "hashed"), instead_of=EmbeddingChoice(), at=clock.now())
        vectors = memory._engine.vectors.served(serving.model_id, serving.dimension)
        assert isinstance(vectors, ServerVectors)
        vectors.exact_up_to = 0
        vectors.place("default")
        assert len(indexes_of(address)) == 1
        memory.drop_embeddings()
        assert indexes_of(address) == []


def test_the_index_of_a_space_goes_with_it(address: str, clock: SteadyClock) -> None:
    with Memory(store=address, principal="tester", clock=clock) as memory:
        memory.save("Alice prefers tea", space="alice")
        store = memory._engine.store
        assert isinstance(store, SqlStore)
        fill(store, clock, "alice", 100)
        served(store, exact_up_to=20).place("alice")
        assert len(indexes_of(address)) == 1
        memory.delete_space("alice")

    assert indexes_of(address) == []


def test_a_trial_that_did_not_come_back_is_not_repeated(address: str, clock: SteadyClock) -> None:
    says = "COMMENT ON COLUMN recollect.embedding.place IS "
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(says + "'Whether this server can compare vectors is being tried.'")
    with Memory(store=address, principal="tester", clock=clock) as memory:
        [check] = [each for each in memory.doctor().checks if each.name == "vector search"]
        assert "did not come back" in check.detail
        assert "IS NULL" in check.hint
        assert memory._engine.vectors.served(EMBEDDER.model_id, EMBEDDER.dimension) is None

    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(says + "NULL")  # as the hint says
    with Memory(store=address, principal="tester", clock=clock) as memory:
        assert "pgvector" in memory.status().vector_search
        assert memory.status().vector_search.startswith("compared by the server")


def test_questions_are_answered_while_a_space_is_made_ready(
    served_store: SqlStore, clock: SteadyClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors = fill(served_store, clock, "alice", 50)
    begun, let_on = threading.Event(), threading.Event()

    def slowly(_: str) -> None:
        begun.set()
        assert let_on.wait(240)

    monkeypatch.setattr(served(served_store), "place", slowly)
    nearness = VectorIndexes(served_store, served_store.log, served_store.vectors, EMBEDDER, patience=240)
    try:
        for _ in range(2):
            assert ids(nearness.nearest("alice", "tea", limit=10)) == obvious(vectors, EMBEDDER.query("tea"), limit=10)
            assert begun.wait(240)
            nearness._indexes.clear()  # as that of a space which was let go of meanwhile
    finally:
        let_on.set()
        nearness.close()


def test_a_space_that_cannot_be_made_ready_is_logged_once_and_answers(
    served_store: SqlStore, clock: SteadyClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fill(served_store, clock, "alice", 50)

    def broken(_: str) -> None:
        raise psycopg.errors.DiskFull("no room for an index")

    monkeypatch.setattr(served(served_store), "place", broken)
    nearness = VectorIndexes(served_store, served_store.log, served_store.vectors, EMBEDDER, patience=240)
    nearness.wait("alice")
    for _ in range(3):
        assert len(nearness.nearest("alice", "tea", limit=10)) == 10
    nearness.close()

    assert [each.getMessage() for each in caplog.records if "no room" in each.getMessage()] == [
        "a space could not be made ready for vector search: DiskFull: no room for an index"
    ]


def test_a_large_space_without_index_is_told_and_gets_one_by_reindexing(
    address: str, served_store: SqlStore, clock: SteadyClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pgvector, "EXACT_UP_TO", 20)
    fill(served_store, clock, "alice", 50)
    [before] = [each for each in served_store.upkeep.check() if each.name == "vector search"]
    assert before.ok and "`recollect reindex` as the owner" in before.hint

    served_store.upkeep.rebuild()

    [after] = [each for each in served_store.upkeep.check() if each.name == "vector search"]
    assert after.hint == "" and len(indexes_of(address)) == 1


def test_a_store_opens_though_the_extension_cannot_be_tried(
    address: str, clock: SteadyClock, caplog: pytest.LogCaptureFixture
) -> None:
    with psycopg.connect(address) as another:
        another.execute("COMMENT ON COLUMN recollect.embedding.place IS NULL")
        another.commit()
        another.execute("LOCK TABLE recollect.embedding IN ACCESS SHARE MODE")  # as a long question or a backup does
        store = open_store(address, clock=clock, busy_timeout=5)
        assert "could not be tried" in store.vectors.where_compared
        assert store.vectors.served(EMBEDDER.model_id, EMBEDDER.dimension) is None
        fill(store, clock, "alice", 5)
        store.close()
    assert "could not be tried" in caplog.text
    again = open_store(address, clock=clock, busy_timeout=5)
    assert again.vectors.where_compared.startswith("compared by the server")
    again.close()


def test_the_extension_is_found_in_any_schema(postgres_server: Server, clock: SteadyClock) -> None:
    with postgres_server.database(migrated=False) as address:
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute('CREATE SCHEMA "Ext ra"')
            connection.execute('CREATE EXTENSION vector SCHEMA "Ext ra"')
        store = open_store(address, clock=clock, busy_timeout=5)
        vectors = fill(store, clock, "alice", 30)
        found = served(store, exact_up_to=10)
        found.place("alice")
        assert ids(found.nearest("alice", QUESTIONS[0], limit=5, among=None)) == obvious(vectors, QUESTIONS[0], limit=5)
        store.close()
