"""Features of spelling: forms of a word are near each other, other words are not, on every machine alike."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from recollect.inference.static import HashedEmbedder

EMBEDDER = HashedEmbedder()


def likeness(one: str, other: str) -> float:
    first, second = (np.frombuffer(vector, "<f4") for vector in EMBEDDER.passages([one, other]))
    return float(first @ second)


@pytest.mark.parametrize(
    ("word", "form"), [("celebration", "celebrated"), ("restaurant", "restaurants"), ("Zürich", "zurich")]
)
def test_forms_of_a_word_are_near_each_other(word: str, form: str) -> None:
    assert likeness(word, form) > 2 * likeness(word, "lighthouse")


def test_a_vector_has_length_one_whatever_the_text() -> None:
    for text in ("tea", "the of and", "東京", "a" * 5000, "I moved to Berlin, and my sister to Paris."):
        [vector] = EMBEDDER.passages([text])
        assert len(vector) == 4 * EMBEDDER.dimension
        assert np.linalg.norm(np.frombuffer(vector, "<f4")) == pytest.approx(1, abs=1e-5)


def test_a_text_without_words_is_near_nothing() -> None:
    assert likeness("?!", "tea") == 0


def test_its_features_are_the_ones_that_its_id_stands_for() -> None:
    # If this fails, vectors that are stored already would be compared with others: give it another version.
    digest = hashlib.sha256(EMBEDDER.query("I moved to Berlin last week")).hexdigest()

    assert (EMBEDDER.model_id, digest[:16]) == ("hashed/512/1", "af9af63e4849e81f")
