"""Exports and stores of other memories: of claude-mem, agentmemory, basic-memory, mem0, Zep, Hindsight and others.

A record that is not whole is named, and the others still come in.
"""

from __future__ import annotations

import json
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
    each_note,
    json_of,
    metadata_in,
    number_in,
    one_line,
    tags_of,
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
    notes, unread = each_note(rows["observations"], "observation", _claude_mem_observation)
    summed, more = each_note(rows["session_summaries"], "summary", _claude_mem_summary)
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
        tags=tags_of((text_in(row, "type"), *texts_in(row, "concepts"))),
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


def read_agentmemory(place: Path, rows_of: RowsOf) -> FoundMemory:
    """Read the answer to `GET /export` of agentmemory, kept in a file; or its database, alone or in its folder."""
    if place.is_dir():
        pages = read_basic_memory(place / "second-brain") if (place / "second-brain").is_dir() else FoundMemory()
        return pages + read_agentmemory(place / "agentmemory.db", rows_of)
    if _is_database(place):
        try:
            rows = rows_of(place, ("kv_store",))["kv_store"]
        except InvalidInput as problem:
            return FoundMemory(unread=(Unread(str(place), problem.message),))
        return agentmemory_in(_agentmemory_export(rows))
    said = json_of(place)
    if isinstance(said, Unread):
        return FoundMemory(unread=(said,))
    if not isinstance(said, dict) or not isinstance(said.get("memories", []), list):
        return FoundMemory(
            unread=(Unread(str(place), "It is not an export of agentmemory: there is no list of memories."),)
        )
    return agentmemory_in(said)


def _is_database(place: Path) -> bool:
    try:
        with place.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def _agentmemory_export(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The rows of its one table as its export has them; what is not JSON is left to be named as a broken record."""
    said: dict[str, Any] = {name: [] for name in ("memories", "lessons", "summaries", "sessions")}
    observed: dict[str, list[Any]] = {}
    for row in rows:
        scope, value = text_in(row, "scope"), text_in(row, "value")
        name, session = scope.removeprefix("mem:"), scope.removeprefix("mem:obs:")
        if name not in said and session == scope:
            continue
        try:
            record: Any = json.loads(value)
        except (ValueError, RecursionError):
            record = None
        (observed.setdefault(session, []) if session != scope else said[name]).append(record)
    return {**said, "observations": observed}


def agentmemory_in(said: Mapping[str, Any]) -> FoundMemory:
    """Everything that an export of agentmemory says."""
    latest = [each for each in _listed(said, "memories") if not isinstance(each, dict) or each.get("isLatest", True)]
    notes, unread = each_note(latest, "memory", _agentmemory_note)
    lessons, broken = each_note(_listed(said, "lessons"), "lesson", _agentmemory_lesson)
    summaries, worse = each_note(_listed(said, "summaries"), "summary", _agentmemory_summary)
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
        tags=tags_of((text_in(record, "type"), *texts_in(record, "concepts", "tags"))),
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
        tags=tags_of(texts_in(record, "tags")),
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
        tags=tags_of(("session-summary", *texts_in(record, "concepts"))),
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
    tags = tags_of(tag for each in listed for tag in re.split(r"[,\s]+", each.strip("[]")))
    kept = {name: value for name, value in fields.items() if name not in _READ_FIELDS}
    for category, said in _OBSERVED.findall(body):
        own = tags_of((category, *_HASH_TAG.findall(said), *tags))
        words = _HASH_TAG.sub("", said).strip()
        yield FoundNote(words, at, key, title=title, subject=title, tags=own, metadata=kept)
    rest = _HEADING_ALONE.sub("", _RELATED.sub("", _OBSERVED.sub("", body))).strip()
    if rest:
        yield FoundNote(rest, at, key, title=title, subject=title, tags=tags, metadata=kept)


def read_mem0(place: Path) -> FoundMemory:
    """Memories of mem0 as its API or its own export hands them out: a list, or one below `results` or `memories`."""
    return _list_in(json_of(place), place, "mem0", ("results", "memories", "data"), _mem0_note)


def _mem0_note(record: Mapping[str, Any]) -> FoundNote:
    metadata = record.get("metadata")
    project = text_in(metadata, "project") if isinstance(metadata, dict) else ""
    return FoundNote(
        text=text_in(record, "memory", "text", "data", "content"),
        at=time_in(record, "created_at", "updated_at"),
        key=text_in(record, "id"),
        tags=tags_of(texts_in(record, "categories")),
        user=one_line(text_in(record, "user_id")),
        agent=one_line(text_in(record, "agent_id")),
        project=one_line(project),
        metadata=metadata_in(record, "run_id"),
    )


def read_zep(place: Path) -> FoundMemory:
    """Facts of a graph of Zep or Graphiti, and what it says of its nodes: `edges` and `nodes`, or a list of edges."""
    said = json_of(place)
    nodes = _listed(said, "nodes") if isinstance(said, dict) else []
    names = {text_in(each, "uuid", "uuid_"): text_in(each, "name") for each in nodes if isinstance(each, dict)}
    summed = [each for each in nodes if not isinstance(each, dict) or text_in(each, "summary")]
    notes, unread = each_note(summed, "node", _zep_summary)
    return _list_in(said, place, "Zep", ("edges",), lambda edge: _zep_fact(edge, names)) + FoundMemory(
        notes, unread=unread
    )


def _zep_fact(edge: Mapping[str, Any], names: Mapping[str, str]) -> FoundNote:
    about = text_in(edge, "source_node_name") or names.get(text_in(edge, "source_node_uuid"), "")
    return FoundNote(
        text=text_in(edge, "fact"),
        at=time_in(edge, "created_at", "valid_at"),
        key=text_in(edge, "uuid", "uuid_"),
        subject=one_line(about),
        tags=tags_of((text_in(edge, "name"),)),
        metadata=metadata_in(edge, "group_id", "graph_id", "attributes"),
        since=time_in(edge, "valid_at"),
        until=time_in(edge, "invalid_at", "expired_at"),
    )


def _zep_summary(node: Mapping[str, Any]) -> FoundNote:
    name = one_line(text_in(node, "name"))
    return FoundNote(
        text=text_in(node, "summary"),
        at=time_in(node, "created_at"),
        key=text_in(node, "uuid", "uuid_"),
        title=name,
        subject=name,
        tags=tags_of(texts_in(node, "labels")),
        metadata=metadata_in(node, "group_id", "graph_id", "attributes"),
    )


def read_hindsight(place: Path) -> FoundMemory:
    """The memories of a bank of Hindsight, as its lists (`items`) and its recall (`results`) hand them out."""
    return _list_in(json_of(place), place, "Hindsight", ("items", "results"), _hindsight_note)


def _hindsight_note(record: Mapping[str, Any]) -> FoundNote:
    sort = text_in(record, "type", "fact_type")
    happened = sort == "experience"
    return FoundNote(
        text=text_in(record, "text"),
        at=time_in(record, *(("occurred_start",) if happened else ()), "mentioned_at", "date", "occurred_start"),
        key=text_in(record, "id"),
        kind="episodic" if happened else "semantic",
        tags=tags_of((sort, *texts_in(record, "tags"))),
        metadata=metadata_in(record, "context", "entities", "document_id", "occurred_start", "occurred_end"),
    )


def read_supermemory(place: Path) -> FoundMemory:
    """Documents or memories of Supermemory as its API lists them; what was forgotten or replaced there stays there."""
    names = ("memories", "documents", "memoryEntries", "results")
    return _list_in(json_of(place), place, "Supermemory", names, _supermemory_note, holds=_is_held)


def _is_held(record: Mapping[str, Any]) -> bool:
    return record.get("isForgotten") is not True and record.get("isLatest") is not False


def _supermemory_note(record: Mapping[str, Any]) -> FoundNote:
    return FoundNote(
        text=text_in(record, "memory", "content", "summary"),
        at=time_in(record, "createdAt", "updatedAt"),
        key=text_in(record, "id"),
        title=one_line(text_in(record, "title")),
        tags=tags_of(texts_in(record, "containerTags")),
        metadata=metadata_in(record, "customId", "url"),
    )


def read_letta(place: Path) -> FoundMemory:
    """A folder of Letta's memory in files: each block is a note, its label the path, its title the description."""
    found = FoundMemory()
    for path in sorted(place.rglob("*.md")) if place.is_dir() else [place]:
        within = path.relative_to(place if place.is_dir() else place.parent)
        if any(part.startswith(".") for part in within.parts) or path.name == "memory_filesystem.md":
            continue
        text = text_of(path, place if place.is_dir() else place.parent)
        found += FoundMemory(unread=(text,)) if isinstance(text, Unread) else _letta_block(path, within, text)
    return found


def _letta_block(path: Path, within: Path, text: str) -> FoundMemory:
    front = _FRONT.match(text)
    fields: Mapping[str, Any] = front_matter_fields(front.group(1)) if front else {}
    body = (text[front.end() :] if front else text).strip()
    if not body:
        return FoundMemory(unread=(Unread(str(path), "It has no text."),))
    label = within.with_suffix("").as_posix()
    parts = path.absolute().parts
    agent = next(
        (parts[n + 1] for n, part in enumerate(parts[:-2]) if part == "agents" and parts[n + 2] == "memory"), None
    )
    tags = tags_of(("system",) if "system" in within.parts[:-1] else ())
    title = one_line(text_in(fields, "description")) or label
    return FoundMemory((FoundNote(body, key=label, title=title, tags=tags, agent=agent, metadata={"label": label}),))


def _list_in(
    said: Any,
    place: Path,
    whose: str,
    names: tuple[str, ...],
    read: Callable[[Mapping[str, Any]], FoundNote],
    holds: Callable[[Mapping[str, Any]], bool] = lambda _: True,
) -> FoundMemory:
    """The notes of a JSON file that is a list of records, or has one below the first of these names."""
    if isinstance(said, Unread):
        return FoundMemory(unread=(said,))
    if isinstance(said, dict):
        said = next((said[name] for name in names if isinstance(said.get(name), list)), None)
    if not isinstance(said, list):
        return FoundMemory(
            unread=(Unread(str(place), f"It is not an export of {whose}: there is no list of memories."),)
        )
    notes, unread = each_note((each for each in said if not isinstance(each, dict) or holds(each)), "memory", read)
    return FoundMemory(notes, unread=unread)


def _listed(record: Mapping[str, Any], name: str) -> list[Any]:
    found = record.get(name)
    return found if isinstance(found, list) else []
