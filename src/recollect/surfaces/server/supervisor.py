"""Several server processes on one port, under one that starts them, begins anew those that die, and ends them together.

The supervisor takes the port and hands it to each process; whichever is free takes the next connection. It answers
nothing itself. Each process holds the end of a pipe whose other end only the supervisor has: when that one dies,
however it dies, they notice and end in order.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from types import FrameType

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import Misconfigured
from recollect.settings import environment_for
from recollect.surfaces.server.lifetime import numbers_left

PAGES = "processes"  # the folder in the home where each process leaves its figures

_NUMBER, _PORT, _TETHER = "RECOLLECT_PROCESS", "RECOLLECT_PROCESS_PORT", "RECOLLECT_PROCESS_TETHER"
_LOOK_EVERY = 0.1  # seconds between two looks at who has died
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 10.0  # seconds before one that died at once is begun anew
_LASTING = 10.0  # seconds after which a process counts as one that works
_ENDING = 30.0  # seconds for all of them to finish what is under way
_REFUSALS = (2, 7)  # codes of the program for arguments, settings and packages: another attempt would end the same

_log = logging.getLogger("recollect.http")


@dataclass(frozen=True, slots=True)
class Membership:
    """The place of this process among those of a supervisor: its number, from 0, and what it was handed."""

    number: int
    port: int  # file descriptor
    tether: int  # file descriptor

    @property
    def is_first(self) -> bool:
        """Whether it does what one of them has to do: watch folders and the spool of hooks."""
        return self.number == 0

    def socket(self) -> socket.socket:
        return socket.socket(fileno=os.dup(self.port))

    def when_orphaned(self, end: Callable[[], None]) -> None:
        """Call that once the supervisor is gone."""

        def wait() -> None:
            os.read(self.tether, 1)
            end()

        threading.Thread(target=wait, name="recollect-tether", daemon=True).start()


def membership() -> Membership | None:
    """The place of this process, if a supervisor started it."""
    told = numbers_left(_NUMBER, _PORT, _TETHER)
    return Membership(*told) if told else None


def supervise(port: socket.socket, processes: int, arguments: Sequence[str]) -> None:
    """Keep so many processes running until a signal says stop; then end them, and wait until they have.

    If each of them refuses its arguments or settings from the beginning, there is nobody to begin anew.
    """
    held, tether = os.pipe()
    children: dict[int, _Child] = {number: _Child(number) for number in range(processes)}
    try:
        with _stopped_by_signals() as stopped:
            while not stopped.wait(_LOOK_EVERY):
                for child in children.values():
                    child.keep_up(arguments, port.fileno(), held)
                if all(child.has_refused for child in children.values()):
                    raise Misconfigured(
                        "No process of the server could begin.", hint="What each of them said is above."
                    )
    finally:
        os.close(tether)
        for child in children.values():
            child.ask_to_end()
        until = time.monotonic() + _ENDING
        for child in children.values():
            child.end(until)
        os.close(held)


class _Child:
    """One process, begun anew as often as it dies."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._process: subprocess.Popen[bytes] | None = None
        self._begun = 0.0
        self._pause = 0.0
        self._next = 0.0
        self._has_lasted = False
        self.has_refused = False  # whether it has never worked, and ended because of how it was started

    def keep_up(self, arguments: Sequence[str], port: int, tether: int) -> None:
        """Begin it, unless it runs or has died too soon to be begun at once."""
        now = time.monotonic()
        if self._process is not None:
            code = self._process.poll()
            if code is None:
                return
            lasted = now - self._begun > _LASTING
            self._has_lasted |= lasted
            self.has_refused = code in _REFUSALS and not self._has_lasted
            self._pause = 0.0 if lasted else min(_LONGEST_PAUSE, max(_FIRST_PAUSE, 2 * self._pause))
            self._next = now + self._pause
            self._process = None
            _log.warning("process %d ended with %s; another begins in %.1f s", self._number, code, self._pause)
        if now >= self._next:
            told = {_NUMBER: str(self._number), _PORT: str(port), _TETHER: str(tether)}
            command = [sys.executable, *arguments]
            environment = {**environment_for("recollect_process"), **told}
            self._process = subprocess.Popen(command, env=environment, pass_fds=(port, tether))  # noqa: S603
            self._begun = now

    def ask_to_end(self) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()

    def end(self, until: float) -> None:
        if self._process is None:
            return
        try:
            self._process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


@contextlib.contextmanager
def _stopped_by_signals() -> Iterator[threading.Event]:
    asked = threading.Event()

    def ask(_signal: int, _frame: FrameType | None) -> None:
        asked.set()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, former in before.items():
            signal.signal(number, former)


def work(started: Callable[[], contextlib.AbstractContextManager[object]]) -> None:
    """Do something in the background until a signal says stop; what is under way then comes to its end."""
    with _stopped_by_signals() as stopped, started():
        stopped.wait()
