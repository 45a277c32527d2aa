"""Every path of Anda Brain in its own words: bodies in all forms, envelopes, errors, pages."""

from __future__ import annotations

import json
from typing import Any

import cbor2
import pytest

from tests.dialects.anda.client import manager
from tests.dialects.anda.conftest import Brain

pytestmark = pytest.mark.xdist_group("dialect anda contract")  # one after the other, on one server

SAID = {
    "messages": [
        {"role": "user", "content": "I prefer dark mode for all my apps. My timezone is UTC+8.", "name": "Alice"},
        {"role": "assistant", "content": "Got it! I've noted your preference for dark mode and UTC+8 timezone."},
    ],
    "context": {"counterparty": "alice_id", "agent": "customer_bot_001", "source": "source_123", "topic": "settings"},
    "timestamp": "2026-03-09T10:30:00Z",
}

# Method, path, body, status, and where the answer stands what is looked for: a field of the result, or an error.
ROWS: list[tuple[str, str, Any, int, str]] = [
    ("GET", "/info", None, 200, "name"),
    ("POST", "/v1/brain/formation", SAID, 200, "conversation"),
    ("POST", "/v1/brain/formation", {"messages": []}, 400, "`messages` must be a list"),
    ("POST", "/v1/brain/formation", {"messages": [{"role": "robot", "content": "x"}]}, 400, "role"),
    ("POST", "/v1/brain/formation", {**SAID, "timestamp": True}, 400, "timestamp"),
    ("POST", "/v1/nowhere/formation", SAID, 400, "space not found"),
    ("POST", "/v1/brain/recall", {"query": "What are Alice's preferences?"}, 200, "content"),
    ("POST", "/v1/brain/recall", {"query": ""}, 400, "`query` is missing"),
    ("POST", "/v1/nowhere/recall", {"query": "Who?"}, 400, "space not found"),
    ("POST", "/v1/brain/maintenance", {"scope": "deep"}, 400, "scope"),
    ("POST", "/v1/brain/get_or_init_user", {"user": "u1", "name": "Una"}, 200, "attributes"),
    ("POST", "/v1/brain/get_or_init_user", {"name": "Una"}, 400, "user"),
    ("POST", "/v1/nowhere/get_or_init_user", {"user": "u1"}, 400, "space not found"),
    ("GET", "/v1/brain/info", None, 200, "db_stats"),
    ("GET", "/v1/brain/status", None, 200, "space_id"),
    ("GET", "/v1/nowhere/info", None, 400, "space not found"),
    ("GET", "/v1/brain/formation_status", None, 200, "formation_processing"),
    ("GET", "/v1/brain/conversations?collection=nothing", None, 400, "collection"),
    ("GET", "/v1/brain/conversations?cursor=x", None, 400, "invalid cursor"),
    ("GET", "/v1/brain/conversations?limit=x", None, 400, "limit"),
    ("GET", "/v1/brain/conversations/one", None, 400, "whole number"),
    ("GET", "/v1/brain/conversations/999", None, 400, "There is no conversation 999"),
    ("PATCH", "/v1/brain/management/restart_formation", {"conversation": 999}, 400, "There is no conversation"),
    ("PATCH", "/v1/brain/management/restart_formation", {}, 400, "conversation"),
    ("POST", "/v1/brain/management/add_space_token", {"scope": "all"}, 400, "scope"),
    ("POST", "/v1/brain/management/revoke_space_token", {"token": "x"}, 400, "invalid space token"),
    ("PATCH", "/v1/brain/management/space_byok", {"family": "none", "api_key": "0123456789"}, 400, "no provider"),
    ("PATCH", "/v1/brain/management/update_byok", {"family": "none", "api_key": "0123456789"}, 400, "no provider"),
    ("POST", "/v1/recall/formation", SAID, 400, "no name for a space"),
    ("POST", "/v1/users/recall", {"query": "Who?"}, 400, "no name for a space"),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "found"), ROWS, ids=lambda each: str(each)[:40])
def test_each_row_of_the_contract_holds(
    brain: Brain, method: str, path: str, body: Any, status: int, found: str
) -> None:
    answer = brain.ask(method, path, body)
    assert answer.status == status, answer.body
    if status != 200:
        assert set(answer.json) == {"error"}
        assert found in answer.json["error"]["message"]
    elif path == "/info":
        assert answer.json["name"] == "anda_brain" and answer.json["sharding"] == 0
    else:
        assert "error" not in answer.json
        assert found in answer.json["result"]


def test_a_conversation_is_formed_by_a_job_and_can_be_looked_at(brain: Brain) -> None:
    number = brain.result("POST", "/v1/brain/formation", SAID)["conversation"]
    path = f"/v1/brain/conversations/{number}"
    before = brain.result("GET", path)
    assert (before["_id"], before["status"], before["label"]) == (number, "submitted", "settings")
    for said in ("delta=false", "delta=true", "delta"):
        assert brain.result("GET", f"{path}?{said}").keys() == before.keys(), "the path alone asks for a delta"
    assert [each["content"] for each in before["messages"]] == [each["content"] for each in SAID["messages"]]  # type: ignore[index]
    assert brain.result("GET", "/v1/brain/formation_status")["formation_processing"]
    busy = brain.ask("POST", "/v1/brain/maintenance", {})
    assert (busy.status, "cannot start maintenance" in busy.json["error"]["message"]) == (400, True)
    assert brain.ask("PATCH", "/v1/brain/management/restart_formation", {"conversation": number}).status == 400
    brain.memory.run_jobs()
    after = brain.result("GET", f"{path}/delta?messages_offset=1")
    assert (after["status"], len(after["messages"])) == ("completed", 1)
    assert after["artifacts"] == [{"learned": after["artifacts"][0]["learned"]}]
    assert brain.result("GET", "/v1/brain/formation_status")["formation_processed_id"] == number
    assert brain.result("PATCH", "/v1/brain/management/restart_formation", {"conversation": number}) is True
    brain.memory.run_jobs()
    told = brain.result("POST", "/v1/brain/recall", {"query": "What does Alice prefer?"})
    assert "dark mode" in told["content"]
    assert told["sources"] and told["conversation"] >= 1
    asked = brain.result("GET", f"/v1/brain/conversations/{told['conversation']}?collection=recall")
    assert asked["messages"] == [{"role": "user", "content": "What does Alice prefer?"}]
    kept = brain.result("POST", "/v1/brain/maintenance", {"trigger": "on_demand", "scope": "quick", "parameters": {}})
    brain.memory.run_jobs()
    done = brain.result("GET", f"/v1/brain/conversations/{kept['conversation']}?collection=maintenance")
    assert (done["status"], done["label"]) == ("completed", "quick")


@pytest.mark.parametrize(
    "context", [{"user": "bob"}, '{"counterparty": "bob"}', '"{\\"user\\": \\"bob\\"}"', "", "null"]
)
def test_a_context_is_an_object_or_json_of_one(brain: Brain, context: Any) -> None:
    body = {
        "messages": [{"role": "user", "content": [{"type": "text", "text": "I live in Oslo."}]}],
        "context": context,
    }
    number = brain.result("POST", "/v1/other/formation", body)["conversation"]
    kept = brain.memory.conversations(number, space="other")[0].messages[0]
    assert (kept.text, kept.scope.user) == ("I live in Oslo.", "bob" if context not in ("", "null") else None)


@pytest.mark.parametrize("context", ["[1]", "bob", 3, '"\\"{}\\""'])
def test_any_other_context_is_refused(brain: Brain, context: Any) -> None:
    told = brain.ask("POST", "/v1/other/recall", {"query": "Where?", "context": context})
    assert (told.status, told.json["error"]["message"]) == (400, "context string must contain a JSON object")


def test_a_body_is_json_cbor_or_text_and_an_answer_is_as_it_is_accepted(brain: Brain) -> None:
    path, question = "/v1/brain/recall", "What are Alice's preferences?"
    as_cbor = brain.ask("POST", path, cbor2.dumps({"query": question}), Content_Type="application/cbor")
    assert as_cbor.json["result"]["content"]
    for kind in ("text/markdown", "text/plain", "application/x-www-form-urlencoded"):
        assert brain.ask("POST", path, question.encode(), Content_Type=kind).json["result"]["content"]
        as_json = brain.ask("POST", path, json.dumps({"query": question}).encode(), Content_Type=kind)
        assert as_json.json["result"] == {**as_json.json["result"], "content": as_cbor.json["result"]["content"]}
    plain = brain.ask("POST", path, {"query": question}, Accept="text/markdown")
    assert plain.headers["content-type"].startswith("text/markdown")
    assert plain.body.decode().strip() == as_cbor.json["result"]["content"].strip()
    packed = brain.ask("GET", "/v1/brain/info", Accept="application/cbor")
    assert packed.headers["content-type"] == "application/cbor"
    assert cbor2.loads(packed.body)["result"]["id"] == "brain"
    told = brain.ask("GET", "/v1/brain/info", Accept="text/markdown").body.decode()
    assert json.loads(told)["result"]["id"] == "brain"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"What?", "application/json"),
        (b"{", "text/plain"),
        (b"\xff\xfe", "text/plain"),
        (b"\xd8\x1c\x81\xd8\x1d\x00", "application/cbor"),
        (b"\xff", "application/cbor"),
        (b"[" * 100_000, "application/json"),
        (b'{"query": ' + b"[" * 50 + b"]" * 50 + b"}", "application/json"),
    ],
    ids=lambda each: str(each)[:20],
)
def test_a_body_that_cannot_be_read_is_refused_with_a_sentence(brain: Brain, body: bytes, kind: str) -> None:
    told = brain.ask("POST", "/v1/brain/management/add_space_token", body, Content_Type=kind)
    assert (told.status, set(told.json)) == (400, {"error"})


def test_conversations_are_paged_from_the_newest_by_a_cursor(brain: Brain) -> None:
    brain.memory.create_space("paged")
    for number in range(1, 6):
        brain.result("POST", "/v1/paged/formation", {"messages": [{"role": "user", "content": f"Point {number}."}]})
    first = brain.ask("GET", "/v1/paged/conversations?limit=2").json
    assert [each["_id"] for each in first["result"]] == [5, 4]
    second = brain.ask("GET", f"/v1/paged/conversations?limit=2&cursor={first['next_cursor']}").json
    assert [each["_id"] for each in second["result"]] == [3, 2]
    last = brain.ask("GET", f"/v1/paged/conversations?limit=2&cursor={second['next_cursor']}").json
    assert [each["_id"] for each in last["result"]] == [1]
    assert "next_cursor" not in last
    assert len(brain.result("GET", "/v1/paged/conversations?limit=0")) == 1


def test_a_manager_makes_a_space_whose_tier_is_its_limit(brain: Brain) -> None:
    body = {"user": "owner-principal", "space_id": "fresh", "tier": 0}
    assert brain.ask("POST", "/admin/create_space", body, token="*").status == 401
    made = brain.ask("POST", "/admin/create_space", body, token=manager()).json["result"]
    assert (made["id"], made["owner"], made["tier"]["tier"]) == ("fresh", "owner-principal", 0)
    assert brain.ask("POST", "/admin/create_space", body, token=manager()).status == 400
    for name in ("users", "spaces", "a b/c", ""):
        assert brain.ask("POST", "/admin/create_space", {**body, "space_id": name}, token=manager()).status == 400
    for number in range(100):
        brain.memory.form_conversation(f"Point {number}.", space="fresh")
    full = brain.ask("POST", "/v1/fresh/formation", SAID)
    assert (full.status, "node limit exceeded" in full.json["error"]["message"]) == (400, True)
    raised = {**body, "tier": 1}
    assert brain.ask("POST", "/admin/other/update_space_tier", raised, token=manager()).status == 400
    told = brain.ask("POST", "/admin/fresh/update_space_tier", raised, token=manager()).json["result"]
    assert (told["tier"], set(told)) == (1, {"tier", "updated_at"})
    assert brain.result("POST", "/v1/fresh/formation", SAID)["conversation"] == 101


def test_a_space_is_described_anew_and_its_model_keys_are_never_shown(brain: Brain) -> None:
    change = {"name": "Alice's brain", "description": "what Alice says"}
    assert brain.result("PATCH", "/v1/brain/management/update_space", change) is True
    told = brain.result("GET", "/v1/brain/info")
    assert (told["name"], told["description"], told["public"]) == ("Alice's brain", "what Alice says", False)
    assert brain.ask("GET", "/v1/brain/management/space_byok").json == {"result": None}


def test_the_words_of_kip_are_answered_as_kip_and_not_as_http(brain: Brain) -> None:
    path = "/v1/brain/execute_kip_readonly"
    told = brain.ask("POST", path, {"command": "DESCRIBE PRIMER"})
    assert told.status == 200
    assert set(told.json) & {"result", "error"}
    both = brain.ask("POST", path, {"command": "x", "commands": []}).json
    assert both["error"]["code"] == "KIP_1001"
    batch = brain.ask("POST", path, {"commands": ["DESCRIBE PRIMER", {"command": "FIND(", "parameters": {}}]}).json
    assert len(batch["result"]) == 2 and "error" in batch["result"][1]
    assert brain.ask("POST", path, {"commands": []}).json["error"]["code"] == "KIP_4002"


def test_a_request_for_another_shard_is_refused(brain: Brain) -> None:
    assert brain.ask("GET", "/v1/brain/info", Shard_Id="0").status == 200
    for name in ("Shard_Id", "X_Shard"):
        for shard in ("7", "9" * 5000):
            told = brain.ask("GET", "/v1/brain/info", **{name: shard})
            assert (told.status, "shard" in told.json["error"]["message"]) == (400, True)


def test_everybody_can_read_how_to_use_it(brain: Brain) -> None:
    page = brain.ask("GET", "/SKILL.md", token=None)
    assert (page.status, page.headers["content-type"].split(";")[0]) == (200, "text/markdown")
    assert "/v1/{space}/formation" in page.body.decode()
