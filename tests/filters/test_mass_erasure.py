"""Records that a filter finds, or all of a user, an agent or a space, are counted, confirmed, and only then erased."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recollect import Conflict, Filter, InvalidInput, Memory
from recollect.domain.origin import Caller, Channel
from tests.support.companion import files_with

DRAFTS = {"tag": "draft"}


def filled(memory: Memory) -> None:
    for number in range(3):
        memory.save(f"draft {number}", tags=["draft"], metadata={"n": number})
    memory.save("kept", tags=["final"])


def test_nothing_is_erased_before_it_is_confirmed(memory: Memory) -> None:
    filled(memory)
    told = memory.forget_all(where=DRAFTS)
    assert (told.notes, told.done, len(told.sample)) == (3, False, 3)
    assert memory.count().total == 4

    done = memory.forget_all(where=Filter.tag("draft"), confirm=memory.forget_all(where=Filter.tag("draft")).confirm)
    assert (done.notes, done.done, done.confirm, done.residue) == (3, True, "", None)
    assert [note.text for note in memory.list(state="any")] == ["kept"]
    entry = memory.audit().entries[-1]
    assert (entry.reason, entry.summary.count("erased")) == ("forget-all", 3)
    with pytest.raises(Exception, match="forgotten"):
        memory.get(told.sample[0])


def test_a_token_fits_its_filter_and_what_was_found_only(memory: Memory) -> None:
    filled(memory)
    token = memory.forget_all(where=DRAFTS).confirm
    note = memory.list(where=DRAFTS)[0]
    for change in (
        lambda: memory.save("another draft", tags=["draft"]),
        lambda: memory.update(note.id, text="reworded"),
        lambda: memory.forget(note.id),
    ):
        change()
        with pytest.raises(Conflict) as caught:
            memory.forget_all(where=DRAFTS, confirm=token)
        assert caught.value.code == "not_confirmed"
        token = memory.forget_all(where=DRAFTS).confirm
    with pytest.raises(Conflict):
        memory.forget_all(where={"tag": "final"}, confirm=token)
    memory.save("a draft elsewhere", tags=["draft"], space="other")
    with pytest.raises(Conflict):
        memory.forget_all(where=DRAFTS, confirm=token, space="other")
    assert memory.count(where=DRAFTS).total == 3


def test_an_empty_filter_erases_nothing(memory: Memory) -> None:
    filled(memory)
    empty: list[dict[str, Any]] = [{}, {"and": [{}]}]
    for where in empty:
        with pytest.raises(InvalidInput) as caught:
            memory.forget_all(where=where)
        assert caught.value.code == "invalid_filter"
    assert memory.count().total == 4


def test_notes_of_every_state_go_with_the_messages_they_were_read_from(memory: Memory) -> None:
    memory.add("I live in Porto", user="ana", at="2026-01-01")
    memory.add("I live in Lisbon now", user="ana", at="2026-02-01")
    assert memory.count(where={"attribute": "location", "state": ["active", "superseded"]}).total == 2
    where = {"attribute": "location"}
    told = memory.forget_all(where=where)
    assert (told.notes, told.messages) == (2, 2)
    memory.forget_all(where=where, confirm=told.confirm)
    assert memory.search("where do I live").hits == ()


def test_what_ranks_higher_is_passed_over(memory: Memory) -> None:
    filled(memory)
    agent = memory.acting_as(Caller(Channel.MCP, "bot"))
    agent.save("an agent's draft", tags=["draft"])
    told = agent.forget_all(where=DRAFTS)
    assert (told.notes, told.passed_over) == (1, 3)
    assert agent.forget_all(where=DRAFTS, confirm=told.confirm).notes == 1
    assert memory.count(where=DRAFTS).total == 3


def test_a_dry_run_of_a_confirmed_erasure_changes_nothing(memory: Memory) -> None:
    filled(memory)
    token = memory.forget_all(where=DRAFTS).confirm
    rehearsal = memory.dry_run()
    assert rehearsal.forget_all(where=DRAFTS, confirm=token).notes == 3
    assert memory.count().total == 4


def test_a_user_or_an_agent_is_reset_and_nobody_else(memory: Memory) -> None:
    memory.add("I live in Porto", user="ana", agent="helper")
    memory.save("Ana's own", user="ana")
    memory.add("I live in Bergen", user="bo")
    memory.save("Of the helper", agent="helper")
    told = memory.reset(user="ana")
    assert (told.notes, told.messages, told.sessions) == (2, 1, 1)
    done = memory.reset(user="ana", confirm=told.confirm)
    assert (done.notes, done.messages, done.sessions, done.done) == (2, 1, 1, True)
    assert memory.count(user="ana").total == 0
    assert memory.search("where do I live", user="ana").hits == ()
    assert memory.count(user="bo").total == 1
    assert memory.audit().entries[-1].reason == "reset"

    memory.reset(agent="helper", confirm=memory.reset(agent="helper").confirm)
    assert memory.count(agent="helper").total == 0
    assert memory.count().total == 1


def test_a_space_is_reset_and_keeps_what_it_is_for(memory: Memory) -> None:
    memory.create_space("team", description="shared")
    memory.limit_space("team", max_notes=10)
    memory.save("one", space="team")
    memory.add("I live in Porto", space="team")
    memory.save("elsewhere")
    told = memory.reset(space="team")
    with pytest.raises(Conflict):
        memory.reset(confirm=told.confirm)
    memory.reset(space="team", confirm=told.confirm)
    there = memory.describe_space("team")
    assert (there.notes, there.observations, there.sessions) == (0, 0, 0)
    assert (there.description, there.max_notes) == ("shared", 10)
    assert [entry.reason for entry in memory.audit(space="team").entries][-2:] == ["reset", "reset"]
    assert memory.audit(space="team").whole
    assert memory.count().total == 1


def test_no_byte_of_what_a_filter_erased_is_left(tmp_path: Path) -> None:
    canary = "Quetzalcoatlus"
    with Memory(home=tmp_path) as memory:
        memory.save("ordinary")
        memory.save(f"about {canary}", tags=["draft"], metadata={"name": canary, "list": [canary]})
        where = {"metadata.name": canary}
        assert memory.forget_all(where=where, confirm=memory.forget_all(where=where).confirm).residue is None
        assert files_with(tmp_path, canary) == []
