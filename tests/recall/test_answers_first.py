"""The best hits are read beside the question: what answers it comes first, and "nothing" is said where none does."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from recollect import Memory
from recollect.domain.answers.recollections import Coverage, Hit
from recollect.domain.dataclass import replace
from recollect.domain.meanings import Listed, Ordered
from recollect.domain.notes import Kind, Note
from recollect.recall.coverage import CoverageSigns, coverage
from recollect.recall.evidence.answers import NAME, answers_first
from recollect.recall.weights import WEIGHTS

NOW = datetime(2026, 3, 9, tzinfo=UTC)


class ByHeart:
    """A model that knows how likely each text answers, whatever is asked; `None` stands for one that is too long."""

    model_id = "by heart"

    def __init__(self, known: dict[str, float | None], *, otherwise: float = 0.01) -> None:
        self.known, self.otherwise = known, otherwise
        self.asked: list[str] = []
        self.read: list[str] = []

    def prepare(self) -> None:
        pass

    def ordered(self, question: str, listed: Sequence[Listed], *, several: bool = False) -> Ordered | None:
        return None

    def answers(self, question: str, texts: Sequence[str]) -> list[float | None]:
        self.asked.append(question)
        self.read += texts
        return [self.known.get(text, self.otherwise) for text in texts]


def hits(*texts: str) -> list[Hit]:
    """Each a little worse than the one before."""
    return [
        Hit(Note(text, "alice", 1, Kind.SEMANTIC, text, NOW, NOW), 1.0 - place / 100, ())
        for place, text in enumerate(texts)
    ]


def test_what_answers_comes_before_what_is_merely_like_the_question() -> None:
    found, likely, _ = answers_first(hits("like it", "answers"), "where?", ByHeart({"answers": 0.9}), WEIGHTS.relevance)

    assert [hit.text for hit in found] == ["answers", "like it"]
    assert found[0].why == (f"{NAME}: 0.90",)
    assert likely == 0.9


def test_a_hit_that_is_too_long_to_be_read_stays_between_the_others() -> None:
    model = ByHeart({"answers": 0.9, "a page": None})

    found, *_ = answers_first(hits("a page", "chatter", "answers"), "where?", model, WEIGHTS.relevance)

    assert [hit.text for hit in found] == ["answers", "a page", "chatter"]
    assert found[1].why == ()


def test_hits_further_down_are_not_read() -> None:
    few = replace(WEIGHTS.relevance, compared=2)

    found, *_ = answers_first(hits("one", "two", "three"), "where?", ByHeart({"three": 0.99}), few)

    assert [hit.text for hit in found][-1] == "three"


def test_nothing_further_down_is_read_once_something_surely_answers() -> None:
    few = replace(WEIGHTS.relevance, compared=4, at_once=2)
    model = ByHeart({"one": 0.99, "four": 0.99})
    assert answers_first(hits("one", "two", "three", "four"), "where?", model, few)[1] == 0.99
    assert model.read == ["one", "two"]

    model = ByHeart({})
    assert answers_first(hits("one", "two", "three", "four"), "where?", model, few)[1] == 0.01
    assert model.read == ["one", "two", "three", "four"], "that nothing answers is known when all were read"


def signs(answered: float | None, *, asks: bool = True, nothing: float | None = None) -> CoverageSigns:
    return CoverageSigns(
        5, 0.8, 1.0, 1.0, attribute=False, strangers=False, asks=asks, answered=answered, nothing=nothing
    )


@pytest.mark.parametrize(
    ("told_by", "known"),
    [
        (signs(0.01), Coverage.NONE),
        (signs(0.9), Coverage.FULL),
        (signs(None), Coverage.FULL),
        (signs(0.4, nothing=0.9), Coverage.NONE),
        (signs(0.01, nothing=0.3), Coverage.FULL),  # hits that were read together tell more than the best of them
        (signs(0.9, nothing=0.9), Coverage.FULL),  # a hit that surely answers is not overruled
        (signs(0.01, asks=False), Coverage.FULL),  # a task or a topic has no answer, and may be known all the same
    ],
)
def test_nothing_is_known_where_no_hit_answers_a_question(told_by: CoverageSigns, known: Coverage) -> None:
    assert coverage(told_by, WEIGHTS.coverage.scales["encoder"]) is known


def test_a_search_tells_what_answers_and_says_nothing_where_none_does(memory: Memory) -> None:
    for text in ("The bread oven is repaired by Osman.", "The bread oven is green."):
        memory.save(text)
    model = ByHeart({"The bread oven is repaired by Osman.": 0.95})
    memory._engine.inference.made = replace(memory._engine.inference.get(), relevance=model)

    found = memory.search("who repairs the bread oven?")
    assert found.hits[0].text == "The bread oven is repaired by Osman."
    assert found.coverage is Coverage.FULL

    model.known.clear()
    assert memory.search("who repairs the bread oven?").coverage is Coverage.NONE
    assert memory.search("bread oven").coverage is not Coverage.NONE


@pytest.mark.parametrize(
    "text",
    ["bread oven " * 200, "can you explain the bread oven to me?", "I repaired the bread oven again today. Great."],
)
def test_a_page_and_a_task_that_are_searched_with_are_not_read_beside_the_hits(memory: Memory, text: str) -> None:
    memory.save("The bread oven is green.")
    model = ByHeart({})
    memory._engine.inference.made = replace(memory._engine.inference.get(), relevance=model)

    memory.search(text)
    assert model.asked == []
