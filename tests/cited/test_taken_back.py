"""Messages that were taken back: nothing is found by them or quoted from them, and an answer says that one was."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.errors import InvalidInput
from recollect.domain.notes import TAKES_BACK, Note, State
from recollect.domain.origin import Caller, Channel
from recollect.domain.trust.disputes import is_unsupported
from recollect.domain.values import to_plain
from tests.support.clock import SteadyClock
from tests.support.raw import store_of

Forging = Callable[[Memory, Memory, str], None]
SAID, ASKED = "The humidity alarm of the server room goes off at 55 percent", "When does the humidity alarm go off?"


def said(memory: Memory, text: str = SAID) -> str:
    [message] = memory.add(text).observation_ids
    return message


def test_a_message_that_was_taken_back_is_neither_found_nor_quoted(memory: Memory) -> None:
    message = said(memory)
    assert "55" in memory.answer(ASKED).text
    note = memory.retract(message, reason="misread")
    assert note.state is State.RETRACTED and note.derived_from == (message,) and "55" not in note.text
    answer = memory.answer(ASKED)
    assert not answer and answer.gaps == ("It is no longer known: a message on it was taken back.",)
    assert message not in [hit.id for hit in memory.search(ASKED)]
    assert "55" not in memory.recall(ASKED).block


def test_facts_read_from_a_message_go_with_it_and_conclusions_lose_their_support(memory: Memory) -> None:
    told = memory.add("Mum is allergic to penicillin.")
    [fact] = [each.note for each in told.learned if each.note]
    drawn = memory.save("Mum gets clindamycin", derived_from=told.observation_ids)
    memory.retract(told.observation_ids[0])
    memory.run_jobs()
    assert memory.get(fact.id).state is State.RETRACTED
    assert is_unsupported(memory.get(drawn.id))


def test_taking_back_twice_writes_one_note(memory: Memory) -> None:
    message = said(memory)
    assert memory.retract(message).id == memory.retract(message).id


def test_forgetting_a_message_afterwards_leaves_none_of_its_words(memory: Memory) -> None:
    message = said(memory)
    memory.retract(message)
    memory.forget(message)
    assert "55 percent" not in str(to_plain(memory.export()))
    assert memory.answer(ASKED).text == f"Nothing is known about “{ASKED}”."


def test_another_statement_of_the_same_answers_again(memory: Memory) -> None:
    said(memory, "The humidity alarm goes off at 60 percent")
    memory.retract(said(memory))
    assert "60" in memory.answer(ASKED).text


def test_a_fact_stays_while_another_message_says_it(memory: Memory) -> None:
    first, second = memory.add("I live in Lisbon."), memory.add("I live in Lisbon.")
    [fact] = [each.note for each in first.learned if each.note]
    asked = "Where do I live?"
    memory.retract(first.observation_ids[0])
    memory.run_jobs()
    kept = memory.get(fact.id)
    assert (kept.state, kept.review, kept.derived_from) == (State.ACTIVE, None, second.observation_ids)
    assert "Lisbon" in memory.answer(asked).text

    memory.retract(second.observation_ids[0])
    assert memory.get(fact.id).state is State.RETRACTED
    assert "Lisbon" not in memory.answer(asked).text + memory.recall(asked).block


def test_a_message_has_no_version_to_be_expected(memory: Memory) -> None:
    message = said(memory)
    with pytest.raises(InvalidInput, match="no versions"):
        memory.retract(message, expected_version=7)
    assert "55" in memory.answer(ASKED).text


def test_nobody_takes_back_what_a_higher_one_said(memory: Memory) -> None:
    message = said(memory)
    agent = memory.acting_as(Caller(Channel.MCP, "agent"))
    with pytest.raises(InvalidInput, match="too low for `retract`"):
        agent.retract(message)
    forged = agent.save("It was nothing", derived_from=[message], metadata={TAKES_BACK: message})
    agent.retract(forged.id)
    assert "55" in memory.answer(ASKED).text


def forged_import(memory: Memory, agent: Memory, message: str, *, trust: bool = False) -> None:
    """Lines of an export in which a retracted note says that a message was taken back."""
    agent.retract(agent.save("nothing", derived_from=[message]).id)
    lines = [json.dumps(each) for each in memory.export().records if each.get("text") == "nothing"]
    forged = [
        {**json.loads(each), "id": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "metadata": {TAKES_BACK: message}} for each in lines
    ]
    assert forged and not memory.import_([json.dumps(each) for each in forged], trust=trust).failures


def forged_save(_: Memory, agent: Memory, message: str) -> None:
    agent.retract(agent.save("nothing", derived_from=[message], metadata={TAKES_BACK: message}).id)


def forged_update(_: Memory, agent: Memory, message: str) -> None:
    note = agent.save("nothing", derived_from=[message])
    agent.update(note.id, metadata={TAKES_BACK: message})
    agent.retract(note.id)


@pytest.mark.parametrize("forge", [forged_save, forged_update, forged_import], ids=lambda each: each.__name__)
def test_nobody_forges_that_a_message_was_taken_back(memory: Memory, forge: Forging) -> None:
    told = memory.add("I live in Lisbon.")
    [fact] = [each.note for each in told.learned if each.note]
    forge(memory, memory.acting_as(Caller(Channel.MCP, "agent")), told.observation_ids[0])
    assert not is_unsupported(memory.get(fact.id))
    assert not [each for each in memory.list(state="retracted").items if TAKES_BACK in each.metadata]


def test_a_note_of_lower_rank_takes_no_support_from_a_person(memory: Memory) -> None:
    told = memory.add("I live in Lisbon.")
    [fact] = [each.note for each in told.learned if each.note]
    forged_import(memory, memory.acting_as(Caller(Channel.MCP, "agent")), told.observation_ids[0], trust=True)
    assert not is_unsupported(memory.get(fact.id))


def test_a_message_stays_taken_back_in_a_trusted_copy(memory: Memory, tmp_path: Path) -> None:
    message = said(memory)
    memory.retract(message)
    lines = [json.dumps(each) for each in memory.export().records]
    with Memory(store=":memory:", home=tmp_path / "other") as other:
        assert other.import_(lines, trust=True).failures == other.import_(lines, trust=True).failures == ()
        assert not other.answer(ASKED)


def test_no_hit_shows_a_message_that_was_taken_back(memory: Memory) -> None:
    texts = "We repainted the boat house in blue.", "The key is under the blue stone.", "Lunch is at noon."
    _, gone, _ = (memory.add(text, session="talk").observation_ids[0] for text in texts)
    drawn = memory.save("The boat house is kept locked", derived_from=[gone])
    memory.retract(gone)
    asked = "What about the boat house?"
    shown = [memory.recall(asked).block, *(str(to_plain(each)) for each in memory.search(asked, explain=True))]
    assert drawn.id in str(shown) and "repainted" in str(shown)
    assert "blue stone" not in str(shown)


def test_a_message_is_shown_as_it_was_known_before_it_was_taken_back(memory: Memory, clock: SteadyClock) -> None:
    message = memory.add("My sister is called Ana and lives by the harbour in Lisbon.").observation_ids[0]
    known_at = clock.now()
    asked = "Where does Ana live?"
    before = memory.search(asked, known_at=known_at)
    memory.retract(message)
    assert [hit.id for hit in before] and before == memory.search(asked, known_at=known_at)


def test_a_search_reads_no_notes_of_a_long_message_that_stands(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    message = said(memory, f"{SAID}. {'The rest of this report is about other things. ' * 40}")
    drawn = {memory.save(f"Remark {number}", derived_from=[message]).id for number in range(5)}
    store, read = store_of(memory), set[str]()
    current = store.current

    def watched(space: str, note_ids: Sequence[str]) -> dict[str, Note]:
        read.update(note_ids)
        return current(space, note_ids)

    monkeypatch.setattr(store, "current", watched)
    assert message in [hit.id for hit in memory.search(ASKED)]
    assert not read & drawn


@pytest.mark.parametrize(
    ("question", "text"),
    [
        pytest.param(
            "What is the gym locker code for 2026?", "The gym locker code for 3 months is 7781", id="small words"
        ),
        pytest.param(
            "Which one is the wine cellar plan?",
            "The wine cellar plan is two racks along the north wall",
            id="one as a pronoun",
        ),
        pytest.param(
            "How many eggs does the pancake recipe take for 2 bowls?",
            "The pancake recipe takes 6 eggs for 1 bowl",
            id="a quantity",
        ),
        pytest.param(
            "Who leads the choir in week 3?", "From week 2 on Ilse leads the choir, every week", id="a beginning"
        ),
        pytest.param("Who plays on board three?", "Boards one and three: Petrosyan plays", id="two of a sort"),
    ],
)
def test_a_text_with_other_numbers_than_the_question_may_answer_it(question: str, text: str) -> None:
    with Memory(store=":memory:", embedding="off") as memory:
        memory.add(text)
        assert text in memory.answer(question).text
