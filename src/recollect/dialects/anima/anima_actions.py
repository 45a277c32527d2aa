"""The operations of Anima on verbs of ours: one for its HTTP paths, its tools, and its Python class."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from recollect.dialects.anima import anima_records as items
from recollect.dialects.tool import Doer
from recollect.domain.clock import Clock
from recollect.domain.errors import InvalidInput, NotFound, RecollectError
from recollect.domain.handles.uuids import bits_of
from recollect.domain.notes import Note, State
from recollect.domain.observations import Standing

_EVER = ["active", "disputed", "superseded", "expired"]
_HELD = ["active", "disputed"]
_AT_A_TIME = 1000  # notes of a page while a place in a list is looked for
_MOST_SKIPPED = 100_000
_LOOKED_UP = 50  # notes of a page whose successor is asked for by itself
_MOST_CHUNKS = 10_000


def add(doer: Doer, content: str, user: str, **more: Any) -> dict[str, Any]:
    """Listen to a turn of a conversation: the facts in it, or the message itself as one, unless it only asks."""
    if not content.strip():
        return {"saved_count": 0, "memories": []}
    where = _where(user, **more)
    turns = items.turns_of(content)
    told = doer.do("add", {"messages": turns, **where})
    notes = {each.note.id: each.note for each in told.learned if each.note is not None}
    if not notes:
        said = [each for one in told.observation_ids if (each := _observation(doer, one))]
        spoken = [each for each in said if each.role == "user" and each.standing is not Standing.ASKED]
        for each in spoken:
            note = _kept(doer, each.text, each.id, where)
            notes[note.id] = note
    return {"saved_count": len(notes), "memories": _items(doer, list(notes.values()))}


def search(doer: Doer, query: str, user: str, top_k: int = 10, *, history: bool = False) -> dict[str, Any]:
    """The facts, messages and passages that answer, and the block of text that says them."""
    asking: dict[str, Any] = {"query": query, "user": user, "limit": top_k}
    hits = list(_found(doer, "search", asking))
    if history:
        known = {hit.id for hit in hits}
        older = _found(doer, "search", {**asking, "where": {"state": _EVER}})
        hits = sorted([*hits, *(hit for hit in older if hit.id not in known)], key=lambda hit: -hit.score)[:top_k]
    facts = _items(doer, [hit.note for hit in hits if hit.note])
    for each in facts:
        if each["valid_until"]:
            each["content"] = f"{items.HISTORICAL}{each['content']}"
    said = [hit.observation for hit in hits if hit.observation]
    episodes = [items.episode_of(each) for each in said if not items.is_chunk(each)]
    chunks = [items.chunk_of(each) for each in said if items.is_chunk(each)]
    return {
        "facts": facts,
        "episodes": episodes,
        "chunks": chunks,
        "injected_prompt": items.injected_prompt(facts, episodes, chunks),
        "count": len(facts) + len(episodes) + len(chunks),
    }


def listed(doer: Doer, user: str, offset: int = 0, limit: int = 50, *, superseded: bool = True) -> dict[str, Any]:
    """One page of a user's facts, oldest first. Our lists begin with the newest: it is counted from the end."""
    which = {"user": user, "where": {"state": _EVER if superseded else _HELD}}
    total = _total(doer, which)
    last = total - offset
    notes = _slice(doer, which, max(0, last - limit), max(0, last))
    notes.sort(key=lambda note: (note.recorded_at, note.id))  # ids of Anima's own do not go by time
    return {
        "items": _items(doer, notes),
        "total": total,
        "offset": offset,
        "limit": limit,
        "has_more": offset + len(notes) < total,
    }


def found(doer: Doer, memory_id: str, user: str | None = None) -> dict[str, Any] | None:
    """One fact; `None` where there is none, or none of this user."""
    note = _note(doer, memory_id, user)
    return _items(doer, [note])[0] if note else None


def deleted(doer: Doer, memory_id: str, user: str | None = None) -> bool:
    """Erase one fact, with all versions and what it was read from; whether there was one."""
    note = _note(doer, memory_id, user)
    if note is not None:
        doer.do("forget", {"note_id": note.id})
    return note is not None


def pinned(doer: Doer, memory_id: str, user: str | None = None) -> dict[str, Any] | None:
    """Keep one fact for good: it neither fades nor ends."""
    note = _note(doer, memory_id, user)
    if note is None:
        return None
    if note.erase_at or note.expires_at:
        doer.do("update", {"note_id": note.id, "clear": ["ttl", "expires_at"]})
    return _items(doer, [doer.do("pin", {"note_id": note.id})])[0]


def profile(doer: Doer, user: str, clock: Clock) -> dict[str, Any] | None:
    """The profile of a user; `None` if nothing is known. It is read from the facts each time, so it is never behind."""
    count = _total(doer, {"user": user, "where": {"state": _HELD}})
    return (
        items.user_profile(user, _found(doer, "profile", {"user": user}) or None, count, clock.now()) if count else None
    )


def stats(doer: Doer, user: str) -> dict[str, Any]:
    """Counts of facts: by their state, kind and attribute, and by the day on which they came."""
    which = {"user": user, "where": {"state": _EVER}, "by": ["state", "kind", "attribute", "day"]}
    counted = _found(doer, "count", which)
    by: Mapping[str, Any] = counted.by if counted else {}
    states = by.get("state", {})
    current = sum(states.get(each, 0) for each in _HELD)
    total = counted.total if counted else 0
    return {
        "total": total,
        "current": current,
        "superseded": total - current,
        "pinned": _total(doer, {"user": user, "pinned": True}),
        "by_kind": dict(by.get("kind", {})),
        "by_attribute": {name: many for name, many in by.get("attribute", {}).items() if name},
        "timeline": [{"date": day, "count": many} for day, many in by.get("day", {}).items()],
    }


def ingest_file(doer: Doer, file_path: str, namespace: str, user: str, **more: Any) -> dict[str, Any]:
    """Take a file in, passage by passage. The same file again brings no second copy of anything."""
    where = _where(user, metadata={"namespace": namespace}, **more)
    told = doer.do("ingest", {"path": file_path, **where})
    for failure in told.failures:
        raise InvalidInput(failure.message, code=failure.code)
    chunks: list[dict[str, Any]] = []
    for session in told.session_ids:
        cursor: str | None = ""
        while cursor is not None and len(chunks) < _MOST_CHUNKS:
            part = doer.do("replay", {"session_id": session, "limit": 200, **({"cursor": cursor} if cursor else {})})
            if part.session.scope.user != user:
                raise InvalidInput("This file was taken in for another user.", code="file_of_another")
            chunks += [items.chunk_of(beat.observation) for beat in part.beats]
            cursor = part.next_cursor
    return {"chunks_saved": len(chunks), "memories": chunks}


def exported(doer: Doer, user: str, clock: Clock) -> dict[str, Any]:
    """Everything of a user, history included."""
    page = listed(doer, user, 0, _MOST_SKIPPED)
    return items.export_of(user, page["items"], profile(doer, user, clock), clock.now())


def imported(doer: Doer, export: Mapping[str, Any], space: str, *, trust: bool = False) -> Any:
    """Take an export in, with its ids and its history; what is here already is left alone. The report of `import`."""
    import json

    lines = [json.dumps(each) for each in items.lines_of(export, space)]
    return doer.do("import", {"lines": lines, "trust": trust, "space": space})


def related(doer: Doer, entity: str, user: str | None) -> list[str]:
    """The neighbours of an entity, as `Name (relationship)`; those that point to it come first."""
    which = {**({"user": user} if user else {}), "limit": _AT_A_TIME}
    pointing = _found(doer, "list", {**which, "where": {"value": entity}})
    own = _found(doer, "list", {**which, "subject": entity})
    told = [f"{note.subject} ({note.attribute})" for note in pointing if note.subject and note.attribute]
    return list(dict.fromkeys([*told, *(f"{note.value} ({note.attribute})" for note in own if note.value)]))


def episodes(doer: Doer, user: str) -> list[dict[str, Any]]:
    """The last messages of a user, oldest first."""
    around = {"anchor": "9999-01-01", "before": 200, "after": 0, "where": {"user": user}}
    said = _found(doer, "timeline", around)
    return [items.episode_of(each) for each in (said.before if said else ())]


def _where(user: str, **more: Any) -> dict[str, Any]:
    """The place of something that is told: whose it is, in which session, and for how long."""
    metadata = dict(more.get("metadata") or {})
    if more.get("session"):
        metadata["session_id"] = more["session"]
    days = more.get("ttl_days")
    told = {
        "user": user,
        "agent": more.get("agent"),
        "session": more.get("in_session") or more.get("session"),
        "metadata": metadata or None,
        "ttl": None if days is None else f"{max(1, round(float(days) * 1440))}m",
    }
    return {name: value for name, value in told.items() if value is not None}


def _kept(doer: Doer, text: str, said: str, where: Mapping[str, Any]) -> Note:
    """A message as a fact of its own, under a key made of its words: the same again strengthens it."""
    words = " ".join(text.casefold().split())
    key = f"anima/{hashlib.sha256(words.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"
    fields = {name: value for name, value in where.items() if name != "session"}
    note: Note = doer.do("save", {"text": text, "key": key, "derived_from": [said], **fields})
    return note


def _observation(doer: Doer, observation_id: str) -> Any:
    return doer.do("timeline", {"anchor": observation_id, "before": 0, "after": 0}).found


def _note(doer: Doer, memory_id: str, user: str | None) -> Note | None:
    """The note of an id, if it is there and of this user."""
    if bits_of(memory_id) is None and len(memory_id.strip()) != 26:
        return None
    try:
        note: Note = doer.do("get", {"note_id": memory_id})
    except RecollectError:
        return None
    shown = note.state is not State.RETRACTED and (user is None or note.scope.user == user)
    return note if shown else None


def _items(doer: Doer, notes: list[Note]) -> list[dict[str, Any]]:
    """Notes as items, each with what took its place, looked up for those whose successor is not beside them."""
    known = items.successors(notes)
    missing = [note for note in notes if note.state is State.SUPERSEDED and note.id not in known]
    for note in missing[:_LOOKED_UP]:
        known |= items.successors(step.note for step in doer.do("history", {"note_id": note.id}))
    return [items.item_of(note, known.get(note.id)) for note in notes]


def _total(doer: Doer, which: Mapping[str, Any]) -> int:
    counted = _found(doer, "count", which)
    return counted.total if counted else 0


def _slice(doer: Doer, which: Mapping[str, Any], start: int, end: int) -> list[Note]:
    """The notes of a list from one place to another, newest first."""
    if end > _MOST_SKIPPED:
        raise InvalidInput(f"Lists go up to {_MOST_SKIPPED:,} memories.", code="invalid_number")
    notes: list[Note] = []
    cursor: str | None = None
    seen = 0
    while seen < end:
        given = {**which, "limit": min(_AT_A_TIME, end - seen), **({"cursor": cursor} if cursor else {})}
        page = _found(doer, "list", given)
        if not page:
            break
        notes += [note for place, note in enumerate(page.items, start=seen) if place >= start]
        seen, cursor = seen + len(page.items), page.next_cursor
        if cursor is None:
            break
    return notes


def _found(doer: Doer, verb: str, given: Mapping[str, Any]) -> Any:
    """The answer of a verb; nothing in a space that nobody has written in."""
    try:
        return doer.do(verb, given)
    except NotFound as problem:
        if problem.code == "space_not_found":
            return ()
        raise
