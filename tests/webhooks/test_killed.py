"""A process that dies between a commit and its delivery, or in the middle of one, leaves nothing untold."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler

import pytest

from recollect import Memory
from tests.support.clock import SteadyClock
from tests.support.receiver import receiving, says

WRITER = """
import os, signal
from recollect import Memory
memory = Memory(store={store!r}, home={home!r}, embedding="off")
print(memory.save("Said right before the end").id, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""

RUNNER = """
from recollect import Memory
Memory(store={store!r}, home={home!r}, embedding="off").run_jobs()
"""


# What is in memory dies with its process.
LASTING = pytest.mark.parametrize(
    "store_address", ["sqlite-file", pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True
)


@LASTING
def test_a_process_killed_after_its_commit_has_left_the_delivery(
    memory: Memory, store_address: str, clock: SteadyClock
) -> None:
    with receiving() as receiver:
        receiver.added_to(memory)
        program = WRITER.format(store=store_address, home=str(memory.settings.home))
        died = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
        assert died.returncode == -signal.SIGKILL, died.stderr
        assert receiver.came == []
        clock.advance(days=9999)  # past the clock of the machine, by which the other process wrote
        memory.run_jobs()
    assert [told["record_id"] for told in receiver.told] == [died.stdout.strip()]


@LASTING
def test_a_process_killed_while_it_delivers_is_followed_by_one_that_sends_the_same_id(
    memory: Memory, store_address: str, clock: SteadyClock
) -> None:
    came, over = threading.Event(), threading.Event()

    def hang(handler: BaseHTTPRequestHandler) -> None:
        came.set()
        over.wait()
        handler.close_connection = True

    with receiving(hang) as receiver:
        receiver.added_to(memory)
        note = memory.save("Said to somebody who hangs on")
        program = RUNNER.format(store=store_address, home=str(memory.settings.home))
        with subprocess.Popen([sys.executable, "-c", program]) as runner:
            assert came.wait(60)
            os.kill(runner.pid, signal.SIGKILL)
        over.set()
        receiver.answer = says(204)
        clock.advance(days=9999)  # past the lease of the one that died
        memory.run_jobs()
    told = [each for each in receiver.told if each["version"] == 1]  # later, upkeep marks the old note as faded
    assert [each["record_id"] for each in told] == [note.id, note.id]
    assert len({each["id"] for each in told}) == 1
    assert [each.status for each in memory.deliveries() if each.event_id == told[0]["id"]] == [204]
