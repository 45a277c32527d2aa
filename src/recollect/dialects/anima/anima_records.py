"""Records of Anima from notes and messages of ours, as plain objects: items, episodes, chunks, profiles and prompts.

Pure. An id is a UUID with the same bits as ours. A fact is a note, an episode is a message that was found word for
word, and a chunk is a passage of a file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from recollect.attributes.catalogue import flagged
from recollect.attributes.records import Flag
from recollect.dialects.shapes import shaped
from recollect.domain.answers.recollections import Profile
from recollect.domain.clock import format_time, uuid_of
from recollect.domain.notes import CLAIMED, FILE_MATTERS, Note, State
from recollect.domain.observations import Observation, ObservationKind

VERSION = 1  # of an export
HISTORICAL = "[historical] "
_OURS = ("said", FILE_MATTERS, CLAIMED)  # metadata of ours, which no client of Anima knows
_SESSION = "session_id"
_COMMON = "id=id|uuid content=text user_id=scope.user|text agent_id=scope.agent created_at=recorded_at"
_PLACE = "location"


def item_of(note: Note, successor: str | None = None) -> dict[str, Any]:
    """A note as a memory item; `successor` is the id of the note that took its place."""
    metadata = {name: value for name, value in note.metadata.items() if name not in _OURS}
    session = metadata.pop(_SESSION, None)
    end = note.valid_until or (note.retired_at if note.state is not State.ACTIVE else None)
    begin = note.valid_from or note.recorded_at
    ends = None if note.pinned else note.erase_at or note.expires_at
    return shaped(
        note,
        f"{_COMMON} confidence",
        session_id=session if isinstance(session, str) else None,
        valid_from=format_time(min(begin, end) if end else begin),
        valid_until=format_time(end) if end else None,
        superseded_by=uuid_of(successor) if successor else None,
        expires_at=format_time(ends) if ends else None,
        metadata={**metadata, **({"pinned": True} if note.pinned else {})},
    )


def chunk_of(passage: Observation) -> dict[str, Any]:
    """A passage of a file as a memory item."""
    name, *headings = (passage.title or "").split(" > ")
    about = {"source_file": name, "heading_breadcrumb": " > ".join(headings), "chunk_index": passage.position - 1}
    never = dict.fromkeys(("session_id", "valid_until", "superseded_by"))
    metadata = {**passage.metadata, "type": "document_chunk", **about}
    fields = f"{_COMMON} valid_from=recorded_at expires_at=erase_at"
    return shaped(passage, fields, **never, confidence=1.0, metadata=metadata)


def episode_of(said: Observation) -> dict[str, Any]:
    """A message that was found word for word, as an episode."""
    turns = [{"role": said.role or "user", "content": said.text}]
    fields = "id=id|uuid summary=text user_id=scope.user|text session_id created_at=observed_at metadata"
    return shaped(said, fields, raw_turns=turns)


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

    found: dict[str, Any] = {"expertise": of(Flag.SKILL, Flag.TRADE), "preferences": of(Flag.TASTE)}
    found |= {"location": next(iter(values.get(_PLACE, ())), None), "ongoing_projects": of(Flag.AIM, Flag.TO_COME)}
    counts = {"memory_count": count, "last_rebuild_count": count}
    return {"user_id": user, **found, **counts, "raw_json": values, "last_updated": format_time(at)}


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
    about = {"version": VERSION, "user_id": user, "exported_at": format_time(at)}
    return {**about, "memories": list(items), "profile": profile}
