"""The API of Anamnesis's dashboard: notes, their history, machines, sync. Unlike its own it asks for a token."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from recollect.dialects.anamnesis.formats import TYPES, counts_of, dashboard_record, graph_of_notes, note_fields
from recollect.dialects.anamnesis.tools import every_note, kept, machine_of, sync_state, synced, written
from recollect.dialects.table import Asked, Dialect, DialectPath, Reply, SpaceRule
from recollect.dialects.tool import Doer
from recollect.domain.clock import format_time
from recollect.domain.errors import Erased, InvalidInput, NotFound, RecollectError
from recollect.domain.notes import Note

REVIEWED, REFLECTION = "reviewed", "reflection"
_MOST = 200  # notes and commits of an answer, unless asked otherwise


def _notes(doer: Doer, asked: Asked) -> Any:
    query, machine = asked.query.get("q", ""), machine_of(doer)
    many = _count(asked, _MOST)
    if query.strip():
        found = [hit.note for hit in doer.do("search", {"query": query, "limit": min(many, 200)}) if hit.note]
    else:
        found = every_note(doer)
    shown = kept(found, {name: asked.query.get(name) or None for name in ("project", "type")}, machine)[:many]
    return {"notes": [dashboard_record(note, machine) for note in shown], "query": query}


def _count(asked: Asked, otherwise: int) -> int:
    said = asked.query.get("limit", "")
    return max(1, min(int(said), 1000)) if said.isascii() and said.isdigit() else otherwise


def _note(doer: Doer, asked: Asked) -> Note:
    try:
        note: Note = doer.do("get", {"note_id": asked.parts["id"]})
    except (NotFound, Erased, InvalidInput):
        raise NotFound("note not found", code="note_not_found") from None
    return note


def _read(doer: Doer, asked: Asked) -> Any:
    return {"note": dashboard_record(_note(doer, asked), machine_of(doer), body=True)}


def _create(doer: Doer, asked: Asked) -> Any:
    note = written(doer, dict(asked.body))
    return {"id": note.id, "note": dashboard_record(note, machine_of(doer), body=True)}


def _edit(doer: Doer, asked: Asked) -> Any:
    if asked.body.get("type") not in TYPES or not str(asked.body.get("title") or "").strip():
        raise InvalidInput("type and title are required", code="field_missing")
    note = doer.do("update", {"note_id": _note(doer, asked).id, **note_fields(asked.body)})
    return {"id": note.id, "note": dashboard_record(note, machine_of(doer), body=True)}


def _delete(doer: Doer, asked: Asked) -> Any:
    doer.do("retract", {"note_id": _note(doer, asked).id, "reason": "deleted in the dashboard"})
    return {"ok": True}


def _keep(doer: Doer, asked: Asked) -> Any:
    note = _note(doer, asked)
    tagged = doer.do("update", {"note_id": note.id, "tags": list(dict.fromkeys((*note.tags, REVIEWED)))})
    return {"id": tagged.id, "note": dashboard_record(tagged, machine_of(doer))}


def _versions(doer: Doer, asked: Asked) -> Any:
    """The versions that still have a line in a note, newest first."""
    note = _note(doer, asked)
    lines = {line.version: line for line in doer.do("blame", {"note_id": note.id})}
    told = [
        {
            "hash": f"{note.id}:{version}",
            "author": line.principal,
            "date": format_time(line.at),
            "subject": note.title or note.text[:80],
            "change": "A" if version == 1 else "M",
        }
        for version, line in sorted(lines.items(), reverse=True)
    ]
    return {"commits": told}


def _diff(doer: Doer, asked: Asked) -> Any:
    found = doer.do("diff", {"note_id": _note(doer, asked).id})
    return {
        "from": asked.query.get("from", "empty"),
        "to": asked.query.get("to", "working"),
        "lines": list(found.lines),
    }


def _overview(doer: Doer, _: Asked) -> Any:
    machine = machine_of(doer)
    notes = every_note(doer)
    told = counts_of(notes, machine)
    waiting = [note for note in notes if REFLECTION in note.tags and REVIEWED not in note.tags]
    stats = {"total": told["total"], "byType": told["by_type"], "byProject": told["by_project"]}
    return {"stats": stats, "repo": _repo(doer), "indexExists": True, "pendingReflections": len(waiting)}


def _repo(doer: Doer) -> dict[str, Any]:
    state = sync_state(doer)
    return {**state, "ahead": 0, "behind": 0, "conflicted": False, "conflictedPaths": []}


def _fleet(doer: Doer, _: Asked) -> Any:
    try:
        found = list(doer.do("machines"))
    except RecollectError:
        found = []
    told = [{"machineId": each.name, "notes": each.notes, "lastSeen": format_time(each.last_seen)} for each in found]
    return {"machines": told, "repo": _repo(doer)}


def _history(doer: Doer, asked: Asked) -> Any:
    try:
        found = list(doer.do("log", {"limit": _count(asked, _MOST)}))
    except RecollectError:
        found = []
    told = [
        {
            "hash": each.id,
            "shortHash": each.id[:7],
            "author": each.machine,
            "date": format_time(each.at),
            "subject": f"anamnesis: sync from {each.machine}",
        }
        for each in found
    ]
    return {"commits": told}


def _commit(doer: Doer, asked: Asked) -> Any:
    found = doer.do("show", {"revision": asked.parts["hash"]})
    return {"hash": found.revision.id, "files": [{"id": each.note_id, "lines": list(each.lines)} for each in found]}


def _reindexed(doer: Doer, _: Asked) -> Any:
    doer.do("vault.scan")
    return {"reindexed": len(every_note(doer))}


def _reflected(doer: Doer, asked: Asked) -> Any:
    project = {"project": asked.query["project"]} if asked.query.get("project") else {}
    done = doer.do("reflect", {"apply": asked.query.get("apply") == "1", **project})
    told = [{"project": part.project or "global", "notes": [each.text for each in part.insights]} for part in done]
    return {"applied": done.applied, "projects": told}


def _backfilled(doer: Doer, asked: Asked) -> Any:
    done = doer.do("backfill-provenance", {"apply": asked.query.get("apply") == "1"})
    return {"applied": done.applied, "changed": len(done.note_ids)}


def _settings(_: Doer, __: Asked) -> Any:
    """Settings of a machine are not told or changed over HTTP: they may hold a key."""
    return {"settings": {}, "message": "Settings are changed with `anamnesis config` on the machine itself."}


def _refused(problem: RecollectError, status: int) -> Reply:
    return Reply({"error": problem.message, "code": problem.code, "hint": problem.hint}, status)


def _path(method: str, path: str, verb: str, call: Callable[[Doer, Asked], Any], status: int = 200) -> DialectPath:
    return DialectPath(method, f"/api/{path}", verb, SpaceRule.TOKEN, call, status=status)


DIALECT = Dialect(
    "anamnesis",
    (
        _path("GET", "notes", "list", _notes),
        _path("POST", "notes", "save", _create, 201),
        _path("GET", "notes/{id}", "get", _read),
        _path("PUT", "notes/{id}", "update", _edit),
        _path("DELETE", "notes/{id}", "retract", _delete),
        _path("POST", "notes/{id}/keep", "update", _keep),
        _path("GET", "notes/{id}/history", "blame", _versions),
        _path("GET", "notes/{id}/diff", "diff", _diff),
        _path("GET", "overview", "list", _overview),
        _path("GET", "fleet", "machines", _fleet),
        _path("GET", "history", "log", _history),
        _path("GET", "commits/{hash}", "show", _commit),
        _path("GET", "graph", "list", lambda doer, _: graph_of_notes(every_note(doer))),
        _path("POST", "sync", "sync", lambda doer, _: synced(doer)),
        _path("POST", "reindex", "vault.scan", _reindexed),
        _path("POST", "reflect", "reflect", _reflected),
        _path("POST", "backfill-provenance", "backfill-provenance", _backfilled),
        _path("GET", "settings", "count", _settings),
        _path("POST", "settings", "count", _settings),
        _path("POST", "settings/test", "count", _settings),
    ),
    refusal=_refused,
)
