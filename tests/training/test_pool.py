"""Examples become numbers that both a teacher and its students can learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.training.test_examples import BANKS
from training.likeness import Likeness
from training.pool import OUTDATED, RIGHT, UNLABELLED, Pool, alike_in_length, pool_in, pool_of
from training.rows import END, PAD, START, Pieces, batch

DATA = {
    "later": (),
    "swapped": 0.0,
    "pair_draws": 1,
    "draws": 1,
    "pairs": 20,
    "strangers": 1,
    "talk_strangers": 1,
    "talk_unrelated": 1,
    "near_talk": 1,
    "near_slots": 1,
    "neighbours": 5,
    "group": 4,
}


def _by_shared_words(texts: Sequence[str]) -> Any:
    """Vectors of length one in which every word is a direction of its own."""
    words = sorted({word for text in texts for word in text.split()})
    counts = np.array([[float(word in text.split()) for word in words] for text in texts])
    return counts / np.linalg.norm(counts, axis=1, keepdims=True)


@pytest.fixture
def pieces(tmp_path: Path) -> Pieces:
    words = "[UNK] text ada : what now ? else phone pet which is of".split()
    lines = ["[PAD]", *(f"[unused{n}]" for n in range(99)), *words[:1], "[CLS]", "[SEP]", "[MASK]", *words[1:]]
    (tmp_path / "vocab.txt").write_text("\n".join(lines), encoding="utf-8")
    return Pieces(tmp_path)


@pytest.fixture
def pool(pieces: Pieces) -> Pool:
    return pool_of(BANKS, pieces, Likeness(_by_shared_words), DATA, Random(1))


def test_a_pool_is_read_as_it_was_saved(pool: Pool, tmp_path: Path) -> None:
    pool.opinions = {"stance": np.zeros((len(pool.messages), 9), dtype="f2")}
    pool.save(tmp_path / "pool.npz")
    again = pool_in(tmp_path / "pool.npz")
    assert [list(each) for each in again.pieces] == [list(each) for each in pool.pieces]
    assert (again.pairs == pool.pairs).all()
    assert (again.answers == pool.answers).all()
    assert again.opinions["stance"].shape == (len(pool.messages), 9)


def test_some_pairs_have_no_label_and_every_text_has_its_pieces(pool: Pool) -> None:
    relations = pool.labels("relation")
    assert (relations == UNLABELLED).any()
    assert (relations >= 0).any()
    assert max(pool.pairs[:, :2].max(), pool.shown.max(), pool.neighbours.max()) < len(pool.pieces)


def test_authors_that_nothing_shipped_has_read_are_known_by_their_place(pieces: Pieces) -> None:
    [bank] = BANKS[:1]
    unread = replace(bank, author="unread")
    pool = pool_of([unread, bank], pieces, Likeness(_by_shared_words), {**DATA, "later": ["unread"]}, Random(1))
    assert sum(pool.pairs_by_labels) * 2 == len(pool.pairs)
    assert sum(pool.messages_by_labels) * 2 == len(pool.messages)
    assert sum(pool.asks_by_labels) * 2 == len(pool.asks)
    for alone in (pool.pairs_by_labels, pool.asks_by_labels):
        assert not alone[0]
        assert alone[-1]


def test_every_answer_in_a_group_is_known_as_one(pool: Pool) -> None:
    for shown, known, answers in zip(pool.shown, pool.known, pool.answers, strict=True):
        assert set(shown[(known == RIGHT) | (known == OUTDATED)]) <= set(answers)


def test_a_head_has_as_many_rows_as_labels(pool: Pool) -> None:
    assert len(pool.rows("relation")) == len(pool.labels("relation"))
    assert len(pool.rows("stance")) == len(pool.labels("stance"))
    assert len(pool.rows("relevance")) == pool.labels("relevance").size


def test_a_message_is_paired_with_the_earlier_one_that_sounds_most_like_it() -> None:
    told = ["the cat sleeps", "rain again today", "the cat wakes"]
    assert ("the cat sleeps", "the cat wakes") in Likeness(_by_shared_words).earlier(told, Random(1), 2)
    assert all(
        told.index(older) < told.index(newer) for older, newer in Likeness(_by_shared_words).earlier(told, Random(1), 2)
    )


def test_a_row_of_two_texts_is_marked_and_the_longer_one_is_cut() -> None:
    ids, kinds, mask = batch([([7] * 20, [8, 8]), ([9],)], longest=10)
    assert ids[0].tolist() == [START, *[7] * 5, END, 8, 8, END]
    assert kinds[0].tolist() == [0] * 7 + [1] * 3
    assert ids[1].tolist() == [START, 9, END, *[PAD] * 7]
    assert mask.sum(axis=1).tolist() == [10, 3]


def test_batches_are_of_like_length_and_leave_no_place_out_for_good() -> None:
    made = alike_in_length(range(40), lambda place: place, Random(1), 8)
    first = [next(made) for _ in range(5)]
    assert sorted(place for each in first for place in each) == list(range(40))
    assert all(max(each) - min(each) == 7 for each in first)
    assert len(next(made)) == 8
