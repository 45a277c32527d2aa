"""Chat stories of our own: what must be known from them, what must not be believed, and which question answers what."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bench.stories import ABSENT, Told, main, run, tell

STORIES = Path(__file__).parent / "stories" / "stories-few.jsonl"
# Told in fragments, or of somebody who gave or did it: the rules leave these to their messages (decision 0145).
LEFT_TO_MESSAGES = {"ferry cook", "parrot", "Mr. Okoro", "two reviews", "geography teacher", "ferret"}


@pytest.fixture(scope="module")
def told() -> list[Told]:
    lines = STORIES.read_text(encoding="utf-8").splitlines()
    return [tell(story["user"], story) for story in map(json.loads, lines)]


def test_nothing_is_believed_that_was_only_joked_about_wished_for_or_somebody_elses(told: list[Told]) -> None:
    assert [(each.name, claim["value"], held.text) for each in told for claim, held in each.false()] == []


def test_what_is_over_is_no_longer_held(told: list[Told]) -> None:
    assert [(each.name, claim["value"], held.text) for each in told for claim, held in each.stale()] == []


def test_every_fact_that_is_told_plainly_is_known_of_whoever_it_is_about(told: list[Told]) -> None:
    for each in told:
        known = [claim["value"] for claim, _ in each.known()]
        plain = [claim["value"] for claim in each.story["facts"] if claim["value"] not in LEFT_TO_MESSAGES]
        assert known == plain, each.name


def test_every_question_finds_its_answer_before_what_is_stale(told: list[Told]) -> None:
    asked = [(each.name, question) for each in told for question in each.asked]
    assert [(name, each.ask, each.found) for name, each in asked if each.place != 0] == []


def test_every_fact_that_is_held_is_judged_by_a_claim_or_by_hand(told: list[Told]) -> None:
    each = told[0]
    first, *_ = each.current
    label = {"subject": first.subject, "attribute": first.attribute, "value": first.value}

    for verdict in ("wrong", "stale", "right"):
        labelled = replace(each, story={**each.story, "held": [{**label, "verdict": verdict}]})
        assert labelled.verdict(first) == verdict
    silent = replace(each, story={**each.story, "facts": [], "past": [], "not_facts": [], "held": []})
    assert {silent.verdict(fact).value for fact in silent.current} == {"unjudged"}


def test_the_card_has_the_shares_of_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(STORIES), "--json"]) == 0
    [table] = json.loads(capsys.readouterr().out)["tables"]
    [row] = table["rows"]
    assert (row["false_facts_%"], row["stale_facts_%"], row["known_%"]) == (0, 0, 70)


def test_a_folder_without_stories_is_named_and_nothing_is_scored(tmp_path: Path) -> None:
    [table] = run([tmp_path])
    assert table.skipped == ABSENT
