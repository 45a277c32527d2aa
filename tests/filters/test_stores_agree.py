"""Any filter finds, on every store, exactly the notes that a plain reading of its grammar finds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Filter
from recollect.domain.changes import WriteNote
from recollect.domain.filters.admission import admits
from recollect.domain.filters.conditions import resolved
from recollect.domain.notes import Note, revised
from recollect.domain.origin import Channel, Origin
from recollect.domain.selections import Selection
from recollect.stores.filters import filter_sql
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.filter_data import MOMENTS, NOW, filters, note_fields
from tests.support.naive_filter import passes
from tests.support.writing import a_note, changes

BOUNDS = settings(
    max_examples=40,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
)
SYNCED = Origin(Channel.SYNC)  # which may bring several notes with one key
TEXTS = st.sampled_from(["tea", "green tea", "a%b_c", "it's", "x\nb"])


def put(store: SqlStore, clock: SteadyClock, space: str, told: list[tuple[str, int, dict[str, Any]]]) -> list[Note]:
    """Notes of some ages; every other one has an older version that says something else."""
    notes = []
    for number, (text, age, fields) in enumerate(told):
        moment = MOMENTS[age]
        note = replace(a_note(clock, text, space=space, **fields), recorded_at=moment, updated_at=moment)
        store.apply(replace(changes(clock, WriteNote(note), space=space), origin=SYNCED))
        if number % 2:
            other = told[number - 1][2]
            note = revised(
                note, NOW, **{name: other[name] for name in ("metadata", "state", "pinned") if name in other}
            )
            store.apply(replace(changes(clock, WriteNote(note), space=space), origin=SYNCED))
        notes.append(note)
    return notes


def found(store: SqlStore, space: str, selection: Selection) -> list[str]:
    return sorted(note.id for note in store.notes(space, selection, before=None, limit=1000))


@BOUNDS
@given(
    told=st.lists(st.tuples(TEXTS, st.integers(0, 4), note_fields()), min_size=1, max_size=6),
    asked=st.lists(filters, min_size=1, max_size=8),
)
def test_a_filter_finds_what_a_plain_reading_of_it_finds(
    store: SqlStore, clock: SteadyClock, told: list[tuple[str, int, dict[str, Any]]], asked: list[dict[str, Any]]
) -> None:
    space = f"space-{clock.new_id()}"
    notes = put(store, clock, space, told)
    kept = list(store.current(space, [note.id for note in notes]).values())
    for plain in asked:
        where = resolved(Filter(plain).condition, NOW)
        expected = sorted(note.id for note in kept if passes(plain, note.to_dict(), NOW))
        assert found(store, space, Selection(where=where)) == expected, plain
        assert sorted(store.ids(space, Selection(where=where))) == expected, plain
        assert sorted(note.id for note in kept if admits(where, note)) == expected, plain


@settings(BOUNDS, max_examples=15)
@given(told=st.lists(st.tuples(TEXTS, st.integers(0, 4), note_fields()), min_size=2, max_size=5), plain=filters)
def test_what_was_known_then_is_filtered_as_it_was_then(
    store: SqlStore, clock: SteadyClock, told: list[tuple[str, int, dict[str, Any]]], plain: dict[str, Any]
) -> None:
    space = f"space-{clock.new_id()}"
    ids = [note.id for note in put(store, clock, space, told)]
    then = MOMENTS[0].replace(hour=1)
    known = [note for each in ids if (note := store.note(space, each, known_at=then)) is not None]
    where = resolved(Filter(plain).condition, NOW)
    expected = sorted(note.id for note in known if passes(plain, note.to_dict(), NOW))
    assert found(store, space, Selection(where=where, known_at=then)) == expected


def test_it_is_the_same_whether_few_or_many_notes_may_pass(
    store: SqlStore, clock: SteadyClock, monkeypatch: Any
) -> None:
    fields = {"metadata": {"team": "ops"}, "subject": "ana"}
    ids = [note.id for note in put(store, clock, "alice", [("tea", 1, fields)] * 6)]
    asked: list[dict[str, Any]] = [
        {"metadata.team": "ops"},
        {"subject": ["ana", "bo"]},
        {"created": {"since": "2026-01-01"}},
        {"metadata.team": "ops", "subject": "ana", "kind": ["semantic", "lesson"]},
    ]
    for few in (1, 3, 2_000):  # as if so many were too many to look at one by one
        monkeypatch.setattr(filter_sql, "FEW", few)
        for plain in asked:
            where = Selection(where=Filter(plain).condition)
            first = store.notes("alice", where, before=None, limit=4)
            rest = store.notes("alice", where, before=first[-1].id, limit=4)
            assert [note.id for note in (*first, *rest)] == sorted(ids, reverse=True), (few, plain)
