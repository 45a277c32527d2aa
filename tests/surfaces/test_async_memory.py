"""`AsyncMemory` is `Memory`, awaited: nothing is missing, nothing is spelled differently."""

from __future__ import annotations

import asyncio
import inspect
from pathlib import Path

import pytest

from recollect import AsyncMemory, Memory
from recollect.async_memory import AsyncAccess, AsyncAccounts
from recollect.domain.answers.upkeep import Progress
from recollect.operations import operations_of
from recollect.verbs.access import Access
from recollect.verbs.rights.accounts import Accounts


def test_every_verb_of_memory_can_be_awaited() -> None:
    assert operations_of(AsyncMemory) == operations_of(Memory)


@pytest.mark.parametrize("name", operations_of(Memory))
def test_a_verb_takes_the_same_arguments_when_it_is_awaited(name: str) -> None:
    method = operations_of(Memory)[name].method
    awaited, plain = getattr(AsyncMemory, method), getattr(Memory, method)

    assert inspect.iscoroutinefunction(awaited)
    assert inspect.signature(awaited) == inspect.signature(plain)
    assert awaited.__doc__ == plain.__doc__


def _methods(desk: type) -> list[str]:
    return [name for name, found in vars(desk).items() if inspect.isfunction(found) and not name.startswith("_")]


@pytest.mark.parametrize(
    ("desk", "awaited_desk", "name"),
    [
        *((Access, AsyncAccess, name) for name in _methods(Access)),
        *((Accounts, AsyncAccounts, name) for name in _methods(Accounts)),
    ],
)
def test_everything_about_tokens_can_be_awaited(desk: type, awaited_desk: type, name: str) -> None:
    awaited, plain = getattr(awaited_desk, name), getattr(desk, name)

    assert inspect.iscoroutinefunction(awaited)
    assert inspect.signature(awaited) == inspect.signature(plain)
    assert awaited.__doc__ == plain.__doc__


def test_a_token_is_made_tried_and_revoked_without_holding_up_the_loop() -> None:
    async def lived() -> list[bool]:
        async with AsyncMemory(store=":memory:") as memory:
            issued = await memory.access.issue(scope="write", space="alice", name="bot")
            before = await memory.access.admit(issued.secret)
            await memory.access.revoke(issued.token.id)
            after = await memory.access.admit(issued.secret)
            return [before is not None, after is not None, await memory.access.is_live(issued.token.id)]

    assert asyncio.run(lived()) == [True, False, False]


def test_a_bound_memory_that_is_awaited_keeps_to_its_part() -> None:
    async def lived() -> list[int]:
        async with AsyncMemory(store=":memory:") as memory:
            await memory.save("Ana likes tea", user="ana")
            await memory.save("Bob likes rum", user="bob")
            return [len((await each.list()).items) for each in (memory, memory.bound_to(user="ana"))]

    assert asyncio.run(lived()) == [2, 1]


def test_a_backup_that_is_awaited_tells_how_far_it_has_come(tmp_path: Path) -> None:
    told: list[Progress] = []

    async def lived() -> int:
        async with AsyncMemory(home=tmp_path / "home") as memory:
            await memory.save("Alice lives in Austin")
            target = str(tmp_path / "copies")
            await memory.telling(told.append).backup(target=target)
            return len((await memory.backups(target=target)).backups)

    assert asyncio.run(lived()) == 1
    assert {each.step for each in told} == {"packing", "sending"}
    assert all(each.done <= each.total for each in told)
