"""Work for people: slots, and what is to be done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from recollect.domain.actions import Action
from recollect.domain.recollections import Page
from recollect.domain.slots import Slot
from recollect.surfaces.cli.cards import PINNED, day, instant
from recollect.surfaces.cli.tables import facts, table
from recollect.surfaces.cli.terminal import Terminal, inert, inert_lines, wrap

_NOTHING = {
    "actions.list": 'Nothing is to be done. Begin with: `recollect actions add "…"`.',
    "frontier": "Nothing can be started now.",
}


def told_of_work(verb: str, result: Any, terminal: Terminal) -> tuple[Iterable[str], Iterable[str]] | None:
    """The answer of a verb about work, as lines and asides; `None` for what is told elsewhere."""
    match result:
        case Slot() if verb == "slots.get":
            return slot_card(result, terminal), ()
        case Slot() if verb == "slots.delete":
            return [inert(f"The slot `{result.label}` is erased.")], ()
        case Slot():
            return [inert(f"The slot `{result.label}` holds {len(result.text):,} of {result.limit:,} characters.")], ()
        case Action():
            return [inert(f"Action {result.id} is {result.status.value}.")], ()
        case Page(items=(), next_cursor=None) if verb in _NOTHING:
            return (), [_NOTHING[verb]]
        case Page() if verb == "slots.list":
            return slot_table(result.items, terminal), [f"{PINNED} pinned: in everything an agent is told"]
        case Page() if verb in ("actions.list", "frontier"):
            return action_table(result.items, terminal), _more(result)
        case _:
            return None


def slot_table(slots: Sequence[Slot], terminal: Terminal) -> list[str]:
    """One slot a line, with how full it is."""
    rows = [
        [
            f"{slot.label}{f' {PINNED}' if slot.pinned else ''}",
            f"{len(slot.text):,}/{slot.limit:,}",
            slot.project or "all",
            slot.text or f"({slot.description or 'empty'})",
        ]
        for slot in slots
    ]
    return table(["slot", "filled", "project", "text"], rows, terminal)


def slot_card(slot: Slot, terminal: Terminal) -> Iterator[str]:
    """Everything about one slot."""
    for line in inert_lines(slot.text) if slot.text else ["(empty)"]:
        yield from wrap(line, terminal.width)
    yield ""
    told = [
        ("slot", slot.label),
        ("what for", slot.description),
        ("project", slot.project or "all"),
        ("filled", f"{len(slot.text):,} of {slot.limit:,} characters"),
        ("pinned", "yes" if slot.pinned else "no"),
        ("authority", slot.authority.value if slot.version else ""),
        ("written", instant(slot.updated_at)),
    ]
    yield from facts(told, terminal, indent="  ")


def action_table(actions: Sequence[Action], terminal: Terminal) -> list[str]:
    """One action a line."""
    rows = [
        [
            action.id,
            action.status.value,
            f"{action.priority}",
            day(action.created_at),
            f"{action.text}{f' (waits for {len(action.depends_on)})' if action.depends_on else ''}",
        ]
        for action in actions
    ]
    return table(["id", "status", "priority", "since", "what"], rows, terminal)


def _more(page: Page[Any]) -> Iterator[str]:
    if page.next_cursor:
        yield f"There are more: `--cursor {page.next_cursor}`"
