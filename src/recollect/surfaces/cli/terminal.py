"""The terminal that output goes to: a person's screen or a pipe, its width, colours, and rows in columns.

Text that somebody else wrote must not be able to drive the screen. Every character that moves the cursor, turns the
writing direction or cannot be seen is shown as an escape, so that what is read is what is there.

Whatever comes into a cell is made inert here, so that no caller can forget it.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TextIO

from recollect.domain.dataclass import dataclass
from recollect.domain.late import Late

_NARROWEST = 40  # columns; below that, lines wrap and nothing is cut any further

# Control and format characters, line separators, halves of pairs, fillers without ink, invisible tags.
_UNSAFE = Late(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)

_INKS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where lines are shown. `width` is in columns, `None` where nothing needs to fit."""

    width: int | None = None
    colour: bool = False

    def paint(self, text: str, ink: str) -> str:
        return f"\x1b[{_INKS[ink]}m{text}\x1b[0m" if self.colour and text else text


def terminal_of(stream: TextIO, environment: Mapping[str, str] | None = None) -> Terminal:
    """The terminal behind a stream. `NO_COLOR`, `TERM=dumb` and `COLUMNS` are respected."""
    environment = os.environ if environment is None else environment
    if not is_screen(stream):
        return Terminal()
    plain = bool(environment.get("NO_COLOR")) or environment.get("TERM") == "dumb"
    return Terminal(width=max(_NARROWEST, _columns(stream, environment)), colour=not plain)


def is_screen(stream: TextIO | None) -> bool:
    """Whether a person sits there. A stream that was closed has nobody."""
    return stream is not None and not stream.closed and stream.isatty()


def has_windows() -> bool:
    """Whether a program with a window can be shown; on Linux that takes a display."""
    return not sys.platform.startswith("linux") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def is_interactive() -> bool:
    """Whether a question can be asked and answered."""
    return is_screen(sys.stdin) and is_screen(sys.stdout)


def wants_traces(environment: Mapping[str, str] | None = None) -> bool:
    """Whether whoever runs this wants to see where a bug happened."""
    environment = os.environ if environment is None else environment
    return environment.get("RECOLLECT_DEBUG", "") not in ("", "0")


def inert(text: str) -> str:
    """The text on one line, with everything that could drive a screen shown as an escape."""
    line = text.replace("\n", " ").replace("\t", " ")
    return line if line.isascii() and line.isprintable() else _UNSAFE.sub(_visible, line)


def inert_lines(text: str) -> list[str]:
    """The same for a text of several lines. Tabs become spaces."""
    return [_UNSAFE.sub(_visible, line) for line in text.expandtabs(4).split("\n")]


def json_text(value: Any, *, indent: int | None = None) -> str:
    """JSON that is safe to look at: readable, but what could drive a screen is escaped as JSON has it."""
    return _UNSAFE.sub(_json_escape, json.dumps(value, ensure_ascii=False, indent=indent))


def width_of(text: str) -> int:
    """How many columns a text takes: wide characters two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(_columns_of(character) for character in text)


def cut(text: str, width: int | None) -> str:
    """The text, or as much of it as fits and `…`."""
    if width is None or width_of(text) <= width:
        return text
    taken, room = [], width - 1
    for character in text:
        room -= _columns_of(character)
        if room < 0:
            break
        taken.append(character)
    return "".join(taken).rstrip() + "…"


def pad(text: str, width: int) -> str:
    """The text with spaces after it, up to a width."""
    return text + " " * max(0, width - width_of(text))


def wrap(text: str, width: int | None) -> Iterator[str]:
    """A text on as many lines as it needs, broken between words where that is possible."""
    if width is None or width_of(text) <= width:
        yield text
        return
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if width_of(joined) <= width:
            line = joined
            continue
        if line:
            yield line
        line = word
        while width_of(line) > width:
            head = _head(line, width)
            yield head
            line = line[len(head) :]
    if line:
        yield line


def flow(items: Sequence[str], width: int | None) -> Iterator[str]:
    """Items one after the other, two spaces between them, and a new line where the next one does not fit."""
    line = ""
    for item in items:
        joined = f"{line}  {item}" if line else item
        if line and width is not None and width_of(joined) > width:
            yield from wrap(line, width)
            joined = item
        line = joined
    if line:
        yield from wrap(line, width)


def count_of(count: int, thing: str) -> str:
    """So many of a thing: `1 file`, `1,200 files`."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def were(count: int, thing: str) -> str:
    """So many of a thing, of which something is told: `1 file was`, `1,200 files were`."""
    return f"{count_of(count, thing)} {'was' if count == 1 else 'were'}"


def _head(text: str, width: int) -> str:
    taken = 0
    for place, character in enumerate(text):
        taken += _columns_of(character)
        if taken > width:
            return text[: max(1, place)]
    return text


def _columns(stream: TextIO, environment: Mapping[str, str]) -> int:
    said = environment.get("COLUMNS", "")
    if said.isdecimal() and int(said) > 0:
        return int(said)
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80


def _columns_of(character: str) -> int:
    if character.isascii():
        return 1
    import unicodedata

    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _visible(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _json_escape(found: re.Match[str]) -> str:
    if found.group() == "\n":  # between the lines of an indented object; inside texts it is escaped already
        return "\n"
    return json.dumps(found.group())[1:-1]


_GAP = "  "
_LEAST = 8  # columns that the last column keeps on a narrow screen


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], terminal: Terminal) -> list[str]:
    """Lines of a table. Every column is as wide as its widest cell; the last one gets what is left and is cut.

    Columns of numbers stand to the right.
    """
    cells = [[inert(cell) for cell in row] for row in rows]
    widths = [max(width_of(row[place]) for row in (headings, *cells)) for place in range(len(headings) - 1)]
    room = None
    if terminal.width is not None:
        room = max(_LEAST, terminal.width - sum(widths) - len(_GAP) * len(widths))
    numbers = [all(_is_number(row[place]) for row in cells) for place in range(len(headings))]

    def line(row: Sequence[str]) -> str:
        aligned = [
            " " * (width - width_of(cell)) + cell if number else pad(cell, width)
            for cell, width, number in zip(row, widths, numbers, strict=False)
        ]
        return _GAP.join([*aligned, cut(row[-1], room)]).rstrip()

    return [terminal.paint(line(headings), "dim"), *(line(row) for row in cells)]


def facts(pairs: Iterable[tuple[str, str]], terminal: Terminal, *, indent: str = "") -> Iterator[str]:
    """One fact a line, the names lined up; facts without a value are left out, long ones go on below."""
    told = [(inert(name), inert(value)) for name, value in pairs if value]
    wide = max((width_of(name) for name, _ in told), default=0)
    margin = len(indent) + wide + len(_GAP)
    room = None if terminal.width is None else max(_LEAST, terminal.width - margin)
    for name, value in told:
        first, *more = wrap(value, room)
        yield f"{indent}{terminal.paint(pad(name, wide), 'dim')}{_GAP}{first}"
        yield from (" " * margin + line for line in more)


def _is_number(cell: str) -> bool:
    return cell.replace(",", "").isdecimal()


def secret_in_variable() -> str:
    """A secret that a person hands over in a variable, for one command."""
    return os.environ.get("RECOLLECT_NEW_KEY", "")
