"""Pure: records as agentmemory writes them, from values of ours; and fields of ours from what its clients send."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from recollect.dialects.arguments import texts
from recollect.dialects.client_records import HOOK_OF, OBSERVED_AS, public
from recollect.dialects.shapes import pairs, shaped, some, sparse
from recollect.domain.answers.recollections import Hit
from recollect.domain.answers.sessions import Beat, Happening, SessionDigest
from recollect.domain.changes import AuditEntry
from recollect.domain.desk import Action, ActionStatus, Lesson, Slot, reinforcements_of
from recollect.domain.errors import InvalidInput
from recollect.domain.notes import Note, State
from recollect.domain.observations import Commit, Observation, ObservationKind, Session

VERSION = "0.9.29"  # of the server whose answers these are
_TYPES = ("pattern", "preference", "architecture", "bug", "workflow", "fact")
_KINDS = {"workflow": "procedural", "pattern": "pattern"}
# Of several words for one status the first is told.
_STATUSES = pairs(
    "pending=open open=open in_progress=active active=active blocked=blocked done=done completed=done "
    "cancelled=dropped dropped=dropped"
)
_WHEN = "createdAt=recorded_at updatedAt=updated_at"


def tokens(text: str) -> int:
    """The size of a text as agentmemory estimates it."""
    return -(-len(text) // 3)


# -- memories ----------------------------------------------------------------------------------------------------------


def memory_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the note that a memory is kept as."""
    type_ = given["type"] if given.get("type") in _TYPES else "fact"
    days, files = given.get("ttlDays"), texts(given.get("files"))
    fields = {
        "text": public(given["content"]),
        "kind": _KINDS.get(type_, "semantic"),
        "tags": list(dict.fromkeys((type_, *texts(given.get("concepts")))))[:20],
        "derived_from": texts(given.get("sourceObservationIds")),
        "metadata": {"files": files} if files else None,
        "ttl": f"{days}d" if isinstance(days, int) and days > 0 else None,
    }
    fields |= some(given, title="title", project="project", agent="agentId", session="sessionId")
    return {name: value for name, value in fields.items() if value}


def memory_record(note: Note) -> dict[str, Any]:
    """A note as a memory. The first of its tags that names a type of memory is its type."""
    type_ = next((tag for tag in note.tags if tag in _TYPES), "fact")
    files = note.metadata.get("files")
    told = shaped(
        note,
        f"id {_WHEN} content=text version supersedes sourceObservationIds=derived_from agentId=scope.agent "
        "project=scope.project forgetAfter=erase_at",
        type=type_,
        title=note.title or note.text[:80],
        concepts=[tag for tag in note.tags if tag != type_],
        files=files if isinstance(files, list) else [],
        sessionIds=[note.scope.session] if note.scope.session else [],
        strength=round(note.importance * 10),
        parentId=note.supersedes[0] if note.supersedes else None,
        isLatest=note.state is State.ACTIVE,
    )
    return sparse(**told)


# -- lessons, slots, actions -------------------------------------------------------------------------------------------


def lesson_record(lesson: Lesson | Note) -> dict[str, Any]:
    """A lesson; its confidence is what is left of it today."""
    note = lesson.note if isinstance(lesson, Lesson) else lesson
    context = note.metadata.get("context")
    return shaped(
        note,
        f"id content=text sourceIds=derived_from project=scope.project tags {_WHEN}",
        context=context if isinstance(context, str) else "",
        confidence=lesson.confidence,
        reinforcements=reinforcements_of(note),
        source="manual",
        decayRate=0.05,
    )


def slot_record(slot: Slot) -> dict[str, Any]:
    """A slot: of a project, or for all of them, which is called global there."""
    fields = "label content=text sizeLimit=limit description pinned version updatedAt=updated_at"
    owned = {"scope": "project", "project": slot.project} if slot.project else {"scope": "global"}
    return shaped(slot, fields, **owned)


def action_status(said: Any) -> str:
    """A status of ours for one of theirs."""
    if not isinstance(said, str) or said not in _STATUSES:
        raise InvalidInput(f"`status` is one of {', '.join(_STATUSES)}.", code="invalid_choice")
    return ActionStatus(_STATUSES[said]).value


def action_record(action: Action) -> dict[str, Any]:
    """An action; the first line of its text is its title."""
    title, _, description = action.text.partition("\n")
    status = next(theirs for theirs, ours in _STATUSES.items() if ours == action.status)
    fields = "id priority requires=depends_on project createdAt=created_at updatedAt=updated_at"
    return shaped(action, fields, title=title, description=description, status=status, tags=[])


# -- sessions ----------------------------------------------------------------------------------------------------------


def session_record(session: Session, digest: SessionDigest | None = None) -> dict[str, Any]:
    """A session; with its digest, also how much was observed in it."""
    told = shaped(
        session,
        "id project=scope.project|text cwd=folder|text startedAt=started_at endedAt=ended_at title agentId=scope.agent",
        status="completed" if session.ended_at else "active",
        observationCount=digest.observations if digest else 0,
        firstPrompt=(digest and digest.ask) or None,
        summary=(digest and digest.outcome) or None,
        commitShas=[each.sha for each in session.commits] or None,
    )
    return sparse(**told)


def summary_record(digest: SessionDigest) -> dict[str, Any]:
    """A session in short, as its summaries are."""
    session = digest.session
    return shaped(
        digest,
        "sessionId=session.id project=session.scope.project|text keyDecisions=open_ends observationCount=observations",
        **shaped(session, f"createdAt={'ended_at' if session.ended_at else 'started_at'}"),
        title=session.title or digest.ask[:80] or "Session summary",
        narrative=digest.outcome or digest.ask,
        filesModified=[each.name for each in digest.files],
        concepts=[each.name for each in digest.commands],
    )


def observation_record(observed: Observation) -> dict[str, Any]:
    """An observation with the fields of theirs that ours has."""
    acted = observed.activity and observed.activity.value
    done = {"command": "command_run", "web": "web_fetch"}.get(acted or "", acted or "other")
    told = shaped(
        observed,
        "id sessionId=session_id timestamp=observed_at files agentId=scope.agent",
        type=OBSERVED_AS.get(observed.kind, done),
        title=(observed.title or observed.text)[:80],
        narrative=observed.text[:400],
        hookType=HOOK_OF.get(observed.kind, "post_tool_use"),
        modality="mixed" if observed.attachments else None,
        **{"userPrompt" if observed.kind is ObservationKind.PROMPT else "toolOutput": observed.text},
    )
    return {**sparse(**told), "facts": [], "concepts": [], "importance": 5, "confidence": 0.3}


def commit_record(commit: Commit, session_ids: Iterable[str]) -> dict[str, Any]:
    """A commit beside the sessions it was made in."""
    return shaped(commit, "sha branch message linkedAt=at", shortSha=commit.sha[:7], sessionIds=list(session_ids))


def replay_event(beat: Beat) -> dict[str, Any]:
    """One moment of a replay."""
    seen = observation_record(beat.observation)
    kind = {"conversation": "prompt", "error": "tool_error"}.get(seen["type"], "tool_call")
    told = shaped(beat, "offsetMs=offset body=observation.text", kind=kind, toolOutput=seen.get("toolOutput"))
    return sparse(**told, id=seen["id"], label=seen["title"], ts=seen["timestamp"])


def frames_of(happening: Happening) -> list[dict[str, Any]]:
    """The frames that a viewer is sent of a change: those of its server, each with what its own viewer reads."""
    if happening.observation is None:
        return []
    told = {"observation": observation_record(happening.observation), "sessionId": happening.observation.session_id}
    event = {"event_type": "create", "sessionId": happening.observation.session_id}
    return [{"type": f"{name}_observation", **event, "data": {"type": name, **told}} for name in ("raw", "compressed")]


# -- answers to questions ----------------------------------------------------------------------------------------------


def any_record(found: Note | Observation) -> dict[str, Any]:
    """A memory or an observation."""
    return memory_record(found) if isinstance(found, Note) else observation_record(found)


def hit_record(hit: Hit) -> dict[str, Any]:
    """A hit as an observation, which is what every record is in its searches."""
    if hit.observation is not None:
        return observation_record(hit.observation)
    if hit.note is None:
        return {}
    kept = memory_record(hit.note)
    renamed = {"timestamp": kept["createdAt"], "importance": kept["strength"], "facts": []}
    same = {name: kept[name] for name in ("id", "title", "type", "concepts", "files")}
    return {
        **same,
        **renamed,
        **shaped(hit.note, "narrative=text confidence", sessionId=hit.note.scope.session or "memory"),
    }


def compact_record(hit: Hit) -> dict[str, Any]:
    """A hit in few words; its id leads to the rest."""
    whole = hit_record(hit)
    same = {name: whole[name] for name in ("sessionId", "title", "type", "timestamp")}
    return {"obsId": whole["id"], "score": hit.score, **same}


def audit_record(entry: AuditEntry) -> dict[str, Any]:
    """An entry of the audit trail."""
    told = shaped(entry, "timestamp=at operation=reason userId=principal functionId=channel", id=str(entry.seq))
    return {**told, "details": shaped(entry, "summary digest")}
