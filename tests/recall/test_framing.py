"""What a question says of the talk and of the answer is not what it is about."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from recollect import Memory
from recollect.recall.framing import without_frame
from recollect.recall.understand import understand
from tests.support.clock import SteadyClock


@pytest.mark.parametrize(
    ("question", "about"),
    [
        (
            "Can you list the order in which I brought up different sides of the garden plan throughout our "
            "conversations, in order? Mention only and only three items.",
            "the garden plan",
        ),
        ("Please walk me through the sequence in which we discussed the harbour tour.", "the harbour tour"),
        ("How many drills did I want to buy across my requests?", "How many drills did I want to buy"),
        ("Could you give me a short overview of the roof repair in our chats?", "the roof repair"),
        ("Would you remind me of the paint for the boat?", "the paint for the boat"),
    ],
)
def test_a_question_is_about_what_is_left_without_its_frame(question: str, about: str) -> None:
    assert without_frame(question) == about


@pytest.mark.parametrize(
    "question",
    [
        "Which paint is on the boat?",
        "What order did I place in May?",
        "How long are the therapy sessions?",
        "Can you list?",
        "in chronological order",
        "Please tell me",
        "?",
        "",
    ],
)
def test_a_question_without_a_frame_or_without_anything_else_stays_as_it_is(question: str) -> None:
    assert without_frame(question) == question


def test_the_words_of_the_frame_are_not_looked_for() -> None:
    asked = "Can you list the order in which I mentioned the lathe across our conversations?"

    assert understand(asked, now=datetime(2026, 3, 9, tzinfo=UTC), zone=UTC).words == ("lathe",)


def test_a_message_on_the_matter_comes_before_one_with_the_words_of_the_frame(
    memory: Memory, clock: SteadyClock
) -> None:
    memory.add(
        "In our conversations you list items in the wrong order, mention only five.", at=clock.now(), session="a"
    )
    memory.add("I want to sand the hull of the boat first.", at=clock.now(), session="b")

    asked = "Can you list the order in which I brought up different aspects of the boat throughout our conversations?"
    hits = memory.search(f"{asked} Mention ONLY and ONLY five items.").hits

    assert "hull" in hits[0].text
