"""A fact is filed only if the judge takes its sentence for what the fact claims; everything else stays as it was."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.dataclass import replace
from recollect.domain.links.statement_link import Stance, StatementRelation
from recollect.domain.observations import Message
from recollect.domain.readings import Modality, ReadingContext
from recollect.readers.choice import JudgedReader, sentence_around
from recollect.readers.rules.reader import RulesReader
from tests.inference.making import installed_judge

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)
TALE = "I live in Africa. Can you guess what I am?"


class SureJudge:
    """Takes every text for the same thing, and knows which ones it was shown; without a stance it cannot be run."""

    model_id = "sure/1"

    def __init__(self, stance: Stance | None) -> None:
        self.stance = stance
        self.seen: list[str] = []

    def stances(self, text: str) -> dict[Stance, float]:
        self.seen.append(text)
        if self.stance is None:
            raise RuntimeError("the model cannot be run")
        return {each: float(each is self.stance) for each in Stance}

    def relations(self, older: str, newer: str) -> dict[StatementRelation, float]:
        return {each: float(each is StatementRelation.UNRELATED) for each in StatementRelation}


def meant(text: str, judge: SureJudge) -> dict[str, Modality]:
    reading = JudgedReader(RulesReader(), judge).read(Message("user", text, NOON), ReadingContext())
    return {each.value: each.modality for each in reading.statements}


@pytest.mark.parametrize(
    ("text", "stance", "value", "expected"),
    [
        ("I live in Porto.", Stance.ASSERTED, "Porto", Modality.ASSERTED),
        ("I live in Porto.", Stance.QUOTED, "Porto", Modality.DOUBTED),
        ("I live in Porto.", Stance.PAST, "Porto", Modality.DOUBTED),
        ("I live in Porto.", Stance.OTHERS, "Porto", Modality.DOUBTED),
        ("I live in Porto.", Stance.TALK, "Porto", Modality.ASSERTED),
        ("My sister lives in Porto.", Stance.OTHERS, "Porto", Modality.ASSERTED),
        ("My sister lives in Porto.", Stance.HYPOTHETICAL, "Porto", Modality.DOUBTED),
        ("My wife is called Elena.", Stance.OTHERS, "Elena", Modality.ASSERTED),
        ("I used to live in Porto.", Stance.PAST, "Porto", Modality.ASSERTED),
        ("I was born in Cork.", Stance.PAST, "Cork", Modality.ASSERTED),
        ("The deadline for the proposal is 3 May.", Stance.PLANNED, "2026-05-03", Modality.ASSERTED),
        ("My sister Ana might move.", Stance.HYPOTHETICAL, "Ana", Modality.ASSERTED),
    ],
)
def test_a_statement_is_doubted_if_its_sentence_is_meant_otherwise(
    text: str, stance: Stance, value: str, expected: Modality
) -> None:
    assert meant(text, SureJudge(stance))[value] is expected


def test_only_the_sentence_is_judged_from_which_something_was_read() -> None:
    judge = SureJudge(Stance.ASSERTED)

    meant("Good morning. My doctor is Dr. Osei. Can you find me a train?", judge)

    assert judge.seen == ["My doctor is Dr. Osei."]


def test_a_message_of_one_sentence_is_judged_as_it_was_said() -> None:
    text = "I live in Porto, in v2.1 of my life, since May"
    assert sentence_around(text, 0, 15) == text


def test_a_judge_that_fails_leaves_everything_as_it_was_read() -> None:
    assert meant("I live in Porto.", SureJudge(None)) == {"Porto": Modality.ASSERTED}


def test_the_real_judge_tells_a_game_from_a_life() -> None:
    from recollect.inference.judge import OnnxJudge

    reader = JudgedReader(RulesReader(), OnnxJudge(installed_judge(), "the real one"))

    def filed(text: str) -> list[str]:
        read = reader.read(Message("user", text, NOON), ReadingContext()).statements
        return [each.value for each in read if each.modality is Modality.ASSERTED]

    assert filed("I live in Porto.") == ["Porto"]
    assert filed("In a parallel world I'm president of the Freelance Alliance.") == []


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(home=tmp_path, embedding="off") as memory:
        made = memory._engine.inference.get()
        memory._engine.inference.made = replace(made, judge=SureJudge(Stance.QUOTED))
        yield memory


def test_a_doubted_fact_is_passed_over_with_its_reason_and_its_message_is_kept(memory: Memory) -> None:
    rehearsed = memory.dry_run().add(TALE)
    told = memory.add(TALE)

    for each in (rehearsed, told):
        assert not each.learned
        assert [(passed.quote, passed.reason) for passed in each.passed_over] == [("I live in Africa", "doubted")]
    assert [hit.text for hit in memory.search("Africa").hits] == [TALE]


def test_facts_that_are_stated_on_purpose_are_not_judged(memory: Memory) -> None:
    assert memory.learn("user", "location", "Porto").action == "added"
    assert memory.save("I live in Porto.").text == "I live in Porto."
