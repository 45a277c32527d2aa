"""What people see of webhooks: it fits the screen, a secret once, and never an address beyond its host."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from recollect import Memory
from recollect.domain.origin import Caller, Channel
from recollect.surfaces.cli.parsing import Request, parse
from recollect.surfaces.cli.terminal import Terminal, width_of
from recollect.surfaces.cli.verb_call import carry_out
from tests.support.clock import SteadyClock
from tests.support.receiver import receiving, says


@pytest.fixture
def memory(clock: SteadyClock) -> Iterator[Memory]:
    with Memory(store=":memory:", clock=clock, caller=Caller(Channel.CLI, "tester")) as opened:
        yield opened


def shown(memory: Memory, *words: str, columns: int = 100) -> str:
    request = parse(list(words))
    assert isinstance(request, Request)
    screen = carry_out(memory, request, Terminal(width=columns))
    lines = (*screen.lines, *screen.asides)
    assert all(width_of(line) <= columns for line in lines), lines
    return "\n".join(lines)


@pytest.mark.parametrize("columns", [72, 140])
def test_every_screen_of_webhooks_fits_its_width(memory: Memory, columns: int) -> None:
    assert "Nobody is told" in shown(memory, "webhooks", "list", columns=columns)
    added = shown(memory, "webhooks", "add", "ops", "https://127.0.0.1/in/the/cellar", columns=columns)
    assert "whsec_" in added and "cellar" not in added
    assert "Nothing was sent" in shown(memory, "webhooks", "deliveries", columns=columns)
    with receiving(says(503)) as receiver:
        receiver.added_to(memory, "here", events=["written", "erased"])
        assert "503 refused" in shown(memory, "webhooks", "test", "here", columns=columns)
        memory.save("Alice prefers tea")
        memory.run_jobs()
    assert "503" in shown(memory, "webhooks", "deliveries", columns=columns)
    listed = shown(memory, "webhooks", "list", columns=columns)
    assert "127.0.0.1" in listed and "cellar" not in listed and "whsec_" not in listed
    assert "told nothing any more" in shown(memory, "webhooks", "remove", "ops", columns=columns)


def test_a_dry_run_shows_that_nothing_is_written(memory: Memory) -> None:
    assert "nothing was written" in shown(memory, "webhooks", "add", "ops", "https://hooks.example", "--dry-run")
    assert memory.webhooks().items == ()
