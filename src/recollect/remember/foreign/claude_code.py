"""What Claude Code keeps itself: one markdown file for each thing it remembers, one transcript for each session.

Transcripts are an internal format that changes; what is not known is passed over. Kept are the person's prompts, what
the model said, and what tools did. What was put into a prompt by programs, ourselves among them, is not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from recollect.domain.errors import RecollectError
from recollect.domain.observations import ObservationKind
from recollect.remember.activity import Event, seen
from recollect.remember.files.markdown import front_matter_fields
from recollect.remember.foreign.findings import Found, FoundNote, FoundSession, FoundTurn, Unread, one_line, time_in
from recollect.remember.foreign.reading import named_files, text_of

ProjectOf: TypeAlias = Callable[[str], str]  # what the project of a folder is called

_INDEX = "MEMORY.md"
_FRONT = re.compile(r"\A---\r?\n(.*?)\r?\n---\r?\n?", re.DOTALL)
_TYPE = re.compile(r"^\s+type:\s*(\w+)", re.MULTILINE)
_KINDS = {"feedback": "procedural", "user": "semantic", "project": "semantic", "reference": "semantic"}
_INJECTED = re.compile(r"<(system-reminder|hook_context|recollect[\w-]*)\b[^>]*>.*?(?:</\1>|\Z)", re.DOTALL)
_WRAPPERS = ("<command-", "<local-command-", "<bash-", "Caveat:")


def read_claude_code(place: Path, project_of: ProjectOf) -> Found:
    """Everything below the settings folder of Claude Code, below one project's folder in it, or in one transcript."""
    found = Found()
    if place.is_file():
        return _transcript(place, place.parent, project_of)[0]
    root = place / "projects" if (place / "projects").is_dir() else place
    folders = sorted({path.parent for path in (*root.glob("**/*.jsonl"), *root.glob("**/memory")) if path.exists()})
    for folder in folders:
        project: str | None = None
        if folder.name == "subagents":
            continue  # what they reported stands in the session that sent them
        for path in named_files(folder, "*.jsonl"):
            one, told = _transcript(path, root, project_of)
            project = told or project
            found += one
        for path in named_files(folder / "memory", "*.md"):
            if path.name != _INDEX:
                found += _memory(path, root, project)
    return found


def _memory(path: Path, root: Path, project: str | None) -> Found:
    text = text_of(path, root)
    if isinstance(text, Unread):
        return Found(unread=(text,))
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
    return Found((note,))


def _transcript(path: Path, root: Path, project_of: ProjectOf) -> tuple[Found, str | None]:
    """A session, and the project it was about."""
    text = text_of(path, root)
    if isinstance(text, Unread):
        return Found(unread=(text,)), None
    turns: dict[str, FoundTurn] = {}
    told: dict[str, str] = {}
    calls: dict[str, dict[str, Any]] = {}
    broken = 0
    for line in text.splitlines():
        try:
            record = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError):
            broken += 1
            continue
        if not isinstance(record, dict):
            continue
        for name in ("sessionId", "cwd", "gitBranch"):
            if isinstance(record.get(name), str) and record[name]:
                told.setdefault(name, record[name])
        for turn in _turns(record, calls, told.get("cwd")):
            turns.setdefault(turn.key, turn)
    unread = (Unread(path.name, f"{broken} of its lines are not JSON; the others were read."),) if broken else ()
    project = project_of(told["cwd"]) if "cwd" in told else None
    if not turns:
        return Found(unread=unread), project
    session = FoundSession(
        id=told.get("sessionId", path.stem),
        turns=tuple(turns.values()),
        project=project,
        agent="claude-code",
        branch=told.get("gitBranch"),
        folder=told.get("cwd"),
    )
    return Found(sessions=(session,), unread=unread), project


def _turns(record: dict[str, Any], calls: dict[str, dict[str, Any]], folder: str | None) -> Iterator[FoundTurn]:
    """What one line of a transcript tells."""
    message = record.get("message")
    kind = record.get("type")
    skipped = any(record.get(name) for name in ("isMeta", "isCompactSummary", "isSidechain"))
    if kind not in ("user", "assistant") or skipped or not isinstance(message, dict):
        return
    content, at = message.get("content"), time_in(record, "timestamp")
    uuid = record["uuid"] if isinstance(record.get("uuid"), str) else json.dumps(message, sort_keys=True)[:200]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    for number, block in enumerate(blocks if isinstance(blocks, list) else ()):
        if not isinstance(block, dict):
            continue
        key = f"{uuid}/{number}"
        if block.get("type") == "text" and isinstance(block.get("text"), str):
            words = _INJECTED.sub("", block["text"]).strip()
            if words and not words.startswith(_WRAPPERS):
                sort = ObservationKind.PROMPT if kind == "user" else ObservationKind.MESSAGE
                yield FoundTurn(key, sort, words, at, kind)
        elif block.get("type") == "tool_use" and isinstance(block.get("id"), str):
            calls[block["id"]] = block
        elif block.get("type") == "tool_result":
            call = calls.pop(str(block.get("tool_use_id")), None)
            if call is not None:
                yield from _tool(key, call, block, at, folder)


def _tool(key: str, call: dict[str, Any], result: dict[str, Any], at: Any, folder: str | None) -> Iterator[FoundTurn]:
    event = Event.TOOL_FAILURE if result.get("is_error") else Event.TOOL_USE
    arguments = call.get("input")
    try:
        kept = seen(
            event,
            _output(result.get("content")),
            tool=str(call.get("name") or "tool"),
            arguments=arguments if isinstance(arguments, dict) else None,
            folder=folder,
        )
    except RecollectError:
        return
    yield FoundTurn(key, kept.kind, kept.text, at, kept.role, kept.title, kept.activity, kept.files)


def _output(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str))
