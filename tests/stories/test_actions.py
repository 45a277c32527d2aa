"""Actions: what is to be done, what waits for what, and what can be started now."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import Caller, Channel, Conflict, Erased, InvalidInput, Memory, NotFound
from recollect.domain.changes import Changes, WriteAction
from recollect.domain.desk import Action, ActionStatus, frontier, refuse_cycle
from tests.support.clock import SteadyClock


def test_the_frontier_is_what_waits_for_nothing(memory: Memory) -> None:
    design = memory.add_action("Design the table", project="shop")
    build = memory.add_action("Build it", depends_on=[design.id], priority=5, project="shop")
    paint = memory.add_action("Paint it", depends_on=[build.id], project="shop")
    sweep = memory.add_action("Sweep the floor", priority=2)

    assert [each.id for each in memory.frontier(project="shop").items] == [sweep.id, design.id]

    memory.update_action(design.id, status="done")
    assert [each.id for each in memory.frontier(project="shop").items] == [build.id, sweep.id]

    memory.update_action(build.id, status="dropped")
    memory.update_action(sweep.id, status="blocked")
    assert [each.id for each in memory.frontier(project="shop").items] == [paint.id]
    assert [each.id for each in memory.actions(project="shop").items] == [sweep.id, paint.id]
    assert [each.id for each in memory.actions(status="done").items] == [design.id]


def test_of_another_project_nothing_is_told(memory: Memory) -> None:
    memory.add_action("Paint the shop", project="shop")
    everywhere = memory.add_action("Sleep well")

    assert [each.id for each in memory.actions(project="ledger").items] == [everywhere.id]
    assert [each.id for each in memory.frontier(project="ledger").items] == [everywhere.id]


def test_nothing_waits_for_itself_at_any_remove(memory: Memory) -> None:
    first = memory.add_action("One")
    second = memory.add_action("Two", depends_on=[first.id])
    third = memory.add_action("Three", depends_on=[second.id])

    for waiting, other in ((first, first), (first, second), (first, third), (second, third)):
        with pytest.raises(InvalidInput) as caught:
            memory.update_action(waiting.id, depends_on=[other.id])
        assert caught.value.code == "circular_dependency"
    assert memory.actions().items == (third, second, first)


def test_what_is_forgotten_holds_nothing_up_and_does_not_come_back(memory: Memory) -> None:
    first = memory.add_action("A secret errand")
    second = memory.add_action("Then rest", depends_on=[first.id])
    lines = [json.dumps(record) for record in memory.export().records]

    assert memory.forget(first.id).others == (first.id,)

    assert [each.id for each in memory.frontier().items] == [second.id]
    assert memory.import_(lines).erased == 1
    with pytest.raises(Erased):
        memory.update_action(first.id, status="done")
    assert "errand" not in json.dumps(memory.export().records)


def test_unknown_actions_and_odd_numbers_are_refused(memory: Memory, clock: SteadyClock) -> None:
    with pytest.raises(NotFound):
        memory.add_action("x", depends_on=[clock.new_id()])
    with pytest.raises(NotFound):
        memory.update_action(clock.new_id(), status="done")
    for wrong in ({"priority": 1001}, {"priority": True}):
        with pytest.raises(InvalidInput):
            memory.add_action("x", **wrong)
    with pytest.raises(InvalidInput) as caught:
        memory.update_action(memory.add_action("x").id, status="odd")
    assert caught.value.code == "unknown_status"


def test_adding_under_a_key_is_done_once(memory: Memory) -> None:
    one = memory.add_action("Buy milk", idempotency_key="once")
    assert memory.add_action("Buy milk", idempotency_key="once") == one
    with pytest.raises(Conflict):
        memory.add_action("Buy bread", idempotency_key="once")


def test_an_agent_may_settle_what_a_person_wrote_but_not_speak_for_them(memory: Memory) -> None:
    action = memory.add_action("Renew the certificate")
    agent = memory.acting_as(Caller(Channel.MCP, "bot"))

    assert agent.update_action(action.id, status="done").authority.value == "fact"
    with pytest.raises(InvalidInput) as caught:
        agent.update_action(action.id, text="Delete the certificate")
    assert caught.value.code == "authority_too_low"
    assert memory.actions(status="done").items[0].text == "Renew the certificate"


def test_actions_come_page_by_page(memory: Memory) -> None:
    made = [memory.add_action(f"number {number}").id for number in range(5)]
    first = memory.actions(limit=3)
    rest = memory.actions(limit=3, cursor=first.next_cursor)
    assert [each.id for each in (*first.items, *rest.items)] == made[::-1]


def test_an_older_version_does_not_take_the_place_of_a_newer(memory: Memory, clock: SteadyClock) -> None:
    action = memory.add_action("Buy milk")
    lines = [json.dumps(record) for record in memory.export().records]
    done = memory.update_action(action.id, status="done")

    assert memory.import_(lines).imported == 0
    assert memory.actions(status="done").items == (done,)
    with pytest.raises(Conflict):
        memory._engine.store.apply(
            Changes("default", "test", clock.now(), memory._caller.origin(), (WriteAction(done),))
        )


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20), st.data())
def test_whatever_waits_for_whatever_work_never_gets_stuck(edges: list[tuple[int, int]], data: st.DataObject) -> None:
    """Edges that would close a circle are refused, so doing what can be done does everything."""
    moment = SteadyClock().now()
    actions = {str(n): Action(str(n), "s", 1, "x", moment, moment) for n in range(8)}
    for waiting, other in edges:
        before = actions[str(waiting)]
        after = Action(before.id, "s", 1, "x", moment, moment, depends_on=(*before.depends_on, str(other)))
        try:
            refuse_cycle(after, actions)
        except InvalidInput:
            continue
        actions[after.id] = after
    statuses = dict.fromkeys(actions, ActionStatus.OPEN)
    while left := [action for action in actions.values() if statuses[action.id] is ActionStatus.OPEN]:
        ready = frontier(left, statuses)
        assert ready, "something is left and nothing can be started"
        statuses[data.draw(st.sampled_from(ready)).id] = ActionStatus.DONE
