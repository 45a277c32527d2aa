"""The quality part of the card as a picture: one SVG file that needs nothing beside it.

A panel for each score, a group of bars for each set, a bar for each way of answering, and on it where the figure lies
with 95 % certainty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from bench.card import Card
from bench.retelling import OURS, TOGETHER

PANELS = {"recall@10": "Recall at 10", "ndcg@10": "nDCG at 10"}

_COLOURS = {OURS: "#1f6f54", f"{OURS}, all in one": "#7fb8a2", "rrf60": "#9aa3ad", "bm25": "#c9ced4"}
_BAR, _GAP, _HEAD, _NAMES, _WIDE, _MARGIN = 16, 18, 64, 120, 360, 24


def as_svg(card: Card) -> str:
    """The picture; without a set that was retold it says so."""
    sets = {name: ways for name, figure in card.sets.items() if (ways := _ways(figure))}
    heights = {name: len(ways) * _BAR + _GAP for name, ways in sets.items()}
    height = _HEAD + sum(heights.values()) + 64
    width = _NAMES + len(PANELS) * (_WIDE + _MARGIN)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="system-ui, sans-serif" font-size="12" fill="#1d2329">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{_MARGIN}" y="24" font-size="15" font-weight="600">{escape(_title(card))}</text>',
        *([] if sets else [f'<text x="{_MARGIN}" y="48">No set was played.</text>']),
    ]
    for number, (score, title) in enumerate(PANELS.items()):
        left = _NAMES + number * (_WIDE + _MARGIN)
        lines += _panel(score, title, sets, heights, left) if sets else []
    lines += _legend(height - 24, {way for ways in sets.values() for way in ways})
    return "\n".join([*lines, "</svg>"]) + "\n"


def _title(card: Card) -> str:
    return f"Recollect {card.recollect}, {card.date[:10]}: the right evidence among the first ten"


def _ways(figure: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Who answered a set, ours first; nothing for a set of another kind."""
    if not all(score in figure for score in PANELS):
        return {}
    as_one = {f"{OURS}, all in one": figure[TOGETHER]} if TOGETHER in figure else {}
    return {OURS: figure, **as_one, **dict(reversed(figure["baselines"].items()))}


def _panel(
    score: str,
    title: str,
    sets: Mapping[str, Mapping[str, Mapping[str, Any]]],
    heights: Mapping[str, int],
    left: int,
) -> Iterator[str]:
    bottom = _HEAD + sum(heights.values())
    yield f'<text x="{left}" y="{_HEAD - 14}" font-weight="600">{escape(title)}</text>'
    for tick in (0, 0.25, 0.5, 0.75, 1):
        x = left + tick * (_WIDE - 40)
        yield f'<line x1="{x}" x2="{x}" y1="{_HEAD - 6}" y2="{bottom}" stroke="#e3e7eb"/>'
        yield f'<text x="{x}" y="{bottom + 14}" text-anchor="middle" fill="#5c6670">{tick:g}</text>'
    top = _HEAD
    for name, ways in sets.items():
        if left == _NAMES:
            middle = top + (heights[name] - _GAP) / 2 + 4
            yield f'<text x="{_NAMES - 10}" y="{middle}" text-anchor="end">{escape(name)}</text>'
        for place, (way, figure) in enumerate(ways.items()):
            yield from _bar(figure[score], figure["intervals"][score], _COLOURS[way], left, top + place * _BAR)
        top += heights[name]


def _bar(value: float, interval: tuple[float, float], colour: str, left: int, top: int) -> Iterator[str]:
    low, high = (left + each * (_WIDE - 40) for each in interval)
    middle = top + _BAR / 2 - 1
    yield f'<rect x="{left}" y="{top}" width="{value * (_WIDE - 40):.1f}" height="{_BAR - 3}" fill="{colour}"/>'
    yield f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{middle}" y2="{middle}" stroke="#1d2329"/>'
    yield f'<text x="{max(high, left) + 5:.1f}" y="{middle + 4}" font-size="10">{value:.3f}</text>'


def _legend(y: int, shown: set[str]) -> Iterator[str]:
    x = _MARGIN
    for way, colour in _COLOURS.items():
        if way in shown:
            yield f'<rect x="{x}" y="{y - 10}" width="12" height="12" fill="{colour}"/>'
            yield f'<text x="{x + 18}" y="{y}">{escape(way)}</text>'
            x += 40 + 7 * len(way)
