"""Markdown becomes sections by heading, with front matter first.

Only what decides where to cut is understood: headings, fences, front matter. The words stay as they were written.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from recollect.domain.dataclass import dataclass
from recollect.remember.files.chunks import MAX, Chunk, DocumentSection, Span, chunked, one_line, paragraphs

MAX_HEADINGS = 20_000  # more than this is no outline; the text is then packed without one
_MAX_FIELDS = 32  # of front matter that are read; all of it is still in the text
_MAX_VALUE = 200  # characters of a field's value

_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_CANDIDATE = re.compile(r"^[ \t]{0,12}(?:#|```|~~~|==|--)", re.MULTILINE)
_FENCE = re.compile(r"[ \t]{0,12}(`{3,}|~{3,})")
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(={2,}|-{2,})[ \t]*")
_NOT_A_TITLE = re.compile(r"[ \t]{4}|[ ]{0,3}(?:[#>|`~]|[-*+][ \t]|\d{1,9}[.)][ \t])")
_LINK = re.compile(r"!?\[([^\[\]]{0,200})\]\([^()\s]{0,500}\)")
_ANCHOR = re.compile(r"\{#[^{}\s]{0,100}\}$")
_FIELD = re.compile(r"([A-Za-z_][\w.-]{0,60})[ \t]*:(?:[ \t]+(.*))?")


def read_markdown(text: str) -> tuple[Chunk, ...]:
    """The chunks of a markdown text. Those of one section have its heading in the first of them."""
    body = _front_matter_end(text)
    fields = front_matter_fields(text[:body])
    headings, fences = _structure(text, body)
    title = fields.get("title")
    base = (title,) if isinstance(title, str) and all(heading.level > 1 for heading in headings) else ()
    sections = [DocumentSection(base, [(0, body)])]
    starts = [start for start, _ in fences]
    for title_path, (start, end) in _stretches(text, headings, body):
        inside = fences[bisect_left(starts, start) : bisect_left(starts, end)]
        sections.extend(_sections(text, (*base, *title_path), (start, end), inside))
    return chunked(text, sections)


def front_matter_fields(matter: str) -> dict[str, str | list[str]]:
    """`key: value` and `key:` with a list of `- value` below it. Anything deeper stays in the text."""
    fields: dict[str, str | list[str]] = {}
    listed: str | None = None
    for line in matter.split("\n"):
        found = _FIELD.fullmatch(line)
        if found:
            key, value = found[1], (found[2] or "").strip()
            listed = None if value else key
            if value and len(fields) < _MAX_FIELDS:
                fields[key] = _value(value)
        elif listed and line.lstrip().startswith("- ") and (listed in fields or len(fields) < _MAX_FIELDS):
            values = fields.setdefault(listed, [])
            if isinstance(values, list) and len(values) < _MAX_FIELDS:
                values.append(_unquoted(line.lstrip()[2:]))
    return fields


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading line or two, from `start` to `body`."""

    level: int
    title: str
    start: int
    body: int


def _front_matter_end(text: str) -> int:
    """Where the front matter ends; 0 if there is none."""
    closing = _CLOSING.search(text, 4) if text.startswith("---\n") else None
    return closing.end() if closing and front_matter_fields(text[: closing.end()]) else 0


def _structure(text: str, start: int) -> tuple[list[_Heading], list[Span]]:
    """Headings, and fences from their opening line to the end of their closing one.

    What looks like a heading inside a fence is none; an open fence goes on to the end.
    """
    headings: list[_Heading] = []
    fences: list[Span] = []
    opened: tuple[int, str] | None = None
    settled = start  # what stands before this belongs to a heading or a fence already
    for candidate in _CANDIDATE.finditer(text, start):
        place = candidate.start()
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        fence = _FENCE.match(text, place, end)
        if opened:
            if fence and fence[1].startswith(opened[1]) and not text[fence.end(1) : end].strip():
                fences.append((opened[0], end))
                opened, settled = None, end
        elif fence and not (fence[1][0] == "`" and "`" in text[fence.end(1) : end]):
            opened = (place, fence[1])
        elif len(headings) <= MAX_HEADINGS:
            heading = _heading(text, place, end, settled)
            if heading:
                headings.append(heading)
                settled = end
    if opened:
        fences.append((opened[0], len(text)))
    return headings if len(headings) <= MAX_HEADINGS else [], fences


def _heading(text: str, place: int, end: int, settled: int) -> _Heading | None:
    """The heading on the line from `place` to `end`, or on the one above if this line underlines it."""
    marks = _ATX.match(text, place, end)
    if marks:
        return _Heading(len(marks[1]), _plain(text[marks.end(1) : end]), place, end)
    underline = _UNDERLINE.fullmatch(text, place, end)
    above = text.rfind("\n", settled, max(place - 1, settled)) + 1 or settled
    title = text[above : max(place - 1, above)]
    if not underline or not title.strip() or _NOT_A_TITLE.match(title):
        return None
    before = text.rfind("\n", settled, max(above - 1, settled)) + 1 or settled
    if text[before : max(above - 1, before)].strip():
        return None  # the last line of a paragraph, above a rule
    return _Heading(1 if "=" in underline[1] else 2, _plain(title), above, end)


def _stretches(text: str, headings: list[_Heading], start: int) -> Iterator[tuple[tuple[str, ...], Span]]:
    """Title path and span of each section. A heading with nothing below it goes with the deeper one that follows."""
    starts = [heading.start for heading in headings] + [len(text)]
    yield (), (start, starts[0])
    path: list[_Heading] = []
    held: int | None = None
    for number, heading in enumerate(headings):
        while path and path[-1].level >= heading.level:
            path.pop()
        path.append(heading)
        begin, end = heading.start if held is None else held, starts[number + 1]
        empty = not text[heading.body : end].strip()
        if empty and number + 1 < len(headings) and headings[number + 1].level > heading.level:
            held = begin
            continue
        held = None
        yield tuple(step.title for step in path), (begin, end)


def _sections(text: str, title_path: tuple[str, ...], span: Span, fences: Iterable[Span]) -> Iterator[DocumentSection]:
    """The paragraphs and fences of one section; a fence too long for one chunk is a section of its own."""
    blocks: list[Span] = []
    place = span[0]
    for start, end in fences:
        blocks.extend(paragraphs(text, (place, start)))
        place = end
        if end - start <= MAX:
            blocks.append((start, end))
            continue
        yield DocumentSection(title_path, blocks)
        yield DocumentSection(title_path, paragraphs(text, (start, end)))
        blocks = []
    blocks.extend(paragraphs(text, (place, span[1])))
    yield DocumentSection(title_path, blocks)


def _plain(title: str) -> str:
    """A heading without its marks."""
    title = title.strip()[:1_000]
    bare = title.rstrip("#")
    if bare != title and (not bare or bare[-1] in " \t"):
        title = bare
    title = _LINK.sub(r"\1", _ANCHOR.sub("", title.strip()))
    return one_line(title.replace("`", "").replace("**", ""))


def _value(value: str) -> str | list[str]:
    if value.startswith("[") and value.endswith("]"):
        return [_unquoted(part) for part in value[1:-1].split(",") if part.strip()][:_MAX_FIELDS]
    return _unquoted(value)


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        value = value[1:-1]
    return value[:_MAX_VALUE]
