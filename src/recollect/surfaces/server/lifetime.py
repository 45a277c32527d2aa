"""How long a server and its connections live: idle ends, growth begins anew, slow heads are closed, garbage waits.

The port stays open all the while: who connects in between waits in its queue for a moment and is answered. Connections
that were open and idle are closed, as by any server that stops. The port is handed to the new beginning the way systemd
hands over sockets.

uvicorn waits for a head as long as it takes. The time runs from the first byte of a head, or from the beginning of the
connection, and is not begun anew by further bytes.

Python's collector stops every thread while it walks all objects that are alive. Beside a request that holds a million
of them a full collection took a third of a second, and a health check waited for it. So what a server is made of is set
aside once, only young objects are collected while a verb runs, and a full collection waits for a moment without one.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NoReturn

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from recollect.domain.dataclass import dataclass
from recollect.surfaces.reception.guard import Application, Receive, Scope, Send

_LOOKS_IN_A_WHILE = 20  # so the end comes at most a twentieth late


class Watched:
    """An application, and since when nothing has been under way in it."""

    def __init__(self, inner: Application, now: Callable[[], float] = time.monotonic) -> None:
        self._inner = inner
        self._now = now
        self._under_way = 0
        self._since = now()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
            return
        self._under_way += 1
        try:
            await self._inner(scope, receive, send)
        finally:
            self._under_way -= 1
            self._since = self._now()

    @property
    def idle_seconds(self) -> float:
        """How long nobody has asked anything; a stream that is open counts as being asked."""
        return 0.0 if self._under_way else self._now() - self._since


@contextlib.contextmanager
def ended_when_idle(running: uvicorn.Server, watched: Watched, seconds: float | None) -> Iterator[None]:
    """Ask the server to stop, as a signal would, once it was idle for so long; never, for `None`."""
    if seconds is None:
        yield
        return
    done = threading.Event()

    def watch() -> None:
        while not done.wait(seconds / _LOOKS_IN_A_WHILE):
            if watched.idle_seconds >= seconds:
                running.should_exit = True

    thread = threading.Thread(target=watch, daemon=True, name="recollect-idle")
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


MEGABYTES = 2000  # that a server may take by default; with a model and 10,000 notes one took 520, mapped files included

_FIRST_FD = 3  # where systemd puts the first socket it hands over
_ANEW = "recollect-anew"  # what a socket is called that we handed to ourselves
_STATUS = Path("/proc/self/status")
_LOG = logging.getLogger("recollect.http")


@dataclass(frozen=True, slots=True)
class Ceiling:
    """How much memory a server may take, and how it is watched; times are in seconds.

    `rest` is how long a new beginning is left alone: one that is too large from the start would never do anything else.
    """

    most: int  # bytes
    every: float = 5.0
    rest: float = 600.0

    @contextlib.contextmanager
    def watched(self, reached: Callable[[], None]) -> Iterator[None]:
        """Call `reached` once, when it is, from a thread that ends with this."""
        over = threading.Event()

        def watch() -> None:
            began = time.monotonic()
            while not over.wait(self.every):
                taken = own_bytes()
                if taken is not None and taken > self.most and time.monotonic() - began >= self.rest:
                    _LOG.warning("the server takes %d MB and begins anew", taken // 1_000_000)
                    reached()
                    return

        thread = threading.Thread(target=watch, name="recollect-ceiling", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def own_bytes() -> int | None:
    """The memory that is this process's own; files that are only mapped do not count. `None` where nobody says."""
    try:
        lines = _STATUS.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("RssAnon:")), None)


def begin_anew(port: socket.socket, arguments: Sequence[str]) -> NoReturn:
    """Become a new process with the same arguments, which goes on listening where this one did."""
    os.dup2(port.fileno(), _FIRST_FD, inheritable=True)
    environment = {**os.environ, "LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1", "LISTEN_FDNAMES": _ANEW}
    os.execve(sys.executable, [sys.executable, *arguments], environment)  # noqa: S606 - ourselves, with what we were given


def handed_over() -> tuple[socket.socket, bool] | None:
    """The port that this process was given to listen on, and whether it has begun anew; `None` if it was given none."""
    meant = os.environ.get("LISTEN_PID") == str(os.getpid())
    given = (os.environ.pop("LISTEN_FDS", ""), os.environ.pop("LISTEN_FDNAMES", ""))
    os.environ.pop("LISTEN_PID", None)
    if not meant or given[0] != "1":
        return None
    os.set_inheritable(_FIRST_FD, False)
    return socket.socket(fileno=_FIRST_FD), given[1] == _ANEW


def numbers_left(*names: str) -> tuple[int, ...] | None:
    """The numbers that whoever started this process left for it under these names; `None` if there are none."""
    return tuple(int(os.environ[name]) for name in names) if names[0] in os.environ else None


class PatientProtocol(H11Protocol):
    """The protocol of uvicorn, with an end to its patience."""

    head_seconds = 15.0
    _due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin()

    def handle_events(self) -> None:
        super().handle_events()
        awaiting_head = self.conn.their_state is h11.IDLE
        begun = bool(self.conn.trailing_data[0])
        if awaiting_head and begun:
            self._begin()
        elif not awaiting_head:
            self._end()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end()
        super().connection_lost(exc)

    def _begin(self) -> None:
        if self._due is None:
            self._due = self.loop.call_later(self.head_seconds, self.transport.close)

    def _end(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None


_YOUNG, _MIDDLE = 2_000, 10  # objects, and looks at the young: the longer of both looks takes some 5 ms
_NEVER = 1_000_000_000  # looks at the middle generation before a full collection that nobody asked for
_WORTH_IT = 5  # looks at the middle generation, so some 100,000 objects were made and outlived one
_EVERY = 0.5  # seconds between two looks at whether one is due
_PATIENCE = 300.0  # seconds; a server that is never idle is held up for a moment rather than grow


def is_due(middle_looks: int, under_way: int, seconds: float) -> bool:
    """Whether to collect the whole heap, so long after the last time."""
    return middle_looks >= _WORTH_IT and (under_way == 0 or seconds >= _PATIENCE)


@contextlib.contextmanager
def collected_between_verbs(under_way: Callable[[], int]) -> Iterator[None]:
    """Take full collections into our own hands, on a thread that ends with this."""
    before, over = gc.get_threshold(), threading.Event()

    def watch() -> None:
        last = time.monotonic()
        while not over.wait(_EVERY):
            if is_due(gc.get_count()[2], under_way(), time.monotonic() - last):
                gc.collect()
                last = time.monotonic()

    thread = threading.Thread(target=watch, name="recollect-garbage", daemon=True)
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        gc.set_threshold(*before)
        gc.unfreeze()
