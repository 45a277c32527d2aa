"""Words among very many texts: the quick ways find the best first, and no filter starves an answer."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.selections import Selection
from recollect.stores.database import Transaction
from recollect.stores.sql_store import SqlStore
from recollect.stores.sqlite import searching


@pytest.fixture(autouse=True)
def _as_if_few_were_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """A handful counts as thousands, so that every way is gone with a few notes. PostgreSQL has only one way."""
    monkeypatch.setattr(searching, "_FEW", 4)
    monkeypatch.setattr(searching, "_WEIGHED", 8)
    monkeypatch.setattr(searching, "_BEST", 5)


def found(memory: Memory, *words: str, limit: int = 100, **selected: object) -> list[str]:
    selection = Selection(**selected)  # type: ignore[arg-type]
    return [match.note.text for match in memory._engine.store.matching("default", words, selection, limit=limit)]


@pytest.fixture
def many(memory: Memory) -> Memory:
    for number in range(30):
        memory.save(f"meeting number {number}", tags=["odd" if number % 2 else "even"])
    memory.save("meeting about the lighthouse")
    for number in range(30, 40):
        memory.save(f"meeting number {number}", tags=["late"])
    memory.save("nothing of the kind")
    return memory


def test_a_rare_word_comes_before_a_common_one(many: Memory) -> None:
    assert found(many, "meeting", "lighthouse", limit=3)[0] == "meeting about the lighthouse"


def test_whatever_has_one_of_the_words_is_found_once(many: Memory) -> None:
    everything = found(many, "meeting", "lighthouse")

    assert len(everything) == len(set(everything)) == 41
    assert len(found(many, "meeting")) == 41
    assert found(many, "lighthouse") == ["meeting about the lighthouse"]
    assert found(many, "zebra") == []


def test_a_filter_that_few_pass_starves_nothing(many: Memory) -> None:
    assert len(found(many, "meeting", tag="late")) == 10
    assert len(found(many, "meeting", "number", tag="late", limit=10)) == 10
    assert sorted(found(many, "meeting", "lighthouse", tag="even", limit=15)) == sorted(
        f"meeting number {number}" for number in range(0, 30, 2)
    )


def test_a_small_space_beside_a_large_one_has_all_its_answers(many: Memory) -> None:
    many.save("meeting in Oslo", space="small")
    many.save("meeting in Bergen", space="small")
    store = many._engine.store
    matches = store.matching("small", ["meeting", "oslo"], Selection(), limit=10)

    assert [match.note.text for match in matches] == ["meeting in Oslo", "meeting in Bergen"]


def test_messages_are_found_the_same_way(memory: Memory) -> None:
    for number in range(20):
        memory.add(f"The meeting number {number} was long.", extract=False)
    memory.add("We saw a lighthouse at the meeting.", extract=False)
    archive = memory._engine.archive

    first, *rest = archive.matching("default", ["meeting", "lighthouse"], until=None, limit=100)
    assert "lighthouse" in first.text
    assert len(rest) == 20


@pytest.mark.parametrize("words", [["wohn"], ["fruhjahr", "meeting"], ["meeting", "lighthouse"], ["zebra"]])
def test_looking_for_forms_only_where_there_are_any_finds_the_same(
    many: Memory, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    many.save("Meine Schwestern wohnen seit dem Frühjahr in einem kleinen Haus bei Freiburg.")
    quickly = found(many, *words)
    monkeypatch.setattr(searching, "_is_in", lambda *_: True)

    assert quickly == found(many, *words)
    assert bool(quickly) == (words != ["zebra"])


def test_texts_of_a_space_are_counted_as_far_as_it_matters(tmp_path: Path) -> None:
    counts = []
    with Memory(store=":memory:", home=tmp_path) as memory:
        assert isinstance(memory._engine.store, SqlStore)
        database = memory._engine.store.database
        for number in range(6):
            memory.save(f"meeting number {number}")
            memory.save(f"of another space {number}", space="other")
            with database.reading("default") as transaction:
                counts.append(searching._how_many(transaction, "note_words", "default"))

    assert counts == [1, 2, 3, 4, 4, 4]  # four are many here


def test_sizes_are_counted_again_once_anybody_has_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[tuple[str, str]] = []
    size_of = searching.size_of

    def counting(transaction: Transaction, index: str, space: str) -> searching.IndexSize:
        counted.append((index, space))
        return size_of(transaction, index, space)

    monkeypatch.setattr(searching, "size_of", counting)
    with Memory(home=tmp_path) as ours, Memory(home=tmp_path) as theirs:
        ours.save("meeting in Oslo")
        assert found(ours, "meeting") == found(ours, "meeting") == ["meeting in Oslo"]
        assert counted == [("note_words", "default")]
        theirs.save("meeting in Bergen")
        assert len(found(ours, "meeting")) == 2
        ours.save("meeting in Tromsø")
        assert len(found(ours, "meeting")) == 3

    assert counted == [("note_words", "default")] * 3


class _Lengths:
    """A transaction that knows how long each text is."""

    def __init__(self, lengths: dict[int, int]) -> None:
        self._lengths = lengths

    def query(self, _sql: str, docs: str) -> list[tuple[int, int]]:
        return [(doc, self._lengths[doc]) for doc in json.loads(docs)]


def test_of_texts_that_count_as_much_the_newest_is_first() -> None:
    chance = random.Random(7)
    for _ in range(50):
        weights = {doc: chance.choice([0.5, 1.0, 1.5]) for doc in chance.sample(range(1000), 200)}
        lengths = {doc: chance.choice([40, 80]) for doc in weights}

        ordered = searching._best_first(_Lengths(lengths), "note_words", weights)  # type: ignore[arg-type]

        by_rarity = sorted(weights, key=lambda doc: (-weights[doc], -doc))
        best, rest = by_rarity[: searching._MEASURED], by_rarity[searching._MEASURED :]
        assert ordered[len(best) :] == rest
        assert sorted(ordered[: len(best)]) == sorted(best)
        alike: dict[tuple[float, int], list[int]] = {}
        for doc in ordered[: len(best)]:
            alike.setdefault((weights[doc], lengths[doc]), []).append(doc)
        assert all(docs == sorted(docs, reverse=True) for docs in alike.values())
