"""Answers without a model: the words of records, cited and dated, and silence where nothing is known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bench.answers.score import score, stories
from recollect import Memory
from recollect.domain.answers.contexts import SentenceTime
from recollect.domain.answers.recollections import Coverage
from recollect.domain.dataclass import replace
from recollect.domain.errors import InvalidInput
from recollect.domain.notes import State
from recollect.recall.cited.draft import AnswerDraft, DraftedSentence, composed, note_evidence

ALICE, *_ = stories()


def tell(memory: Memory) -> None:
    for day, text in ALICE["said"]:
        memory.add(text, at=f"{day}T09:00:00Z", user="alice")


@pytest.fixture(scope="module")
def alice() -> Iterator[Memory]:
    """Ten things that Alice told; no test changes them."""
    with Memory(store=":memory:", embedding="off") as memory:
        tell(memory)
        yield memory


@pytest.fixture
def empty() -> Iterator[Memory]:
    with Memory(store=":memory:", embedding="off") as memory:
        yield memory


def test_every_store_answers_in_the_same_words(memory: Memory) -> None:
    tell(memory)
    assert memory.answer("Where do I live?", user="alice").text.startswith(
        "User lives in Porto. (since 2026-03-01) [1]\n"
    )
    assert [each.text for each in memory.answer("Where does my sister live?", user="alice")] == ["Ana lives in Munich."]
    assert not memory.answer("Who is Zebulon?", user="alice")


def test_the_current_value_is_told_before_the_past_one_and_both_are_dated_and_cited(alice: Memory) -> None:
    answer = alice.answer("Where do I live?", user="alice")
    assert answer.text == (
        "User lives in Porto. (since 2026-03-01) [1]\nEarlier: User lives in Lisbon. (2025-01-03 to 2026-03-01) [2]"
    )
    assert [each.time for each in answer] == [SentenceTime.CURRENT, SentenceTime.PAST]
    assert [alice.get(each.id).text for each in answer.citations] == [each.quote for each in answer.citations]
    assert answer.model == "" and answer.usage.model_calls == 0


def test_several_values_are_told_together(alice: Memory) -> None:
    answer = alice.answer("Which languages do I speak?", user="alice")
    assert sorted(each.text for each in answer) == ["User speaks German.", "User speaks Portuguese."]


def test_the_value_of_an_asked_time_is_told_alone(alice: Memory) -> None:
    for asked in (
        alice.answer("Where did I live in 2025?", user="alice"),
        alice.answer("Where do I live?", user="alice", as_of="2025-06-01"),
    ):
        assert [each.text for each in asked] == ["User lives in Lisbon."]


def test_a_fact_of_somebody_else_is_no_answer(alice: Memory) -> None:
    assert [each.text for each in alice.answer("Where does my sister live?", user="alice")] == ["Ana lives in Munich."]
    assert not alice.answer("Where do I live?", user="bob")


def test_nothing_is_answered_where_nothing_is_known(alice: Memory) -> None:
    answer = alice.answer("Who is Zebulon?", user="alice")
    assert not answer and answer.citations == ()
    assert answer.coverage is Coverage.NONE
    assert answer.text == "Nothing is known about “Who is Zebulon?”."
    assert answer.gaps == (answer.text,)


def test_what_no_record_mentions_is_named_beside_the_answer(alice: Memory) -> None:
    answer = alice.answer("What is the launch date and the budget of Aurora?", user="alice")
    assert "3 May 2027" in answer.sentences[0].text
    assert "No record mentions “budget”." in answer.gaps and answer.text.endswith("No record mentions “budget”.")


def test_a_disputed_note_is_told_as_such(empty: Memory) -> None:
    note = replace(empty.save("The gate is red", valid_from="2026-01-02"), state=State.DISPUTED)
    evidence = note_evidence(note, note.recorded_at)
    text, [sentence], _ = composed(AnswerDraft((DraftedSentence(evidence.quote, (evidence,)),)))
    assert text == "Disputed: The gate is red (since 2026-01-02) [1]"
    assert sentence.time is SentenceTime.DISPUTED


def test_an_answer_has_a_receipt_that_tells_why(alice: Memory) -> None:
    answer = alice.answer("What is my favourite tea?", user="alice")
    why = alice.why(answer.receipt or "")
    assert why.receipt.verb == "answer"
    assert [each.id for each in why.answered] == [each.id for each in answer.citations]


def test_forgotten_words_are_in_no_answer(empty: Memory) -> None:
    empty.add("I'm allergic to peanuts.")
    empty.forget(empty.answer("What am I allergic to?").citations[0].id)
    assert not empty.answer("What am I allergic to?")


def test_words_that_cannot_be_seen_are_not_told(empty: Memory) -> None:
    empty.save("The garden\u202e gate\nis blue\u200bgreen")
    assert empty.answer("What colour is the garden gate?").sentences[0].text == "The garden gate is bluegreen"


def test_a_message_without_full_stops_is_cut_around_what_was_asked_for(empty: Memory) -> None:
    chatter = "and we talked about this and that and nothing much " * 12
    empty.add(f"so {chatter} then Ana said the alarm code rotates each Thursday evening {chatter}", extract=False)
    [sentence, *_] = empty.answer("When does the alarm code rotate?").sentences
    assert "the alarm code rotates each Thursday" in sentence.text
    assert sentence.text.startswith("… ") and sentence.text.endswith(" …")


def test_a_question_in_another_language_is_measured_by_its_own_stems(empty: Memory) -> None:
    empty.add("Die Rechnungen der Druckerei liegen im blauen Ordner neben dem Fenster.", extract=False)
    answer = empty.answer("Wo liegt die Rechnung der Druckerei?")
    assert "im blauen Ordner" in answer.text
    assert not any("rechnung" in gap.casefold() for gap in answer.gaps)


def test_a_question_without_words_is_refused(alice: Memory) -> None:
    with pytest.raises(InvalidInput):
        alice.answer("  ")


def test_stories_are_answered_with_the_right_records_and_without_a_word_of_our_own() -> None:
    with Memory(store=":memory:", embedding="off") as memory:
        result = score(memory, stories())
    assert result.made_up == 0, result.failures
    assert result.right >= 0.8 * result.answerable, result.failures
    assert result.silent >= 0.9 * result.unanswerable, result.failures
