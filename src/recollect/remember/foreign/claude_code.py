"""Claude Code's own memory: one markdown file for each thing it remembers, one transcript for each session.

How a transcript reads is known to whoever listens to that program; here it comes in as a function.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from recollect.remember.files.markdown import front_matter_fields
from recollect.remember.foreign.findings import (
    FoundMemory,
    FoundNote,
    FoundSession,
    Unread,
    named_files,
    one_line,
    text_of,
)

# The sessions in a transcript, and how many of its lines could not be read.
SessionsIn: TypeAlias = Callable[[str], tuple[tuple[FoundSession, ...], int]]

_INDEX = "MEMORY.md"
_FRONT = re.compile(r"\A---\r?\n(.*?)\r?\n---\r?\n?", re.DOTALL)
_TYPE = re.compile(r"^[ \t]++type:[ \t]*+(\w+)", re.MULTILINE)
_KINDS = {"feedback": "procedural", "user": "semantic", "project": "semantic", "reference": "semantic"}


def read_claude_code(place: Path, sessions_in: SessionsIn) -> FoundMemory:
    """Everything below the settings folder of Claude Code, below one project's folder in it, or in one transcript."""
    found = FoundMemory()
    if place.is_file():
        return _transcript(place, place.parent, sessions_in)
    root = place / "projects" if (place / "projects").is_dir() else place
    folders = sorted({path.parent for path in (*root.glob("**/*.jsonl"), *root.glob("**/memory")) if path.exists()})
    for folder in folders:
        project: str | None = None
        if folder.name == "subagents":
            continue  # what they reported stands in the session that sent them
        for path in named_files(folder, "*.jsonl"):
            one = _transcript(path, root, sessions_in)
            project = next((each.project for each in one.sessions if each.project), project)
            found += one
        for path in named_files(folder / "memory", "*.md"):
            if path.name != _INDEX:
                found += _memory(path, root, project)
    return found


def _memory(path: Path, root: Path, project: str | None) -> FoundMemory:
    text = text_of(path, root)
    if isinstance(text, Unread):
        return FoundMemory(unread=(text,))
    front = _FRONT.match(text)
    fields = front_matter_fields(front.group(1)) if front else {}
    body = text[front.end() :].strip() if front else text.strip()
    kind = _TYPE.search(front.group(1)) if front else None
    sort = kind.group(1) if kind else ""
    described = fields.get("description")
    note = FoundNote(
        text=body or (described if isinstance(described, str) else ""),
        key=path.name,
        kind=_KINDS.get(sort, "semantic"),
        title=one_line(described) if isinstance(described, str) else None,
        tags=(sort,) if sort else (),
        project=None if sort == "user" else project,
        agent="claude-code",
    )
    return FoundMemory((note,))


def _transcript(path: Path, root: Path, sessions_in: SessionsIn) -> FoundMemory:
    text = text_of(path, root)
    if isinstance(text, Unread):
        return FoundMemory(unread=(text,))
    sessions, broken = sessions_in(text)
    lines = "1 line is" if broken == 1 else f"{broken} lines are"
    unread = (Unread(str(path), f"{lines} not JSON; the others were read."),) if broken else ()
    return FoundMemory(sessions=sessions, unread=unread)
