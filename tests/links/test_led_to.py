"""What links lead to is shown only where it could have been found: by scope, filter, time to live, and its notes."""

from __future__ import annotations

from typing import Any

import pytest

from recollect import Memory
from recollect.domain.answers.contexts import SentenceTime
from recollect.domain.errors import RecollectError
from recollect.domain.origin import Caller, Channel
from recollect.domain.scopes import Scope
from tests.links.test_judged_writes import say
from tests.support.clock import SteadyClock


def texts(memory: Memory, query: str, **asked: Any) -> list[str]:
    return [hit.text for hit in memory.search(query, **asked).hits]


def told_twice(memory: Memory, clock: SteadyClock, **later: Any) -> tuple[str, str]:
    """An older statement with the word that is asked for, and a newer one without it."""
    older = say(memory, "My phone is a Nokia")
    clock.advance(days=10)
    newer = say(memory, "My phone is a Fairphone", **later)
    clock.advance(days=10)
    return older, newer


def test_a_filter_holds_for_what_links_lead_to(judging: Memory, clock: SteadyClock) -> None:
    told_twice(judging, clock, metadata={"source": "chat"})

    found = texts(judging, "Is my phone a Nokia?", where={"metadata.source": {"ne": "chat"}})

    assert "My phone is a Fairphone" not in found
    assert texts(judging, "Is my phone a Nokia?")[0] == "My phone is a Fairphone"


def test_what_is_past_its_time_is_led_to_by_nothing(judging: Memory, clock: SteadyClock) -> None:
    told_twice(judging, clock, ttl="2d")

    assert "My phone is a Fairphone" not in texts(judging, "Is my phone a Nokia?")


def test_only_notes_of_a_kind_are_found_where_a_kind_is_asked_for(judging: Memory, clock: SteadyClock) -> None:
    told_twice(judging, clock)

    assert texts(judging, "Is my phone a Nokia?", kind="procedural") == []


def test_both_ways_of_a_pair_are_refuted_at_once(judging: Memory, clock: SteadyClock) -> None:
    older, newer = told_twice(judging, clock)

    judging.refute(newer, older)
    judging.reindex()

    assert all(link.refuted for link in judging.relations(older))
    assert texts(judging, "My phone is a Nokia, is it?")[0] == "My phone is a Nokia"


def test_a_link_between_texts_of_a_person_is_theirs_or_an_administrators_to_deny(
    judging: Memory, clock: SteadyClock
) -> None:
    older, newer = told_twice(judging, clock)
    bound = judging.acting_as(Caller(Channel.HTTP, "bot", within=Scope(user="alice")))

    with pytest.raises(RecollectError) as refused:
        judging.acting_as(Caller(Channel.HTTP, "bot")).refute(older, newer)
    assert (refused.value.code, "recollect refute" in (refused.value.hint or "")) == ("authority_too_low", True)
    with pytest.raises(RecollectError):
        bound.refute(older, newer)
    assert not any(link.refuted for link in judging.relations(older))

    assert judging.acting_as(Caller(Channel.HTTP, "root", admin=True)).refute(older, newer).is_refuted


def test_a_message_that_was_taken_back_replaces_nothing(judging: Memory, clock: SteadyClock) -> None:
    older, newer = told_twice(judging, clock)
    assert texts(judging, "Is my phone a Nokia?")[0] == "My phone is a Fairphone"

    judging.retract(newer)

    assert texts(judging, "Is my phone a Nokia?") == ["My phone is a Nokia"]
    answer = judging.answer("Is my phone a Nokia?")
    assert [(each.text, each.time) for each in answer] == [("My phone is a Nokia", SentenceTime.CURRENT)]
    assert older in [each.id for each in answer.citations]
