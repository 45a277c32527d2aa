"""Time something, and say how the times are spread. The unit of every time in here is the second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ParamSpec, TypeVar

from bench.figures import percentile

P = ParamSpec("P")
T = TypeVar("T")


def timed(act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> tuple[float, T]:
    """How long one call took, and what it returned."""
    begin = time.perf_counter()
    answer = act(*args, **kwargs)
    return time.perf_counter() - begin, answer


def times(act: Callable[..., object], inputs: Iterable[Any]) -> list[float]:
    """How long the call took for each input."""
    return [timed(act, each)[0] for each in inputs]


def median(values: Sequence[float]) -> float:
    return percentile(values, 0.5)


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """The columns of a latency: 50, 95 and 99 of a hundred took at most this long."""
    return {f"p{share}_ms": percentile(seconds, share / 100) * 1000 for share in (50, 95, 99)}


def cpu(seconds: Sequence[float]) -> dict[str, float]:
    """The same of processor time, which counts what this process did and not how long it waited for its turn."""
    return {f"cpu_p{share}_ms": percentile(seconds, share / 100) * 1000 for share in (50, 95)}


def say(message: str) -> None:
    """What is being done, for someone who waits. Figures go to standard output, this does not."""
    print(message, file=sys.stderr, flush=True)
