"""Whoever used a note says what it was worth: thanks keep it fresh, objections make it count for less."""

from __future__ import annotations

import pytest

from recollect import InvalidInput, Memory
from recollect.domain.origin import Caller, Channel
from tests.support.clock import SteadyClock


def test_a_note_that_was_said_to_be_wrong_comes_after_one_that_was_not(memory: Memory) -> None:
    doubted = memory.save("We deploy with make ship on Fridays")
    trusted = memory.save("We deploy with make ship on Mondays")
    before = {hit.id: hit.score for hit in memory.search("when do we deploy with make ship").hits}

    memory.feedback(doubted.id, "wrong", remark="never on Fridays")

    found = memory.search("when do we deploy with make ship").hits
    assert [hit.id for hit in found] == [trusted.id, doubted.id]
    assert found[1].score < before[doubted.id]
    assert "doubted" in found[1].why


def test_an_objection_changes_no_word_and_asks_for_somebody_to_look(memory: Memory) -> None:
    note = memory.save("Alice lives in Austin", confidence=0.8)
    agent = memory.acting_as(Caller(Channel.MCP, "an agent"))

    judged = agent.feedback(note.id, "outdated", remark="she moved")

    assert (judged.text, judged.state, judged.authority, judged.origin) == (
        note.text,
        note.state,
        note.authority,
        note.origin,
    )
    assert judged.confidence == 0.8, "who ranks below a note can ask for a look at it, and weakens it in nothing"
    assert memory.feedback(note.id, "outdated").confidence == 0.4
    assert judged.review == "It was said to be outdated: she moved"
    [step] = memory.history(note.id).steps
    last = step.versions[-2].metadata["feedback"]["last"]
    assert (last["verdict"], last["by"], last["remark"]) == ("outdated", "an agent", "she moved")
    [entry, _] = memory.audit(limit=2).entries
    assert (entry.reason, entry.principal, entry.channel) == ("feedback: outdated", "an agent", "mcp")


def test_thanks_make_a_note_surer_and_fresh_again(memory: Memory, clock: SteadyClock) -> None:
    note = memory.save("Restart the worker after a deploy", confidence=0.5)
    clock.advance(days=30)

    thanked = memory.feedback(note.id, "useful")

    assert thanked.confidence == 0.55
    assert thanked.last_seen_at is not None and note.last_seen_at is not None
    assert thanked.last_seen_at > note.last_seen_at


def test_as_many_thanks_as_objections_clear_the_doubt(memory: Memory) -> None:
    note = memory.save("The office is closed on Mondays")
    assert memory.feedback(note.id, "wrong").review is not None
    assert memory.feedback(note.id, "useful").review is None
    assert "doubted" not in memory.search("when is the office closed").hits[0].why


def test_the_same_feedback_under_a_key_counts_once(memory: Memory) -> None:
    note = memory.save("The office is closed on Mondays")
    memory.feedback(note.id, "wrong", idempotency_key="once")
    judged = memory.feedback(note.id, "wrong", idempotency_key="once")
    assert judged.metadata["feedback"]["wrong"] == 1
    assert memory.get(note.id).version == 2


def test_what_is_no_verdict_is_refused(memory: Memory) -> None:
    note = memory.save("x")
    with pytest.raises(InvalidInput) as caught:
        memory.feedback(note.id, "great")
    assert caught.value.code == "unknown_verdict"


def test_made_up_counts_in_metadata_are_not_believed(memory: Memory) -> None:
    note = memory.save("The office is closed on Mondays", metadata={"feedback": {"useful": "many", "wrong": None}})
    assert memory.feedback(note.id, "wrong").metadata["feedback"]["wrong"] == 1
    assert "doubted" in memory.search("when is the office closed").hits[0].why
