"""What is said is compared with what was said before, in the write or after it, whatever the order of arrival."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from itertools import permutations
from typing import Any, cast

import pytest

from recollect import Memory
from recollect.domain.dataclass import replace
from recollect.domain.jobs.job import JobsRun
from recollect.domain.links.statement_link import Stance, StatementLink
from recollect.domain.meanings import Near, Nearness
from recollect.remember.link_decision import DatedText
from recollect.remember.linker import judged_at_once
from recollect.verbs.models.judged_writes import sources_of
from tests.links.tiny_judge import SURE, TinyJudge, UnsureJudge, with_judge
from tests.support.clock import SteadyClock
from tests.support.raw import rows, store_of


def say(memory: Memory, text: str, *, at: str | None = None, role: str = "user", **where: Any) -> str:
    """The id of a message that is kept and not read."""
    message = {"role": role, "content": text, **({"at": at} if at else {})}
    if "speaker" in where:
        message["speaker"] = where.pop("speaker")
    return memory.add([message], extract=False, **where).observation_ids[0]


def links(memory: Memory, space: str = "default") -> list[StatementLink]:
    store = store_of(memory)
    every = [row[0] for row in rows(store, "SELECT id FROM observation UNION SELECT id FROM note")]
    return list(store.links.links_of(space, every))


def told(memory: Memory) -> set[tuple[str, str, str]]:
    """The links as texts: older, relation, newer."""
    store = store_of(memory)
    found = links(memory)
    ids = [each for link in found for each in (link.older, link.newer)]
    texts = {key: each.text for key, each in store.archive.those("default", ids).items()}
    texts |= {key: each.text for key, each in store.current("default", ids).items()}
    return {(texts[link.older], link.relation.value, texts[link.newer]) for link in found}


def test_a_message_is_judged_in_its_own_write(judging: Memory, clock: SteadyClock, judge: TinyJudge) -> None:
    older = say(judging, "My phone is a Nokia")
    clock.advance(days=1)
    say(judging, "My phone is a Fairphone")
    [link] = links(judging)
    assert (link.older, link.relation.value, link.model) == (older, "replaces", "tiny/1")
    asserted = SURE + 2 * (1 - SURE) / 8  # or decided for a day, or of somebody else
    assert link.score == pytest.approx(asserted * (SURE + (1 - SURE) / 4), abs=1e-3)
    assert judging.jobs().items == ()
    assert (judging.status().unjudged, judging.status().judges) == (0, ("tiny/1",))


def test_a_fact_is_replaced_ended_and_said_again(judging: Memory, clock: SteadyClock) -> None:
    for text in ("My phone is a Nokia", "My phone is a Nokia", "I have no phone now"):
        say(judging, text)
        clock.advance(days=1)
    assert told(judging) == {
        ("My phone is a Nokia", "same", "My phone is a Nokia"),
        ("My phone is a Nokia", "ends", "I have no phone now"),
    }


def test_two_messages_of_one_call_are_compared_with_each_other(judging: Memory) -> None:
    texts = ("My phone is a Nokia", "My phone is a Fairphone")
    judging.add([{"role": "user", "content": text} for text in texts], extract=False)
    assert told(judging) == {("My phone is a Nokia", "replaces", "My phone is a Fairphone")}


class MeasuringWhenAsked:
    """Finds nothing by meaning, and knows how like two texts are."""

    def __init__(self, likeness: float) -> None:
        self._likeness = likeness

    def alike(self, space: str, text: str, *, limit: int, among: Collection[str] | None = None) -> list[Near]:
        return [Near(each, 0, self._likeness) for each in among or ()]


def test_a_text_that_is_found_by_words_is_measured_like_those_found_by_meaning(judging: Memory) -> None:
    older = say(judging, "My phone is a Nokia")
    said = store_of(judging).archive.those("default", [older])[older]
    newer = DatedText("new", 0, "My phone is a Fairphone", said.observed_at + timedelta(days=1), said.scope, "", True)
    scores = []
    for likeness in (0.4, 0.9):
        sources = replace(
            sources_of(judging._engine, UnsureJudge(), "default"),
            nearness=cast(Nearness, MeasuringWhenAsked(likeness)),
            on_our_scale=lambda measured: measured,
        )
        [[link]] = [each.links for each in judged_at_once(sources, [newer], newer.at) or ()]
        scores.append(link.score)
    assert scores[0] < 0.3 < 0.8 < scores[1]


def test_notes_are_linked_as_messages_are(judging: Memory, clock: SteadyClock) -> None:
    judging.save("My phone is a Nokia")
    clock.advance(days=1)
    say(judging, "My phone is a Fairphone")
    assert told(judging) == {("My phone is a Nokia", "replaces", "My phone is a Fairphone")}


def test_a_note_that_was_read_from_a_message_is_judged_with_the_message(judging: Memory, judge: TinyJudge) -> None:
    judging.add("I live in Paris")
    assert len(judging.list()) == 1
    assert len(rows(store_of(judging), "SELECT * FROM judgement")) == 1


def test_what_is_not_asserted_changes_nothing_and_costs_one_look(
    judging: Memory, clock: SteadyClock, judge: TinyJudge
) -> None:
    say(judging, "My phone is a Nokia")
    clock.advance(days=1)
    asked = say(judging, "My phone is what again?")
    say(judging, "If My phone is a Fairphone")
    assert (links(judging), judge.compared) == ([], [])
    assert store_of(judging).links.judgements("default", [asked])[asked].stance is Stance.ASKED


def test_what_was_not_asserted_cannot_be_changed(judging: Memory, clock: SteadyClock, judge: TinyJudge) -> None:
    say(judging, "If My phone is a Nokia")
    clock.advance(days=1)
    say(judging, "My phone is a Fairphone")
    assert (links(judging), judge.compared) == ([], [])


def test_an_assistant_never_corrects_a_person(judging: Memory, clock: SteadyClock) -> None:
    say(judging, "My phone is a Nokia")
    clock.advance(days=1)
    say(judging, "My phone is a Fairphone", role="assistant")
    assert links(judging) == []
    clock.advance(days=1)
    say(judging, "My phone is a Pixel")
    assert {older for older, _, _ in told(judging)} == {"My phone is a Nokia", "My phone is a Fairphone"}


@pytest.mark.parametrize("other", [{"user": "ben"}, {"project": "shop"}, {"agent": "coder"}, {"speaker": "Ben"}])
def test_nothing_is_linked_across_people_and_projects(
    judging: Memory, clock: SteadyClock, judge: TinyJudge, other: dict[str, str]
) -> None:
    say(judging, "My phone is a Nokia")
    clock.advance(days=1)
    say(judging, "My phone is a Fairphone", **other)
    assert (links(judging), judge.compared) == ([], [])


def test_spaces_are_never_compared(judging: Memory, clock: SteadyClock, judge: TinyJudge) -> None:
    say(judging, "My phone is a Nokia", space="alice")
    clock.advance(days=1)
    say(judging, "My phone is a Fairphone", space="bob")
    assert judge.compared == []


STORY = (
    ("2026-01-01T09:00:00Z", "My phone is a Nokia"),
    ("2026-02-01T09:00:00Z", "My phone is a Fairphone"),
    ("2026-03-01T09:00:00Z", "I have no phone now"),
    ("2026-04-01T09:00:00Z", "My bike is red"),
)


@pytest.mark.parametrize("order", list(permutations(range(len(STORY))))[::5])
def test_links_do_not_depend_on_the_order_of_arrival(
    judging: Memory, clock: SteadyClock, order: tuple[int, ...]
) -> None:
    for each in order:
        at, text = STORY[each]
        say(judging, text, at=at)
        clock.advance(minutes=1)
        judging.run_jobs()
    assert told(judging) == {
        ("My phone is a Nokia", "replaces", "My phone is a Fairphone"),
        ("My phone is a Nokia", "ends", "I have no phone now"),
        ("My phone is a Fairphone", "ends", "I have no phone now"),
    }


def test_many_messages_are_left_to_a_job(judging: Memory, clock: SteadyClock) -> None:
    start = clock.now() - timedelta(days=400)
    batch = [
        {"role": "user", "content": f"My thing{each % 40} is {each}", "at": (start + timedelta(hours=each)).isoformat()}
        for each in range(80)
    ]
    judging.add(batch, extract=False)
    [job] = judging.jobs()
    assert (job.kind, links(judging), judging.status().unjudged) == ("judge", [], 80)
    assert judging.run_jobs() == JobsRun(done=1)
    assert (len(links(judging)), judging.status().unjudged) == (40, 0)


def test_a_judge_that_fails_keeps_nothing_from_being_written(
    judging: Memory, clock: SteadyClock, judge: TinyJudge
) -> None:
    say(judging, "My phone is a Nokia")
    judge.broken = True
    clock.advance(days=1)
    newer = say(judging, "My phone is a Fairphone")
    assert store_of(judging).archive.observation("default", newer) is not None
    assert judging.run_jobs() == JobsRun(done=0, failed=1)
    assert judging.status().unjudged == 1
    judge.broken = False
    clock.advance(hours=1)
    assert judging.run_jobs() == JobsRun(done=1)
    assert told(judging) == {("My phone is a Nokia", "replaces", "My phone is a Fairphone")}


def test_another_model_judges_everything_anew_in_the_background(judging: Memory, clock: SteadyClock) -> None:
    say(judging, "My phone is a Nokia")
    clock.advance(days=1)
    say(judging, "My phone is a Fairphone")
    with_judge(judging, TinyJudge("tiny/2"))
    clock.advance(days=1)
    say(judging, "My bike is red")
    assert judging.status().unjudged == 2
    assert [link.model for link in links(judging)] == ["tiny/1"]
    assert judging.run_jobs() == JobsRun(done=1)
    assert [link.model for link in links(judging)] == ["tiny/2"]
    assert judging.status().judges == ("tiny/2",)


@pytest.mark.parametrize("background", [False, True])
def test_reindexing_makes_links_anew(judging: Memory, clock: SteadyClock, background: bool) -> None:
    say(judging, "My phone is a Nokia")
    clock.advance(days=1)
    say(judging, "My phone is a Fairphone")
    [before] = links(judging)
    clock.advance(days=1)
    judging.reindex(background=background)
    if background:
        judging.run_jobs()
    [after] = links(judging)
    assert (after.older, after.newer, after.judged_at > before.judged_at) == (before.older, before.newer, True)


def test_a_corrected_note_is_compared_anew(judging: Memory, clock: SteadyClock) -> None:
    note = judging.save("My bike is blue")
    clock.advance(days=1)
    say(judging, "My phone is a Fairphone")
    assert links(judging) == []
    judging.update(note.id, text="My phone is a Nokia")
    judging.run_jobs()
    assert told(judging) == {("My phone is a Nokia", "replaces", "My phone is a Fairphone")}
    judging.update(note.id, text="My bike is green")
    judging.run_jobs()
    assert links(judging) == []


def test_forgetting_a_message_takes_its_links_along(judging: Memory, clock: SteadyClock) -> None:
    older = say(judging, "My phone is a Nokia")
    clock.advance(days=1)
    newer = say(judging, "My phone is a Fairphone")
    judging.forget(newer)
    assert (links(judging), rows(store_of(judging), "SELECT newer FROM statement_link")) == ([], [])
    assert store_of(judging).archive.observation("default", older) is not None


def test_a_dry_run_judges_nothing(judging: Memory, judge: TinyJudge) -> None:
    say(judging.dry_run(), "My phone is a Nokia")
    assert rows(store_of(judging), "SELECT * FROM judgement") == []


def test_without_a_judge_nothing_is_judged(memory: Memory) -> None:
    say(memory, "My phone is a Nokia")
    assert (memory.jobs().items, memory.status().unjudged, memory.status().judges) == ((), 0, ())
