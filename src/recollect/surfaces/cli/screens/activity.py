"""The days of a space, and of a note, for people: bars for each figure, and below them the days in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recollect.domain.answers.daily_activity import ActivityDay, DailyActivity, NoteUsage
from recollect.surfaces.cli.terminal import Terminal, inert, table

_BARS = "▁▂▃▄▅▆▇█"
_FIGURES = ("learned", "superseded", "forgotten", "searches", "recalls", "tokens")
_NAME = max(map(len, _FIGURES))
_ROOM_FOR_ALL = 80  # columns; with fewer, the mean of the times is told, or none
_LISTED = 14  # days in numbers on a screen; a pipe and `--json` have all of them


def activity_page(found: DailyActivity, terminal: Terminal) -> Iterator[str]:
    """The bars of each figure, of the days that have room, and the newest days in numbers."""
    if not found.days:
        return
    bars_room = len(found.days) if terminal.width is None else terminal.width - _NAME - 12
    figures = _FIGURES if any(each.tokens for each in found.days) else _FIGURES[:-1]
    for name in figures:
        counts = [getattr(each, name) for each in found.days]
        if any(counts):
            yield f"{name.ljust(_NAME)}  {bars(counts[-bars_room:])}  {sum(counts):,}"
    yield ""
    listed = found.days if terminal.width is None else found.days[-_LISTED:]
    wide = terminal.width is None or terminal.width >= _ROOM_FOR_ALL
    rows = [["day", *figures, "mean ms", "max ms"], *(_row(each, figures) for each in listed)]
    room = (
        len(rows[0]) if wide else len(_FIGURES) + 1
    )  # where models are paid for, times are what a narrow screen lacks
    headings, *days = (row[:room] for row in rows)
    yield from table(headings, days, terminal)


def usage_page(found: NoteUsage, terminal: Terminal) -> Iterator[str]:
    """The sums of a note, and its newest days by whoever was told."""
    if not found.lines:
        return
    yield f"Recalled: {found.recalled:,}, found: {found.found:,}, since {found.since}."
    yield ""
    listed = found.lines if terminal.width is None else found.lines[:_LISTED]
    rows = [[each.day, f"{each.recalled:,}", f"{each.found:,}", inert(each.actor)] for each in listed]
    yield from table(["day", "recalled", "found", "by"], rows, terminal)


def usage_asides(found: NoteUsage) -> list[str]:
    """Whether there is nothing, and whether anything was not counted."""
    nothing = [] if found.lines else [f"It was not told to anybody since {found.since}."]
    dropped = f"{found.dropped:,} uses of notes could not be counted: too many waited to be written down."
    return [*nothing, *([dropped] if found.dropped else [])]


def bars(counts: Sequence[int]) -> str:
    """A bar for each count; a day with nothing has none, and any other one that can be seen."""
    most = max(counts, default=0)
    return "".join(_BARS[(len(_BARS) - 1) * each // most] if each else " " for each in counts)


def _row(each: ActivityDay, figures: Sequence[str]) -> list[str]:
    asked = each.searches or each.recalls
    times = [f"{each.mean_ms:,.1f}", f"{each.max_ms:,.1f}"] if asked else ["", ""]
    return [each.day, *(f"{getattr(each, name):,}" for name in figures), *times]
