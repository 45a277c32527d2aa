"""Many vectors: few are compared exactly, no filter starves an answer, and a file of them is never believed blindly."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from recollect import Memory
from recollect.domain.changes import Changes, WriteVector
from recollect.domain.meanings import Near, StoredVector, Vector
from recollect.domain.origin import Origin
from recollect.recall.vectors import snapshots
from recollect.recall.vectors.index import VectorIndex
from recollect.recall.vectors.snapshots import SnapshotMoment
from recollect.stores.opening import open_store
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.raw import store_of

DIMENSION = 96
MOMENT = SnapshotMoment("default", "made", DIMENSION, 7, 3, "digest")


class MadeEmbedder:
    """Vectors that crowd around a few centres, as those of real texts do; a text is the number of one."""

    model_id = "made"
    dimension = DIMENSION

    def __init__(self) -> None:
        chance = np.random.default_rng(11)
        self._centres = chance.standard_normal((40, DIMENSION)) + chance.standard_normal(DIMENSION)

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        return [self.query(text) for text in texts]

    def query(self, text: str) -> Vector:
        chance = np.random.default_rng(int(text))
        numbers = self._centres[int(text) % 40] + 0.7 * chance.standard_normal(DIMENSION)
        return bytes((numbers / np.linalg.norm(numbers)).astype("<f4").tobytes())


EMBEDDER = MadeEmbedder()


def record(number: int) -> str:
    return f"{number:026d}"


def write(store: SqlStore, clock: SteadyClock, numbers: range) -> None:
    edits = [WriteVector(record(number), 1, EMBEDDER.model_id, EMBEDDER.query(str(number))) for number in numbers]
    store.apply(Changes("default", "test", clock.now(), Origin(), tuple(edits)))


def exactly(numbers: Sequence[int], question: Vector, limit: int) -> list[str]:
    """The nearest, counted out one by one."""
    asked = np.frombuffer(question, "<f4")
    near = {number: float(np.frombuffer(EMBEDDER.query(str(number)), "<f4") @ asked) for number in numbers}
    return [record(number) for number in sorted(near, key=lambda number: -near[number])[:limit]]


def found(near: Sequence[Near]) -> list[str]:
    return [each.record_id for each in near]


def index_on(store: SqlStore, *, exact_up_to: int = 100) -> VectorIndex:
    """An index that looks at bits first, as one of many thousand vectors does."""
    return VectorIndex(store, store.log, store.vectors, "default", EMBEDDER, exact_up_to=exact_up_to)


def test_bits_leave_the_nearest_among_the_few_that_are_compared() -> None:
    stored = [StoredVector(record(number), 1, EMBEDDER.query(str(number))) for number in range(6000)]
    snapshot = snapshots.taken(MOMENT, stored)
    everything = np.ones(len(snapshot), dtype=bool)
    kept = 0
    for number in range(6000, 6040):
        question = EMBEDDER.query(str(number))
        rows = snapshot.worth_comparing(np.frombuffer(question, "<f4"), everything, least=600)
        assert len(rows) == 600
        left = {snapshot.ids[row].decode() for row in rows}
        kept += len(left.intersection(exactly(range(6000), question, 10)))

    assert kept >= 0.97 * 400


def test_the_answer_is_exact_among_what_is_compared(store: SqlStore, clock: SteadyClock) -> None:
    write(store, clock, range(1500))
    by_bits, one_by_one = index_on(store), index_on(store, exact_up_to=10_000)
    for number in range(2000, 2010):
        question = EMBEDDER.query(str(number))
        assert by_bits.nearest(question, limit=20) == one_by_one.nearest(question, limit=20)
        assert found(by_bits.nearest(question, limit=20)) == exactly(range(1500), question, 20)


@pytest.mark.parametrize("exact_up_to", [100, 10_000])
@pytest.mark.parametrize("written_first", [3000, 1500, 0])
def test_a_filter_that_one_in_a_hundred_passes_starves_nothing(
    store: SqlStore, clock: SteadyClock, written_first: int, exact_up_to: int
) -> None:
    index = index_on(store, exact_up_to=exact_up_to)
    write(store, clock, range(written_first))
    index.catch_up()  # the rest is beside the snapshot
    write(store, clock, range(written_first, 3000))
    question = EMBEDDER.query("5000")

    few = range(3, 3000, 100)
    among = [record(number) for number in few]
    assert found(index.nearest(question, limit=20, among=among)) == exactly(few, question, 20)
    half = range(0, 3000, 2)
    among = [record(number) for number in half]
    assert found(index.nearest(question, limit=20, among=among)) == exactly(half, question, 20)
    assert index.nearest(question, limit=20, among=[]) == []
    assert found(index.nearest(question, limit=20, among=[record(9), record(77_777)])) == [record(9)]


# -- files --


@pytest.fixture
def file_address(tmp_path: Path) -> str:
    return str(tmp_path / "memory.db")


@pytest.fixture
def on_file(file_address: str, clock: SteadyClock) -> SqlStore:
    return open_store(file_address, clock=clock, busy_timeout=5)


def kept_files(address: str) -> list[Path]:
    return sorted(Path(f"{address}-cache").glob("*"))


def test_the_next_process_reads_what_was_kept_and_what_has_changed_since(
    on_file: SqlStore, file_address: str, clock: SteadyClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(on_file, clock, range(300))
    index_on(on_file).catch_up()
    [kept] = kept_files(file_address)
    assert kept.stat().st_mode & 0o077 == 0
    write(on_file, clock, range(300, 320))

    def refused(*_: object) -> list[StoredVector]:
        raise AssertionError("all vectors are read again")

    another = open_store(file_address, clock=clock, busy_timeout=5)
    monkeypatch.setattr(another.vectors, "every", refused)
    question = EMBEDDER.query("1000")
    assert found(index_on(another).nearest(question, limit=10)) == exactly(range(320), question, 10)


@pytest.mark.parametrize("torn", ["cut", "empty", "header", "seal", "longer"])
def test_a_torn_file_is_not_read(on_file: SqlStore, file_address: str, clock: SteadyClock, torn: str) -> None:
    write(on_file, clock, range(300))
    index_on(on_file).catch_up()
    [kept] = kept_files(file_address)
    whole = kept.read_bytes()
    kept.write_bytes(
        {
            "cut": whole[: len(whole) // 2],
            "empty": b"",
            "header": whole[:40] + b"?" + whole[41:],
            "seal": whole[:-1] + bytes([whole[-1] ^ 1]),
            "longer": whole + b"x",
        }[torn]
    )
    assert snapshots.read(kept) is None

    question = EMBEDDER.query("1000")
    assert found(index_on(on_file).nearest(question, limit=10)) == exactly(range(300), question, 10)
    assert kept.read_bytes() == whole


def test_a_file_of_another_database_in_the_same_place_is_not_read(
    on_file: SqlStore, file_address: str, clock: SteadyClock
) -> None:
    write(on_file, clock, range(300))
    index_on(on_file).catch_up()
    on_file.close()
    for file in Path(file_address).parent.glob("memory.db*"):
        if file.is_file():
            file.unlink()
    other = open_store(file_address, clock=clock, busy_timeout=5)
    write(other, clock, range(1000, 1300))

    question = EMBEDDER.query("1000")
    assert found(index_on(other).nearest(question, limit=10)) == exactly(range(1000, 1300), question, 10)


def test_a_file_from_before_a_restore_is_not_read(
    on_file: SqlStore, file_address: str, clock: SteadyClock, tmp_path: Path
) -> None:
    write(on_file, clock, range(200))
    on_file.backup(tmp_path / "copy.db", compact=False, at=clock.now())  # type: ignore[attr-defined]
    write(on_file, clock, range(200, 300))
    index_on(on_file).catch_up()
    shutil.copytree(f"{file_address}-cache", tmp_path / "kept")
    on_file.restore(tmp_path / "copy.db", at=clock.now())  # type: ignore[attr-defined]
    shutil.copytree(tmp_path / "kept", f"{file_address}-cache", dirs_exist_ok=True)

    question = EMBEDDER.query("1000")
    assert found(index_on(on_file).nearest(question, limit=10)) == exactly(range(200), question, 10)


def test_what_is_forgotten_is_in_no_file(file_address: str, clock: SteadyClock, tmp_path: Path) -> None:
    with Memory(store=file_address, home=tmp_path, clock=clock, embedding="off") as memory:
        note = memory.save("Alice prefers tea")
        store = store_of(memory)
        vector = EMBEDDER.query("555")
        edit = WriteVector(note.id, 1, EMBEDDER.model_id, vector)
        store.apply(Changes("default", "test", clock.now(), Origin(), (edit,)))
        write(store, clock, range(300))
        index = index_on(store)
        index.catch_up()
        [kept] = kept_files(file_address)
        assert vector in kept.read_bytes()
        memory.forget(note.id)
        assert kept_files(file_address) == []

        assert note.id not in found(index.nearest(vector, limit=10))
        index_on(store).catch_up()
        assert vector not in kept_files(file_address)[0].read_bytes()


def test_a_file_that_somebody_left_with_what_was_forgotten_is_taken_away(
    file_address: str, clock: SteadyClock, tmp_path: Path
) -> None:
    with Memory(store=file_address, home=tmp_path, clock=clock, embedding="off") as memory:
        note = memory.save("Alice prefers tea")
        store = store_of(memory)
        write(store, clock, range(300))
        index_on(store).catch_up()
        shutil.copytree(f"{file_address}-cache", tmp_path / "kept")
        memory.forget(note.id)
        shutil.copytree(tmp_path / "kept", f"{file_address}-cache", dirs_exist_ok=True)
        [left] = kept_files(file_address)
        before = left.read_bytes()

        index_on(store).catch_up()
        assert kept_files(file_address)[0].read_bytes() != before


def test_a_folder_that_cannot_be_written_to_costs_no_answer(
    on_file: SqlStore, file_address: str, clock: SteadyClock
) -> None:
    Path(f"{file_address}-cache").write_text("a file where the folder would be")
    write(on_file, clock, range(300))

    question = EMBEDDER.query("1000")
    assert found(index_on(on_file).nearest(question, limit=10)) == exactly(range(300), question, 10)


def test_a_new_snapshot_answers_as_the_old_one_did(on_file: SqlStore, clock: SteadyClock) -> None:
    write(on_file, clock, range(300))
    index = index_on(on_file)
    index.catch_up()
    write(on_file, clock, range(300, 600))
    question = EMBEDDER.query("1000")
    before = index.nearest(question, limit=20)
    index.take_anew()

    assert index.nearest(question, limit=20) == before
