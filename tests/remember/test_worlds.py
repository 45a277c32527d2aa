"""The knowledge-update benchmark itself: its worlds are sound, and its scores say what they claim."""

from __future__ import annotations

import copy
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.baselines import by_words
from bench.consistency import marks_of, problems_in, problems_of_slots, value_at
from bench.facts import is_answered
from bench.playing import Part, Stands, Track, play
from bench.shares import HISTORY, MULTI, STALE_ABOVE, STALE_IN_5, TARGETS, TRAP_ABOVE, Answer, scored, shares
from bench.worlds import Bank, make_worlds, own_banks
from recollect.domain.answers.recollections import Coverage


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_the_answers_of_every_world_follow_from_its_messages(seed: int) -> None:
    for world in make_worlds(2, seed=seed)["worlds"]:
        assert problems_in(world) == []


@given(st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_what_is_asked_of_a_day_was_said_before_and_held_then(seed: int) -> None:
    (world,) = make_worlds(1, seed=seed)["worlds"]
    marks = marks_of(world)
    for query in world["queries"]:
        if query["type"] == "as_of":
            held = value_at(marks[query["slot"]], date.fromisoformat(query["as_of"]))
            assert held is not None
            assert {world["truth"][message]["value"] for message in query["gold"]} == {held}


def test_the_same_seed_makes_the_same_worlds_and_another_one_others() -> None:
    assert make_worlds(3, seed=5) == make_worlds(3, seed=5)
    assert make_worlds(3, seed=5)["worlds"] != make_worlds(3, seed=6)["worlds"]


def test_a_world_has_every_kind_of_message_and_question() -> None:
    worlds = make_worlds(20, seed=7)["worlds"]
    kinds = {truth["kind"] for world in worlds for truth in world["truth"].values()}
    types = {query["type"] for world in worlds for query in world["queries"]}
    changes = {"assert", "corr", "wrong", "upd", "imp", "future", "retract", "restate", "multi"}
    assert kinds == {*changes, "hyp", "third", "back", "filler"}
    assert types == {"current", "stable", "retracted", "as_of", "history", "when_changed", "multi", "absent"}


@pytest.mark.parametrize("bank", own_banks(), ids=["ours", "others"])
def test_there_are_enough_slots_and_wordings_and_no_filler_names_a_value(bank: Bank) -> None:
    assert problems_of_slots(bank.slots) == []
    assert len([slot for slot in bank.slots if not slot.many]) >= 16
    assert len(set(bank.fillers)) >= 200
    named = {value.lower() for slot in bank.slots for value in slot.values if len(value.split()) > 1}
    assert not [filler for filler in bank.fillers for value in named if value in filler.lower()]


@pytest.mark.parametrize("part", ["gold", "stale"])
def test_an_answer_that_is_wrong_is_noticed(part: str) -> None:
    (world,) = make_worlds(1, seed=7)["worlds"]
    broken = copy.deepcopy(world)
    query = next(query for query in broken["queries"] if query["type"] == "current" and query["stale"])
    query["gold"], query["stale"] = (query["stale"], []) if part == "gold" else (query["gold"], query["gold"])
    assert problems_in(broken)


def test_two_values_that_begin_on_one_day_are_noticed() -> None:
    (world,) = make_worlds(1, seed=7)["worlds"]
    slot, line = next((slot, line) for slot, line in marks_of(world).items() if len(line) > 1)
    first, second = line[0].message, line[1].message
    world["truth"][second] |= {"kind": "future", "since": line[0].since.isoformat()}
    assert f"{slot}: two values begin on the same day." in problems_in(world), (first, second)


def test_a_ranking_with_the_right_messages_first_is_perfect() -> None:
    right = {"absent": Coverage.NONE}
    found = shares(
        [Answer(query, tuple(query["gold"]), right.get(query["type"], Coverage.FULL)) for query in _queries()]
    )
    perfect = {name: 0.0 if "(low)" in name else 100.0 for name in TARGETS}
    assert {name: share.percent for name, share in found.items()} == perfect
    assert {(share.low, share.high) for share in found.values()} == {(0.0, 0.0), (100.0, 100.0)}


def test_a_ranking_with_the_wrong_messages_first_scores_nothing() -> None:
    query = {"type": "current", "gold": ["new"], "stale": ["old"], "traps": ["trap"]}
    assert scored(Answer(query, ("old", "trap", "new"))) == {
        "current@1": 0.0, STALE_ABOVE: 1.0, STALE_IN_5: 1.0, TRAP_ABOVE: 1.0
    }  # fmt: skip


def test_what_stands_below_the_right_message_is_not_above_it() -> None:
    query = {"type": "current", "gold": ["new"], "stale": ["old"], "traps": ["trap"]}
    assert scored(Answer(query, ("new", "old", "trap"))) == {
        "current@1": 1.0, STALE_ABOVE: 0.0, STALE_IN_5: 1.0, TRAP_ABOVE: 0.0
    }  # fmt: skip


def test_when_the_right_message_is_not_found_everything_is_above_it() -> None:
    query = {"type": "current", "gold": ["new"], "stale": ["old"], "traps": ["trap"]}
    scores = scored(Answer(query, ("filler", "old")))
    assert (scores["current@1"], scores[STALE_ABOVE], scores[TRAP_ABOVE]) == (0.0, 1.0, 0.0)


def test_lists_are_scored_by_how_much_of_them_is_among_the_first_five() -> None:
    history = {"type": "history", "gold": ["a", "b"], "stale": [], "traps": []}
    multi = {"type": "multi", "gold": ["a", "b", "c", "d"], "stale": [], "traps": []}
    assert scored(Answer(history, ("x", "a", "y", "z", "u", "b"))) == {HISTORY: 0.5}
    assert scored(Answer(multi, ("d", "a", "b"))) == {MULTI: 0.75}


def test_an_interval_is_around_its_share_and_the_same_each_time() -> None:
    query = {"type": "stable", "gold": ["a"], "stale": [], "traps": []}
    answers = [Answer(query, ("a",) if number % 3 else ("b",)) for number in range(60)]
    share = shares(answers, seed=3)["stable@1"]
    assert share == shares(answers, seed=3)["stable@1"]
    assert share.low < share.percent < share.high
    assert share.questions == 60


def test_words_alone_prefer_the_rarer_word() -> None:
    texts = {"a": "the blue whale", "b": "the blue car", "c": "the blue sky", "d": "green"}
    assert by_words(texts, ["a blue whale", "nothing shared"], limit=2) == [["a", "b"], []]


def test_nothing_known_is_right_of_absent_questions_and_wrong_of_all_others() -> None:
    absent = {"type": "absent", "gold": [], "stale": [], "traps": []}
    stable = {"type": "stable", "gold": ["a"], "stale": [], "traps": []}
    answers = [
        Answer(absent, (), Coverage.NONE),
        Answer(absent, ("a",), Coverage.PARTIAL),
        Answer(stable, ("a",), Coverage.FULL),
        Answer(stable, ("a",), Coverage.NONE),
    ]
    found = shares(answers, draws=1)
    assert (found["absent told none"].percent, found["known told none (low)"].percent) == (50, 50)


def test_an_answer_may_stand_anywhere_in_a_text() -> None:
    assert is_answered(["The capital of France is PARIS."], ["Paris", "Lutetia"])
    assert not is_answered(["The capital of France is Rome."], ["Paris"])


@pytest.mark.parametrize("track", [Track.NAMED, Track.WORDS])
def test_a_world_can_be_played(track: Track) -> None:
    made = make_worlds(1, seed=7)
    (world,) = made["worlds"]
    played = play(Part(world, track, made["slots"]))
    answers = played.answers[Stands.FIRST]
    assert [answer.query["qid"] for answer in answers] == [query["qid"] for query in world["queries"]]
    if track is Track.NAMED:  # facts handed over and looked up: nothing but bookkeeping, so nothing may be wrong
        found = shares(answers, draws=1)
        assert {name: share.percent for name, share in found.items() if share.percent not in (0.0, 100.0)} == {}
        assert found["current@1"].percent == 100.0


def _queries() -> list[dict[str, Any]]:
    return [
        query
        for world in make_worlds(10, seed=7)["worlds"]
        for query in world["queries"]
        if query["gold"] or query["type"] == "absent"
    ]
