"""agentmemory's calls about work: sessions and what hooks saw in them, lessons, slots, actions, upkeep, exports."""

from __future__ import annotations

from typing import Any

from recollect.dialects.agent_blocks import is_written, place_of, slots_in
from recollect.dialects.agentmemory import formats
from recollect.dialects.agentmemory.memory_calls import context, hits_for, observed_in
from recollect.dialects.arguments import Given, arguments_of, call, count, counted, done, flag, need, number, texts
from recollect.dialects.client_records import MOST_RECORDS, agent_event_fields, event_fields, import_of, kept, public
from recollect.dialects.pages import MOST, all_of, paged
from recollect.dialects.shapes import shaped, some
from recollect.dialects.table import Reply
from recollect.dialects.tool import Doer
from recollect.domain.clock import SystemClock, format_time
from recollect.domain.errors import InvalidInput, NotFound
from recollect.domain.observations import linked_commits
from recollect.recall.fence import quoted

# -- sessions ----------------------------------------------------------------------------------------------------------


def session_start(doer: Doer, given: Given) -> Any:
    """Begin a session; no other one ends by it."""
    told = arguments_of(given, "session_id=sessionId* project* folder=cwd* title agent=agentId")
    session = doer.do("session.start", told)
    return {"session": formats.session_record(session), "context": context(doer, given)["context"]}


session_end = call("session.end", "session_id=sessionId*", lambda told: done(summary=formats.summary_record(told)))


def session_commit(doer: Doer, given: Given) -> Any:
    """Link a commit to a session; without one, to nothing, which is said."""
    told = arguments_of(given, "commit=sha* session_id=sessionId* message branch at=authoredAt")
    told |= {"message": str(told["message"])[:200]} if "message" in told else {}
    session = doer.do("session.link", told)
    commit = next(each for each in session.commits if each.sha == told["commit"].strip().lower())
    own = {name: given.get(name) for name in ("repo", "author", "authoredAt")}
    return {"commit": {**formats.commit_record(commit, [session.id]), **own, "files": texts(given.get("files"))}}


def by_commit(doer: Doer, given: Given) -> Any:
    """Tell in which sessions a commit was made."""
    [sha] = need(given, "sha")
    found = list(doer.do("sessions", {"commit": sha}))
    if not found:
        raise NotFound("no sessions linked to this commit", code="commit_not_found")
    commit = next(each for each, _ in linked_commits(found) if each.sha.startswith(sha.strip().lower()))
    told = [formats.session_record(each) for each in found]
    return {"commit": formats.commit_record(commit, [each["id"] for each in told]), "sessions": told}


def commits(doer: Doer, given: Given) -> Any:
    """List commits that were linked to sessions, newest first."""
    linked = linked_commits(all_of(doer, "sessions"), given.get("branch") or None)[: count(given, "limit", 100)]
    return {"commits": [formats.commit_record(commit, made_in) for commit, made_in in linked]}


def sessions(doer: Doer, given: Given) -> Any:
    """List sessions, newest first, with how much was observed in each."""
    many = max(1, count(given, "limit", 20, 100))
    where = {"where": {"agent": given["agentId"]}} if given.get("agentId") not in (None, "", "*") else {}
    found = doer.do("sessions", {"limit": many, **some(given, project="project"), **where})
    digests = [(each, doer.do("session.show", {"session_id": each.id})) for each in found]
    return done(sessions=[formats.session_record(*each) for each in digests])


def observe(doer: Doer, given: Given) -> Reply:
    """Keep an event that a hook saw."""
    need(given, "sessionId", "hookType", "timestamp")
    return Reply({"observationId": kept(doer, event_fields(given))}, 201)


def agent_observe(doer: Doer, given: Given) -> Reply:
    """Keep what an agent says that it saw."""
    need(given, "sessionId", "project")
    [words] = need({"text": given.get("text") or given.get("content")}, "text")
    return Reply({"observationId": kept(doer, agent_event_fields(given, words))}, 201)


def observations(doer: Doer, given: Given) -> Any:
    """List what was observed in a session, in its order."""
    return {"observations": observed_in(doer, *need(given, "sessionId"))}


def _replayed(found: Any) -> dict[str, Any]:
    events = [formats.replay_event(beat) for beat in found]
    told = {"events": events, "eventCount": len(events), "totalDurationMs": found.duration}
    return done(session=formats.session_record(found.session), timeline=told)


replay = call("replay", "session_id=sessionId*", _replayed, limit=1000)


def _summarized(digest: Any) -> dict[str, Any]:
    if not digest.observations:
        raise InvalidInput("no_observations", code="no_observations")
    return done(summary=formats.summary_record(digest))


summarize = call("session.show", "session_id=sessionId*", _summarized)


# -- lessons, slots, actions -------------------------------------------------------------------------------------------


def lessons(doer: Doer, given: Given) -> Any:
    """List lessons, the surest first."""
    found, least = doer.do("lessons.list", arguments_of(given, "limit#50 project")), number(given, "minConfidence")
    return done(lessons=[formats.lesson_record(each) for each in found if each.confidence >= least])


def lesson_save(doer: Doer, given: Given) -> Reply:
    """Save a lesson; one that is known already grows stronger."""
    [words] = need(given, "content")
    told: dict[str, Any] = {"text": public(words), "tags": texts(given.get("tags"))}
    told |= some(given, project="project", confidence="confidence")
    told |= {"metadata": {"context": given["context"]}} if given.get("context") else {}
    learned = doer.do("lessons.add", told)
    created = learned.action == "added"
    answer = done(action="created" if created else "strengthened", lesson=formats.lesson_record(learned.note))
    return Reply(answer, 201 if created else 200)


def lesson_search(doer: Doer, given: Given) -> Any:
    """Search lessons."""
    least, hits = number(given, "minConfidence"), hits_for(doer, given, 10, kind="lesson")
    sure = [(hit.note, hit.score) for hit in hits if hit.note and hit.note.confidence >= least]
    return done(lessons=[{**formats.lesson_record(note), "score": score} for note, score in sure])


lesson_strengthen = call(
    "lessons.strengthen", "note_id=lessonId*", lambda told: done(lesson=formats.lesson_record(told.note))
)


lesson_delete = call("retract", "note_id=lessonId*", lambda note: done(lessonId=note.id))


def slots(doer: Doer, given: Given) -> Any:
    """List slots, those that are there from the start too."""
    return done(slots=[formats.slot_record(each) for each in slots_in(doer, str(given.get("project") or ""))])


def _one_slot(found: Any) -> dict[str, Any]:
    told = formats.slot_record(found)
    return done(slot=told, scope=told["scope"])


slot = call("slots.get", "label*", _one_slot, place_of)


def slot_create(doer: Doer, given: Given) -> Reply:
    """Make a slot; one that was written already is left as it is."""
    [label] = need(given, "label")
    if given.get("scope") not in (None, "", "project", "global"):
        raise InvalidInput("scope must be project or global", code="invalid_choice")
    where = place_of(doer, given)
    if is_written(doer, label, where):
        raise InvalidInput(f"slot already exists: {label}", code="slot_exists", hint="Replace it.")
    if not given.get("content"):
        raise InvalidInput("content is required: an empty slot is not kept", code="field_missing", hint="Append to it.")
    told = {"label": label, "text": str(given["content"]), **where, **some(given, description="description")}
    told |= {"size": count(given, "sizeLimit", 2000, 1_000_000)} if given.get("sizeLimit") else {}
    told |= {"pinned": flag(given, "pinned")} if "pinned" in given else {}
    return Reply(done(slot=formats.slot_record(doer.do("slots.set", told))), 201)


def slot_replace(doer: Doer, given: Given) -> Any:
    """Write a slot anew."""
    label, words = need(given, "label", "content")
    slot(doer, given)  # of one that is not there nothing can be replaced
    return _slot_answer(doer.do("slots.set", {"label": label, "text": words, **place_of(doer, given)}))


def _slot_answer(written: Any) -> dict[str, Any]:
    return done(slot=formats.slot_record(written), size=len(written.text))


slot_append = call("slots.append", "label* text*", _slot_answer, place_of)
slot_delete = call("slots.delete", "label*", _slot_answer, place_of)


def slot_reflect(doer: Doer, given: Given) -> Any:
    """Fill the slots of a project from a session."""
    [session_id] = need(given, "sessionId")
    filled = doer.do("slots.reflect", {"session_id": session_id, "apply": True})
    seen = doer.do("session.show", {"session_id": session_id}).observations
    return done(applied=len(filled.slots), observationsReviewed=seen)


def actions(doer: Doer, given: Given) -> Any:
    """List work items."""
    status = {"status": formats.action_status(given["status"])} if given.get("status") else {}
    found = all_of(doer, "actions.list", count(given, "limit", 200), **status, **some(given, project="project"))
    return counted("actions", found, formats.action_record)


def action_create(doer: Doer, given: Given) -> Any:
    """Put something on the list of what is to be done."""
    [title] = need(given, "title")
    status = formats.action_status(given.get("status") or "pending")
    told = {"text": _worded(title, given), "depends_on": texts(given.get("requires"))}
    made = doer.do("actions.add", {**told, "priority": count(given, "priority", 0), **some(given, project="project")})
    if status != made.status:
        made = doer.do("actions.update", {"action_id": made.id, "status": status})
    return done(action=formats.action_record(made))


def _worded(title: str, given: Given) -> str:
    """The text of a work item: its title in the first line, what it is about below."""
    return f"{title}\n{given['description']}" if given.get("description") else title


def action_update(doer: Doer, given: Given) -> Any:
    """Say how far something has come."""
    told = arguments_of(given, "action_id=actionId*")
    told |= {"status": formats.action_status(given["status"])} if given.get("status") else {}
    told |= {"priority": count(given, "priority", 0)} if given.get("priority") is not None else {}
    told |= {"text": _worded(str(given["title"]), given)} if given.get("title") else {}
    return done(action=formats.action_record(doer.do("actions.update", told)))


def action(doer: Doer, given: Given) -> Any:
    """Read one work item."""
    [wanted] = need(given, "actionId")
    found = next((each for each in all_of(doer, "actions.list") if each.id == wanted), None)
    if found is None:
        raise NotFound("action not found", code="action_not_found")
    return done(action=formats.action_record(found))


frontier = call("frontier", "limit#50 project", lambda found: counted("frontier", found, formats.action_record))


def next_action(doer: Doer, given: Given) -> Any:
    """Tell what to start with."""
    return done(suggestion=next(iter(frontier(doer, {**given, "limit": 1})["frontier"]), None))


# -- upkeep ------------------------------------------------------------------------------------------------------------


def _consolidated(parts: Any) -> dict[str, Any]:
    told = [shaped(each, "content=text reason id=note_id") for part in parts for each in part.insights]
    return done(consolidated=len(told), totalObservations=sum(part.observations for part in parts), insights=told)


consolidate = call("reflect", "project", _consolidated, apply=True)  # whose insights wait for a person


def reflect_on(doer: Doer, given: Given) -> Any:
    """Reflect on a session, which fills the slots of its project; without one, on all that nobody reflected on."""
    return slot_reflect(doer, given) if given.get("sessionId") else consolidate(doer, given)


crystals = call("crystals.list", "project", lambda found: counted("crystals", found, formats.memory_record))


def crystallize(doer: Doer, given: Given) -> Any:
    """Make one note of the sessions of a project that ended long enough ago."""
    made = doer.do("crystals.make", {"days": count(given, "olderThanDays", 7), **some(given, project="project")})
    told = formats.memory_record(made.note) if made.note else None
    return done(crystal=told, sessionIds=list(made.session_ids))


def auto_forget(doer: Doer, given: Given) -> Any:
    """Erase what is due and end what has faded; with `dryRun` nothing is done."""
    tidied = None if flag(given, "dryRun") else doer.do("tidy")
    ended = len(tidied.expired) + len(tidied.faded) + len(tidied.erased) if tidied else 0
    return done(dryRun=tidied is None, evicted=ended, evictedMemories=ended, evictedObservations=0)


diagnose = call(
    "count",
    "",
    lambda counts: done(status="healthy", memories=counts.total, by=counts.by),
    by=["kind", "project"],
)


def bridge(doer: Doer, given: Given) -> Any:
    """Give the text of a MEMORY.md. Whoever asked writes it: a server does not write into the folders of a host."""
    found = all_of(doer, "list", 200, **some(given, project="project"))
    lines = ["# Memory", "", *(f"- {quoted(note.text[:400])}" for note in found)]
    told = "Write `content` into MEMORY.md; the server does not touch files of a host."
    return done(written=False, message=told, content="\n".join(lines) + "\n")


# -- exports -----------------------------------------------------------------------------------------------------------


def exported(doer: Doer, given: Given) -> Any:
    """Everything that agentmemory has a place for; `maxSessions` and `offset` go through sessions in parts."""
    first, many = count(given, "offset", 0, 1_000_000), max(1, count(given, "maxSessions", MOST))
    every = all_of(doer, "sessions", first + many + 1)
    digests = [doer.do("session.show", {"session_id": each.id}) for each in every[first : first + many]]
    notes = [each for state in ("active", "superseded") for each in all_of(doer, "list", MOST_RECORDS, state=state)]
    told = {
        "version": formats.VERSION,
        "exportedAt": format_time(SystemClock().now()),
        "sessions": [formats.session_record(each.session, each) for each in digests],
        "observations": {each.session.id: observed_in(doer, each.session.id) for each in digests},
        "memories": [formats.memory_record(note) for note in notes if note.kind.value != "lesson"],
        "summaries": [formats.summary_record(each) for each in digests if each.outcome],
        "lessons": [formats.lesson_record(note) for note in notes if note.kind.value == "lesson"],
        "slots": [formats.slot_record(each) for each in doer.do("slots.list") if each.version],
        "actions": [formats.action_record(each) for each in all_of(doer, "actions.list")],
    }
    if "maxSessions" in given or first or len(every) > first + many:
        told |= {"pagination": paged(every, first, many)}
    return told


def imported(doer: Doer, given: Given) -> Any:
    """Take an export in. Doing it twice changes nothing, and nothing that is here is erased by it."""
    from recollect.remember.foreign.exports import agentmemory_in

    said = given.get("exportData", given)
    if given.get("strategy") == "replace":
        raise InvalidInput("strategy replace is not taken: an import erases nothing here", code="invalid_choice")
    if not isinstance(said, dict) or not isinstance(said.get("memories"), list):
        raise InvalidInput("exportData with a list of memories is required", code="field_missing")
    records = sum(len(each) for each in said.values() if isinstance(each, list | dict))
    taken = import_of(doer, "agentmemory", records, lambda: agentmemory_in(said))
    return done(**shaped(taken, "imported skipped failed"))
