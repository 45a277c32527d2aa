"""Memories as mem0 shows them, and its calls on verbs of ours: what every way to speak mem0 shares.

A memory is a note. A message from which not everything was learned can be found as well: it is a memory whose id is
that of the message, and can be read and deleted, but not changed.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from recollect.dialects.conversation import loose_messages, note_or_message, unlearned, words_of
from recollect.dialects.mem0.mem0_filters import EVENT, OWN, SCOPE, day_after, joined, moment_of, where_of
from recollect.dialects.pages import between, confirmed, every
from recollect.dialects.shapes import shaped
from recollect.dialects.tool import Doer
from recollect.domain.answers.recollections import Hit, Remembered
from recollect.domain.clock import SystemClock, checked_id, format_time, uuid_of
from recollect.domain.errors import InvalidInput, NotFound
from recollect.domain.notes import Note, State, of_callers
from recollect.domain.observations import Observation

MOST_PER_PAGE = 1000
_CLOCK = SystemClock()  # of the ids of events, which no engine keeps
_EVENTS = {"added": "ADD", "superseded": "UPDATE", "corrected": "UPDATE", "historical": "ADD", "disputed": "ADD"}
_VERDICTS = {"POSITIVE": "useful", "NEGATIVE": "wrong", "VERY_NEGATIVE": "wrong"}
_STILL_THERE = [State.ACTIVE.value, State.DISPUTED.value, State.EXPIRED.value]
_SHOWN = "id=id|uuid memory=text user_id=scope.user agent_id=scope.agent app_id=scope.project created_at=recorded_at"
_TYPES = {"user": "user_id", "agent": "agent_id", "app": "app_id", "run": "run_id"}


# -- writing -----------------------------------------------------------------------------------------------------------


def add(doer: Doer, given: Mapping[str, Any]) -> dict[str, Any]:
    """Remember messages: word for word with `infer` false, and otherwise what can be learned from them."""
    messages = loose_messages(given.get("messages"))
    scope, event = identity(given), uuid_of(_CLOCK.new_id())
    own = {"event_id": event, **({"run_id": scope["session"]} if "session" in scope else {})}
    about = {**scope, "metadata": {**_object(given, "metadata"), OWN: own}}
    fields = _fields(given)
    if given.get("infer") is False or given.get("memory_type") == "procedural_memory":
        kind = "procedural" if given.get("memory_type") == "procedural_memory" else None
        said = [each for each in messages if each.get("role") != "system" and words_of(each).strip()]
        results = [_as_said(doer, each, {**about, **fields, "kind": kind}) for each in said]
    else:
        at = {"at": fields["occurred_at"]} if "occurred_at" in fields else {}
        heard: Remembered = doer.do("add", {"messages": messages, **at, **about})
        results = [*_learned(doer, heard, fields), *_kept_whole(doer, heard, {**about, **fields})]
    return {"event_id": event, "results": results}


def update(doer: Doer, memory_id: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Correct a memory. Every earlier version stays in its history."""
    known = _note(doer, memory_id)
    text = given.get("text", given.get("data"))
    said: dict[str, Any] = {"note_id": known.id, "text": text, **_fields(given)}
    clear = [name for name, theirs in (("expires_at", "expiration_date"),) if theirs in given and given[theirs] is None]
    if text is not None and text != known.text and known.value is not None:
        clear.append("value")  # the new words may speak of another one
    if given.get("metadata") is not None:
        kept = {OWN: known.metadata[OWN]} if OWN in known.metadata else {}
        said["metadata"] = {**_object(given, "metadata"), **kept}
    if len([value for value in said.values() if value is not None]) == 1 and not clear:
        raise InvalidInput(
            "At least one of text, metadata, timestamp, or expiration_date must be provided.", code="field_missing"
        )
    return memory_of(doer.do("update", {**said, "clear": clear or None}))


def delete(doer: Doer, memory_id: str, *, linked: bool = False) -> None:
    """Erase a memory, and with `linked` what was derived from it."""
    doer.do("forget", {"note_id": memory_id, "cascade": linked})


def delete_all(doer: Doer, given: Mapping[str, Any]) -> None:
    """Erase every memory of these ids: all of a user or an agent with their messages, or what has several at once."""
    asked = {theirs: given[theirs] for theirs in SCOPE if given.get(theirs)}
    if not asked:
        raise InvalidInput(
            "At least one filter is required to delete all memories.",
            code="field_missing",
            hint="Give user_id, agent_id, app_id or run_id; reset deletes everything.",
        )
    if len(asked) == 1 and (whose := next(iter(asked))) in ("user_id", "agent_id"):
        reset(doer, **{SCOPE[whose]: asked[whose]})
        return
    confirmed(doer, "forget-all", {"where": where_of(asked)})
    if list(asked) == ["run_id"]:
        for said in _of_session(doer, asked["run_id"]):
            doer.do("forget", {"note_id": said})


def reset(doer: Doer, **whose: str) -> None:
    """Erase everything of a user or an agent, or of the whole space."""
    confirmed(doer, "reset", whose)


def feedback(doer: Doer, given: Mapping[str, Any]) -> dict[str, Any]:
    """Say whether a memory was of use."""
    said = str(given.get("feedback") or "").upper()
    if said not in _VERDICTS:
        raise InvalidInput(
            "`feedback` must be POSITIVE, NEGATIVE or VERY_NEGATIVE.",
            code="invalid_field",
            hint="A verdict that was given is kept in the history of the memory, and cannot be taken away.",
        )
    remark = given.get("feedback_reason")
    note = doer.do("feedback", {"note_id": given.get("memory_id"), "verdict": _VERDICTS[said], "remark": remark})
    return {"id": uuid_of(note.id), "feedback": said, "feedback_reason": remark}


# -- reading -----------------------------------------------------------------------------------------------------------


def get(doer: Doer, memory_id: str) -> dict[str, Any]:
    """One memory by its id."""
    return memory_of(note_or_message(doer, memory_id))


def get_all(doer: Doer, given: Mapping[str, Any], *, page: int = 1, size: int = 100) -> dict[str, Any]:
    """A page of memories, newest first, and how many there are."""
    if page < 1 or not 1 <= size <= MOST_PER_PAGE:
        raise InvalidInput(f"`page` is from 1 on, `page_size` from 1 to {MOST_PER_PAGE}.", code="invalid_number")
    which, first, end = {"where": _where(given)}, (page - 1) * size, page * size
    total = doer.do("list", {**which, "limit": 1, "total": True}).total or 0
    notes = between(doer, "list", which, first, end) if first < total else []
    there = f"?page={{}}&page_size={size}"
    return {
        "count": total,
        "next": there.format(page + 1) if end < total else None,
        "previous": there.format(page - 1) if page > 1 else None,
        "results": [memory_of(note) for note in notes],
    }


def search(doer: Doer, given: Mapping[str, Any], *, most: int = 10) -> dict[str, Any]:
    """The memories that answer a query, best first, each with a score from 0 to 1."""
    query = given.get("query")
    if not isinstance(query, str) or not query.strip():
        raise InvalidInput("Invalid query: must be a non-empty string.", code="field_missing")
    limit, threshold = given.get("top_k", given.get("limit")), given.get("threshold")
    asked = {"query": query.strip(), "limit": most if limit is None else limit, "where": _where(given)}
    found, least = doer.do("search", asked), 0.1 if threshold is None else threshold
    if isinstance(least, bool) or not isinstance(least, int | float) or not 0 <= least <= 1:
        raise InvalidInput("`threshold` must be a number from 0 to 1.", code="invalid_number")
    results = [_found(hit, explain=given.get("explain") is True) for hit in found.hits]
    return {"results": [each for each in results if each["score"] >= least]}


def history(doer: Doer, memory_id: str) -> list[dict[str, Any]]:
    """The changes of a memory and of those it took over from, oldest first."""
    there = note_or_message(doer, memory_id)
    if isinstance(there, Observation):
        return [_event(there, None, "ADD")]
    told: list[dict[str, Any]] = []
    before: str | None = None
    for step in doer.do("history", {"note_id": there.id}).steps:
        for version in step.versions:
            if version.text != before:
                told.append(_event(version, before, "ADD" if before is None else "UPDATE"))
                before = version.text
            elif version.state is State.RETRACTED:
                told.append({**_event(version, before, "DELETE"), "new_memory": None, "is_deleted": True})
    return told


def entities(doer: Doer) -> list[dict[str, Any]]:
    """The users, agents, apps and runs that there are memories of, with how many."""
    counted = doer.do("count", {"by": ["user", "agent", "project", "session"]}).by
    found: dict[tuple[str, str], int] = {}
    for kind, theirs in _TYPES.items():
        for name, many in counted[SCOPE[theirs]].items():
            if name:
                found[kind, name] = many
    for session in doer.do("sessions", {"limit": MOST_PER_PAGE}).items:
        if _named_run(session.id):
            found.setdefault(("run", session.id), 0)
    return [
        {"id": f"{kind}:{name}", "name": name, "type": kind, "total_memories": many}
        for (kind, name), many in found.items()
    ]


def delete_entity(doer: Doer, kind: str, name: str) -> None:
    """Erase everything of a user, an agent, an app or a run."""
    if kind not in _TYPES:
        raise NotFound(
            f"There are no entities of type `{kind[:60]}`.", code="entity_not_found", hint="See `/v1/entities/`."
        )
    delete_all(doer, {_TYPES[kind]: name})


def event(doer: Doer, event_id: str) -> dict[str, Any]:
    """The outcome of an `add`: it is done when the answer to it goes out, so every event has succeeded."""
    made = doer.do("list", {"where": {EVENT: event_id}, "limit": MOST_PER_PAGE}).items
    if not made:
        raise NotFound("There is no such event, or nothing came of it.", code="event_not_found")
    results = [{"id": uuid_of(note.id), "event": "ADD", "data": {"memory": note.text}} for note in reversed(made)]
    begun, ended = format_time(made[-1].recorded_at), format_time(made[0].updated_at)
    told = {"id": event_id, "event_type": "ADD", "status": "SUCCEEDED", "results": results}
    return {**told, "created_at": begun, "updated_at": ended}


def profile(doer: Doer, user: str) -> dict[str, Any]:
    """The attributes known of a user now."""
    found = doer.do("profile", {"user": user})
    told = {"profile": {each.attribute: list(each.values) for each in found.fields}, "summary": found.prose}
    told |= {"status": "succeeded" if found.fields else "insufficient_data", "entity_type": "user", "entity_id": user}
    return {**told, "updated_at": None, "generation_count": 1 if found.fields else 0}


# -- shapes ------------------------------------------------------------------------------------------------------------


def memory_of(record: Note | Observation) -> dict[str, Any]:
    """A note, or a message, as mem0 shows a memory."""
    own = record.metadata.get(OWN)
    run = own.get("run_id") if isinstance(own, Mapping) else None
    shown = {name: value for name, value in of_callers(record.metadata).items() if name != OWN}
    if run is None:
        session = record.scope.session if isinstance(record, Note) else record.session_id
        run = session if session and _named_run(session) else None
    expires = record.expires_at if isinstance(record, Note) else None
    return shaped(
        record,
        f"{_SHOWN} updated_at={'updated_at' if isinstance(record, Note) else 'recorded_at'}",
        hash=hashlib.md5(record.text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest(),
        run_id=run,
        metadata=shown or None,
        categories=list(record.tags) if isinstance(record, Note) else [],
        expiration_date=format_time(expires - timedelta(microseconds=1))[:10] if expires else None,
        **({"role": record.role} if isinstance(record, Observation) else {}),
    )


def identity(given: Mapping[str, Any]) -> dict[str, str]:
    """The parts of a scope that a call names, at its top or among its filters."""
    filters = given.get("filters")
    beside = filters if isinstance(filters, Mapping) else {}
    said = {ours: given.get(theirs) or beside.get(theirs) for theirs, ours in SCOPE.items()}
    return {name: value for name, value in said.items() if value is not None}


def _found(hit: Hit, *, explain: bool) -> dict[str, Any]:
    record = hit.note or hit.observation
    if record is None:
        raise AssertionError("a hit is a note or a message")
    why = {"score_details": {"why": list(hit.why), "said": hit.sentence or None}} if explain else {}
    return {**memory_of(record), "score": round(hit.score / (1 + hit.score), 6) if hit.score > 0 else 0.0, **why}


def _event(record: Note | Observation, before: str | None, event: str) -> dict[str, Any]:
    shown = memory_of(record)
    version = record.version if isinstance(record, Note) else 1
    event_id = str(uuid.uuid5(uuid.UUID(shown["id"]), str(version)))
    told = {"id": event_id, "memory_id": shown["id"], "old_memory": before, "new_memory": record.text, "event": event}
    same = ("user_id", "agent_id", "app_id", "run_id", "metadata", "categories", "created_at", "updated_at")
    return {**told, "input": [], "is_deleted": False, **{name: shown[name] for name in same}}


# -- inside ------------------------------------------------------------------------------------------------------------


def _learned(doer: Doer, heard: Remembered, fields: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for each in heard.learned:
        if each.note is None or each.action not in _EVENTS:
            continue
        if later := {name: value for name, value in fields.items() if name != "occurred_at"}:
            doer.do("update", {"note_id": each.note.id, **later})
        yield _result(each.note, _EVENTS[each.action])


def _kept_whole(doer: Doer, heard: Remembered, about: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Messages of a person that nothing was learned from become memories in their own words, unless they only ask."""
    for message in unlearned(doer, heard):
        at = {"occurred_at": format_time(message.observed_at)}
        fields = {**at, **{name: value for name, value in about.items() if name != "session"}}
        yield _result(doer.do("save", {"text": message.text, "derived_from": [message.id], **fields}), "ADD")


def _as_said(doer: Doer, message: Mapping[str, Any], about: Mapping[str, Any]) -> dict[str, Any]:
    own = {**about["metadata"][OWN], "role": message.get("role")}
    fields = {**about, "metadata": {**about["metadata"], OWN: own}}
    return {**_result(doer.do("save", {"text": words_of(message), **fields}), "ADD"), "role": message.get("role")}


def _result(note: Note, event: str) -> dict[str, Any]:
    return {"id": uuid_of(note.id), "memory": note.text, "data": {"memory": note.text}, "event": event}


def _fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a note that a call may carry besides its words."""
    found: dict[str, Any] = {}
    if given.get("timestamp") is not None:
        found["occurred_at"] = moment_of(given["timestamp"], "timestamp")
    if given.get("expiration_date") is not None:
        found["expires_at"] = day_after(given["expiration_date"], "expiration_date")
    if isinstance(given.get("categories"), list):
        found["tags"] = given["categories"]
    return found


def _where(given: Mapping[str, Any]) -> dict[str, Any] | None:
    """The filter of a read: its filters, ids beside them, and what else narrows it."""
    beside = {theirs: given[theirs] for theirs in SCOPE if given.get(theirs) is not None}
    range_ = {op: given[name] for name, op in (("start_date", "gte"), ("end_date", "lte")) if given.get(name)}
    return joined(
        where_of(given.get("filters") or {}),
        where_of(beside),
        where_of({"categories": {"in": given["categories"]}}) if given.get("categories") else {},
        where_of({"metadata": given["metadata"]}) if given.get("metadata") else {},
        where_of({"created_at": range_}) if range_ else {},
        {"state": _STILL_THERE} if given.get("show_expired") is True else {},
    )


def _note(doer: Doer, memory_id: str) -> Note:
    found = note_or_message(doer, memory_id)
    if isinstance(found, Observation):
        raise InvalidInput(
            "This memory is a message, kept word for word.", code="is_message", hint="Delete it, or add what is right."
        )
    return found


def _of_session(doer: Doer, session: str) -> list[str]:
    """The ids of all messages of a run; none if nothing was ever said in it."""
    try:
        return [beat.observation.id for beat in every(doer, "replay", {"session_id": session})]
    except NotFound:
        return []


def _named_run(session_id: str) -> bool:
    """Whether a session was named by a client; one that nobody named has an id of ours."""
    try:
        checked_id(session_id)
    except InvalidInput:
        return True
    return False


def _object(given: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = given.get(name)
    if found is not None and not isinstance(found, Mapping):
        raise InvalidInput(f"`{name}` must be an object.", code="invalid_metadata")
    return {key: value for key, value in (found or {}).items() if key != OWN}
