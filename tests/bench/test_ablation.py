"""Taking the ranking apart: each variant misses one part, and a view of a memory ranks by its own weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.ablation import ABSENT, AS_IT_IS, GROUPS, run, variants, views
from recollect import Memory, Settings
from recollect.domain.dataclass import replace
from recollect.recall.steps import FOLLOWED
from recollect.recall.weights import WEIGHTS


def test_every_variant_misses_something() -> None:
    changed = {name for name, weights in variants().items() if weights != WEIGHTS}

    assert changed == set(variants()) - {AS_IT_IS}


def test_every_step_is_taken_away_once() -> None:
    without = [weights.off for weights in variants(["steps"]).values()]

    assert without == [frozenset(), *(frozenset({step.name}) for step in FOLLOWED)]


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_is_compared_with_the_weights_as_they_are(group: str) -> None:
    made = variants([group])

    assert made[AS_IT_IS] == WEIGHTS
    assert len(made) > 1


def test_a_view_ranks_by_its_own_weights_and_the_memory_by_its_own(memory: Memory) -> None:
    memory.save("The cellar is damp")
    before = memory.search("cellar").hits[0].score
    silent = replace(WEIGHTS, signs=replace(WEIGHTS.signs, tells=0.0))

    seen = views(memory, {"as it is": WEIGHTS, "silent": silent})

    assert seen["as it is"].search("cellar").hits[0].score == before
    assert seen["silent"].search("cellar").hits[0].score == pytest.approx(before - WEIGHTS.signs.tells)
    assert memory.search("cellar").hits[0].score == before


def test_stories_are_asked_once_for_each_part(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, store=":memory:", embedding="off")
    few = Path(__file__).parent / "stories" / "stories-few.jsonl"

    [table] = run(tmp_path, settings, stories=[few], quick=1, groups=["speech"])

    questions, as_it_is, without = table.rows
    assert questions["stories answered@1"] == questions["stories answered@5"] != "0"
    assert set(as_it_is) == set(without)


def test_without_data_it_says_what_it_looks_for(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, store=":memory:", embedding="off")

    [table] = run(tmp_path, settings, groups=["steps"])

    assert (list(table.rows), table.skipped) == ([], ABSENT)
