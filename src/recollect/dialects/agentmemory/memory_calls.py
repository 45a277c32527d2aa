"""agentmemory's calls about what is known: memories, questions, a context, its second brain.

Each is a function of a caller and of what was given. Paths and tools name the same ones, so that both answer alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from recollect.dialects.agentmemory import formats
from recollect.dialects.agentmemory.arguments import MOST, Given, all_of, count, flag, need, some
from recollect.dialects.agentmemory.formats import texts
from recollect.dialects.server_memory.tools import graph_in, plain_graph
from recollect.dialects.table import Reply
from recollect.dialects.tool import Doer
from recollect.domain.answers.recollections import Hit
from recollect.domain.desk import Slot
from recollect.domain.errors import Erased, InvalidInput, NotFound
from recollect.domain.notes import Note
from recollect.domain.observations import Observation, ObservationKind
from recollect.recall.fence import quoted

_BUDGET = 2000  # tokens of a context
_ENRICHED = 4000  # characters about the files of a tool
_SECOND_BRAIN = "second-brain"
NO_PROJECT = "default"  # whose slots those are that are said to be of the project, and of none by name


# -- memories ----------------------------------------------------------------------------------------------------------


def remember(doer: Doer, given: Given) -> Reply:
    """Save a memory. One that says nearly the same takes the place of the older one, which then answers no more."""
    need(given, "content")
    fields = formats.memory_fields(given)
    likest = max(
        ((formats.likeness(note.text, fields["text"]), note) for note in _similar(doer, fields)),
        key=lambda each: each[0],
        default=(0.0, None),
    )
    share, known = likest
    if known is not None and known.text == fields["text"]:
        note = known
    elif known is not None and share > formats.SUPERSEDES_ABOVE:
        note = _replaced(doer, known, fields)
    else:
        note = doer.do("save", fields)
    answer = {"success": True, "memory": formats.memory_record(note)}
    if known is not None and formats.RESEMBLES_ABOVE < share <= formats.SUPERSEDES_ABOVE:
        answer["similarTo"] = {"id": known.id, "title": known.title or known.text[:80], "similarity": round(share, 3)}
    return Reply(answer, 201)


def _similar(doer: Doer, fields: Given) -> Iterable[Note]:
    found = doer.do("search", {"query": fields["text"][:2000], "limit": 10})
    for hit in found:
        note, project = hit.note, fields.get("project")
        if note is not None and (note.scope.project == project or not project or not note.scope.project):
            yield note


def _replaced(doer: Doer, known: Note, fields: Given) -> Note:
    note: Note = doer.do("supersede", {"note_id": known.id, "text": fields["text"]})
    own = {name: fields[name] for name in ("tags", "metadata", "title", "ttl") if name in fields}
    return doer.do("update", {"note_id": note.id, **own})  # type: ignore[no-any-return]


def memories(doer: Doer, given: Given) -> Any:
    """List memories, newest first; with `latest` only those that hold."""
    states = ["active"] if flag(given, "latest") else ["active", "superseded"]
    where = {"where": {"state": states, "kind": {"ne": "lesson"}}, **some(given, project="project", agent="agentId")}
    total = doer.do("count", where).total
    if flag(given, "count"):
        return {"total": total}
    first, many = count(given, "offset", 0, 100_000), count(given, "limit", 500)
    newest = all_of(doer, "list", first + many, **where)[first:]
    return {"memories": [formats.memory_record(note) for note in newest], "total": total}


def memory(doer: Doer, given: Given) -> Any:
    """Read one memory."""
    [wanted] = need(given, "id")
    return {"memory": formats.memory_record(doer.do("get", {"note_id": wanted}))}


def evolve(doer: Doer, given: Given) -> Any:
    """Put new words in the place of a memory, whose own are history from then on."""
    note_id, words = need(given, "memoryId", "newContent")
    note = doer.do("supersede", {"note_id": note_id, "text": formats.public(words)})
    if given.get("newTitle"):
        note = doer.do("update", {"note_id": note.id, "title": given["newTitle"]})
    return {"success": True, "memory": formats.memory_record(note)}


def forget(doer: Doer, given: Given) -> Any:
    """Erase a memory, observations of a session, or all of a session."""
    ids = texts(given.get("observationIds"))
    if given.get("memoryId"):
        ids = [*need(given, "memoryId"), *ids]
    elif given.get("sessionId") and not ids:
        ids = [each.id for each in observed_in(doer, *need(given, "sessionId"))]
    elif not ids:
        raise InvalidInput("memoryId or sessionId is required", code="field_missing")
    return {"success": True, "deleted": sum(_erased(doer, each) for each in ids)}


def observed_in(doer: Doer, session_id: str) -> list[Observation]:
    """Everything that was observed in a session, by its time: hooks are heard in any order."""
    seen = [beat.observation for beat in all_of(doer, "replay", session_id=session_id)]
    return sorted(seen, key=lambda each: (each.observed_at, each.position))


def _erased(doer: Doer, record_id: str) -> int:
    try:
        doer.do("forget", {"note_id": record_id})
    except (NotFound, Erased):
        return 0
    return 1


def governance_delete(doer: Doer, given: Given) -> Any:
    """Erase memories by their ids; the audit trail keeps that it was done."""
    ids = texts(given.get("memoryIds"))
    if not ids:
        raise InvalidInput("memoryIds is required", code="field_missing")
    deleted = sum(_erased(doer, each) for each in ids[:MOST])
    return {"success": True, "deleted": deleted, "requested": len(ids), "reason": given.get("reason", "")}


def relate(doer: Doer, given: Given) -> Reply:
    """Say that two memories have to do with each other."""
    one, other = need(given, "sourceId", "targetId")
    doer.do("relate", {"note_id": one, "other_id": other})
    return Reply({"sourceId": one, "targetId": other, "type": "related", "confidence": 1.0}, 201)


def relations(doer: Doer, given: Given) -> Any:
    """List what a memory is linked with; without one, what the newest memories are."""
    ids = need(given, "memoryId") if given.get("memoryId") else [note.id for note in all_of(doer, "list", 100)]
    found = [(each, link) for each in ids for link in doer.do("relations", {"note_id": each})]
    told = [{"sourceId": each, "targetId": link.id, "type": link.relation.value} for each, link in found]
    return {"relations": told, "success": True}


def by_kind(kind: str, name: str) -> Any:
    """The function that lists notes of one kind under a name of theirs."""

    def listed(doer: Doer, given: Given) -> Any:
        where = some(given, project="project")
        found = all_of(doer, "list", count(given, "limit", 200), kind=kind, **where)
        return {name: [formats.memory_record(note) for note in found], "total": len(found), "success": True}

    return listed


patterns, insights = by_kind("pattern", "patterns"), by_kind("pattern", "insights")


def graph(doer: Doer, given: Given) -> Any:
    """Search the graph that notes make of entities and relations."""
    found = plain_graph(graph_in(doer))
    asked = str(given.get("query") or given.get("startNodeId") or "").lower()
    nodes = [each for each in found["entities"] if asked in json.dumps(each, ensure_ascii=False).lower()]
    return {"success": True, "nodes": nodes[:500], "edges": found["relations"][:500]}


def graph_stats(doer: Doer, _: Given) -> Any:
    """Count the same."""
    found = graph_in(doer)
    return {"success": True, "nodes": len(found.nodes), "edges": len(found.edges)}


def verify(doer: Doer, given: Given) -> Any:
    """Trace a memory to the messages it was read from."""
    [wanted] = need(given, "id")
    note = doer.do("get", {"note_id": wanted})
    return {"success": True, "memory": formats.memory_record(note), **relations(doer, {"memoryId": note.id})}


# -- questions ---------------------------------------------------------------------------------------------------------


def _hits(doer: Doer, given: Given, otherwise: int) -> list[Hit]:
    [query] = need(given, "query")
    many = max(1, count(given, "limit", otherwise, 100))
    where = some(given, project="project", agent="agentId")
    return [hit for hit in doer.do("search", {"query": query, "limit": many, **where}) if hit.note or hit.observation]


def search(doer: Doer, given: Given) -> Any:
    """Search: a list as the Python server gives it, or, where a format is named, the object of the other one."""
    hits = _hits(doer, given, 10)
    form = given.get("format")
    if form is None and "token_budget" not in given:
        return [_scored(hit) for hit in hits]
    if form not in (None, "full", "compact", "narrative"):
        raise InvalidInput("format must be one of 'full', 'compact', or 'narrative'", code="invalid_choice")
    whole = form in (None, "full")
    told = [
        {"observation": formats.hit_record(hit), "score": hit.score, "sessionId": formats.hit_record(hit)["sessionId"]}
        if whole
        else {**formats.compact_record(hit), **({"narrative": hit.text} if form == "narrative" else {})}
        for hit in hits
    ]
    budget, used, kept = count(given, "token_budget", 0, 1_000_000), 0, []
    for each in told:
        size = formats.tokens(str(each))
        if budget and used + size > budget:
            break
        used += size
        kept.append(each)
    answer = {"format": form or "full", "results": kept, "tokens_used": used, "truncated": len(kept) < len(told)}
    if budget:
        answer["tokens_budget"] = budget
    if form == "narrative":
        answer["text"] = "\n\n".join(f"{n}. {each['title']}\n{each['narrative']}" for n, each in enumerate(kept, 1))
    return answer


def _scored(hit: Hit) -> dict[str, Any]:
    whole = formats.hit_record(hit)
    scores = {"bm25Score": 0.0, "vectorScore": hit.likeness, "graphScore": 0.0, "combinedScore": hit.score}
    told = {"obsId": whole["id"], "sessionId": whole["sessionId"], **scores, "title": whole["title"]}
    return {**told, "content": hit.text, **{name: whole[name] for name in ("type", "concepts", "files")}}


def smart_search(doer: Doer, given: Given) -> Any:
    """Search in few words, with lessons; or the whole of what was found, by ids."""
    ids = given.get("expandIds")
    named = ids if isinstance(ids, list) else []
    wanted = texts(ids) or [str(each["obsId"]) for each in named if isinstance(each, Mapping) and "obsId" in each]
    if wanted:
        found = [each for each in (_record(doer, each) for each in wanted[:20]) if each]
        told = [
            {"obsId": each["id"], "sessionId": each.get("sessionId", "memory"), "observation": each} for each in found
        ]
        return {"mode": "expanded", "results": told, "truncated": len(wanted) > 20}
    if not isinstance(given.get("query"), str) or not given["query"].strip():
        raise InvalidInput("query or expandIds is required", code="field_missing")
    hits = _hits(doer, given, 20)
    told = [formats.compact_record(hit) for hit in hits if hit.note is None or hit.note.kind.value != "lesson"]
    lessons = [] if str(given.get("includeLessons", True)).lower() == "false" else _lesson_hits(doer, given)
    return {"mode": "compact", "results": told, "lessons": lessons}


def _record(doer: Doer, record_id: str) -> dict[str, Any] | None:
    try:
        return formats.memory_record(doer.do("get", {"note_id": record_id}))
    except (NotFound, Erased, InvalidInput):
        pass
    try:
        found = doer.do("timeline", {"anchor": record_id, "before": 0, "after": 0}).found
    except (NotFound, Erased, InvalidInput):
        return None
    return formats.observation_record(found) if found else None


def _lesson_hits(doer: Doer, given: Given) -> list[dict[str, Any]]:
    hits = doer.do("search", {"query": given["query"], "kind": "lesson", "limit": 10, **some(given, project="project")})
    told = [(formats.lesson_record(hit.note), hit.score) for hit in hits if hit.note is not None]
    names = ("confidence", "createdAt", "project", "tags")
    return [
        {
            "lessonId": each["id"],
            "content": each["content"][:240],
            "score": score,
            **{name: each[name] for name in names},
        }
        for each, score in told
    ]


def timeline(doer: Doer, given: Given) -> Any:
    """Tell what was observed around a moment."""
    [anchor] = need(given, "anchor")
    around = {side: count(given, side, 10, 100) for side in ("before", "after")}
    found = doer.do("timeline", {"anchor": anchor, **around, **some(given, project="project", session="sessionId")})
    told = [formats.observation_record(each) for each in found]
    return {"success": True, "observations": told, "anchorIndex": len(found.before) if told else -1}


def profile(doer: Doer, given: Given) -> Any:
    """Tell what a project comes to; without one, which projects there are."""
    if not given.get("project"):
        projects = doer.do("count", {"by": ["project"]}).by["project"]
        return {"projects": [name for name in projects if name], "success": True}
    found = doer.do("project-profile", {"project": given["project"]})
    return {
        "project": found.project,
        "topConcepts": [{"concept": each.name, "frequency": each.times} for each in found.concepts[:20]],
        "topFiles": [{"file": each.name, "frequency": each.times} for each in found.files[:20]],
        "conventions": list(found.conventions),
        "commonErrors": [each.name for each in found.errors],
        "sessionCount": found.sessions,
        "success": True,
    }


def audit(doer: Doer, given: Given) -> Any:
    """List what was done, the newest first."""
    entries = doer.do("audit", {"limit": max(1, count(given, "limit", 50))}).entries
    wanted = [each for each in reversed(entries) if given.get("operation") in (None, "", each.reason)]
    return {"entries": [formats.audit_record(each) for each in wanted], "success": True}


def audited_commits(doer: Doer, given: Given) -> Any:
    """List the same as commits."""
    told = audit(doer, given)["entries"]
    names = {"hash": "id", "author": "userId", "date": "timestamp", "message": "operation"}
    return {"commits": [{name: each[field] for name, field in names.items()} for each in told], "success": True}


# -- context -----------------------------------------------------------------------------------------------------------


def context(doer: Doer, given: Given) -> Any:
    """Compile a context: slots first, then the project, lessons and earlier sessions, as far as the budget goes."""
    [project] = need(given, "project")
    budget = count(given, "budget", _BUDGET, 100_000)
    opening, closing = f"<agentmemory-context project={quoted(project)}>", "</agentmemory-context>"
    used, kept = formats.tokens(opening + closing), []
    for block in _blocks(doer, project, str(given.get("sessionId") or "")):
        size = formats.tokens(block + "\n")
        if used + size <= budget:
            used += size
            kept.append(block)
    text = "\n".join((opening, *kept, closing)) if kept else ""
    return {"context": text, "blocks": len(kept), "tokens": used if kept else 0}


def slots_in(doer: Doer, project: str = "") -> list[Slot]:
    """The slots that a project sees: its own, and those of `NO_PROJECT`, for its clients seldom name one."""
    found = doer.do("slots.list", {"project": NO_PROJECT})
    own = {slot.label: slot for slot in doer.do("slots.list", {"project": project}) if slot.version} if project else {}
    return [own.pop(slot.label, slot) for slot in found] + list(own.values())


def _blocks(doer: Doer, project: str, session_id: str) -> Iterable[str]:
    for slot in slots_in(doer, project):
        if slot.pinned and slot.text:
            yield f"slot {slot.label}: {quoted(slot.text)}"
    about = profile(doer, {"project": project})
    for name in ("conventions", "commonErrors"):
        for each in about[name][:3]:
            yield f"{name}: {quoted(each)}"
    for lesson in doer.do("lessons.list", {"project": project, "limit": 10}):
        yield f"lesson ({lesson.confidence:.2f}): {quoted(lesson.note.text)}"
    earlier = (each for each in doer.do("sessions", {"project": project, "limit": 11}) if each.id != session_id)
    for session in islice(earlier, 10):
        digest = doer.do("session.show", {"session_id": session.id})
        told = digest.outcome or digest.ask
        if told:
            yield f"session {session.started_at:%Y-%m-%d}: {quoted(told[:600])}"


def enrich(doer: Doer, given: Given) -> Any:
    """Tell what is known about files and terms that a tool is about to touch; often nothing."""
    files, terms = texts(given.get("files"))[:10], texts(given.get("terms"))[:10]
    names = {each: each.replace("\\", "/").rpartition("/")[2] for each in files}
    found: dict[str, list[str]] = {"file-context": [], "relevant-context": [], "past-errors": []}
    for asked, name in [*names.items(), *((term, term) for term in terms)]:
        query = {"query": f"{name} {asked}"[:500], "limit": 10, **some(given, project="project")}
        for hit in doer.do("search", query):
            about = asked in names and (name in hit.text or any(name in each for each in _files_of(hit)))
            failed = hit.observation is not None and hit.observation.kind is ObservationKind.TOOL_FAILURE
            bug = hit.note is not None and "bug" in hit.note.tags
            if about or asked in terms or bug:
                part = "past-errors" if failed or bug else "file-context" if about else "relevant-context"
                found[part].append(f"- {quoted(hit.text[:400])}")
    return {"context": _bounded({part: list(dict.fromkeys(lines))[:5] for part, lines in found.items()})}


def _files_of(hit: Hit) -> list[str]:
    kept = hit.note.metadata.get("files") if hit.note else None
    return list(hit.observation.files) if hit.observation else kept if isinstance(kept, list) else []


def _bounded(parts: Mapping[str, list[str]]) -> str:
    told: list[str] = []
    for part, lines in parts.items():
        opening, closing = f"<agentmemory-{part}>", f"</agentmemory-{part}>"
        kept: list[str] = []
        for line in lines:
            if len("\n".join([*told, opening, *kept, line, closing])) <= _ENRICHED:
                kept.append(line)
        told += [opening, *kept, closing] if kept else []
    return "\n".join(told)


# -- second brain ------------------------------------------------------------------------------------------------------


def second_brain(doer: Doer, given: Given) -> Any:
    """Read a page, or list them."""
    if given.get("file"):
        name = _page_name(given["file"])
        return {
            "file": name,
            "content": doer.do("get", {"note_id": f"key:{_SECOND_BRAIN}/{name}"}).text,
            "success": True,
        }
    found = all_of(doer, "list", tag=_SECOND_BRAIN)
    return {"files": sorted(each.title or "" for each in found), "success": True}


def second_brain_write(doer: Doer, given: Given) -> Any:
    """Write a page: a note with versions, found by searches like any other."""
    file, words = need(given, "file", "content")
    name = _page_name(file)
    told = {"text": words, "key": f"{_SECOND_BRAIN}/{name}", "title": name, "tags": [_SECOND_BRAIN]}
    doer.do("save", told)
    return {"success": True, "file": name}


def _page_name(file: Any) -> str:
    name = str(file).replace("\\", "/").rpartition("/")[2]
    if not name.endswith(".md") or len(name) > 200 or name.startswith("."):
        raise InvalidInput("file must be the name of a .md file", code="invalid_name")
    return name
