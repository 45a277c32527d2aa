"""A search puts what holds now first, by the links that a judge made when it was written."""

from __future__ import annotations

from recollect import Memory
from tests.links.test_judged_writes import say
from tests.support.clock import SteadyClock


def texts(memory: Memory, query: str, **asked: str) -> list[str]:
    return [hit.text for hit in memory.search(query, **asked).hits]  # type: ignore[arg-type]


def test_what_was_replaced_comes_after_what_replaced_it(judging: Memory, clock: SteadyClock) -> None:
    for text in ("My phone is a Nokia", "My phone is a Fairphone", "My bike is a Gazelle"):
        say(judging, text)
        clock.advance(days=10)

    found = texts(judging, "What phone do I have? A Nokia?")

    assert found.index("My phone is a Fairphone") < found.index("My phone is a Nokia")


def test_the_past_is_asked_for_with_its_own_time(judging: Memory, clock: SteadyClock) -> None:
    say(judging, "My phone is a Nokia")
    then = clock.now().isoformat()
    clock.advance(days=10)
    say(judging, "My phone is a Fairphone")
    clock.advance(days=10)

    assert texts(judging, "What is my phone?", as_of=then)[0] == "My phone is a Nokia"
    assert texts(judging, "What is my phone?")[0] == "My phone is a Fairphone"


def test_a_refuted_change_changes_nothing(judging: Memory, clock: SteadyClock) -> None:
    older = say(judging, "My phone is a Nokia")
    clock.advance(days=10)
    newer = say(judging, "My phone is a Fairphone")
    clock.advance(days=10)
    query = "My phone is a Nokia, is it?"
    assert texts(judging, query)[0] == "My phone is a Fairphone"

    judging.refute(older, newer)

    assert texts(judging, query)[0] == "My phone is a Nokia"
