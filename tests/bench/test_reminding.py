"""A small part of the replay: repeated mistakes are told before the act, and little else is."""

from __future__ import annotations

from pathlib import Path

from bench.reminding.__main__ import told
from bench.reminding.cut_off import chosen
from bench.reminding.history import history
from bench.reminding.replay import replay
from recollect import Memory


def test_repeated_mistakes_are_told_before_the_act_and_little_else_is(tmp_path: Path) -> None:
    played = history(8)
    with Memory(home=tmp_path / "home", embedding="off") as memory:
        outcome = replay(memory, played, tmp_path)
    assert outcome.planted.total() >= 18
    assert outcome.share >= 0.9, outcome.missed
    assert outcome.alarms <= 1.0, outcome.false
    assert "told before the act" in told(outcome)
    assert outcome.unrepeated == sum(not mistake.acts for mistake in played.mistakes) > 0
    assert f"mistakes without a repeat {outcome.unrepeated:>7,}" in told(outcome)


def test_every_mistake_of_the_history_can_be_repeated_and_avoided() -> None:
    found = history(100)
    assert len(found.mistakes) == 64 and len(found.sessions) == 100
    assert all((mistake.acts or mistake.first) and mistake.fine for mistake in found.mistakes)
    assert len({mistake.text or mistake.failed for mistake in found.mistakes}) == 64, "each is worded by itself"
    halves = [{mistake.number for mistake in history(1, half=half).mistakes} for half in ("looking", "final")]
    assert halves[0].isdisjoint(halves[1]) and len(halves[0] | halves[1]) == 64


def test_the_cut_off_is_the_lowest_with_as_few_false_alarms_as_are_wanted() -> None:
    calm = {-1.0: (0.98, 0.5), 0.0: (0.95, 0.4), 1.0: (0.9, 0.3)}
    loud = {-1.0: (0.99, 1.6), 0.0: (0.97, 1.0), 1.0: (0.93, 0.7)}
    assert chosen([calm], wanted=0.75) == -1.0
    assert chosen([calm, loud], wanted=0.75) == 0.0
    assert chosen([loud], wanted=0.75) == 1.0
    assert chosen([loud], wanted=0.1) == 1.0, "nothing is enough"
