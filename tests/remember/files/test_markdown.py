"""Markdown by heading: what counts as one, what a chunk stands under, what is kept of the front matter."""

from __future__ import annotations

from typing import Any

import pytest

from recollect.remember.files.markdown import front_matter_fields, read_markdown


def paths(text: str) -> list[tuple[str, ...]]:
    return [chunk.title_path for chunk in read_markdown(text)]


def test_each_section_stands_under_its_headings() -> None:
    text = "intro\n\n# A\n\none\n\n## B\n\ntwo\n\n### C\n\nthree\n\n## D\n\nfour\n\n# E\n\nfive\n"
    assert paths(text) == [(), ("A",), ("A", "B"), ("A", "B", "C"), ("A", "D"), ("E",)]


def test_a_chunk_begins_with_its_heading() -> None:
    chunks = read_markdown("# A\n\none\n\n\n## B\ntwo\n")
    assert [chunk.text for chunk in chunks] == ["# A\n\none", "## B\ntwo"]


def test_a_heading_with_nothing_below_it_goes_with_the_deeper_one_that_follows() -> None:
    chunks = read_markdown("# A\n\n## B\n\n### C\n\ntext\n\n## D\n\n## E\n\nend")
    assert [(chunk.title_path, chunk.text) for chunk in chunks] == [
        (("A", "B", "C"), "# A\n\n## B\n\n### C\n\ntext"),
        (("A", "D"), "## D"),
        (("A", "E"), "## E\n\nend"),
    ]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Plain", "Plain"),
        ("## Closed ##", "Closed"),
        ("# C#", "C#"),
        ("   # Up to three spaces", "Up to three spaces"),
        ("# `code` and **bold**", "code and bold"),
        ("# See [the guide](https://example.org/guide)", "See the guide"),
        ("# With anchor {#here}", "With anchor"),
        ("Underlined\n==========", "Underlined"),
        ("Underlined too\n---", "Underlined too"),
        ("# " + "long " * 100, "long " * 23 + "long…"),
    ],
)
def test_headings_are_found_and_shown_without_their_marks(text: str, title: str) -> None:
    assert paths(f"{text}\n\nbody") == [(title,)]


@pytest.mark.parametrize(
    "text",
    [
        "#hashtag",
        "####### seven",
        "    # four spaces is code",
        "```\n# in a fence\n```",
        "~~~\n# in a fence\n```\n# still in it\n~~~",
        "````\n```\n# in the outer fence\n````",
        "```\n# in a fence that never ends",
        "- item\n---",
        "two lines\nof a paragraph\n---",
        "| a | b |\n|---|---|",
    ],
)
def test_what_is_no_heading_makes_no_section(text: str) -> None:
    assert paths(text) == [()]


def test_a_fence_that_fits_is_never_cut() -> None:
    fence = "```python\n" + "x = 1\n\n" * 200 + "```"
    chunks = read_markdown("# A\n\n" + "Some words before it. " * 40 + f"\n\n{fence}\n\nAfter it.")
    assert [chunk.text.count("```") for chunk in chunks if "x = 1" in chunk.text] == [2]


def test_a_fence_too_long_for_a_chunk_is_cut_between_lines() -> None:
    chunks = read_markdown("# A\n\nBefore.\n\n```python\n" + "value = compute(1, 2, 3)\n" * 200 + "```\n\nAfter.")
    code = [chunk for chunk in chunks if "compute" in chunk.text]
    assert len(code) > 3
    assert all(line in {"value = compute(1, 2, 3)", "```python", "```"} for c in code for line in c.text.split("\n"))
    assert [chunk.text for chunk in chunks if chunk not in code] == ["# A\n\nBefore.", "After."]


def test_front_matter_is_kept_as_text_and_every_chunk_stands_under_its_title() -> None:
    chunks = read_markdown("---\ntitle: My trip\ntags: [a, b]\n---\n\nHello.\n\n## Day one\n\nWe left.\n")
    assert [chunk.text for chunk in chunks] == [
        "---\ntitle: My trip\ntags: [a, b]\n---", "Hello.", "## Day one\n\nWe left.",
    ]  # fmt: skip
    assert [chunk.title_path for chunk in chunks] == [("My trip",), ("My trip",), ("My trip", "Day one")]


def test_the_main_heading_weighs_more_than_the_title_in_the_front_matter() -> None:
    assert paths("---\ntitle: Short\n---\n# The long title\n\ntext") == [(), ("The long title",)]


@pytest.mark.parametrize("text", ["---\nno fields here\n---\n\ntext", "---\ntitle: never closed\n\ntext"])
def test_a_line_at_the_top_is_not_yet_front_matter(text: str) -> None:
    assert all(chunk.title_path == () for chunk in read_markdown(text))


@pytest.mark.parametrize(
    ("matter", "fields"),
    [
        ("a: 1\nb: two words", {"a": "1", "b": "two words"}),
        ("a: 'quoted: yes'\nb: \"x\"", {"a": "quoted: yes", "b": "x"}),
        ("url: https://example.org", {"url": "https://example.org"}),
        ("tags:\n  - one\n  - 'two'\nnext: x", {"tags": ["one", "two"], "next": "x"}),
        ('tags: [one, "two", ]', {"tags": ["one", "two"]}),
        ("deep:\n  key: value", {}),
        ("# comment\n\nnot a field", {}),
        ("a: &anchor x\nb: *anchor", {"a": "&anchor x", "b": "*anchor"}),
        ("a: " + "x" * 999, {"a": "x" * 200}),
        ("\n".join(f"k{n}: v" for n in range(99)), {f"k{n}": "v" for n in range(32)}),
    ],
)
def test_front_matter_is_read_as_simple_fields(matter: str, fields: dict[str, Any]) -> None:
    assert front_matter_fields(matter) == fields
