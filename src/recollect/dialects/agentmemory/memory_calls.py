"""agentmemory's calls about what is known: memories, questions, a context, its second brain.

Each is a function of a caller and of what was given. Paths and tools name the same ones, so that both answer alike.
"""

from __future__ import annotations

import json
from typing import Any

from recollect.dialects.agent_blocks import block_of, first_within, in_tags, lines_about, project_lines, slots_in
from recollect.dialects.agentmemory import formats
from recollect.dialects.arguments import Given, call, count, counted, done, flag, ids_in, need, texts
from recollect.dialects.client_records import public
from recollect.dialects.conversation import any_of, observations_of
from recollect.dialects.pages import MOST, NotePages, all_of, between, erased, page_name
from recollect.dialects.replacements import saved_once
from recollect.dialects.server_memory.tools import graph_in, plain_graph
from recollect.dialects.shapes import shaped, some
from recollect.dialects.table import Reply
from recollect.dialects.tool import Doer
from recollect.domain.answers.recollections import Hit
from recollect.domain.errors import InvalidInput
from recollect.recall.fence import quoted

_BUDGET = 2000  # tokens of a context
_ENRICHED = 4000  # characters about the files of a tool
_PAGES = NotePages("second-brain")
_SUPERSEDES_ABOVE = 0.7  # of words that two memories share: the newer one takes the place of the older
_RESEMBLES_ABOVE = 0.4  # below that, it is named beside the new one


# -- memories ----------------------------------------------------------------------------------------------------------


def remember(doer: Doer, given: Given) -> Reply:
    """Save a memory. One that says nearly the same takes the place of the older one, which then answers no more."""
    need(given, "content")
    saved = saved_once(doer, formats.memory_fields(given), replaces_above=_SUPERSEDES_ABOVE)
    answer, known = done(memory=formats.memory_record(saved.note)), saved.likest
    if known is not None and _RESEMBLES_ABOVE < saved.likeness <= _SUPERSEDES_ABOVE:
        title = known.title or known.text[:80]
        answer["similarTo"] = {"id": known.id, "title": title, "similarity": round(saved.likeness, 3)}
    return Reply(answer, 201)


def memories(doer: Doer, given: Given) -> Any:
    """List memories, newest first; with `latest` only those that hold."""
    states = ["active"] if flag(given, "latest") else ["active", "superseded"]
    where = {"where": {"state": states, "kind": {"ne": "lesson"}}, **some(given, project="project", agent="agentId")}
    total = doer.do("count", where).total
    if flag(given, "count"):
        return {"total": total}
    first, many = count(given, "offset", 0, 100_000), count(given, "limit", 500)
    newest = between(doer, "list", where, first, first + many)
    return {"memories": [formats.memory_record(note) for note in newest], "total": total}


memory = call("get", "note_id=id*", lambda note: {"memory": formats.memory_record(note)})


def evolve(doer: Doer, given: Given) -> Any:
    """Put new words in the place of a memory, whose own are history from then on."""
    note_id, words = need(given, "memoryId", "newContent")
    note = doer.do("supersede", {"note_id": note_id, "text": public(words)})
    if given.get("newTitle"):
        note = doer.do("update", {"note_id": note.id, "title": given["newTitle"]})
    return done(memory=formats.memory_record(note))


def forget(doer: Doer, given: Given) -> Any:
    """Erase a memory, observations of a session, or all of a session."""
    ids = texts(given.get("observationIds"))
    if given.get("memoryId"):
        ids = [*need(given, "memoryId"), *ids]
    elif given.get("sessionId") and not ids:
        ids = [each["id"] for each in observed_in(doer, *need(given, "sessionId"))]
    elif not ids:
        raise InvalidInput("memoryId or sessionId is required", code="field_missing")
    return done(deleted=erased(doer, ids))


def governance_delete(doer: Doer, given: Given) -> Any:
    """Erase memories by their ids; the audit trail keeps that it was done."""
    ids = texts(given.get("memoryIds"))
    if not ids:
        raise InvalidInput("memoryIds is required", code="field_missing")
    return done(deleted=erased(doer, ids[:MOST]), requested=len(ids), reason=given.get("reason", ""))


def relate(doer: Doer, given: Given) -> Reply:
    """Say that two memories have to do with each other."""
    one, other = need(given, "sourceId", "targetId")
    doer.do("relate", {"note_id": one, "other_id": other})
    return Reply({"sourceId": one, "targetId": other, "type": "related", "confidence": 1.0}, 201)


def relations(doer: Doer, given: Given) -> Any:
    """List what a memory is linked with; without one, what the newest memories are."""
    ids = need(given, "memoryId") if given.get("memoryId") else [note.id for note in all_of(doer, "list", 100)]
    found = [(each, link) for each in ids for link in doer.do("relations", {"note_id": each})]
    return done(relations=[shaped(link, "targetId=id type=relation", sourceId=each) for each, link in found])


def by_kind(kind: str, name: str) -> Any:
    """The function that lists notes of one kind under a name of theirs."""

    def listed(doer: Doer, given: Given) -> Any:
        found = all_of(doer, "list", count(given, "limit", 200), kind=kind, **some(given, project="project"))
        return counted(name, found, formats.memory_record)

    return listed


patterns, insights = by_kind("pattern", "patterns"), by_kind("pattern", "insights")
semantic, procedural = by_kind("semantic", "items"), by_kind("procedural", "items")


def graph(doer: Doer, given: Given) -> Any:
    """Search the graph that notes make of entities and relations."""
    found = plain_graph(graph_in(doer))
    asked = str(given.get("query") or given.get("startNodeId") or "").lower()
    nodes = [each for each in found["entities"] if asked in json.dumps(each, ensure_ascii=False).lower()]
    return done(nodes=nodes[:500], edges=found["relations"][:500])


def graph_stats(doer: Doer, _: Given) -> Any:
    """Count the same."""
    found = graph_in(doer)
    return done(nodes=len(found.nodes), edges=len(found.edges))


def verify(doer: Doer, given: Given) -> Any:
    """Trace a memory to the messages it was read from."""
    note = doer.do("get", {"note_id": need(given, "id")[0]})
    return {"memory": formats.memory_record(note), **relations(doer, {"memoryId": note.id})}


def observed_in(doer: Doer, session_id: str) -> list[dict[str, Any]]:
    """The records of everything that was observed in a session."""
    return [formats.observation_record(each) for each in observations_of(doer, session_id)]


# -- questions ---------------------------------------------------------------------------------------------------------


def hits_for(doer: Doer, given: Given, otherwise: int, **which: Any) -> list[Hit]:
    """The hits of a search that say something."""
    [query] = need(given, "query")
    told = {"query": query, "limit": max(1, count(given, "limit", otherwise, 100)), **some(given, project="project")}
    return [hit for hit in doer.do("search", {**told, **which}) if hit.note or hit.observation]


def search(doer: Doer, given: Given) -> Any:
    """Search: a list as the Python server gives it, or, where a format is named, the object of the other one."""
    hits = hits_for(doer, given, 10, **some(given, agent="agentId"))
    form = given.get("format")
    if form is None and "token_budget" not in given:
        return [_scored(hit) for hit in hits]
    if form not in (None, "full", "compact", "narrative"):
        raise InvalidInput("format must be one of 'full', 'compact', or 'narrative'", code="invalid_choice")
    told = [_formed(hit, form or "full") for hit in hits]
    budget = count(given, "token_budget", 0, 1_000_000)
    kept, used = first_within(told, budget, lambda each: formats.tokens(str(each)))
    answer = {"format": form or "full", "results": kept, "tokens_used": used, "truncated": len(kept) < len(told)}
    answer |= {"tokens_budget": budget} if budget else {}
    if form == "narrative":
        answer["text"] = "\n\n".join(f"{n}. {each['title']}\n{each['narrative']}" for n, each in enumerate(kept, 1))
    return answer


def _formed(hit: Hit, form: str) -> dict[str, Any]:
    if form == "full":
        whole = formats.hit_record(hit)
        return {"observation": whole, "score": hit.score, "sessionId": whole["sessionId"]}
    return {**formats.compact_record(hit), **({"narrative": hit.text} if form == "narrative" else {})}


def _scored(hit: Hit) -> dict[str, Any]:
    whole = formats.hit_record(hit)
    same = {name: whole[name] for name in ("sessionId", "title", "type", "concepts", "files")}
    scores = {"bm25Score": 0.0, "vectorScore": hit.likeness, "graphScore": 0.0, "combinedScore": hit.score}
    return {"obsId": whole["id"], "content": hit.text, **same, **scores}


def smart_search(doer: Doer, given: Given) -> Any:
    """Search in few words, with lessons; or the whole of what was found, by ids."""
    wanted = ids_in(given.get("expandIds"), "obsId")
    if wanted:
        found = [formats.any_record(each) for each in any_of(doer, wanted[:20])]
        told = [
            {"obsId": each["id"], "sessionId": each.get("sessionId", "memory"), "observation": each} for each in found
        ]
        return {"mode": "expanded", "results": told, "truncated": len(wanted) > 20}
    if not isinstance(given.get("query"), str) or not given["query"].strip():
        raise InvalidInput("query or expandIds is required", code="field_missing")
    hits = hits_for(doer, given, 20, **some(given, agent="agentId"))
    told = [formats.compact_record(hit) for hit in hits if hit.note is None or hit.note.kind.value != "lesson"]
    lessons = [] if str(given.get("includeLessons", True)).lower() == "false" else _lesson_hits(doer, given)
    return {"mode": "compact", "results": told, "lessons": lessons}


def _lesson_hits(doer: Doer, given: Given) -> list[dict[str, Any]]:
    hits = hits_for(doer, {**given, "limit": 10}, 10, kind="lesson")
    fields = "lessonId=note.id confidence=note.confidence createdAt=note.recorded_at project=note.scope.project score"
    return [shaped(hit, f"{fields} tags=note.tags", content=hit.note.text[:240]) for hit in hits if hit.note]


def timeline(doer: Doer, given: Given) -> Any:
    """Tell what was observed around a moment."""
    [anchor] = need(given, "anchor")
    around = {side: count(given, side, 10, 100) for side in ("before", "after")}
    found = doer.do("timeline", {"anchor": anchor, **around, **some(given, project="project", session="sessionId")})
    told = [formats.observation_record(each) for each in found]
    return done(observations=told, anchorIndex=len(found.before) if told else -1)


def profile(doer: Doer, given: Given) -> Any:
    """Tell what a project comes to; without one, which projects there are."""
    if not given.get("project"):
        return done(projects=[name for name in doer.do("count", {"by": ["project"]}).by["project"] if name])
    found = doer.do("project-profile", {"project": given["project"]})
    return done(
        **shaped(found, "project conventions sessionCount=sessions"),
        topConcepts=[shaped(each, "concept=name frequency=times") for each in found.concepts[:20]],
        topFiles=[shaped(each, "file=name frequency=times") for each in found.files[:20]],
        commonErrors=[each.name for each in found.errors],
    )


def audit(doer: Doer, given: Given) -> Any:
    """List what was done, the newest first."""
    entries = doer.do("audit", {"limit": max(1, count(given, "limit", 50))}).entries
    wanted = [each for each in reversed(entries) if given.get("operation") in (None, "", each.reason)]
    return done(entries=[formats.audit_record(each) for each in wanted])


def audited_commits(doer: Doer, given: Given) -> Any:
    """List the same as commits."""
    names = {"hash": "id", "author": "userId", "date": "timestamp", "message": "operation"}
    told = audit(doer, given)["entries"]
    return done(commits=[{name: each[field] for name, field in names.items()} for each in told])


# -- context -----------------------------------------------------------------------------------------------------------


def context(doer: Doer, given: Given) -> Any:
    """Compile a context: slots first, then the project, lessons and earlier sessions, as far as the budget goes."""
    [project] = need(given, "project")
    lines = project_lines(doer, project, str(given.get("sessionId") or ""), slots_in(doer, project))
    budget, about = count(given, "budget", _BUDGET, 100_000), f" project={quoted(project)}"
    text, many, size = block_of("agentmemory-context", about, lines, budget, formats.tokens)
    return {"context": text, "blocks": many, "tokens": size}


def enrich(doer: Doer, given: Given) -> Any:
    """Tell what is known about files and terms that a tool is about to touch; often nothing."""
    files, terms = texts(given.get("files"))[:10], texts(given.get("terms"))[:10]
    found = lines_about(doer, files, terms, **some(given, project="project"))
    return {"context": in_tags({f"agentmemory-{part}": lines for part, lines in found.items()}, _ENRICHED)}


def second_brain(doer: Doer, given: Given) -> Any:
    """Read a page, or list them."""
    if not given.get("file"):
        return done(files=_PAGES.names(doer))
    name = page_name(given["file"])
    return done(file=name, content=_PAGES.read(doer, name))


def second_brain_write(doer: Doer, given: Given) -> Any:
    """Write a page."""
    file, words = need(given, "file", "content")
    name = page_name(file)
    _PAGES.write(doer, name, words)
    return done(file=name)
