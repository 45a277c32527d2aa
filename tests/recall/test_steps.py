"""The steps after ranking: each is reported by its name, and none undoes another without a word."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from recollect.domain.answers.recollections import Hit
from recollect.domain.dataclass import replace
from recollect.domain.notes import Kind, Note
from recollect.domain.selections import Selection
from recollect.recall.gather import Gathered, Sources
from recollect.recall.question import understand
from recollect.recall.steps import AS_SELECTED, FOLLOWED, Inquiry, RankingStep, taken
from recollect.recall.weights import WEIGHTS

NOW = datetime(2026, 3, 9, tzinfo=UTC)


def hit(name: str, *why: str) -> Hit:
    return Hit(Note(name, "alice", 1, Kind.SEMANTIC, name, NOW, NOW), 1.0, why)


def inquiry(*off: str) -> Inquiry:
    nothing: Any = None
    sources = Sources(nothing, nothing, nothing, None, "alice", weights=replace(WEIGHTS, off=frozenset(off)))
    return Inquiry(sources, understand("what?", now=NOW, zone=UTC), Selection(), Gathered(), NOW)


def lifting(name: str, which: str) -> RankingStep:
    """A step that sets one hit before all others, and says nothing."""
    return RankingStep(name, lambda ranked, asked: (sorted(ranked, key=lambda each: each.id != which), asked))


def reasons(hits: list[Hit]) -> dict[str, tuple[str, ...]]:
    return {each.id: each.why for each in hits}


def test_every_step_has_a_name_of_its_own() -> None:
    names = [step.name for step in FOLLOWED]

    assert len(set(names)) == len(names)
    assert {step.name for step in AS_SELECTED} <= set(names)


def test_a_step_that_changes_the_first_place_is_named_on_both_hits() -> None:
    found, _ = taken([lifting("red first", "b")], [hit("a"), hit("b"), hit("c")], inquiry())

    assert reasons(found) == {"b": ("red first: first",), "a": ("red first: no longer first",), "c": ()}


def test_a_later_step_that_sets_another_one_first_says_so_too() -> None:
    steps = [lifting("red first", "b"), lifting("round first", "c")]

    found = reasons(taken(steps, [hit("a"), hit("b"), hit("c")], inquiry())[0])

    assert found["b"] == ("red first: first", "round first: no longer first")
    assert found["c"] == ("round first: first",)


def test_what_a_step_says_itself_is_not_said_again() -> None:
    found, _ = taken([lifting("red first", "b")], [hit("a"), hit("b", "red first: it is the reddest")], inquiry())

    assert found[0].why == ("red first: it is the reddest",)


def test_a_step_that_is_switched_off_is_not_taken() -> None:
    ranked = [hit("a"), hit("b")]

    assert taken([lifting("red first", "b")], ranked, inquiry("red first"))[0] == ranked


@pytest.mark.parametrize("steps", [FOLLOWED, AS_SELECTED])
def test_nothing_found_stays_nothing(steps: tuple[RankingStep, ...]) -> None:
    assert taken(steps, [], inquiry())[0] == []
