"""What somebody else wrote cannot drive the screen, and what is shown fits it."""

from __future__ import annotations

import io
import json
import unicodedata

import pytest

from recollect.surfaces.cli.terminal import (
    Terminal,
    cut,
    facts,
    flow,
    inert,
    inert_lines,
    json_text,
    table,
    terminal_of,
    width_of,
    wrap,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x9b31m", "\\x9b31m"),
        ("bell\x07", "bell\\x07"),
        ("over\rwritten", "over\\x0dwritten"),
        ("\u202egnitirw", "\\u202egnitirw"),
        ("\u2066isolated\u2069", "\\u2066isolated\\u2069"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("mark\ufeff", "mark\\ufeff"),
        ("line\u2028end", "line\\u2028end"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("half\udc80", "half\\udc80"),
        ("two\nlines\tand a tab", "two lines and a tab"),
        ("東京 é ❤️ עברית", "東京 é ❤️ עברית"),
    ],
)
def test_what_could_drive_a_screen_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert inert(text) == shown


def test_no_control_or_format_character_of_unicode_gets_through() -> None:
    for code in range(0x110000):
        if unicodedata.category(chr(code)) in ("Cc", "Cf", "Cs", "Zl", "Zp") and chr(code) not in "\n\t":
            assert inert(chr(code)).isprintable(), f"U+{code:04X}"
            assert inert(chr(code)) != chr(code), f"U+{code:04X}"


def test_a_text_of_several_lines_keeps_its_lines_and_nothing_else() -> None:
    assert inert_lines("one\n\ttwo\x1b[2J") == ["one", "    two\\x1b[2J"]


def test_json_for_a_screen_is_inert_and_says_the_same() -> None:
    value = {"text": "東京 \u202e \x7f \x9b \U000e0041 \ud800 \n é", "n": [1, None, True]}
    text = json_text(value)

    assert json.loads(text) == value
    assert inert(text) == text
    assert "東京" in text
    assert json.loads(json_text(value, indent=2)) == value


@pytest.mark.parametrize(
    ("text", "width"), [("abc", 3), ("東京", 4), ("é", 1), ("e\u0301", 1), ("🎉", 2), ("ﾃｽﾄ", 3), ("", 0)]
)
def test_the_width_of_a_text_is_in_columns(text: str, width: int) -> None:
    assert width_of(text) == width


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("short", 10, "short"),
        ("exactly", 7, "exactly"),
        ("a longer text", 8, "a longe…"),
        ("東京タワー", 6, "東京…"),
        ("anything", None, "anything"),
    ],
)
def test_a_text_is_cut_to_columns(text: str, width: int | None, shown: str) -> None:
    assert cut(text, width) == shown
    assert width is None or width_of(cut(text, width)) <= width


def test_long_lines_are_wrapped_between_words_and_long_words_inside() -> None:
    assert list(wrap("the quick brown fox", 10)) == ["the quick", "brown fox"]
    assert list(wrap("a verylongwordindeed", 8)) == ["a", "verylong", "wordinde", "ed"]
    assert list(wrap("東京タワー", 4)) == ["東京", "タワ", "ー"]
    assert list(flow(["one two", "three", "four"], 12)) == ["one two", "three  four"]


def test_columns_line_up_even_with_wide_characters() -> None:
    lines = table(["name", "count", "text"], [["東京", "7", "x" * 80], ["b", "1,200", "y"]], Terminal(width=40))

    assert lines[0] == "name  count  text"
    assert lines[1].startswith("東京      7  xxx")
    assert lines[2] == "b     1,200  y"
    assert all(width_of(line) <= 40 for line in lines)


def test_cells_and_facts_are_inert_whoever_made_them() -> None:
    evil = "\x1b]0;owned\x07\u202e"

    assert "\x1b" not in "".join(table([""] * 2, [[evil, evil]], Terminal(width=60)))
    assert "\u202e" not in "".join(facts([(evil, evil)], Terminal(width=60)))


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_pipe_has_neither_width_nor_colours(environment: dict[str, str]) -> None:
    assert terminal_of(io.StringIO(), environment) == Terminal(width=None, colour=False)
