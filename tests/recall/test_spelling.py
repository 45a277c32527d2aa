"""Which words are taken for others, and which are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import Memory
from recollect.recall.words import meant, unmet

KNOWN = ("restaurant", "restore", "dentist", "violin", "violins", "cat", "kitchen")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("restuarant", ("restaurant",)),
        ("resturant", ("restaurant",)),
        ("dentits", ("dentist",)),
        ("violni", ("violin",)),
        ("kitch", ("kitchen",)),
        ("cars", ()),
        ("mountain", ()),
    ],
)
def test_a_word_stands_for_the_nearest_known_ones(word: str, expected: tuple[str, ...]) -> None:
    assert meant(word, KNOWN) == expected


@given(st.text(alphabet="abcdef", min_size=1, max_size=9))
def test_a_known_word_stands_first_of_all_for_itself(word: str) -> None:
    assert meant(word, {word, f"{word}x", "zzz"})[0] == word


@given(st.text(alphabet="abcd", min_size=4, max_size=7), st.text(alphabet="abcd", min_size=3, max_size=8))
def test_a_short_word_stands_for_every_word_one_slip_away_and_for_no_other(word: str, other: str) -> None:
    """Judged by the plain way: make every slip there is."""
    reached = {word, *_slips(word)}

    assert all(meant(word, [slip]) == (slip,) for slip in reached)
    assert (meant(word, [other]) == (other,)) == (other in reached or other.startswith(word))


def _slips(word: str) -> set[str]:
    cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    missing = {before + after[1:] for before, after in cuts if after}
    swapped = {before + after[1] + after[0] + after[2:] for before, after in cuts if len(after) > 1}
    wrong = {before + letter + after[1:] for before, after in cuts if after for letter in "abcd"}
    too_many = {before + letter + after for before, after in cuts for letter in "abcd"}
    return missing | swapped | wrong | too_many


def test_only_words_found_nowhere_are_looked_for_otherwise() -> None:
    assert unmet(("dentits", "visit", "the", "x2y4"), [["visit"]]) == ("dentits",)


def test_a_misspelled_question_finds_what_was_meant(memory: Memory) -> None:
    memory.save("The restaurant by the harbour closes at ten")
    memory.save("The library closes at six")

    assert memory.search("restuarant").hits[0].text == "The restaurant by the harbour closes at ten"


def test_a_word_that_is_there_is_not_taken_for_another(memory: Memory) -> None:
    memory.save("The form is on the desk")
    memory.save("The farm is in the valley")

    assert [hit.text for hit in memory.search("farm").hits] == ["The farm is in the valley"]


def test_a_word_that_rarer_ones_crowd_out_is_not_taken_for_a_slip(memory: Memory) -> None:
    """Two hundred notes have the rarer word, and fill every place; the other is in memory all the same."""
    memory.save("The gardens are closed in winter.")
    memory.save("She wardens the hall.")
    for number in range(200):
        memory.save(f"Zinnia {number}")
    hits = memory.search("zinnia gardens", limit=200).hits
    assert all("wardens" not in hit.text for hit in hits)


def test_words_that_are_known_are_told_from_those_that_are_not(memory: Memory) -> None:
    memory.save("We deployed the harbour service.", space="ports")
    memory.add("Ann grows quinces.", space="ports")
    memory.save("The orchard is elsewhere.", space="fields")
    engine = memory._engine
    asked = ["deploy", "harbour", "quinces", "orchard", "nothing'; --", "_"]
    assert engine.store.known_words("ports", asked) == {"deploy", "harbour"}
    assert engine.archive.known_words("ports", asked) == {"quinces"}
    assert engine.store.known_words("nowhere", asked) == frozenset()


@pytest.mark.parametrize("asked", ["harbxur", "harbur", "harbouur", "harbuor", "harb"])
def test_one_slip_behind_the_third_letter_is_forgiven_on_every_store(memory: Memory, asked: str) -> None:
    """A letter wrong, missing, too many, swapped with the next; or only the beginning of the word."""
    memory.save("The ferry leaves the harbour at noon")
    memory.save("The library closes at six")

    assert [hit.text for hit in memory.search(asked).hits][:1] == ["The ferry leaves the harbour at noon"]


def test_a_word_that_begins_otherwise_is_not_taken_for_one_that_is_known_on_any_store(memory: Memory) -> None:
    memory.save("The ferry leaves the harbour at noon")

    assert memory.search("xarbour").hits == ()
