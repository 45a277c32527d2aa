"""Counting tokens without a tokenizer: never in our favour, and line by line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.token_count import count_tokens


# The most that any of four vocabularies makes of it: those of GPT-4, Claude 2, Mistral 7B and Mistral Nemo.
@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("Alice prefers tea", 4),
        ("The quick brown fox jumps over the lazy dog.", 12),
        ("I moved to Berlin on 2026-03-02.", 17),
        ("snake_case_name = getUserById(4711)", 15),
        ("01JB7Q4ZK3V9X2M8N5T6W0R1PC", 26),
        ("deadbeefcafe00112233445566778899", 25),
        ("qWkKk4CrwkuTFKkAuGwKzbKv5Y8Oew8n", 27),
        ("Supercalifragilisticexpialidocious", 12),
        ("東京は日本の首都です", 11),
        ("Привет, как дела?", 9),
        ("👩\u200d👩\u200d👧", 15),
    ],
)
def test_no_usual_tokenizer_makes_more_of_it(text: str, most: int) -> None:
    assert most <= count_tokens(text) <= 4 * most


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("the", 1),
        ("2026", 4),
        ("a b c", 3),
        ("?!", 2),
        ("é", 2),
        ("東", 3),
        ("preferences", 4),
        ("xqzjk", 5),
        ("HTTPS", 5),
    ],
)
def test_each_piece_counts_by_its_rule(text: str, counted: int) -> None:
    assert count_tokens(text) == counted


@given(st.lists(st.text(), max_size=5))
def test_lines_add_up(lines: list[str]) -> None:
    lines = ["".join(line.splitlines()) for line in lines]
    separators = max(0, len(lines) - 1)
    assert count_tokens("\n".join(lines)) == sum(map(count_tokens, lines)) + separators


@given(st.text(), st.text())
def test_more_text_is_never_fewer_tokens(text: str, more: str) -> None:
    assert count_tokens(f"{text}\n{more}") >= count_tokens(text)


@given(st.text(st.characters(min_codepoint=0x80)))
def test_what_is_not_ascii_counts_by_its_bytes(text: str) -> None:
    assert count_tokens(text) == len(text.encode("utf-8", "surrogatepass"))
