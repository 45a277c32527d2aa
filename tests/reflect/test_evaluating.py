"""Evaluation: a space is tried with questions about its own notes, and a change of settings before it is made."""

from __future__ import annotations

import pytest

from recollect import InvalidInput, Memory, NotAllowed, NotFound
from recollect.domain.chat.chat_model import ChatRefusal, RefusalCode
from recollect.domain.errors import TooLarge
from tests.reflect.test_distilling import with_model


def with_questions(memory: Memory, told: list[dict[str, object]]) -> None:
    model = with_model(memory, lambda _: told)
    model.named = "questions"


def filled(memory: Memory) -> None:
    memory.learn("user", "location", "Boston")
    memory.save("The invoice for March 2026 was paid by Ana")
    memory.save("Deploy through the north gate", title="How parcels leave")


def test_questions_are_made_without_a_model_and_never_hold_their_answer(memory: Memory) -> None:
    filled(memory)
    memory.save("Ok then")
    memory.save("The password of the day is mango", ttl="1d")

    built = memory.build_questions()

    assert {each.text for each in built} == {
        "What is my city?",
        "The invoice for March … was paid by Ana?",
        "What is known about How parcels leave?",
    }
    assert {each.made_by for each in built} == {"template"}
    assert memory.build_questions().questions == (), "each note is asked for once"
    assert len(memory.questions().items) == 3


def test_a_run_says_where_the_answers_stand_and_is_kept(memory: Memory) -> None:
    filled(memory)
    memory.build_questions()

    run = memory.run_questions()

    assert run.questions == 3 and run.scores["recall@10"] == 1.0 and 0 < run.scores["mrr"] <= 1.0
    assert run.scores["tokens@10"] > 0 and set(run.places) == {each.id for each in memory.questions()}
    assert [each.id for each in memory.evaluation_runs()] == [run.id]


def test_questions_are_curated_by_hand(memory: Memory) -> None:
    filled(memory)
    one, other, _ = memory.build_questions()

    edited = memory.edit_question(one.id, "Where do I live?")
    memory.drop_question(other.id)

    assert (edited.text, edited.made_by, edited.note_id) == ("Where do I live?", "person", one.note_id)
    assert other.id not in {each.id for each in memory.questions()}
    with pytest.raises(NotFound, match="no question"):
        memory.drop_question(other.id)
    with pytest.raises(TooLarge, match="characters"):
        memory.edit_question(one.id, "Where " * 400)


def test_what_took_the_place_of_a_note_answers_its_question(memory: Memory) -> None:
    note = memory.save("The invoice for March 2026 was paid by Ana")
    gone = memory.save("The harbour office opens at nine in summer")
    memory.build_questions()
    memory.supersede(note.id, "The invoice for March 2026 was paid by Ben")
    memory.retract(gone.id)

    run = memory.run_questions()

    assert (run.questions, run.stale, run.scores["recall@1"]) == (1, 1, 1.0)


def test_a_question_is_forgotten_with_its_note(memory: Memory) -> None:
    note = memory.save("The invoice for March 2026 was paid by Ana")
    memory.build_questions()
    memory.run_questions()

    memory.forget(note.id)

    assert memory.questions().items == ()
    with pytest.raises(NotFound, match="no questions"):
        memory.run_questions()


def test_a_question_does_not_outlive_a_note_that_is_forgotten_while_it_is_worded(memory: Memory) -> None:
    note = memory.save("The invoice for March 2026 was paid by Ana")
    [question] = memory.build_questions()
    other = memory.save("The harbour office opens at nine in summer")

    def slow(_: str) -> list[dict[str, object]]:
        memory.forget(other.id)
        return [{"note": 1, "question": "When can one go to the port?"}]

    with_model(memory, slow).named = "questions"
    assert memory.build_questions().questions == ()
    memory.forget(note.id)
    assert list(memory._engine.evaluations.keep_questions([question])) == []
    assert memory.questions().items == ()


def test_a_dry_run_asks_no_model(memory: Memory) -> None:
    memory.save("The invoice for March 2026 was paid by Ana")
    model = with_model(memory, lambda _: [])
    [question] = memory.dry_run().build_questions()
    assert question.made_by == "template" and model.asked == [] and memory.questions().items == ()


def test_an_experiment_asks_a_copy_and_flags_what_would_be_lost(memory: Memory) -> None:
    filled(memory)
    memory.build_questions()
    before = memory._engine.log.newest("default")

    tried = memory.experiment(embedding="hashed")

    assert tried.baseline.questions == tried.run.questions == 3
    assert tried.run.changed == {"embedding": "hashed"} and not tried.regressed and tried.lost == ()
    assert [dict(each.changed) for each in memory.evaluation_runs()] == [{"embedding": "hashed"}, {}]
    assert memory._engine.log.newest("default") == before, "memory itself is not touched"


def test_an_experiment_needs_a_change_and_sends_nothing_away(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="No setting"):
        memory.experiment()
    with pytest.raises(InvalidInput, match="sends nothing"):
        memory.experiment(embedding="provider")


def test_a_model_words_the_questions_and_one_that_gives_itself_away_is_not_asked(memory: Memory) -> None:
    memory.save("The invoice for March 2026 was paid by Ana")
    told = [{"note": 1, "question": "Who settled what we owed for spring?"}, {"note": 9, "question": "And this?"}]
    with_questions(memory, told)
    [question] = memory.build_questions()
    assert (question.text, question.made_by) == ("Who settled what we owed for spring?", "script:two")

    memory.save("The tall lamp is green")
    with_questions(memory, [{"note": 1, "question": "Is the tall lamp green?"}])
    [question] = memory.build_questions()
    assert question.made_by == "template" and "invoice" not in question.text


def test_a_model_that_refuses_is_told_and_the_notes_speak_for_themselves(memory: Memory) -> None:
    memory.save("The invoice for March 2026 was paid by Ana")
    with_model(memory, lambda _: ChatRefusal(RefusalCode.SPEND_CAP, "The cap of today is reached."))
    built = memory.build_questions()
    assert built.fallback == "The cap of today is reached." and built[0].made_by == "template"


def test_whoever_is_bound_to_a_part_sees_no_questions(memory: Memory) -> None:
    filled(memory)
    memory.build_questions()
    with pytest.raises(NotAllowed, match="as a whole"):
        memory.bound_to(user="ana").questions()
