"""The pipeline is not what loses the facts of a perfect reader."""

from __future__ import annotations

from pathlib import Path

from bench.lift.__main__ import LEAST, lift
from bench.stories import stories_of

STORIES = Path(__file__).parent / "stories" / "stories-few.jsonl"


def test_what_a_perfect_reader_says_is_held_right() -> None:
    found = lift(stories_of(STORIES))

    assert found.put >= 20
    assert found.right >= LEAST, found.lost
