"""The power goes at every moment of every way of writing. What was acknowledged is there, and nothing is half-done."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory
from recollect.operations import Effect, operations_of
from tests.chaos.conftest import Figures
from tests.chaos.effort import LIMIT
from tests.chaos.old_database import make_old
from tests.chaos.power_loss import explore
from tests.chaos.soundness import database_of

pytestmark = [pytest.mark.chaos, LIMIT]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The top of the disk that loses its power."""
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


def test_no_power_loss_leaves_a_bad_state_whatever_is_being_written(root: Path, figures: Figures) -> None:
    explored = explore(root, 700)

    figures(str(explored))
    assert not explored.bad, "\n".join(explored.bad)
    assert explored.opened >= 300
    writing = {verb.name for verb in operations_of(Memory).values() if verb.effect is not Effect.READ}
    # What git does is tried in test_interrupted_syncs.py.
    assert {step.partition(" ")[0] for step in explored.steps} >= {*writing - {"sync", "revert"}, "open", "backup"}


def test_no_power_loss_leaves_a_bad_state_while_an_old_database_is_migrated(root: Path, figures: Figures) -> None:
    database = database_of(root / "data" / "recollect")
    make_old(str(database), schema=2)

    explored = explore(root, 200, "only open")

    figures(str(explored))
    assert not explored.bad, "\n".join(explored.bad)


def test_the_explorer_can_fail(root: Path, figures: Figures) -> None:
    """With `synchronous=NORMAL` what is acknowledged was not synced: states must be found in which it is lost."""
    explored = explore(root, 150, "synchronous=normal")

    figures(str(explored))
    assert any("lost" in objection for objection in explored.bad)
