"""A process is killed between the commit and its answer. Whoever asks again with the same key gets one effect."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from tests.chaos.children import Child, run
from tests.support.postgres import Server

pytestmark = pytest.mark.chaos

# What each request adds: notes, and versions of notes.
EFFECTS = {"save": (1, 1), "update": (0, 1), "supersede": (1, 2), "retract": (0, 1)}


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "memory.db")
    else:
        server: Server = request.getfixturevalue("postgres_server")
        with server.database() as made:
            yield made


@pytest.mark.parametrize("moment", ["before the commit", "after the commit"])
def test_a_request_whose_answer_was_lost_is_done_once_when_it_is_repeated(
    address: str, moment: str, tmp_path: Path
) -> None:
    with Memory(store=address, home=tmp_path) as memory:
        for verb, effect in EFFECTS.items():
            note = memory.save(f"a note to {verb}")
            before = held(memory)
            request = (address, tmp_path, verb, note.id, f"key of {verb}")

            with Child("keyed_request", *request, moment) as killed:
                assert killed.outcome() == -signal.SIGKILL
                assert killed.heard == []
            done_already = moment == "after the commit"
            assert held(memory) == (added(before, effect) if done_already else before), verb

            first, second = (fact["answer"] for fact in run("keyed_request", *request))
            assert first == second
            assert held(memory) == added(before, effect), verb
        assert memory.doctor().healthy


def held(memory: Memory) -> tuple[int, int]:
    """How many notes there are, and how many versions of them."""
    space = memory.describe_space("default")
    return space.notes, space.versions


def added(before: tuple[int, int], effect: tuple[int, int]) -> tuple[int, int]:
    return before[0] + effect[0], before[1] + effect[1]
