"""Documents and their chunks: a text and its structure, cut for finding.

A chunk is a stretch of the text as it stands, trimmed; together the chunks have every word of it, in order, once.
Blocks stay whole where they fit, small ones share a chunk, and a chunk never spans two sections. A word is cut
only if it alone is longer than a chunk may be.

Every text in here already obeys `domain.text`: no control characters, one kind of line end, no half of a pair.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from recollect.domain.dataclass import dataclass


class FileKind(StrEnum):
    """How a file was read."""

    MARKDOWN = "markdown"
    TEXT = "text"
    HTML = "html"
    PDF = "pdf"
    CODE = "code"
    JSON = "json"
    CHAT = "chat"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document.

    `title_path` are the headings it stands under, outermost first; for source code, the names of what it defines.
    """

    text: str
    title_path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """One thing said. `at` is `None` when neither the turn nor its conversation has a time."""

    role: str
    text: str
    at: datetime | None = None
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns in the order in which they were said. Without an id of its own, `id` is its place in the file, from 0."""

    id: str
    title: str | None
    turns: tuple[ChatTurn, ...]


@dataclass(frozen=True, slots=True)
class FileDocument:
    """A file that was read. `path` is relative to the root, with `/`; `sha256` is of its bytes as they are on disk.

    A chat has conversations; what in its file is not a message is kept as chunks.
    """

    path: str
    kind: FileKind
    sha256: str
    chunks: tuple[Chunk, ...] = ()
    conversations: tuple[Conversation, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file or folder that was not read, and why. A folder stands for everything in it.

    Codes: `not_found`, `no_permission`, `read_failed`, `outside_root`, `symlink_loop`, `changed_while_reading`,
    `not_a_file`, `bad_name`, `too_large`, `too_deep`, `binary`, `not_text`, `encrypted`, `broken`, `no_text`,
    `missing_extra`.
    """

    path: str
    code: str
    message: str


TARGET = 1_000  # characters, some 250 tokens: one thought with what surrounds it
MAX = 2_000  # characters
_SHORT = 250  # characters; less than this takes in what follows up to MAX, so that no lead-in stands alone
_MAX_TITLE = 120  # characters, under 512 bytes in any script

Span: TypeAlias = tuple[int, int]
Redact: TypeAlias = Callable[[str], str]

_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_VISIBLE = re.compile(r"\S")
_SPACE = re.compile(r"\s")
# Where a text may be cut, best first.
_BORDERS = (_BLANK_LINES, re.compile(r"\n"), re.compile(r"[.!?…][\"'”’)\]]{0,3}\s|[。\uff01\uff1f\uff1b]"))


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """A stretch under one title: blocks of it that are best kept whole, in order. They may be read only once."""

    title_path: tuple[str, ...]
    blocks: Iterable[Span]


def chunked(text: str, sections: Iterable[DocumentSection]) -> tuple[Chunk, ...]:
    """The chunks of a text, in order."""
    chunks: list[Chunk] = []
    for section in sections:
        title_path = tuple(filter(None, map(one_line, section.title_path)))
        chunks += (Chunk(text[start:end], title_path) for start, end in packed(text, section.blocks))
    return tuple(chunks)


def packed(text: str, blocks: Iterable[Span]) -> Iterator[Span]:
    """Spans of at most `MAX`, made of neighbouring blocks while they stay within `TARGET`."""
    current: Span | None = None
    for block in blocks:
        for piece in pieces(text, block):
            if current is None:
                current = piece
                continue
            together = piece[1] - current[0]
            if together <= TARGET or (current[1] - current[0] < _SHORT and together <= MAX):
                current = (current[0], piece[1])
            else:
                yield current
                current = piece
    if current is not None:
        yield current


def pieces(text: str, span: Span, *, target: int = TARGET, limit: int = MAX) -> Iterator[Span]:
    """The span, trimmed, or if it is over the limit, parts of about `target` cut at the best borders."""
    end = _visible_end(text, *span)
    start = _visible_start(text, span[0], end)
    while end - start > limit:
        cut = _cut(text, start, target, limit)
        yield start, _visible_end(text, start, cut)
        start = _visible_start(text, cut, end)
    if start < end:
        yield start, end


def paragraphs(text: str, span: Span) -> Iterator[Span]:
    """The paragraphs of a span, which end at blank lines."""
    start, end = span
    for found in _BLANK_LINES.finditer(text, start, end):
        yield start, found.end()
        start = found.end()
    yield start, end


def one_line(title: str) -> str:
    """A title as a name: on one line, of bounded length."""
    title = " ".join(title.split())
    return title if len(title) <= _MAX_TITLE else title[: _MAX_TITLE - 1].rstrip() + "…"


def _visible_end(text: str, start: int, end: int) -> int:
    """Where the last visible character ends; `start` if there is none."""
    while start < end:
        window = text[max(start, end - MAX) : end]
        kept = window.rstrip()
        end -= len(window) - len(kept)
        if kept:
            return end
    return start


def _visible_start(text: str, start: int, end: int) -> int:
    """Where the first line with something on it begins, or in the middle of a line, what is on it.

    The indentation of a whole line is kept, for in code it says something; if there is nothing, `end`.
    """
    visible = _VISIBLE.search(text, start, end)
    if visible is None:
        return end
    line = text.rfind("\n", max(start - 1, 0), visible.start()) + 1
    return line if line >= start and visible.start() - line < _SHORT else visible.start()


def _cut(text: str, start: int, target: int, limit: int) -> int:
    """Where a part that begins at `start` ends: at the best sort of border, before `target` rather than after it.

    The text must go on beyond the limit.
    """
    wanted, last = start + target, start + limit
    for border in _BORDERS:
        before = None
        for before in border.finditer(text, start + target // 2, wanted):  # noqa: B007 - the last one is wanted
            pass
        found = before or border.search(text, wanted, last)
        if found:
            return found.end()
    visible = _VISIBLE.search(text, start, last)
    for place in range(wanted, visible.start() if visible else start, -1):
        if text[place].isspace():
            return place
    space = _SPACE.search(text, wanted, last)
    if space:
        return space.end()
    while last > start + limit - 16 and unicodedata.combining(text[last]):
        last -= 1  # an accent stays with its letter
    return last
