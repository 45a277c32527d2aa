"""Pure: records as agentmemory writes them, from values of ours; and fields of ours from what its clients send."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from recollect.domain.answers.recollections import Hit
from recollect.domain.answers.sessions import Beat, Happening, SessionDigest
from recollect.domain.changes import AuditEntry
from recollect.domain.clock import format_time
from recollect.domain.desk import Action, ActionStatus, Lesson, Slot, reinforcements_of
from recollect.domain.errors import InvalidInput
from recollect.domain.notes import Note, State
from recollect.domain.observations import Commit, Observation, ObservationKind, Session

VERSION = "0.9.29"  # of the server whose answers these are
SUPERSEDES_ABOVE = 0.7  # of words that two memories share: the newer one takes the place of the older
RESEMBLES_ABOVE = 0.4  # below that, it is named beside the new one
_TYPES = ("pattern", "preference", "architecture", "bug", "workflow", "fact")
_KINDS = {"workflow": "procedural", "pattern": "pattern"}
_EVENTS = {
    "prompt_submit": "prompt",
    "post_tool_use": "tool_use",
    "post_tool_failure": "tool_failure",
    "subagent_start": "subagent",
    "subagent_stop": "subagent",
    "task_completed": "task",
}
_OBSERVED = {
    ObservationKind.PROMPT: "conversation",
    ObservationKind.MESSAGE: "conversation",
    ObservationKind.TOOL_FAILURE: "error",
    ObservationKind.SUBAGENT: "subagent",
    ObservationKind.TASK: "subagent",
    ObservationKind.NOTIFICATION: "notification",
}
_HOOKS = {
    ObservationKind.PROMPT: "prompt_submit",
    ObservationKind.TOOL_FAILURE: "post_tool_failure",
    ObservationKind.SUBAGENT: "subagent_stop",
    ObservationKind.TASK: "task_completed",
    ObservationKind.NOTIFICATION: "notification",
}
_STATUSES = {
    "pending": ActionStatus.OPEN,
    "open": ActionStatus.OPEN,
    "in_progress": ActionStatus.ACTIVE,
    "active": ActionStatus.ACTIVE,
    "blocked": ActionStatus.BLOCKED,
    "done": ActionStatus.DONE,
    "completed": ActionStatus.DONE,
    "cancelled": ActionStatus.DROPPED,
    "dropped": ActionStatus.DROPPED,
}
_PRIVATE = re.compile(r"<private>.*?(?:</private>|\Z)", re.DOTALL | re.IGNORECASE)


def texts(value: Any) -> list[str]:
    """A list of texts, which its clients also send as one text with commas."""
    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else ()
    return [part.strip() for part in parts if isinstance(part, str) and part.strip()]


def public(text: str) -> str:
    """A text without what its writer marked as private."""
    return _PRIVATE.sub("[REDACTED]", text)


def likeness(one: str, other: str) -> float:
    """The share of words of two texts that both have, as agentmemory counts them."""
    here, there = ({word for word in text.lower().split() if len(word) > 2} for text in (one, other))
    return len(here & there) / len(here | there) if here and there else 0.0


def tokens(text: str) -> int:
    """The size of a text as agentmemory estimates it."""
    return -(-len(text) // 3)


# -- memories ----------------------------------------------------------------------------------------------------------


def memory_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the note that a memory is kept as."""
    type_ = given["type"] if given.get("type") in _TYPES else "fact"
    days = given.get("ttlDays")
    fields = {
        "text": public(given["content"]),
        "title": given.get("title"),
        "kind": _KINDS.get(type_, "semantic"),
        "tags": list(dict.fromkeys((type_, *texts(given.get("concepts")))))[:20],
        "project": given.get("project"),
        "agent": given.get("agentId"),
        "session": given.get("sessionId"),
        "derived_from": texts(given.get("sourceObservationIds")),
        "metadata": {"files": files} if (files := texts(given.get("files"))) else None,
        "ttl": f"{days}d" if isinstance(days, int) and days > 0 else None,
    }
    return {name: value for name, value in fields.items() if value}


def memory_record(note: Note) -> dict[str, Any]:
    """A note as a memory. The first of its tags that names a type of memory is its type."""
    type_ = next((tag for tag in note.tags if tag in _TYPES), "fact")
    files = note.metadata.get("files")
    return _without_nothing(
        id=note.id,
        createdAt=format_time(note.recorded_at),
        updatedAt=format_time(note.updated_at),
        type=type_,
        title=note.title or note.text[:80],
        content=note.text,
        concepts=[tag for tag in note.tags if tag != type_],
        files=files if isinstance(files, list) else [],
        sessionIds=[note.scope.session] if note.scope.session else [],
        strength=round(note.importance * 10),
        version=note.version,
        parentId=note.supersedes[0] if note.supersedes else None,
        supersedes=list(note.supersedes),
        sourceObservationIds=list(note.derived_from),
        isLatest=note.state is State.ACTIVE,
        agentId=note.scope.agent,
        project=note.scope.project,
        forgetAfter=format_time(note.erase_at) if note.erase_at else None,
    )


# -- lessons, slots, actions -------------------------------------------------------------------------------------------


def lesson_record(lesson: Lesson | Note) -> dict[str, Any]:
    """A lesson; its confidence is what is left of it today."""
    note = lesson.note if isinstance(lesson, Lesson) else lesson
    context = note.metadata.get("context")
    return {
        "id": note.id,
        "content": note.text,
        "context": context if isinstance(context, str) else "",
        "confidence": lesson.confidence,
        "reinforcements": reinforcements_of(note),
        "source": "manual",
        "sourceIds": list(note.derived_from),
        "project": note.scope.project,
        "tags": list(note.tags),
        "createdAt": format_time(note.recorded_at),
        "updatedAt": format_time(note.updated_at),
        "decayRate": 0.05,
    }


def slot_record(slot: Slot) -> dict[str, Any]:
    """A slot: of a project, or for all of them, which is called global there."""
    return {
        "label": slot.label,
        "content": slot.text,
        "sizeLimit": slot.limit,
        "description": slot.description,
        "pinned": slot.pinned,
        "scope": "project" if slot.project else "global",
        **({"project": slot.project} if slot.project else {}),
        "version": slot.version,
        "updatedAt": format_time(slot.updated_at),
    }


def action_status(said: Any) -> str:
    """A status of ours for one of theirs."""
    if not isinstance(said, str) or said not in _STATUSES:
        raise InvalidInput(f"`status` is one of {', '.join(_STATUSES)}.", code="invalid_choice")
    return _STATUSES[said].value


def action_record(action: Action) -> dict[str, Any]:
    """An action; the first line of its text is its title."""
    title, _, description = action.text.partition("\n")
    status = next(theirs for theirs, ours in _STATUSES.items() if ours is action.status)
    return {
        "id": action.id,
        "title": title,
        "description": description,
        "status": status,
        "priority": action.priority,
        "requires": list(action.depends_on),
        "project": action.project,
        "tags": [],
        "createdAt": format_time(action.created_at),
        "updatedAt": format_time(action.updated_at),
    }


# -- sessions ----------------------------------------------------------------------------------------------------------


def event_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `observe` for the event of a hook. The same event sent twice is kept once."""
    data = given["data"] if isinstance(given.get("data"), Mapping) else {}
    hook = str(given["hookType"])
    said = next((data[name] for name in _SAID if data.get(name)), "")
    tool = data.get("tool_name") or data.get("toolName")
    event = _EVENTS.get(hook, "notification")
    words = public(said if isinstance(said, str) else json.dumps(said, ensure_ascii=False))
    handed = data.get("tool_input")
    arguments = handed if isinstance(handed, Mapping) else {"input": handed} if handed else {}
    image = data.get("image_data") or given.get("imageData")
    seen = json.dumps([given["sessionId"], hook, given.get("timestamp"), data], sort_keys=True, default=str)
    fields = {
        "event": event,
        "text": words or (hook if not tool else ""),
        "tool": tool if isinstance(tool, str) and event.startswith("tool") else None,
        "arguments": dict(arguments) if event.startswith("tool") else None,
        "attachments": [{"name": "image", "data": image}] if isinstance(image, str) and image else None,
        "at": given.get("timestamp"),
        "session": given["sessionId"],
        "project": given.get("project"),
        "agent": given.get("agentId"),
        "idempotency_key": hashlib.sha256(seen.encode("utf-8", "surrogatepass")).hexdigest(),
    }
    return {name: value for name, value in fields.items() if value}


_SAID = ("prompt", "tool_output", "error", "last_message", "message", "task_description", "task_subject", "agent_type")


def session_record(session: Session, digest: SessionDigest | None = None) -> dict[str, Any]:
    """A session; with its digest, also how much was observed in it."""
    return _without_nothing(
        id=session.id,
        project=session.scope.project or "",
        cwd=session.folder or "",
        startedAt=format_time(session.started_at),
        endedAt=format_time(session.ended_at) if session.ended_at else None,
        status="completed" if session.ended_at else "active",
        observationCount=digest.observations if digest else 0,
        title=session.title,
        firstPrompt=digest.ask if digest and digest.ask else None,
        summary=digest.outcome if digest and digest.outcome else None,
        agentId=session.scope.agent,
        commitShas=[each.sha for each in session.commits] or None,
    )


def summary_record(digest: SessionDigest) -> dict[str, Any]:
    """A session in short, as its summaries are."""
    session = digest.session
    return {
        "sessionId": session.id,
        "project": session.scope.project or "",
        "createdAt": format_time(session.ended_at or session.started_at),
        "title": session.title or digest.ask[:80] or "Session summary",
        "narrative": digest.outcome or digest.ask,
        "keyDecisions": list(digest.open_ends),
        "filesModified": [each.name for each in digest.files],
        "concepts": [each.name for each in digest.commands],
        "observationCount": digest.observations,
    }


def observation_record(observed: Observation) -> dict[str, Any]:
    """An observation with the fields of theirs that ours has."""
    acted = "command_run" if observed.activity == "command" else observed.activity and observed.activity.value
    is_prompt = observed.kind is ObservationKind.PROMPT
    return _without_nothing(
        id=observed.id,
        sessionId=observed.session_id,
        timestamp=format_time(observed.observed_at),
        type=_OBSERVED.get(observed.kind) or ("web_fetch" if acted == "web" else acted or "other"),
        title=(observed.title or observed.text)[:80],
        facts=[],
        narrative=observed.text[:400],
        concepts=[],
        files=list(observed.files),
        importance=5,
        confidence=0.3,
        hookType=_HOOKS.get(observed.kind, "post_tool_use"),
        toolOutput=None if is_prompt else observed.text,
        userPrompt=observed.text if is_prompt else None,
        agentId=observed.scope.agent,
        modality="mixed" if observed.attachments else None,
    )


def commit_record(commit: Commit, session_ids: Iterable[str]) -> dict[str, Any]:
    """A commit beside the sessions it was made in."""
    return {
        "sha": commit.sha,
        "shortSha": commit.sha[:7],
        "branch": commit.branch,
        "message": commit.message,
        "sessionIds": list(session_ids),
        "linkedAt": format_time(commit.at),
    }


def replay_event(beat: Beat) -> dict[str, Any]:
    """One moment of a replay."""
    seen = observation_record(beat.observation)
    kinds = {"conversation": "prompt", "error": "tool_error"}
    return _without_nothing(
        id=seen["id"],
        kind=kinds.get(seen["type"], "tool_call"),
        label=seen["title"],
        offsetMs=beat.offset,
        ts=seen["timestamp"],
        body=beat.observation.text,
        toolOutput=seen.get("toolOutput"),
    )


def frames_of(happening: Happening) -> list[dict[str, Any]]:
    """The frames that a viewer is sent of a change: those of its server, each with what its own viewer reads."""
    if happening.observation is None:
        return []
    seen = observation_record(happening.observation)
    session = happening.observation.session_id
    return [
        {
            "type": f"{name}_observation",
            "event_type": "create",
            "sessionId": session,
            "data": {"type": name, "observation": seen, "sessionId": session},
        }
        for name in ("raw", "compressed")
    ]


# -- answers to questions ----------------------------------------------------------------------------------------------


def hit_record(hit: Hit) -> dict[str, Any]:
    """A hit as an observation, which is what every record is in its searches."""
    if hit.observation is not None:
        return observation_record(hit.observation)
    if hit.note is None:
        return {}
    kept = memory_record(hit.note)
    return {
        **{name: kept[name] for name in ("id", "title", "type", "concepts", "files")},
        "sessionId": hit.note.scope.session or "memory",
        "timestamp": kept["createdAt"],
        "narrative": hit.note.text,
        "facts": [],
        "importance": kept["strength"],
        "confidence": hit.note.confidence,
    }


def compact_record(hit: Hit) -> dict[str, Any]:
    """A hit in few words; its id leads to the rest."""
    whole = hit_record(hit)
    return {
        "obsId": whole["id"],
        "sessionId": whole["sessionId"],
        "title": whole["title"],
        "type": whole["type"],
        "score": hit.score,
        "timestamp": whole["timestamp"],
    }


def audit_record(entry: AuditEntry) -> dict[str, Any]:
    """An entry of the audit trail."""
    return {
        "id": str(entry.seq),
        "timestamp": format_time(entry.at),
        "operation": entry.reason,
        "userId": entry.principal,
        "functionId": entry.channel,
        "details": {"summary": entry.summary, "digest": entry.digest},
    }


def _without_nothing(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
