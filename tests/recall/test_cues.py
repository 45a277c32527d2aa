"""Small signs in a text that say what it does."""

from __future__ import annotations

import pytest

from recollect.recall.cues import is_question, manner_of, standing


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("How was it?", True),
        ('Did he say "yes?"', True),
        ("How was it? [shows a cat]", True),
        ("Was it good? It was for me.", False),
        ("", False),
    ],
)
def test_a_question_ends_by_asking(text: str, asks: bool) -> None:
    assert is_question(text) is asks


@pytest.mark.parametrize(
    ("text", "how_far"),
    [
        ("Always show code with comments.", 1.0),
        ("Good. From now on answer in French.", 1.0),
        ("I prefer small dependencies, can you help?", 0.5),
        ("I always get up early.", 0.0),
        ("She never came.", 0.0),
    ],
)
def test_a_standing_wish_says_how_things_are_to_be_done(text: str, how_far: float) -> None:
    assert standing(text) == how_far


@pytest.mark.parametrize(
    ("question", "is_request"),
    [
        ("How do I sort a list?", True),
        ("Can you suggest a library for charts?", True),
        ("How did I sort the list?", False),
        ("Where do I live?", False),
    ],
)
def test_a_request_is_no_look_back(question: str, is_request: bool) -> None:
    assert manner_of(question).is_request is is_request


@pytest.mark.parametrize(
    ("question", "is_told_back"),
    [
        ("What was the pizza place you recommended in Rome?", True),
        ("remind me which stretch you told me to do first", True),
        ("How did you suggest structuring the work?", True),
        ("how much flour did your focaccia recipe have", True),
        ("Can you list the order in which I brought up my projects?", False),
        ("How would you suggest I set this up?", False),
        ("What have I told you about my sister?", False),
        ("Where do I live?", False),
    ],
)
def test_what_was_answered_once_is_asked_for_by_you_and_the_past(question: str, is_told_back: bool) -> None:
    assert manner_of(question).is_told_back is is_told_back


def test_when_and_how_many_are_answered_by_times_and_numbers() -> None:
    assert manner_of("When did she leave?").fitted_by("She left last Friday") == 1.0
    assert manner_of("How many cats are there?").fitted_by("There are two cats") == 0.5
    assert manner_of("Who left?").fitted_by("She left last Friday") == 0.0


def test_a_query_that_tells_something_goes_on_with_a_talk() -> None:
    assert manner_of("The draft is done and looks good. What comes next?").goes_on
    assert not manner_of("Great, thanks. What comes next?").goes_on
