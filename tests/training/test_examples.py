"""Wordings become examples whose labels follow from what each wording was written for."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from recollect.domain.meanings import AnswerKind
from training.answerable import conversation
from training.data import Bank, banks, group, messages, pairs, questions, worlds
from training.likeness import Likeness
from training.settings import BANKS as BANKS_FOLDER
from training.settings import settings

KINDS = (
    "statement update implicit correction future backdated hypothetical third_person quoted asked restatement second"
).split()


def _slot(name: str, *, many: bool = False) -> dict[str, Any]:
    """A slot whose wordings name themselves, so that an example shows what it was made of."""
    wordings = {kind: [f"{kind} of {name} is {{v}}"] for kind in KINDS}
    wordings["update"] = [f"update of {name} from {{old}} to {{v}}"]
    return {
        "slot": name,
        "many": many,
        "values": [f"{name}{number}" for number in range(6)],
        **wordings,
        "retraction": [f"retraction of {name} {{old}}"],
        "other_slot": [f"neighbour of {name}"],
        "filler": [f"chatter about {name}"],
        "ask_now": [f"which {name}?"],
        "ask_past": [f"which {name} before?"],
        "ask_history": [f"every {name}?"],
    }


TALK = {
    "people": ["user", "Ada"],
    "messages": [
        {"id": number, "at": "2025-01-01T10:00", "who": who, "text": f"text {number}", "stance": stance}
        for number, (who, stance) in enumerate(
            [("user", "stated"), ("Ada", "planned"), ("user", "stated"), ("Ada", "talk")]
        )
    ],
    "changes": [{"older": 0, "newer": 2, "how": "replaces"}],
    "questions": [
        {"ask": "what now?", "evidence": [2], "stale": [0], "kind": "now"},
        {"ask": "what else?", "evidence": [], "kind": "absent"},
    ],
}
BANKS = [Bank("one", (_slot("phone"), _slot("pet", many=True)), ()), Bank("two", (), (TALK,))]


@pytest.fixture
def drawn() -> list[Any]:
    return pairs(BANKS, Random(1), each=400, swapped=0.0, talk_unrelated=3)


def test_only_what_is_asserted_changes_something(drawn: list[Any]) -> None:
    traps = ("future", "backdated", "hypothetical", "third_person", "quoted", "asked")
    assert {pair.relation for pair in drawn if pair.newer.startswith(traps)} == {"unrelated"}


def test_nothing_replaces_a_plan_or_a_quotation(drawn: list[Any]) -> None:
    assert {pair.relation for pair in drawn if pair.older.startswith(("future", "quoted"))} == {"unrelated"}


def _names_the_older_value(pair: Any) -> bool:
    return pair.newer.split(" from ")[1].split(" to ")[0] in pair.older


def test_a_change_names_the_value_that_it_replaces_or_one_that_came_between(drawn: list[Any]) -> None:
    changes = [pair for pair in drawn if pair.newer.startswith("update of phone") and pair.relation == "replaces"]
    assert {_names_the_older_value(pair) for pair in changes} == {True, False}


def test_a_value_beside_the_one_that_was_swapped_stays(drawn: list[Any]) -> None:
    swapped = [pair for pair in drawn if pair.newer.startswith("update of pet") and pair.older != pair.newer]
    elsewhere = [pair for pair in swapped if "pet" in pair.older and not _names_the_older_value(pair)]
    assert "replaces" not in {pair.relation for pair in elsewhere if pair.kind == "change of another"}


def test_the_end_of_one_value_leaves_those_beside_it(drawn: list[Any]) -> None:
    ended = [pair for pair in drawn if pair.kind == "end of another"]
    assert {(pair.relation, "pet" in pair.older) for pair in ended} == {("ends", False), ("unrelated", True)}


def test_a_further_value_stands_beside_the_first_only_where_there_may_be_many(drawn: list[Any]) -> None:
    added = [pair for pair in drawn if pair.relation == "adds"]
    assert added
    assert all("pet" in pair.older for pair in added)


def test_one_seed_gives_the_same_examples_again() -> None:
    first, second = (pairs(BANKS, Random(3), each=50, swapped=0.5, talk_unrelated=2) for _ in range(2))
    assert first == second


def test_messages_of_talk_keep_their_stance_and_their_speaker() -> None:
    told = [(message.text, message.stance) for message in messages(BANKS[1:], Random(1), swapped=0.0)]
    assert told[:2] == [("text 0", "asserted"), ("Ada: text 1", "planned")]


def test_an_outdated_answer_is_neither_right_nor_an_example_of_wrong() -> None:
    now, absent = questions(BANKS[1:], Random(1), swapped=0.0)
    assert (now.right, now.neutral) == (frozenset({2}), frozenset({0}))
    assert absent.right == frozenset()


def test_a_message_is_shown_beside_questions_that_it_only_seems_to_answer() -> None:
    near = {"text": "The vet has moved.", "answered": ["Who moved?"], "near": ["What does the vet ask for?"]}
    answered, missed = questions([Bank("three", (), (), nears=(near,))], Random(1), swapped=0.0)
    assert answered.right == missed.tempting == frozenset({0})
    assert not answered.tempting and not missed.right
    assert group(missed, Random(1), 16) == [0]


def test_a_group_holds_the_right_text_and_then_the_nearest_wrong_ones() -> None:
    asked, *_ = questions(BANKS[:1], Random(1), swapped=0.0)
    near = tuple(place for place in reversed(range(len(asked.texts))))
    places = group(replace(asked, near=near), Random(1), 16)
    wrong = [place for place in near if place not in asked.right]
    assert len(places) == len(set(places)) == 16
    assert set(places[:3]) == asked.right
    assert places[3:11] == wrong[:8]


def test_a_conversation_is_told_in_its_order_and_slots_in_some_order() -> None:
    slots, talk = worlds(BANKS, Random(1), swapped=0.0)
    assert talk.texts == ("text 0", "Ada: text 1", "text 2", "Ada: text 3")
    assert talk.told_once
    assert not slots.told_once
    assert all("phone" in text or "pet" in text for text in slots.texts)


def test_no_author_is_in_two_parts_and_the_blind_ones_are_apart() -> None:
    parts = settings()["banks"]
    names = [name for part in parts.values() for name in part]
    assert len(names) == len(set(names))


def test_a_bank_that_is_not_there_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "t1").mkdir()
    (tmp_path / "t1" / "slots.jsonl").write_text(json.dumps(_slot("phone")) + "\n", encoding="utf-8")
    assert [(bank.author, len(bank.slots)) for bank in banks(tmp_path, ["t1", "t2"])] == [("t1", 1)]


def test_an_act_is_shown_with_its_own_lesson_whether_it_should_be_told_or_not(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    folder.mkdir()
    lessons = [
        {"text": f"Lesson {number}.", "acts": [f"$ break {number}"], "fine": [f"$ look {number}"]}
        for number in range(20)
    ]
    (folder / "acts.jsonl").write_text("\n".join(map(json.dumps, lessons)))

    asked = {each.ask: each for each in questions(banks(tmp_path, ["r"]), Random(1), swapped=0.0)}

    told, fine = asked["break 3"], asked["look 3"]
    assert (told.right, fine.right) == (frozenset({3}), frozenset())
    assert 3 in group(told, Random(1), 4) and 3 in group(fine, Random(1), 4)


def test_a_value_is_also_told_as_a_memory_files_it(tmp_path: Path) -> None:
    folder = tmp_path / "t"
    folder.mkdir()
    (folder / "slots.jsonl").write_text(json.dumps({"slot": "first_aider", "about": "user", "values": ["Ana"]}))

    [bank] = banks(tmp_path, ["t"])

    assert bank.slots[0]["filed"] == ["User's first aider is {v}.", "first aider: {v}"]


def test_a_public_scene_becomes_a_conversation_whose_messages_nobody_has_labelled() -> None:
    said = [{"uid": 4, "speakers": ["Ana Ruiz"], "utterance": "I do n't drive , I sail ."}]
    asked = [{"question": "How does Ana travel ?", "answers": [{"utterance_id": 4}, {"utterance_id": 4}]}]
    told = conversation({"utterances:": said, "qas": asked})
    assert told["messages"] == [{"id": 4, "who": "Ana Ruiz", "text": "I don't drive, I sail.", "stance": None}]
    bank = Bank("play", (), (told,))
    assert messages([bank], Random(1), swapped=0.0) == []
    [question] = questions([bank], Random(1), swapped=0.0)
    assert question.ask == "How does Ana travel?"
    assert question.right == frozenset({0})


def test_every_question_written_by_kind_has_a_kind_that_the_engine_knows_and_no_author_has_two_parts() -> None:
    parts = settings()["banks"]
    read = {part: banks(BANKS_FOLDER, parts[part]) for part in parts}
    asked = [each for given in read.values() for bank in given for each in bank.asks]

    assert {each["kind"] for each in asked} == set(AnswerKind)
    assert all(each["ask"].strip() for each in asked)
    assert sum(map(len, parts.values())) == len({author for authors in parts.values() for author in authors})


def _talk(folder: Path) -> None:
    said = ("I cycle to work.", "The cat sleeps.", "I take the tram to work now.", "I cycle on Sundays.")
    talk = {
        "people": ["user"],
        "messages": [
            {"id": at, "at": f"2025-01-0{at + 1}T08:00", "who": "user", "text": text, "stance": "stated"}
            for at, text in enumerate(said)
        ],
        "changes": [{"older": 0, "newer": 2, "how": "replaces"}],
        "questions": [{"ask": "Who sleeps?", "evidence": [1], "stale": [], "kind": "single"}],
    }
    asked = {"bank": "k", "talk": 0, "ask": "My way to the office?", "evidence": [2], "stale": [0], "kind": "now"}
    for author, file, line in (("k", "talk.jsonl", talk), ("y", "asked.jsonl", asked)):
        (folder / author).mkdir()
        (folder / author / file).write_text(json.dumps(line) + "\n", encoding="utf-8")


def test_questions_about_the_conversation_of_another_author_come_with_it_and_without_its_changes(
    tmp_path: Path,
) -> None:
    _talk(tmp_path)
    [bank] = banks(tmp_path, ["y"])
    [question] = questions([bank], Random(1), swapped=0.0)

    assert question.ask == "My way to the office?"
    assert (question.right, question.neutral) == (frozenset({2}), frozenset({0}))
    assert pairs([bank], Random(1), each=1, swapped=0.0, talk_unrelated=3) == []
    assert messages([bank], Random(1), swapped=0.0) == []
    assert list(worlds([bank], Random(1), swapped=0.0)) == []


def test_messages_that_sound_alike_are_pairs_without_a_change_unless_one_changes_the_other(tmp_path: Path) -> None:
    _talk(tmp_path)
    [bank] = banks(tmp_path, ["k"])
    alike = Likeness(lambda texts: np.eye(1, 2).repeat(len(texts), axis=0))
    found = {(pair.older, pair.newer) for pair in alike.beside_changes(bank.talks[0], Random(1), 9)}

    assert ("I cycle to work.", "I cycle on Sundays.") in found
    assert ("I cycle to work.", "I take the tram to work now.") not in found
    assert len(found) == 5
