"""Forms of a word have one root, and texts of other languages are indexed by roots."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.world.profiles import latin_languages, profiles
from recollect.language.world.words import root_by_script, root_in, words_of
from recollect.stores.record_edits import search_forms


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("de", "Katze Katzen"),
        ("de", "Haus Häuser Häusern Haeuser"),
        ("de", "Müller Mueller"),
        ("de", "Haselnuss Haselnüsse"),
        ("fr", "cheval chevaux"),
        ("fr", "maison maisons"),
        ("es", "gato gatos gata"),
        ("es", "calefacción calefacciones"),
        ("fi", "talo talossa talon taloa"),
        ("fi", "koira koiran koiralle"),
        ("tr", "hastane hastanede hastaneler"),
        ("pl", "szpital szpitalu szpitalach"),
    ],
)
def test_forms_of_a_word_in_latin_letters_have_one_root(language: str, forms: str) -> None:
    assert len(set(map(root_in(language), words_of(forms)))) == 1


@pytest.mark.parametrize(
    "forms",
    ["дом дома дому домами", "машина машину машины", "البيت بيت والبيت", "किताब किताबें किताबों", "γάτα γάτες γάτας"],
)
def test_forms_of_a_word_in_another_script_have_one_root(forms: str) -> None:
    assert len(set(map(root_by_script, words_of(forms)))) == 1


def test_a_text_in_english_has_no_other_forms() -> None:
    assert search_forms(None, "My sister’s café is in Zürich, and she likes it.", "food travel") == ""
    assert search_forms("Release 3.2", "deployed to prod-eu at 14:05", "") == ""


def test_a_mixed_text_has_the_forms_of_what_is_not_english() -> None:
    assert search_forms(None, "My cat is called 小白.", "").split() == ["小白", "小", "白"]


def test_every_form_stands_once() -> None:
    forms = search_forms(None, "猫と猫と猫", None).split()
    assert len(forms) == len(set(forms))


@given(st.text(max_size=300), st.sampled_from(sorted(latin_languages())))
def test_no_word_loses_its_root(text: str, language: str) -> None:
    root = root_in(language)
    assert all(root(word) for word in words_of(text))
    assert "  " not in f" {search_forms(text)} "[1:-1]


def test_every_language_with_endings_says_how_they_are_taken_off() -> None:
    assert all(profile.words for profile in profiles().values())
    assert all(profile.passes >= 1 and profile.shortest >= 3 for profile in profiles().values() if profile.endings)
