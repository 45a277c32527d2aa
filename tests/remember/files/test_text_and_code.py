"""Source code: by definition for Python, by blocks for the rest."""

from __future__ import annotations

import warnings

import pytest

from recollect.remember.files.chunks import MAX
from recollect.remember.files.plain_text import read_code

MODULE = '''"""What it does."""

import os

LIMIT = 3


# Said above it.
@decorated
def first(a: int) -> int:
    """A docstring.

def not_a_definition(): ...
    """
    return a


class Small:
    def method(self) -> None: ...


async def last() -> None:
    pass


if __name__ == "__main__":
    first(1)
'''


def test_python_is_cut_by_definition_with_what_belongs_to_it() -> None:
    chunks = read_code(MODULE, "python")
    assert [chunk.title_path for chunk in chunks] == [(), ("first",), ("Small",), ("last",), ()]
    assert chunks[1].text.startswith("# Said above it.\n@decorated\ndef first")
    assert "not_a_definition" in chunks[1].text


def test_a_long_class_falls_into_its_methods() -> None:
    body = "        total = total + 1  # and on\n" * 30
    source = 'class Big:\n    """Much."""\n\n    limit = 3\n\n'
    source += "".join(f"    def m{n}(self) -> None:\n{body}\n" for n in range(3))
    chunks = read_code(source, "python")
    assert list(dict.fromkeys(chunk.title_path for chunk in chunks)) == [
        ("Big",), ("Big", "m0"), ("Big", "m1"), ("Big", "m2"),
    ]  # fmt: skip
    assert chunks[1].text.startswith("    def m0"), "the indentation of the first line is kept"


def test_a_long_function_is_cut_between_lines() -> None:
    chunks = read_code("def long():\n" + "    value = compute(1, 2, 3)\n" * 200, "python")
    assert len(chunks) > 3
    assert all(chunk.title_path == ("long",) for chunk in chunks)
    assert all(chunk.text.startswith(("def long", "    value")) for chunk in chunks)


@pytest.mark.parametrize(
    "source",
    [
        "def broken(:\n    pass\n\n\nx = 1",
        "print 'python two'",
        "x = " + "(" * 10_000,
        "x = " + "-" * 100_000 + "1",
        "x = a" + ".b" * 100_000,
        "if x:\n  pass\n" + "elif x:\n  pass\n" * 20_000,
        "x = " + "1" * 10_000,
        "a = 1; def f(): pass",
    ],
    ids=lambda source: source[:12],
)
def test_python_that_cannot_be_parsed_is_cut_by_blank_lines(source: str) -> None:
    chunks = read_code(source, "python")
    assert "".join("".join(chunk.text.split()) for chunk in chunks) == "".join(source.split())


def test_definitions_that_share_a_line_lose_nothing() -> None:
    source = "class A: pass\nx = 1; y = 2\nclass B:\n  def f(self): pass; z = 3\n"
    assert "\n".join(chunk.text for chunk in read_code(source, "python")) == source.rstrip()


def test_an_invalid_escape_in_a_file_is_no_concern_of_ours() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_code('def f():\n    return "\\d"\n', "python")[0].title_path == ("f",)


def test_other_languages_are_cut_between_blocks_at_the_margin() -> None:
    function = "func f(a int) int {\n\n" + "    a = a + 1 // again\n" * 25 + "\n    return a\n}\n\n"
    chunks = read_code(function * 6, "go")
    assert [chunk.text.count("func f") for chunk in chunks] == [1] * 6


def test_minified_code_is_cut_all_the_same() -> None:
    chunks = read_code("var a=1;" * 5_000, "javascript")
    assert all(len(chunk.text) <= MAX for chunk in chunks)
