"""Clients of mem0 come to us: one row for each path of its platform and of its server, and the bugs they knew."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

import pytest

from recollect import InvalidInput, Memory
from recollect.dialects.mem0 import AsyncMemory as AsyncMem0
from recollect.dialects.mem0 import Memory as Mem0
from recollect.dialects.mem0.mem0_paths import DIALECT
from recollect.dialects.table import DialectPath
from tests.surfaces.http.client import Answer, Client, served

pytestmark = pytest.mark.xdist_group("dialect mem0 mem0_paths")  # one after the other, on one server

Ask = Callable[..., Answer]
NUMBERS = itertools.count()


class Row(NamedTuple):
    """One line of the contract: `{id}` stands for a memory of its own that says "My locker is 42"."""

    method: str
    path: str
    body: Any
    status: int
    fields: set[str]


MEMORY = {"id", "memory", "hash", "user_id", "agent_id", "app_id", "run_id", "metadata", "categories"}
MEMORY |= {"created_at", "updated_at", "expiration_date"}
PAGE = {"count", "next", "previous", "results"}
MADE = {"event_id", "status", "message", "results"}
WRONG = {"detail", "error", "code"}
TOLD = {"webhook_id", "name", "url", "event_types", "is_active", "created_at", "secret"}
PROFILE = {"profile", "summary", "status", "entity_type", "entity_id", "updated_at", "generation_count"}
JUDGED = {"id", "feedback", "feedback_reason"}
ANA = {"filters": {"user_id": "ana"}}
SAID = {"messages": [{"role": "user", "content": "I live in Rome"}], "user_id": "ana"}
HOOK = {"name": "my hook", "url": "https://example.org/told", "event_types": ["memory_add"]}
PROJECT = "/api/v1/orgs/organizations/recollect/projects/"

ROWS = [
    Row("GET", "/v1/ping/", None, 200, {"status", "org_id", "project_id", "user_email"}),
    Row("POST", "/v3/memories/add/", SAID, 200, MADE),
    Row("POST", "/v1/memories/", SAID, 200, MADE),
    Row("POST", "/v3/memories/", ANA, 200, PAGE),
    Row("POST", "/v3/memories/?page=0", ANA, 400, WRONG),
    Row("POST", "/v3/memories/search/", {"query": "locker", **ANA}, 200, {"results"}),
    Row("POST", "/v3/memories/search/", {"query": " ", **ANA}, 400, WRONG),
    Row("POST", "/v3/memories/search/", {"query": "a", "filters": {"a": {"like": 1}}}, 400, WRONG),
    Row("GET", "/v1/memories/{id}/", None, 200, MEMORY),
    Row("GET", "/v1/memories/00000000-0000-4000-8000-000000000000/", None, 404, WRONG),
    Row("PUT", "/v1/memories/{id}/", {"text": "My locker is 43"}, 200, MEMORY),
    Row("PUT", "/v1/memories/{id}/", {}, 400, WRONG),
    Row("DELETE", "/v1/memories/{id}/?delete_linked=true", None, 200, {"message"}),
    Row("DELETE", "/v1/memories/", None, 400, WRONG),
    Row("DELETE", "/v1/memories/?user_id=nobody", None, 200, {"message"}),
    Row("PUT", "/v1/batch/", {"memories": [{"memory_id": "{id}", "text": "My locker is 44"}]}, 200, {"message"}),
    Row("DELETE", "/v1/batch/", {"memories": [{"memory_id": "{id}"}]}, 200, {"message"}),
    Row("DELETE", "/v1/batch/", {"memories": "all"}, 400, WRONG),
    Row("GET", "/v1/entities/", None, 200, PAGE),
    Row("DELETE", "/v2/entities/user/nobody/", None, 200, {"message"}),
    Row("DELETE", "/v1/entities/planet/mars/", None, 404, WRONG),
    Row("GET", "/v2/entities/user/ana/profile/", None, 200, PROFILE),
    Row("GET", "/v1/event/00000000-0000-4000-8000-000000000000/", None, 404, WRONG),
    Row("GET", "/v1/events/", None, 501, WRONG),
    Row("POST", "/v1/feedback/", {"memory_id": "{id}", "feedback": "POSITIVE"}, 200, JUDGED),
    Row("POST", "/v1/feedback/", {"memory_id": "{id}", "feedback": "MEH"}, 400, WRONG),
    Row("POST", "/v1/summary/", ANA, 200, {"summary", "status"}),
    Row("POST", "/v1/exports/", {"schema": "{}"}, 501, WRONG),
    Row("POST", "/v1/exports/get/", {}, 501, WRONG),
    Row("POST", "/v2/profiles/jobs/", {}, 501, WRONG),
    Row("GET", "/v2/profiles/settings/", None, 501, WRONG),
    Row("GET", PROJECT + "default/", None, 200, {"id", "name", "custom_instructions", "custom_categories"}),
    Row("PATCH", PROJECT + "default/", {"custom_instructions": "x"}, 501, WRONG),
    Row("GET", PROJECT + "default/members/", None, 501, WRONG),
    Row("POST", "/api/v1/webhooks/projects/default/", HOOK, 200, TOLD),
    Row("PUT", "/api/v1/webhooks/other/", {**HOOK, "name": None}, 200, TOLD),
    Row("DELETE", "/api/v1/webhooks/none/", None, 404, WRONG),
    Row("POST", "/memories", SAID, 200, {"results"}),
    Row("POST", "/memories", {"messages": SAID["messages"]}, 400, WRONG),
    Row("GET", "/memories?user_id=ana", None, 200, {"results"}),
    Row("GET", "/memories/{id}", None, 200, MEMORY),
    Row("PUT", "/memories/{id}", {"text": "My locker is 43", "metadata": {"a": 1}}, 200, {"message"}),
    Row("DELETE", "/memories/{id}", None, 200, {"message"}),
    Row("DELETE", "/memories", None, 400, WRONG),
    Row("POST", "/search", {"query": "locker", "user_id": "ana", "top_k": 3}, 200, {"results"}),
    Row("POST", "/search", {"query": "locker"}, 400, WRONG),
    Row("GET", "/configure", None, 200, {"version", "llm", "embedder", "vector_store"}),
    Row("GET", "/configure/providers", None, 200, {"llm", "embedder"}),
    Row("POST", "/configure", {"llm": {}}, 501, WRONG),
    Row("POST", "/generate-instructions", {"use_case": "x"}, 501, WRONG),
    Row("DELETE", "/entities/user/nobody", None, 200, {"message"}),
]  # fmt: skip


@pytest.fixture(scope="module")
def memory_of_all() -> Iterator[Memory]:
    with Memory(store=":memory:") as memory:
        yield memory


@pytest.fixture(scope="module")
def server(memory_of_all: Memory) -> Iterator[Client]:
    with served(memory_of_all, dialects=(DIALECT,)) as anybody:
        yield anybody


@pytest.fixture
def ask(server: Client, memory_of_all: Memory) -> Ask:
    """Asks as a client of mem0 that has a space of its own."""
    space = f"client-{next(NUMBERS)}"
    secret = memory_of_all.access.issue(dialect="mem0", scope="admin", space=space).secret

    def asking(method: str, path: str, body: Any = None) -> Answer:
        shown = {"X_API_Key": secret} if path[1] not in "va" else {"Authorization": f"Token {secret}"}
        return server.send(method, path, body, **shown)

    return asking


def _locker(ask: Ask, **more: Any) -> str:
    made = ask("POST", "/v3/memories/add/", {"messages": "My locker is 42", "user_id": "ana", "infer": False, **more})
    assert (made.status, made.json["status"]) == (200, "SUCCEEDED")
    [result] = made.json["results"]
    assert (result["memory"], result["event"]) == ("My locker is 42", "ADD")
    return str(result["id"])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.method} {row.path} {row.status}")
def test_every_row_of_the_contract_is_answered_so(ask: Ask, row: Row) -> None:
    memory_id = _locker(ask) if "{id}" in f"{row.path}{row.body}" or "webhooks" in row.path else ""
    body = row.body
    if memory_id and body:
        body = {
            name: [{**each, "memory_id": memory_id} for each in value]
            if name == "memories"
            else memory_id
            if value == "{id}"
            else value
            for name, value in body.items()
        }
    told = ask(row.method, row.path.replace("{id}", memory_id), body)
    assert (told.status, set(told.json)) == (row.status, row.fields), told.json
    assert told.headers["content-type"] == "application/json"


def test_nobody_comes_in_without_a_key_of_this_family(server: Client, memory_of_all: Memory) -> None:
    ours = memory_of_all.access.issue(scope="admin").secret
    for headers in ({}, {"Authorization": "Token nonsense"}, {"Authorization": f"Token {ours}"}):
        refused = server.get("/v1/ping/", **headers)
        assert (refused.status, set(refused.json)) == (401, WRONG)


def test_an_add_is_pending_and_its_event_tells_what_came_of_it(ask: Ask) -> None:
    said = [{"role": "user", "content": "I'm a vegetarian and I'm allergic to nuts."}]
    made = ask("POST", "/v3/memories/add/", {"messages": said, "user_id": "ana", "metadata": {"team": "ops"}}).json
    assert made["status"] == "PENDING"
    event = ask("GET", f"/v1/event/{made['event_id']}/").json
    assert (event["status"], [each["data"]["memory"] for each in event["results"]]) == (
        "SUCCEEDED",
        [each["memory"] for each in made["results"]],
    )
    found = ask("POST", "/v3/memories/search/", {"query": "her diet, and what she is allergic to", **ANA}).json[
        "results"
    ]
    assert {"User's diet is vegetarian.", "User is allergic to nuts."} <= {each["memory"] for each in found}
    assert all(0.1 <= each["score"] <= 1 and each["metadata"] == {"team": "ops"} for each in found)


def test_what_no_fact_is_read_from_is_a_memory_in_its_own_words_and_a_question_is_none(ask: Ask) -> None:
    for text in ("The cat threw up on the sofa", "What should I eat?"):
        ask("POST", "/v3/memories/add/", {"messages": text, "user_id": "ana", "run_id": "monday"})
    for filters in ({"user_id": "ana"}, {"run_id": "monday"}, {"AND": [{"user_id": "*"}, {"run_id": "monday"}]}):
        [kept] = ask("POST", "/v3/memories/", {"filters": filters}).json["results"]
        assert (kept["memory"], kept["run_id"]) == ("The cat threw up on the sofa", "monday")
    assert not ask("POST", "/v3/memories/", {"filters": {"run_id": "tuesday"}}).json["results"]


def test_a_message_that_was_found_can_be_read_and_deleted_but_not_changed(ask: Ask) -> None:
    said = [{"role": "assistant", "content": "The ramen place in Oderberger Street is good"}]
    ask("POST", "/v3/memories/add/", {"messages": said, "user_id": "ana"})
    [found] = ask("POST", "/v3/memories/search/", {"query": "ramen place", **ANA}).json["results"]
    one = f"/v1/memories/{found['id']}/"
    assert ask("GET", one).json["memory"] == said[0]["content"]
    assert [each["event"] for each in ask("GET", one + "history/").json] == ["ADD"]
    assert (ask("PUT", one, {"text": "x"}).status, ask("DELETE", one).status) == (400, 200)
    assert not ask("POST", "/v3/memories/search/", {"query": "ramen place", **ANA}).json["results"]


def test_pages_are_counted_and_lead_to_each_other(ask: Ask) -> None:
    for place in range(5):
        _locker(ask, metadata={"place": place})
    first, last = (ask("POST", f"/v3/memories/?page={page}&page_size=2", ANA).json for page in (1, 3))
    assert (first["count"], first["previous"], first["next"]) == (5, None, "/v3/memories/?page=2&page_size=2")
    assert [each["metadata"]["place"] for each in (*first["results"], *last["results"])] == [4, 3, 0]
    assert (last["previous"], last["next"]) == ("/v3/memories/?page=2&page_size=2", None)


def test_history_and_expiry_are_told_as_mem0_tells_them(ask: Ask) -> None:
    memory_id = _locker(ask, expiration_date="2031-05-06", timestamp=1_700_000_000)
    one = f"/v1/memories/{memory_id}/"
    assert ask("GET", one).json["expiration_date"] == "2031-05-06"
    changed = ask("PUT", one, {"text": "My locker is 43", "expiration_date": None, "metadata": {"a": 1}}).json
    assert (changed["expiration_date"], changed["metadata"], changed["id"]) == (None, {"a": 1}, memory_id)
    told = ask("GET", one + "history/").json
    assert [(each["event"], each["old_memory"], each["new_memory"]) for each in told] == [
        ("ADD", None, "My locker is 42"),
        ("UPDATE", "My locker is 42", "My locker is 43"),
    ]


def test_what_has_expired_is_shown_only_when_asked_for(ask: Ask) -> None:
    _locker(ask, expiration_date="2020-01-01")
    assert not ask("POST", "/v3/memories/", ANA).json["results"]
    assert ask("POST", "/v3/memories/", {**ANA, "show_expired": True}).json["count"] == 1


def test_bug_a_newer_address_takes_the_place_of_the_older(ask: Ask) -> None:
    for text in ("I live in Rome", "I moved to Oslo"):
        ask("POST", "/v3/memories/add/", {"messages": text, "user_id": "ana"})
    [kept] = ask("POST", "/v3/memories/", ANA).json["results"]
    assert kept["memory"] == "User lives in Oslo."
    events = [each["event"] for each in ask("GET", f"/v1/memories/{kept['id']}/history/").json]
    assert events == ["ADD", "UPDATE"]


def test_bug_deleting_all_of_somebody_deletes_all_and_of_nobody_else(ask: Ask) -> None:
    for user in ("ana", "bo"):
        for _ in range(3):
            _locker(ask, user_id=user)
    ask("POST", "/memories", {"messages": [{"role": "user", "content": "What time is it?"}], "user_id": "ana"})
    assert ask("DELETE", "/v1/memories/?user_id=ana").status == 200
    assert ask("POST", "/v3/memories/", ANA).json["count"] == 0
    assert not ask("POST", "/v3/memories/search/", {"query": "what time", **ANA}).json["results"]
    assert [each["name"] for each in ask("GET", "/v1/entities/").json["results"] if each["type"] == "user"] == ["bo"]


def test_a_run_is_deleted_with_its_messages(ask: Ask) -> None:
    for run in ("one", "two"):
        ask("POST", "/memories", {"messages": [{"role": "user", "content": f"What is run {run}?"}], "run_id": run})
        _locker(ask, run_id=run)
    assert ask("DELETE", "/v2/entities/run/one/").status == 200
    found = ask("POST", "/v3/memories/search/", {"query": "what is run", "filters": {"run_id": "*"}}).json["results"]
    assert {each["run_id"] for each in found} == {"two"}
    assert ask("POST", "/reset").json == {"message": "All memories reset"}
    assert ask("GET", "/entities").json == []


ODD: tuple[Any, ...] = (
    {},
    {"messages": 7, "query": [], "filters": "x", "memories": [{}], "memory_id": None, "feedback": 1, "text": 5},
    {"messages": [{"role": 3, "content": {"a": 1}}], "user_id": {"a": 1}, "query": "a", "filters": {"OR": 3}},
    {"messages": "hi", "user_id": "a\x00b", "query": "\ud800", "filters": {"created_at": {"gte": 1e300}}, "top_k": -1},
    {
        "messages": "hi",
        "user_id": "a",
        "metadata": [1],
        "expiration_date": "soon",
        "timestamp": "x",
        "url": 3,
        "name": 4,
    },
    {"messages": "hi", "filters": {"AND": [{"NOT": {"x": {"gt": None}}}]}, "query": "x", "threshold": "high"},
    {"messages": ["hi", None], "text": "", "metadata": {"a": {"b": []}}, "query": "x", "filters": {"": ""}},
)


@pytest.mark.parametrize("line", DIALECT.paths, ids=lambda line: f"{line.method} {line.path}")
def test_nonsense_is_refused_and_never_breaks_anything(ask: Ask, line: DialectPath) -> None:
    query = "?page=x&page_size=-1&top_k=a&user_id=%00&run_id=" if line.method == "GET" else ""
    path = re.sub(r"\{\w+\}", "nonsense", line.path) + query
    for body in (None,) if line.method == "GET" else ODD:
        told = ask(line.method, path, body)
        assert told.status < 500 or told.status == 501, (path, body, told.body)


def test_the_classes_of_mem0_do_the_same_in_this_process(memory_of_all: Memory) -> None:
    with Mem0(memory=memory_of_all, space="library") as plain:
        [made] = plain.add("My locker is 42", user_id="ana", infer=False)["results"]
        assert (plain.get(made["id"]) or {})["memory"] == "My locker is 42"
        assert plain.update(made["id"], "My locker is 43") == {"message": "Memory updated successfully!"}
        assert [each["event"] for each in plain.history(made["id"])] == ["ADD", "UPDATE"]
        assert plain.search("locker", filters={"user_id": "ana"})["results"][0]["id"] == made["id"]
        for since, found in ((datetime(2020, 1, 1), [made["id"]]), (datetime(9000, 1, 1, tzinfo=UTC), [])):
            told = plain.get_all(filters={"user_id": "ana", "created_at": {"gte": since}})["results"]
            assert [each["id"] for each in told] == found
        refused: tuple[Callable[[], Any], ...] = (
            lambda: plain.add("x"),
            lambda: plain.search("x", user_id="ana"),
            plain.get_all,
            plain.delete_all,
        )
        for wrong in refused:
            with pytest.raises(InvalidInput):
                wrong()
        plain.delete(made["id"])
        assert plain.get(made["id"]) is None

    async def awaited() -> None:
        async with AsyncMem0(memory=memory_of_all, space="library") as lifted:
            await lifted.add("I live in Rome", user_id="ana")
            [kept] = (await lifted.get_all(filters={"user_id": "ana"}))["results"]
            assert kept["memory"] == "User lives in Rome."
            await lifted.reset()
            assert not (await lifted.get_all(filters={"user_id": "ana"}))["results"]

    asyncio.run(awaited())
