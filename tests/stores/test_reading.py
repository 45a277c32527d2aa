"""Which notes a read is about: pages, filters, and the two clocks."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from recollect.domain.changes import WriteNote
from recollect.domain.errors import Busy
from recollect.domain.notes import Kind, Note, State
from recollect.domain.scopes import Scope
from recollect.domain.selections import Selection
from recollect.stores.opening import open_store
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.raw import database_of
from tests.support.together import at_once
from tests.support.writing import a_note, at, changes, edited, saved, write

TICK = timedelta(microseconds=1)


def _selected(store: SqlStore, **selection: Any) -> list[Note]:
    return list(store.notes("alice", Selection(**selection), before=None, limit=100))


def test_pages_follow_one_another_without_repeating_or_skipping(store: SqlStore, clock: SteadyClock) -> None:
    notes = [saved(store, clock, f"Note {number}") for number in range(7)]
    newest_first = notes[::-1]

    for size in (1, 2, 3, 7, 100):
        seen: list[Note] = []
        while page := store.notes("alice", Selection(), before=seen[-1].id if seen else None, limit=size):
            assert len(page) <= size
            seen.extend(page)
        assert seen == newest_first


def test_what_is_written_while_paging_does_not_shift_the_pages(store: SqlStore, clock: SteadyClock) -> None:
    notes = [saved(store, clock, f"Note {number}") for number in range(4)]
    first = list(store.notes("alice", Selection(), before=None, limit=2))
    saved(store, clock, "Written in between")
    rest = list(store.notes("alice", Selection(), before=first[-1].id, limit=10))

    assert first + rest == notes[::-1]


def test_versions_are_exported_in_order_from_anywhere(store: SqlStore, clock: SteadyClock) -> None:
    versions: list[Note] = []
    for number in range(3):
        note = saved(store, clock, f"Note {number}")
        versions += [note, edited(store, clock, note, pinned=True)]

    for size in (1, 4, 6):
        seen: list[Note] = []
        while page := store.log.export("alice", after=(seen[-1].id, seen[-1].version) if seen else ("", 0), limit=size):
            seen.extend(page)
        assert seen == versions


FILTERS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"kinds": frozenset({Kind.LESSON})}, {"kind": Kind.LESSON}),
    ({"kinds": frozenset({Kind.LESSON, Kind.PATTERN})}, {"kind": Kind.PATTERN}),
    ({"states": frozenset({State.DISPUTED})}, {"state": State.DISPUTED}),
    ({"states": frozenset({State.EXPIRED, State.RETRACTED})}, {"state": State.RETRACTED}),
    ({"subject": "user"}, {"subject": "user"}),
    ({"subject": "user", "attribute": "mood"}, {"subject": "user", "attribute": "mood"}),
    ({"tag": "deploy"}, {"tags": ("a-tag", "deploy", "zebra")}),
    ({"tag": "100%"}, {"tags": ("100%",)}),
    ({"tag": "a_b"}, {"tags": ("a_b",)}),
    ({"tag": "back\\slash"}, {"tags": ("back\\slash",)}),
    ({"pinned": True}, {"pinned": True}),
    *(({"scope": Scope(**{name: "x"})}, {"scope": Scope(**{name: "x"})}) for name in Scope.__slots__),
    ({"scope": Scope(user="u", project="p")}, {"scope": Scope(user="u", project="p", machine="m")}),
]


@pytest.mark.parametrize(("selection", "fields"), FILTERS, ids=["-".join(pair[1]) for pair in FILTERS])
def test_a_filter_finds_what_it_says_and_nothing_else(
    store: SqlStore, clock: SteadyClock, selection: dict[str, Any], fields: dict[str, Any]
) -> None:
    near_misses: list[dict[str, Any]] = [
        {},
        {"subject": "users", "attribute": "moods"},
        {"subject": "User"},
        {"tags": ("deployed", "re-deploy", "1000", "acb", "back-slash")},
        {"scope": Scope("y", "y", "y", "y", "y")},
        {"scope": Scope(user="u")},
        {"scope": Scope(project="p")},
    ]
    wanted = a_note(clock, "The one", **fields)
    write(store, clock, *(a_note(clock, "Another", **other) for other in near_misses), wanted)

    assert _selected(store, **selection) == [wanted]
    matches = store.matching("alice", ["one", "another"], Selection(**selection), limit=10)
    assert [match.note for match in matches] == [wanted]


def test_what_is_not_pinned_can_be_asked_for(store: SqlStore, clock: SteadyClock) -> None:
    saved(store, clock, pinned=True)
    plain = saved(store, clock)
    assert _selected(store, pinned=False) == [plain]


@pytest.mark.parametrize(
    ("fields", "moment", "found"),
    [
        ({}, "0001-01-01", True),
        ({"valid_from": at("2025-01-01")}, "2024-12-31T23:59:59.999999", False),
        ({"valid_from": at("2025-01-01")}, "2025-01-01", True),
        ({"valid_until": at("2025-01-01")}, "2024-12-31T23:59:59.999999", True),
        ({"valid_until": at("2025-01-01")}, "2025-01-01", False),
        ({"expires_at": at("2025-01-01")}, "2024-12-31T23:59:59.999999", True),
        ({"expires_at": at("2025-01-01")}, "2025-01-01", False),
        ({"valid_from": at("2025-01-01"), "valid_until": at("2025-01-01T00:00:00.000001")}, "2025-01-01", True),
        ({"valid_from": at("0001-01-01"), "valid_until": at("9999-12-31")}, "9999-12-30", True),
    ],
)
def test_an_instant_belongs_to_the_period_it_begins(
    store: SqlStore, clock: SteadyClock, fields: dict[str, Any], moment: str, found: bool
) -> None:
    note = a_note(clock, **{"valid_from": None, **fields})
    write(store, clock, note)

    assert bool(_selected(store, valid_at=at(moment))) is found
    assert note.holds_at(at(moment)) is found


def test_at_every_past_instant_the_version_of_that_time_was_known(store: SqlStore, clock: SteadyClock) -> None:
    versions = [saved(store, clock, "Wording 1")]
    for number in range(2, 6):
        clock.advance(hours=1)
        versions.append(edited(store, clock, versions[-1], text=f"Wording {number}"))

    def known(moment: datetime) -> Note | None:
        listed = _selected(store, known_at=moment)
        one = store.note("alice", versions[0].id, known_at=moment)
        found = store.matching("alice", ["wording"], Selection(known_at=moment), limit=10)
        assert listed == ([one] if one else [])
        assert {match.note.version for match in found} == ({one.version} if one else set())
        return one

    assert known(versions[0].updated_at - TICK) is None
    for earlier, later in pairwise(versions):
        assert known(earlier.updated_at) == earlier
        assert known(later.updated_at - TICK) == earlier
        assert known(later.updated_at) == later
    assert known(clock.advance(days=999)) == versions[-1]


def test_both_clocks_may_be_asked_at_once(store: SqlStore, clock: SteadyClock) -> None:
    first = saved(store, clock, "Alice lives in Austin", valid_from=at("2024-01-01"))
    heard = clock.advance(days=1)
    edited(store, clock, first, valid_until=at("2025-01-01"))

    for valid_at, known_at, expected in [
        ("2024-06-01", None, 1),
        ("2025-06-01", None, 0),
        ("2025-06-01", heard, 1),
        ("2023-06-01", heard, 0),
    ]:
        assert len(_selected(store, valid_at=at(valid_at), known_at=known_at)) == expected


def test_a_read_sees_one_state_from_beginning_to_end(store_address: str, clock: SteadyClock) -> None:
    """Another's commit in between waits or is not seen; the statements of one read always agree."""
    count = "SELECT COUNT(*) FROM note WHERE space = :space"
    with closing(open_store(store_address, clock=clock, busy_timeout=0.05)) as store:
        saved(store, clock, "Alice prefers tea")
        news = changes(clock, WriteNote(a_note(clock, "Alice prefers coffee")))
        with database_of(store).reading("alice") as transaction:
            before = transaction.query(count, space="alice")
            [outcome] = at_once([lambda: store.apply(news)])
            assert outcome.error is None or isinstance(outcome.error, Busy)
            assert transaction.query(count, space="alice") == before
        with database_of(store).reading("alice") as transaction:
            assert transaction.query(count, space="alice") == [(1 if outcome.error else 2,)]


def test_counting_a_space_counts_states_kinds_and_versions(store: SqlStore, clock: SteadyClock) -> None:
    note = saved(store, clock, kind=Kind.LESSON)
    edited(store, clock, note, state=State.RETRACTED)
    saved(store, clock)
    space = store.space("alice")
    assert space is not None

    summary = store.summary(space)

    assert (summary.notes, summary.versions, summary.erased) == (2, 3, 0)
    assert summary.by_state == {"active": 1, "retracted": 1}
    assert summary.by_kind == {"lesson": 1, "semantic": 1}


def test_spaces_are_listed_by_name(store: SqlStore, clock: SteadyClock) -> None:
    for name in ("b", "B", "a-1", "a.1", "a1", "Z", "10", "9"):
        saved(store, clock, space=name)
    assert [space.name for space in store.spaces()] == ["10", "9", "B", "Z", "a-1", "a.1", "a1", "b"]
