"""Reflecting: what happened becomes a few notes with their sources, once, and a person decides on each."""

from __future__ import annotations

import pytest

from recollect import InvalidInput, Memory, NotFound
from recollect.domain.notes import State
from recollect.domain.origin import Caller, Channel
from recollect.domain.values import to_plain


def worked(memory: Memory, session: str, *said: str, project: str | None = "shop", user: str | None = None) -> None:
    memory.start_session(session, project=project, user=user, folder="/w")
    for text in said:
        memory.observe("prompt", text, session=session)
    memory.end_session(session)


def ran(memory: Memory, session: str, *commands: tuple[str, bool]) -> None:
    memory.start_session(session, project="shop", folder="/w")
    for command, works in commands:
        memory.observe(
            "tool_use" if works else "tool_failure", "", tool="Bash", arguments={"command": command}, session=session
        )


def test_what_was_said_in_several_sessions_becomes_a_note_that_waits_for_review(memory: Memory) -> None:
    worked(memory, "one", "The invoices go out through the blue gateway. Look at the cart today.")
    worked(memory, "two", "As I said, invoices go out through the blue gateway.", "What is the weather?")

    shown = memory.reflect()

    [part] = shown.parts
    [insight] = part.insights
    assert (part.project, part.session_ids, part.observations) == ("shop", ("one", "two"), 3)
    assert "blue gateway" in insight.text and insight.reason == "said in 2 sessions" and len(insight.sources) == 2
    assert insight.note_id is None and not memory.list(project="shop", tag="reflection").items

    [part] = memory.reflect(apply=True).parts
    note = memory.get(str(part.insights[0].note_id))
    assert (note.confidence, note.authority.value, note.tags) == (0.6, "quoted", ("reflection",))
    assert note.derived_from == insight.sources and note.scope.project == "shop"
    [item] = memory.review().items
    assert (item.path, item.code) == (note.id, "reflection") and "blue gateway" in item.message


def test_nothing_is_made_of_a_message_that_was_taken_back(memory: Memory) -> None:
    worked(memory, "one", "We decided to keep the ledger in two files.")
    worked(memory, "two", "The invoices go out through the blue gateway.")
    worked(memory, "three", "The invoices go out through the blue gateway.")
    for session in ("one", "two"):
        memory.retract(memory.replay(session).beats[0].observation.id)

    assert (
        "ledger" not in str(to_plain([memory.session("one"), memory.sessions()])) + memory.context(project="shop").block
    )
    [part] = memory.reflect(apply=True).parts
    assert (part.observations, part.insights) == (1, ())


def test_what_was_said_before_counts_no_more_once_it_was_taken_back(memory: Memory) -> None:
    worked(memory, "one", "The invoices go out through the blue gateway.")
    memory.reflect(apply=True)
    memory.retract(memory.replay("one").beats[0].observation.id)
    worked(memory, "two", "The invoices go out through the blue gateway.")
    assert memory.reflect(apply=True).parts[0].insights == ()


def test_a_second_round_finds_nothing_to_do_and_goes_on_where_the_first_ended(memory: Memory) -> None:
    worked(memory, "one", "We decided to keep the ledger in two files.")
    assert memory.reflect(apply=True).parts[0].insights[0].reason == "called a decision"
    before = memory._engine.log.newest("default")

    assert memory.reflect(apply=True).parts == ()
    assert memory._engine.log.newest("default") == before, "nothing is written when nothing is new"

    memory.observe("prompt", "Turns out the ledger needs a third file for tips.", session="one")
    [part] = memory.reflect(apply=True).parts
    assert (part.observations, [each.reason for each in part.insights]) == (1, ["called a lesson"])

    memory.forget(memory.replay("one").beats[-1].observation.id)
    memory.observe("prompt", "We decided to leave tips out.", session="one")
    [part] = memory.reflect(apply=True).parts
    assert (part.observations, [each.reason for each in part.insights]) == (1, ["called a decision"])


def test_a_repetition_is_noticed_across_rounds(memory: Memory) -> None:
    worked(memory, "one", "The invoices go out through the blue gateway.")
    assert memory.reflect(apply=True).parts[0].insights == ()
    worked(memory, "two", "The invoices go out through the blue gateway.")

    [insight] = memory.reflect(apply=True).parts[0].insights

    assert len(insight.sources) == 2


def test_a_command_that_keeps_failing_is_kept_with_the_one_that_works(memory: Memory) -> None:
    for session in ("one", "two"):
        ran(memory, session, ("npm test", False), ("npm run test:unit", True))

    [insight] = memory.reflect().parts[0].insights

    assert insight.text == "`npm test` failed; `npm run test:unit` worked after it."
    assert (insight.kind.value, insight.reason) == ("lesson", "failed in 2 sessions")


def test_projects_and_users_are_kept_apart(memory: Memory) -> None:
    for number, project in enumerate(("shop", "bank")):
        worked(memory, f"p{number}", "The invoices go out through the blue gateway.", project=project)
    for number, user in enumerate(("ana", "ben")):
        worked(memory, f"u{number}", "The invoices go out through the blue gateway.", project=None, user=user)

    parts = memory.reflect(apply=True).parts

    assert [(part.project, part.user, part.insights) for part in parts] == [
        ("shop", None, ()),
        ("bank", None, ()),
        (None, "ana", ()),
        (None, "ben", ()),
    ]


def test_nothing_is_made_of_what_is_not_kept_for_long(memory: Memory) -> None:
    memory.start_session("one", project="shop")
    memory.observe("prompt", "We decided to hide the key under the mat.", session="one", ttl="1d")
    assert memory.reflect(apply=True).parts[0].insights == ()


def test_nothing_is_made_of_what_was_told_not_to_be_read(memory: Memory) -> None:
    memory.add("We decided to hide the key under the mat.", session="one", project="shop", extract=False)
    memory.add("The spare key hangs behind the blue door.", session="one", project="shop", extract=False)
    assert [part.insights for part in memory.reflect(apply=True).parts] == [()]

    worked(memory, "two", "The spare key hangs behind the blue door.")
    assert memory.reflect(apply=True).parts[0].insights == (), "it was said once, as far as anybody may know"


def test_what_worked_is_not_told_if_it_is_kept_for_a_time_only(memory: Memory) -> None:
    ran(memory, "one", ("npm test", False))
    arguments = {"command": "npm run test:unit"}
    memory.observe("tool_use", "", tool="Bash", arguments=arguments, session="one", ttl="1d")
    memory.reflect(apply=True)
    ran(memory, "two", ("npm test", False))

    assert memory.reflect().parts[0].insights == ()


def test_a_user_is_reflected_on_however_many_others_wait(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recollect.verbs.maintenance.reflection_round._MOST_SESSIONS", 2)
    for user in ("ana", "ben", "cem", "alice"):
        worked(memory, user, "We decided to keep the ledger in two files.", project=None, user=user)

    [part] = memory.reflect(user="alice", apply=True).parts
    assert (part.user, len(part.insights)) == ("alice", 1)

    parts = memory.reflect(apply=True).parts
    assert [(part.user, len(part.insights)) for part in parts] == [("ana", 1), ("ben", 1)], (
        "a note of another user is not known to them"
    )


def test_a_person_keeps_edits_or_rejects_it(memory: Memory) -> None:
    worked(memory, "one", "We decided to keep the ledger in two files.")
    worked(memory, "two", "We decided to paint the harbour wall green.")
    worked(memory, "three", "We decided to close the kitchen on Mondays.")
    ids = [str(each.note_id) for each in memory.reflect(apply=True).parts[0].insights]

    kept = memory.settle(ids[0], "keep")
    edited = memory.settle(ids[1], "edit", text="The harbour wall is green.")
    rejected = memory.settle(ids[2], "reject")

    assert kept.review is None and kept.verified_at is not None
    assert (kept.authority.value, edited.authority.value) == ("fact", "fact"), "whoever keeps it vouches for it"
    assert (edited.text, edited.review, edited.version) == ("The harbour wall is green.", None, 2)
    assert rejected.state is State.RETRACTED
    assert memory.review().items == ()
    worked(memory, "four", rejected.text)
    assert memory.reflect(apply=True).parts[0].insights == (), "nobody is asked twice about the same"


def test_a_reflection_that_an_agent_keeps_stays_a_quotation(memory: Memory) -> None:
    worked(memory, "one", "We decided to keep the ledger in two files.")
    note_id = str(memory.reflect(apply=True).parts[0].insights[0].note_id)
    agent = memory.acting_as(Caller(Channel.MCP, "agent"))
    assert agent.settle(note_id, "keep").authority.value == "quoted"


def test_a_decision_to_edit_needs_the_words(memory: Memory) -> None:
    note = memory.save("The ledger has two files")
    for decision, text in (("edit", None), ("keep", "other words")):
        with pytest.raises(InvalidInput, match="`edit` goes with"):
            memory.settle(note.id, decision, text=text)


def test_a_session_fills_slots_that_nobody_wrote(memory: Memory) -> None:
    ran(memory, "one", ("npm test", False), ("npm run lint", True))
    memory.set_slot("project_context", "The shop sells lamps.", project="shop")
    memory.observe("tool_use", "", tool="Edit", arguments={"file_path": "/w/cart.py"}, session="one")

    shown = memory.reflect_slots("one")
    assert [slot.label for slot in shown.slots] == ["pending_items", "session_patterns"]
    assert shown.passed_over == ("project_context",)
    assert memory.slot("pending_items", project="shop").text == ""

    memory.reflect_slots("one", apply=True)
    pending = memory.slot("pending_items", project="shop")
    assert (pending.text, pending.authority.value) == ("failed: npm test", "quoted")
    assert memory.slot("project_context", project="shop").text == "The shop sells lamps."
    assert memory.reflect_slots("one", apply=True).slots == (), "a second time changes nothing"
    with pytest.raises(NotFound, match="no session"):
        memory.reflect_slots("nowhere")
