"""Exports of MemPalace and LangMem, written into a folder as these systems write them."""

from __future__ import annotations

import json
from pathlib import Path


def mempalace(folder: Path, *, pages: bool = False) -> Path:
    """An export of MemPalace: a folder of a wing with its rooms, as lines of JSON or as pages."""
    wing = folder / "palace" / "shop"
    wing.mkdir(parents=True)
    if pages:
        (wing.parent / "index.md").write_text("# Palace Export — 2026-05-01\n\n| Wing | Rooms | Drawers |\n")
        table = "| Field | Value |\n|-------|-------|\n| Source | {} |\n| Filed | {} |\n| Added by | unknown |\n"
        (wing / "pricing.md").write_text(
            "# shop / pricing\n\n"
            "## drawer_shop_pricing_1\n\n> Prices are cached for an hour.\n> ## A heading of its own\n\n"
            + table.format("notes/prices.md", "2025-04-02T10:00:00")
            + "\n---\n\n## drawer_shop_pricing_2\n\n> \n\n"
            + table.format("unknown", "unknown")
        )
        return wing.parent
    about = {"wing": "shop", "room": "pricing", "source_file": "notes/prices.md", "filed_at": "2025-04-02T10:00:00"}
    drawer = {"id": "drawer_shop_pricing_1", "document": "Prices are cached for an hour.", "metadata": about}
    (wing / "pricing.jsonl").write_text(json.dumps(drawer) + "\n{not json\n" + json.dumps({"id": "x"}) + "\n")
    return wing.parent


def langmem(folder: Path) -> Path:
    """Items of LangGraph's store, as LangMem's tools and managers put them there."""
    path = folder / "langmem.json"
    times = {"created_at": "2025-02-01T00:00:00+00:00", "updated_at": "2025-02-03T00:00:00+00:00"}
    triple = {"subject": "Ana", "predicate": "works at", "object": "Globex", "context": None}
    items = [
        {"namespace": ["memories", "ana"], "key": "1", "value": {"content": "Ana prefers dark mode"}, **times},
        {
            "namespace": ["team"],
            "key": "2",
            "value": {"kind": "Memory", "content": {"content": "Ship on Friday"}},
            **times,
        },
        {"prefix": "team.facts", "key": "3", "value": {"kind": "Triple", "content": triple}, **times},
        {"namespace": ["team"], "key": "4", "value": {}},
    ]
    path.write_text(json.dumps({"items": items}))
    return path
