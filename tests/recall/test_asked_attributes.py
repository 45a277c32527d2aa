"""Which attributes a question asks for."""

from __future__ import annotations

import pytest

from recollect.recall.question import attributes_asked


@pytest.mark.parametrize(
    ("question", "attributes"),
    [
        ("Where do I live?", ("location",)),
        ("What do I do for a living?", ("role",)),
        ("Which car do I drive", ("vehicle",)),
        ("What is my job?", ("employer", "role")),
        ("What's my job title?", ("role",)),
        ("Where do I work?", ("employer",)),
        ("Where does my sister Ana work now?", ("employer",)),
        ("Where did I put the keys after work?", ("location",)),
    ],
)
def test_the_longest_phrase_of_the_catalogue_says_what_is_asked_for(question: str, attributes: tuple[str, ...]) -> None:
    assert attributes_asked(question) == attributes
