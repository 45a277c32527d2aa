"""Recall with a limit of time: a call that waits for memory waits no longer than it was told to.

When memory fails several times in a row it is left alone for a while, so that a memory that is down costs nothing.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from time import monotonic

from recollect.wrapping.attribution import Attribution

_UNDER_WAY = 8  # recalls at once; with more than that, memory is too slow to be waited for
_TIMES = 3  # failures in a row
_REST = 30.0  # seconds
_KEPT = 512  # turns whose block is known

_log = logging.getLogger("recollect.wrap")


class BoundedRecall:
    """Blocks for turns, each recalled once. A turn that got none, for whatever reason, gets none when it goes on."""

    def __init__(self, recall: Callable[[str, Attribution], str], *, seconds: float) -> None:
        self._recall, self.seconds = recall, seconds
        self._lock = threading.Lock()
        self._blocks: OrderedDict[tuple[str, Attribution], str] = OrderedDict()
        self._under_way = 0
        self._failures = 0
        self._rests_until = 0.0

    def known(self, key: str, whose: Attribution) -> str | None:
        """The block of a turn that has begun already; `None` for a new one."""
        with self._lock:
            return self._blocks.get((key, whose))

    def begun(self, query: str, whose: Attribution) -> Future[str] | None:
        """A recall on a thread of its own; `None` while memory rests or is overrun."""
        with self._lock:
            if self._under_way >= _UNDER_WAY or monotonic() < self._rests_until:
                return None
            self._under_way += 1
        future: Future[str] = Future()
        thread = threading.Thread(target=self._run, args=(future, query, whose), name="recollect-recall", daemon=True)
        try:
            thread.start()
        except BaseException:
            with self._lock:
                self._under_way -= 1
            raise
        return future

    def settled(self, key: str, whose: Attribution, block: str, problem: BaseException | None) -> str:
        """Keep the block of a turn, and count whether memory answered."""
        with self._lock:
            self._blocks[key, whose] = block
            while len(self._blocks) > _KEPT:
                self._blocks.popitem(last=False)
            self._failures = 0 if problem is None else self._failures + 1
            if self._failures >= _TIMES:
                self._failures, self._rests_until = 0, monotonic() + _REST
        if problem is not None:
            _log.warning("A call went without memory: %s", type(problem).__name__)
        return block

    def _run(self, future: Future[str], query: str, whose: Attribution) -> None:
        try:
            block = self._recall(query, whose)
        except BaseException as problem:  # whoever waits is told; a thread has nobody else to tell
            with suppress(InvalidStateError):  # nobody waits any more
                # What would end a process ends no caller of it.
                future.set_exception(
                    problem if isinstance(problem, Exception) else RuntimeError(type(problem).__name__)
                )
        else:
            with suppress(InvalidStateError):
                future.set_result(block)
        finally:
            with self._lock:
                self._under_way -= 1
