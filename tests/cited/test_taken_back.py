"""Messages that were taken back: nothing is found by them or quoted from them, and an answer says that one was."""

from __future__ import annotations

import pytest

from recollect import Memory
from recollect.domain.errors import InvalidInput
from recollect.domain.notes import State
from recollect.domain.origin import Caller, Channel
from recollect.domain.trust.disputes import is_unsupported
from recollect.domain.trust.taken_back import TAKES_BACK
from recollect.domain.values import to_plain

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


def test_nobody_takes_back_what_a_higher_one_said(memory: Memory) -> None:
    message = said(memory)
    agent = memory.acting_as(Caller(Channel.MCP, "agent"))
    with pytest.raises(InvalidInput, match="too low for `retract`"):
        agent.retract(message)
    forged = agent.save("It was nothing", derived_from=[message], metadata={TAKES_BACK: message})
    agent.retract(forged.id)
    assert "55" in memory.answer(ASKED).text


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
