"""What people see of the days of a space: bars, and the newest days in numbers, as wide as the screen."""

from __future__ import annotations

import pytest

from recollect import Memory
from recollect.domain.origin import Caller, Channel
from recollect.surfaces.cli.parsing import Request, parse
from recollect.surfaces.cli.terminal import Terminal, width_of
from recollect.surfaces.cli.verb_call import carry_out
from tests.support.clock import SteadyClock


@pytest.mark.parametrize("columns", [72, 140, None])
def test_the_days_of_a_space_fit_the_screen(clock: SteadyClock, columns: int | None) -> None:
    with Memory(store=":memory:", clock=clock, caller=Caller(Channel.CLI, "tester")) as memory:
        request = parse(["activity", "--limit", "90"])
        assert isinstance(request, Request)
        assert carry_out(memory, request, Terminal(width=columns)).asides == ("Nothing happened here yet.",)
        for day in range(40):
            for number in range(day % 3):
                memory.save(f"Fact {number} of day {day}")
            memory.search("fact")
            clock.advance(days=1)
        lines = carry_out(memory, request, Terminal(width=columns)).lines
    assert columns is None or all(width_of(line) <= columns for line in lines), lines
    [learned] = [line for line in lines if line.startswith("learned")]
    assert "▄█" in learned and learned.endswith(" 39")
    assert not [line for line in lines if line.startswith("forgotten")]
    assert any(line.startswith("2026-02-09") for line in lines)
    assert columns is not None or sum(line.startswith("2026-") for line in lines) == 41
