"""Slots: small named texts that are always in context, with a limit, of one project or of all."""

from __future__ import annotations

import json
from typing import Any

import pytest

from recollect import Caller, Channel, InvalidInput, Memory, NotFound
from recollect.domain.desk import MOST_PINNED, PURPOSES
from tests.support.clock import SteadyClock

AGENT = Caller(Channel.MCP, "bot")


def refusal(call: Any, *arguments: Any, **named: Any) -> str:
    with pytest.raises((InvalidInput, NotFound)) as caught:
        call(*arguments, **named)
    return str(caught.value.code)


def test_the_slots_that_mean_something_are_there_before_anything_is_written(memory: Memory) -> None:
    everywhere = {slot.label: slot for slot in memory.slots().items}
    here = {slot.label: slot for slot in memory.slots(project="shop").items}

    assert set(here) == set(PURPOSES)
    assert set(everywhere) == {label for label, purpose in PURPOSES.items() if not purpose.of_project}
    assert (here["project_context"].limit, here["project_context"].text, here["project_context"].version) == (
        3000,
        "",
        0,
    )
    assert not here["self_notes"].pinned


def test_a_slot_is_written_appended_to_and_erased(memory: Memory) -> None:
    memory.set_slot("guidance", "Mind the gap.", project="shop")
    slot = memory.append_slot("guidance", "Stand clear.", project="shop")

    assert (slot.text, slot.version) == ("Mind the gap.\nStand clear.", 2)
    assert memory.slot("guidance", project="shop") == slot
    assert memory.set_slot("guidance", "Go.", project="shop").text == "Go."

    memory.delete_slot("guidance", project="shop")
    assert memory.slot("guidance", project="shop").text == ""
    assert refusal(memory.delete_slot, "guidance", project="shop") == "slot_not_found"


def test_a_project_has_its_own_slot_in_front_of_the_one_for_all(memory: Memory) -> None:
    memory.set_slot("persona", "A calm engineer.")
    memory.set_slot("persona", "A careful accountant.", project="ledger")

    assert memory.slot("persona", project="shop").text == "A calm engineer."
    assert memory.slot("persona", project="ledger").text == "A careful accountant."


def test_a_label_is_lower_case_words(memory: Memory) -> None:
    for label in ("", "Persona", "1st", "a-b", "a b", "x" * 41, "läbel"):
        assert refusal(memory.set_slot, label, "x") == "invalid_label"


def test_a_slot_never_holds_more_than_its_size(memory: Memory) -> None:
    memory.set_slot("motto", "0123456789", size=12)

    assert refusal(memory.append_slot, "motto", "01") == "slot_full"
    assert refusal(memory.set_slot, "motto", "x" * 13) == "slot_full"
    assert refusal(memory.set_slot, "motto", "x", size=20_001) == "invalid_number"
    assert memory.slot("motto").text == "0123456789"
    assert memory.append_slot("motto", "1").text == "0123456789\n1"


def test_a_slot_of_a_project_needs_to_know_which(memory: Memory) -> None:
    assert refusal(memory.set_slot, "project_context", "A shop.") == "field_missing"
    assert refusal(memory.slot, "unheard_of") == "slot_not_found"


def test_an_agent_cannot_change_what_a_person_wrote(memory: Memory) -> None:
    memory.set_slot("user_preferences", "Never push to main.")
    agent = memory.acting_as(AGENT)

    for verb in (agent.set_slot, agent.append_slot):
        assert refusal(verb, "user_preferences", "Push to main.") == "authority_too_low"
    assert refusal(agent.delete_slot, "user_preferences") == "authority_too_low"
    assert memory.slot("user_preferences").text == "Never push to main."

    own = agent.append_slot("self_notes", "The tests are slow.", project="shop")
    assert own.authority.value == "quoted"
    assert memory.append_slot("self_notes", "Indeed.", project="shop").authority.value == "quoted"


def test_no_more_slots_are_pinned_than_have_room_in_a_block(memory: Memory) -> None:
    for number in range(MOST_PINNED):
        memory.set_slot(f"slot_{number}", "x", project="shop" if number % 2 else None)

    assert refusal(memory.set_slot, "one_more", "x", project="shop") == "too_many_pinned"
    assert refusal(memory.set_slot, "one_more", "x") == "too_many_pinned"
    assert memory.set_slot("one_more", "x", pinned=False).version == 1
    assert memory.set_slot("one_more", "x", project="ledger").version == 1


def test_appending_under_a_key_is_done_once(memory: Memory) -> None:
    for _ in range(2):
        memory.append_slot("pending_items", "Buy milk", project="home", idempotency_key="once")
    assert memory.slot("pending_items", project="home").text == "Buy milk"


def test_slots_are_carried_over_with_everything_else(memory: Memory, clock: SteadyClock) -> None:
    memory.set_slot("persona", "A calm engineer.")
    memory.set_slot("guidance", "Mind the gap.", project="shop")
    lines = [json.dumps(record) for record in memory.export().records]
    memory.delete_slot("guidance", project="shop")

    with Memory(store=":memory:", clock=clock) as other:
        assert other.import_(lines).failures == ()
        assert other.import_(lines).imported == 0
        assert other.slot("guidance", project="shop").text == "Mind the gap."
    assert memory.import_(lines).erased == 1, "what was erased does not come back"
    assert memory.slot("guidance", project="shop").text == ""


def test_of_two_slots_with_one_label_the_later_stays(memory: Memory, clock: SteadyClock) -> None:
    memory.set_slot("persona", "Older.")
    older = [json.dumps(record) for record in memory.export().records]
    with Memory(store=":memory:", clock=clock) as other:
        other.set_slot("persona", "Newer.")
        newer = [json.dumps(record) for record in other.export().records]
        other.import_(older)
        assert other.slot("persona").text == "Newer."
    assert [failure.code for failure in memory.import_(newer).failures] == ["authority_too_low"]
    memory.import_(newer, trust=True)
    assert memory.slot("persona").text == "Newer."


def test_deleting_a_space_takes_its_slots_and_actions_with_it(memory: Memory) -> None:
    memory.set_slot("persona", "A calm engineer.", space="team")
    action = memory.add_action("Water the plants", space="team")
    lines = [json.dumps(record) for record in memory.export(space="team").records]

    memory.delete_space("team")

    assert memory.import_(lines).erased == 2
    memory.create_space("team")
    assert [slot.text for slot in memory.slots(space="team").items if slot.text] == []
    assert memory.actions(space="team").items == ()
    assert action.id
