"""Whoever has no right to a verb has none to the tools that call it, and learns nothing from being refused."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from recollect import Memory
from recollect.dialects.anamnesis.tools import anamnesis_tools
from recollect.dialects.anima.anima_tools import anima_tools
from recollect.dialects.server_memory.tools import graph_tools
from recollect.dialects.tool import Tool
from recollect.domain.access import AccessScope, AccessToken, digest_of, new_secret, up_to
from recollect.surfaces.catalogue.routes import all_routes
from recollect.surfaces.mcp.core import core_tools
from recollect.surfaces.mcp.tools import tool_name, verb_tools
from tests.surfaces.http.client import Client
from tests.surfaces.mcp.speaking import HEADERS, called, said

TOOLSETS: dict[str, tuple[Tool, ...]] = {
    "": core_tools(),
    "?toolset=full": verb_tools(),
    "?profile=server-memory": graph_tools(),
    "?profile=anima": anima_tools(),
    "?profile=anamnesis": anamnesis_tools(),
}
EVERY = [(query, tool) for query, tools in TOOLSETS.items() for tool in tools]
CANARY = "opal-heron"  # no digest and no id can hold it by chance
SECRET = f"the launch code is {CANARY}"


ABOUT_FILES = {
    tool_name(route.operation.name) for route in all_routes().values() if route.everywhere and route.in_space
}


def fingerprint(memory: Memory) -> str:
    """Everything that is remembered, as one digest; who used which token when is no part of it."""
    records = [memory.export(space=space.name).records for space in memory.spaces().items]
    return hashlib.sha256(json.dumps(records, default=str).encode()).hexdigest()


@pytest.fixture
def bobs(one_memory: Memory) -> dict[str, Any]:
    """A note of somebody else."""
    note = one_memory.save(SECRET, subject="bob", attribute="code", value=CANARY, tags=["secret"], space="bob")
    one_memory.save("Alice prefers tea", subject="alice", space="alice")
    job_id = one_memory.ingest(__file__, background=True, space="bob").job_id
    one_memory.cancel_job(job_id or "", space="bob")
    return {
        "note_id": note.id,
        "receipt_id": one_memory.recall("launch code", space="bob").receipt,
        "action_id": one_memory.add_action(SECRET, space="bob").id,
        "job_id": job_id,
    }


def example(tool: Tool, known: dict[str, Any]) -> dict[str, Any]:
    """Arguments that a tool would take, about somebody else's note wherever one can be named."""
    samples: dict[str, Any] = {
        **known,
        "query": "launch code",
        "type": "semantic",
        "title": "x",
        "body": "x",
        "question": "What is the launch code?",
        "where": {"tag": "launch"},
        "topic": "launch code",
        "conversation": 1,
        "conversation_id": 1,
        "user": "bob",
        "text": "x",
        "messages": "x",
        "verdict": "wrong",
        "decision": "accept",
        "subject": "bob",
        "attribute": "code",
        "value": "x",
        "name": "bob",
        "webhook": "ops",
        "provider": "openai",
        "secret": "sk-0123456789",
        "model": "hashed",
        "url": "https://127.0.0.1/",
        "other_id": known["note_id"],
        "question_id": known["note_id"],
        "session_id": "work",
        "commit": "0123456789abcdef",
        "event": "prompt",
        "label": "motto",
        "entity": "bob",
        "other": "ann",
        "alias": "robert",
        "statement": "DESCRIBE DOMAINS",
        "anchor": "2026-01-01",
        "project": "shop",
        "projects": {"old": "new"},
        "digest": "0" * 64,
        "revision": "0123",
        "path": "/nowhere/at/all",
        "target": "nowhere",
        "lines": [],
        "content": "x",
        "user_id": "bob",
        "memory_id": known["note_id"],
        "file_path": "/nowhere/at/all",
        "namespace": "shop",
        "names": ["bob"],
        "entityNames": ["bob"],
        "entities": [{"name": "bob", "entityType": "person", "observations": ["x"]}],
        "relations": [{"from": "bob", "to": "alice", "relationType": "knows"}],
        "observations": [{"entityName": "bob", "contents": ["x"]}],
        "deletions": [{"entityName": "bob", "observations": [SECRET]}],
    }
    return {name: samples[name] for name in tool.schema.get("required", ())}


def strangers(memory: Memory) -> Iterator[tuple[str, str | None]]:
    """Every sort of token that opens nothing."""
    yield "none", None
    yield "empty", ""
    yield "garbage", "rcl_garbage"
    live = memory.access.issue(scope="admin").secret
    yield "mistyped", live[:-1] + ("0" if live[-1] != "0" else "1")
    ended = memory.access.issue(scope="admin")
    memory.access.revoke(ended.token.id)
    yield "revoked", ended.secret
    yield "expired", expired(memory)
    with Memory(store=":memory:") as other:
        yield "of another store", other.access.issue(scope="admin").secret


def expired(memory: Memory) -> str:
    """The secret of a token whose time is over, without waiting for it."""
    token_id = memory._engine.clock.new_id()
    secret, made = new_secret(token_id), datetime(2026, 1, 1, tzinfo=UTC)
    end = made + timedelta(days=1)
    token = AccessToken(
        token_id, "late", up_to(AccessScope.ADMIN), None, made, expires_at=end, digest=digest_of(secret)
    )
    memory._engine.tokens.keep(token)
    return secret


def test_without_a_live_token_no_tool_answers_and_the_body_is_not_read(
    one_memory: Memory, anybody: Client, bobs: dict[str, Any]
) -> None:
    before = fingerprint(one_memory)
    for what, secret in strangers(one_memory):
        client = anybody if secret is None else anybody.with_token(secret)
        for query, tool in EVERY:
            answer = said(client, "tools/call", {"name": tool.name, "arguments": example(tool, bobs)}, query=query)
            assert answer.status == 401, (what, tool.name)
            assert answer.headers["connection"] == "close", "what follows the head was left where it is"
            assert SECRET.encode() not in answer.body
    assert fingerprint(one_memory) == before


@pytest.mark.parametrize("scope", list(AccessScope))
def test_a_token_sees_and_calls_the_tools_within_its_scope_and_no_others(
    one_memory: Memory, anybody: Client, bobs: dict[str, Any], scope: AccessScope
) -> None:
    client = anybody.with_token(one_memory.access.issue(scope=scope.value, space="alice").secret)
    before = fingerprint(one_memory)
    refused = 0
    for query, tools in TOOLSETS.items():
        seen = {tool["name"] for tool in said(client, "tools/list", query=query).json["result"]["tools"]}
        for tool in tools:
            if tool.name in seen:
                continue
            refused += 1
            told = called(client, tool.name, example(tool, bobs), query=query)
            assert told["isError"], tool.name
            assert told["structuredContent"]["error"]["code"] in {"scope_too_small", "token_bound"}, tool.name
        reading = {tool.name for tool in tools if tool.effect == "read"}
        if scope is AccessScope.READ:
            assert seen <= reading
    assert refused > 0
    assert fingerprint(one_memory) == before


def test_a_token_of_one_space_reaches_nothing_of_another_through_any_tool(
    one_memory: Memory, anybody: Client, bobs: dict[str, Any]
) -> None:
    client = anybody.with_token(one_memory.access.issue(scope="admin", space="alice").secret)
    before = [one_memory.export(space="bob").records]
    for query, tool in EVERY:
        arguments = example(tool, bobs)
        for space in (None, "bob", "not-there"):
            if space is not None and "space" not in tool.schema["properties"]:
                continue
            told = called(client, tool.name, arguments if space is None else {**arguments, "space": space}, query=query)
            assert CANARY not in json.dumps(told), (tool.name, space)
            if space is not None:
                # What names files of the server's machine is refused to every bound token, whatever space it names.
                wanted = "token_bound" if tool.name in ABOUT_FILES else "space_not_found"
                assert told["structuredContent"]["error"]["code"] == wanted, (tool.name, space)
    assert [one_memory.export(space="bob").records] == before


def test_the_answer_is_the_same_for_what_is_not_yours_and_what_is_not_there(
    one_memory: Memory, anybody: Client, bobs: dict[str, Any]
) -> None:
    client = anybody.with_token(one_memory.access.issue(scope="admin", space="alice").secret)
    forged = "01K3ZQ5V7N8M2R4T6W8Y0A2C4E"

    def said_of(note_id: str, space: str) -> str:
        bare = called(client, "get", {"note_id": note_id})
        full = called(client, "get", {"note_id": note_id, "space": space}, query="?toolset=full")
        found = said(client, "resources/read", {"uri": f"memory://{note_id}"}).json
        named = said(client, "tools/list", query=f"?space={space}").json
        return json.dumps([bare, full, found, named]).replace(note_id, "ID").replace(space, "SPACE")

    assert said_of(bobs["note_id"], "bob") == said_of(forged, "nil")


def test_resources_and_prompts_stay_within_the_space_of_their_token(
    one_memory: Memory, anybody: Client, bobs: dict[str, Any]
) -> None:
    client = anybody.with_token(one_memory.access.issue(scope="read", space="alice").secret)
    uris = ("memory://recent", "memory://profile/bob", "memory://knowledge-graph", f"memory://{bobs['note_id']}")
    for uri in uris:
        assert CANARY.encode() not in said(client, "resources/read", {"uri": uri}).body
    for prompt in ("recall", "handoff"):
        answer = said(client, "prompts/get", {"name": prompt, "arguments": {"topic": "launch code"}})
        assert CANARY.encode() not in answer.body


def test_a_connection_that_names_a_space_is_bound_to_it(
    one_memory: Memory, anybody: Client, bobs: dict[str, Any]
) -> None:
    client = anybody.with_token(one_memory.access.issue(scope="admin").secret)
    assert called(client, "search", {"query": "launch code"}, query="?space=bob")["structuredContent"]["hits"]
    assert called(client, "search", {"query": "launch code"}, query="?space=alice")["structuredContent"]["hits"] == []
    bound = "?space=alice&toolset=full"
    told = called(client, "search", {"query": "launch code", "space": "bob"}, query=bound)
    assert told["structuredContent"]["error"]["code"] == "space_not_found"
    assert called(client, "spaces_list", {}, query=bound)["structuredContent"]["error"]["code"] == "token_bound"


@pytest.mark.parametrize("query", ["?toolset=odd", "?space=a/b", "?profile=odd", "?spaec=alice"])
def test_what_a_connection_asks_for_and_there_is_not_is_refused(
    one_memory: Memory, anybody: Client, query: str
) -> None:
    client = anybody.with_token(one_memory.access.issue().secret)
    assert "error" in said(client, "tools/list", query=query).json


def test_pages_of_other_origins_and_other_methods_are_turned_away(one_memory: Memory, anybody: Client) -> None:
    client = anybody.with_token(one_memory.access.issue(scope="admin").secret)
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    for headers, status in (
        ({"Origin": "https://evil.example"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Host": "evil.example"}, 421),
        ({"Content_Type": "text/plain"}, 415),
    ):
        assert client.post("/mcp", message, **{**HEADERS, **headers}).status == status
    for method in ("GET", "DELETE", "PUT"):
        refused = client.send(method, "/mcp", **HEADERS)
        assert refused.status == 405
        # Clients that look for a stream by GET go on with the same connection.
        assert "connection" not in refused.headers


_DEEP = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":'
NONSENSE = [
    b"[" * 100_000,
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":' + b'{"a":' * 50_000,
    _DEEP + b'{"a":' * 500 + b"1" + b"}" * 502,
    b"{}",
    b"[]",
    b"null",
    b"\xff\xfe",
    b'{"jsonrpc":"2.0","id":1,"method":"no/such"}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no such"}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":[]}}',
]


@pytest.mark.parametrize("version", ["2025-06-18", "2026-07-28", "1999-01-01"])
def test_bombs_and_nonsense_are_refused_and_the_server_goes_on(
    one_memory: Memory, anybody: Client, version: str
) -> None:
    client = anybody.with_token(one_memory.access.issue(scope="admin").secret)
    for body in NONSENSE:
        answer = client.post("/mcp", body, **HEADERS, MCP_Protocol_Version=version)
        assert answer.status < 500, body[:100]
        assert "error" in answer.json or answer.json["result"]["isError"], body[:100]
    assert said(client, "tools/list").status == 200


def test_a_token_of_a_space_that_is_not_there_yet_reads_it_as_empty(one_memory: Memory, anybody: Client) -> None:
    writer = anybody.with_token(one_memory.access.issue(scope="write", space="carol").secret)
    assert called(writer, "search", {"query": "tea"})["structuredContent"]["hits"] == []
    answer = writer.get("/v1/spaces/carol/search?query=tea")
    assert (answer.status, answer.json["hits"], answer.json["coverage"]) == (200, [], "none")
    recalled = writer.post("/v1/spaces/carol/recall", {"query": "tea"})
    assert (recalled.status, recalled.json["block"]) == (200, "")
    assert "carol" not in {space.name for space in one_memory.spaces().items}, "reading makes no space"
    writer.post("/v1/spaces/carol/save", {"text": "Carol prefers tea"})
    assert len(called(writer, "search", {"query": "tea"})["structuredContent"]["hits"]) == 1


@pytest.mark.parametrize("space", ["carol", None])
def test_a_token_that_only_reads_is_told_the_same_of_a_foreign_space_and_of_none(
    one_memory: Memory, anybody: Client, bobs: dict[str, Any], space: str | None
) -> None:
    reader = anybody.with_token(one_memory.access.issue(scope="read", space=space).secret)
    stranger = anybody.with_token(one_memory.access.issue(scope="write", space="alice").secret)
    told = [client.get("/v1/spaces/carol/search?query=tea") for client in (reader, stranger)]
    assert [(each.status, {**each.json, "request_id": ""}) for each in told[:1]] == [
        (each.status, {**each.json, "request_id": ""}) for each in told[1:]
    ]
    assert told[0].json["code"] == "space_not_found"
    found = called(reader, "search", {"query": "tea", "space": "carol"}, query="?toolset=full")
    refused = called(stranger, "search", {"query": "tea", "space": "carol"}, query="?toolset=full")
    assert found == refused
