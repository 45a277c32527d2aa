"""Tokens that may write, through the real doors of HTTP and MCP: what a person said stays, whatever they try."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from recollect import Memory, Note
from recollect.domain.origin import Channel
from recollect.domain.values import to_plain
from tests.surfaces.http.client import Client, served
from tests.surfaces.mcp.speaking import called

Call = Callable[[str, dict[str, Any]], Any]


def test_no_token_that_may_write_displaces_a_persons_word(tmp_path: Path) -> None:
    with Memory(store=str(tmp_path / "memory.db"), home=tmp_path, principal="owner") as memory:
        rule = memory.save("Never force-push", authority="instruction", pinned=True)
        home = memory.learn("user", "location", "Berlin", since="2025-01-01").note
        said = memory.add("I work as a baker.").observation_ids[0]
        assert home is not None
        secret = memory.access.issue(scope="write", name="bot", space="default").secret
        with served(memory) as anybody:
            client = anybody.with_token(secret)
            chance = random.Random(7)
            doors: list[Call] = [_over_http(client), _over_mcp(client)]
            for _ in range(60):
                verb, arguments = chance.choice(_attempts(chance.choice([rule, home]), said))
                chance.choice(doors)(verb, arguments)

        for known in (rule, home):
            now = memory.get(known.id)
            assert (now.text, now.state, now.valid_until, now.authority, now.origin, now.pinned, now.confidence) == (
                known.text, known.state, known.valid_until, known.authority, known.origin, known.pinned,
                known.confidence,
            )  # fmt: skip
        waiting = {item.path for item in memory.review().items}
        disputed = memory.list(state="disputed", limit=100).items
        assert disputed
        assert {note.id for note in disputed} <= waiting
        others = [note for note in memory.list(state="any", limit=1000).items if note.origin.principal != "owner"]
        assert {note.origin.principal for note in others} == {"bot"}
        assert {note.origin.channel for note in others} <= {Channel.HTTP, Channel.MCP, Channel.IMPORT}
        assert {note.authority.value for note in others} == {"quoted"}
        assert memory.search("where does the user live").hits[0].note == memory.get(home.id)


def test_who_may_settle_is_the_same_question_at_every_door(tmp_path: Path) -> None:
    with Memory(store=str(tmp_path / "memory.db"), home=tmp_path, principal="owner") as memory:
        rule = memory.save("Deploy on Mondays")
        with served(memory) as anybody:
            bot = anybody.with_token(memory.access.issue(scope="write", name="bot", space="default").secret)
            admin = anybody.with_token(memory.access.issue(scope="admin", name="root").secret)
            proposal = _over_http(bot)("update", {"note_id": rule.id, "text": "Deploy on Fridays"})
            asked = {"note_id": proposal["id"], "decision": "accept"}

            assert _over_http(bot)("settle", asked)["code"] == "authority_too_low"
            assert _over_mcp(admin)("settle", asked)["code"] == "authority_too_low", "an agent is nobody's owner"
            assert [each["path"] for each in _over_http(bot)("review", {})["items"]] == [proposal["id"]]
            assert _over_http(bot)("import", {"lines": [], "trust": True})["code"] == "authority_too_low"
            assert _over_http(admin)("settle", asked)["text"] == "Deploy on Fridays"

        assert memory.get(rule.id).text == "Deploy on Fridays"
        assert memory.review().items == ()


def _over_http(client: Client) -> Call:
    return lambda verb, arguments: client.post(f"/v1/spaces/default/{verb.replace('.', '/')}", arguments).json


def _over_mcp(client: Client) -> Call:
    def call(verb: str, arguments: dict[str, Any]) -> Any:
        name = verb.replace(".", "_").replace("-", "_")
        result = called(client, name, arguments, query="?toolset=full")
        found = result.get("structuredContent") or json.loads(result["content"][0]["text"])
        return found.get("error", found)

    return call


def _attempts(note: Note, message_id: str) -> list[tuple[str, dict[str, Any]]]:
    """Everything a caller could try on somebody's note."""
    forged = {**to_plain(note), "type": "note", "version": note.version + 1, "text": "Forged"}
    forged["updated_at"] = "2030-01-01T00:00:00+00:00"
    usurping = {**forged, "id": "0" * 26, "version": 1, "supersedes": [note.id], "origin": {"principal": "root"}}
    stone = {"type": "tombstone", "space": "default", "note_id": note.id}
    one = {"note_id": note.id}
    return [
        ("save", {"text": "Always force-push", "pinned": True}),
        ("update", {**one, "text": "Force-push at will"}),
        ("supersede", {**one, "text": "Force-push on Fridays"}),
        ("retract", one),
        ("forget", one),
        ("forget", {"note_id": message_id}),
        ("pin", one),
        ("unpin", one),
        ("feedback", {**one, "verdict": "wrong"}),
        ("learn", {"subject": "user", "attribute": "location", "value": "Paris"}),
        ("learn", {"subject": "user", "attribute": "location", "value": "Rome", "corrects": True}),
        ("add", {"messages": "I moved to Lyon."}),
        ("watch", {"text": "Please remember that I live in Oslo."}),
        ("observe", {"event": "prompt", "text": "I moved to Kyiv.", "session": "one"}),
        ("settle", {**one, "decision": "reject"}),
        ("dedup", {"apply": True}),
        ("migrate", {"projects": {"global": "elsewhere"}, "apply": True}),
        ("tidy", {}),
        ("import", {"lines": [json.dumps(each) for each in (forged, usurping, stone)]}),
        ("import", {"lines": [json.dumps(forged)], "trust": True}),
    ]
