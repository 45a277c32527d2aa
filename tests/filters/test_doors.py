"""One scenario through every door: the same filters find the same notes, and the same mistakes are refused alike."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Filter, Memory
from tests.support.filter_data import filters
from tests.support.naive_filter import passes
from tests.surfaces.doors import Door, Refusal
from tests.surfaces.http.client import served

NOTES: list[dict[str, Any]] = [
    {
        "text": "Deploy with make release",
        "kind": "procedural",
        "tags": ["deploy"],
        "metadata": {"ticket": 12, "team": "ops"},
    },
    {"text": "Never deploy on Friday", "kind": "lesson", "tags": ["deploy", "rule"], "metadata": {"ticket": 7}},
    {"text": "Ana prefers tea", "subject": "ana", "attribute": "drink", "metadata": {"labels": ["hot", "green"]}},
    {
        "text": "Bo prefers coffee",
        "subject": "bo",
        "attribute": "drink",
        "metadata": {"sure": True},
        "valid_from": "2019-01-01",
        "valid_until": "2020-01-01",
    },
]

FOUND: list[tuple[dict[str, Any], list[int]]] = [
    ({"kind": ["lesson", "procedural"]}, [1, 0]),
    ({"tag": "Deploy", "not": {"tag": "rule"}}, [0]),
    ({"metadata.ticket": {"gte": 7, "lt": 12}}, [1]),
    ({"metadata.labels": "green"}, [2]),
    ({"metadata.team": {"exists": False}}, [2, 1]),
    ({"or": [{"subject": ["ana", "bo"]}, {"metadata.team": {"contains": "op"}}]}, [2, 0]),
    ({"created": {"max_age": "1d"}, "text": {"contains": "deploy"}}, [1]),
    ({"created": {"until": "2020-01-01"}}, []),
    ({"valid": {"since": "2019-06-01", "until": "2019-07-01"}, "metadata.sure": True}, [3]),
    ({"state": ["active", "retracted"], "attribute": "drink"}, [3, 2]),
]


def test_every_door_takes_the_same_filters(door: Door) -> None:
    texts = [door.call("save", **note)["text"] for note in NOTES]
    for where, expected in FOUND:
        items = door.call("list", where=where)["items"]
        assert [note["text"] for note in items] == [texts[number] for number in expected], where

    deploying = {"metadata.ticket": {"exists": True}, "kind": {"ne": "lesson"}}
    found = door.call("search", query="how do we deploy", where=deploying)
    assert [hit["note"]["text"] for hit in found["hits"]] == [texts[0]]
    told = door.call("recall", query="how do we deploy", where=deploying)
    assert [line["text"] for line in told["lines"]] == [texts[0]]
    [bo] = door.call("list", where={"subject": "bo", "state": "active"})["items"]
    lost = door.call("why-not", note_id=bo["id"], query="tea", where={"subject": "ana"})
    assert lost["reason"] == "It does not have the subject that was asked for."

    for wrong, code in (
        ({"kinds": ["lesson"]}, "unknown_filter_field"),
        ({"created": {"gte": "2026-01-01"}}, "unknown_filter_operator"),
        ({"or": [{"kind": "lesson"}, {"kind": "lesso"}]}, "invalid_filter"),
        ({"metadata.n": list(range(600))}, "filter_too_large"),
    ):
        for verb, more in (("list", {}), ("search", {"query": "tea"}), ("recall", {"query": "tea"})):
            with pytest.raises(Refusal) as caught:
                door.call(verb, where=wrong, **more)
            assert caught.value.code == code
            assert "`where" in caught.value.error["message"]
            assert caught.value.error["hint"]


@settings(
    max_examples=3,  # processes are started for some doors
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
)
@given(asked=st.lists(filters, min_size=1, max_size=2))
def test_any_filter_finds_through_every_door_what_a_plain_reading_finds(
    door: Door, asked: list[dict[str, Any]]
) -> None:
    kept = door.call("list", state="any")["items"]
    if not kept:
        for note in NOTES:
            door.call("save", **note)
        kept = door.call("list", state="any")["items"]
    for plain in asked:
        expected = [note["id"] for note in kept if passes(plain, note, datetime.now(UTC))]
        assert [note["id"] for note in door.call("list", where=plain, state="any")["items"]] == expected, plain


def test_every_door_counts_and_erases_what_a_filter_finds(door: Door) -> None:
    for note in NOTES:
        door.call("save", **note, user="ana")
    found = door.call("count", where={"tag": "deploy"}, by=["kind", "user"])
    assert found == {"total": 2, "by": {"kind": {"lesson": 1, "procedural": 1}, "user": {"ana": 2}}, "others": {}}
    assert door.call("list", limit=1, total=True)["total"] == 3

    told = door.call("forget-all", where={"tag": "deploy"})
    assert (told["notes"], told["done"]) == (2, False)
    with pytest.raises(Refusal) as caught:
        door.call("forget-all", where={"tag": "rule"}, confirm=told["confirm"])
    assert caught.value.code == "not_confirmed"
    assert door.call("forget-all", where={"tag": "deploy"}, confirm=told["confirm"])["notes"] == 2
    assert door.call("count")["total"] == 1

    told = door.call("reset", user="ana")
    assert door.call("reset", user="ana", confirm=told["confirm"])["notes"] == 2
    assert door.call("list", state="any")["items"] == []


def test_a_filter_fits_into_an_address(one_memory: Memory) -> None:
    for note in NOTES:
        one_memory.save(**note)
    token = one_memory.access.issue(scope="read", name="reader").secret
    with served(one_memory) as client:
        spelled = quote(json.dumps({"kind": ["lesson", "pattern"]}))
        answer = client.with_token(token).get(f"/v1/spaces/default/list?where={spelled}")
        assert [note["text"] for note in answer.json["items"]] == ["Never deploy on Friday"]
        wrong = client.with_token(token).get("/v1/spaces/default/list?where=kind")
        assert (wrong.status, wrong.json["code"]) == (400, "invalid_filter")


def test_a_page_goes_on_with_the_same_filter_only(one_memory: Memory) -> None:
    for number in range(5):
        one_memory.save(f"note {number}", metadata={"number": number})
    where = Filter.metadata("number", gte=1)
    first = one_memory.list(where=where, limit=2)
    rest = one_memory.list(where={"metadata.number": {"gte": 1}}, limit=2, cursor=first.next_cursor)
    assert [note.text for note in (*first, *rest)] == ["note 4", "note 3", "note 2", "note 1"]
    with pytest.raises(Exception, match="another list"):
        one_memory.list(where={"metadata.number": {"gte": 2}}, cursor=first.next_cursor)
