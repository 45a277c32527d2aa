"""Programs that speak to Mémoire speak to us: its paths, keys, facts and errors, and none of its known bugs."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.dialects.registry import loaded
from tests.surfaces.http.client import UNLIMITED, Answer, Client, served

pytestmark = pytest.mark.xdist_group("dialect dialects memoire")  # one after the other, on one server

NOWHERE = "00000000-0000-4000-8000-000000000000"


@dataclass(frozen=True)
class User:
    """A user with a key, as `POST /v1/users` makes one."""

    client: Client
    id: str
    key: str

    def send(self, method: str, path: str, body: Any = None) -> Answer:
        return self.client.send(method, path.replace("{user}", self.id), body, X_API_Key=self.key)

    def says(self, text: str, session: str = "chat", role: str = "user") -> Answer:
        told = {"user_id": self.id, "session_id": session, "role": role, "content": text}
        return self.send("POST", "/v1/ingest", told)

    def recalls(self, query: str, **more: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.send(
            "POST", "/v1/recall", {"user_id": self.id, "query": query, **more}
        ).json["relevant_facts"]
        return found

    def facts(self, query: str = "") -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.send("GET", f"/v1/facts/{{user}}{query}").json["facts"]
        return found


@pytest.fixture(scope="module")
def memory_served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Memory, Client]]:
    """One server for the whole file: every test makes users of its own."""
    home = tmp_path_factory.mktemp("memoire")
    with Memory(store=":memory:", home=home) as memory, served(memory, dialects=loaded(["memoire"])) as client:
        yield memory, client


@pytest.fixture
def user(memory_served: tuple[Memory, Client]) -> User:
    return new_user(memory_served[1])


def new_user(client: Client) -> User:
    made = client.post("/v1/users", {})
    assert made.status == 201
    return User(client, made.json["id"], made.json["api_key"])


def service(memory: Memory, client: Client, name: str, scope: str = "write") -> User:
    """A key for all users, and one of them."""
    return User(client, name, f"memori_{memory.access.issue(dialect='memoire', scope=scope).secret}")


_INGEST = {"user_id": "{user}", "session_id": "{session}", "role": "user", "content": "I live in Oslo."}
# Method, path, body, status, and the fields of the answer: one line for each row of the contract.
CONTRACT: tuple[tuple[str, str, Any, int, set[str]], ...] = (
    ("GET", "/", None, 200, {"status", "service"}),
    ("GET", "/health", None, 200, {"status", "version"}),
    ("POST", "/v1/users", {}, 201, {"id", "api_key"}),
    ("POST", "/v1/users/{user}/consolidate", None, 200, {"status", "message", "job_id"}),
    ("POST", "/v1/sessions", {"user_id": "{user}"}, 201, {"id", "user_id", "created_at"}),
    ("POST", "/v1/ingest", _INGEST, 201, {"status", "job_id", "chat_log_id"}),
    ("POST", "/v1/ingest", {**_INGEST, "role": "assistant"}, 201, {"status", "job_id", "chat_log_id"}),
    ("POST", "/v1/ingest", {**_INGEST, "role": "system"}, 422, {"detail", "error"}),
    ("POST", "/v1/ingest", {**_INGEST, "content": ""}, 422, {"detail", "error"}),
    ("POST", "/v1/ingest", {**_INGEST, "session_id": NOWHERE}, 404, {"detail", "error"}),
    ("GET", "/v1/history/{session}?limit=5", None, 200, {"messages", "session_id"}),
    ("GET", f"/v1/history/{NOWHERE}", None, 404, {"detail", "error"}),
    ("POST", "/v1/recall", {"user_id": "{user}", "query": "where do I live"}, 200, {"relevant_facts"}),
    ("POST", "/v1/recall", {"user_id": "{user}", "query": ""}, 422, {"detail", "error"}),
    ("POST", "/v1/recall", {"user_id": "{user}", "query": "x", "limit": 21}, 422, {"detail", "error"}),
    ("POST", "/v1/recall", {"user_id": "{user}", "query": "x", "temporal_states": ["soon"]}, 422, {"detail", "error"}),
    ("POST", "/v1/recall", b"{", 422, {"detail", "error"}),
    ("GET", "/v1/conscious/{user}?max_facts=3", None, 200, {"relevant_facts", "essential_facts", "user_id"}),
    ("GET", "/v1/facts/{user}?limit=10&category=biographical", None, 200, {"facts"}),
    ("GET", f"/v1/facts/{NOWHERE}/source", None, 404, {"detail", "error"}),
    ("DELETE", f"/v1/facts/{NOWHERE}", None, 404, {"detail", "error"}),
    ("DELETE", "/v1/facts/not-a-uuid", None, 422, {"detail", "error"}),
    ("GET", "/v1/timeline?user_id={user}&slot_hint=location", None, 200, {"slot_hint", "current_fact", "history"}),
    ("GET", "/v1/timeline", None, 422, {"detail", "error"}),
    ("GET", f"/v1/facts/{NOWHERE}", None, 403, {"detail", "error"}),
    ("POST", "/v1/users/{user}/api-key/rotate", None, 200, {"api_key"}),
)


@pytest.fixture(scope="module")
def somebody(memory_served: tuple[Memory, Client]) -> tuple[User, str]:
    """A user with a session in which something was said."""
    made = new_user(memory_served[1])
    session = made.send("POST", "/v1/sessions", {"user_id": made.id}).json["id"]
    assert made.says("I live in Lyon.", session).status == 201
    return made, session


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "fields"),
    CONTRACT,
    ids=lambda each: str(sorted(each) if isinstance(each, set) else each)[:40],
)
def test_each_row_of_the_contract_is_answered(
    somebody: tuple[User, str], method: str, path: str, body: Any, status: int, fields: set[str]
) -> None:
    user, session = somebody

    def filled(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: filled(each) for name, each in value.items()}
        return value.replace("{user}", user.id).replace("{session}", session) if isinstance(value, str) else value

    answer = user.send(method, filled(path), filled(body))
    assert (answer.status, set(answer.json)) == (status, fields)


def test_a_server_that_speaks_no_anda_shows_no_page_of_anda(memory_served: tuple[Memory, Client]) -> None:
    assert memory_served[1].get("/", Accept="text/markdown").json["service"] == "memori-api"


def test_a_key_is_missing_wrong_or_of_another_user(user: User) -> None:
    other = new_user(user.client)
    missing = user.client.get(f"/v1/facts/{user.id}")
    assert (missing.status, missing.json["detail"]) == (401, "Missing API key")
    for key in ("memori_nonsense", other.key):
        wrong = user.client.get(f"/v1/facts/{user.id}", X_API_Key=key)
        assert (wrong.status, wrong.json["detail"]) == (403, "Invalid API key")
    told = {"user_id": other.id, "query": "where"}
    assert user.send("POST", "/v1/recall", told).status == 403


def test_a_key_is_rotated_and_revoked(user: User) -> None:
    newer = user.send("POST", "/v1/users/{user}/api-key/rotate").json["api_key"]
    assert newer.startswith("memori_")
    assert user.send("GET", "/v1/facts/{user}").status == 403
    after = User(user.client, user.id, newer)
    assert after.send("GET", "/v1/facts/{user}").status == 200
    assert after.send("DELETE", "/v1/users/{user}/api-key").status == 204
    assert after.send("GET", "/v1/facts/{user}").status == 403


def test_users_are_made_here_or_by_an_administrator_and_by_nobody_else(memory_served: tuple[Memory, Client]) -> None:
    memory, client = memory_served
    far = client.send("POST", "/v1/users", {}, X_Forwarded_For="203.0.113.9")
    assert (far.status, far.json["error"]["code"]) == (403, "forbidden")
    for scope, status in (("write", 403), ("admin", 201)):
        key = service(memory, client, "", scope).key
        assert client.send("POST", "/v1/users", {}, X_API_Key=key, X_Forwarded_For="203.0.113.9").status == status


def test_a_key_of_the_family_opens_no_path_of_ours_and_ours_none_of_it(memory_served: tuple[Memory, Client]) -> None:
    memory, client = memory_served
    user = new_user(client)
    assert client.get("/v1/info", Authorization=f"Bearer {user.key.removeprefix('memori_')}").status == 401
    ours = memory.access.issue(scope="admin").secret
    assert client.get(f"/v1/facts/{user.id}", X_API_Key=ours).status == 403


def test_the_quick_start_works_with_ids_that_are_no_uuids(memory_served: tuple[Memory, Client]) -> None:
    """Its own server refused `user-123` and `default-session`, and its client swallowed that."""
    memory, client = memory_served
    user = service(memory, client, "user-123")
    assert user.says("I live in Austin, Texas now.", "default-session").status == 201
    assert user.says("Noted.", "default-session", role="assistant").status == 201
    [first, *_] = user.recalls("Where do I live?")
    assert "Austin" in first["content"]
    other = service(memory, client, "user-456")
    assert other.says("I live in Rome.", "default-session").status == 201
    assert not any("Austin" in fact["content"] for fact in other.recalls("Where do I live?"))
    assert str(uuid.UUID(first["id"])) == first["id"]


def test_its_curl_lines_work_without_a_content_type(user: User) -> None:
    body = f'{{"user_id": "{user.id}"}}'.encode()
    made = user.client.send(
        "POST", "/v1/sessions", body, X_API_Key=user.key, Content_Type="application/x-www-form-urlencoded"
    )
    assert made.status == 201


def test_a_session_of_another_user_is_refused(memory_served: tuple[Memory, Client]) -> None:
    memory, client = memory_served
    owner, stranger = new_user(client), new_user(client)
    session = owner.send("POST", "/v1/sessions", {"user_id": owner.id}).json["id"]
    # A bound key cannot tell what is another's from what is not there; a key for all users is told.
    assert stranger.says("hello there", session).status == 404
    assert stranger.send("GET", f"/v1/history/{session}").status == 404
    refused = service(memory, client, stranger.id).says("hello there", session)
    assert (refused.status, refused.json["detail"]) == (403, "Session does not belong to user")


def test_facts_of_another_user_are_as_if_not_there(user: User) -> None:
    user.says("I live in Lisbon.")
    [fact] = user.facts()
    stranger = new_user(user.client)
    for method, path in (("GET", f"/v1/facts/{fact['id']}/source"), ("DELETE", f"/v1/facts/{fact['id']}")):
        refused = stranger.send(method, path)
        assert (refused.status, refused.json["detail"]) == (404, "Fact not found")
        assert user.client.send(method, path).status == 401  # before anything is said of the fact
    assert user.facts() == [fact]


def test_a_fact_leads_to_its_message_and_can_be_deleted(user: User) -> None:
    user.says("I live in Lisbon, and that is how it will stay for as long as I can pay for it, which is not so sure.")
    [fact] = user.facts()
    source = user.send("GET", f"/v1/facts/{fact['id']}/source").json
    assert (source["role"], source["source_message_id"]) == ("user", fact["source_message_id"])
    assert source["content"].startswith("I live in Lisbon") and source["content_preview"].endswith("…")
    assert user.send("DELETE", f"/v1/facts/{fact['id']}").status == 204
    assert user.facts() == []


def test_a_new_value_takes_the_place_of_one_that_is_spelled_alike(user: User) -> None:
    """There, `Lives in Boston` counted as a copy of `Lives in Austin`; and moving back refreshed what was dead."""
    for city in ("Austin", "Boston", "Austin"):
        user.says(f"I live in {city} now.")
    [fact] = user.facts("?category=biographical")
    assert "Austin" in fact["content"]
    told = user.send("GET", "/v1/timeline?user_id={user}&slot_hint=location").json
    assert [step["content"].rstrip(".").split()[-1] for step in told["history"]] == ["Austin", "Boston", "Austin"]
    assert [step["is_current"] for step in told["history"]] == [False, False, True]
    assert told["history"][0]["replaced_by_id"] == told["history"][1]["fact_id"]
    assert told["current_fact"]["fact_id"] == fact["id"]


def test_what_was_so_once_neither_closes_nor_crowds_what_is_so_now(user: User) -> None:
    user.says("I live in Austin.")
    user.says("I used to live in New York.")
    assert ["Austin" in fact["content"] for fact in user.recalls("Where do I live?", categories=["biographical"])] == [
        True
    ]
    past = user.recalls("Where do I live?", include_historical=True, categories=["biographical"])
    assert {fact["temporal_state"] for fact in past} == {"current", "past"}


def test_temporal_states_can_be_asked_for(user: User) -> None:
    user.says("I live in Austin.")
    user.says("I used to live in New York.")
    user.says("I go swimming every Tuesday.")
    for state, word in (("past", "New York"), ("recurring", "swimming"), ("current", "Austin")):
        [fact] = user.facts(f"?temporal_state={state}")
        assert word in fact["content"] and fact["temporal_state"] == state
        asked = user.recalls("swimming, Austin or New York", temporal_states=[state])
        assert fact["id"] in {each["id"] for each in asked}


def test_a_fact_that_begins_later_is_of_the_future(memory_served: tuple[Memory, Client]) -> None:
    memory, client = memory_served
    user = service(memory, client, "planner")
    memory.save("User moves to Bergen.", user="planner", subject="user", valid_from="2999-01-01")
    assert [fact["temporal_state"] for fact in user.facts("?temporal_state=future")] == ["future"]
    assert "future" in {fact["temporal_state"] for fact in user.recalls("Bergen")}


def test_categories_and_age_hold_for_every_way_of_finding(memory_served: tuple[Memory, Client]) -> None:
    memory, client = memory_served
    user = service(memory, client, "ana")
    user.says("I work at Acme and my sister is called Bea.")
    categories = {fact["category"] for fact in user.facts()}
    assert {"work_context", "relationship"} <= categories
    assert {fact["category"] for fact in user.recalls("Acme Bea", categories=["work_context"])} == {"work_context"}
    assert user.recalls("Acme Bea", categories=["nonsense"]) == []
    assert user.recalls("Acme Bea", max_age_days=0) == []


def test_what_no_fact_was_read_from_is_recalled_word_for_word(user: User) -> None:
    user.says("The vibe of that meetup was electric.")
    user.says("What was the vibe of the meetup?")
    assert [fact["category"] for fact in user.recalls("the vibe of the meetup")] == ["conversation"]


def test_conscious_has_what_is_essential_under_both_names(user: User) -> None:
    assert user.send("GET", "/v1/conscious/{user}").json["essential_facts"] == []
    user.says("My name is Ana. I live in Austin. I like jazz.")
    told = user.send("GET", "/v1/conscious/{user}").json
    assert told["relevant_facts"] == told["essential_facts"] and told["user_id"] == user.id
    assert [fact["is_essential"] for fact in told["essential_facts"]] == [True, True, False]


def test_history_is_the_last_messages_in_their_order(user: User) -> None:
    session = user.send("POST", "/v1/sessions", {"user_id": user.id}).json["id"]
    for number in range(4):
        user.says(f"message {number}", session, role="user" if number % 2 else "assistant")
    told = user.send("GET", f"/v1/history/{session}?limit=3").json
    assert [each["content"] for each in told["messages"]] == ["message 1", "message 2", "message 3"]
    assert {each["session_id"] for each in told["messages"]} == {told["session_id"]} == {session}


def test_figures_have_its_names_and_paths_of_the_table(memory_served: tuple[Memory, Client]) -> None:
    memory, client = memory_served
    user = new_user(client)
    user.says("I live in Oslo.")
    user.recalls("Where do I live?")
    user.facts()
    page = client.get("/metrics", Authorization=f"Bearer {memory.access.issue(scope='read').secret}").body.decode()
    assert 'memori_requests_total{method="GET",path="/v1/facts/{user_id}",status="200"}' in page
    for name in ("memori_request_latency_seconds", "memori_recall_latency_seconds", "memori_extractions_total"):
        assert name in page
    assert user.id not in page


def test_too_many_requests_are_told_as_there_and_when_to_come_back(tmp_path: Path) -> None:
    few = replace(UNLIMITED, per_second=0.01, burst=2)
    with (
        Memory(store=":memory:", home=tmp_path) as memory,
        served(memory, limits=few, dialects=loaded(["memoire"])) as client,
    ):
        user = service(memory, client, "ana")
        *_, last = (user.send("GET", "/v1/facts/{user}") for _ in range(4))
        assert (last.status, last.json["detail"]) == (429, "Rate limit exceeded")
        assert int(last.headers["retry-after"]) > 0


def test_users_are_kept_apart_by_every_store(memory: Memory) -> None:
    with served(memory, dialects=loaded(["memoire"])) as client:
        ana, bo = new_user(client), new_user(client)
        assert (ana.says("I live in Austin.").status, bo.says("I live in Rome.").status) == (201, 201)
        assert ["Rome" in fact["content"] for fact in bo.facts()] == [True]
        assert ["Rome" in fact["content"] for fact in bo.recalls("Where do I live?")] == [True]
        [fact] = ana.facts()
        assert bo.send("DELETE", f"/v1/facts/{fact['id']}").status == 404
        assert ana.send("POST", "/v1/users/{user}/consolidate").status == 200
        assert ana.send("DELETE", f"/v1/facts/{fact['id']}").status == 204
