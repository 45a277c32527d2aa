"""The language of a text is guessed from its beginning; a wrong guess is worse than none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.languages.__main__ import asked
from recollect.language.world.words import guess, likeliest

LATIN = frozenset("de fr es pt tr fi pl".split())


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Ich wohne seit drei Jahren in einem alten Haus am Stadtrand.", "de"),
        ("Mijn zus woont al jaren in een klein huis bij Gent.", "nl"),
        ("Min syster bor i ett litet hus och arbetar inte längre.", "sv"),
        ("Mia sorella abita in una piccola casa vicino a Parma.", "it"),
        ("Saya sudah siap untuk mulai lagi dengan rencana yang baru.", "id"),
        ("Моя сестра живёт в маленьком доме.", "ru"),
        ("أختي تسكن في بيت صغير", "ar"),
        ("我妹妹住在苏州附近", "zh"),
        ("妹は金沢に住んでいます", "ja"),
        ("여동생은 전주에 살아요", "ko"),
        ("น้องสาวอยู่บ้านหลังเล็ก", "th"),
    ],
)
def test_a_sentence_tells_its_language(text: str, language: str) -> None:
    assert guess(text) == (language, True)


@pytest.mark.parametrize(
    "text",
    [
        "I live in Berlin with José Muñoz and Zoë.",
        "My cat is called 小白.",
        "I go to bed at ten.",
        "First paying customer! 12 euros per berth per month.",
        "im doing solos now at thursdays choir, two, im terrified",
        "We use Straßenbahn tickets from the BVG app.",
        "Moved to Los Angeles, de facto.",
        "My letters go to a PO box.",
        "car accident damaged car airbags deployed roadtrip",
        "Bought milk",
        "C. S. Lewis",
        "",
        "42",
    ],
)
def test_english_with_names_from_elsewhere_is_not_another_language(text: str) -> None:
    assert not guess(text).foreign


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Wo wohnt sie?", "de"),
        ("Missä talossa?", "fi"),
        ("Hund", None),
        ("ben's birthday", None),
        ("dan phone number", None),
    ],
)
def test_a_few_words_may_have_a_likely_language_or_none(question: str, language: str | None) -> None:
    assert likeliest(question).language == language


def test_most_messages_of_the_set_are_surely_of_another_language() -> None:
    lines = asked()
    languages = {language for language, _, _ in lines}
    assert len(languages) >= 12
    assert all(sum(language == each for each, _, _ in lines) >= 10 for language in languages)
    sure = [guess(message).foreign for _, message, _ in lines]
    assert sum(sure) >= 0.85 * len(sure)
    told = [(language, guess(message).language) for language, message, _ in lines if guess(message).language]
    assert sum(language == said for language, said in told) >= 0.97 * len(told)


@given(st.text(max_size=300))
def test_every_text_has_a_guess_and_only_its_beginning_counts(text: str) -> None:
    assert guess(text) == guess(text)
    long = text.ljust(600, ".")
    assert guess(long) == guess(f"{long} und das ist nicht mehr von Bedeutung")
