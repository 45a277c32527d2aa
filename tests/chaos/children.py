"""Child processes of a test: started, heard, frozen and killed. Every wait has a limit and fails with what was said."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias

Fact: TypeAlias = dict[str, Any]

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120.0  # seconds; far more than anything here takes, because the machine may be busy with other things


class Child:
    """A program of `tests.chaos.programs` in a process of its own."""

    def __init__(self, program: str, *arguments: object, under: Sequence[str] = ()) -> None:
        self.name = program
        self.heard: list[Fact] = []
        self._rest = b""
        self._ended = False
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the child
        self._process = subprocess.Popen(
            [*under, sys.executable, "-m", f"tests.chaos.programs.{program}", *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=ROOT,
            bufsize=0,
            start_new_session=True,  # so that it can be ended with everything it started
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def fileno(self) -> int:
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    def tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())

    def next(self) -> Fact:
        """The next thing it says that was not returned before."""
        if not listen([self], until=lambda: bool(self.heard)):
            raise self.failure("ended without saying more" if self._ended else "said nothing in time")
        return self.heard.pop(0)

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def finish(self) -> list[Fact]:
        """Wait until it has ended well by itself, and return what it said."""
        if self.outcome() != 0:
            raise self.failure(f"ended with {self._process.returncode}")
        return self.heard

    def outcome(self) -> int:
        """Wait until it has ended by itself, and return how: its exit code, or a signal's number, negative."""
        if not listen([self], until=lambda: self._ended):
            raise self.failure("did not end in time")
        try:
            return self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise self.failure("did not end in time") from None

    def read(self) -> None:
        """Take in what is there to be read now."""
        chunk = os.read(self.fileno(), 65536)
        self._ended = not chunk
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        self.heard.extend(json.loads(line) for line in lines)

    @property
    def ended(self) -> bool:
        return self._ended

    def failure(self, what: str) -> AssertionError:
        """What to raise when it did something it should not have, with all that is known about it."""
        self._errors.seek(0)
        errors = self._errors.read().decode(errors="replace")
        return AssertionError(f"{self.name} {what}. It said {self.heard[-5:]} and, on standard error:\n{errors}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait(PATIENCE)
        for pipe in (self._process.stdin, self._process.stdout, self._errors):
            assert pipe is not None
            pipe.close()


def listen(children: Sequence[Child], *, until: Callable[[], bool] = lambda: False, seconds: float = PATIENCE) -> bool:
    """Hear all of them until something holds; `False` if it did not within the time, or all have ended."""
    deadline = time.monotonic() + seconds
    while not until():
        speaking = [child for child in children if not child.ended]
        remaining = deadline - time.monotonic()
        if not speaking or remaining <= 0:
            return False
        ready, _, _ = select.select(speaking, [], [], remaining)
        for child in ready:
            child.read()
    return True


@contextmanager
def crowd(count: int, program: str, *arguments: object) -> Iterator[list[Child]]:
    """Several children of the same program, each told its number first; none outlives the block."""
    with ExitStack() as lives:
        yield [lives.enter_context(Child(program, number, *arguments)) for number in range(count)]


def start_together(children: Sequence[Child]) -> None:
    """Wait until all have said that they are ready, then let all of them go at once."""
    for child in children:
        assert child.next() == {"ready": True}
    for child in children:
        child.tell("go")


def run(program: str, *arguments: object) -> list[Fact]:
    """Run a program to its end and return what it said."""
    with Child(program, *arguments) as child:
        return child.finish()
