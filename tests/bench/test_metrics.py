"""The figures of the card are what they claim to be: worked out by hand, in tables."""

from __future__ import annotations

import math
from random import Random

import pytest

from bench.figures import interval, is_above, together
from recollect.reflect.metrics import judged, tokens

SECOND, THIRD = 1 / math.log2(3), 1 / math.log2(4)  # what a right item gains at these places; at the first it is 1


@pytest.mark.parametrize(
    ("found", "gold", "recall_1", "recall_5", "all_10", "mrr", "ndcg"),
    [
        ("a b c", "a", 1, 1, 1, 1, 1),
        ("b a c", "a", 0, 1, 1, 1 / 2, SECOND),
        ("b c a", "a", 0, 1, 1, 1 / 3, THIRD),
        ("b c d", "a", 0, 0, 0, 0, 0),
        ("", "a", 0, 0, 0, 0, 0),
        ("a b", "a b", 1 / 2, 1, 1, 1, 1),
        ("a c b", "a b", 1 / 2, 1, 1, 1, (1 + THIRD) / (1 + SECOND)),
        ("c a", "a b", 0, 1 / 2, 0, 1 / 2, SECOND / (1 + SECOND)),
        ("a a a b", "b", 0, 1, 1, 1 / 2, SECOND),  # what is found again takes no second place
    ],
)
def test_a_ranking_scores_what_was_worked_out_by_hand(
    found: str, gold: str, recall_1: float, recall_5: float, all_10: float, mrr: float, ndcg: float
) -> None:
    scores = judged(found.split(), gold.split())
    assert scores["recall@1"] == pytest.approx(recall_1)
    assert scores["recall@5"] == pytest.approx(recall_5)
    assert scores["all@10"] == all_10
    assert scores["mrr"] == pytest.approx(mrr)
    assert scores["ndcg@10"] == pytest.approx(ndcg)


def test_the_eleventh_place_is_outside_the_first_ten() -> None:
    scores = judged([*"abcdefghij", "right"], ["right"])
    assert (scores["recall@10"], scores["recall@20"], scores["any@10"], scores["ndcg@10"]) == (0, 1, 0, 0)
    assert scores["mrr"] == pytest.approx(1 / 11)


def test_more_evidence_than_places_can_still_be_ideal() -> None:
    gold = [str(number) for number in range(12)]
    scores = judged(gold[:10], gold)
    assert scores["ndcg@10"] == pytest.approx(1)
    assert (scores["all@10"], scores["any@10"]) == (0, 1)


@pytest.mark.parametrize(
    ("found", "above"), [("new old", True), ("other new old", True), ("old new", False), ("new", True), ("", False)]
)
def test_an_update_counts_when_the_newer_statement_comes_first(found: str, above: bool) -> None:
    assert is_above(["new"], ["old"], found.split()) is above


def test_the_same_seed_draws_the_same_interval_around_the_mean() -> None:
    scores = [{"hit": float(number % 3 == 0)} for number in range(90)]
    first, again = together(scores, seed=7), together(scores, seed=7)
    assert first == again
    low, high = first.intervals["hit"]
    assert first.scores["hit"] == pytest.approx(1 / 3)
    assert low < 1 / 3 < high
    assert high - low < 0.25


def test_what_never_varies_has_an_interval_of_one_point() -> None:
    assert interval([0.5] * 20, Random(1)) == (0.5, 0.5)


def test_a_score_that_only_some_questions_have_is_the_mean_of_those() -> None:
    figures = together([{"mrr": 1.0}, {"mrr": 0.0, "updated": 1.0}], seed=1)
    assert figures.questions == 2
    assert figures.scores == {"mrr": 0.5, "updated": 1.0}


def test_tokens_are_words_and_marks() -> None:
    assert tokens(["Hello, world!", "It's 9:30"]) == 4 + 6
