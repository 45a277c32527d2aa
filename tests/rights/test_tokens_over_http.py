"""Tokens over HTTP: an administrator makes, lists, rotates and revokes them, and never more than they have."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from recollect import Memory
from recollect.surfaces.catalogue.routes import ABOUT_TOKENS, all_routes
from tests.support.clock import SteadyClock
from tests.surfaces.http.client import Client, served


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(store=":memory:", principal="tester", clock=SteadyClock()) as opened:
        yield opened


@pytest.fixture
def anybody(memory: Memory) -> Iterator[Client]:
    with served(memory) as client:
        yield client


@pytest.fixture
def admin(memory: Memory, anybody: Client) -> Client:
    return anybody.with_token(memory.access.issue(scope="admin", name="root").secret)


def test_a_token_is_shown_once_and_listed_without_its_secret(admin: Client) -> None:
    made = admin.post("/v1/tokens", {"scope": "write", "space": "alice", "user": "ana", "name": "agent"}).json
    assert made["token"].startswith(made["prefix"] + "_")
    listed = admin.get("/v1/tokens")
    assert made["token"].encode() not in listed.body and made["token"][31:].encode() not in listed.body
    [_, found] = listed.json["items"]
    assert "token" not in found and "digest" not in found
    assert (found["scopes"], found["space"], found["user"]) == (["read", "write"], "alice", "ana")
    assert found["last_used_at"] is None
    assert admin.with_token(made["token"]).get("/v1/info").json["user"] == "ana"
    assert admin.get("/v1/tokens").json["items"][1]["last_used_at"] is not None


def test_a_rotated_secret_takes_the_place_of_the_old_one(admin: Client) -> None:
    old = admin.post("/v1/tokens", {"scope": "read"}).json
    new = admin.post("/v1/tokens/rotate", {"id": old["id"]}).json
    assert admin.with_token(old["token"]).get("/v1/info").status == 401
    assert admin.with_token(new["token"]).get("/v1/info").status == 200
    again = admin.post("/v1/tokens/rotate", {"id": old["id"]})
    assert (again.status, again.json["code"]) == (409, "token_not_live")


def test_what_a_stolen_token_made_ends_with_it(memory: Memory, admin: Client) -> None:
    stolen = admin.post("/v1/tokens", {"scope": "admin"}).json
    thief = admin.with_token(stolen["token"])
    kept = thief.post("/v1/tokens", {"scope": "admin"}).json["token"]
    assert admin.post("/v1/tokens/revoke", {"id": stolen["id"]}).status == 200
    assert admin.with_token(kept).get("/v1/info").status == 401


def test_only_an_administrator_comes_to_the_tokens(memory: Memory, anybody: Client) -> None:
    for scopes in (["read"], ["write"], ["read", "write"]):
        client = anybody.with_token(memory.access.issue(scopes=scopes).secret)
        for path, methods in ABOUT_TOKENS.items():
            for method in methods:
                answer = client.send(method, path, {} if method == "POST" else None)
                assert (answer.status, answer.json["code"]) == (403, "scope_too_small"), (scopes, path)


def test_in_open_mode_nobody_makes_a_token(memory: Memory) -> None:
    with served(memory, insecure=True) as client:
        for path in ("/v1/tokens", "/v1/session"):
            assert client.post(path, {}).status == 401
    assert not memory.access.tokens()


def test_no_token_gives_more_than_it_has(memory: Memory, anybody: Client) -> None:
    """Every kind of maker asks for every kind of token: what comes back lies within the maker, or nothing does."""
    kinds: list[dict[str, Any]] = [
        {"scopes": list(scopes), "space": space, "user": user, "expires": expires}
        for scopes in (["read"], ["write"], ["admin"], ["read", "admin"], ["read", "write", "admin"])
        for space, user in ((None, None), ("alice", None), ("alice", "ana"), ("bob", None))
        for expires in (None, "1h", "1d")
    ]
    tried = given = 0
    for kind in (each for each in kinds if "admin" in each["scopes"]):
        maker = memory.access.issue(**kind)
        client = anybody.with_token(maker.secret)
        for wanted in kinds:
            tried += 1
            answer = client.post("/v1/tokens", {name: value for name, value in wanted.items() if value is not None})
            if answer.status == 200:
                given += 1
                made = memory.access.admit(answer.json["token"])
                assert made is not None and maker.token.holds(made), (kind, wanted)
            else:
                assert answer.json["code"] in ("beyond_own_rights", "space_missing"), (kind, wanted)
    assert (tried, given > 100) == (36 * 60, True)


def test_what_is_asked_wrongly_is_refused_with_a_code(admin: Client) -> None:
    for path, body, code in (
        ("/v1/tokens", {"scope": "root"}, "unknown_scope"),
        ("/v1/tokens", {"user": "ana"}, "space_missing"),
        ("/v1/tokens", {"scopes": "write"}, "invalid_field"),
        ("/v1/tokens", {"scope": 1}, "invalid_field"),
        ("/v1/tokens", {"made_by": "x"}, "unknown_field"),
        ("/v1/tokens/rotate", {}, "missing_field"),
        ("/v1/tokens/revoke", {"id": "nonsense"}, "invalid_id"),
        ("/v1/tokens/revoke", {"id": "01J9ZZZZZZZZZZZZZZZZZZZZZZ"}, "token_not_found"),
    ):
        assert admin.post(path, body).json["code"] == code, (path, body)


def test_a_token_that_may_write_and_not_read_is_told_nothing(memory: Memory, anybody: Client) -> None:
    note = memory.save("The door code is 4711", space="alice", metadata={"customer_id": "4712"})
    client = anybody.with_token(memory.access.issue(scopes=["write"], space="alice").secret)
    saved = client.post("/v1/spaces/alice/save", {"text": "The kettle is blue"})
    assert saved.status == 200
    assert memory.get(saved.json["id"], space="alice").text == "The kettle is blue"
    for verb, body in (("pin", {"note_id": note.id}), ("feedback", {"note_id": note.id, "verdict": "useful"})):
        answer = client.post(f"/v1/spaces/alice/{verb}", body)
        assert b"471" not in answer.body, verb
    added = client.post("/v1/spaces/alice/add", {"messages": "I moved to Berlin last week."})
    assert added.status == 200 and b"Berlin" not in added.body
    for path in ("search?query=code", "list", "export", "stream"):
        assert client.get(f"/v1/spaces/alice/{path}").status == 403
    assert client.post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).status == 403


WORDS = ("secret of bob", "secret of nobody", "hidden tea")


def test_a_bound_token_learns_nothing_of_the_rest_through_any_verb(memory: Memory, anybody: Client) -> None:
    """Every route of the catalogue, asked with the ids, names and words of others: nothing of theirs comes back."""
    own = memory.save("The barn is red, says ana", space="alice", user="ana", project="shop")
    theirs = memory.save("The secret of bob is in the barn", space="alice", user="bob", project="bank", tags=["barn"])
    nobodys = memory.save("The secret of nobody is in the barn", space="alice")
    memory.start_session("bobs-session", user="bob", space="alice", title="The secret of bob")
    said = memory.add("I like hidden tea in the barn.", session="bobs-session", user="bob", space="alice")
    memory.set_slot("focus", "The secret of bob", project="bank", space="alice")
    action = memory.add_action("Write down the secret of bob", project="bank", space="alice")
    receipt = memory.recall("secret of bob", space="alice").receipt
    ids = [theirs.id, nobodys.id, "bobs-session", action.id, receipt or "", *said.observation_ids]
    meant = {"session_id": ["bobs-session"], "session": ["bobs-session"], "project": ["bank"], "user": ["bob"]}
    tries = 0
    parts: list[dict[str, Any]] = [{"user": "ana"}, {"project": "shop"}, {"agent": "scout"}]
    for part in parts:
        client = anybody.with_token(memory.access.issue(scope="admin", space="alice", **part).secret)
        for route in all_routes().values():
            if not route.in_space or route.everywhere:
                continue
            named = [each for each in route.parameters if each.name not in ("idempotency_key",)]
            choices = [_values(each.name, ids, meant) for each in named if each.required or each.name in meant]
            names = [each.name for each in named if each.required or each.name in meant]
            for chosen in itertools.islice(itertools.product(*choices), 12):
                body = {name: value for name, value in zip(names, chosen, strict=True) if value is not None}
                answer = client.post(route.path.format(space="alice"), body)
                tries += 1
                assert answer.status < 500, (route.path, body, answer.body)
                told = answer.body.decode().lower()
                echoed = str(body).lower()
                for word in WORDS:
                    assert word not in told or word in echoed, (part, route.path, body, told)
    assert tries > 300
    for note in (theirs, nobodys):
        assert memory.get(note.id, space="alice") == note
    assert memory.get(own.id, space="alice").id == own.id


def _values(name: str, ids: list[str], meant: dict[str, list[str]]) -> list[Any]:
    if name in meant:
        return [None, *meant[name]]
    if name.endswith("_ids") or name in ("derived_from", "depends_on", "related", "supersedes"):
        return [[each] for each in ids]
    if name.endswith("_id") or name == "record":
        return ids
    if name in ("messages", "text", "texts", "value"):
        return ["I live in Berlin."]
    return ["barn"]


def test_a_bound_token_works_in_its_part_and_says_so(memory: Memory, anybody: Client) -> None:
    client = anybody.with_token(memory.access.issue(scope="write", space="alice", user="ana").secret)
    saved = client.post("/v1/spaces/alice/save", {"text": "The barn is red"}).json
    assert saved["scope"]["user"] == "ana"
    outside = client.post("/v1/spaces/alice/save", {"text": "The barn is red", "user": "bob"})
    assert (outside.status, outside.json["code"]) == (403, "scope_bound")
    assert [each["note"]["id"] for each in client.get("/v1/spaces/alice/search?query=barn").json["hits"]] == [
        saved["id"]
    ]
    assert client.get("/v1/status").status == 403
