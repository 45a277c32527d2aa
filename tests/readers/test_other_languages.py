"""The rules know English. From a message that is surely in another language they read nothing."""

# ruff: noqa: RUF001 - people write in every script

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bench.languages.__main__ import asked
from recollect.domain.observations import Message
from recollect.domain.readings import Reading, ReadingContext, Reason
from recollect.readers.rules.reader import RulesReader

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)


def _read(text: str) -> Reading:
    return RulesReader().read(Message("user", text, NOON), ReadingContext())


@pytest.mark.parametrize(
    "text",
    [
        "Mi familia es pequeña y mi hermano vive en Madrid.",
        "Meine Schwester ist Lehrerin und mein Mann heißt Jens.",
        "我叫李雷，住在北京。",
        "Меня зовут Настя, я живу в Твери.",
    ],
)
def test_a_message_in_another_language_is_passed_over_with_the_reason(text: str) -> None:
    reading = _read(text)
    assert not reading.statements
    assert reading.standing is None
    assert [(each.start, each.end, each.reason) for each in reading.passed_over] == [
        (0, len(text), Reason.OTHER_LANGUAGE)
    ]


def test_no_message_of_the_set_becomes_a_fact() -> None:
    assert not [(message, found) for _, message, _ in asked() if (found := _read(message).statements)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("My husband is called Jörg Müßigmann.", "Jörg Müßigmann"),
        ("I live in São Paulo.", "São Paulo"),
        ("I work at Société Générale.", "Société Générale"),
    ],
)
def test_english_with_names_from_elsewhere_is_read(text: str, value: str) -> None:
    assert value in [statement.value for statement in _read(text).statements]
