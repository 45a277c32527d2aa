"""Records of Anima from notes and messages of ours, as plain objects: items, episodes, chunks, profiles and prompts.

Pure. An id is a UUID with the same bits as ours. A fact is a note, an episode is a message that was found word for
word, and a chunk is a passage of a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from recollect.attributes.catalogue import flagged
from recollect.attributes.records import Flag
from recollect.domain.answers.recollections import Profile
from recollect.domain.clock import checked_id, format_time
from recollect.domain.errors import InvalidInput
from recollect.domain.handles.uuids import uuid_of
from recollect.domain.notes import FILE_MATTERS, Note, State
from recollect.domain.observations import Observation, ObservationKind
from recollect.domain.trust.claims import CLAIMED

VERSION = 1  # of an export
HISTORICAL = "[historical] "
_OURS = ("said", FILE_MATTERS, CLAIMED)  # metadata of ours, which no client of Anima knows
_ANCHOR, _PINNED, _SESSION = "confidence_anchor", "pinned", "session_id"
_TURN = re.compile(r"^(user|human|assistant|ai|bot|system)\s*:\s*", re.IGNORECASE | re.MULTILINE)
_ASSISTANTS = ("assistant", "ai", "bot")
_PLACE = "location"


def turns_of(conversation: str) -> list[dict[str, str]]:
    """The turns of a conversation, as `User:` and `Assistant:` at the beginning of a line part them."""
    marks = list(_TURN.finditer(conversation))
    if not marks or conversation[: marks[0].start()].strip():
        return [{"role": "user", "content": conversation.strip()}]
    ends = [*(mark.start() for mark in marks[1:]), len(conversation)]
    turns = [
        {"role": "assistant" if mark[1].lower() in _ASSISTANTS else "user", "content": conversation[mark.end() : end]}
        for mark, end in zip(marks, ends, strict=True)
        if mark[1].lower() != "system"
    ]
    return [{**turn, "content": turn["content"].strip()} for turn in turns if turn["content"].strip()]


def item_of(note: Note, successor: str | None = None) -> dict[str, Any]:
    """A note as a memory item; `successor` is the id of the note that took its place."""
    metadata = {name: value for name, value in note.metadata.items() if name not in _OURS}
    session = metadata.pop(_SESSION, None)
    end = note.valid_until or (note.retired_at if note.state is not State.ACTIVE else None)
    begin = note.valid_from or note.recorded_at
    return {
        "id": uuid_of(note.id),
        "content": note.text,
        "user_id": note.scope.user or "",
        "agent_id": note.scope.agent,
        "session_id": session if isinstance(session, str) else None,
        "created_at": format_time(note.recorded_at),
        "valid_from": format_time(min(begin, end) if end else begin),
        "valid_until": format_time(end) if end else None,
        "superseded_by": uuid_of(successor) if successor else None,
        "expires_at": _time(None if note.pinned else note.erase_at or note.expires_at),
        "confidence": note.confidence,
        "metadata": {**metadata, **({_PINNED: True} if note.pinned else {})},
    }


def chunk_of(passage: Observation) -> dict[str, Any]:
    """A passage of a file as a memory item."""
    name, *headings = (passage.title or "").split(" > ")
    return {
        "id": uuid_of(passage.id),
        "content": passage.text,
        "user_id": passage.scope.user or "",
        "agent_id": passage.scope.agent,
        "session_id": None,
        "created_at": format_time(passage.recorded_at),
        "valid_from": format_time(passage.recorded_at),
        "valid_until": None,
        "superseded_by": None,
        "expires_at": _time(passage.erase_at),
        "confidence": 1.0,
        "metadata": {
            **passage.metadata,
            "type": "document_chunk",
            "source_file": name,
            "heading_breadcrumb": " > ".join(headings),
            "chunk_index": passage.position - 1,
        },
    }


def episode_of(said: Observation) -> dict[str, Any]:
    """A message that was found word for word, as an episode."""
    return {
        "id": uuid_of(said.id),
        "summary": said.text,
        "user_id": said.scope.user or "",
        "session_id": said.session_id,
        "created_at": format_time(said.observed_at),
        "raw_turns": [{"role": said.role or "user", "content": said.text}],
        "metadata": dict(said.metadata),
    }


def is_chunk(said: Observation) -> bool:
    """Whether an observation is a passage of a file."""
    return said.kind is ObservationKind.PASSAGE


def injected_prompt(facts: Sequence[Any], episodes: Sequence[Any], chunks: Sequence[Any]) -> str:
    """The finds of a search as the block of text that goes before a question to a model."""
    sections = (
        ("Relevant facts:", [each["content"] for each in facts]),
        ("Related past conversations:", [each["summary"] for each in episodes]),
        ("Relevant document context:", [each["content"] for each in chunks]),
    )
    return "\n\n".join("\n".join([head, *(f"- {line}" for line in lines)]) for head, lines in sections if lines)


def user_profile(user: str, profile: Profile | None, count: int, at: datetime) -> dict[str, Any]:
    """The profile of a user, in the four fields that Anima has; `raw_json` has every attribute."""
    values = {field.attribute: list(field.values) for field in profile or ()}

    def of(*flags: Flag) -> list[str]:
        named = (each for each in values if any(flagged(each, flag) for flag in flags))
        return list(dict.fromkeys(value for attribute in named for value in values[attribute]))

    return {
        "user_id": user,
        "expertise": of(Flag.SKILL, Flag.TRADE),
        "preferences": of(Flag.TASTE),
        "location": next(iter(values.get(_PLACE, ())), None),
        "ongoing_projects": of(Flag.AIM, Flag.TO_COME),
        "raw_json": values,
        "last_updated": format_time(at),
        "memory_count": count,
        "last_rebuild_count": count,
    }


def profile_prompt(profile: Mapping[str, Any]) -> str:
    """A profile as lines for the instructions of a model."""
    lists = (("Expertise", "expertise"), ("Preferences", "preferences"))
    lines = ["User Profile:", *(f"- {name}: {', '.join(profile[key])}" for name, key in lists if profile[key])]
    if profile["location"]:
        lines.append(f"- Location: {profile['location']}")
    if profile["ongoing_projects"]:
        lines.append(f"- Current projects: {', '.join(profile['ongoing_projects'])}")
    return "\n".join(lines)


def export_of(user: str, items: Sequence[Any], profile: Mapping[str, Any] | None, at: datetime) -> dict[str, Any]:
    """Everything of a user, as `MemoryExport` has it."""
    return {
        "version": VERSION, "user_id": user, "exported_at": format_time(at), "memories": list(items),
        "profile": profile,
    }  # fmt: skip


def lines_of(export: Mapping[str, Any], space: str) -> list[dict[str, Any]]:
    """The records of an export in the form that `import` takes: ids, times and replacements as they were."""
    memories = export.get("memories")
    if not isinstance(memories, list) or not all(isinstance(each, Mapping) for each in memories):
        raise InvalidInput("This is no export of Anima: it has no list of `memories`.", code="invalid_export")
    replaced: dict[str, list[str]] = {}
    for each in memories:
        if each.get("superseded_by"):
            replaced.setdefault(checked_id(str(each["superseded_by"])), []).append(checked_id(str(each.get("id"))))
    user = export.get("user_id")
    return [_line(each, space, user if isinstance(user, str) else None, replaced) for each in memories]


def _line(item: Mapping[str, Any], space: str, user: str | None, replaced: Mapping[str, list[str]]) -> dict[str, Any]:
    given = item.get("metadata")
    metadata: dict[str, Any] = dict(given) if isinstance(given, Mapping) else {}
    pinned = metadata.pop(_PINNED, False) is True
    if item.get("session_id"):
        metadata[_SESSION] = item["session_id"]
    record_id = checked_id(str(item.get("id")))
    over = item.get("superseded_by") or item.get("valid_until")
    return {
        "type": "note",
        "id": record_id,
        "space": space,
        "version": 1,
        "kind": "semantic",
        "text": item.get("content"),
        "recorded_at": item.get("created_at"),
        "updated_at": metadata.pop(_ANCHOR, None) or item.get("created_at"),
        "scope": {"user": item.get("user_id") or user, "agent": item.get("agent_id")},
        "state": "superseded" if over else "active",
        "confidence": item.get("confidence", 1.0),
        "pinned": pinned,
        "valid_from": item.get("valid_from"),
        "valid_until": item.get("valid_until") if item.get("valid_until") != item.get("valid_from") else None,
        "retired_at": item.get("valid_until"),
        "expires_at": item.get("expires_at"),
        "supersedes": replaced.get(record_id, []),
        "metadata": metadata,
    }


def successors(notes: Iterable[Note]) -> dict[str, str]:
    """For each note that another took the place of, the id of that one."""
    return {old: note.id for note in notes for old in note.supersedes}


def _time(moment: datetime | None) -> str | None:
    return format_time(moment) if moment else None
