"""One scenario through every door: the same answers, the same refusals."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.operations import operations_of
from recollect.surfaces.hosts.known import HOSTS
from tests.support.links import link
from tests.surfaces.doors import DOORS, TARGET, Door, Refusal


def refusal(door: Door, verb: str, **arguments: Any) -> dict[str, Any]:
    """What a door says when it says no."""
    with pytest.raises(Refusal) as caught:
        door.call(verb, **arguments)
    return caught.value.error


def life_of_a_memory(door: Door) -> list[Any]:
    """Save, find, correct, collide, supersede, look back, pin, page, carry over, forget. What each step answered."""
    told: list[Any] = []

    def call(verb: str, **arguments: Any) -> Any:
        told.append(door.call(verb, **arguments))
        return told[-1]

    austin = call(
        "save",
        text="Alice lives in Austin",
        subject="alice",
        attribute="city",
        value="Austin",
        tags=["Home", "where"],
        valid_from="2024-01-01",
        metadata={"ticket": 12},
        confidence=0.75,
        space="alice",
    )
    assert austin["version"] == 1
    assert austin["tags"] == ["home", "where"]
    assert austin["metadata"] == {"ticket": 12}
    assert austin["origin"]["principal"] == "tester"

    found = call("search", query="where does Alice live", space="alice")
    assert [hit["note"]["id"] for hit in found["hits"]] == [austin["id"]]

    corrected = call(
        "update", note_id=austin["id"], text="Alice lives in Austin, Texas", expected_version=1, space="alice"
    )
    assert corrected["version"] == 2

    stale = refusal(
        door, "update", note_id=austin["id"], text="Alice lives in Dallas", expected_version=1, space="alice"
    )
    assert stale["code"] == "stale_version"
    told.append(stale)

    boston = call(
        "supersede", note_id=austin["id"], text="Alice lives in Boston", valid_from="2025-06-01", space="alice"
    )
    assert boston["supersedes"] == [austin["id"]]

    steps = call("history", note_id=austin["id"], space="alice")["steps"]
    assert [step["note"]["text"] for step in steps] == ["Alice lives in Austin, Texas", "Alice lives in Boston"]
    assert [len(step["versions"]) for step in steps] == [3, 1]

    then = call("search", query="where does Alice live", as_of="2024-12-24", space="alice")
    assert [hit["note"]["id"] for hit in then["hits"]] == [austin["id"]]
    assert call("get", note_id=boston["id"], as_of="2024-12-24", space="alice")["id"] == austin["id"]

    assert call("pin", note_id=boston["id"], space="alice")["pinned"] is True
    tea = call("save", text="Alice prefers tea", pinned=False, derived_from=[boston["id"]], space="alice")
    assert [note["id"] for note in call("list", pinned=True, space="alice")["items"]] == [boston["id"]]
    assert [note["id"] for note in call("list", pinned=False, space="alice")["items"]] == [tea["id"]]

    doubted = call("feedback", note_id=tea["id"], verdict="wrong", remark="she drinks coffee", space="alice")
    assert doubted["review"] == "It was said to be wrong: she drinks coffee"
    told.append(refusal(door, "feedback", note_id=tea["id"], verdict="odd", space="alice"))
    assert told[-1]["code"] == "unknown_verdict"
    # A briefing says who wrote each line and how far their word goes, so that it differs from door to door.
    brief = door.call("brief", subject="alice", space="alice")
    assert [line["text"] for line in brief["lines"]] == ["Alice lives in Boston"]

    first = call("list", limit=1, space="alice")
    second = call("list", limit=1, cursor=first["next_cursor"], space="alice")
    assert [first["items"][0]["id"], second["items"][0]["id"]] == [tea["id"], boston["id"]]
    assert second["next_cursor"] is None
    told.append(refusal(door, "list", limit=1, cursor=first["next_cursor"]))
    assert told[-1]["code"] == "invalid_cursor"

    records = call("export")["records"]
    other = door.elsewhere()
    lines = [json.dumps(record) for record in records]
    told.append(other.call("import", lines=lines))
    assert told[-1]["failures"] == []
    told.append(other.call("import", lines=lines))
    assert told[-1]["imported"] == 0
    there, here = (each.call("history", note_id=austin["id"], space="alice")["steps"] for each in (other, door))
    assert _said_in(there) == _said_in(here)
    assert {step["note"]["origin"]["channel"] for step in there} == {"import"}

    gone = call("forget", note_id=tea["id"], space="alice")
    assert gone["note_ids"] == [tea["id"]]
    for verb in ("get", "history"):
        told.append(refusal(door, verb, note_id=tea["id"], space="alice"))
        assert told[-1]["code"] == "erased"
    told.append(door.call("import", lines=lines))
    assert told[-1]["erased"] == 2  # versions

    assert call("list", space="nobody")["items"] == []
    unheard = call("search", query="where does Alice live", space="nobody")
    assert (unheard["hits"], unheard["coverage"]) == ([], "none")
    assert call("recall", query="where does Alice live", space="nobody")["coverage"] == "none"
    assert call("profile", space="nobody")["fields"] == []
    assert call("context", space="nobody")["block"] == ""
    told.append(refusal(door, "audit", space="nobody"))
    assert told[-1]["code"] == "space_not_found"
    told.append(refusal(door, "save", text="x", kind="odd"))
    assert told[-1]["code"] == "unknown_kind"
    told.append(refusal(door, "save", text="x", valid_from="2026-01-02", valid_until="2026-01-01"))
    assert told[-1]["code"] == "invalid_period"

    call("spaces.create", name="team", description="what we share")
    assert [space["name"] for space in call("spaces.list")["items"]] == ["alice", "team"]
    assert call("spaces.describe", name="alice")["erased"] == 1
    call("spaces.delete", name="team")
    told.append(refusal(door, "spaces.describe", name="team"))
    assert told[-1]["code"] == "space_not_found"

    assert call("doctor")["healthy"] is True
    assert call("status")["notes"] == 2
    assert call("audit", space="alice", limit=3)["whole"] is True
    return told


def _said_in(steps: list[Any]) -> list[Any]:
    """What each version of a history says and since when, without who wrote it down and when."""
    fields = ("id", "version", "text", "tags", "state", "confidence", "valid_from", "valid_until", "supersedes")
    return [[version[name] for name in fields] for step in steps for version in step["versions"]]


def things_people_say(door: Door, documents: Path) -> list[Any]:
    """Listen, learn, watch, take files in, look back, sum up, forget what was said. What each step answered."""
    told: list[Any] = []

    def call(verb: str, **arguments: Any) -> Any:
        told.append(door.call(verb, **arguments, space="alice"))
        return told[-1]

    moved = call(
        "add",
        messages="I moved to Berlin last week. I might buy a bike. <private>4711</private>",
        at="2026-03-09T10:30:00Z",
        project="storefront",
    )
    [berlin] = moved["learned"]
    assert berlin["action"] == "added"
    assert berlin["note"]["valid_from"].startswith("2026-03-02")
    assert berlin["note"]["derived_from"] == moved["observation_ids"]
    assert [each["reason"] for each in moved["passed_over"]] == ["hypothetical"]
    assert moved["redacted"] == {"private": 1}
    assert not any(moved["usage"].values())

    said = [
        {"role": "user", "content": "We're back in Austin!", "at": "2026-06-01T09:00:00Z"},
        {"role": "assistant", "content": "Welcome back!", "at": "2026-06-01T09:00:05Z"},
    ]
    back = call("add", messages=said, project="storefront", idempotency_key="once")
    assert [each["action"] for each in back["learned"]] == ["superseded"]
    assert len(back["observation_ids"]) == 2
    assert call("add", messages=said, project="storefront", idempotency_key="once")["session_id"] == back["session_id"]

    only_kept = call("add", messages="I live in Rome.", at="2026-06-02", extract=False)
    assert (only_kept["learned"], len(only_kept["observation_ids"])) == ([], 1)

    april = call("search", query="Where did I live in April 2026?")
    assert april["hits"][0]["note"]["id"] == berlin["note"]["id"]
    assert april["hits"][0]["evidence"] == moved["observation_ids"]
    steps = call("history", subject="user", attribute="location")["steps"]
    assert [step["note"]["value"] for step in steps] == ["Berlin", "Austin"]

    assert call("watch", text="Nice weather today", at="2026-06-03") is None
    asked = call("watch", text="Please remember that I'm allergic to penicillin", at="2026-06-03")
    assert [each["note"]["value"] for each in asked["learned"]] == ["penicillin"]

    manager = call("learn", subject="user", attribute="manager", value="Priya", since="2026-01-01", at="2026-06-04")
    assert manager["action"] == "added"
    again = call("learn", subject="user", attribute="manager", value="Priya", at="2026-06-05")
    assert again["action"] == "reinforced"

    profile = call("profile", subject="user")
    fields = {each["attribute"]: each["values"] for each in profile["fields"]}
    assert (fields["location"], fields["manager"], fields["allergies"]) == (["Austin"], ["Priya"], ["penicillin"])

    taken = call("ingest", path=str(documents), ignore=["*.log"])
    assert (taken["read"], taken["passages"], len(taken["failures"])) == (1, 2, 1)
    assert call("ingest", path=str(documents), ignore=["*.log"])["unchanged"] == 1
    passage = call("search", query="deploy with make release")["hits"][0]
    assert passage["note"] is None
    assert passage["observation"]["kind"] == "passage"

    deploy = call("add", messages="We deploy with make release, never from CI.", extract=False, project="shopx")
    for project, found in (("shopx", deploy["observation_ids"]), ("other", [])):
        answer = call("search", query="how do we deploy", project=project)
        assert [hit["observation"]["id"] for hit in answer["hits"]] == found
    brief = door.call("brief", topic="how do we deploy", project="shopx", space="alice")
    assert [line["text"] for line in brief["lines"]] == ["We deploy with make release, never from CI."]

    gone = call("forget", note_id=only_kept["observation_ids"][0])
    assert (gone["note_ids"], gone["observation_ids"]) == ([], only_kept["observation_ids"])

    told.append(door.call("spaces.describe", name="alice"))
    assert told[-1]["verdicts"]["hypothetical"] == 1
    told.append(refusal(door, "add", messages=[{"role": "riddler", "content": "x"}]))
    assert told[-1]["code"] == "unknown_role"
    told.append(refusal(door, "add", messages="x", zone="Mars/Olympus"))
    assert told[-1]["code"] == "unknown_zone"
    told.append(refusal(door, "learn", subject="user", attribute="city", value="x", polarity="odd"))
    assert told[-1]["code"] == "unknown_polarity"
    told.append(refusal(door, "history", subject="user"))
    assert told[-1]["code"] == "field_missing"
    told.append(refusal(door, "ingest", path=str(documents / "missing")))
    assert told[-1]["code"] == "file_not_found"
    return told


def test_a_memory_lives_the_same_life_behind_every_door(door: Door, tmp_path: Path, bytecode: Path) -> None:
    library = DOORS["library"](tmp_path / "library" / "here", bytecode)
    expected = [_comparable(answer) for answer in life_of_a_memory(library)]
    library.close()

    assert [_comparable(answer) for answer in life_of_a_memory(door)] == expected


def test_a_memory_hears_the_same_things_behind_every_door(door: Door, tmp_path: Path, bytecode: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "guide.md").write_text("# Guide\n\nRead this.\n\n## Releases\n\nWe deploy with make release.\n")
    (documents / "noise.log").write_text("nothing")
    (documents / "picture.bin").write_bytes(bytes(range(256)))
    library = DOORS["library"](tmp_path / "library" / "here", bytecode)
    expected = [_comparable(answer) for answer in things_people_say(library, documents)]
    library.close()

    assert [_comparable(answer) for answer in things_people_say(door, documents)] == expected


def test_every_verb_can_be_called_through_every_door(door: Door) -> None:
    note = door.call("save", text="a note to try every verb on")
    other = door.call("save", text="another one")
    path = str(Path(door.call("status")["location"]).with_name("copy.db"))
    letter = Path(path).with_name("letter.txt")
    letter.write_text("The cellar is damp.")
    anchored = door.call("save", text="The cellar is damp, says the letter")
    doubted = door.call("feedback", note_id=door.call("save", text="The roof is new")["id"], verdict="wrong")
    picture = {"name": "cellar.gif", "data": base64.b64encode(b"GIF89a of a cellar").decode()}
    shown = door.call("add", messages="This is the cellar", attachments=[picture])["attachments"][0]
    replaced, newer = (door.call("save", text=f"The gate is {colour}")["id"] for colour in ("red", "blue"))
    with Memory(store=door.call("status")["location"], home=letter.parent) as memory:
        link(memory, replaced, newer)
    asked = door.call("eval.build", limit=1)["questions"][0]
    door.call("save", text="Bea's manager is Ann", subject="Bea", attribute="manager", value="Ann")
    tried: dict[str, dict[str, Any]] = {
        "attachment": {"digest": shown["digest"]},
        "add": {"messages": "I moved to Berlin last week", "zone": "Europe/Berlin", "session": "first"},
        "watch": {"text": "Please remember that I'm allergic to penicillin"},
        "learn": {"subject": "user", "attribute": "languages", "value": "Dutch", "many": True, "confidence": 0.5},
        "ingest": {"path": str(letter)},
        "profile": {},
        "get": {"note_id": note["id"]},
        "list": {},
        "search": {"query": "note"},
        "recall": {"query": "note", "budget": 500, "limit": 3},
        "answer": {"question": "Is there a note?"},
        "brief": {"topic": "note", "budget": 400},
        "why": {"receipt_id": door.call("recall", query="note")["receipt"]},
        "why-not": {"note_id": note["id"], "query": "note"},
        "history": {"note_id": note["id"]},
        "update": {"note_id": note["id"], "title": "a title", "clear": ["subject"]},
        "pin": {"note_id": note["id"]},
        "unpin": {"note_id": note["id"]},
        "feedback": {"note_id": note["id"], "verdict": "useful", "remark": "it helped"},
        "supersede": {"note_id": note["id"], "text": "a newer note"},
        "settle": {"note_id": doubted["id"], "decision": "accept"},
        "retract": {"note_id": other["id"], "reason": "it was never so"},
        "forget": {"note_id": other["id"], "cascade": True},
        "relate": {"note_id": anchored["id"], "other_id": door.call("save", text="The attic is dry")["id"]},
        "relations": {"note_id": anchored["id"]},
        "refute": {"note_id": replaced, "other_id": newer},
        "timeline": {"anchor": "2026-01-01", "before": 2, "after": 3, "project": "shop"},
        "project-profile": {"project": "shop"},
        "crystals.make": {"project": "shop", "days": 0},
        "crystals.list": {},
        "reflect": {"project": "shop", "apply": True},
        "context": {"project": "shop", "budget": 500},
        "remind": {"files": ["src/app.py"], "command": "git push", "terms": ["release"], "session": "work"},
        "inject": {"path": str(letter.parent), "machine": "laptop"},
        "anchor": {"note_id": anchored["id"], "anchors": ["file:letter.txt"], "path": str(letter.parent)},
        "session.start": {"session_id": "work", "project": "shop", "branch": "main", "folder": "/w/shop"},
        "observe": {
            "event": "tool_use",
            "text": "ok",
            "tool": "Bash",
            "arguments": {"command": "make"},
            "session": "work",
        },
        "session.link": {"session_id": "work", "commit": "0123456789abcdef", "message": "Make it"},
        "session.end": {"session_id": "work"},
        "sessions": {"commit": "01234567"},
        "session.show": {"session_id": "work"},
        "replay": {"session_id": "work", "limit": 10},
        "slots.list": {},
        "slots.set": {"label": "motto", "text": "Mind the gap.", "size": 40, "pinned": False},
        "slots.append": {"label": "motto", "text": "Stand clear.", "project": None},
        "slots.get": {"label": "motto"},
        "slots.reflect": {"session_id": "work", "apply": True},
        "slots.delete": {"label": "motto"},
        "lessons.add": {"text": "Sweep first", "confidence": 0.6, "tags": ["chores"]},
        "lessons.strengthen": {"note_id": door.call("lessons.add", text="Dust before you sweep")["note"]["id"]},
        "lessons.list": {},
        "actions.add": {"text": "Water the plants", "priority": 3, "depends_on": []},
        "actions.update": {"action_id": door.call("actions.add", text="Sweep")["id"], "status": "done"},
        "actions.list": {"status": "open"},
        "frontier": {},
        "export": {},
        "import": {"lines": []},
        "backup": {"path": path, "compact": True},
        "backups": {"target": TARGET},
        "restore": {"path": path},
        "spaces.list": {},
        "spaces.create": {"name": "team"},
        "spaces.limit": {"name": "team", "max_notes": 100, "max_messages": 10},
        "spaces.describe": {"name": "team"},
        "spaces.delete": {"name": "team"},
        "status": {},
        "doctor": {},
        "audit": {},
        "reindex": {"check": True},
        "tidy": {},
        "maintain": {"scope": "daydream", "background": True},
        "eval.build": {"limit": 2},
        "eval.questions": {},
        "eval.edit": {"question_id": asked["id"], "question": "Where is it dry?"},
        "eval.drop": {"question_id": asked["id"]},
        "eval.run": {},
        "eval.experiment": {"reranker": "off"},
        "eval.history": {"limit": 5},
        "graph.show": {"entity": "Bea", "ended": True},
        "graph.list": {"type": "Person"},
        "graph.path": {"entity": "Bea", "other": "Ann"},
        "graph.around": {"entity": "Ann", "budget": 200},
        "graph.timeline": {"entity": "Bea"},
        "graph.communities": {"limit": 3},
        "graph.central": {"limit": 3},
        "graph.export": {"format": "graphml"},
        "kip": {"statement": "FIND(?e.name) WHERE { ?e {name: :n} }", "parameters": {"n": "Bea"}},
        "graph.alias": {"entity": "Bea", "alias": "Beatrice"},
        "graph.merge": {"entity": "Ann", "other": "Bea"},
        "graph.split": {"entity": "Ann", "other": "Bea"},
        "vault.open": {"path": str(Path(path).with_name("files"))},
        "vault.scan": {"accept": True},
        "sync": {},
        "review": {},
        "log": {"limit": 5},
        "diff": {"note_id": note["id"], "since_version": 1},
        "blame": {"note_id": note["id"]},
        "machines": {},
        "migrate": {"projects": {"old": "new"}},
        "dedup": {},
        "backfill-provenance": {"apply": True},
        "count": {"by": ["kind"], "where": {"tag": {"exists": True}}},
        "forget-all": {"where": {"tag": "nothing"}},
        "reset": {"user": "nobody"},
        "jobs.list": {"stage": "done", "limit": 5},
        "jobs.run": {"limit": 5},
        "jobs.timers": {},
        "activity": {"limit": 7},
        "usage": {"note_id": note["id"], "limit": 7},
        "providers": {},
        "spend": {"by": ["task,space", "day"], "limit": 7},
        "provider-keys.list": {},
        "embeddings.show": {},
        "webhooks.add": {"webhook": "ops", "url": "https://127.0.0.1/", "events": ["written"], "content": True},
        "webhooks.list": {},
        "webhooks.test": {"webhook": "ops"},
        "webhooks.deliveries": {"webhook": "ops", "limit": 5},
        "webhooks.remove": {"webhook": "ops"},
        "brain.form": {"messages": "I moved to Oslo.", "topic": "moving"},
        "brain.recall": {"question": "Where do I live?"},
        "brain.conversations": {"conversation": 1},
        "brain.show": {},
        "brain.change": {"owner": "me", "tier": 3, "public": False},
    }

    door.call("backup", target=TARGET, keep=1)
    for verb, given in tried.items():
        arguments = {name: value for name, value in given.items() if value is not None}
        assert door.call(verb, **arguments) is not None, verb
    job_id = door.call("ingest", path=str(letter), background=True)["job_id"]
    tried["jobs.show"] = {"job_id": job_id}
    assert door.call("jobs.show", job_id=job_id)["kind"] == "ingest"
    for verb in ("jobs.cancel", "jobs.retry"):
        tried[verb] = {"job_id": job_id}
        try:
            assert door.call(verb, job_id=job_id)["id"] == job_id
        except Refusal as refused:
            assert refused.code == "job_stage"  # a server that runs jobs was faster
    for verb, given, refused_with in (
        ("provider-keys.set", {"provider": "nobody", "secret": "sk-0123456789"}, "no_provider key_by_agent"),
        ("provider-keys.remove", {"provider": "nobody"}, "no_provider_key"),
        ("brain.restart", {"conversation": 1}, "conversation_open"),  # until it is formed
        ("brain.maintain", {"scope": "quick"}, "brain_busy"),
        ("embeddings.prepare", {"model": "hashed"}, ""),
        ("embeddings.compare", {}, "embedding_not_here"),  # as long as no model serves
        ("embeddings.switch", {}, "embedding_incomplete"),
        ("embeddings.drop", {}, "embedding_not_here"),  # a server that was faster has switched to it
    ):
        tried[verb] = dict(given)
        try:
            assert door.call(verb, **given) is not None, verb
        except Refusal as refused:
            assert refused.code in refused_with.split(), verb
    newest = door.call("log")["revisions"][0]["id"]
    for verb in ("show", "revert"):
        tried[verb] = {"revision": newest}
        assert door.call(verb, **tried[verb]) is not None, verb
    assert set(operations_of(Memory)) - set(tried) <= {"save"}, "a verb is not tried here"


ABOUT_THE_MACHINE = {"server", "open in", *(host.title for host in HOSTS.values())}


def _comparable(answer: Any) -> Any:
    """An answer without what differs from run to run: ids become their order, times and places nothing."""
    text = json.dumps(answer, sort_keys=True)
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(?!000000)\d{6}Z", "TIME", text)
    for number, found in enumerate(dict.fromkeys(re.findall(r"[0-7][0-9A-HJKMNP-TV-Z]{25}", text))):
        text = text.replace(found, f"ID{number}")
    text = re.sub(r'"channel": "\w+"', '"channel": ""', text)
    # What a program says is only quoted, what a person says is a fact; see `Caller.ceiling`.
    text = re.sub(r'"authority": "\w+"', '"authority": ""', text)
    text = re.sub(r'"(next_cursor|location|digest)": "[^"]+"', r'"\1": ""', text)
    text = re.sub(r'"seconds": [\d.e-]+', '"seconds": 0', text)
    found = json.loads(re.sub(r'"size_bytes": \d+', '"size_bytes": 0', text))
    if isinstance(found, dict) and "checks" in found:
        # The command line also looks at the machine around a memory.
        found["checks"] = [check for check in found["checks"] if check["name"] not in ABOUT_THE_MACHINE]
    return found
