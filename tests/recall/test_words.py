"""The words of a text and of a question, compared in one way whatever database gathered them."""

# ruff: noqa: RUF001 - people write in every script

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.recall.bm25 import Wanted, counted
from recollect.recall.words import asked_words, spellings, stem, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("Alice prefers TEA.", ["alice", "prefers", "tea"]),
        ("Le café, déjà vu", ["le", "cafe", "deja", "vu"]),
        ("cafe\u0301", ["cafe"]),
        ("Straße", ["strasse"]),
        ("한국어 검색", ["한국", "국어", "한", "국", "어", "검색", "검", "색"]),
        ("ガラス の 靴", ["ガラ", "ラス", "の", "靴"]),
        ("カラス", ["カラ", "ラス"]),
        ("東京都のカフェ", ["東京", "京都", "都の", "のカ", "カフ", "フェ", "東", "京", "都"]),
        ("น้ำแข็ง", ["น้ํา", "าแ", "แข็", "ข็ง"]),
        ("हिन्दी किताबें।", ["हिन्दी", "किताबें"]),
        ("كِتَابٌ كـتـاب", ["كتاب", "كتاب"]),
        ("שָׁלוֹם", ["שלום"]),
        ("Łódź, Ærø, İstanbul, ışık", ["lodz", "aero", "istanbul", "isik"]),
        ("src/main.py:42", ["src", "main", "py", "42"]),
        ("user_id", ["user", "id"]),
        ("__init__(self)", ["init", "self"]),
        ("don't", ["don", "t"]),
        ("🙂 … !", []),
        ("ＡＢＣ １２３", ["abc", "123"]),
    ],
)
def test_words_are_folded_to_lower_case_and_without_accents(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_a_mark_that_makes_another_letter_is_not_an_accent() -> None:
    """Glass is not a crow, in Japanese."""
    assert words_of("ガラス") != words_of("カラス")


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What does Alice drink?", ["alice", "drink"]),
        ("how do we deploy storefront", ["deploy", "storefront"]),
        ("tea or Tea or TEA", ["tea"]),
        ("the who", ["the", "who"]),
        ("?", []),
    ],
)
def test_a_question_is_about_its_telling_words_or_else_about_all_of_them(question: str, words: list[str]) -> None:
    assert asked_words(question) == words


def test_a_page_that_is_pasted_as_a_question_is_cut() -> None:
    assert len(asked_words(" ".join(f"word{number}" for number in range(10_000)))) == 200


@pytest.mark.parametrize(
    ("question", "searched"),
    [
        ("what about tea", ["tea"]),
        ("Müller's café", ["muller", "cafe", "müller", "café"]),
        ("Чайковский", ["чаиковскии", "чайковский", "чаиковск"]),
        ("the cafés", ["cafes", "cafés"]),
    ],
)
def test_words_are_searched_as_they_were_written_too(question: str, searched: list[str]) -> None:
    assert spellings(question, asked_words(question)) == searched


@pytest.mark.parametrize(
    "group",
    [
        ["deploy", "deploys", "deployed", "deploying"],
        ["city", "cities"],
        ["test", "tests", "tested", "testing"],
        ["note", "notes", "noted", "noting"],
    ],
)
def test_the_forms_of_a_word_have_one_stem(group: list[str]) -> None:
    assert len({stem(word) for word in group}) == 1


@pytest.mark.parametrize("word", ["a", "as", "is", "bed", "ring", "sing", "he", "東京", "ß", ""])
def test_a_short_word_is_left_as_it_is(word: str) -> None:
    assert stem(word) == word


@given(st.text(max_size=200))
def test_every_text_has_words_that_have_stems(text: str) -> None:
    words = words_of(text)
    assert all(word and stem(word) for word in words)
    assert set(words_of(" ".join(words))) == set(words)  # signs without spaces are cut into neighbours again
    assert set(asked_words(text)) <= set(words)
    assert set(spellings(text, asked_words(text))) >= set(asked_words(text))


ASKED = ("deploy", "go", "garden", "gardening", "e2e", "naïve", "walls")
PIECES = (
    "deploys", "Deployed", "deploy", "go", "going", "goes", "got", "gardens", "gard", "GARDEN!", "e2e", "e2", "walls",
    "wall", "swallow", "redeploy", "go-go", "x", "naïve", "naive", "Straße", "(deploying)", "a_deploy", "…", "\n", "'s",
)  # fmt: skip


def _by_hand(text: str, roots: list[str]) -> tuple[tuple[int, ...], int]:
    words = words_of(text)
    found = [stem(word) for word in words]
    return tuple(found.count(root) for root in roots), max(1, len(words))


@pytest.mark.parametrize("asked", [ASKED[:1], ASKED[:2], ASKED[:5], ASKED, ("go",), ()], ids=str)
def test_texts_are_counted_together_as_each_is_word_by_word(asked: tuple[str, ...]) -> None:
    chance = random.Random(11)
    roots = list(dict.fromkeys(map(stem, asked)))
    texts = [" ".join(chance.choices(PIECES, k=chance.randrange(8))) for _ in range(300)]
    for text, found in zip(texts, counted(texts, Wanted(roots)), strict=True):
        assert tuple(found) == _by_hand(text, roots), text
