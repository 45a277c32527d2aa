"""Conversations of a brain on every store: numbered with their jobs, settled with them, gone with their space."""

from __future__ import annotations

from typing import Any

import pytest

from recollect import Memory, RecollectError
from recollect.domain.brain import ConversationStage, round_due


def test_conversations_are_numbered_in_each_space_and_collection_and_follow_their_jobs(memory: Memory) -> None:
    for space in ("alice", "bob"):
        memory.create_space(space)
    numbers = [memory.form_conversation(f"I live in {town}.", space="alice").id for town in ("Oslo", "Rome")]
    assert (numbers, memory.form_conversation("I live in Bern.", space="bob").id) == ([1, 2], 1)
    first, second = memory.conversations(space="alice")[::-1]
    memory.cancel_job(first.job_id or "", space="alice")
    assert memory.run_jobs(space="alice").done == 1
    stages = [each.stage for each in memory.conversations(space="alice")]
    assert stages == [ConversationStage.COMPLETED, ConversationStage.CANCELLED]
    assert memory.restart_conversation(1, space="alice").id == 1
    with pytest.raises(RecollectError, match="processed already"):
        memory.restart_conversation(1, space="alice")
    memory.run_jobs()
    found = memory.brain(space="alice")
    assert (found.processed["formation"], found.concepts, found.forming) == (2, 1, False)
    assert [each.id for each in memory.conversations(limit=1, cursor="2", space="alice")] == [1]
    assert (memory.maintain_brain(scope="quick", space="alice").id, memory.brain(space="alice").maintaining) == (
        1,
        True,
    )
    assert second.job_id != memory.conversations(1, space="alice")[0].job_id


def test_a_space_is_made_with_its_tier_in_one_commit_and_one_that_is_there_stays_as_it_is(memory: Memory) -> None:
    memory._open_brain("fresh", tier=0)
    assert (memory.brain(space="fresh").brain.tier, memory.describe_space("fresh").changes) == (0, 1)
    memory.create_space("managed", description="By a manager")
    memory._open_brain("managed", tier=0)
    assert (memory.brain(space="managed").brain.tier, memory.describe_space("managed").description) == (
        None,
        "By a manager",
    )
    memory.change_brain(tier=3, space="managed")
    memory._open_brain("managed", tier=0)
    assert memory.brain(space="managed").brain.tier == 3


def test_of_two_rounds_of_maintenance_that_are_asked_for_at_once_one_is_queued(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.create_space("alice")
    brains, meanwhile = type(memory._engine.brains), [lambda: memory.maintain_brain(space="alice")]
    figures = brains.figures

    def overtaken(self: Any, space: str) -> Any:
        found = figures(self, space)
        if meanwhile:
            meanwhile.pop()()
        return found

    monkeypatch.setattr(brains, "figures", overtaken)
    with pytest.raises(RecollectError, match="cannot start maintenance"):
        memory.maintain_brain(space="alice")
    assert len(memory.conversations(collection="maintenance", space="alice")) == 1


def test_a_question_has_a_number_and_words_until_something_is_forgotten(memory: Memory) -> None:
    note = memory.save("Alice drinks tea", space="alice")
    assert memory.ask_brain("What does Alice drink?", space="alice").conversation == 1
    assert memory.conversations(1, collection="recall", space="alice")[0].query == "What does Alice drink?"
    memory.forget(note.id, space="alice")
    assert memory.conversations(1, collection="recall", space="alice")[0].query is None


def test_a_forgotten_message_is_gone_from_its_conversation(memory: Memory) -> None:
    memory.create_space("alice")
    memory.form_conversation([{"role": "user", "content": "One."}, {"role": "user", "content": "Two."}], space="alice")
    [first, _] = memory.conversations(1, space="alice")[0].messages
    memory.forget(first.id, space="alice")
    assert [each.text for each in memory.conversations(1, space="alice")[0].messages] == ["Two."]


def test_a_conversation_under_a_key_is_taken_in_once(memory: Memory) -> None:
    made = [memory.form_conversation("I live in Oslo.", idempotency_key="one") for _ in range(2)]
    assert [each.id for each in made] == [1, 1]
    assert len(memory.conversations()) == 1


def test_settings_of_a_brain_stay_until_its_space_is_deleted(memory: Memory) -> None:
    memory.create_space("alice", description="hers")
    memory.change_brain(owner="alice", tier=0, space="alice")
    memory.change_brain(title="Alice's", public=True, space="alice")
    kept = memory.brain(space="alice")
    assert (kept.brain.owner, kept.brain.title, kept.brain.public, kept.brain.tier) == ("alice", "Alice's", True, 0)
    assert (kept.description, memory.access.is_public("alice")) == ("hers", True)
    memory.form_conversation("One.", space="alice")
    memory.delete_space("alice")
    memory.create_space("alice")
    assert (memory.access.is_public("alice"), len(memory.conversations(space="alice"))) == (False, 0)
    for wrong in (-1, 17, True):
        with pytest.raises(RecollectError, match="tier"):
            memory.change_brain(tier=wrong, space="alice")


def test_whoever_is_bound_to_a_part_of_a_space_has_no_brain(memory: Memory) -> None:
    memory.create_space("alice")
    bound = memory.bound_to(user="bob")
    for call in (lambda: bound.brain(space="alice"), lambda: bound.form_conversation("One.", space="alice")):
        with pytest.raises(RecollectError, match="bound to a part"):
            call()


@pytest.mark.parametrize(
    ("formed", "last", "due"),
    [
        (20, {}, None),
        (21, {}, "daydream"),
        (41, {"daydream": 21}, None),
        (42, {"daydream": 21}, "quick"),
        (63, {"quick": 42}, "daydream"),
        (168, {"quick": 150}, "full"),
        (188, {"full": 168}, None),
    ],
)
def test_maintenance_is_due_after_so_many_conversations(formed: int, last: dict[str, int], due: str | None) -> None:
    assert round_due(formed, {scope: (number, None) for scope, number in last.items()}) == due  # type: ignore[misc]
