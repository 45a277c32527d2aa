"""Conversations on their way into memory: written one after the other, off the path of whoever talks.

The queue is bounded. When it is full the newest is let go, with a line in the log: a chat must not wait for memory, and
must not fill the machine's memory either.
"""

from __future__ import annotations

import atexit
import logging
import threading
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from time import monotonic

from recollect.domain.dataclass import dataclass
from recollect.wrapping.conversation import Attribution

_MOST = 1000  # conversations that wait
_AT_EXIT = 5.0  # seconds
_IDLE = 30.0  # seconds after which the thread ends, until there is something to write again

_log = logging.getLogger("recollect.wrap")


@dataclass(frozen=True, slots=True)
class Exchange:
    """The messages of one turn, in order, and the user, session and space they belong to."""

    messages: Sequence[dict[str, str]]
    whose: Attribution


class WriteQueue:
    """A queue with one thread, which begins with the first exchange."""

    def __init__(self, write: Callable[[Exchange], None], *, most: int = _MOST) -> None:
        self._write, self._most = write, most
        self._waiting: deque[Exchange] = deque()
        self._changed = threading.Condition()
        self._busy = False
        self._thread: threading.Thread | None = None

    def put(self, exchange: Exchange) -> bool:
        """Take an exchange in; false if there is no room for it."""
        with self._changed:
            if len(self._waiting) >= self._most:
                _log.warning("Memory is behind by %d conversations; one more was not remembered.", self._most)
                return False
            self._waiting.append(exchange)
            if self._thread is None or not self._thread.is_alive():  # after a fork there is none
                self._thread = threading.Thread(target=self._work, name="recollect-wrap", daemon=True)
                self._thread.start()
                _OPEN.add(self)
            self._changed.notify_all()
        return True

    def flush(self, seconds: float) -> bool:
        """Wait until everything is written, or for so long; whether it is."""
        end = monotonic() + seconds
        with self._changed:
            while self._waiting or self._busy:
                left = end - monotonic()
                if left <= 0:
                    return False
                self._changed.wait(left)
        return True

    def _work(self) -> None:
        while True:
            with self._changed:
                if not self._waiting and not self._changed.wait_for(lambda: bool(self._waiting), _IDLE):
                    self._thread = None
                    return
                exchange, self._busy = self._waiting.popleft(), True
            try:
                self._write(exchange)
            except Exception as problem:
                _log.warning("A conversation was not remembered: %s", type(problem).__name__)
            finally:
                with self._changed:
                    self._busy = False
                    self._changed.notify_all()


_OPEN: weakref.WeakSet[WriteQueue] = weakref.WeakSet()


@atexit.register
def _flush_all() -> None:
    end = monotonic() + _AT_EXIT
    late = [queue for queue in list(_OPEN) if not queue.flush(max(0.0, end - monotonic()))]
    if late:
        _log.warning("The process ended before every conversation was remembered.")
