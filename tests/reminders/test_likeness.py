"""A lesson in other words than the act's is told where the encoder finds it more alike than all others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from recollect.inference.models import ENCODER, folder_of
from tests.inference.making import installed_models
from tests.support.clock import SteadyClock

HOOKS = "Somebody skipped the hooks of a commit, and the keys were public."
LESSONS = (
    HOOKS,
    "Wiping the cache server logged everybody out.",
    "Invoices are rounded per line and not per total.",
    "The office printer eats envelopes.",
    "Ask Ines before a customer is called back.",
    "The sensor drifts when the lid is open.",
    "Meetings after four are never useful.",
    "Translations come back from the agency on Mondays.",
    "The map tiles of the old harbour are two years behind.",
    "Nobody may stand under the crane.",
)


@pytest.fixture
def taught(tmp_path: Path, clock: SteadyClock) -> Iterator[Memory]:
    encoder = str(folder_of(ENCODER, installed_models()))
    with Memory(store=":memory:", home=tmp_path / "home", embedding=encoder, clock=clock) as memory:
        for each in LESSONS:
            memory.add_lesson(each)
        clock.advance(minutes=1)
        yield memory


def told(memory: Memory, command: str) -> list[str]:
    return [each.line.text for each in memory.remind(command=command)]


def test_a_lesson_is_told_that_shares_hardly_a_word_with_the_act(taught: Memory) -> None:
    assert told(taught, "git commit --no-verify -m wip") == [HOOKS]
    assert told(taught, "redis-cli -h cache FLUSHALL") == [LESSONS[1]]
    for fine in ("git status", "cargo fmt", "mkdir -p build/out"):
        assert told(taught, fine) == [], fine


def test_it_is_not_told_before_an_act_that_was_done_since_it_was_known(taught: Memory) -> None:
    command = "redis-cli -h cache FLUSHALL"
    taught.observe("tool_use", "ok", tool="Bash", arguments={"command": command}, session="earlier")
    assert told(taught, command) == []
    assert told(taught, "redis-cli -h cache -n 1 FLUSHALL") == [LESSONS[1]], "another line is another act"
