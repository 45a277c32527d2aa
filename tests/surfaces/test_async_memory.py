"""`AsyncMemory` is `Memory`, awaited: nothing is missing, nothing is spelled differently."""

from __future__ import annotations

import inspect

import pytest

from recollect import AsyncMemory, Memory
from recollect.operations import operations_of


def test_every_verb_of_memory_can_be_awaited() -> None:
    assert operations_of(AsyncMemory) == operations_of(Memory)


@pytest.mark.parametrize("name", operations_of(Memory))
def test_a_verb_takes_the_same_arguments_when_it_is_awaited(name: str) -> None:
    method = operations_of(Memory)[name].method
    awaited, plain = getattr(AsyncMemory, method), getattr(Memory, method)

    assert inspect.iscoroutinefunction(awaited)
    assert inspect.signature(awaited) == inspect.signature(plain)
    assert awaited.__doc__ == plain.__doc__
