"""Garbage collection of the server: the whole heap is looked through only between verbs.

Python's collector stops every thread while it walks all objects that are alive. Beside a request that holds a million
of them a full collection took a third of a second, and a health check waited for it. So what a server is made of is set
aside once, only young objects are collected while a verb runs, and a full collection waits for a moment without one.
"""

from __future__ import annotations

import contextlib
import gc
import threading
import time
from collections.abc import Callable, Iterator

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
