"""Long messages that give a figure for the same thing: the one that tells of a change goes above the older ones."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from recollect import Memory
from recollect.domain.answers.recollections import Hit
from recollect.domain.observations import Observation, ObservationKind
from recollect.recall.passages import latest_figures_first
from recollect.recall.question import Question, understand
from tests.support.clock import SteadyClock
from tests.support.writing import a_note

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)

FILLER = (
    "Anyway, the kiln has been acting up since the storm, the neighbours complain about the smoke whenever the wind "
    "turns, and I still have not found anyone who repairs the old thermostat without sending it away for a month. "
    "Could you help me draft a polite letter to them, one that says how sorry we are and when it will be over?"
)
BOWLS = f"I am preparing the autumn fair, and we have glazed 40 bowls for the stall so far. {FILLER}"
MORE_BOWLS = f"The stall keeps growing on us, we have now reached 65 glazed bowls for the fair. {FILLER}"
PLATES = f"I have recently finished 12 plates for my aunt, who turns eighty in May. {FILLER}"

HOW_MANY = "How many bowls have we glazed for the fair?"


def question(text: str) -> Question:
    return understand(text, now=NOON, zone=UTC)


def said(text: str, *, days_ago: int, score: float, role: str = "user") -> Hit:
    then = NOON - timedelta(days=days_ago)
    observation = Observation(
        id=f"{1000 - days_ago:04} {text}", space="alice", session_id="s", position=1, kind=ObservationKind.MESSAGE,
        text=text, observed_at=then, recorded_at=then, role=role,
    )  # fmt: skip
    return Hit(None, score, (), observation)


OLDER = said(BOWLS, days_ago=90, score=1.4)
NEWER = said(MORE_BOWLS, days_ago=9, score=1.0)
OTHER = said(PLATES, days_ago=3, score=0.9)


def test_a_long_message_that_tells_of_a_change_goes_above_the_older_figure() -> None:
    found = latest_figures_first([OLDER, OTHER, NEWER], question(HOW_MANY))

    assert [hit.id for hit in found] == [NEWER.id, OLDER.id, OTHER.id]
    assert found[0].score == OLDER.score
    assert any(
        reason.startswith("latest figures first: newer than “I am preparing the autumn fair") for reason in found[0].why
    )


def test_what_somebody_saved_stays_above_a_newer_figure() -> None:
    saved = Hit(a_note(SteadyClock("2025-12-01T00:00:00+00:00"), text=BOWLS), 1.4, ())

    assert latest_figures_first([saved, NEWER], question(HOW_MANY)) == [saved, NEWER]


@pytest.mark.parametrize(
    "asked",
    [
        "How many bowls had we glazed for the fair by then?",
        "How many bowls did we mention for the fair?",
        "How many bowls were originally glazed for the fair?",
        "Can you help me glaze bowls for the fair?",
        "How many bowls have we glazed for the fair in January 2026?",
    ],
)
def test_only_a_question_on_how_things_stand_is_answered_so(asked: str) -> None:
    assert latest_figures_first([OLDER, NEWER], question(asked)) == [OLDER, NEWER]


@pytest.mark.parametrize(
    "other",
    [
        said(PLATES, days_ago=9, score=1.0),
        said(f"We have glazed bowls for the fair, and now we rest. {FILLER}", days_ago=9, score=1.0),
        said(f"We have now glazed 40 bowls for the fair. {FILLER}", days_ago=9, score=1.0),
        said(f"We have glazed 65 bowls for the fair. {FILLER}", days_ago=9, score=1.0),
        said(MORE_BOWLS, days_ago=190, score=1.0),
        said(MORE_BOWLS, days_ago=9, score=1.0, role="assistant"),
        said(f"{FILLER}\n```\nnow the fair has 65 glazed bowls\n```", days_ago=9, score=1.0),
    ],
    ids=["other thing", "no figure", "same figure", "no change", "older", "not the person", "pasted"],
)
def test_what_gives_no_newer_figure_of_the_same_thing_stays_where_it_is(other: Hit) -> None:
    assert latest_figures_first([OLDER, other], question(HOW_MANY)) == [OLDER, other]


def test_of_messages_with_one_time_the_later_one_is_newer() -> None:
    assert OLDER.observation is not None
    assert NEWER.observation is not None
    newer = replace(NEWER, observation=replace(NEWER.observation, observed_at=OLDER.observation.observed_at))

    assert latest_figures_first([OLDER, newer], question(HOW_MANY))[0].text == MORE_BOWLS


def test_short_messages_are_left_to_linking() -> None:
    short = said("We have now glazed 65 bowls for the fair.", days_ago=9, score=1.0)

    assert latest_figures_first([OLDER, short], question(HOW_MANY)) == [OLDER, short]


def test_no_hit_is_lost_or_doubled() -> None:
    random = Random(4)
    texts = (BOWLS, MORE_BOWLS, PLATES, "We have now glazed 9 bowls.")
    for _ in range(200):
        hits = [
            said(f"{random.choice(texts)} {number}", days_ago=random.randrange(99), score=2 - number / 20)
            for number in range(random.randrange(25))
        ]
        found = latest_figures_first(hits, question(HOW_MANY))

        assert sorted(hit.id for hit in found) == sorted(hit.id for hit in hits)


@pytest.mark.parametrize(
    ("asked", "before", "after"),
    [
        (
            "What is the deadline for handing in the grant proposal of the choir?",
            "The deadline for the grant proposal of the choir is April 1, and we want to hand in all by then.",
            "I have to plan anew, since there is a new proposal deadline of April 9, which gives the choir some air.",
        ),
        (
            "What is the average waiting time at the repair desk?",
            "At the repair desk the average waiting time was 50 minutes last week, which is why people walked out.",
            "The waiting time at the repair desk has recently improved to 35 minutes, with a second person there.",
        ),
        (
            "How much rent do I pay for the workshop?",
            "For the workshop I pay 800 in rent, heating and water included, and the roof leaks over the bench.",
            "The rent for the workshop was raised to 870, so I have to look at every other cost again.",
        ),
    ],
)
def test_the_newer_figure_in_a_long_message_is_found_first(
    memory: Memory, clock: SteadyClock, asked: str, before: str, after: str
) -> None:
    for day, text in (("2024-02-01", before), ("2024-03-20", after)):
        memory.add(f"{text} {FILLER}", at=f"{day}T09:00:00Z", extract=False)

    assert memory.search(asked).hits[0].text.startswith(after)
