"""Full garbage collections wait for a moment in which the server does nothing else."""

from __future__ import annotations

import gc

import pytest

from recollect import Memory
from recollect.surfaces.server.lifetime import collected_between_verbs, is_due
from tests.surfaces.http.client import served


@pytest.mark.parametrize(
    ("middle_looks", "under_way", "seconds", "due"),
    [
        (0, 0, 1_000.0, False),  # hardly anything was made since the last one
        (5, 0, 0.5, True),
        (5, 1, 0.5, False),  # it would hold up the verb that runs, and whoever asks for health beside it
        (5, 1, 301.0, True),  # never idle
    ],
)
def test_a_full_collection_waits_until_no_verb_runs(
    middle_looks: int, under_way: int, seconds: float, due: bool
) -> None:
    assert is_due(middle_looks, under_way, seconds) is due


def test_a_server_collects_nothing_but_young_objects_by_itself_and_leaves_the_process_as_it_was(memory: Memory) -> None:
    before = gc.get_threshold()
    with served(memory) as anybody:
        assert anybody.get("/livez").status == 200
        assert gc.get_threshold()[2] > 1_000_000
        assert gc.get_freeze_count() > 0
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_while_a_verb_runs_what_it_holds_is_not_looked_through() -> None:
    full: list[int] = []

    def watched(phase: str, told: dict[str, int]) -> None:
        if phase == "start" and told["generation"] == 2:
            full.append(1)

    gc.callbacks.append(watched)
    try:
        with collected_between_verbs(lambda: 1):
            held = [[number] for number in range(500_000)]
            assert len(held) == 500_000
            assert not full
    finally:
        gc.callbacks.remove(watched)
