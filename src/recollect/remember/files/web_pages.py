"""HTML becomes its text, under its headings.

The tokens are found by our own scanner, because the standard library's takes time with the square of the size on
broken markup (28 seconds for 48 KB of `<a `, measured on Python 3.11). This one passes over the page once, whatever
is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Literal, TypeAlias

from recollect.domain.dataclass import dataclass, field
from recollect.remember.files.chunks import Chunk, DocumentSection, Redact, Span, chunked, one_line
from recollect.remember.files.markdown import MAX_HEADINGS
from recollect.remember.files.opened_file import cleaned

_UNSEEN = frozenset({"script", "style", "template", "noscript", "svg", "iframe", "object", "canvas", "private"})
_TO_THE_END = frozenset({"script", "style", "private"})  # never closed, they go on to the end
_TIGHT = frozenset({"li", "tr", "dt", "dd", "option"})  # one line each, without blank lines between them
_BLOCK = _TIGHT | frozenset(
    "address article aside blockquote body details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6"
    " header hr html main nav ol p pre section summary table tbody thead title ul".split()
)
_LEVELS = {f"h{level}": level for level in range(1, 7)}
_LASTING = frozenset({*_LEVELS, "li", "title"})  # a paragraph that opens inside them does not change what they are

_MARKUP = re.compile(r"<(?:(!--)|[!?]|(/?)([A-Za-z][A-Za-z0-9:-]{0,40})(?=[\s/>]))")
_VALUE_OR_END = re.compile(r"=\s{0,8}([\"'])|>")
_SPACES = re.compile(r"\s+")
_CLOSING = {name: re.compile(f"</{name}(?=[\\s/>])", re.IGNORECASE) for name in _UNSEEN}
_ENDLESS_REFERENCE = re.compile(r"&#[xX]?[0-9a-fA-F]{8,};?")  # no character, and too long for `int`

Token: TypeAlias = tuple[Literal["text", "open", "close"], str]


def read_html(text: str, redact: Redact) -> tuple[Chunk, ...]:
    """The chunks of a page. `redact` is given each block as it is shown, without markup."""
    page = _Page(redact)
    for kind, value in tokens(text):
        match kind:
            case "text":
                page.write(value)
            case "open":
                page.open(value)
            case "close":
                page.close(value)
    page.end_block()
    return page.chunks()


def tokens(text: str) -> Iterator[Token]:
    """Text, opening and closing tags. Scripts, styles and comments are passed over."""
    place = 0
    never_closed: set[str] = set()
    while place < len(text):
        mark = _MARKUP.search(text, place)
        end = mark.start() if mark else len(text)
        if place < end:
            yield "text", text[place:end]
        if not mark:
            return
        comment, closing, name = mark.groups()
        if not name:
            place = _after(text, "-->" if comment else ">", mark.end())
            continue
        name = name.lower()
        place = _tag_end(text, mark.end(), never_closed)
        if closing:
            yield "close", name
        elif name in _UNSEEN:
            place = _closing_tag(text, name, place, never_closed)
        else:
            yield "open", name


@dataclass(slots=True)
class _Page:
    """The page as read so far: blocks of text, where each is in the text, and the headings."""

    redact: Redact
    text: list[str] = field(default_factory=list)
    length: int = 0
    spans: list[Span] = field(default_factory=list)
    headings: list[tuple[int, int, str]] = field(default_factory=list)  # number of its block, level, title
    title: str = ""
    block: list[str] = field(default_factory=list)
    is_visible: bool = False  # whether there is a visible character in the block
    block_tag: str = ""
    after_tight: bool = False
    preformatted: int = 0

    def write(self, text: str) -> None:
        if "&" in text:
            text = cleaned(unescape(_ENDLESS_REFERENCE.sub(" ", text)))
        self.is_visible = self.is_visible or bool(text.strip())
        self.block.append(text if self.preformatted else _SPACES.sub(" ", text))

    def open(self, tag: str) -> None:
        if tag in _BLOCK:
            self.end_block()
            if tag in _LEVELS or tag in _TIGHT or self.block_tag not in _LASTING:
                self.block_tag = tag
        if tag == "pre":
            self.preformatted += 1
        elif tag == "br":
            self.block.append("\n")
        elif tag in ("td", "th") and self.is_visible:
            self.block.append(" | ")

    def close(self, tag: str) -> None:
        if tag in _BLOCK:
            self.end_block()
            self.block_tag = ""
        if tag == "pre":
            self.preformatted = max(0, self.preformatted - 1)

    def end_block(self) -> None:
        """Add the block to the text, or if it is the page's title, remember it. An empty one leaves no trace."""
        shown, is_visible = "".join(self.block), self.is_visible
        self.block, self.is_visible = [], False
        if not is_visible:
            return
        tag, self.block_tag = self.block_tag, ""
        if self.preformatted:
            shown = shown.strip("\n")
        else:
            shown = "\n".join(_SPACES.sub(" ", row).strip() for row in shown.split("\n")).strip()
        shown = self.redact(shown)
        if not shown.strip():
            return
        if tag == "title":
            self.title = self.title or one_line(shown)
            return
        tight = tag in _TIGHT
        if self.spans:
            self.append("\n" if tight and self.after_tight else "\n\n")
        if tag in _LEVELS:
            self.headings.append((len(self.spans), _LEVELS[tag], one_line(shown)))
        start = self.length
        self.append(f"- {shown}" if tag == "li" else shown)
        self.spans.append((start, self.length))
        self.after_tight = tight

    def append(self, text: str) -> None:
        self.text.append(text)
        self.length += len(text)

    def chunks(self) -> tuple[Chunk, ...]:
        if not self.spans:
            return chunked(self.title, [DocumentSection((self.title,), [(0, len(self.title))])])
        return chunked("".join(self.text), self.sections())

    def sections(self) -> Iterator[DocumentSection]:
        """Blocks by heading. A heading with nothing below it goes with the deeper one that follows."""
        headings = self.headings if len(self.headings) <= MAX_HEADINGS else []
        main = next((title for _, level, title in headings if level == 1), None)
        base = (self.title,) if self.title and self.title != main else ()
        path: list[tuple[int, str]] = []
        begin, last = 0, -1
        for number, level, title in [*headings, (len(self.spans), 0, "")]:
            alone = last + 1 == number and path and path[-1][0] < level
            if begin < number and not alone:
                yield DocumentSection((*base, *(step for _, step in path)), self.spans[begin:number])
                begin = number
            last = number
            while path and path[-1][0] >= level:
                path.pop()
            path.append((level, title))


def _after(text: str, mark: str, place: int) -> int:
    found = text.find(mark, place)
    return len(text) if found < 0 else found + len(mark)


def _tag_end(text: str, place: int, never_closed: set[str]) -> int:
    """After the `>` that ends a tag. One inside quotes does not count, unless the quotes are never closed."""
    begin = place
    while found := _VALUE_OR_END.search(text, place):
        quote = found[1]
        if not quote:
            return found.end()
        closing = -1 if quote in never_closed else text.find(quote, found.end())
        if closing < 0:
            never_closed.add(quote)
            return _after(text, ">", begin)
        place = closing + 1
    return len(text)


def _closing_tag(text: str, name: str, place: int, never_closed: set[str]) -> int:
    """After the closing tag of something not shown; without one, here, or for some at the end."""
    found = None if name in never_closed else _CLOSING[name].search(text, place)
    if found:
        return _after(text, ">", found.end())
    never_closed.add(name)
    return len(text) if name in _TO_THE_END else place
