"""Cutting a text: every word once and in order, never inside a word, always the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.remember.files.chunks import MAX, TARGET, Chunk
from recollect.remember.files.markdown import read_markdown
from recollect.remember.files.plain_text import read_code, read_text

WORDS = st.text(alphabet="abcé漢ñ0.!?", min_size=1, max_size=12)
GAPS = st.sampled_from([" ", " ", " ", "  ", "\n", "\n\n", "\n \n\n", ". ", "\t"])
PROSE = st.lists(st.tuples(WORDS, GAPS), max_size=600).map(lambda pairs: "".join(word + gap for word, gap in pairs))
MARKDOWN_LINES = st.one_of(
    st.sampled_from(["", "", "# One", "## Two ##", "### Three", "Title", "=====", "---", "```", "```py", "~~~", "- a"]),
    st.sampled_from(
        ["    # indented", "> quote", "| a | b |", "key: value", "...", "#", "# ", "\t```", "<!-- # x -->"]
    ),
    st.text(alphabet="ab #`~-=|\t", max_size=40),
    st.just("word " * 150),
)
MARKDOWN = st.lists(MARKDOWN_LINES, max_size=60).map("\n".join)


def words_of(chunks: tuple[Chunk, ...]) -> list[str]:
    return [word for chunk in chunks for word in chunk.text.split()]


@given(PROSE)
def test_a_text_keeps_every_word_in_order(text: str) -> None:
    assert words_of(read_text(text)) == text.split()


@given(MARKDOWN)
def test_markdown_keeps_every_word_in_order(text: str) -> None:
    assert words_of(read_markdown(text)) == text.split()


@given(MARKDOWN)
def test_code_keeps_every_word_in_order(text: str) -> None:
    assert words_of(read_code(text, "python")) == text.split()
    assert words_of(read_code(text, "rust")) == text.split()


@given(st.one_of(PROSE, MARKDOWN))
def test_chunks_are_bounded(text: str) -> None:
    for chunk in read_markdown(text):
        assert 0 < len(chunk.text) <= MAX
        assert chunk.text.strip()


@given(MARKDOWN)
def test_the_same_text_gives_the_same_chunks(text: str) -> None:
    assert read_markdown(text) == read_markdown(text)


def test_small_paragraphs_share_a_chunk_near_the_target() -> None:
    text = "\n\n".join(["A sentence of some forty characters here."] * 200)
    sizes = [len(chunk.text) for chunk in read_text(text)]
    assert all(TARGET * 0.9 <= size <= TARGET for size in sizes[:-1])


def test_a_paragraph_that_fits_is_not_cut() -> None:
    paragraph = "This is a sentence. " * 90
    chunks = read_text(f"{paragraph}\n\n{paragraph}")
    assert [chunk.text for chunk in chunks] == [paragraph.strip()] * 2


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    chunks = read_text("The quick brown fox jumps over the lazy dog. " * 200)
    assert len(chunks) > 5
    assert all(chunk.text.endswith("dog.") for chunk in chunks)


def test_a_text_without_spaces_is_cut_between_its_sentences() -> None:
    chunks = read_text("今日は天気がいいです。" * 400)
    assert all(chunk.text.endswith("。") for chunk in chunks)


def test_a_lead_in_goes_with_what_it_leads_to() -> None:
    chunks = read_text("Here is the list:\n\n" + "item and item " * 100)
    assert len(chunks) == 1


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("x" * 5_000, [2_000, 2_000, 1_000]),
        ("ab " + "x" * 1_900, [1_903]),
        ("a" * 300 + " " + "x" * 1_900, [300, 1_900]),
        ("ab " + "x" * 4_500, [2, 2_000, 2_000, 500]),
        ("x" * 2_000 + " y", [2_000, 1]),
    ],
    ids=["one endless word", "fits", "before a long word", "around an endless word", "a word of just the limit"],
)
def test_only_a_word_longer_than_a_chunk_is_cut(text: str, sizes: list[int]) -> None:
    assert [len(chunk.text) for chunk in read_text(text)] == sizes


def test_an_accent_stays_with_its_letter() -> None:
    chunks = read_text("e\u0301" * 1_500)
    assert all(not chunk.text.startswith("\u0301") for chunk in chunks)


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "unit", ["x", " ", "\n", "a ", "# a\n", "```\n", "#", "- ", "a\n--\n", "\n \n\t", "[", "---\n", "a: "]
)
def test_any_unit_repeated_without_end_is_cut_in_linear_time(unit: str) -> None:
    text = unit * (300_000 // len(unit))
    chunks = read_markdown(text)
    assert sum(len(chunk.text) for chunk in chunks) <= len(text)
    assert len(chunks) < 50_000
