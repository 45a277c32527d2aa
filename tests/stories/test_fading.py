"""What nobody mentions fades, comes to an end, and is still there to be looked up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from recollect import Memory, State
from recollect.domain.origin import Caller, Channel
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock


def test_what_has_reached_its_end_is_marked_and_kept(memory: Memory, clock: SteadyClock) -> None:
    code = memory.save("The door code is 4711 during the fair", expires_at=clock.now().replace(year=2100))
    guest = memory.save("Kim sleeps on the sofa", expires_at=clock.advance(days=2))
    clock.advance(days=1)

    assert memory.tidy().expired == (guest.id,)

    assert memory.get(guest.id).state is State.EXPIRED
    assert [note.id for note in memory.list().items] == [code.id]


def test_an_episode_that_nobody_mentions_fades_and_still_answers_for_its_time(
    memory: Memory, clock: SteadyClock
) -> None:
    lunch = memory.save("Alice had lunch with Bo by the river", kind="episodic")
    then = clock.advance(days=30)
    clock.advance(days=900)

    assert memory.tidy().faded == (lunch.id,)

    assert memory.search("lunch by the river").hits == ()
    assert [hit.id for hit in memory.search("lunch by the river", as_of=then).hits] == [lunch.id]


def test_what_is_pinned_or_essential_never_fades(memory: Memory, clock: SteadyClock) -> None:
    memory.save("Alice is allergic to penicillin", importance=0.95)
    memory.save("Answer in one paragraph", pinned=True, kind="episodic")
    clock.advance(days=9000)

    tidied = memory.tidy()

    assert (tidied.expired, tidied.faded) == ((), ())
    assert len(memory.list().items) == 2


def test_tidying_twice_changes_nothing_more(memory: Memory, clock: SteadyClock) -> None:
    memory.save("Alice had lunch with Bo", kind="episodic")
    clock.advance(days=2000)
    memory.tidy()
    before = memory.export().records

    tidied = memory.tidy()

    assert (tidied.expired, tidied.faded) == ((), ())
    assert memory.export().records == before


@pytest.mark.parametrize("days", [1, 100, 400])
def test_an_old_fact_that_nobody_contradicted_still_holds(memory: Memory, clock: SteadyClock, days: int) -> None:
    memory.save("Alice lives in Austin", subject="user", attribute="location", value="Austin")
    clock.advance(days=days)

    memory.tidy()

    assert [hit.text for hit in memory.search("where does Alice live").hits] == ["Alice lives in Austin"]


def test_a_note_that_somebody_mentions_while_tidying_is_not_expired(memory: Memory, clock: SteadyClock) -> None:
    lunch = memory.save("Alice had lunch with Bo", kind="episodic")
    walk = memory.save("Alice went for a walk", kind="episodic")
    clock.advance(days=2000)
    engine, mentions = memory._engine, [lunch.id]

    class Busy:
        """The real store, in which somebody else pins a note right after it was read."""

        def __getattr__(self, name: str) -> Any:
            return getattr(engine.store, name)

        def notes(self, *which: Any, **how: Any) -> Any:
            found = engine.store.notes(*which, **how)
            while mentions:
                other.pin(mentions.pop())
            return found

    other = memory.acting_as(Caller(Channel.LIBRARY, "other"))
    memory._engine = replace(engine, store=cast("SqlStore", Busy()))
    other._engine = engine

    assert memory.tidy().faded == (walk.id,)
    assert memory.get(lunch.id).state is State.ACTIVE
