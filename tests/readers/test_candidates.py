"""What a model claims counts only as far as the words and the times of the message say it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from recollect.domain.periods import Precision
from recollect.readers.model.candidates import ShownMessage, stands_in, statement_from
from tests.support.scripted_reader import said

NOON = datetime(2026, 11, 17, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("5 km", "I run 15 km"),
        ("5 km", "I run 1.5 km"),
        ("Rome", "the chrome bumper"),
        ("art", "we had a party"),
        ("Ana", "I ate a banana"),
    ],
)
def test_a_piece_of_another_word_is_not_said(value: str, text: str) -> None:
    assert not stands_in(value, text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1.5 km", "I run 1.5 km."),
        ("3 cats", "We have three cats"),
        ("The The", "my band is The The"),
        ("🍕", "friday is 🍕 day"),
        ("C++", "I write C++"),
        ("猫", "猫を飼っています。"),
        ("大阪", "来月から大阪で働きます。"),
        ("ปู", "แมวของฉันชื่อปู"),
        ("서울", "서울에 살아요"),
        ("תל אביב", "אני גר בתל אביב"),
        ("القاهرة", "أسكن بالقاهرة"),
    ],
)
def test_words_count_in_every_script(value: str, text: str) -> None:
    assert stands_in(value, text)


@pytest.mark.parametrize(
    ("text", "since", "year", "precision"),
    [
        ("I live in Oslo since 2019.", "2019", 2019, Precision.YEAR),
        ("I live in Oslo since 2019.", "2019-05-03", 2019, Precision.YEAR),  # the day is made up
        ("I live in Oslo, for three years now.", "2023", 2023, Precision.YEAR),
        ("Seit Mai 2019 wohne ich in Oslo.", "2019-05", 2019, Precision.MONTH),
        ("I live in Oslo.", "2019", None, None),
        ("I live in Oslo since last week.", "2019-05-03", None, None),
    ],
)
def test_a_time_is_kept_as_far_as_the_message_names_it(
    text: str, since: str, year: int | None, precision: Precision | None
) -> None:
    candidate = said("location", "Oslo", text, since=since)
    statement = statement_from(candidate, ShownMessage(text, NOON, frozenset()), "model")

    assert statement is not None
    found = statement.since
    assert (found and found.start.year, found and found.precision) == (year, precision)
