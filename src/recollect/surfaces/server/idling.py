"""A server that was started on demand ends when nobody has needed it for a while."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

import uvicorn

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
