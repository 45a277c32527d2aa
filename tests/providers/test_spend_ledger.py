"""The spend ledger, on every store: what is reserved counts, what is settled counts instead, and no cap is passed."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from recollect import InvalidInput, Memory, NotAllowed
from recollect.domain.chat.spend import CapReached, SettledCall, SpendCaps, SpendRequest, summed
from recollect.domain.dataclass import replace
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock

CAPS = SpendCaps(1000, 600, 300, 5000)


def call(clock: SteadyClock, tokens: int = 100, **changed: Any) -> SpendRequest:
    now = clock.now()
    made = SpendRequest(
        clock.new_id(), "team", "", "answer", "openai", "small", now, now + timedelta(minutes=2), tokens, tokens
    )
    return replace(made, **changed)


def test_no_call_begins_that_could_pass_a_cap(store: SqlStore, clock: SteadyClock) -> None:
    ledger = store.spend
    assert ledger.reserve(call(clock, 300, session="s1"), CAPS) is None
    assert ledger.reserve(call(clock, 1, session="s1"), CAPS) == CapReached("session", "tokens", 300, 300)
    assert ledger.reserve(call(clock, 300, session="s1", space="other"), CAPS) is None  # another session of that name
    assert ledger.reserve(call(clock, 301), CAPS) == CapReached("space", "tokens", 600, 300)
    assert ledger.reserve(call(clock, 300), CAPS) is None
    assert ledger.reserve(call(clock, 101, space="third"), CAPS) == CapReached("day", "tokens", 1000, 900)
    assert ledger.reserve(call(clock, 100, space="third", micros=4101), CAPS) == CapReached("day", "usd", 5000, 900)
    assert (
        ledger.reserve(call(clock, 100, space="third", micros=None), CAPS) is None
    )  # no price, and tokens still count
    clock.advance(days=1)
    assert ledger.reserve(call(clock, 600), CAPS) is None
    assert ledger.reserve(call(clock, 1, session="s1"), replace(CAPS, space_tokens=10_000)) is not None


def test_what_was_settled_counts_in_place_of_what_was_reserved(store: SqlStore, clock: SteadyClock) -> None:
    ledger, first = store.spend, call(clock, 600)
    assert ledger.reserve(first, CAPS) is None
    ledger.settle(first.id, SettledCall(50, 70, 30, 10, 10), clock.now())
    ledger.settle(first.id, SettledCall(1, 1), clock.now())  # it stays as it was settled
    assert ledger.reserve(call(clock, 550), CAPS) is None
    [line] = summed(ledger.lines(since="2026-01-01", at=clock.now()), ("task", "space", "day"))
    assert (line.task, line.space, line.day) == ("answer", "team", "2026-01-01")
    assert (line.calls, line.tokens, line.input_tokens, line.cached_tokens, line.output_tokens) == (2, 600, 30, 10, 10)
    assert line.cost_usd == pytest.approx(0.00062)


def test_a_call_that_nobody_settles_counts_in_full(store: SqlStore, clock: SteadyClock) -> None:
    assert store.spend.reserve(call(clock, 600), CAPS) is None
    clock.advance(minutes=10)
    [line] = store.spend.lines(since="2026-01-01", at=clock.now())
    assert (line.tokens, line.unsettled) == (600, 1)
    assert store.spend.reserve(call(clock, 1), CAPS) is not None


def test_a_deleted_space_leaves_its_numbers_and_not_its_name(memory: Memory, clock: SteadyClock) -> None:
    memory.create_space("team")
    ledger = memory._engine.spend
    assert ledger.reserve(call(clock, 300, session="s1"), CAPS) is None
    memory.delete_space("team")
    [line] = ledger.lines(since="2026-01-01", at=clock.now())
    assert (line.space, line.tokens) == ("", 300)
    assert ledger.reserve(call(clock, 701, space="x"), replace(CAPS, space_tokens=1000)) == CapReached(
        "day", "tokens", 1000, 300
    )


def test_old_days_are_forgotten(store: SqlStore, clock: SteadyClock) -> None:
    assert store.spend.reserve(call(clock), CAPS) is None
    store.spend.drop_before("2026-01-02")
    assert not store.spend.lines(since="2000-01-01", at=clock.now())


def test_a_restored_backup_keeps_what_was_spent_since(tmp_path: Path, clock: SteadyClock) -> None:
    with Memory(store=str(tmp_path / "memory.db"), home=tmp_path, clock=clock) as memory:
        memory.save("Ana lives in Lisbon.")
        memory.backup(path=tmp_path / "copy.db")
        assert memory._engine.spend.reserve(call(clock, 300), CAPS) is None
        memory.restore(path=tmp_path / "copy.db")
        assert [line.tokens for line in memory.spend()] == [300]


def test_a_part_of_a_space_is_not_shown_what_all_of_them_spend(memory: Memory) -> None:
    part = memory.bound_to(user="ana")
    for ask in (part.providers, part.spend):
        with pytest.raises(NotAllowed):
            ask()


def test_spending_is_summed_up_as_it_is_asked_for(memory: Memory, clock: SteadyClock) -> None:
    ledger = memory._engine.spend
    for task, space in (("answer", "a"), ("answer", "b"), ("read", "a")):
        assert ledger.reserve(call(clock, 10, task=task, space=space), CAPS) is None
    assert [(each.task, each.space, each.calls) for each in memory.spend(by=["task"])] == [
        ("answer", "", 2),
        ("read", "", 1),
    ]
    assert len(memory.spend(by="task,space,day")) == 3
    assert [each.tokens for each in memory.spend()] == [30]
    with pytest.raises(InvalidInput, match="`mood`"):
        memory.spend(by=["mood"])
