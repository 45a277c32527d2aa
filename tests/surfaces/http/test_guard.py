"""Who is not let in: every route, each sort of wrong token, each hostile head. Nothing changes, nothing is read."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

import pytest

from recollect import Memory
from recollect.domain.access import AccessScope, new_secret
from recollect.surfaces.catalogue.routes import (
    ABOUT_SESSION,
    ABOUT_TOKENS,
    INFO,
    LIVE,
    METRICS,
    OPEN,
    OPENAPI,
    Route,
    all_routes,
)
from recollect.surfaces.reception.guard import Guard
from recollect.surfaces.reception.limits import Limits
from recollect.surfaces.server.application import application
from tests.support.clock import SteadyClock
from tests.surfaces.http.client import LIMIT, UNLIMITED

ROUTES = list(all_routes().values())
PLACES = [(method, route.path.format(space="alice")) for route in ROUTES for method in route.methods]
PLACES += [(method, path) for path, methods in {**ABOUT_TOKENS, **ABOUT_SESSION}.items() for method in methods]
PLACES += [("GET", INFO), ("GET", OPENAPI), ("GET", METRICS), ("GET", LIVE.format(space="alice"))]


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(store=":memory:", principal="tester", clock=SteadyClock()) as opened:
        opened.save("A secret of Alice", space="alice")
        opened.save("A secret of Bob", space="bob")
        yield opened


class Unread:
    """What comes after the head; it notices when somebody listens."""

    def __init__(self) -> None:
        self.read = 0

    async def __call__(self) -> MutableMapping[str, Any]:
        self.read += 1
        return {"type": "http.request", "body": b"{}", "more_body": False}


def ask(guard: Guard, method: str, path: str, headers: Mapping[str, str]) -> tuple[int, dict[str, Any], int]:
    """Status, answer, and how often the body was read."""
    came: list[MutableMapping[str, Any]] = []
    body = Unread()

    async def send(message: MutableMapping[str, Any]) -> None:
        came.append(message)

    said = {"Host": "127.0.0.1:7077", "Content-Type": "application/json", "Content-Length": "2", **headers}
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.lower().encode(), value.encode()) for name, value in said.items() if value],
    }
    asyncio.run(_within(guard, scope, body, send))
    answer = b"".join(message.get("body", b"") for message in came)
    return came[0]["status"], json.loads(answer) if answer else {}, body.read


async def _within(guard: Guard, scope: Any, receive: Any, send: Any) -> None:
    async with asyncio.timeout(LIMIT):
        await guard(scope, receive, send)


def everything(memory: Memory) -> tuple[Any, ...]:
    return memory.export(), [memory.audit(space=each.name) for each in memory.spaces().items]


def test_the_catalogue_has_a_route_for_every_verb_and_nothing_is_open_but_health() -> None:
    assert len(PLACES) > 40
    assert set(OPEN) == {"/livez", "/readyz"}


def test_every_operation_that_is_described_is_among_those_that_are_tried(memory: Memory) -> None:
    admin = {"Authorization": f"Bearer {memory.access.issue(scope='admin').secret}"}
    _, described, _ = ask(application(memory, limits=UNLIMITED), "GET", "/v1/openapi.json", admin)
    operations = {
        (method.upper(), path.replace("{space}", "alice"))
        for path, each in described["paths"].items()
        for method in each
    }
    assert len(operations) > 80
    assert operations - {("GET", path) for path in OPEN} <= set(PLACES)


def test_without_a_live_token_no_route_answers_and_no_body_is_read(memory: Memory) -> None:
    access = memory.access
    with Memory(store=":memory:", clock=SteadyClock()) as other:
        foreign = other.access.issue(scope="admin").secret
    over = access.issue(scope="admin", expires="1m").secret
    revoked = access.issue(scope="admin")
    access.revoke(revoked.token.id)
    memory._engine.clock.advance(minutes=2)  # type: ignore[attr-defined]
    good = access.issue(scope="admin")
    wrong = {
        "": "token_missing",
        "Bearer": "token_invalid",
        "Bearer nonsense": "token_invalid",
        f"Bearer {new_secret(good.token.id)}": "token_invalid",
        f"Bearer {good.secret[:-1]}": "token_invalid",
        f"Basic {good.secret}": "token_invalid",
        f"Bearer {over}": "token_invalid",
        f"Bearer {revoked.secret}": "token_invalid",
        f"Bearer {foreign}": "token_invalid",
    }
    guard, before = application(memory, limits=UNLIMITED), everything(memory)
    for method, path in PLACES:
        for said, code in wrong.items():
            status, told, read = ask(guard, method, path, {"Authorization": said})
            assert (status, told["code"], read) == (401, code, 0), (method, path, said)
    assert everything(memory) == before


def test_a_token_for_one_space_finds_no_other(memory: Memory) -> None:
    secret = memory.access.issue(scope="admin", space="alice").secret
    guard, before = application(memory, limits=UNLIMITED), everything(memory)
    for route in ROUTES:
        if route.in_space:
            for space in ("bob", "nobody", "default"):
                status, told, read = ask(
                    guard, "POST", route.path.format(space=space), {"Authorization": f"Bearer {secret}"}
                )
                assert (status, told["code"], read) == (404, "space_not_found", 0), route.path
                assert told["detail"] == f"There is no space `{space}`."
        else:
            status, told, read = ask(guard, "POST", route.path, {"Authorization": f"Bearer {secret}"})
            assert (status, told["code"], read) == (403, "token_bound", 0), route.path
    assert everything(memory) == before


def test_what_is_not_yours_and_what_is_not_there_look_the_same(memory: Memory) -> None:
    bound = memory.access.issue(space="alice").secret
    everywhere = memory.access.issue().secret
    guard = application(memory, limits=UNLIMITED)
    answers = [
        ask(guard, "POST", "/v1/spaces/nobody/list", {"Authorization": f"Bearer {secret}", "X-Request-Id": "one"})
        for secret in (bound, everywhere)
    ]
    assert answers[0][:2] == answers[1][:2]


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_a_scope_opens_what_it_covers_and_no_more(memory: Memory, route: Route) -> None:
    guard, before = application(memory, limits=UNLIMITED), everything(memory)
    for scope in AccessScope:
        for token in (memory.access.issue(scope=scope.value), memory.access.issue(scopes=[scope.value])):
            if token.token.reaches(route.scope):
                continue
            path = route.path.format(space="alice")
            status, told, read = ask(guard, "POST", path, {"Authorization": f"Bearer {token.secret}"})
            assert (status, told["code"], read) == (403, "scope_too_small", 0)
    assert everything(memory) == before


def test_scopes_are_what_a_reader_a_writer_and_an_administrator_would_expect() -> None:
    needed: dict[AccessScope, set[str]] = {scope: set() for scope in AccessScope}
    for route in ROUTES:
        needed[route.scope].add(route.path.removeprefix("/v1/").replace("spaces/{space}/", "…/"))
    assert needed[AccessScope.ADMIN] == {
        "…/ingest", "…/vault/open", "…/sync", "backup", "…/backup", "backups", "restore", "…/restore", "import",
        "reindex", "spaces/create", "spaces/limit", "spaces/delete", "…/inject", "…/anchor", "…/forget-all", "…/reset",
        "jobs/run",
        "…/webhooks/add", "…/webhooks/list", "…/webhooks/remove", "…/webhooks/test", "…/webhooks/deliveries",
        "providers", "spend", "…/provider-keys/set", "…/provider-keys/list", "…/provider-keys/remove",
        "embeddings/show", "embeddings/prepare", "…/embeddings/compare", "embeddings/switch", "embeddings/drop",
        "…/eval/experiment", "…/brain/change",
    }  # fmt: skip
    assert {"…/save", "…/update", "…/forget", "…/add", "…/import", "…/tidy"} <= needed[AccessScope.WRITE]
    assert {"…/search", "…/recall", "…/get", "…/list", "…/export", "export", "status"} <= needed[AccessScope.READ]


def test_a_space_does_not_bound_files_so_its_administrator_may_not_name_them(memory: Memory) -> None:
    secret = memory.access.issue(scope="admin", space="alice").secret
    for verb in ("ingest", "backup", "restore"):
        path, headers = f"/v1/spaces/alice/{verb}", {"Authorization": f"Bearer {secret}"}
        status, told, _ = ask(application(memory, limits=UNLIMITED), "POST", path, headers)
        assert (status, told["code"]) == (403, "token_bound")


HOSTILE = [
    ({"Host": "evil.example"}, 421, "host_not_allowed"),
    ({"Host": "evil.example:7077"}, 421, "host_not_allowed"),
    ({"Host": "127.0.0.1.evil.example"}, 421, "host_not_allowed"),
    ({"Host": "localhost@evil.example"}, 421, "host_not_allowed"),
    ({"Host": "[::1"}, 421, "host_not_allowed"),
    ({"Host": ""}, 421, "host_not_allowed"),
    ({"Origin": "https://evil.example"}, 403, "origin_not_allowed"),
    ({"Origin": "null"}, 403, "origin_not_allowed"),
    ({"Origin": "http://127.0.0.1:3000"}, 403, "origin_not_allowed"),
    ({"Origin": "http://localhost:7077"}, 403, "origin_not_allowed"),
    ({"Sec-Fetch-Site": "cross-site"}, 403, "cross_site"),
    ({"Sec-Fetch-Site": "same-site"}, 403, "cross_site"),
]


@pytest.mark.parametrize("insecure", [False, True], ids=["with a token", "in open mode"])
def test_no_page_of_another_origin_reaches_any_route(memory: Memory, insecure: bool) -> None:
    secret = memory.access.issue(scope="admin").secret
    guard, before = application(memory, limits=UNLIMITED, insecure=insecure), everything(memory)
    for method, path in PLACES:
        for headers, status, code in HOSTILE:
            found, told, read = ask(guard, method, path, {"Authorization": f"Bearer {secret}", **headers})
            assert (found, told["code"], read) == (status, code, 0), (method, path, headers)
    assert everything(memory) == before


@pytest.mark.parametrize("insecure", [False, True], ids=["with a token", "in open mode"])
def test_no_page_of_another_origin_opens_a_websocket(memory: Memory, insecure: bool) -> None:
    secret = memory.access.issue(scope="admin").secret
    guard, before = application(memory, limits=UNLIMITED, insecure=insecure), everything(memory)
    for headers, status, code in HOSTILE:
        said = {"Host": "127.0.0.1:7077", "Authorization": f"Bearer {secret}", "Upgrade": "websocket", **headers}
        sent: list[MutableMapping[str, Any]] = []
        unread = Unread()

        async def send(message: MutableMapping[str, Any], sent: list[MutableMapping[str, Any]] = sent) -> None:
            sent.append(message)

        scope = {
            "type": "websocket",
            "path": LIVE.format(space="alice"),
            "headers": [(name.lower().encode(), value.encode()) for name, value in said.items() if value],
        }
        asyncio.run(_within(guard, scope, unread, send))
        assert (sent[0]["status"], json.loads(sent[1]["body"])["code"], unread.read) == (status, code, 0), headers
    assert everything(memory) == before


def test_what_browsers_send_as_a_form_is_not_taken(memory: Memory) -> None:
    secret = memory.access.issue(scope="admin").secret
    guard, before = application(memory, limits=UNLIMITED), everything(memory)
    kinds = ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp"]
    for route in ROUTES:
        for kind in (*kinds, "application/json; charset=utf-16"):
            headers = {"Authorization": f"Bearer {secret}", "Content-Type": kind}
            status, told, read = ask(guard, "POST", route.path.format(space="alice"), headers)
            assert (status, told["code"], read) == (415, "media_type_not_supported", 0), (route.path, kind)
    assert everything(memory) == before


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"Content-Length": "10000001"}, 413, "too_large"),
        ({"Content-Length": "9" * 4000}, 413, "too_large"),
        ({"Content-Length": "-1"}, 400, "invalid_length"),
        ({"Content-Encoding": "gzip"}, 415, "encoding_not_allowed"),
    ],
)
def test_a_body_that_says_it_is_too_much_is_not_read(
    memory: Memory, headers: dict[str, str], status: int, code: str
) -> None:
    secret = memory.access.issue(scope="write").secret
    found, told, read = ask(
        application(memory, limits=UNLIMITED),
        "POST",
        "/v1/spaces/alice/save",
        {"Authorization": f"Bearer {secret}", **headers},
    )
    assert (found, told["code"], read) == (status, code, 0)


def test_a_websocket_that_is_no_stream_is_turned_away(memory: Memory) -> None:
    sent: list[MutableMapping[str, Any]] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    asyncio.run(
        _within(
            application(memory, limits=UNLIMITED), {"type": "websocket", "path": "/", "headers": []}, Unread(), send
        )
    )
    assert [message["type"] for message in sent] == ["websocket.http.response.start", "websocket.http.response.body"]
    assert sent[0]["status"] == 421


def test_too_many_requests_of_one_token_leave_the_others_alone(memory: Memory) -> None:
    busy, calm = (memory.access.issue().secret for _ in range(2))
    guard = application(memory, limits=Limits(per_second=0.001, burst=3))
    statuses = [ask(guard, "GET", INFO, {"Authorization": f"Bearer {busy}"})[0] for _ in range(5)]
    assert statuses == [200, 200, 200, 429, 429]
    assert ask(guard, "GET", INFO, {"Authorization": f"Bearer {calm}"})[0] == 200


def test_only_a_path_of_the_catalogue_leads_anywhere(memory: Memory) -> None:
    secret = memory.access.issue(scope="admin").secret
    guard = application(memory, limits=UNLIMITED)
    for path in (
        "/", "/v1", "/v1/", "/v1/spaces//save", "/v1/spaces/alice/save/", "/v1/save", "/v1/spaces/alice/status",
        "/v1/spaces/{space}/save/x", "/docs", "/v2/status", "/v1/spaces/alice/../bob/list", "/v1//status",
    ):  # fmt: skip
        status, told, read = ask(guard, "POST", path, {"Authorization": f"Bearer {secret}"})
        assert (status, told["code"], read) == (404, "route_not_found", 0), path
    status, told, _ = ask(guard, "GET", "/v1/spaces/alice/save", {"Authorization": f"Bearer {secret}"})
    assert (status, told["code"]) == (405, "method_not_allowed")
    status, told, _ = ask(guard, "POST", "/v1/spaces/{space}/list", {"Authorization": f"Bearer {secret}"})
    assert (status, told["code"]) == (400, "invalid_space")
