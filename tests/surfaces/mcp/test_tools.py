"""The eight tools for every day, through the official client: what they take, what they answer, what they refuse."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest

from recollect import Memory
from recollect.surfaces.mcp import door
from recollect.surfaces.reception.forms import json_in
from tests.surfaces.http.client import Client, served
from tests.surfaces.mcp.speaking import Speaker, over_http

CORE = ["search", "remember", "get", "update", "forget", "timeline", "brief", "feedback"]


@pytest.fixture(scope="module")
def unchanged() -> Iterator[Speaker]:
    """One empty memory for all that is refused."""
    with (
        Memory(store=":memory:") as memory,
        served(memory) as client,
        over_http(client.port, memory.access.issue(scope="write").secret) as opened,
    ):
        yield opened


@pytest.mark.parametrize(("mode", "version"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
def test_clients_of_both_eras_are_understood(one_memory: Memory, anybody: Client, mode: str, version: str) -> None:
    secret = one_memory.access.issue(scope="write").secret
    with over_http(anybody.port, secret, mode=mode) as speaker:
        assert speaker.version == version
        assert [tool.name for tool in speaker.tools()] == CORE
        kept = speaker.told("remember", text="We deploy with make release")
        assert [hit["id"] for hit in speaker.told("search", query="how do we deploy")["hits"]] == [kept["id"]]


def test_what_a_tool_does_to_memory_is_said_of_it(speaker: Speaker) -> None:
    marks = {tool.name: tool.annotations for tool in speaker.tools()}
    assert {name for name, mark in marks.items() if mark.read_only_hint} == {"search", "get", "timeline", "brief"}
    assert {name for name, mark in marks.items() if mark.destructive_hint} == {"forget"}
    assert {name for name, mark in marks.items() if not mark.idempotent_hint} == {"update", "feedback"}
    assert not any(mark.open_world_hint for mark in marks.values())
    at_once = [tool.name for tool in speaker.tools() if (tool.meta or {}).get("anthropic/alwaysLoad")]
    assert at_once == ["search", "remember"]


def test_the_tools_take_little_room_in_a_prompt(speaker: Speaker) -> None:
    listed = json.dumps([tool.model_dump(exclude_none=True) for tool in speaker.tools()])
    assert len(listed) < 8_000, "characters; every session pays for them"


def test_saying_the_same_again_changes_nothing(speaker: Speaker, one_memory: Memory) -> None:
    first = speaker.told("remember", text="Alice prefers tea", tags=["drink"])
    assert speaker.told("remember", text="Alice prefers tea", tags=["drink"]) == first
    assert one_memory.status().notes == 1


@pytest.mark.parametrize("end", ["forget", "update", "replace"])
def test_what_was_given_up_can_be_remembered_after_all(speaker: Speaker, end: str) -> None:
    first = speaker.told("remember", text="Alice prefers tea")
    if end == "forget":
        assert speaker.told("forget", note_id=first["id"]) == {"forgotten": [first["id"]]}
    else:
        speaker.told("update", note_id=first["id"], text="Alice prefers coffee", changed=end == "replace")
    again = speaker.told("remember", text="Alice prefers tea")
    assert again["id"] != first["id"]
    assert speaker.told("get", note_id=again["id"])["text"] == "Alice prefers tea"


def test_a_fact_with_its_parts_takes_over_from_the_older_one(speaker: Speaker) -> None:
    speaker.told("remember", text="Alice lives in Austin.", subject="alice", attribute="location", value="Austin")
    newer = speaker.told(
        "remember", text="Alice lives in Boston.", subject="alice", attribute="location", value="Boston"
    )
    assert newer["action"] == "superseded"
    steps = speaker.told("timeline", subject="alice", attribute="location")["steps"]
    assert [step["text"] for step in steps] == ["Alice lives in Austin.", "Alice lives in Boston."]
    assert [step["state"] for step in steps] == ["superseded", "active"]


def test_a_correction_and_a_change_are_two_things(speaker: Speaker) -> None:
    note = speaker.told("remember", text="The office is in Berlin")
    corrected = speaker.told("update", note_id=note["id"], text="The office is in Bern")
    assert (corrected["id"], corrected["version"]) == (note["id"], 2)
    moved = speaker.told("update", note_id=note["id"], text="The office is in Basel", changed=True)
    assert moved["supersedes"] == [note["id"]]
    assert len(speaker.told("timeline", note_id=note["id"])["steps"]) == 2


def test_a_briefing_is_a_fenced_block_and_nothing_else(speaker: Speaker) -> None:
    speaker.told("remember", text="We deploy with make release")
    told = speaker.call("brief", topic="deploy")
    assert told.structured_content is None
    [content] = told.content
    assert content.text.startswith("<recollect-")  # type: ignore[union-attr]


def test_feedback_is_kept_with_the_note(speaker: Speaker) -> None:
    note = speaker.told("remember", text="We deploy on Fridays")
    judged = speaker.told("feedback", note_id=note["id"], verdict="wrong", remark="never on Fridays")
    assert judged["review"] == "It was said to be wrong: never on Fridays"
    [hit] = speaker.told("search", query="when do we deploy")["hits"]
    assert hit["doubted"] is True


def test_what_agents_write_is_only_quoted_and_says_who_wrote_it(speaker: Speaker, one_memory: Memory) -> None:
    note = one_memory.get(speaker.told("remember", text="x is y")["id"])
    assert (note.authority.value, note.origin.channel.value, note.origin.principal) == ("quoted", "mcp", "tester")


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("get", {"note_id": "x"}, "invalid_id"),
        ("get", {"note_id": "01K3ZQ5V7N8M2R4T6W8Y0A2C4E"}, "note_not_found"),
        ("get", {}, "field_missing"),
        ("search", {"query": 5}, "invalid_field"),
        ("search", {"query": "x", "limit": 0}, "invalid_number"),
        ("search", {"query": "x", "as_of": "yesterday-ish"}, "invalid_time"),
        ("search", {"query": "x", "quary": "y"}, "unknown_field"),
        ("search", {"query": "x", "space": "other"}, "unknown_field"),
        ("update", {"note_id": "01K3ZQ5V7N8M2R4T6W8Y0A2C4E"}, "field_missing"),
        ("update", {"note_id": "x", "text": "y", "changed": "yes"}, "invalid_field"),
        ("remember", {"text": "x", "kind": "odd"}, "unknown_kind"),
        ("remember", {"text": "x", "attribute": "city"}, "subject_missing"),
        ("feedback", {"note_id": "01K3ZQ5V7N8M2R4T6W8Y0A2C4E", "verdict": "odd"}, "unknown_verdict"),
        ("brief", {"budget": 5}, "budget_too_small"),
        ("timeline", {"subject": "user"}, "field_missing"),
    ],
)
def test_a_refusal_has_our_code_and_the_next_step(
    unchanged: Speaker, tool: str, arguments: dict[str, object], code: str
) -> None:
    told = unchanged.call(tool, **arguments)
    assert told.is_error
    assert told.structured_content is not None
    assert told.structured_content["error"]["code"] == code
    assert code in told.content[0].text  # type: ignore[union-attr]


def test_what_cannot_be_seen_does_not_come_back(speaker: Speaker) -> None:
    note = speaker.told("remember", text="plain\u200b \u202etext\U000e0041")
    assert speaker.told("get", note_id=note["id"])["text"] == "plain text"


def test_resources_can_be_read_by_their_address(speaker: Speaker) -> None:
    fact = speaker.told("remember", text="Alice's city is Austin.", subject="alice", attribute="city", value="Austin")
    assert speaker.resources() == ["memory://profile", "memory://recent", "memory://knowledge-graph"]
    assert speaker.read(f"memory://{fact['id']}")["value"] == "Austin"
    assert speaker.read("memory://profile/alice")["fields"][0]["values"] == ["Austin"]
    assert speaker.read("memory://profile")["fields"] == []
    assert [note["id"] for note in speaker.read("memory://recent")["notes"]] == [fact["id"]]
    assert speaker.read("memory://knowledge-graph")["entities"][0]["name"] == "alice"


def test_prompts_bring_memory_in_as_data(speaker: Speaker) -> None:
    speaker.told("remember", text="We deploy with make release")
    assert "<recollect-" in speaker.prompt("recall", topic="how do we deploy")
    assert "Memory has nothing to say" in speaker.prompt("recall", topic="zebras")
    assert speaker.prompt("remember", text="{text} stays").endswith("{text} stays")
    assert "what is open" in speaker.prompt("handoff")


def test_a_note_is_named_by_id_or_by_note_id(speaker: Speaker) -> None:
    kept = speaker.told("remember", text="We deploy with make release")["id"]
    assert (
        speaker.told("get", id=kept) == speaker.told("get", note_id=kept) == speaker.told("get", id=kept, note_id=kept)
    )
    speaker.told("update", id=kept, text="We deploy with make ship")
    assert speaker.told("forget", id=kept)


def test_two_different_ids_for_one_note_are_refused(speaker: Speaker) -> None:
    kept = speaker.told("remember", text="We deploy with make release")["id"]
    answer = speaker.call("get", id=kept, note_id="01J9Z3K4M5N6P7Q8R9S0T1V2W3")
    assert answer.structured_content is not None
    assert answer.structured_content["error"]["code"] == "invalid_field"


def test_a_field_that_is_there_twice_is_refused(one_memory: Memory, anybody: Client) -> None:
    client = anybody.with_token(one_memory.access.issue(scope="write").secret)
    call = b'{"name": "remember", "arguments": {"text": 1, "text": 2}}'
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ' + call + b"}"
    headers = {"Content_Type": "application/json", "Accept": "application/json, text/event-stream"}
    answer = client.send("POST", "/mcp", body, **headers)
    assert (answer.status, answer.json["error"]["data"]["code"]) == (400, "repeated_field")
    assert one_memory.status().notes == 0


def test_a_large_body_is_read_beside_the_loop(
    one_memory: Memory, anybody: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = []

    def read(body: bytes) -> object:
        try:
            asyncio.get_running_loop()
            beside.append(False)
        except RuntimeError:
            beside.append(True)
        return json_in(body)

    monkeypatch.setattr(door, "json_in", read)
    client = anybody.with_token(one_memory.access.issue(scope="write").secret)
    headers = {"Content_Type": "application/json", "Accept": "application/json, text/event-stream"}
    many = b"[" + b"0," * 250_000 + b"NaN]"  # more than is read in one step
    call = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"some": ' + many + b', "a": 1%s}}'
    refused = client.send("POST", "/mcp", call % b', "a": 2', **headers)
    client.send("POST", "/mcp", call % b"", **headers)
    assert (refused.status, refused.json["error"]["data"]["code"]) == (400, "repeated_field")
    assert beside == [True, True]
