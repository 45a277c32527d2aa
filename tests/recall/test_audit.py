"""A chain is followed to its end, however long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from recollect.recall.export import audit_report
from recollect.stores.opening import open_store
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.raw import drop_guards, tampering
from tests.support.writing import a_note, write

ENTRIES = 1200  # more than one page


@pytest.fixture
def long_chain(clock: SteadyClock) -> Iterator[SqlStore]:
    with closing(open_store(":memory:", clock=clock, busy_timeout=5)) as store:
        for number in range(ENTRIES):
            write(store, clock, a_note(clock, f"Note {number}"))
        yield store


def test_a_chain_of_several_pages_is_whole(long_chain: SqlStore) -> None:
    report = audit_report(long_chain.log, "alice", newest=3)
    assert report.whole
    assert report.detail == f"whole, {ENTRIES} entries"
    assert [entry.seq for entry in report.entries] == [ENTRIES - 2, ENTRIES - 1, ENTRIES]


@pytest.mark.parametrize("seq", [1, 999, 1000, 1001, ENTRIES])
def test_a_change_on_any_page_is_found_by_its_number(long_chain: SqlStore, seq: int) -> None:
    drop_guards(long_chain)
    with tampering(long_chain) as transaction:
        transaction.query("UPDATE audit SET principal = 'mallory' WHERE seq = :seq", seq=seq)

    report = audit_report(long_chain.log, "alice", newest=3)
    assert (report.whole, report.detail) == (False, f"entry {seq} was changed")
