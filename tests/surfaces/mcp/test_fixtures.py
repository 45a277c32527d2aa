"""A server under test has what the conformance suite calls, beside what is always there and behind the same guard."""

from __future__ import annotations

from recollect import Memory
from tests.surfaces.http.client import served
from tests.surfaces.mcp.fixtures import add_fixtures
from tests.surfaces.mcp.speaking import over_http


def test_fixtures_stand_beside_the_tools_that_are_always_there(one_memory: Memory) -> None:
    secret = one_memory.access.issue(scope="admin", name="tester").secret
    with served(one_memory, extended=add_fixtures) as client, over_http(client.port, secret) as speaker:
        names = [tool.name for tool in speaker.tools()]
        assert names[0] == "search"
        assert "test_simple_text" in names
        assert "test://static-text" in speaker.resources()
        assert speaker.call("test_simple_text").content[0].text == "This is a simple text response for testing."  # type: ignore[union-attr]
        kept = speaker.told("remember", text="We deploy with make release")
        assert speaker.told("get", note_id=kept["id"])["text"] == "We deploy with make release"


def test_fixtures_still_need_a_token(one_memory: Memory) -> None:
    with served(one_memory, extended=add_fixtures) as client:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "test_simple_text"}}
        assert client.post("/mcp", message).status == 401


def test_a_server_that_nobody_extended_has_none_of_them(one_memory: Memory) -> None:
    secret = one_memory.access.issue(scope="admin", name="tester").secret
    with served(one_memory) as client, over_http(client.port, secret) as speaker:
        assert not [tool.name for tool in speaker.tools() if tool.name.startswith("test_")]
