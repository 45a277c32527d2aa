"""Anamnesis's five tools, by their names, words and shapes, on notes of ours."""

from __future__ import annotations

import contextlib
import json
from functools import cache
from itertools import islice
from typing import Any

from recollect.dialects.anamnesis.formats import SCOPES, TYPES, counts_of, note_fields, note_record
from recollect.dialects.tool import Doer, Tool, ToolAnswer
from recollect.domain.answers.recollections import Relation
from recollect.domain.errors import InvalidInput, NotFound, RecollectError
from recollect.domain.notes import Note, State
from recollect.operations import Effect

_PAGE = 1000
_FILTERS = {
    name: {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}
    for name in ("project", "type", "scope", "user_id", "workspace_id")
}
_TEXT = {"type": "string"}


@cache
def anamnesis_tools() -> tuple[Tool, ...]:
    """All five, in the order of its server."""
    return (
        Tool(
            "memory_search",
            "Search memory",
            "Search memory by meaning and by keyword, optionally scoped by project, type and scope, and by user_id or "
            "workspace_id. Read-only. Returns up to `k` ranked notes, each with its body and metadata. `scope` filters "
            'to "portable" (synced) or "machine-local" (this machine only).',
            _object({"query": _TEXT, **_FILTERS, "k": {"type": "integer", "default": 8}}, "query"),
            Effect.READ,
            ("search", "relations", "log"),
            _search,
        ),
        Tool(
            "memory_list",
            "List memory",
            "List memory notes newest-first (titles + metadata, no bodies). Read-only. Optionally scoped by project, "
            'type, and/or scope ("portable" vs "machine-local"), and by user_id or workspace_id.',
            _object(_FILTERS),
            Effect.READ,
            ("list", "log"),
            _list,
        ),
        Tool(
            "memory_status",
            "Memory status",
            "Report store health: counts by type/project, sync state. Read-only.",
            _object({}),
            Effect.READ,
            ("list", "log"),
            _status,
        ),
        Tool(
            "memory_write",
            "Write memory",
            "Create a durable memory note: write the markdown file and index it. Use `type` = procedural (verified "
            "how-tos, decisions, fixes), semantic (facts, preferences, conventions), or episodic (what happened). "
            '`scope` = "portable" (default; syncs to your other machines) or "machine-local" (stays on this machine '
            "only, never synced). Returns the created note's metadata.",
            _object(
                {
                    **dict.fromkeys(("type", "title", "body"), _TEXT),
                    "project": {"type": "string", "default": "global"},
                    "tags": {
                        "anyOf": [{"type": "array", "items": _TEXT}, {"type": "null"}],
                        "default": None,
                    },
                    "scope": {"type": "string", "default": "portable"},
                    "user_id": {"type": "string", "default": "self"},
                    "workspace_id": {"type": "string", "default": "personal"},
                },
                "type",
                "title",
                "body",
            ),
            Effect.WRITE,
            ("save", "vault.scan", "log"),
            _write,
        ),
        Tool(
            "memory_sync",
            "Sync memory",
            "Sync memory across machines through the git remote of this store; with no remote it stays here. Edits "
            "of the same note on two machines are merged, and what clashes waits for a person. `force` does nothing.",
            _object({"force": {"type": "boolean", "default": False}}),
            Effect.WRITE,
            ("sync", "list"),
            _sync,
            open_world=True,
        ),
    )


def _object(fields: dict[str, Any], *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": fields, **({"required": list(required)} if required else {})}


def machine_of(doer: Doer) -> str:
    """The name of this machine, as the files of its notes have it."""
    try:
        return str(doer.do("log", {"limit": 1}).machine)
    except RecollectError:
        return "unknown"


def every_note(doer: Doer, **which: Any) -> list[Note]:
    """All notes that a person would find in the folder: those that hold, and those that were superseded."""
    found: list[Note] = []
    cursor: str | None = None
    where = {"where": {"state": [State.ACTIVE.value, State.SUPERSEDED.value]}}
    while True:
        try:
            page = doer.do("list", {**which, **where, "limit": _PAGE, **({"cursor": cursor} if cursor else {})})
        except NotFound:
            return found
        found += page
        cursor = page.next_cursor
        if cursor is None:
            return sorted(found, key=lambda note: (note.updated_at, note.id), reverse=True)


def kept(notes: list[Note], given: dict[str, Any], machine: str) -> list[Note]:
    """Those of some notes that filters of theirs let through."""
    asked = {name: value for name in _FILTERS if (value := given.get(name)) is not None}
    records = ((note, note_record(note, machine, body=False)) for note in notes)
    return [note for note, record in records if all(record[name] == value for name, value in asked.items())]


def _listed(notes: list[Note], machine: str, *, body: bool) -> ToolAnswer:
    told = [note_record(note, machine, body=body) for note in notes]
    return ToolAnswer({"result": told}, json.dumps(told, ensure_ascii=False))


def _search(doer: Doer, given: dict[str, Any]) -> ToolAnswer:
    query, most, machine = given.get("query"), given.get("k", 8), machine_of(doer)
    if not isinstance(query, str) or isinstance(most, bool) or not isinstance(most, int):
        raise InvalidInput("`query` must be a text and `k` a whole number.", code="invalid_field")
    if not any(sign.isalnum() for sign in query) or most < 1:
        return _listed([], machine, body=True)
    project = given.get("project")
    where = {"project": project} if project not in (None, "global") else {}
    found = doer.do("search", {"query": query, "limit": min(4 * most, 200), **where})
    held = (note for note in kept([hit.note for hit in found if hit.note], given, machine) if not _is_over(doer, note))
    return _listed(list(islice(held, most)), machine, body=True)


def _is_over(doer: Doer, note: Note) -> bool:
    links = doer.do("relations", {"note_id": note.id})
    return any(link.relation is Relation.SUPERSEDED_BY for link in links)


def _list(doer: Doer, given: dict[str, Any]) -> ToolAnswer:
    machine = machine_of(doer)
    return _listed(kept(every_note(doer), given, machine), machine, body=False)


def _status(doer: Doer, _: dict[str, Any]) -> ToolAnswer:
    machine = machine_of(doer)
    told = counts_of(every_note(doer), machine)
    return ToolAnswer({"root": "", "db_path": "", **told, "sync": sync_state(doer)})


def sync_state(doer: Doer) -> dict[str, Any]:
    """Whether notes are kept as files and have a history yet."""
    try:
        newest = next(iter(doer.do("log", {"limit": 1})), None)
    except RecollectError as problem:
        return {"initialized": False, "remote": None, "head": "", "dirty": False, "detail": problem.code}
    told = {"initialized": newest is not None, "remote": None, "head": newest.id[:7] if newest else "", "dirty": False}
    return {**told, "detail": "ok" if newest else "not initialized"}


def written(doer: Doer, given: dict[str, Any]) -> Note:
    """Save a note as their clients send it; a type or a scope that is none is refused."""
    if given.get("type") not in TYPES:
        raise InvalidInput(f"type must be one of {', '.join(TYPES)}", code="invalid_choice")
    if given.get("scope", SCOPES[0]) not in SCOPES:
        raise InvalidInput(f"scope must be one of {', '.join(SCOPES)}", code="invalid_choice")
    if not isinstance(given.get("title"), str) or not given["title"].strip():
        raise InvalidInput("title is required", code="field_missing")
    local = {"machine": machine_of(doer)} if given.get("scope") == SCOPES[1] else {}
    note: Note = doer.do("save", {**note_fields(given), **local})
    with contextlib.suppress(NotFound):  # where notes are kept as files, it is one when this returns
        doer.do("vault.scan")
    return note


def _write(doer: Doer, given: dict[str, Any]) -> ToolAnswer:
    return ToolAnswer(note_record(written(doer, given), machine_of(doer), body=True))


def synced(doer: Doer) -> dict[str, Any]:
    """Sync, and tell it as theirs does. Our merge cannot fail, so nothing is ever left half done."""
    done = doer.do("sync")
    detail = "synced" if done.remote else "committed locally; no remote configured"
    return {
        "pushed": bool(done.remote and done.sent),
        "pulled": len(done.received),
        "conflicted": False,
        "head": (done.head or "")[:7],
        "detail": detail,
    }


def _sync(doer: Doer, _: dict[str, Any]) -> ToolAnswer:
    told = synced(doer)
    return ToolAnswer({**told, "indexed": len(every_note(doer))})
