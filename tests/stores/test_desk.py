"""Slots, actions and folded sessions, as a store keeps them: apart by space, gone when erased, version by version."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.domain.changes import (
    AddObservation,
    DeleteSpace,
    EraseNote,
    FoldObservations,
    OpenSession,
    WriteAction,
    WriteSlot,
)
from recollect.domain.desk import Action, ActionStatus, Slot
from recollect.domain.errors import Conflict, Erased
from recollect.domain.observations import Activity, Observation, ObservationKind, Session
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.writing import TESTER, changes


def a_slot(clock: SteadyClock, space: str = "alice", **fields: object) -> Slot:
    own = {"label": "persona", "text": "A calm engineer.", "version": 1, "origin": TESTER, **fields}
    return Slot(id=clock.new_id(), space=space, updated_at=clock.now(), **own)  # type: ignore[arg-type]


def an_action(clock: SteadyClock, space: str = "alice", **fields: object) -> Action:
    now = clock.now()
    return Action(clock.new_id(), space, 1, "Water the plants", now, now, origin=TESTER, **fields)  # type: ignore[arg-type]


def test_spaces_do_not_see_each_others_desk(store: SqlStore, clock: SteadyClock) -> None:
    for space in ("alice", "bob"):
        slot, action = a_slot(clock, space), an_action(clock, space)
        store.apply(changes(clock, WriteSlot(slot), WriteAction(action), space=space))

        assert store.desk.slots(space) == [slot]
        assert store.desk.actions(space, limit=10) == [action]
        assert store.desk.action("carol", action.id) is None

    store.apply(changes(clock, DeleteSpace(), space="bob"))
    assert (store.desk.slots("bob"), len(store.desk.slots("alice"))) == ([], 1)


def test_of_two_that_write_the_same_version_the_second_is_refused(store: SqlStore, clock: SteadyClock) -> None:
    slot, action = a_slot(clock), an_action(clock)
    store.apply(changes(clock, WriteSlot(slot), WriteAction(action)))

    for edit in (
        WriteSlot(a_slot(clock)),
        WriteSlot(replace(slot, version=3)),
        WriteAction(replace(action, version=3)),
        WriteAction(action),
    ):
        with pytest.raises(Conflict) as caught:
            store.apply(changes(clock, edit))
        assert caught.value.code == "stale_version"
    assert store.desk.slots("alice") == [slot]


def test_what_is_erased_from_the_desk_cannot_be_written_again(store: SqlStore, clock: SteadyClock) -> None:
    action = an_action(clock, status=ActionStatus.ACTIVE, depends_on=(clock.new_id(),), project="shop", priority=-3)
    store.apply(changes(clock, WriteAction(action)))
    assert store.desk.action("alice", action.id) == action

    store.apply(changes(clock, EraseNote(action.id)))

    assert store.desk.action("alice", action.id) is None
    with pytest.raises(Erased):
        store.apply(changes(clock, WriteAction(replace(action, version=2))))


def test_a_summary_takes_the_place_of_what_it_stands_for(store: SqlStore, clock: SteadyClock) -> None:
    session = Session("one", "alice", clock.now(), branch="fix", folder="/w")
    now = clock.now()
    said = [
        Observation(clock.new_id(), "alice", "one", 0, ObservationKind.TOOL_USE, f"look {number}", now, now,
                    activity=Activity.READ, files=(f"{number}.py",), origin=TESTER)
        for number in range(4)
    ]  # fmt: skip
    store.apply(changes(clock, OpenSession(session), *(AddObservation(each) for each in said)))
    summary = replace(said[0], id=clock.new_id(), position=2, kind=ObservationKind.SUMMARY, text="two looks")

    fold = FoldObservations(summary, (said[1].id, said[2].id))
    store.apply(changes(clock, fold))

    kept = store.archive.observations("alice", "one", after=0, limit=10)
    assert [each.text for each in kept] == ["look 0", "two looks", "look 3"]
    assert store.archive.session("alice", "one") == session
    assert store.archive.matching("alice", ["look"], until=None, limit=10) != []
    assert "look 1" not in {each.text for each in store.archive.matching("alice", ["look"], until=None, limit=10)}
    with pytest.raises(Conflict):
        store.apply(changes(clock, replace(fold, summary=replace(summary, id=clock.new_id(), position=0))))
    assert all(check.ok for check in store.upkeep.check())
