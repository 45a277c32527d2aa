"""How much work something is, and whether it grows faster than what it is done with.

Calls are counted, which a busy machine does not change. Inside a single call of the interpreter's own, such as a search
by a pattern, only processor time tells: it counts where it is well above what a clock can tell, and only if a second
look says the same.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any


def calls_made(work: Callable[[], Any], *, only: str = "") -> int:
    """The functions that are entered while something is done, those of built-in objects included.

    `only` counts the functions of Python that have this name.
    """
    count = 0

    def counting(frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal count
        if (event == "call" and frame.f_code.co_name == only) if only else event in ("call", "c_call"):
            count += 1

    before = sys.getprofile()
    sys.setprofile(counting)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


FLOOR = 0.03  # seconds of processor time; below it nothing is said of growth
_FOUR_TIMES = 8  # how much longer four times as much may take: in proportion it is 4, in the square 16


def processor_time(work: Callable[[], Any]) -> float:
    """The seconds that the processor is at it."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def grows_too_fast(work: Callable[[int], Any], size: int, *, tries: int = 3) -> str:
    """How much longer four times a size takes, if that is far from four times as long; otherwise nothing."""
    told = ""
    for _ in range(tries):
        once, four_times = (processor_time(partial(work, each)) for each in (size, 4 * size))
        if four_times < FLOOR or four_times < _FOUR_TIMES * once:
            return ""
        told = f"{size:,} take {once:.3f} s, {4 * size:,} take {four_times:.3f} s"
    return told
