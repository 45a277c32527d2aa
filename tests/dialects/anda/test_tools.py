"""The nine MCP tools of Anda Brain, at `/mcp/{space}`."""

from __future__ import annotations

from typing import Any

import pytest

from recollect.dialects.anda.anda_credentials import anda_settings, tier_of_new_spaces
from recollect.domain.errors import Misconfigured
from tests.dialects.anda.client import capability
from tests.dialects.anda.conftest import Brain

NAMES = (
    "remember_conversation recall_memory run_maintenance get_space_info get_formation_status execute_kip_readonly"
    " get_or_init_user list_conversations get_conversation"
).split()


def _call(brain: Brain, method: str, params: dict[str, Any], *, token: str, space: str = "brain") -> dict[str, Any]:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    accepted = "application/json, text/event-stream"
    said = brain.ask("POST", f"/mcp/{space}", body, token=token, Accept=accepted, MCP_Protocol_Version="2025-06-18")
    assert said.status == 200, said.body
    found: dict[str, Any] = said.json["result"]
    return found


def _names(brain: Brain, token: str) -> list[str]:
    return [each["name"] for each in _call(brain, "tools/list", {}, token=token)["tools"]]


def _done(brain: Brain, tool: str, token: str | None = None, **arguments: Any) -> dict[str, Any]:
    named = {"name": f"anda_brain_{tool}", "arguments": arguments}
    return _call(brain, "tools/call", named, token=token or capability("*", "brain"))


def test_a_connection_has_the_tools_that_its_scope_reaches(brain: Brain) -> None:
    assert _names(brain, capability("*", "brain")) == [f"anda_brain_{name}" for name in NAMES]
    writing = {"anda_brain_remember_conversation", "anda_brain_run_maintenance"}
    assert set(_names(brain, capability("write", "brain"))) == writing
    reading = set(_names(brain, capability("read", "brain")))
    assert reading == {f"anda_brain_{name}" for name in NAMES} - writing - {"anda_brain_get_or_init_user"}
    assert brain.ask("POST", "/mcp/brain", {}, token=capability("*", "other")).status == 401
    assert brain.ask("GET", "/mcp/brain").status == 400


def test_a_conversation_is_remembered_and_recalled_by_tools(brain: Brain) -> None:
    brain.memory.create_space("brain")
    messages = [{"role": "user", "content": "I moved to Lisbon last year.", "name": "Rui"}]
    queued = _done(brain, "remember_conversation", messages=messages, timestamp="2026-03-09T10:30:00Z")
    number = queued["structuredContent"]["conversation"]
    assert _done(brain, "get_formation_status")["structuredContent"]["formation_processing"]
    assert _done(brain, "run_maintenance")["isError"]
    brain.memory.run_jobs()
    found = _done(brain, "recall_memory", query="Where does Rui live?")
    assert "Lisbon" in found["content"][0]["text"]
    assert found["structuredContent"]["content"] == found["content"][0]["text"]
    shown = _done(brain, "get_conversation", conversation_id=number)["structuredContent"]
    assert (shown["status"], shown["messages"][0]["name"]) == ("completed", "Rui")
    delta = _done(brain, "get_conversation", conversation_id=number, delta=True, messages_offset=1)
    assert delta["structuredContent"]["messages"] == []
    listed = _done(brain, "list_conversations", limit=1)["structuredContent"]
    assert [each["_id"] for each in listed["conversations"]] == [number] and listed["next_cursor"]
    person = _done(brain, "get_or_init_user", user="rui-id", name="Rui")["structuredContent"]
    assert person["attributes"] == {"id": "rui-id", "person_class": "Human", "name": "Rui"}
    assert _done(brain, "get_space_info")["structuredContent"]["id"] == "brain"
    assert _done(brain, "execute_kip_readonly", command="DESCRIBE PRIMER")["structuredContent"]


def test_a_missing_space_is_told_and_not_made(brain: Brain) -> None:
    token = capability("*", "*")
    named = {"name": "anda_brain_get_or_init_user", "arguments": {"user": "x"}}
    assert _call(brain, "tools/call", named, token=token, space="nowhere")["isError"]
    assert "nowhere" not in [each.name for each in brain.memory.spaces()]


def test_a_space_is_made_by_its_first_conversation_where_the_settings_say_so(
    brain: Brain, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {"messages": [{"role": "user", "content": "I moved to Lisbon."}]}
    named = {"name": "anda_brain_remember_conversation", "arguments": said}
    writer = capability("write", "fresh")

    refused = _call(brain, "tools/call", named, token=writer, space="fresh")
    assert refused["isError"] and "fresh" not in {each.name for each in brain.memory.spaces()}

    monkeypatch.setenv("MCP_HTTP_AUTO_CREATE_SPACE", "true")
    monkeypatch.setenv("MCP_HTTP_AUTO_CREATE_TIER", "0")
    asked = {"name": "anda_brain_recall_memory", "arguments": {"query": "Where do I live?"}}
    assert _call(brain, "tools/call", asked, token=capability("read", "fresh"), space="fresh")["isError"]
    told = _call(brain, "tools/call", named, token=writer, space="fresh")
    assert told["structuredContent"]["conversation"] == 1
    assert brain.memory.brain(space="fresh").brain.tier == 0

    monkeypatch.setenv("MCP_HTTP_AUTO_CREATE_TIER", "seven")
    elsewhere = _call(brain, "tools/call", named, token=capability("write", "next"), space="next")
    assert elsewhere["isError"] and "next" not in {each.name for each in brain.memory.spaces()}


def test_numbers_in_the_settings_that_are_too_long_to_be_read_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCP_HTTP_AUTO_CREATE_SPACE", "true")
    for name, read in (("MCP_HTTP_AUTO_CREATE_TIER", tier_of_new_spaces), ("SHARDING_IDX", anda_settings)):
        monkeypatch.setenv(name, "9" * 5_000)
        with pytest.raises(Misconfigured, match=name):
            read()
