"""Exports and stores of other memories: claude-mem, agentmemory, basic-memory, mem0.

A record that is not whole is named, and the others still come in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from recollect.domain.errors import InvalidInput
from recollect.domain.observations import ObservationKind
from recollect.remember.files.markdown import front_matter_fields
from recollect.remember.foreign.findings import (
    FoundMemory,
    FoundNote,
    FoundSession,
    FoundTurn,
    Unread,
    json_of,
    metadata_in,
    number_in,
    one_line,
    text_in,
    text_of,
    texts_in,
    time_in,
)

# The rows of some tables of a database, column by column; how it is opened is the business of the stores.
RowsOf: TypeAlias = Callable[[Path, tuple[str, ...]], dict[str, list[dict[str, Any]]]]

_FRONT = re.compile(r"\A---\r?\n(.*?)\r?\n---\r?\n?", re.DOTALL)
_OBSERVED = re.compile(r"^[ \t]*-[ \t]+\[([\w /-]{1,40})\][ \t]+(\S.*)$", re.MULTILINE)
_RELATED = re.compile(r"^[ \t]*+-[ \t][\w \t/-]*+\[\[[^\]\n]+\]\].*$", re.MULTILINE)
_HEADING_ALONE = re.compile(r"^#[^\n]*+\n++(?=#|\Z)", re.MULTILINE)
_READ_FIELDS = frozenset(
    ("title", "tags", "created", "date", "created_at", "modified")
)  # of a page; the rest is metadata
_HASH_TAG = re.compile(r"(?:^|\s)#([\w/-]+)")


def read_claude_mem(place: Path, rows_of: RowsOf) -> FoundMemory:
    """The database of claude-mem: what it observed and summed up as notes, what was asked as sessions."""
    file = place / "claude-mem.db" if place.is_dir() else place
    try:
        rows = rows_of(file, ("sdk_sessions", "observations", "session_summaries", "user_prompts"))
    except InvalidInput as problem:
        return FoundMemory(unread=(Unread(str(file), problem.message),))
    notes, unread = _each(rows["observations"], "observation", _claude_mem_observation)
    summed, more = _each(rows["session_summaries"], "summary", _claude_mem_summary)
    projects = {
        text_in(row, "content_session_id", "claude_session_id"): text_in(row, "project") or None
        for row in rows["sdk_sessions"]
    }
    asked: dict[str, list[FoundTurn]] = {}
    for row in rows["user_prompts"]:
        words, session = text_in(row, "prompt_text"), text_in(row, "content_session_id", "claude_session_id")
        if words and session:
            at = time_in(row, "created_at_epoch", "created_at")
            turn = FoundTurn(f"prompt/{row.get('id')}", ObservationKind.PROMPT, words, at, "user")
            asked.setdefault(session, []).append(turn)
    sessions = tuple(
        FoundSession(session, tuple(turns), project=projects.get(session), agent="claude-code")
        for session, turns in asked.items()
    )
    return FoundMemory(notes + summed, sessions, unread + more)


def _claude_mem_observation(row: Mapping[str, Any]) -> FoundNote:
    facts = [f"- {fact}" for fact in texts_in(row, "facts")]
    told = [text_in(row, "narrative", "text"), *facts]
    title = text_in(row, "title")
    return FoundNote(
        text="\n".join(filter(None, told)) or text_in(row, "subtitle") or title,
        at=time_in(row, "created_at_epoch", "created_at"),
        key=f"observation/{row.get('id')}",
        title=one_line(title),
        tags=_tags((text_in(row, "type"), *texts_in(row, "concepts"))),
        project=text_in(row, "project") or None,
        agent="claude-code",
        metadata={name: list(files) for name in ("files_read", "files_modified") if (files := texts_in(row, name))},
    )


def _claude_mem_summary(row: Mapping[str, Any]) -> FoundNote:
    parts = ("request", "investigated", "learned", "completed", "next_steps", "notes")
    told = [f"{part.replace('_', ' ').capitalize()}: {text_in(row, part)}" for part in parts if text_in(row, part)]
    return FoundNote(
        text="\n".join(told),
        at=time_in(row, "created_at_epoch", "created_at"),
        key=f"summary/{row.get('id')}",
        kind="episodic",
        title=one_line(text_in(row, "request")),
        tags=("session-summary",),
        project=text_in(row, "project") or None,
        agent="claude-code",
    )


def read_agentmemory(place: Path) -> FoundMemory:
    """Read the answer to `GET /export` of agentmemory, kept in a file."""
    said = json_of(place)
    if isinstance(said, Unread):
        return FoundMemory(unread=(said,))
    if not isinstance(said, dict) or not isinstance(said.get("memories", []), list):
        return FoundMemory(
            unread=(Unread(str(place), "It is not an export of agentmemory: there is no list of memories."),)
        )
    latest = [each for each in said.get("memories", []) if not isinstance(each, dict) or each.get("isLatest", True)]
    notes, unread = _each(latest, "memory", _agentmemory_note)
    lessons, broken = _each(_listed(said, "lessons"), "lesson", _agentmemory_lesson)
    summaries, worse = _each(_listed(said, "summaries"), "summary", _agentmemory_summary)
    observed = said.get("observations") if isinstance(said.get("observations"), dict) else {}
    sessions = tuple(_agentmemory_sessions(_listed(said, "sessions"), observed or {}))
    return FoundMemory(notes + lessons + summaries, sessions, unread + broken + worse)


def _agentmemory_note(record: Mapping[str, Any]) -> FoundNote:
    kind = {"workflow": "procedural", "pattern": "pattern"}.get(text_in(record, "type"), "semantic")
    return FoundNote(
        text=text_in(record, "content", "text", "narrative"),
        at=time_in(record, "createdAt", "created_at", "timestamp"),
        key=text_in(record, "id"),
        kind=kind,
        title=one_line(text_in(record, "title")),
        tags=_tags((text_in(record, "type"), *texts_in(record, "concepts", "tags"))),
        project=text_in(record, "project") or None,
        agent=text_in(record, "agentId") or None,
        importance=number_in(record, "strength", most=10),
        metadata=metadata_in(record, "files"),
    )


def _agentmemory_lesson(record: Mapping[str, Any]) -> FoundNote:
    return FoundNote(
        text=text_in(record, "content", "lesson", "text"),
        at=time_in(record, "createdAt", "created_at"),
        key=text_in(record, "id"),
        kind="lesson",
        tags=_tags(texts_in(record, "tags")),
        project=text_in(record, "project") or None,
        confidence=number_in(record, "confidence"),
        metadata=metadata_in(record, "context"),
    )


def _agentmemory_summary(record: Mapping[str, Any]) -> FoundNote:
    decisions = [f"- {each}" for each in texts_in(record, "keyDecisions")]
    return FoundNote(
        text="\n".join([text_in(record, "narrative", "summary"), *decisions]).strip(),
        at=time_in(record, "createdAt", "created_at"),
        key=f"summary/{text_in(record, 'sessionId', 'id')}",
        kind="episodic",
        title=one_line(text_in(record, "title")),
        tags=_tags(("session-summary", *texts_in(record, "concepts"))),
        project=text_in(record, "project") or None,
    )


def _agentmemory_sessions(records: list[Any], observed: Mapping[str, Any]) -> Iterator[FoundSession]:
    known = {text_in(each, "id"): each for each in records if isinstance(each, dict)}
    for session, observations in observed.items():
        about = known.get(session, {})
        turns = [
            FoundTurn(
                key=text_in(each, "id"),
                kind=ObservationKind.TOOL_USE,
                text="\n".join(filter(None, (text_in(each, "narrative", "text", "title"), *texts_in(each, "facts")))),
                at=time_in(each, "timestamp", "createdAt"),
                role="tool",
                title=one_line(text_in(each, "title"), 160),
                files=texts_in(each, "files")[:50],
            )
            for each in (observations if isinstance(observations, list) else ())
            if isinstance(each, dict) and text_in(each, "narrative", "text", "title")
        ]
        if turns and session:
            yield FoundSession(
                session,
                tuple(turns),
                project=text_in(about, "project") or None,
                folder=text_in(about, "cwd") or None,
                branch=text_in(about, "branch") or None,
            )


def read_basic_memory(place: Path) -> FoundMemory:
    """A folder of basic-memory: each observation of a page is a note about it, and so is the rest of its text."""
    found = FoundMemory()
    for path in sorted(place.rglob("*.md")) if place.is_dir() else [place]:
        if any(part.startswith(".") for part in path.relative_to(place).parts[:-1]):
            continue
        text = text_of(path, place if place.is_dir() else place.parent)
        found += FoundMemory(unread=(text,)) if isinstance(text, Unread) else FoundMemory(tuple(_page(path, text)))
    return found


def _page(path: Path, text: str) -> Iterator[FoundNote]:
    front = _FRONT.match(text)
    fields: Mapping[str, Any] = front_matter_fields(front.group(1)) if front else {}
    body = text[front.end() :] if front else text
    title = one_line(text_in(fields, "title")) or path.stem
    at = time_in(fields, "created", "date", "created_at", "modified")
    key = text_in(fields, "permalink") or path.name
    named = fields.get("tags")
    listed = [named] if isinstance(named, str) else named if isinstance(named, list) else []
    tags = _tags(tag for each in listed for tag in re.split(r"[,\s]+", each.strip("[]")))
    kept = {name: value for name, value in fields.items() if name not in _READ_FIELDS}
    for category, said in _OBSERVED.findall(body):
        own = _tags((category, *_HASH_TAG.findall(said), *tags))
        words = _HASH_TAG.sub("", said).strip()
        yield FoundNote(words, at, key, title=title, subject=title, tags=own, metadata=kept)
    rest = _HEADING_ALONE.sub("", _RELATED.sub("", _OBSERVED.sub("", body))).strip()
    if rest:
        yield FoundNote(rest, at, key, title=title, subject=title, tags=tags, metadata=kept)


def read_mem0(place: Path) -> FoundMemory:
    """Memories of mem0 as its API or its own export hands them out: a list, or one below `results` or `memories`."""
    said = json_of(place)
    if isinstance(said, Unread):
        return FoundMemory(unread=(said,))
    if isinstance(said, dict):
        said = next((said[name] for name in ("results", "memories", "data") if isinstance(said.get(name), list)), None)
    if not isinstance(said, list):
        return FoundMemory(unread=(Unread(str(place), "It is not an export of mem0: there is no list of memories."),))
    notes, unread = _each(said, "memory", _mem0_note)
    return FoundMemory(notes, unread=unread)


def _mem0_note(record: Mapping[str, Any]) -> FoundNote:
    metadata = record.get("metadata")
    project = text_in(metadata, "project") if isinstance(metadata, dict) else ""
    return FoundNote(
        text=text_in(record, "memory", "text", "data", "content"),
        at=time_in(record, "created_at", "updated_at"),
        key=text_in(record, "id"),
        tags=_tags(texts_in(record, "categories")),
        user=one_line(text_in(record, "user_id")),
        agent=one_line(text_in(record, "agent_id")),
        project=one_line(project),
        metadata=metadata_in(record, "run_id"),
    )


def _each(
    records: Iterable[Any], what: str, read: Callable[[Mapping[str, Any]], FoundNote]
) -> tuple[tuple[FoundNote, ...], tuple[Unread, ...]]:
    """Every record as a note; those that are none, by their number."""
    notes: list[FoundNote] = []
    unread: list[Unread] = []
    for number, record in enumerate(records, start=1):
        note = read(record) if isinstance(record, dict) else None
        if note is None or not note.text:
            unread.append(Unread(f"{what} {number}", "It has no text."))
        else:
            notes.append(note)
    return tuple(notes), tuple(unread)


def _listed(record: Mapping[str, Any], name: str) -> list[Any]:
    found = record.get(name)
    return found if isinstance(found, list) else []


def _tags(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for each in words if (word := " ".join(each.split())[:80])))[:20]
