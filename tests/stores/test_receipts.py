"""Receipts are kept for a while, in their own space, and never in the way."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import psycopg
import pytest

from recollect import Memory
from recollect.domain.answers.receipts import MOST_RECEIPTS, RECEIPT_DAYS, Fate, Found, RecallReceipt
from recollect.domain.answers.recollections import Coverage
from recollect.domain.changes import DeleteSpace
from recollect.domain.errors import Busy, StoreFailure
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.raw import database_of, rows, store_of, tampering
from tests.support.writing import changes, saved


def a_receipt(clock: SteadyClock, query: str = "Where is the barn?") -> RecallReceipt:
    found = (Found(clock.new_id(), 2, 0.75, Fate.SHOWN, {"words": 0.5, "meaning": 0.81}),)
    return RecallReceipt(
        clock.new_id(), clock.now(), "recall", query, {"limit": 3}, Coverage.PARTIAL, 7, found, 120, {"gather": 1.5}
    )


@pytest.fixture
def sql_store(store: SqlStore) -> SqlStore:
    return store


def test_a_receipt_is_read_back_as_it_was_kept(sql_store: SqlStore, clock: SteadyClock) -> None:
    receipt = a_receipt(clock)
    sql_store.receipts.keep("alice", receipt)
    assert sql_store.receipts.receipt("alice", receipt.id) == receipt
    assert sql_store.receipts.receipt("bob", receipt.id) is None


def test_only_the_newest_are_kept_and_none_for_too_long(sql_store: SqlStore, clock: SteadyClock) -> None:
    first = a_receipt(clock)
    sql_store.receipts.keep("bob", first)
    kept = [a_receipt(clock) for _ in range(MOST_RECEIPTS + 5)]
    for receipt in kept:
        sql_store.receipts.keep("alice", receipt)
    assert rows(sql_store, "SELECT count(*) FROM receipt WHERE space = 'alice'") == [(MOST_RECEIPTS,)]
    assert sql_store.receipts.receipt("alice", kept[0].id) is None
    assert sql_store.receipts.receipt("alice", kept[-1].id) == kept[-1]
    assert sql_store.receipts.receipt("bob", first.id) == first

    clock.advance(days=RECEIPT_DAYS)
    sql_store.receipts.keep("alice", replace(a_receipt(clock), at=clock.now() + timedelta(minutes=1)))
    assert rows(sql_store, "SELECT count(*) FROM receipt WHERE space = 'alice'") == [(1,)]


def test_a_deleted_space_takes_its_receipts_with_it(sql_store: SqlStore, clock: SteadyClock) -> None:
    saved(sql_store, clock)
    sql_store.receipts.keep("alice", a_receipt(clock))
    sql_store.apply(changes(clock, DeleteSpace()))
    assert rows(sql_store, "SELECT * FROM receipt") == []


def test_a_receipt_is_no_change_of_memory(sql_store: SqlStore, clock: SteadyClock) -> None:
    saved(sql_store, clock)
    before = (sql_store.log.changes_after("alice", 0, limit=10), sql_store.log.audit("alice", after=0, limit=10))
    sql_store.receipts.keep("alice", a_receipt(clock))
    assert (
        sql_store.log.changes_after("alice", 0, limit=10),
        sql_store.log.audit("alice", after=0, limit=10),
    ) == before


@pytest.mark.parametrize("store_address", ["sqlite-file"], indirect=True)
def test_a_receipt_does_not_wait_for_another_writer(store_address: str, clock: SteadyClock, memory: Memory) -> None:
    memory.save("The barn is red")
    with Memory(store=store_address, clock=clock, busy_timeout=60) as other, tampering(store_of(other)):
        answer = memory.recall("Which colour is the barn?")
        assert answer.block
        assert answer.receipt is None
        with pytest.raises(Busy):
            memory._engine.receipts.keep("default", a_receipt(clock))
    assert memory.recall("Which colour is the barn?").receipt is not None


# In memory a writer waits for every reader: there a receipt may be lost where others read.
@pytest.mark.parametrize(
    "store_address", ["sqlite-file", pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True
)
def test_receipts_that_are_kept_at_the_same_time_are_all_kept(memory: Memory, clock: SteadyClock) -> None:
    memory.save("The barn is red")
    receipts = memory._engine.receipts
    for _ in range(MOST_RECEIPTS - 100):
        receipts.keep("default", a_receipt(clock))  # so that old ones make room, too
    given = [a_receipt(clock) for _ in range(200)]
    with ThreadPoolExecutor(4) as keeping:
        list(keeping.map(lambda each: receipts.keep("default", each), given))
    assert [each for each in given if receipts.receipt("default", each.id) != each] == []


@pytest.mark.parametrize("store_address", ["sqlite-file"], indirect=True)
def test_where_nothing_can_be_written_a_search_still_answers(memory: Memory) -> None:
    memory.save("The barn is red")
    connection = database_of(store_of(memory)).connection()  # type: ignore[attr-defined]
    connection.pragma("query_only", 1)
    assert memory.recall("Which colour is the barn?").block
    found = memory.search("barn", explain=True)
    assert (len(found.hits), found.receipt) == (1, None)


@pytest.mark.parametrize("store_address", [pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True)
def test_a_role_that_may_only_read_still_gets_answers(store_address: str, memory: Memory, clock: SteadyClock) -> None:
    memory.save("The barn is red")
    with psycopg.connect(store_address) as owner:
        owner.execute("REVOKE INSERT, UPDATE, DELETE ON recollect.receipt FROM recollect_member")
    answer = memory.recall("Which colour is the barn?")
    assert (bool(answer.block), answer.receipt) == (True, None)
    with pytest.raises(StoreFailure):
        memory._engine.receipts.keep("default", a_receipt(clock))
