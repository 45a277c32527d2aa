"""The best hits, compared with the question word by word."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from recollect import Memory
from recollect.domain.answers.recollections import Candidate, Hit
from recollect.domain.errors import Damaged
from recollect.domain.notes import Note
from recollect.inference.models import PIECES
from recollect.recall.gather import Sources
from recollect.recall.vectors.late_interaction import WordByWord, closeness_to, closest_first, weighed
from recollect.recall.weights import WEIGHTS
from tests.inference.making import installed_models
from tests.support.clock import SteadyClock
from tests.support.raw import rows, store_of
from tests.support.writing import a_note

DIMENSION = 4


def vectors(*rows: tuple[int, ...]) -> bytes:
    return np.array(rows, dtype=np.int8).tobytes()


NORTH, EAST, BETWEEN = (127, 0, 0, 0), (0, 127, 0, 0), (90, 90, 0, 0)


def hit(text: str, score: float, *, version: int = 1) -> Hit:
    return Hit(replace(a_note(SteadyClock(), text), id=text, version=version), score, ())


class Spelled:
    """An embedder whose questions are spelled as vectors."""

    model_id = "spelled"
    dimension = DIMENSION

    def passages(self, texts: Sequence[str]) -> Sequence[bytes]:
        return [self.query(text) for text in texts]

    def query(self, text: str) -> bytes:
        return text.encode("latin-1")


def compared(asked: bytes, texts: Sequence[bytes]) -> list[float]:
    """How close each of some texts is to a question."""
    numbered = {f"{number}": text for number, text in enumerate(texts)}
    return list(closeness_to(asked.decode("latin-1"), numbered, Spelled()).values())


def test_every_word_of_the_question_takes_the_nearest_of_the_text() -> None:
    both, one, neither = compared(
        vectors(NORTH, EAST),
        [vectors(EAST, NORTH, BETWEEN), vectors(NORTH), vectors((0, 0, 127, 0))],
    )

    assert (both, one, neither) == (1.0, 0.5, 0.0)


def test_how_long_a_vector_is_does_not_matter() -> None:
    assert compared(vectors(NORTH), [vectors((3, 0, 0, 0))]) == [1.0]


def test_more_words_in_a_text_are_no_disadvantage() -> None:
    short, long = compared(vectors(NORTH), [vectors(BETWEEN), vectors(BETWEEN, EAST, EAST)])

    assert short == long


def test_a_question_of_no_words_is_close_to_nothing() -> None:
    assert compared(b"", [vectors(NORTH), vectors(EAST)]) == [0.0, 0.0]


def test_the_closer_of_two_that_were_alike_comes_first() -> None:
    moved = weighed([hit("far", 0.5), hit("near", 0.49), hit("in between", 0.3)], [0.2, 0.8, 0.5])

    assert [each.text for each in moved] == ["near", "far", "in between"]
    assert moved[0].closeness == 0.8
    assert moved[0].why == ("word by word: 0.80",)
    assert moved[0].score == pytest.approx(0.49 + WEIGHTS.closeness.worth)


def test_what_was_never_compared_is_neither_close_nor_far() -> None:
    moved = weighed([hit("far", 0.5), hit("unknown", 0.5), hit("near", 0.5)], [0.2, 0.0, 0.8])

    assert [each.text for each in moved] == ["near", "unknown", "far"]
    assert moved[1].why == ()


@pytest.mark.parametrize("closeness", [[0.0, 0.0], [0.4, 0.0], [0.4, 0.4]])
def test_where_closeness_tells_nothing_the_order_stays(closeness: list[float]) -> None:
    moved = weighed([hit("first", 0.6), hit("second", 0.5)], closeness)

    assert [each.text for each in moved] == ["first", "second"]


class Asked:
    """A closeness that is told, and remembers what it was asked for."""

    def __init__(self, told: Mapping[str, float]) -> None:
        self.told = told
        self.versions: Mapping[str, int] = {}

    def prepare(self) -> None: ...

    def to(self, _question: str, _space: str, versions: Mapping[str, int]) -> Mapping[str, float]:
        self.versions = versions
        return {key: each for key, each in self.told.items() if key in versions}


ABOUT = "who paints?"


def sources(closeness: Asked) -> Sources:
    nothing: Any = None
    return Sources(nothing, nothing, nothing, None, "alice", cast("Any", closeness))


def test_a_note_is_as_close_as_what_it_was_read_from() -> None:
    known = Asked({"said": 0.9, "note": 0.3, "other": 0.4})
    ranked = [hit("other", 0.6), hit("note", 0.59)]
    found = [Candidate("said", cast("Note", ranked[1].note), found_by="said")]

    assert [each.text for each in closest_first(ranked, found, sources(known), ABOUT)] == ["note", "other"]


def test_a_note_is_compared_by_the_words_of_its_own_version() -> None:
    known = Asked({})
    closest_first([hit("one", 0.6, version=3), hit("two", 0.5)], [], sources(known), ABOUT)

    assert dict(known.versions) == {"one": 3, "two": 1}


def test_only_the_best_are_compared_and_the_others_stay_behind_them() -> None:
    ranked = [hit(f"{number:02}", 1 - number / 100) for number in range(70)]
    known = Asked({f"{number:02}": number / 100 for number in range(1, 70)})

    moved = closest_first(ranked, [], sources(known), ABOUT)
    many = WEIGHTS.closeness.compared
    assert len(known.versions) == many < len(ranked)
    assert [each.id for each in moved[many:]] == [each.id for each in ranked[many:]]


def test_a_question_of_names_alone_compares_nothing() -> None:
    known = Asked({"one": 0.1, "two": 0.9})
    ranked = [hit("one", 0.6), hit("two", 0.5)]

    assert closest_first(ranked, [], sources(known), "") == ranked


# --- with the real models and on every store --------------------------------------------------------------------------


@pytest.fixture
def remembering(store_address: str, tmp_path: Path) -> Iterator[Memory]:
    with Memory(
        store=store_address, home=tmp_path, models=installed_models(), embedding="auto", clock=SteadyClock()
    ) as memory:
        yield memory


def test_the_words_of_what_is_written_are_there_with_it(remembering: Memory) -> None:
    remembering.save("The cellar is damp")
    remembering.add("We painted the fence green.")

    assert remembering.reindex(check=True).healthy
    found = remembering.search("what colour did the fence get?").hits
    assert found[0].text == "We painted the fence green."
    assert any(reason.startswith("word by word: ") for reason in found[0].why)


def test_what_was_forgotten_leaves_no_words_behind(remembering: Memory) -> None:
    note = remembering.save("The cellar is damp")
    kept = f"SELECT record_id FROM embedding WHERE model_id = '{PIECES.id}'"
    assert rows(store_of(remembering), kept) == [(note.id,)]

    remembering.forget(note.id)
    assert rows(store_of(remembering), kept) == []


@pytest.mark.parametrize(
    "store_address", ["sqlite-file", pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True
)
def test_texts_from_before_the_model_came_get_their_words_by_reindexing(store_address: str, tmp_path: Path) -> None:
    models, clock = installed_models(), SteadyClock()
    with Memory(store=store_address, home=tmp_path, models=models, embedding="hashed", clock=clock) as memory:
        memory.save("The cellar is damp")
        memory.save("The attic is dry")
    with Memory(store=store_address, home=tmp_path, models=models, embedding="auto", clock=clock) as memory:
        assert memory.search("the cellar").hits[0].text == "The cellar is damp"
        told = memory.doctor()
        assert told.healthy
        assert any(PIECES.id in each.detail and "recollect reindex" in each.hint for each in told.checks)
        lacking = memory.reindex(check=True)
        assert not lacking.healthy
        assert any(PIECES.id in check.detail for check in lacking.checks)

        assert memory.reindex().healthy
        best = memory.search("how humid is the basement?").hits[0]
        assert best.text == "The cellar is damp"
        assert best.closeness > 0


def test_a_model_that_cannot_be_loaded_is_told_to_whoever_asks_and_not_to_the_terminal(
    capfd: pytest.CaptureFixture[str],
) -> None:
    class Broken:
        model_id, dimension = "broken", DIMENSION

        def query(self, _: str) -> bytes:
            raise Damaged("The model is damaged.", code="model_damaged")

    before = threading.active_count()
    WordByWord(cast("Any", None), cast("Any", Broken())).prepare()
    for thread in threading.enumerate():
        if thread.name == "recollect words":
            thread.join()
    assert threading.active_count() <= before
    assert capfd.readouterr().err == ""
