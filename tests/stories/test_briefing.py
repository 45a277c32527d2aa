"""Before an agent starts on something it is told what always counts and what the topic calls up, fenced as data."""

from __future__ import annotations

from recollect import Memory
from recollect.domain.answers.recollections import Coverage


def test_a_briefing_has_what_is_pinned_who_it_is_for_and_the_topic(memory: Memory) -> None:
    memory.save("Never push to main without a review", pinned=True)
    memory.learn("user", "manager", "Priya")
    memory.save("We deploy storefront with make release")
    memory.save("The cellar is damp")

    brief = memory.brief("deploy storefront")

    assert [line.text for line in brief.lines] == [
        "Never push to main without a review",
        "User's manager is Priya.",
        "We deploy storefront with make release",
    ]
    assert brief.block.startswith("<recollect-") and brief.tokens <= brief.budget
    assert brief.receipt is not None and memory.why(brief.receipt).answered


def test_without_a_topic_it_says_what_always_counts(memory: Memory) -> None:
    memory.learn("user", "manager", "Priya")
    brief = memory.brief()
    assert (len(brief.lines), brief.coverage, brief.receipt) == (1, Coverage.FULL, None)


def test_it_keeps_to_its_budget_and_leaves_half_of_it_to_the_topic(memory: Memory) -> None:
    for number in range(40):
        memory.save(f"Rule {number}: always do the usual thing in the usual way", pinned=True)
    memory.save("The red door opens with the brass key")

    brief = memory.brief("which key opens the red door", budget=200)

    assert brief.tokens <= 200
    assert "The red door opens with the brass key" in [line.text for line in brief.lines]
    assert any(line.text.startswith("Rule") for line in brief.lines)


def test_nothing_known_is_an_empty_block(memory: Memory) -> None:
    brief = memory.brief("anything at all")
    assert (brief.block, brief.coverage) == ("", Coverage.NONE)
    assert brief.skipped
