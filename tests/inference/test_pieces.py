"""The real model, piece by piece: what a text says, each word in its context, small enough to be kept."""

from __future__ import annotations

import numpy as np
import pytest

from recollect.inference.models import PIECES
from recollect.inference.pieces import PieceEmbedder, find_directions, read_directions, sentences_of
from recollect.recall.vectors.late_interaction import closeness_to


def closeness(embedder: PieceEmbedder, question: str, *texts: str) -> list[float]:
    return list(closeness_to(question, dict(zip(texts, embedder.passages(texts), strict=True)), embedder).values())


def test_a_text_has_a_vector_for_each_piece_that_says_something(word_by_word: PieceEmbedder) -> None:
    [vectors] = word_by_word.passages(["I moved to the city of Berlin, last week."])

    assert len(vectors) == len(["moved", "city", "berlin", "last", "week"]) * PIECES.dimension


def test_of_a_question_every_piece_counts(word_by_word: PieceEmbedder) -> None:
    assert len(word_by_word.query("where do I live?")) == 5 * PIECES.dimension
    [same_words] = word_by_word.passages(["where do I live?"])
    assert same_words != word_by_word.query("where do I live?")


def test_a_text_of_nothing_but_small_words_keeps_them(word_by_word: PieceEmbedder) -> None:
    [vectors] = word_by_word.passages(["That is what it is."])

    assert len(vectors) == 6 * PIECES.dimension


@pytest.mark.parametrize("text", ["", "   ", "\u200b"])
def test_a_text_with_no_piece_has_no_vector(word_by_word: PieceEmbedder, text: str) -> None:
    assert word_by_word.passages([text]) == [b""]
    assert word_by_word.query(text) == b""


def test_a_long_text_is_read_as_far_as_the_model_reads(word_by_word: PieceEmbedder) -> None:
    [vectors] = word_by_word.passages(["garden " * 2000])

    assert len(vectors) == (PIECES.longest - 2) * PIECES.dimension


def test_the_text_that_answers_is_closest(word_by_word: PieceEmbedder) -> None:
    answers, same_topic, other = closeness(
        word_by_word,
        "What did she paint for her mother?",
        "I made mum a watercolour of the lake for her birthday.",
        "My mother is coming to stay next week.",
        "The build is red again.",
    )

    assert answers > same_topic > other


def test_the_directions_stand_upright_on_each_other() -> None:
    directions = read_directions(PIECES.dimension)

    assert directions.shape == (384, PIECES.dimension)
    assert np.allclose(directions.T @ directions, np.eye(PIECES.dimension), atol=2e-3)


def test_directions_are_those_in_which_states_are_longest() -> None:
    states = np.zeros((40, 384), dtype="<f4")
    states[:30, 7] = 1.0
    states[30:, 200] = 1.0

    found = find_directions(states, 2)
    assert [int(np.abs(column).argmax()) for column in found.T] == [7, 200]


def test_a_page_is_cut_into_sentences() -> None:
    page = "# A heading that is long enough\n\nThe first sentence of it. And here is the second one! No."

    assert sentences_of(page) == [
        "# A heading that is long enough",
        "The first sentence of it.",
        "And here is the second one!",
    ]
