"""Somebody moves from Austin to Boston and back again."""

from __future__ import annotations

from recollect import Memory, State
from tests.support.clock import SteadyClock


def test_austin_boston_austin_keeps_one_current_value_and_a_three_step_history(
    memory: Memory, clock: SteadyClock
) -> None:
    austin = memory.save("Alice lives in Austin", subject="user", attribute="location", value="Austin")
    clock.advance(days=30)
    boston = memory.supersede(austin.id, "Alice lives in Boston", value="Boston")
    clock.advance(days=30)
    back = memory.supersede(boston.id, "Alice lives in Austin", value="Austin")

    current = memory.list(subject="user", attribute="location").items
    assert [note.id for note in current] == [back.id]

    steps = memory.history(austin.id).steps
    assert [step.note.value for step in steps] == ["Austin", "Boston", "Austin"]
    assert [step.note.state for step in steps] == [State.SUPERSEDED, State.SUPERSEDED, State.ACTIVE]
    assert [step.note.valid_until for step in steps] == [boston.valid_from, back.valid_from, None]


def test_each_time_has_its_own_answer(memory: Memory, clock: SteadyClock) -> None:
    austin = memory.save("Alice lives in Austin", valid_from="2024-01-01", space="alice")
    memory.supersede(austin.id, "Alice lives in Boston", valid_from="2025-06-01", space="alice")

    def lived_in(as_of: str) -> list[str]:
        return [hit.text for hit in memory.search("where does Alice live", as_of=as_of, space="alice").hits]

    assert lived_in("2023-12-31") == []
    assert lived_in("2024-01-01") == ["Alice lives in Austin"]
    assert lived_in("2025-05-31T23:59:59Z") == ["Alice lives in Austin"]
    assert lived_in("2025-06-01") == ["Alice lives in Boston"]


def test_what_was_known_then_is_not_what_is_known_now(memory: Memory, clock: SteadyClock) -> None:
    austin = memory.save("Alice lives in Austin", valid_from="2024-01-01", space="alice")
    before_the_news = clock.advance(days=1)
    clock.advance(days=1)
    memory.supersede(austin.id, "Alice lives in Boston", valid_from="2025-06-01", space="alice")

    then = memory.list(as_of="2025-07-01", known_at=before_the_news, space="alice").items
    now = memory.list(as_of="2025-07-01", space="alice").items
    assert [note.text for note in then] == ["Alice lives in Austin"]
    assert [note.text for note in now] == ["Alice lives in Boston"]
