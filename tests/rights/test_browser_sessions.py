"""Browsers sign in: a cookie that only our pages can use, that ends, and that nobody can bring along."""

from __future__ import annotations

import contextlib
import http.client
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from recollect import Memory
from recollect.domain.access import COOKIE_PREFIX, new_secret
from recollect.surfaces.catalogue.routes import all_routes
from tests.support.clock import SteadyClock
from tests.surfaces.http.client import LIMIT, Answer, Client, served


@pytest.fixture
def clock() -> SteadyClock:
    return SteadyClock()


@pytest.fixture
def memory(clock: SteadyClock) -> Iterator[Memory]:
    with Memory(store=":memory:", principal="tester", clock=clock) as opened:
        opened.save("A secret of Alice", space="alice")
        yield opened


@pytest.fixture
def browser(memory: Memory) -> Iterator[Client]:
    with served(memory) as client:
        yield client


def page(client: Client) -> dict[str, str]:
    """What a browser says of a request by a page of ours."""
    return {"Origin": f"http://127.0.0.1:{client.port}", "Sec-Fetch-Site": "same-origin"}


def signed_in(client: Client, secret: str, **headers: str) -> tuple[dict[str, str], Answer]:
    """Headers of a browser that signed in, and the answer to that."""
    answer = client.post("/v1/session", None, Authorization=f"Bearer {secret}", **page(client), **headers)
    if answer.status != 200:
        return {}, answer
    return {"Cookie": answer.headers["set-cookie"].partition(";")[0], **page(client)}, answer


def test_a_cookie_opens_what_its_token_opens_and_no_script_can_read_it(memory: Memory, browser: Client) -> None:
    token = memory.access.issue(scope="write", space="alice", name="Ana")
    who, answer = signed_in(browser, token.secret)
    said = answer.headers["set-cookie"]
    assert "; HttpOnly" in said and "; SameSite=Strict" in said and "; Path=/" in said
    assert token.secret not in said and "rcs_" not in answer.body.decode()
    saved = browser.post("/v1/spaces/alice/save", {"text": "The barn is red"}, **who)
    assert saved.status == 200
    assert memory.get(saved.json["id"], space="alice").origin.principal == "Ana"
    assert browser.get("/v1/session", **who).json["token"]["id"] == token.token.id
    assert browser.post("/v1/spaces/bob/save", {"text": "x"}, **who).status == 404
    assert browser.post("/v1/reindex", {}, **who).status == 403


def test_a_link_signs_one_browser_in_once(memory: Memory, browser: Client) -> None:
    token = memory.access.issue(scope="write", space="alice")
    secret = memory.access.link(token.token.id)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: signed_in(browser, secret)[1].status, range(8)))
    assert sorted(answers) == [200] + [401] * 7
    assert browser.with_token(secret).get("/v1/info").status == 401


def test_a_link_that_waited_too_long_or_whose_token_is_gone_opens_nothing(
    memory: Memory, browser: Client, clock: SteadyClock
) -> None:
    token = memory.access.issue(scope="write", space="alice")
    late, orphan = memory.access.link(token.token.id), memory.access.issue()
    link = memory.access.link(orphan.token.id)
    memory.access.revoke(orphan.token.id)
    assert signed_in(browser, link)[1].status == 401
    clock.advance(minutes=11)
    assert signed_in(browser, late)[1].status == 401


def test_the_page_of_a_link_is_open_and_loads_nothing_from_elsewhere(browser: Client) -> None:
    answer = browser.get("/sign-in")
    assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert browser.post("/sign-in", {}).status == 405


FOREIGN = [
    {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
    {},
]


def test_no_foreign_page_changes_anything_with_a_cookie(memory: Memory, browser: Client) -> None:
    who, _ = signed_in(browser, memory.access.issue(scope="admin").secret)
    before = memory.export()
    cookie = {"Cookie": who["Cookie"]}
    for headers in FOREIGN:
        for route in all_routes().values():
            answer = browser.post(route.path.format(space="alice"), {}, **cookie, **headers)
            assert answer.status == 403, (headers, route.path)
            assert answer.json["code"] in ("origin_not_allowed", "cross_site", "page_unknown")
        for path in ("/v1/tokens", "/v1/session/end-everywhere", "/mcp"):
            assert browser.post(path, {}, **cookie, **headers).status == 403
        stolen = browser.post("/v1/session", None, Authorization="Bearer x", **headers)
        assert stolen.status in (401, 403)
    assert memory.export() == before
    assert browser.get("/v1/session", **who).status == 200


def test_a_foreign_page_opens_no_websocket_with_a_cookie(memory: Memory, browser: Client) -> None:
    who, _ = signed_in(browser, memory.access.issue(scope="admin").secret)
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    for headers in FOREIGN:
        answer = browser.get("/v1/spaces/alice/stream", Cookie=who["Cookie"], **upgrade, **headers)
        assert answer.status == 403, headers


def test_a_cookie_that_somebody_planted_is_never_made_into_a_session(
    memory: Memory, browser: Client, clock: SteadyClock
) -> None:
    planted = new_secret(clock.new_id(), COOKIE_PREFIX)
    secret = memory.access.issue(scope="admin").secret
    who, _ = signed_in(browser, secret, Cookie=f"recollect_session={planted}")
    assert planted not in who["Cookie"]
    assert browser.get("/v1/session", Cookie=f"recollect_session={planted}").status == 401
    # Signing in again ends the session that the browser had.
    again, _ = signed_in(browser, secret, Cookie=who["Cookie"])
    assert browser.get("/v1/session", **who).status == 401
    assert browser.get("/v1/session", **again).status == 200
    both = browser.get("/v1/session", Cookie=f"{again['Cookie']}; recollect_session={planted}")
    assert (both.status, both.json["code"]) == (400, "cookie_repeated")


def test_signing_out_ends_the_session_and_a_replayed_cookie_opens_nothing(memory: Memory, browser: Client) -> None:
    secret = memory.access.issue(scope="admin").secret
    (here, _), (there, _) = signed_in(browser, secret), signed_in(browser, secret)
    gone = browser.post("/v1/session/end", None, **here)
    assert gone.status == 200 and "Max-Age=0" in gone.headers["set-cookie"]
    assert browser.get("/v1/session", **here).json["code"] == "not_signed_in"
    assert browser.get("/v1/session", **there).status == 200


def test_signing_out_everywhere_ends_every_session_of_the_token(memory: Memory, browser: Client) -> None:
    token, other = memory.access.issue(scope="admin"), memory.access.issue(scope="admin")
    sessions = [signed_in(browser, token.secret)[0] for _ in range(3)]
    beside, _ = signed_in(browser, other.secret)
    assert browser.post("/v1/session/end-everywhere", None, **sessions[0]).json == {"signed_out": 3}
    assert [browser.get("/v1/session", **each).status for each in sessions] == [401] * 3
    assert browser.get("/v1/session", **beside).status == 200
    assert browser.with_token(token.secret).get("/v1/info").status == 200


@pytest.mark.parametrize(("hours", "step"), [(12, 1), (3, 3)], ids=["after a day's work", "after being idle"])
def test_a_session_ends_by_itself(memory: Memory, browser: Client, clock: SteadyClock, hours: int, step: int) -> None:
    who, _ = signed_in(browser, memory.access.issue(scope="admin").secret)
    for _ in range(0, hours, step):
        assert browser.get("/v1/session", **who).status == 200
        clock.advance(minutes=60 * step)
    assert browser.get("/v1/session", **who).status == 401


def test_a_session_ends_with_its_token(memory: Memory, browser: Client) -> None:
    token = memory.access.issue(scope="admin")
    who, _ = signed_in(browser, token.secret)
    memory.access.revoke(token.token.id)
    assert browser.get("/v1/session", **who).status == 401


def test_rules_are_written_by_a_person_who_has_just_signed_in(
    memory: Memory, browser: Client, clock: SteadyClock
) -> None:
    token = memory.access.issue(scope="write", space="alice")
    rule = {"text": "Always run the tests", "authority": "instruction"}
    link, _ = signed_in(browser, memory.access.link(token.token.id))
    saved = browser.post("/v1/spaces/alice/save", rule, **link)
    assert (saved.status, saved.json["authority"]) == (200, "instruction")
    clock.advance(minutes=11)
    late = browser.post("/v1/spaces/alice/save", rule, **link)
    assert (late.status, late.json["code"]) == (403, "sign_in_again")
    change = browser.post("/v1/spaces/alice/update", {"note_id": saved.json["id"], "text": "Never"}, **link)
    assert (change.status, change.json["code"]) == (403, "sign_in_again")
    assert browser.post("/v1/spaces/alice/save", {"text": "The barn is red"}, **link).json["authority"] == "fact"
    # A program with a token is not made a person by a cookie.
    program, _ = signed_in(browser, token.secret)
    refused = browser.post("/v1/spaces/alice/save", rule, **program)
    assert (refused.status, refused.json["code"]) == (400, "authority_too_high")


def test_a_live_stream_follows_with_the_cookie_and_ends_with_the_session(memory: Memory, browser: Client) -> None:
    who, _ = signed_in(browser, memory.access.issue(scope="read", space="alice").secret)
    connection = http.client.HTTPConnection("127.0.0.1", browser.port, timeout=LIMIT)
    with contextlib.closing(connection):
        connection.request("GET", "/v1/spaces/alice/stream?after=0", headers=who)
        came = connection.getresponse()
        assert came.status == 200
        told = b""
        while b"A secret of Alice" not in told:
            told += came.readline()
        browser.post("/v1/session/end", None, **who)
        while b"token_invalid" not in told:
            line = came.readline()
            assert line, told
            told += line


def test_no_page_elsewhere_reads_an_answer_unless_its_origin_was_named(memory: Memory) -> None:
    secret = memory.access.issue(scope="admin").secret
    with served(memory) as closed:
        assert closed.send("OPTIONS", "/v1/info", Origin="https://app.example").status == 403
    with served(memory, origins=frozenset({"https://app.example"})) as client:
        asked = {"Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"}
        before = client.send("OPTIONS", "/v1/info", **asked, **{"Access-Control-Request-Method": "GET"})
        assert (before.status, before.headers["access-control-allow-origin"]) == (204, "https://app.example")
        assert "access-control-allow-credentials" not in before.headers
        answer = client.with_token(secret).get("/v1/info", **asked)
        assert (answer.status, answer.headers["access-control-allow-origin"]) == (200, "https://app.example")
        who, _ = signed_in(client, secret)
        # Even a page that may ask does so with a token of its own, never with the cookie of ours.
        assert client.get("/v1/info", **{**asked, "Cookie": who["Cookie"]}).json["code"] == "token_missing"
        for origin in ("https://app.example.evil", "http://app.example", "https://other.example"):
            other = client.with_token(secret).get("/v1/info", Origin=origin)
            assert other.status == 403 and "access-control-allow-origin" not in other.headers
