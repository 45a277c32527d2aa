"""How a message stands to the truth, whether or not a fact can be read from it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from recollect.domain.observations import Message, Standing
from recollect.domain.readings import ReadingContext
from recollect.readers.rules.reader import RulesReader

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "standing"),
    [
        ("The Telvia bill was eleven euros this month.", Standing.STATED),
        ("Kasia handed the payments pager to Farid.", Standing.STATED),
        ("My mentor is Wanjiru.", Standing.STATED),
        ("If payments breaks at night, call Noor.", Standing.STATED),
        ("My gym buddy overslept, so I lifted alone at noon.", Standing.STATED),
        ("The weekly team meeting happens on Thursdays.", Standing.STATED),
        ("Great, thanks. I switched to Helvita.", Standing.STATED),
        ("Registered at the town hall today, so the mail should reach me.", Standing.STATED),
        ("Which provider is cheapest?", Standing.ASKED),
        ("Write me a limerick about a cat.", Standing.ASKED),
        ("Thanks!", Standing.ASKED),
        ("We've got a Kia parked out front.", Standing.STATED),
        ("Someone floated Telvia, no decision.", Standing.SUPPOSED),
        ("Telvia came up again, nobody decided anything.", Standing.SUPPOSED),
        ("Telvia looks cheap, maybe I'll change one day.", Standing.SUPPOSED),
        ("I wish Declan had time to mentor me.", Standing.SUPPOSED),
        ("Somebody proposed Kafka for the notifier, parked.", Standing.SUPPOSED),
        ("If the fees rise I might open an account at Quayside.", Standing.SUPPOSED),
        ("My sister pays for Telvia.", Standing.OF_OTHERS),
        ("My neighbour's dentist is Dr. Okafor.", Standing.OF_OTHERS),
        ("Half of the data team uses VS Code.", Standing.OF_OTHERS),
        ("The billing team uses SQS.", Standing.OF_OTHERS),
        ("In 2014 I was with Telvia.", Standing.LONG_AGO),
        ("Ten years ago I lived in Bilbao.", Standing.LONG_AGO),
    ],
)
def test_a_message_stands_as_it_was_meant(said: str, standing: Standing) -> None:
    assert _standing(said) is standing


@pytest.mark.parametrize("said", ["", " ", "\n", "?", "…", "😀", "a" * 10_000, "if " * 500])
def test_any_text_has_a_standing(said: str) -> None:
    assert _standing(said) is not None


def _standing(said: str) -> Standing | None:
    return RulesReader().read(Message("user", said, NOON), ReadingContext()).standing
