"""Runners that form conversations are killed again and again: each conversation takes effect once, in its order."""

from __future__ import annotations

import random
import secrets
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.brain import ConversationStage
from recollect.domain.changes import ChangeKind
from tests.chaos.children import crowd
from tests.chaos.conftest import Figures, figures
from tests.chaos.effort import FULL, LIMIT
from tests.jobs.test_killed_runners import address, home, killed_until_done, memory
from tests.support.raw import store_of

pytestmark = [pytest.mark.chaos, LIMIT]
__all__ = ["address", "figures", "home", "memory"]  # fixtures

CONVERSATIONS, SPACES, KILLS = (1000, 20, 50) if FULL else (12, 3, 4)
TOWNS = [f"{first}{last}" for first in ("Mar", "Kel", "Bra", "Nor", "Wes") for last in ("ton", "wick", "ford", "by")]


def test_each_conversation_is_formed_once_and_in_order_however_often_runners_are_killed(
    memory: Memory, address: str, home: Path, figures: Figures
) -> None:
    seed = secrets.randbits(32)
    spaces = [f"space-{number}" for number in range(SPACES)]
    for space in spaces:
        memory.create_space(space)
    for number in range(CONVERSATIONS):
        turn = number // SPACES
        said = [
            {"role": "user", "content": f"I moved to {TOWNS[turn % len(TOWNS)]}."},
            {"role": "assistant", "content": "I will remember that."},
        ]
        memory.form_conversation(said, topic=f"move {turn}", space=spaces[number % SPACES])
    with crowd(4, "job_runner", address, home) as runners:
        kills = killed_until_done(memory, runners, random.Random(seed), most=KILLS)
    figures(f"seed {seed}: {CONVERSATIONS} conversations in {SPACES} spaces, {kills} kills")
    each = CONVERSATIONS // SPACES
    for space in spaces:
        found = {one.job_id: one for one in memory.conversations(limit=1000, space=space)}
        assert {one.stage for one in found.values()} == {ConversationStage.COMPLETED}
        changes = store_of(memory).log.changes_after(space, 0, limit=100_000)
        done = [
            found[change.record_id].id
            for change in changes
            if change.kind is ChangeKind.JOB_DONE and change.record_id in found
        ]
        assert done == list(range(1, each + 1))
        lived = memory.history(subject="user", attribute="location", space=space)
        assert [step.note.value for step in lived.steps] == [TOWNS[turn % len(TOWNS)] for turn in range(each)]
        assert memory.describe_space(space).observations == 2 * each
