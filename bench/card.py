"""The benchmark card: the same figures as a table for people and as JSON for programs.

A row is a mapping whose first entry names what was measured. The other keys carry their unit at the end, so
that a figure cannot be read without it: `p50_ms`, `per_second`, `size_mb`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias

from recollect.domain.dataclass import dataclass, field

Row: TypeAlias = dict[str, str | float | None]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one kind. `skipped` says why there are none."""

    title: str
    rows: Sequence[Row]
    skipped: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """Everything one run measured, and on what.

    `absent` says which sets were not there, and how they are called; `failed` which could not be played to their end.
    """

    recollect: str
    date: str
    command: str
    machine: Mapping[str, str | float]
    tables: Sequence[Table]
    embedding: str = ""
    sets: Mapping[str, Any] = field(default_factory=dict)
    absent: Mapping[str, str] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)


def ratio(what: str, of: Row, to: Row, column: str) -> Row:
    """How many times a figure is another one of the same run."""
    return {"ratio": what, "times": float(of[column] or 0) / float(to[column] or 1)}


def gathered(tables: Iterable[Table]) -> list[Table]:
    """Tables of one title as one, at the place of the last: each benchmark adds its ratios."""
    found: dict[str, Table] = {}
    for table in tables:
        earlier = found.pop(table.title, Table(table.title, ()))
        found[table.title] = Table(table.title, [*earlier.rows, *table.rows], earlier.skipped or table.skipped)
    return list(found.values())


def as_json(card: Card) -> str:
    return json.dumps(asdict(card), indent=2, ensure_ascii=False) + "\n"


def as_text(card: Card) -> str:
    facts = ", ".join(f"{name} {value}" for name, value in card.machine.items())
    head = f"Recollect {card.recollect} · {card.date}\n{card.command}\n{facts}\n"
    model = f"embedding: {card.embedding}\n" if card.embedding else ""
    missing = "".join(f"\n{name}: absent. {why}\n" for name, why in card.absent.items())
    missing += "".join(f"\n{name}: failed. {why}\n" for name, why in card.failed.items())
    return head + model + "".join(f"\n{_table(table)}" for table in card.tables) + missing


def _table(table: Table) -> str:
    if not table.rows:
        return f"{table.title}: skipped. {table.skipped}\n"
    columns = list(dict.fromkeys(name for row in table.rows for name in row))
    cells = [[_heading(name) for name in columns]]
    cells += [[_shown(name, row.get(name)) for name in columns] for row in table.rows]
    widths = [max(len(line[place]) for line in cells) for place in range(len(columns))]
    lines = [
        "  ".join(
            [line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))]
        )
        for line in cells
    ]
    return "\n".join([lines[0], "─" * len(lines[0]), *lines[1:]]) + "\n"


def _heading(name: str) -> str:
    return name.replace("_", " ")


def _shown(name: str, value: str | float | None) -> str:
    """Three digits that mean something; whole things are counted, not rounded."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    if name.startswith("hit_"):
        return f"{value:.1%}"
    if name.startswith(("mrr", "ndcg")):
        return f"{value:.3f}"
    if name.endswith("_%"):
        return f"{value:.1f}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
