"""Plain text becomes paragraphs packed together, and source code blocks of lines.

For Python the definitions are known; in every other language a block is what stands between blank lines and begins
at the margin.
"""

from __future__ import annotations

import ast
import re
import threading
import warnings
from collections.abc import Iterator, Sequence
from itertools import pairwise

from recollect.remember.files.chunks import MAX, Chunk, DocumentSection, Span, chunked, paragraphs

_MAX_PARSED = 1_000_000  # characters; a syntax tree takes some hundred times the memory of its source

_BLANK_LINES = re.compile(r"\n(?:[ \t]*+\n)++(?=(?P<margin>[^\s)\]}])?)")  # and whether a block begins after them
# `warnings.catch_warnings` puts back what it found, so two threads must not be inside at once.
_one_parser = threading.Lock()


def read_text(text: str) -> tuple[Chunk, ...]:
    """The chunks of a text without any structure but its paragraphs."""
    return chunked(text, [DocumentSection((), paragraphs(text, (0, len(text))))])


def read_code(text: str, language: str) -> tuple[Chunk, ...]:
    """The chunks of source code. What cannot be parsed is cut by blank lines."""
    if language == "python" and len(text) <= _MAX_PARSED:
        tree = _parsed(text)
        if tree is not None:
            starts = [0, *(found.end() for found in re.finditer("\n", text)), len(text)]
            found = _definitions(text, starts, tree.body, (1, len(starts) - 1), ())
            return chunked(text, [DocumentSection(path, paragraphs(text, span)) for path, span in found])
    return chunked(text, [DocumentSection((), _blocks(text))])


def _parsed(text: str) -> ast.Module | None:
    with _one_parser, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape in somebody's file is not our reader's concern
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _definitions(
    text: str, starts: Sequence[int], nodes: Sequence[ast.stmt], lines: tuple[int, int], path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Span]]:
    """Name path and span of each definition and of what stands between them; lines count from 1, both ends included.

    A class too long for one chunk falls into its methods.
    """
    place, last = lines
    for node in nodes:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        begin = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        while begin > place and text.startswith("#", _margin(text, starts[begin - 2])):
            begin -= 1  # the comment right above belongs to it
        end = node.end_lineno or node.lineno
        if begin < place or end > last:
            continue  # on one line with something else
        if begin > place:
            yield path, (starts[place - 1], starts[begin - 1])
        own = (*path, node.name)
        if isinstance(node, ast.ClassDef) and starts[end] - starts[begin - 1] > MAX:
            yield from _definitions(text, starts, node.body, (begin, end), own)
        else:
            yield own, (starts[begin - 1], starts[end])
        place = end + 1
    if place <= last:
        yield path, (starts[place - 1], starts[last])


def _margin(text: str, start: int) -> int:
    """Where the first character of a line stands."""
    while start < len(text) and text[start] in " \t":
        start += 1
    return start


def _blocks(text: str) -> Iterator[Span]:
    borders = (0, *(found.end() for found in _BLANK_LINES.finditer(text) if found["margin"]), len(text))
    yield from pairwise(borders)
