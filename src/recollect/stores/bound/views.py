"""The views of a bound reader, for either database: one text, in which each spells its schema and its settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from recollect.domain.scopes import ANYWHERE, BOUND_BY, Scope

# Tables that are the same for everybody in a space: its own row, its limits, and digests of keys, in which the part of
# the space is contained. Nothing in them was said by anybody.
_SHARED = frozenset({"space", "quota", "verdict", "idempotency", "migration"})

_BLOCK = "-- name: "


def part_of(within: Scope) -> str:
    """The part that a reader is bound to, as one text; empty for all of a space."""
    if within == ANYWHERE:
        return ""
    import json

    return json.dumps([getattr(within, name) for name in BOUND_BY])


def settings_of(within: Scope) -> dict[str, str]:
    """The settings that the views ask for, by name; one that is not said is empty."""
    return {**{name: getattr(within, name) or "" for name in BOUND_BY}, "part": part_of(within)}


def views(tables: Iterable[str], *, main: str, settings: Mapping[str, str]) -> dict[str, str]:
    """The text of each view by its name. `settings` are expressions for what a reader is bound to, NULL for nothing."""
    rules = _rules()
    spelled = {f"{{{name}}}": said for name, said in settings.items()}
    spelled["{main}"] = main
    # Whoever is bound to nothing at all is no bound reader, and sees nothing.
    bound = f"{settings['part']} IS NOT NULL"
    within = " AND ".join(
        [bound, *(f"({settings[name]} IS NULL OR own.scope_{name} = {settings[name]})" for name in BOUND_BY)]
    )
    of_project = " AND ".join(
        [bound, f"{settings['user']} IS NULL", f"{settings['agent']} IS NULL", f"desk.project = {settings['project']}"]
    )
    found = {}
    for table in tables:
        if table in _SHARED:
            continue
        text = rules.get(table, f"SELECT * FROM {main}{table} WHERE 1 = 0")  # noqa: S608 - names of our own tables
        text = text.replace("{within}", f"({within})").replace("{of_project}", f"({of_project})")
        for mark, said in spelled.items():
            text = text.replace(mark, said)
        found[table] = text
    return found


def _rules() -> dict[str, str]:
    blocks = (Path(__file__).parent / "views.sql").read_text(encoding="utf-8").split(f"\n{_BLOCK}")[1:]
    texts = (block.split("\n", 2) for block in blocks)
    return {name: text.strip() for name, _, text in texts}
