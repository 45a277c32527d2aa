"""Functions of Python's own library, found by what they are said to do: needs no data, and guards what is not talk.

Every function is a note of its own without its description; the first sentence of the description is what is asked.
The newest of them is no better an answer than the oldest, and their names are words with underscores between them.
"""

from __future__ import annotations

import ast
import re
import sysconfig
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from textwrap import dedent
from typing import TypeVar

from bench.material import Corpus, DataSet, Item, Question

T = TypeVar("T")

_LEFT_OUT = frozenset({"test", "tests", "idlelib", "lib2to3", "site-packages", "encodings", "__pycache__"})
_SHORTEST, _LONGEST = 80, 1500  # characters of a function without its description
_TELLING = 25  # characters that a description needs at least
_FUNCTIONS, _QUESTIONS = 1500, 300  # in all, drawn evenly from those in the order of their names
_FIRST = datetime(2024, 1, 1, tzinfo=UTC)
_SENTENCE = re.compile(r".+?[.!?](?=\s|$)|.+", re.DOTALL)


def load() -> list[DataSet]:
    found = _spread(list(_functions(Path(sysconfig.get_paths()["stdlib"]))), _FUNCTIONS)
    items = [
        Item(str(number), text, _FIRST + timedelta(hours=number), is_note=True)
        for number, (text, _) in enumerate(found)
    ]
    now = _FIRST + timedelta(hours=len(found))
    asked = [Question(said, "by description", (str(number),), now) for number, (_, said) in enumerate(found)]
    return [DataSet("code", [Corpus("functions", items, _spread(asked, _QUESTIONS))], about="functions of a library")]


def _functions(library: Path) -> Iterator[tuple[str, str]]:
    """Functions and what they are said to do; of the same text one, since nobody could tell them apart."""
    known = set()
    for file in sorted(library.rglob("*.py")):
        if _LEFT_OUT.isdisjoint(file.relative_to(library).parts):
            for text, said in described(file):
                if text not in known:
                    known.add(text)
                    yield text, said


def described(file: Path) -> Iterator[tuple[str, str]]:
    """The functions of a file, each without its description and with the first sentence of it."""
    try:
        text = file.read_text(encoding="utf-8")
        tree = ast.parse(text)
    except (OSError, ValueError, SyntaxError):
        return  # some files of a library are broken on purpose
    lines = text.splitlines()
    for node in ast.walk(tree):
        said = ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None
        if not isinstance(node, ast.FunctionDef) or not said or len(node.body) < 2:
            continue
        first = _SENTENCE.match(said)
        described = node.body[0]
        own = dedent(
            "\n".join([*lines[node.lineno - 1 : described.lineno - 1], *lines[described.end_lineno : node.end_lineno]])
        )
        if first and len(first[0]) >= _TELLING and _SHORTEST <= len(own) <= _LONGEST:
            yield own, " ".join(first[0].split())


def _spread(found: Sequence[T], most: int) -> list[T]:
    """At most so many, drawn evenly."""
    step = max(1.0, len(found) / most)
    return [found[int(place * step)] for place in range(min(most, len(found)))]
