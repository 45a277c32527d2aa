"""Pairs in doubt are put to a model; its word is one more input, below a person's."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from recollect import Memory
from recollect.domain.changes import QueueJob, RejudgeSpace, SettleLink
from recollect.domain.links.statement_link import Settlement, StatementRelation
from tests.links.tiny_judge import TinyJudge, UnsureJudge, with_judge
from tests.models.test_session_reading import later
from tests.support.clock import SteadyClock
from tests.support.model_server import ModelServer, Says

MILL, SWITCHED = "My mill is Kessler.", "My mill is Oldbrook."
BY = "custom:small settle/1"


def settling(relation: str | None = None, reason: str = "The newer names another mill.") -> Any:
    """A model that settles every pair so, or none; requests to read it answers with nothing."""

    def answer(asked: dict[str, Any]) -> Says:
        told = asked["messages"][-1]["content"]
        if not told.startswith("<pairs>"):
            return Says('{"statements": []}', usage=(900, 0, 10))
        numbers = [json.loads(line)[0] for line in told.splitlines()[1:-1]]
        found = [{"pair": number, "relation": relation, "reason": reason} for number in numbers if relation]
        return Says(json.dumps({"verdicts": [*found, {"pair": 99, "relation": "ends", "reason": "…"}]}))

    return answer


def told_both(memory: Memory, clock: SteadyClock) -> tuple[str, str]:
    return _told(memory, clock, UnsureJudge(), (MILL, SWITCHED))


def test_a_model_settles_what_the_judge_is_unsure_of_and_says_why(
    reading: Memory, server: ModelServer, clock: SteadyClock
) -> None:
    server.reads = settling("replaces")
    older, newer = told_both(reading, clock)
    [before] = reading._engine.links.links_of("default", [newer])
    later(reading, clock)

    [link] = reading._engine.links.links_of("default", [newer])
    assert link.unsettled() == before
    assert (link.stands_as.value, link.settled_by) == ("replaces", BY)
    assert link.strength > before.strength
    [shown] = [each for each in reading.relations(newer).links if each.id == older]
    assert shown.settled == f"replaces, by {BY}: The newer names another mill."
    assert reading.jobs(stage="waiting").items == ()

    stale = SettleLink(older, newer, link.judged_at - timedelta(days=1), Settlement.SAME, BY, "Of other words.")
    reading._carry_out("settle", "default", stale)
    assert reading._engine.links.links_of("default", [newer]) == [link]


def test_a_pair_is_in_doubt_no_more_once_an_end_was_taken_back(
    reading: Memory, server: ModelServer, clock: SteadyClock
) -> None:
    server.reads = settling("replaces")
    _, newer = told_both(reading, clock)
    reading.retract(newer)
    later(reading, clock)
    assert _pairs_asked(server) == []


def test_a_pair_that_is_no_change_leads_no_search_and_loses_nothing(
    light: Memory, server: ModelServer, clock: SteadyClock
) -> None:
    for word, change in (("adds", False), ("contradicts", False), ("ends", True)):
        server.reads = settling(word)
        space = f"mills-{word}"
        light.create_space(space)
        twin = with_judge(light, UnsureJudge())
        older = twin.add(MILL, space=space).observation_ids[0]
        clock.advance(days=3)
        newer = twin.add(SWITCHED, space=space).observation_ids[0]
        later(light, clock)

        [link] = light._engine.links.links_of(space, [newer])
        assert (link.stands_as.value, link.is_change) == (word, change)
        assert light._engine.archive.observation(space, older) is not None


def test_a_persons_word_stands_above_a_model(reading: Memory, server: ModelServer, clock: SteadyClock) -> None:
    server.reads = settling("replaces")
    older, newer = told_both(reading, clock)
    reading.refute(older, newer)
    later(reading, clock)

    [link] = reading._engine.links.links_of("default", [newer])
    assert (link.is_refuted, link.settled_as) == (True, None)


def test_what_was_settled_is_not_asked_again_and_goes_with_its_message(
    reading: Memory, server: ModelServer, clock: SteadyClock
) -> None:
    server.reads = settling("adds")
    older, newer = told_both(reading, clock)
    later(reading, clock)
    asked = len(server.asked)
    judge = UnsureJudge("unsure/2")
    with_judge(reading, judge)
    reading._carry_out("reindex", "default", RejudgeSpace())
    reading._judge_what_waits("default")
    later(reading, clock)

    [link] = reading._engine.links.links_of("default", [newer])
    assert link.stands_as.value == "adds"
    assert len(server.asked) == asked

    reading.forget(older)
    assert reading._engine.links.links_of("default", [newer]) == []


def test_without_a_model_for_it_nothing_is_asked(memory: Memory, clock: SteadyClock) -> None:
    told_both(memory, clock)

    assert [job.kind for job in memory.jobs().items if job.kind in ("read", "settle")] == []


def test_an_answer_of_no_use_settles_nothing(light: Memory, server: ModelServer, clock: SteadyClock) -> None:
    server.script = [Says("I would rather not.")]
    _, newer = told_both(light, clock)
    for _ in range(8):
        clock.advance(hours=2)
        light.run_jobs()

    [link] = light._engine.links.links_of("default", [newer])
    assert link.settled_as is None
    assert light.jobs(stage="waiting").items == ()


def test_a_pair_on_which_a_model_says_nothing_is_asked_about_once(
    reading: Memory, server: ModelServer, clock: SteadyClock
) -> None:
    server.reads = settling()
    _, newer = told_both(reading, clock)
    later(reading, clock)
    reading._carry_out("settle", "default", QueueJob(reading._new_job("settle", "default")))
    later(reading, clock)

    assert len(_pairs_asked(server)) == 1
    [link] = reading._engine.links.links_of("default", [newer])
    assert (link.stands_as, link.strength) == (link.relation, link.score)


def test_pairs_of_different_people_are_put_to_a_model_apart(
    light: Memory, server: ModelServer, clock: SteadyClock
) -> None:
    server.reads = settling("adds")
    with_judge(light, UnsureJudge())
    for text in (MILL, SWITCHED):
        for user in ("ana", "ben"):
            light.add(f"{text} Signed by {user}.", user=user)
        clock.advance(days=3)
    later(light, clock)

    assert [("ana" in each, "ben" in each) for each in _pairs_asked(server)] == [(True, False), (False, True)]


class SayingTheSame(TinyJudge):
    """Takes every message for the one before it, said again."""

    def relations(self, older: str, newer: str) -> dict[StatementRelation, float]:
        return {each: float(each is StatementRelation.SAME) for each in StatementRelation}


@pytest.mark.parametrize(
    ("judge", "texts", "word"),
    [
        (TinyJudge(), ("I live in Lisbon.", "I live in Porto now."), "replaces"),
        (SayingTheSame(), ("I live in Lisbon.", "I live in Porto now."), "replaces"),
        (TinyJudge(), ("My allergy is peanuts.", "My allergy is cats."), "adds"),
    ],
    ids=["facts-change-unseen", "facts-change-in-the-same", "facts-hold-beside-a-sure-change"],
)
def test_a_model_is_asked_where_facts_and_the_judge_disagree(
    reading: Memory, server: ModelServer, clock: SteadyClock, judge: TinyJudge, texts: tuple[str, str], word: str
) -> None:
    server.reads = settling(word, "So it reads.")
    older, newer = _told(reading, clock, judge, texts)
    before = {note.id: note.state for note in reading.list(state="any").items}
    later(reading, clock)

    [link] = reading._engine.links.links_of("default", [newer])
    assert (link.older, link.stands_as.value, link.is_change) == (older, word, word == "replaces")
    assert (link.settled_by, link.settled_because) == (BY, "So it reads.")
    assert {note.id: note.state for note in reading.list(state="any").items} == before
    assert len(_pairs_asked(server)) == 1
    reading._carry_out("settle", "default", QueueJob(reading._new_job("settle", "default")))
    later(reading, clock)
    assert len(_pairs_asked(server)) == 1


@pytest.mark.parametrize(
    "texts",
    [("My mill is Kessler.", "My mill is Oldbrook."), ("I live in Lisbon.", "My mill is Oldbrook.")],
    ids=["both-see-a-change", "nobody-sees-one"],
)
def test_a_model_is_not_asked_where_facts_and_the_judge_agree(
    light: Memory, server: ModelServer, clock: SteadyClock, texts: tuple[str, str]
) -> None:
    server.reads = settling("adds")
    _told(light, clock, TinyJudge(), texts)
    later(light, clock)

    assert _pairs_asked(server) == []


@pytest.mark.parametrize("word", ["replaces", None])
def test_of_a_pair_that_was_unlinked_a_change_is_told_only_if_the_model_says_so(
    reading: Memory, server: ModelServer, clock: SteadyClock, word: str | None
) -> None:
    server.reads = settling(word, "So it reads.")
    older, newer = _told(reading, clock, TinyJudge(), ("I live in Lisbon.", "I live in Porto now."))
    for _ in range(2):
        reading._carry_out("settle", "default", QueueJob(reading._new_job("settle", "default")))
        later(reading, clock)

    said = [(each.relation.value, each.settled) for each in reading.relations(newer) if each.id == older]
    assert said == ([("unrelated", f"replaces, by {BY}: So it reads.")] if word else [])
    known = reading.history(subject="user", attribute="location")
    assert [link.is_change for link in known.links] == ([True] if word else [])
    assert reading.review(doubts=True).doubts == ()
    assert len(_pairs_asked(server)) == 1


def test_a_word_on_a_pair_that_was_unlinked_goes_with_its_message(
    reading: Memory, server: ModelServer, clock: SteadyClock
) -> None:
    server.reads = settling("replaces")
    older, newer = _told(reading, clock, TinyJudge(), ("I live in Lisbon.", "I live in Porto now."))
    [pair] = reading._engine.links.unlinked_changes("default", after=("", ""), limit=5)
    reading.forget(older)
    reading._carry_out(
        "settle", "default", SettleLink(older, newer, pair.judged_at, Settlement.REPLACES, BY, "Too late.")
    )

    assert reading._engine.links.links_of("default", [newer]) == []
    assert reading._engine.links.unlinked_changes("default", after=("", ""), limit=5) == []


def _told(memory: Memory, clock: SteadyClock, judge: TinyJudge, texts: tuple[str, str]) -> tuple[str, str]:
    with_judge(memory, judge)
    older = memory.add(texts[0], extract=True).observation_ids[0]
    clock.advance(days=3)
    return older, memory.add(texts[1], extract=True).observation_ids[0]


def _pairs_asked(server: ModelServer) -> list[str]:
    told = [asked["messages"][-1]["content"] for asked in server.asked]
    return [each for each in told if each.startswith("<pairs>")]
