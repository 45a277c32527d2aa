"""A root changes, a fact ends, a note is forgotten: 120 generated cases, asked in several wordings without a model."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from recollect import Memory
from tests.support.clock import SteadyClock

PEOPLE = "Bob Dana Emil Farah Gustav Hana Igor Julia Karim Lena".split()
ASKED = {
    "employer": (
        "works at",
        "Acme",
        ("Where does {} work?", "Who does {} work for?", "Which company does {} work at?"),
    ),
    "location": (
        "lives in",
        "Oslo",
        ("Where does {} live?", "Which city does {} live in?", "What town is {} in?"),
    ),
}
CASES = [
    (who, attribute, wording.format(who))
    for who, attribute in product(PEOPLE, ASKED)
    for wording in ASKED[attribute][2]
]  # 60 for each kind of case


@pytest.fixture
def memory(clock: SteadyClock) -> Iterator[Memory]:
    with Memory(store=":memory:", embedding="off", judge="off", reranker="off", clock=clock) as opened:
        yield opened


def tell(memory: Memory, who: str, attribute: str, **more: object) -> str:
    verb, value, _ = ASKED[attribute]
    about = {"subject": f"person:{who.lower()}", "attribute": attribute, "value": value}
    return memory.save(f"{who} {verb} {value}", **about, **more).id  # type: ignore[arg-type]


def test_what_ended_is_no_longer_known_and_what_never_was_is_not(memory: Memory) -> None:
    for who, attribute in product(PEOPLE[:5], ASKED):
        tell(memory, who, attribute, valid_from="2020-01-01", valid_until="2025-06-30")
    right = 0
    for who, attribute, question in CASES:
        answer = memory.answer(question)
        known_once = any(gap.startswith("It is no longer known") and who in gap for gap in answer.gaps)
        right += known_once is (who in PEOPLE[:5]) and not answer.sentences
        assert (ASKED[attribute][1] in answer.text) <= known_once

    assert right >= 0.9 * len(CASES), right


def test_what_is_forgotten_or_was_never_true_leaves_no_trace_in_an_answer(memory: Memory) -> None:
    for who, attribute in product(PEOPLE, ASKED):
        note_id = tell(memory, who, attribute)
        if who in PEOPLE[:5]:
            memory.forget(note_id)
        else:
            memory.retract(note_id)
    for _, attribute, question in CASES:
        answer = memory.answer(question)
        assert not answer.sentences and ASKED[attribute][1] not in answer.text
        assert answer.gaps[0].startswith("Nothing is known")


def test_an_answer_that_rests_on_what_changed_says_so(memory: Memory) -> None:
    roots = {}
    for who, attribute in product(PEOPLE, ASKED):
        roots[who, attribute] = memory.save(f"The file of {who} says so for {attribute}").id
        tell(memory, who, attribute, depends_on=[roots[who, attribute]])
    for who, attribute in product(PEOPLE[:5], ASKED):
        memory.supersede(roots[who, attribute], f"The file of {who} says something else now")
    right = 0
    for who, _, question in CASES:
        answer, block = memory.answer(question), memory.recall(question, limit=1).block
        marked = any("rests on something that has changed" in gap for gap in answer.gaps)
        right += bool(answer.sentences) and marked is (who in PEOPLE[:5]) is ("basis changed" in block)

    assert right >= 0.9 * len(CASES), right
