"""The operations of Anima on verbs of ours: one for its HTTP paths, its tools, and its Python class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recollect.dialects.anima import anima_records as items
from recollect.dialects.conversation import note_of, turns_of, unlearned
from recollect.dialects.pages import MOST, all_of, between, if_there
from recollect.dialects.replacements import kept_by_words, successors_of
from recollect.dialects.shapes import sparse
from recollect.dialects.tool import Doer
from recollect.domain.clock import Clock
from recollect.domain.errors import InvalidInput
from recollect.domain.notes import Note
from recollect.remember.foreign.anima_export import anima_lines

_EVER = ["active", "disputed", "superseded", "expired"]
_HELD = ["active", "disputed"]
_MOST_SKIPPED = 100_000
_MOST_CHUNKS = 10_000


def add(doer: Doer, content: str, user: str, **more: Any) -> dict[str, Any]:
    """Listen to a turn of a conversation: the facts in it, or the message itself as one, unless it only asks."""
    if not content.strip():
        return {"saved_count": 0, "memories": []}
    where = _where(user, **more)
    told = doer.do("add", {"messages": turns_of(content), **where})
    notes = {each.note.id: each.note for each in told.learned if each.note is not None}
    if not notes:
        about = {name: value for name, value in where.items() if name != "session"}
        said = unlearned(doer, told)
        kept = [kept_by_words(doer, "anima", each.text, derived_from=[each.id], **about) for each in said]
        notes = {note.id: note for note in kept}
    return {"saved_count": len(notes), "memories": _items(doer, list(notes.values()))}


def search(doer: Doer, query: str, user: str, top_k: int = 10, *, history: bool = False) -> dict[str, Any]:
    """The facts, messages and passages that answer, and the block of text that says them."""
    asking: dict[str, Any] = {"query": query, "user": user, "limit": top_k}
    hits = list(if_there(doer, "search", asking))
    if history:
        known = {hit.id for hit in hits}
        older = if_there(doer, "search", {**asking, "where": {"state": _EVER}})
        hits = sorted([*hits, *(hit for hit in older if hit.id not in known)], key=lambda hit: -hit.score)[:top_k]
    facts = _items(doer, [hit.note for hit in hits if hit.note])
    for each in facts:
        if each["valid_until"]:
            each["content"] = f"{items.HISTORICAL}{each['content']}"
    said = [hit.observation for hit in hits if hit.observation]
    episodes = [items.episode_of(each) for each in said if not items.is_chunk(each)]
    chunks = [items.chunk_of(each) for each in said if items.is_chunk(each)]
    found = {"facts": facts, "episodes": episodes, "chunks": chunks}
    return {**found, "injected_prompt": items.injected_prompt(**found), "count": sum(map(len, found.values()))}


def listed(doer: Doer, user: str, offset: int = 0, limit: int = 50, *, superseded: bool = True) -> dict[str, Any]:
    """One page of a user's facts, oldest first. Our lists begin with the newest: it is counted from the end."""
    which = {"user": user, "where": {"state": _EVER if superseded else _HELD}}
    total = _total(doer, which)
    last = max(0, total - offset)
    if last > _MOST_SKIPPED:
        raise InvalidInput(f"Lists go up to {_MOST_SKIPPED:,} memories.", code="invalid_number")
    notes = between(doer, "list", which, max(0, last - limit), last)
    notes.sort(key=lambda note: (note.recorded_at, note.id))  # ids of Anima's own do not go by time
    page = {"total": total, "offset": offset, "limit": limit, "has_more": offset + len(notes) < total}
    return {"items": _items(doer, notes), **page}


def found(doer: Doer, memory_id: str, user: str | None = None) -> dict[str, Any] | None:
    """One fact; `None` where there is none, or none of this user."""
    note = note_of(doer, memory_id, user)
    return _items(doer, [note])[0] if note else None


def deleted(doer: Doer, memory_id: str, user: str | None = None) -> bool:
    """Erase one fact, with all versions and what it was read from; whether there was one."""
    note = note_of(doer, memory_id, user)
    if note is not None:
        doer.do("forget", {"note_id": note.id})
    return note is not None


def pinned(doer: Doer, memory_id: str, user: str | None = None) -> dict[str, Any] | None:
    """Keep one fact for good: it neither fades nor ends."""
    note = note_of(doer, memory_id, user)
    if note is None:
        return None
    if note.erase_at or note.expires_at:
        doer.do("update", {"note_id": note.id, "clear": ["ttl", "expires_at"]})
    return _items(doer, [doer.do("pin", {"note_id": note.id})])[0]


def profile(doer: Doer, user: str, clock: Clock) -> dict[str, Any] | None:
    """The profile of a user; `None` if nothing is known. It is read from the facts each time, so it is never behind."""
    count = _total(doer, {"user": user, "where": {"state": _HELD}})
    known = if_there(doer, "profile", {"user": user}) or None
    return items.user_profile(user, known, count, clock.now()) if count else None


def stats(doer: Doer, user: str) -> dict[str, Any]:
    """Counts of facts: by their state, kind and attribute, and by the day on which they came."""
    which = {"user": user, "where": {"state": _EVER}, "by": ["state", "kind", "attribute", "day"]}
    counted = if_there(doer, "count", which)
    by: Mapping[str, Any] = counted.by if counted else {}
    total, current = counted.total if counted else 0, sum(by.get("state", {}).get(each, 0) for each in _HELD)
    counts = {"total": total, "current": current, "superseded": total - current}
    return {
        **counts,
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
        passages = [beat.observation for beat in all_of(doer, "replay", _MOST_CHUNKS, session_id=session)]
        if any(each.scope.user != user for each in passages):
            raise InvalidInput("This file was taken in for another user.", code="file_of_another")
        chunks += map(items.chunk_of, passages)
    return {"chunks_saved": len(chunks), "memories": chunks}


def exported(doer: Doer, user: str, clock: Clock) -> dict[str, Any]:
    """Everything of a user, history included."""
    page = listed(doer, user, 0, _MOST_SKIPPED)
    return items.export_of(user, page["items"], profile(doer, user, clock), clock.now())


def imported(doer: Doer, export: Mapping[str, Any], space: str, *, trust: bool = False) -> Any:
    """Take an export in, with its ids and its history; what is here already is left alone. The report of `import`."""
    import json

    lines = [json.dumps(each) for each in anima_lines(export, space)]
    return doer.do("import", {"lines": lines, "trust": trust, "space": space})


def related(doer: Doer, entity: str, user: str | None) -> list[str]:
    """The neighbours of an entity, as `Name (relationship)`; those that point to it come first."""
    which = {**({"user": user} if user else {}), "limit": MOST}
    pointing = if_there(doer, "list", {**which, "where": {"value": entity}})
    own = if_there(doer, "list", {**which, "subject": entity})
    told = [f"{note.subject} ({note.attribute})" for note in pointing if note.subject and note.attribute]
    return list(dict.fromkeys([*told, *(f"{note.value} ({note.attribute})" for note in own if note.value)]))


def episodes(doer: Doer, user: str) -> list[dict[str, Any]]:
    """The last messages of a user, oldest first."""
    around = {"anchor": "9999-01-01", "before": 200, "after": 0, "where": {"user": user}}
    said = if_there(doer, "timeline", around)
    return [items.episode_of(each) for each in (said.before if said else ())]


def _where(user: str, **more: Any) -> dict[str, Any]:
    """The place of something that is told: whose it is, in which session, and for how long."""
    metadata = dict(more.get("metadata") or {})
    if more.get("session"):
        metadata["session_id"] = more["session"]
    days = more.get("ttl_days")
    ttl = None if days is None else f"{max(1, round(float(days) * 1440))}m"
    session = more.get("in_session") or more.get("session")
    return sparse(user=user, agent=more.get("agent"), session=session, metadata=metadata or None, ttl=ttl)


def _items(doer: Doer, notes: list[Note]) -> list[dict[str, Any]]:
    """Notes as items, each with what took its place."""
    known = successors_of(doer, notes)
    return [items.item_of(note, known.get(note.id)) for note in notes]


def _total(doer: Doer, which: Mapping[str, Any]) -> int:
    counted = if_there(doer, "count", which)
    return counted.total if counted else 0
