"""Which attributes a question asks for."""

from __future__ import annotations

import pytest

from recollect.recall.asked_attributes import attributes_asked


@pytest.mark.parametrize(
    ("question", "attributes"),
    [
        ("Where do I live?", ("location",)),
        ("What do I do for a living?", ("role",)),
        ("Which car do I drive", ("vehicle",)),
        ("What is my job?", ("employer",)),
    ],
)
def test_the_longest_phrase_of_the_catalogue_says_what_is_asked_for(question: str, attributes: tuple[str, ...]) -> None:
    assert attributes_asked(question) == attributes
