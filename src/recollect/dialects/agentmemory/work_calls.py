"""agentmemory's calls about work: sessions and what hooks saw in them, lessons, slots, actions, upkeep."""

from __future__ import annotations

from typing import Any

from recollect.dialects.agentmemory import formats
from recollect.dialects.agentmemory.arguments import Given, all_of, count, flag, need, number, some
from recollect.dialects.agentmemory.formats import texts
from recollect.dialects.agentmemory.memory_calls import NO_PROJECT, context, observed_in, slots_in
from recollect.dialects.table import Reply
from recollect.dialects.tool import Doer
from recollect.domain.desk import PURPOSES
from recollect.domain.errors import InvalidInput, NotFound
from recollect.domain.observations import Session
from recollect.recall.fence import quoted

# -- sessions ----------------------------------------------------------------------------------------------------------


def session_start(doer: Doer, given: Given) -> Any:
    """Begin a session; no other one ends by it."""
    session_id, project, folder = need(given, "sessionId", "project", "cwd")
    told = {"session_id": session_id, "project": project, "folder": folder}
    session = doer.do("session.start", {**told, **some(given, title="title", agent="agentId")})
    return {"session": formats.session_record(session), "context": context(doer, given)["context"]}


def session_end(doer: Doer, given: Given) -> Any:
    """End a session, this one only."""
    [session_id] = need(given, "sessionId")
    return {"success": True, "summary": formats.summary_record(doer.do("session.end", {"session_id": session_id}))}


def session_commit(doer: Doer, given: Given) -> Any:
    """Link a commit to a session; without one, to nothing, which is said."""
    sha, session_id = need(given, "sha", "sessionId")
    told = some(given, message="message", branch="branch", at="authoredAt")
    told |= {"message": str(told["message"])[:200]} if "message" in told else {}
    session = doer.do("session.link", {"session_id": session_id, "commit": sha, **told})
    commit = next(each for each in session.commits if each.sha == sha.strip().lower())
    files = {"files": texts(given.get("files"))}
    kept = {name: given.get(name) for name in ("repo", "author", "authoredAt")} | files
    return {"commit": {**formats.commit_record(commit, [session.id]), **kept}}


def by_commit(doer: Doer, given: Given) -> Any:
    """Tell in which sessions a commit was made."""
    [sha] = need(given, "sha")
    found = list(doer.do("sessions", {"commit": sha}))
    if not found:
        raise NotFound("no sessions linked to this commit", code="commit_not_found")
    commit = next(each for session in found for each in session.commits if each.sha.startswith(sha.strip().lower()))
    told = formats.commit_record(commit, [each.id for each in found])
    return {"commit": told, "sessions": [formats.session_record(each) for each in found]}


def commits(doer: Doer, given: Given) -> Any:
    """List commits that were linked to sessions, newest first."""
    linked: dict[str, tuple[Any, list[str]]] = {}
    for session in all_of(doer, "sessions"):
        for commit in session.commits:
            if given.get("branch") in (None, "", commit.branch):
                linked.setdefault(commit.sha, (commit, []))[1].append(session.id)
    newest = sorted(linked.values(), key=lambda each: each[0].at, reverse=True)[: count(given, "limit", 100)]
    return {"commits": [formats.commit_record(commit, ids) for commit, ids in newest]}


def sessions(doer: Doer, given: Given) -> Any:
    """List sessions, newest first, with how much was observed in each."""
    many = max(1, count(given, "limit", 20, 100))
    where = {"where": {"agent": given["agentId"]}} if given.get("agentId") not in (None, "", "*") else {}
    found: list[Session] = list(doer.do("sessions", {"limit": many, **some(given, project="project"), **where}))
    return {"sessions": [_counted(doer, each) for each in found], "success": True}


def _counted(doer: Doer, session: Session) -> dict[str, Any]:
    return formats.session_record(session, doer.do("session.show", {"session_id": session.id}))


def observe(doer: Doer, given: Given) -> Reply:
    """Keep an event that a hook saw."""
    need(given, "sessionId", "hookType", "timestamp")
    return _kept(doer, formats.event_fields(given))


def _kept(doer: Doer, told: dict[str, Any]) -> Reply:
    """Keep an observation; one whose picture cannot be kept is kept without it, for its hook does not ask twice."""
    try:
        seen = doer.do("observe", told)
    except InvalidInput:
        if "attachments" not in told:
            raise
        seen = doer.do("observe", {name: value for name, value in told.items() if name != "attachments"})
    return Reply({"observationId": seen.observation_id}, 201)


def agent_observe(doer: Doer, given: Given) -> Reply:
    """Keep what an agent says that it saw."""
    session_id, _ = need(given, "sessionId", "project")
    said = given.get("text") or given.get("content")
    [words] = need({"text": said}, "text")
    tool = str(given.get("title") or f"agent_{given.get('type') or 'other'}")
    told = {"event": "tool_use", "tool": tool, "text": formats.public(words), "session": session_id}
    image = given.get("imageData")
    files = {"attachments": [{"name": "image", "data": image}]} if image else {}
    return _kept(doer, {**told, **files, **some(given, project="project", agent="agentId")})


def observations(doer: Doer, given: Given) -> Any:
    """List what was observed in a session, in its order."""
    return {"observations": [formats.observation_record(each) for each in observed_in(doer, *need(given, "sessionId"))]}


def replay(doer: Doer, given: Given) -> Any:
    """Show a session again, moment by moment."""
    [session_id] = need(given, "sessionId")
    first = doer.do("replay", {"session_id": session_id, "limit": 1000})
    events = [formats.replay_event(beat) for beat in first]
    told = {"events": events, "eventCount": len(events), "totalDurationMs": first.duration}
    return {"session": formats.session_record(first.session), "timeline": told, "success": True}


def summarize(doer: Doer, given: Given) -> Any:
    """Tell a session in short. No model is asked."""
    [session_id] = need(given, "sessionId")
    digest = doer.do("session.show", {"session_id": session_id})
    if not digest.observations:
        raise InvalidInput("no_observations", code="no_observations")
    return {"success": True, "summary": formats.summary_record(digest)}


# -- lessons, slots, actions -------------------------------------------------------------------------------------------


def lessons(doer: Doer, given: Given) -> Any:
    """List lessons, the surest first."""
    found = doer.do("lessons.list", {"limit": max(1, count(given, "limit", 50)), **some(given, project="project")})
    least = number(given, "minConfidence")
    return {"success": True, "lessons": [formats.lesson_record(each) for each in found if each.confidence >= least]}


def lesson_save(doer: Doer, given: Given) -> Reply:
    """Save a lesson; one that is known already grows stronger."""
    [words] = need(given, "content")
    told = {"text": formats.public(words), "tags": texts(given.get("tags")), **some(given, project="project")}
    told |= some(given, confidence="confidence")
    told |= {"metadata": {"context": given["context"]}} if given.get("context") else {}
    learned = doer.do("lessons.add", told)
    created = learned.action == "added"
    answer = {"success": True, "action": "created" if created else "strengthened"}
    return Reply({**answer, "lesson": formats.lesson_record(learned.note)}, 201 if created else 200)


def lesson_search(doer: Doer, given: Given) -> Any:
    """Search lessons."""
    [query] = need(given, "query")
    told = {"query": query, "kind": "lesson", "limit": max(1, count(given, "limit", 10, 100))}
    hits = doer.do("search", {**told, **some(given, project="project")})
    found = [{**formats.lesson_record(hit.note), "score": hit.score} for hit in hits if hit.note is not None]
    return {"success": True, "lessons": found}


def lesson_strengthen(doer: Doer, given: Given) -> Any:
    """Confirm a lesson."""
    [lesson_id] = need(given, "lessonId")
    learned = doer.do("lessons.strengthen", {"note_id": lesson_id})
    return {"success": True, "lesson": formats.lesson_record(learned.note)}


def lesson_delete(doer: Doer, given: Given) -> Any:
    """Take a lesson back; its history stays."""
    [lesson_id] = need(given, "lessonId")
    doer.do("retract", {"note_id": lesson_id})
    return {"success": True, "lessonId": lesson_id}


def slots(doer: Doer, given: Given) -> Any:
    """List slots, those that are there from the start too."""
    found = slots_in(doer, str(given.get("project") or ""))
    return {"success": True, "slots": [formats.slot_record(each) for each in found]}


def slot(doer: Doer, given: Given) -> Any:
    """Read one slot."""
    [label] = need(given, "label")
    told = formats.slot_record(doer.do("slots.get", {"label": label, **_place(doer, given)}))
    return {"success": True, "slot": told, "scope": told["scope"]}


def slot_create(doer: Doer, given: Given) -> Reply:
    """Make a slot; one that was written already is left as it is."""
    [label] = need(given, "label")
    if given.get("scope") not in (None, "", "project", "global"):
        raise InvalidInput("scope must be project or global", code="invalid_choice")
    where = _place(doer, given)
    here = (label, where.get("project"))
    if any(each.version and (each.label, each.project) == here for each in doer.do("slots.list", where)):
        raise InvalidInput(f"slot already exists: {label}", code="slot_exists", hint="Replace it.")
    if not given.get("content"):
        raise InvalidInput("content is required: an empty slot is not kept", code="field_missing", hint="Append to it.")
    told = {"label": label, "text": str(given["content"]), **where, **some(given, description="description")}
    told |= {"size": count(given, "sizeLimit", 2000, 1_000_000)} if given.get("sizeLimit") else {}
    told |= {"pinned": flag(given, "pinned")} if "pinned" in given else {}
    return Reply({"success": True, "slot": formats.slot_record(doer.do("slots.set", told))}, 201)


def slot_append(doer: Doer, given: Given) -> Any:
    """Add a line to a slot."""
    label, words = need(given, "label", "text")
    return _slot_answer(doer.do("slots.append", {"label": label, "text": words, **_place(doer, given)}))


def slot_replace(doer: Doer, given: Given) -> Any:
    """Write a slot anew."""
    label, words = need(given, "label", "content")
    slot(doer, given)  # of one that is not there nothing can be replaced
    return _slot_answer(doer.do("slots.set", {"label": label, "text": words, **_place(doer, given)}))


def slot_delete(doer: Doer, given: Given) -> Any:
    """Erase what a slot holds."""
    [label] = need(given, "label")
    return _slot_answer(doer.do("slots.delete", {"label": label, **_place(doer, given)}))


def _place(doer: Doer, given: Given) -> dict[str, str]:
    """The project of a slot: the project that was named, where it was written, or where its label or scope puts it."""
    if given.get("project"):
        return {"project": str(given["project"])}
    label, scope = given.get("label"), given.get("scope")
    written = [each for each in slots_in(doer) if each.label == label and each.version]
    if written and scope is None:
        return {"project": written[0].project} if written[0].project else {}
    purpose = PURPOSES.get(str(label))
    of_project = purpose.of_project if purpose else scope == "project"
    return {"project": NO_PROJECT} if of_project else {}


def _slot_answer(written: Any) -> dict[str, Any]:
    return {"success": True, "slot": formats.slot_record(written), "size": len(written.text)}


def slot_reflect(doer: Doer, given: Given) -> Any:
    """Fill the slots of a project from a session."""
    [session_id] = need(given, "sessionId")
    done = doer.do("slots.reflect", {"session_id": session_id, "apply": True})
    seen = doer.do("session.show", {"session_id": session_id}).observations
    return {"success": True, "applied": len(done.slots), "observationsReviewed": seen}


def actions(doer: Doer, given: Given) -> Any:
    """List work items."""
    status = {"status": formats.action_status(given["status"])} if given.get("status") else {}
    found = all_of(doer, "actions.list", count(given, "limit", 200), **status, **some(given, project="project"))
    return {"actions": [formats.action_record(each) for each in found], "total": len(found), "success": True}


def action_create(doer: Doer, given: Given) -> Any:
    """Put something on the list of what is to be done."""
    [title] = need(given, "title")
    status = formats.action_status(given.get("status") or "pending")
    told = {"text": _worded(title, given), "depends_on": texts(given.get("requires"))}
    made = doer.do("actions.add", {**told, "priority": count(given, "priority", 0), **some(given, project="project")})
    if status != made.status:
        made = doer.do("actions.update", {"action_id": made.id, "status": status})
    return {"action": formats.action_record(made), "success": True}


def _worded(title: str, given: Given) -> str:
    """The text of a work item: its title in the first line, what it is about below."""
    return f"{title}\n{given['description']}" if given.get("description") else title


def action_update(doer: Doer, given: Given) -> Any:
    """Say how far something has come."""
    [action_id] = need(given, "actionId")
    told: dict[str, Any] = {"action_id": action_id}
    told |= {"status": formats.action_status(given["status"])} if given.get("status") else {}
    told |= {"priority": count(given, "priority", 0)} if given.get("priority") is not None else {}
    told |= {"text": _worded(str(given["title"]), given)} if given.get("title") else {}
    return {"action": formats.action_record(doer.do("actions.update", told)), "success": True}


def action(doer: Doer, given: Given) -> Any:
    """Read one work item."""
    [wanted] = need(given, "actionId")
    for each in all_of(doer, "actions.list"):
        if each.id == wanted:
            return {"action": formats.action_record(each), "success": True}
    raise NotFound("action not found", code="action_not_found")


def frontier(doer: Doer, given: Given) -> Any:
    """List what can be started now."""
    found = doer.do("frontier", {"limit": max(1, count(given, "limit", 50)), **some(given, project="project")})
    return {"frontier": [formats.action_record(each) for each in found], "total": len(found), "success": True}


def next_action(doer: Doer, given: Given) -> Any:
    """Tell what to start with."""
    first = frontier(doer, {**given, "limit": 1})["frontier"]
    return {"success": True, "suggestion": first[0] if first else None}


# -- upkeep ------------------------------------------------------------------------------------------------------------


def consolidate(doer: Doer, given: Given) -> Any:
    """Reflect on sessions that nobody reflected on yet; what comes of it waits for a person."""
    done = doer.do("reflect", {"apply": True, **some(given, project="project")})
    insights = [each for part in done for each in part.insights]
    told = [{"content": each.text, "reason": each.reason, "id": each.note_id} for each in insights]
    seen = sum(part.observations for part in done)
    return {"success": True, "consolidated": len(told), "totalObservations": seen, "insights": told}


def reflect_on(doer: Doer, given: Given) -> Any:
    """Reflect on a session, which fills the slots of its project; without one, on all that nobody reflected on."""
    return slot_reflect(doer, given) if given.get("sessionId") else consolidate(doer, given)


def crystals(doer: Doer, given: Given) -> Any:
    """List the notes that stand for many sessions."""
    found = doer.do("crystals.list", some(given, project="project"))
    return {"crystals": [formats.memory_record(each) for each in found], "total": len(found), "success": True}


def crystallize(doer: Doer, given: Given) -> Any:
    """Make one note of the sessions of a project that ended long enough ago."""
    made = doer.do("crystals.make", {"days": count(given, "olderThanDays", 7), **some(given, project="project")})
    told = formats.memory_record(made.note) if made.note else None
    return {"success": True, "crystal": told, "sessionIds": list(made.session_ids)}


def auto_forget(doer: Doer, given: Given) -> Any:
    """Erase what is due and end what has faded; with `dryRun` nothing is done."""
    done = None if flag(given, "dryRun") else doer.do("tidy")
    ended = len(done.expired) + len(done.faded) + len(done.erased) if done else 0
    return {"success": True, "dryRun": done is None, "evicted": ended, "evictedMemories": ended}


def diagnose(doer: Doer, _: Given) -> Any:
    """Tell how much there is, and that the store answers."""
    counts = doer.do("count", {"by": ["kind", "project"]})
    return {"success": True, "status": "healthy", "memories": counts.total, "by": counts.by}


def bridge(doer: Doer, given: Given) -> Any:
    """Give the text of a MEMORY.md. Whoever asked writes it: a server does not write into the folders of a host."""
    project = str(given.get("project") or "")
    found = all_of(doer, "list", 200, **({"project": project} if project else {}))
    lines = ["# Memory", "", *(f"- {quoted(note.text[:400])}" for note in found)]
    told = "Write `content` into MEMORY.md; the server does not touch files of a host."
    return {"success": True, "written": False, "message": told, "content": "\n".join(lines) + "\n"}
