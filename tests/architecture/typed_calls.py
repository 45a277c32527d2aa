"""Calls as the type checker sees them, never run: what is right, and what it must reject.

A rejected call carries a `type: ignore` with its code. Strict mode complains about one that is not needed, so that
a signature which is lost on the way to the awaited verbs cannot go unnoticed.
"""

from __future__ import annotations

from typing import assert_type

from recollect import AsyncMemory, Memory, Note
from recollect.domain.access import AccessToken, IssuedToken
from recollect.domain.answers.recollections import Recollection
from recollect.domain.selections import Page


def plain_calls(memory: Memory) -> None:
    assert_type(memory.save("Alice prefers tea", tags=["drink"], space="alice"), Note)
    assert_type(memory.list(kind="lesson", limit=5), Page[Note])
    assert_type(memory.search("tea"), Recollection)

    memory.save()  # type: ignore[call-arg]
    memory.save("x", colour="red")  # type: ignore[call-arg]
    memory.save("x", confidence="high")  # type: ignore[arg-type]
    memory.list(limit="x")  # type: ignore[arg-type]
    memory.update(text="x")  # type: ignore[call-arg]


async def awaited_calls(memory: AsyncMemory) -> None:
    assert_type(await memory.save("Alice prefers tea", tags=["drink"], space="alice"), Note)
    assert_type(await memory.list(kind="lesson", limit=5), Page[Note])
    assert_type(await memory.search("tea"), Recollection)

    assert_type(await memory.access.issue(scope="write", space="alice"), IssuedToken)
    assert_type(await memory.access.admit("rcl_"), AccessToken | None)

    await memory.access.revoke()  # type: ignore[call-arg]
    await memory.save()  # type: ignore[call-arg]
    await memory.save("x", colour="red")  # type: ignore[call-arg]
    await memory.save("x", confidence="high")  # type: ignore[arg-type]
    await memory.update(text="x")  # type: ignore[call-arg]
    memory.save("x")  # type: ignore[unused-coroutine]
