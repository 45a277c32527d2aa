"""Several calls at the same moment, each on a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")

PATIENCE = 120  # seconds until a call that does not come back fails the test


class Outcome(Generic[T]):
    """What a call gave back, or the error it ended with."""

    def __init__(self) -> None:
        self.error: BaseException | None = None
        self._value: list[T] = []

    @property
    def value(self) -> T:
        if self.error is not None:
            raise self.error
        return self._value[0]

    def take(self, call: Callable[[], T]) -> None:
        try:
            self._value.append(call())
        except BaseException as problem:
            self.error = problem


def at_once(calls: Sequence[Callable[[], T]]) -> list[Outcome[T]]:
    """Start all calls together and wait for all of them."""
    gate = threading.Barrier(len(calls))
    outcomes: list[Outcome[T]] = [Outcome() for _ in calls]

    def run(call: Callable[[], T], outcome: Outcome[T]) -> None:
        gate.wait(PATIENCE)
        outcome.take(call)

    threads = [threading.Thread(target=run, args=pair, daemon=True) for pair in zip(calls, outcomes, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive(), "a call did not come back"
    return outcomes
