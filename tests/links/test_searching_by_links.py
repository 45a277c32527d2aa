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


def test_a_corrected_account_of_what_happened_comes_first(judging: Memory, clock: SteadyClock) -> None:
    say(judging, "The Harbour Guild was founded in Porto")
    clock.advance(days=10)
    say(judging, "The Harbour Guild was founded in Faro")
    clock.advance(days=10)

    assert texts(judging, "Where was the Harbour Guild founded?")[0].endswith("Faro")
    assert texts(judging, "The Harbour Guild was founded in Porto")[0].endswith("Porto")
    assert texts(judging, "Was the Harbour Guild founded in Porto?")[0].endswith("Porto")


def test_another_event_takes_no_place_from_the_one_asked_for(judging: Memory, clock: SteadyClock) -> None:
    for text in ("We visited Rome", "We visited Oslo", "I called Anna on Monday", "I called Ben on Monday"):
        say(judging, text)
        clock.advance(days=10)

    assert texts(judging, "Did we visit Rome?")[0] == "We visited Rome"
    assert texts(judging, "visited Rome")[0] == "We visited Rome"
    assert texts(judging, "When did I call Anna?")[0] == "I called Anna on Monday"


def test_how_things_stood_is_not_answered_by_how_they_stand(judging: Memory, clock: SteadyClock) -> None:
    for text in ("The secretary of the guild is Ana Reis", "The secretary of the guild is Rui Melo"):
        say(judging, text)
        clock.advance(days=10)

    assert texts(judging, "Was Ana Reis the secretary of the guild?")[0].endswith("Ana Reis")
    assert texts(judging, "Who is the secretary of the guild, Ana Reis?")[0].endswith("Rui Melo")
