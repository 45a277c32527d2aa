"""Lessons: said again they grow, week after week they fade, and unconfirmed they retire."""

from __future__ import annotations

import pytest

from recollect import Caller, Channel, InvalidInput, Memory, State
from tests.support.clock import SteadyClock

MIGRATE = "Run the migrations before the tests"


def test_a_lesson_that_is_said_again_grows_stronger(memory: Memory) -> None:
    first = memory.add_lesson(MIGRATE, project="shop")
    again = memory.add_lesson("run  the migrations before the TESTS.", project="shop")

    assert first.note and again.note
    assert (first.action, first.note.confidence) == ("added", 0.5)
    assert (again.action, again.note.id, again.note.confidence) == ("reinforced", first.note.id, 0.55)
    third = memory.strengthen_lesson(first.note.id).note
    assert third and third.confidence == pytest.approx(0.595)
    assert [(each.note.id, each.reinforcements) for each in memory.lessons(project="shop").items] == [
        (first.note.id, 2)
    ]


@pytest.mark.parametrize("seconds", [-1, -3600], ids=["stands still", "goes back"])
def test_a_lesson_is_known_again_by_a_clock_that_does_not_go_on(
    memory: Memory, clock: SteadyClock, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    forward = clock.now
    monkeypatch.setattr(clock, "now", lambda: (clock.advance(seconds=seconds), forward())[1])
    told = [memory.add_lesson(MIGRATE, ttl=ttl) for ttl in (None, None, "30d", None)]
    assert [each.action for each in told] == ["added", "reinforced", "reinforced", "reinforced"]
    assert len({each.note.id for each in told if each.note}) == 1


def test_each_project_learns_for_itself(memory: Memory) -> None:
    shop = memory.add_lesson(MIGRATE, project="shop").note
    everywhere = memory.add_lesson(MIGRATE).note
    other = memory.add_lesson(MIGRATE, project="ledger").note

    assert shop and everywhere and other
    assert len({shop.id, everywhere.id, other.id}) == 3
    assert [each.note.id for each in memory.lessons(project="shop").items] == [shop.id, everywhere.id]


def test_a_lesson_nobody_confirms_is_retired_after_eight_weeks(memory: Memory, clock: SteadyClock) -> None:
    fleeting = memory.add_lesson("The mirror is slow on Mondays").note
    lasting = memory.add_lesson(MIGRATE).note
    memory.add_lesson(MIGRATE)
    pinned = memory.add_lesson("Never push to main").note
    assert fleeting and lasting and pinned
    memory.pin(pinned.id)

    clock.advance(weeks=7)
    assert memory.tidy().faded == ()
    assert memory.lessons().items[-1].confidence == pytest.approx(0.15)

    clock.advance(weeks=1)
    assert memory.tidy().faded == (fleeting.id,)
    clock.advance(weeks=200)
    assert memory.tidy().faded == ()
    assert memory.get(fleeting.id).state is State.EXPIRED
    assert {each.note.id: each.confidence for each in memory.lessons().items} == {pinned.id: 0.5, lasting.id: 0.05}


def test_a_retired_lesson_can_be_learned_anew(memory: Memory, clock: SteadyClock) -> None:
    old = memory.add_lesson(MIGRATE).note
    clock.advance(weeks=9)
    memory.tidy()

    new = memory.add_lesson(MIGRATE)

    assert old and new.note and new.action == "added" and new.note.id != old.id


def test_a_person_who_says_what_an_agent_learned_vouches_for_it(memory: Memory) -> None:
    agent = memory.acting_as(Caller(Channel.MCP, "bot"))
    learned = agent.add_lesson(MIGRATE).note
    assert learned and learned.authority.value == "quoted"

    assert agent.strengthen_lesson(learned.id).note.authority.value == "quoted"  # type: ignore[union-attr]
    assert memory.strengthen_lesson(learned.id).note.authority.value == "quoted"  # type: ignore[union-attr]
    said = memory.add_lesson(MIGRATE).note
    assert said and said.authority.value == "fact"
    assert agent.add_lesson(MIGRATE).note.authority.value == "fact"  # type: ignore[union-attr]


def test_what_is_said_beside_a_known_lesson_is_kept(memory: Memory) -> None:
    memory.add_lesson(MIGRATE, metadata={"ticket": "A-1", "team": "web"})
    agent = memory.acting_as(Caller(Channel.MCP, "agent"))
    assert (said := agent.add_lesson(MIGRATE, metadata={"ticket": "forged"}).note)
    assert said.metadata["ticket"] == "A-1"
    assert (said := memory.add_lesson(MIGRATE, metadata={"ticket": "B-2", "reinforcements": 99}).note)
    assert (said.metadata["ticket"], said.metadata["team"], said.metadata["reinforcements"]) == ("B-2", "web", 2)


def test_only_a_lesson_can_be_strengthened(memory: Memory) -> None:
    note = memory.save("Alice prefers tea")
    with pytest.raises(InvalidInput) as caught:
        memory.strengthen_lesson(note.id)
    assert caught.value.code == "not_a_lesson"


def test_a_lesson_is_found_like_any_note_and_carried_over(memory: Memory) -> None:
    lesson = memory.add_lesson(MIGRATE, tags=["tests"], confidence=0.8).note
    assert lesson
    assert [hit.id for hit in memory.search("migrations", kind="lesson").hits] == [lesson.id]
    assert lesson.id in {record.get("id") for record in memory.export().records}
