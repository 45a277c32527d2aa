"""Quotas hold for every door, on every store: exactly, and with nothing half written."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from recollect import Memory, QuotaReached
from recollect.domain.errors import InvalidInput, NotFound
from tests.support.clock import SteadyClock
from tests.surfaces.http.client import served


def test_a_space_without_a_quota_has_none(memory: Memory) -> None:
    memory.save("something", space="alice")
    summary = memory.describe_space("alice")
    assert (summary.max_notes, summary.max_messages) == (None, None)


def test_a_full_space_takes_no_new_note_but_can_be_corrected_and_emptied(memory: Memory) -> None:
    first = memory.save("one", space="alice")
    assert memory.limit_space("alice", max_notes=2).max_notes == 2
    memory.save("two", space="alice")
    for write in (
        lambda: memory.save("three", space="alice"),
        lambda: memory.supersede(first.id, "one, anew", space="alice"),
        lambda: memory.add("I moved to Berlin last week", space="alice"),
    ):
        with pytest.raises(QuotaReached) as refused:
            write()
        assert (refused.value.code, refused.value.retryable, refused.value.wait) == ("note_quota", False, None)
    assert memory.describe_space("alice").notes == 2
    assert memory.describe_space("alice").observations == 0
    memory.update(first.id, text="one, corrected", space="alice")
    memory.forget(first.id, space="alice")
    memory.save("three", space="alice")
    memory.save("others are not limited", space="bob")
    assert memory.audit(space="alice").whole


def test_messages_are_counted_by_the_day(memory: Memory, clock: SteadyClock) -> None:
    memory.create_space("alice")
    memory.limit_space("alice", max_messages=3)
    memory.add([{"role": "user", "content": "one"}, {"role": "user", "content": "two"}], space="alice")
    with pytest.raises(QuotaReached) as refused:
        memory.add([{"role": "user", "content": "three"}, {"role": "user", "content": "four"}], space="alice")
    assert refused.value.code == "message_quota"
    assert refused.value.wait is not None and 0 < refused.value.wait <= 86400
    memory.add("three", space="alice")
    clock.advance(days=1)
    memory.add([{"role": "user", "content": str(number)} for number in range(3)], space="alice")
    assert memory.describe_space("alice").observations == 6


def test_the_same_request_again_is_counted_once(memory: Memory) -> None:
    memory.create_space("alice")
    memory.limit_space("alice", max_notes=1, max_messages=1)
    for _ in range(3):
        memory.save("one", idempotency_key="one", space="alice")
        memory.add("Hello there", at="2026-03-01", idempotency_key="two", space="alice")


def test_a_quota_can_be_changed_and_taken_away(memory: Memory) -> None:
    memory.save("one", space="alice")
    memory.limit_space("alice", max_notes=0)
    with pytest.raises(QuotaReached):
        memory.save("two", space="alice")
    memory.limit_space("alice")
    memory.save("two", space="alice")
    memory.limit_space("alice", max_notes=0)
    memory.delete_space("alice")
    memory.save("a new life", space="alice")


def test_the_last_place_is_given_away_once(memory: Memory) -> None:
    memory.save("first", space="alice")
    memory.limit_space("alice", max_notes=5)

    def save(number: int) -> bool:
        try:
            memory.save(f"note {number}", space="alice")
        except QuotaReached:
            return False
        return True

    with ThreadPoolExecutor(8) as writers:
        assert sum(writers.map(save, range(20))) == 4
    assert memory.describe_space("alice").notes == 5


def test_a_quota_must_make_sense_and_its_space_be_there(memory: Memory) -> None:
    memory.create_space("alice")
    for wrong in (-1, 2**31, True):
        with pytest.raises(InvalidInput):
            memory.limit_space("alice", max_notes=wrong)
    with pytest.raises(NotFound):
        memory.limit_space("nobody", max_notes=1)


def test_over_http_a_full_space_is_forbidden_and_a_full_day_is_too_much() -> None:
    with Memory(store=":memory:", principal="tester") as memory:
        memory.create_space("alice")
        everywhere = memory.access.issue(scope="admin").secret
        bound = memory.access.issue(scope="admin", space="alice").secret
        with served(memory) as anybody:
            admin, alice = anybody.with_token(everywhere), anybody.with_token(bound)
            asked = {"name": "alice", "max_notes": 1, "max_messages": 0}
            assert alice.post("/v1/spaces/limit", asked).json["code"] == "token_bound"
            assert admin.post("/v1/spaces/limit", asked).json["max_notes"] == 1
            assert alice.post("/v1/spaces/alice/save", {"text": "one"}).status == 200
            full = alice.post("/v1/spaces/alice/save", {"text": "two"})
            assert (full.status, full.json["code"]) == (403, "note_quota")
            late = alice.post("/v1/spaces/alice/add", {"messages": "hello"})
            assert (late.status, late.json["code"]) == (429, "message_quota")
            assert 0 < int(late.headers["retry-after"]) <= 86400
            assert "hello" not in json.dumps(memory.export().records)
