"""Rows in columns that line up, and facts with their names before them.

Whatever comes into a cell is made inert here, so that no caller can forget it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from recollect.surfaces.cli.terminal import Terminal, cut, inert, pad, width_of, wrap

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
