"""What ranks lower never silently takes the place of what ranks higher, and what loses its source is marked."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from recollect import Caller, Channel, InvalidInput, Memory, Note
from recollect.domain.notes import State
from recollect.domain.origin import Authority
from recollect.domain.trust.disputes import is_unsupported
from recollect.verbs.notes import NoteVerbs

BOT = Caller(Channel.HTTP, "bot")
AGENT = Caller(Channel.MCP, "agent")
ADMIN = Caller(Channel.HTTP, "root", admin=True)


@pytest.fixture
def bot(memory: Memory) -> Memory:
    return memory.acting_as(BOT)


def waiting(memory: Memory) -> list[str]:
    return [item.path for item in memory.review().items]


def told_location(memory: Memory) -> Note:
    learned = memory.learn("user", "location", "Berlin", since="2025-01-01")
    assert learned.note is not None
    return learned.note


def test_a_fact_from_below_waits_beside_the_one_a_person_told(memory: Memory, bot: Memory) -> None:
    berlin = told_location(memory)

    paris = bot.learn("user", "location", "Paris")

    assert (paris.action, paris.note and paris.note.state) == ("disputed", State.DISPUTED)
    assert paris.note is not None
    assert memory.get(berlin.id) == berlin
    assert waiting(memory) == [paris.note.id]
    assert [note.id for note in memory.list(state="disputed").items] == [paris.note.id]
    found = memory.search("where does the user live").hits
    assert [hit.note and hit.note.value for hit in found] == ["Berlin", "Paris"]
    block = memory.recall("where does the user live").block
    assert "disputed, quoted by bot" in block
    assert block.index("Berlin") < block.index("Paris")
    assert memory.profile().fields[0].values == ("Berlin", "Paris")


def test_a_message_from_below_waits_and_the_same_word_again_changes_nothing(memory: Memory, bot: Memory) -> None:
    memory.add("I live in Berlin.", at="2026-01-01")

    first = bot.add("I moved to Paris.", at="2026-02-01").learned[0]
    again = bot.add("I moved to Paris.", at="2026-02-02").learned[0]
    other = bot.add("I moved to Rome.", at="2026-02-03").learned[0]

    assert [each.action for each in (first, again, other)] == ["disputed"] * 3
    assert first.note is not None and again.note is not None
    assert first.note.id == again.note.id
    assert [note.value for note in memory.list(state="active").items] == ["Berlin"]
    assert {note.value for note in memory.list(state="disputed").items} == {"Paris", "Rome"}


@pytest.mark.parametrize("caller", [BOT, AGENT, Caller(Channel.LIBRARY, "me"), Caller(Channel.HOOK, "me")])
def test_between_writes_of_one_rank_the_newer_wins(memory: Memory, caller: Caller) -> None:
    speaking = memory.acting_as(caller)
    speaking.add("I live in Berlin.", at="2026-01-01")

    assert speaking.add("I moved to Paris.", at="2026-02-01").learned[0].action == "superseded"
    assert waiting(memory) == []


def test_a_person_who_says_what_waits_settles_it(memory: Memory, bot: Memory) -> None:
    told_location(memory)
    paris = bot.learn("user", "location", "Paris").note
    assert paris is not None

    assert memory.learn("user", "location", "Paris").action == "superseded"

    assert memory.get(paris.id).state is State.SUPERSEDED
    assert waiting(memory) == []
    assert [hit.note and hit.note.value for hit in memory.search("where does the user live").hits] == ["Paris"]


def test_a_denial_from_below_ends_nothing(memory: Memory, bot: Memory) -> None:
    memory.learn("user", "allergies", "penicillin")

    ended = bot.learn("user", "allergies", "penicillin", polarity="ended")
    corrected = bot.learn("user", "allergies", "latex", corrects=True, replaces="penicillin")

    assert [ended.action, corrected.action] == ["disputed", "disputed"]
    [kept] = memory.list(state="active").items
    assert (kept.value, kept.authority) == ("penicillin", Authority.FACT)


@pytest.mark.parametrize("authority", ["fact", "instruction"])
def test_an_update_or_a_newer_note_from_below_is_a_proposal(memory: Memory, bot: Memory, authority: str) -> None:
    rule = memory.save("Deploy on Mondays", tags=["ops"], authority=authority, pinned=True)

    updated = bot.update(rule.id, text="Deploy on Fridays")
    newer = bot.supersede(rule.id, "Deploy on Sundays")
    again = bot.update(rule.id, text="Deploy on Fridays")

    assert memory.get(rule.id) == rule
    assert updated.id == again.id != newer.id
    for proposal in (updated, newer):
        assert (proposal.state, proposal.authority, proposal.pinned) == (State.DISPUTED, Authority.QUOTED, False)
        assert (proposal.origin.channel, proposal.origin.principal) == (Channel.HTTP, "bot")
        assert proposal.supersedes == ()
        assert proposal.metadata["disputes"]["note"] == rule.id
    assert set(waiting(memory)) == {updated.id, newer.id}
    assert memory.search("when do we deploy").hits[0].id == rule.id


@pytest.mark.parametrize("caller", [BOT, AGENT])
def test_what_takes_away_or_lifts_is_refused_from_below(memory: Memory, caller: Caller) -> None:
    note, action = memory.save("Deploy on Mondays"), memory.add_action("Renew the certificate")
    slot = memory.set_slot("persona", "A calm engineer.")
    said = memory.add("I live in Berlin.").observation_ids[0]
    below = memory.acting_as(caller)
    attempts: list[Callable[[], object]] = [
        lambda: below.retract(note.id),
        lambda: below.forget(note.id),
        lambda: below.forget(said),
        lambda: below.forget(slot.id),
        lambda: below.forget(action.id),
        lambda: below.pin(note.id),
        lambda: below.unpin(note.id),
        lambda: below.delete_slot("persona"),
        lambda: below.update_action(action.id, text="Delete it"),
    ]

    for attempt in attempts:
        with pytest.raises(InvalidInput) as caught:
            attempt()
        assert caught.value.code == "authority_too_low"
        assert caught.value.hint

    assert memory.get(note.id) == note
    assert below.relate(note.id, below.save("Mondays are calm").id).text == note.text


@pytest.mark.parametrize("caller", [BOT, AGENT])
def test_what_a_person_said_is_not_erased_from_below(memory: Memory, caller: Caller) -> None:
    told = memory.add("The meeting was long and the soup was cold.")
    assert not told.learned
    typed = memory.acting_as(Caller(Channel.HOOK, "owner")).observe("prompt", text="Why is the sky blue?", session="s")
    below = memory.acting_as(caller)
    said = [*told.observation_ids, typed.observation_id]
    for message in said:
        with pytest.raises(InvalidInput) as caught:
            below.forget(message)
        assert caught.value.code == "authority_too_low"
        tombstone = json.dumps({"type": "tombstone", "space": "default", "note_id": message})
        assert [each.code for each in below.import_([tombstone]).failures] == ["authority_too_low"]
        own = below.save("The soup was cold", derived_from=[message])
        assert below.forget(own.id).observation_ids == ()

    assert set(memory._engine.archive.those("default", said)) == set(said)
    assert memory.forget(said[0]).observation_ids == (said[0],)
    assert memory.acting_as(ADMIN).forget(said[1]).observation_ids == (said[1],)


@pytest.mark.parametrize("caller", [BOT, AGENT])
def test_a_token_forgets_the_messages_it_added_itself(memory: Memory, caller: Caller) -> None:
    below = memory.acting_as(caller)
    first, second = (below.add(text).observation_ids[0] for text in ("The soup was cold.", "The bread was warm."))

    assert below.forget(first).observation_ids == (first,)
    tombstone = json.dumps({"type": "tombstone", "space": "default", "note_id": second})
    assert below.import_([tombstone]).imported == 1


def test_five_objections_from_below_do_not_make_a_note_fade(memory: Memory, bot: Memory) -> None:
    note = memory.save("Deploy on Mondays")
    for _ in range(5):
        bot.feedback(note.id, "wrong")

    assert memory.tidy().faded == ()
    assert (memory.get(note.id).state, memory.get(note.id).confidence) == (State.ACTIVE, 1.0)
    assert waiting(memory) == [note.id]


def test_putting_in_order_from_below_leaves_out_what_ranks_higher(memory: Memory, bot: Memory) -> None:
    older = bot.save("Deploy on Mondays")
    mine = memory.save("Deploy on Mondays", tags=["import"])

    assert bot.dedup(apply=True).note_ids == ()
    assert bot.migrate({"global": "elsewhere"}, apply=True).note_ids == (older.id,)
    assert bot.backfill_provenance(apply=True).note_ids == ()
    assert memory.get(mine.id) == mine


# -- settling ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("caller", [Caller(Channel.LIBRARY, "me"), Caller(Channel.CLI, "me"), ADMIN])
def test_a_person_accepts_a_proposal(memory: Memory, bot: Memory, caller: Caller) -> None:
    berlin = told_location(memory)
    rule = memory.save("Deploy on Mondays", tags=["ops"], authority="instruction")
    paris, friday = bot.learn("user", "location", "Paris").note, bot.update(rule.id, text="Deploy on Fridays")
    assert paris is not None
    person = memory.acting_as(caller)

    moved = person.settle(paris.id, "accept")
    changed = person.settle(friday.id, "accept")

    assert (moved.value, moved.state, moved.supersedes) == ("Paris", State.ACTIVE, (berlin.id,))
    assert (moved.origin.principal, memory.get(berlin.id).state) == (caller.principal, State.SUPERSEDED)
    assert (changed.id, changed.text, changed.tags) == (rule.id, "Deploy on Fridays", ("ops",))
    assert {memory.get(each).state for each in (paris.id, friday.id)} == {State.SUPERSEDED}
    assert waiting(memory) == []
    assert [hit.note and hit.note.value for hit in memory.search("where does the user live").hits] == ["Paris"]


def test_a_person_rejects_a_proposal(memory: Memory, bot: Memory) -> None:
    berlin = told_location(memory)
    paris = bot.learn("user", "location", "Paris").note
    assert paris is not None

    assert memory.settle(paris.id, "reject").state is State.RETRACTED

    assert memory.get(berlin.id) == berlin
    assert waiting(memory) == []


@pytest.mark.parametrize("caller", [BOT, AGENT])
def test_who_ranks_below_cannot_accept_their_own_proposal(memory: Memory, caller: Caller) -> None:
    berlin = told_location(memory)
    below = memory.acting_as(caller)
    paris = below.learn("user", "location", "Paris").note
    assert paris is not None

    with pytest.raises(InvalidInput) as caught:
        below.settle(paris.id, "accept")

    assert caught.value.code == "authority_too_low"
    assert memory.get(berlin.id) == berlin
    assert below.supersede(paris.id, "The user lives in Lyon", value="Lyon").state is State.DISPUTED
    assert [note.value for note in memory.list(state="active").items] == ["Berlin"]


def test_of_two_sources_that_contradict_each_other_one_is_accepted(memory: Memory) -> None:
    memory.learn("user", "location", "Berlin", source="alice", at="2026-01-01T08:00:00Z")
    memory.learn("user", "location", "Paris", source="bob", at="2026-01-01T09:00:00Z")
    by_value = {note.value: note for note in memory.list(state="disputed").items}

    assert memory.settle(by_value["Berlin"].id, "accept").state is State.ACTIVE
    assert memory.get(by_value["Paris"].id).state is State.RETRACTED


def test_nothing_is_settled_that_does_not_wait(memory: Memory) -> None:
    with pytest.raises(InvalidInput) as caught:
        memory.settle(memory.save("Deploy on Mondays").id, "accept")
    assert caught.value.code == "nothing_to_do"


# -- sources that are taken back ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("take_back", ["retract", "forget", "correct"])
def test_what_was_made_from_something_taken_back_is_marked_at_any_remove(memory: Memory, take_back: str) -> None:
    source = told_location(memory)
    child = memory.save("The user pays tax in Berlin", derived_from=[source.id])
    grandchild = memory.save("The tax office is in Mitte", derived_from=[child.id])
    resting = memory.save("Remind them in May", depends_on=[grandchild.id])
    other = memory.save("Has nothing to do with it")

    match take_back:
        case "retract":
            memory.retract(source.id)
        case "forget":
            memory.forget(source.id)
        case _:
            memory.learn("user", "location", "Bern", corrects=True)

    for note in (child, grandchild, resting):
        marked = memory.get(note.id)
        assert is_unsupported(marked)
        assert marked.state is State.ACTIVE
    assert memory.get(other.id) == other
    assert set(waiting(memory)) == {child.id, grandchild.id, resting.id}
    assert "unsupported, fact" in memory.recall("where does the user pay tax").block
    late = memory.save("Made later", derived_from=[grandchild.id])
    assert is_unsupported(late)


def test_what_was_read_from_a_message_that_is_forgotten_is_marked(memory: Memory) -> None:
    heard = memory.add("I live in Berlin.")
    note = heard.learned[0].note
    assert note is not None

    memory.forget(heard.observation_ids[0])

    assert is_unsupported(memory.get(note.id))


@pytest.mark.parametrize("verb", ["save", "update"])
def test_a_source_that_is_taken_back_between_reading_and_writing_leaves_a_mark(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    source, note = memory.save("The office is in Bern"), memory.save("Leave at four")
    read = NoteVerbs._support

    def overtaken(self: NoteVerbs, space: str, fields: Mapping[str, Any]) -> Sequence[Note]:
        found = read(self, space, fields)
        monkeypatch.undo()
        memory.retract(source.id)
        return found

    monkeypatch.setattr(NoteVerbs, "_support", overtaken)
    if verb == "save":
        written = memory.save("Leave at five", depends_on=[source.id])
    else:
        written = memory.update(note.id, depends_on=[source.id])

    assert is_unsupported(memory.get(written.id))


def test_a_mark_is_settled_by_confirming_or_rejecting(memory: Memory) -> None:
    source = memory.save("A")
    kept, dropped = (memory.save(text, derived_from=[source.id]) for text in ("B", "C"))
    below = memory.save("D", derived_from=[dropped.id])
    memory.retract(source.id)

    assert memory.settle(kept.id, "accept").review is None
    assert memory.settle(dropped.id, "reject").state is State.RETRACTED
    assert waiting(memory) == [below.id]


def test_a_note_that_takes_over_from_one_without_support_is_marked_as_well(memory: Memory) -> None:
    source = memory.save("The office is in Bern")
    note = memory.save("Leave at four", derived_from=[source.id])
    memory.retract(source.id)

    newer = memory.supersede(note.id, "Leave at five")

    assert is_unsupported(newer)
    assert newer.id in waiting(memory)
    assert memory.settle(newer.id, "accept").review is None


def test_a_proposal_without_support_hands_its_mark_on_when_it_is_accepted(memory: Memory, bot: Memory) -> None:
    source = memory.save("Releases are cut at the weekend")
    rule = memory.save("Deploy on Mondays", authority="instruction", derived_from=[source.id])
    memory.retract(source.id)
    proposal = bot.supersede(rule.id, "Deploy on Fridays")
    assert (proposal.state, is_unsupported(proposal)) == (State.DISPUTED, True)
    memory.settle(rule.id, "accept")

    made = memory.settle(proposal.id, "accept")

    assert (made.text, made.state) == ("Deploy on Fridays", State.ACTIVE)
    assert is_unsupported(made)


def test_circles_end_and_links_of_earlier_versions_do_not_count(memory: Memory) -> None:
    first = memory.save("A")
    second = memory.save("B", depends_on=[first.id])
    memory.update(first.id, depends_on=[second.id])
    freed = memory.save("C", depends_on=[first.id])
    memory.update(freed.id, clear=["depends_on", "review"])

    memory.retract(first.id)

    assert is_unsupported(memory.get(second.id))
    assert memory.get(freed.id).review is None


def test_the_cost_of_a_mark_grows_with_the_notes_that_are_marked(tmp_path: Path) -> None:
    with Memory(store=":memory:", home=tmp_path) as memory:

        def spent(children: int) -> float:
            source = memory.save(f"Source of {children}")
            for number in range(children):
                memory.save(f"Note {number} of {children}", derived_from=[source.id])
            begun = time.process_time()
            memory.retract(source.id)
            return time.process_time() - begun

        spent(20)
        few, many = spent(100), spent(800)
        assert len(memory.review().items) == 920
    assert many < 8 * 4 * max(few, 0.02)
