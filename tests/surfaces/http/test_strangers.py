"""Requests that nobody foresaw: no route stumbles over any of them, and none leads from one space into another."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, MutableMapping
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.surfaces.catalogue.routes import Route, all_routes
from recollect.surfaces.reception.guard import Guard
from recollect.surfaces.server.application import application
from tests.support.clock import SteadyClock
from tests.surfaces.http.client import UNLIMITED

# Those that read and write files, and those that go through everything, are tried one by one elsewhere.
APART = {"ingest", "backup", "backups", "restore", "reindex", "doctor", "vault.open", "sync"}
ROUTES = [route for route in all_routes().values() if route.operation.name not in APART]

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20)
    | st.sampled_from(["2026-01-01", "any", "01J9ZZZZZZZZZZZZZZZZZZZZZZ", "0001-01-01T00:00:00+14:00", "\x00", "%"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip

# What a verb cannot do without, so that the rest of a request is looked at too.
SENSIBLE: dict[str, Any] = {
    "text": "Tea",
    "note_id": "01J9ZZZZZZZZZZZZZZZZZZZZZZ",
    "receipt_id": "01J9ZZZZZZZZZZZZZZZZZZZZZZ",
    "query": "where do I live",
    "question": "Where do I live?",
    "where": {"tag": "home"},
    "messages": "I moved to Berlin last week.",
    "subject": "user",
    "verdict": "useful",
    "decision": "accept",
    "attribute": "location",
    "value": "Berlin",
    "lines": [],
    "name": "team",
    "session_id": "work",
    "commit": "0123456789abcdef",
    "event": "prompt",
    "label": "motto",
    "entity": "Tea",
    "other": "Green tea",
    "alias": "Cha",
    "statement": "DESCRIBE DOMAINS",
    "action_id": "01J9ZZZZZZZZZZZZZZZZZZZZZZ",
    "job_id": "01J9ZZZZZZZZZZZZZZZZZZZZZZ",
    "question_id": "01J9ZZZZZZZZZZZZZZZZZZZZZZ",
    "other_id": "01J9ZZZZZZZZZZZZZZZZZZZZZZ",
    "anchor": "2026-01-01",
    "project": "shop",
    "path": "nowhere",
    "target": "nowhere",
    "revision": "0123",
    "projects": {"old": "new"},
    "webhook": "ops",
    "provider": "openai",
    "secret": "sk-0123456789",
    "model": "hashed",
    "url": "https://127.0.0.1/",
    "digest": "0" * 64,
    "conversation": 1,
}


def ask(guard: Guard, method: str, path: str, secret: str, body: bytes = b"", query: str = "") -> tuple[int, bytes]:
    """Status and answer of a request that is well formed as HTTP."""
    came: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        came.append(message)

    headers = {"host": "localhost", "authorization": f"Bearer {secret}"}
    if method == "POST":
        headers |= {"content-type": "application/json", "content-length": str(len(body))}
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode("utf-8", "replace"),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }

    async def within() -> None:
        async with asyncio.timeout(240):
            await guard(scope, receive, send)

    asyncio.run(within())
    return came[0]["status"], b"".join(message.get("body", b"") for message in came)


@pytest.fixture(scope="module")
def stranger() -> Iterator[tuple[Guard, str]]:
    with Memory(store=":memory:", principal="tester") as memory:
        memory.save("A note", space="alice")
        yield application(memory, limits=UNLIMITED), memory.access.issue(scope="admin").secret


@given(data=st.data())
@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_no_request_makes_a_route_stumble(stranger: tuple[Guard, str], data: st.DataObject) -> None:
    guard, secret = stranger
    route: Route = data.draw(st.sampled_from(ROUTES))
    method = data.draw(st.sampled_from(route.methods))
    names = st.sampled_from([parameter.name for parameter in route.parameters] or ["odd"]) | st.just("odd")
    sensible = {parameter.name: SENSIBLE[parameter.name] for parameter in route.parameters if parameter.required}
    fields = {**sensible, **data.draw(st.dictionaries(names, VALUES, max_size=3))}
    path = route.path.format(space="alice")
    if method == "GET":
        query = urlencode({name: str(value) for name, value in fields.items()}, errors="replace")
        status, answer = ask(guard, method, path, secret, query=query)
    else:
        status, answer = ask(guard, method, path, secret, json.dumps(fields).encode())
    assert status < 500, answer
    assert json.loads(answer) is None or status == 200 or json.loads(answer)["code"]


@given(body=st.binary(max_size=60), path=st.text(max_size=20))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_neither_does_nonsense(stranger: tuple[Guard, str], body: bytes, path: str) -> None:
    guard, secret = stranger
    assert ask(guard, "POST", "/v1/spaces/alice/add", secret, body)[0] in (200, 400, 413)
    assert ask(guard, "POST", f"/v1/spaces/{path}/save", secret, b'{"text": "x"}')[0] in (200, 400, 404)


def test_no_id_cursor_or_receipt_of_another_space_leads_into_it() -> None:
    with Memory(store=":memory:", principal="tester", clock=SteadyClock()) as memory:
        theirs = [memory.save(f"A secret of Bob, number {number}", space="bob") for number in range(3)]
        cursor = memory.list(limit=1, space="bob").next_cursor
        receipt = memory.recall("a secret of Bob", space="bob").receipt
        memory.save("Mine", space="alice")
        secret = memory.access.issue(scope="write", space="alice").secret
        guard, before = application(memory, limits=UNLIMITED), memory.export(space="bob")
        forged: dict[str, Any] = {
            "note_id": theirs[0].id, "cursor": cursor, "receipt_id": receipt, "query": "a secret of Bob",
            "question": "What is the secret of Bob?",
            "derived_from": [theirs[0].id], "depends_on": [theirs[1].id], "text": "Alice wrote this",
            "subject": "user", "attribute": "location", "value": "Rome", "messages": "I live in Rome.",
            "verdict": "wrong", "decision": "accept", "topic": "a secret of Bob",
            "lines": [json.dumps(record) for record in before.records],
        }  # fmt: skip
        tried = 0
        for route in ROUTES:
            if not route.in_space or route.operation.name == "import":
                continue
            fields = {name: value for name, value in forged.items() if name in route.takes}
            for name in (*fields, None):
                body = {key: value for key, value in fields.items() if key != name}
                for space in ("alice", "bob"):
                    _, answer = ask(guard, "POST", route.path.format(space=space), secret, json.dumps(body).encode())
                    assert b"secret of Bob, number" not in answer, (route.path, body)
                    tried += 1
        assert tried > 80
        assert memory.export(space="bob") == before
