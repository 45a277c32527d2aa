"""Anamnesis's five tools, by their names, words and shapes, on notes of ours."""

from __future__ import annotations

import contextlib
import json
import sys
from functools import cache
from itertools import islice
from typing import Any

from recollect.dialects.anamnesis.formats import SCOPES, TYPES, counts_of, note_fields, note_record
from recollect.dialects.text_tables import tools_in
from recollect.dialects.tool import Doer, Tool, ToolAnswer
from recollect.domain.answers.recollections import Relation
from recollect.domain.errors import InvalidInput, NotFound, RecollectError
from recollect.domain.notes import Note, State

_PAGE = 1000
_FILTERS = ("project", "type", "scope", "user_id", "workspace_id")


@cache
def anamnesis_tools() -> tuple[Tool, ...]:
    """All five, in the order of its server, from `tools.json`."""
    return tools_in(__package__ or "", sys.modules[__name__], answered=lambda told, _: told)


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


def search(doer: Doer, given: dict[str, Any]) -> ToolAnswer:
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


def listed(doer: Doer, given: dict[str, Any]) -> ToolAnswer:
    machine = machine_of(doer)
    return _listed(kept(every_note(doer), given, machine), machine, body=False)


def status(doer: Doer, _: dict[str, Any]) -> ToolAnswer:
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


def write(doer: Doer, given: dict[str, Any]) -> ToolAnswer:
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


def sync(doer: Doer, _: dict[str, Any]) -> ToolAnswer:
    told = synced(doer)
    return ToolAnswer({**told, "indexed": len(every_note(doer))})
