"""The same questions to a memory of any release, by public verbs only; the answers as plain JSON.

Ids are the memory's own and the same in every copy of it, so that answers can be compared whole.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from recollect import Memory

SPACE = "alice"
QUESTIONS = {
    "Where do I live?": {},
    "Where did I live in April 2026?": {},
    "Where do I live? ": {"as_of": "2026-02-01"},
    "Who is my sister?": {},
    "What am I allergic to?": {},
    "How do we release?": {},
    "What is the staging server called?": {},
    "What did the plumber say about the boiler?": {},
    "What should I remember about migrations?": {},
}


def answers(memory: Memory) -> dict[str, Any]:
    """What a memory knows, verb by verb."""
    listed = memory.list(limit=100, space=SPACE).items
    closed = memory.list(limit=100, state="superseded", space=SPACE).items
    sessions = memory.sessions(limit=50, space=SPACE).items
    return {
        "first answers": {f"{query} {how}": _first(memory, query, how) for query, how in QUESTIONS.items()},
        "notes": {note.id: [note.version, note.text, note.state.value, str(note.valid_from)] for note in listed},
        "superseded": {note.id: [note.version, note.text, str(note.valid_until)] for note in closed},
        "history": [
            step.note.value for step in memory.history(subject="user", attribute="location", space=SPACE).steps
        ],
        "profile": [[each.attribute, list(each.values)] for each in memory.profile(space=SPACE).fields],
        "lessons": [[each.note.text, each.confidence] for each in memory.lessons(space=SPACE).items],
        "actions": [[each.id, each.text, each.status.value] for each in memory.actions(space=SPACE).items],
        "slots": [[each.label, each.text, each.pinned] for each in memory.slots(space=SPACE).items],
        "sessions": [each.id for each in sessions],
        "messages": {each.id: _said(memory, each.id) for each in sessions},
        "revisions": [each.id for each in memory.log(space=SPACE)],
        "healthy": memory.doctor().healthy,
    }


def files(folder: Path) -> dict[str, str]:
    """The notes of a vault as text, by path."""
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in sorted(folder.rglob("*.md"))}


def _first(memory: Memory, query: str, how: dict[str, str]) -> str:
    hits = memory.search(query, limit=5, space=SPACE, **how).hits  # type: ignore[arg-type]
    return hits[0].text if hits else ""


def _said(memory: Memory, session: str) -> list[str]:
    return [beat.observation.text for beat in memory.replay(session, space=SPACE).beats]
