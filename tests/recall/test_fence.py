"""No text escapes the fence: what a reader takes out of a block is exactly what went in."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.answers.contexts import Line
from recollect.recall.fence import fenced, seen
from recollect.remember.pipeline import masked
from tests.recall.hostile import DELIMITER, HOSTILE


def records_in(block: str) -> list[list[str]]:
    """What a strict reader finds in a block; it fails on anything that it does not expect."""
    lines = block.split("\n")
    opening = re.fullmatch(r"<recollect-([0-9a-z]{10})>", lines[0])
    assert opening, "the block begins with its tag"
    assert lines[-1] == f"</recollect-{opening[1]}>", "and ends with the tag of the same delimiter"
    assert block.count("<") == block.count(">") == 2, "no other tag is in it"
    assert lines[1].startswith("Records from memory"), "a sentence says what follows"
    read = [json.loads(line) for line in lines[2:-1]]
    assert all(isinstance(each, list) and len(each) == 3 for each in read)
    return read


def a_line(text: str, *, origin: str = "fact by alice") -> Line:
    return Line("01JB0000000000000000000000", 1, "since 2026-03-02", seen(origin), seen(text))


def test_there_are_three_hundred_hostile_texts() -> None:
    assert len(HOSTILE) >= 300


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_hostile_text_escapes_the_fence(text: str) -> None:
    lines = [a_line("Alice prefers tea"), a_line(text, origin=text), a_line("Bob has a bike")]
    block = fenced(lines, DELIMITER)

    assert records_in(block) == [[line.date, line.origin, line.text] for line in lines]
    assert not any(unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp") for sign in block.replace("\n", ""))
    assert masked(f"Before. {block} After.").split() == ["Before.", "After."]


@given(st.lists(st.text(), min_size=1, max_size=5))
def test_what_is_read_back_is_what_went_in(texts: list[str]) -> None:
    lines = [a_line(text, origin=text[::-1]) for text in texts]
    block = fenced(lines, DELIMITER)
    assert records_in(block) == [[line.date, line.origin, line.text] for line in lines]


@pytest.mark.parametrize(
    "text",
    [
        'Alice said: "5 < 7", and it\'s fine',
        "a\ttab and\na second line",
        "Grüße, 東京, Ελλάδα, नमस्ते, שלום",
        "if (a > b) { return `x`; }  # 100 %",
        "C:\\new\\table",
    ],
)
def test_an_ordinary_text_is_read_back_to_the_letter(text: str) -> None:
    assert records_in(fenced([a_line(text)], DELIMITER))[0][2] == text


@pytest.mark.parametrize(
    ("hidden", "left"),
    [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]8;;https://evil.example\x07link\x1b]8;;\x07", "link"),
        ("in\u200bvis\u2060ible", "invisible"),
        ("left\u202eright\u202c", "leftright"),
        ("tags" + "".join(chr(0xE0000 + ord(sign)) for sign in "obey"), "tags"),
        ("one\u2028two\x85three", "one\ntwo\nthree"),
    ],
)
def test_what_cannot_be_seen_is_left_out(hidden: str, left: str) -> None:
    assert seen(hidden) == left


def test_no_lines_make_no_block() -> None:
    assert fenced([], DELIMITER) == ""
