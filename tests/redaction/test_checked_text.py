"""What text may be kept, and in which spelling."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.errors import InvalidInput, TooLarge
from recollect.domain.text import MAX_NAME_BYTES, MAX_TAGS, MAX_TEXT_BYTES
from recollect.redaction.clean_records import checked_name, checked_tags, checked_text


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Alice prefers tea", "Alice prefers tea"),
        ("  spaces stay  ", "  spaces stay  "),
        ("one\r\ntwo\rthree\nfour", "one\ntwo\nthree\nfour"),
        ("a\r\r\nb", "a\n\nb"),
        ("tab\there", "tab\there"),
        ("\u202eright to left\u202c", "\u202eright to left\u202c"),
        ("\u2066isolated\u2069 \u200f", "\u2066isolated\u2069 \u200f"),
        ("\ufeffbyte order mark", "\ufeffbyte order mark"),
        ("👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"),
        ("e\u0301 stays in two parts", "e\u0301 stays in two parts"),
        ("\U0010ffff", "\U0010ffff"),
        ("x" * MAX_TEXT_BYTES, "x" * MAX_TEXT_BYTES),
    ],
)  # fmt: skip
def test_text_is_kept_as_it_is_but_for_its_line_ends(given: str, kept: str) -> None:
    assert checked_text(given) == kept


@pytest.mark.parametrize("text", ["", " ", "\n", "\t \r\n", "\u3000\u2003"])
def test_text_of_white_space_only_is_empty(text: str) -> None:
    with pytest.raises(InvalidInput, match="`text` is empty") as refusal:
        checked_text(text)
    assert refusal.value.code == "empty_text"


@pytest.mark.parametrize(
    ("text", "what", "place"),
    [
        ("\x00", "U\\+0000", 0),
        ("Alice\x00prefers tea", "U\\+0000", 5),
        ("bell \x07", "U\\+0007", 5),
        ("escape \x1b[31m", "U\\+001B", 7),
        ("delete \x7f", "U\\+007F", 7),
        ("next line \x85", "U\\+0085", 10),
        ("high \x9f", "U\\+009F", 5),
        ("vertical \x0b", "U\\+000B", 9),
        ("half \ud83d", "half of a surrogate pair \\(U\\+D83D", 5),
        ("other half \udc00", "half of a surrogate pair \\(U\\+DC00", 11),
    ],
)
def test_a_character_that_cannot_be_kept_is_named_with_its_place(text: str, what: str, place: int) -> None:
    with pytest.raises(InvalidInput, match=f"{what}\\) at position {place}\\.") as refusal:
        checked_text(text, field="text")
    assert refusal.value.code == "invalid_text"


@pytest.mark.parametrize("text", ["x" * 5_000_000, "x" * (MAX_TEXT_BYTES + 1), "é" * (MAX_TEXT_BYTES // 2 + 1)])
def test_a_text_over_its_limit_is_too_large(text: str) -> None:
    with pytest.raises(TooLarge, match="over its limit of 1,000,000 bytes") as refusal:
        checked_text(text)
    assert refusal.value.code == "too_large"


@pytest.mark.parametrize("value", [5, b"bytes", None, ["list"], 1.5, True])
def test_what_is_not_text_is_said_to_be_something_else(value: object) -> None:
    with pytest.raises(InvalidInput, match=f"must be text, not {type(value).__name__}"):
        checked_text(value)  # type: ignore[arg-type]


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1))
def test_checking_a_text_twice_changes_nothing_more(text: str) -> None:
    if text.strip():
        assert checked_text(checked_text(text)) == checked_text(text)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (None, None),
        ("", None),
        ("   ", None),
        (" Alice ", "Alice"),
        ("Ärger", "Ärger"),
        ("\r\n", None),
        ("x" * MAX_NAME_BYTES, "x" * MAX_NAME_BYTES),
    ],
)
def test_a_name_has_no_space_around_it_and_an_empty_one_is_none(given: str | None, kept: str | None) -> None:
    assert checked_name(given, field="title") == kept


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("two\nlines", "must be a single line"),
        ("two\rlines", "must be a single line"),
        ("x" * (MAX_NAME_BYTES + 1), "over its limit of 512 bytes"),
        ("ä" * 257, "over its limit of 512 bytes"),
        ("nul\x00", "U\\+0000"),
        (7, "must be text, not int"),
    ],
)
def test_a_name_that_cannot_be_one_is_refused(name: object, error: str) -> None:
    with pytest.raises(InvalidInput, match=f"`title`.*{error}"):
        checked_name(name, field="title")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ([], ()),
        ("one", ("one",)),
        (["b", "a", "b"], ("a", "b")),
        (["Deploy", "DEPLOY", " deploy "], ("deploy",)),
        (["Two Words", "two\u2003words", "two\twords"], ("two-words",)),
        (["", "  "], ()),
        (["cafe\u0301", "café"], ("café",)),
        (("é", "e", "z"), ("e", "z", "é")),
    ],
)
def test_tags_have_one_spelling(given: list[str], kept: tuple[str, ...]) -> None:
    assert checked_tags(given) == kept


def test_there_is_a_limit_to_tags() -> None:
    assert len(checked_tags(str(number) for number in range(MAX_TAGS))) == MAX_TAGS
    with pytest.raises(TooLarge, match="65 tags were given; a note has at most 64"):
        checked_tags(str(number) for number in range(MAX_TAGS + 1))


@given(st.lists(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=300), max_size=5))
def test_tags_that_are_kept_can_be_read_back_and_are_their_own_spelling(tags: list[str]) -> None:
    try:
        kept = checked_tags(tags)
    except TooLarge:
        return
    assert checked_tags(kept) == kept
    assert tuple(" ".join(kept).split()) == kept
    assert all(unicodedata.normalize("NFC", tag) == tag for tag in kept)
