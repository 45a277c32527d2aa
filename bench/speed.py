"""The speed part of the card: writing, searching, listing and starting, on notes that were never anyone's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from bench import adding, cold_start, search, writes
from bench.card import Row, Table, gathered
from bench.places import Places

FULL_SIZES, QUICK_SIZES, MILLION = (1_000, 10_000, 100_000), (1_000, 10_000), 1_000_000
_OF_A_STORE = ("bytes_per_note", "times_its_text", "first_search_ms", "first_search_cpu_ms", "resident_mb")
_OF_A_SEARCH = ("p50_ms", "p95_ms", "cpu_p50_ms", "cpu_p95_ms")
_FULL_ADDS, _QUICK_ADDS = 400, 100


def run(places: Places, *, sizes: Sequence[int], quick: bool, seed: int, embedding: str) -> list[Table]:
    tables = writes.run(places, effort=writes.QUICK if quick else writes.FULL, seed=seed)
    tables += adding.run(places, count=_QUICK_ADDS if quick else _FULL_ADDS, seed=seed, embedding=embedding)
    effort = search.QUICK if quick else search.FULL
    tables += search.run(places, sizes=sizes, effort=effort, seed=seed, embedding=embedding)
    tables += cold_start.run(places, starts=cold_start.QUICK if quick else cold_start.FULL, seed=seed)
    return gathered(tables)


def figures(tables: Sequence[Table], *, embedding: str) -> dict[str, Any]:
    """The figures that have a target, by size, for programs. Everything else is in the tables."""
    rows = {table.title: table.rows for table in tables}
    by_way = {search.POINTED: "words_only", search.WITH_MODEL: "with_model", search.VECTOR_KNOWN: "vector_known"}
    sizes: dict[str, dict[str, Any]] = {}
    for row in rows.get("store", ()):
        sizes[str(row["store_of_notes"])] = {name: row[name] for name in _OF_A_STORE}
    for row in rows.get("search", ()):
        if row["search"] in by_way:
            of_size = sizes[str(row["notes"])].setdefault("search", {})
            of_size[by_way[str(row["search"])]] = {name: row[name] for name in _OF_A_SEARCH}
    return {
        "sizes": sizes,
        "growth": _growth(sizes),
        "vectors": "made up, of the real length" if embedding != "off" else "none",
        "per_second": {str(row["adding"]): _rate(row) for row in rows.get("adding", ())},
    }


def _growth(sizes: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    """How many times as long a search with the model takes in a larger store, in processor time, by both sizes."""
    asked = {
        size: each["search"]["with_model"] for size, each in sizes.items() if "with_model" in each.get("search", {})
    }
    return {
        f"{smaller} to {larger}": round(asked[larger]["cpu_p50_ms"] / asked[smaller]["cpu_p50_ms"], 2)
        for smaller, larger in pairwise(asked)
    }


def _rate(row: Row) -> float:
    return round(float(row["per_second"] or 0), 1)
