"""Mémoire's own Python SDK, plain and asynchronous, through every public method, and its quick start."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

sys.path = [each for each in sys.path if not each.endswith("clients")]  # this file is not the package `memoire`

import openai  # noqa: E402
from memoire import Memoire, MemoireAsync  # type: ignore[import-not-found]  # noqa: E402

ENOUGH = 60.0  # seconds for what the SDK does on threads of its own


class Answering:
    """Stands for OpenAI: answers every request, and keeps what it was sent."""

    def __init__(self) -> None:
        self.sent: list[list[dict[str, Any]]] = []

    def create(self, **given: Any) -> Any:
        self.sent.append(given["messages"])
        if given.get("stream"):
            words = ("Not", "ed", ".")
            return iter(SimpleNamespace(choices=[SimpleNamespace(delta=SimpleNamespace(content=w))]) for w in words)
        return SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content="Noted."))])


def until(holds: Callable[[], Any]) -> Any:
    """The first true answer: the SDK sends messages on threads that nobody can wait for."""
    ends = time.monotonic() + ENOUGH
    while not (found := holds()):
        assert time.monotonic() < ends, "it never came"
        threading.Event().wait(0.05)
    return found


def quick_start(memoire: Memoire) -> None:
    """The one of its README: a user that is no UUID, and no session."""
    client, answering = openai.OpenAI(api_key="none", base_url="http://127.0.0.1:9/v1"), Answering()
    client.chat.completions.create = answering.create  # type: ignore[method-assign]
    wrapped = memoire.wrap(client)
    said = [{"role": "user", "content": "I live in Austin, Texas now."}]
    wrapped.chat.completions.create(model="gpt-4o", user="user-123", messages=said)
    until(lambda: memoire.list_facts("user-123"))
    asked = [{"role": "user", "content": "Where do I live?"}]
    wrapped.chat.completions.create(model="gpt-4o", user="user-123", messages=asked)
    streamed = wrapped.chat.completions.create(model="gpt-4o", user="user-123", messages=asked, stream=True)
    assert len(list(streamed)) == 3
    for system, *_ in answering.sent[1:]:
        assert system["role"] == "system" and "Austin" in system["content"], system


def every_method(memoire: Memoire) -> None:
    session = memoire.create_session("ana")
    assert session
    memoire.ingest("user", "I live in Boston.", "ana", session)
    memoire.ingest("user", "I moved to Dallas.", "ana", session)
    [fact] = memoire.list_facts("ana", category="biographical")
    assert "Dallas" in fact.content and fact.temporal_state == "current" and fact.is_essential
    assert [each.id for each in memoire.recall("Where do I live?", "ana", categories=["biographical"])] == [fact.id]
    states = {each.temporal_state for each in memoire.recall("Where do I live?", "ana", include_historical=True)}
    assert states == {"current", "past"}
    assert memoire.recall("Where do I live?", "ana", max_age_days=0) == []
    assert fact.id in {each.id for each in memoire.get_conscious("ana")}
    source = memoire.get_fact_source(fact.id)
    assert source and source.content == "I moved to Dallas." and source.session_id == session
    told = memoire.timeline("ana", slot_hint="location")
    assert told and [each.is_current for each in told.history] == [False, True]
    assert told.current_fact and told.current_fact.fact_id == fact.id
    done = memoire.consolidate("ana")
    assert done and done.status in ("queued", "completed")
    assert memoire.delete_fact(fact.id) and memoire.list_facts("ana", category="biographical") == []
    assert not memoire.delete_fact("00000000-0000-4000-8000-000000000000")


async def asynchronously(url: str, key: str) -> None:
    async with MemoireAsync(api_key=key, base_url=url, timeout=ENOUGH) as memoire:
        session = await memoire.create_session("bo")
        await memoire.ingest("user", "I live in Rome.", "bo", session)
        [found, *_] = await memoire.recall("Where do I live?", "bo")
        assert "Rome" in found.content
        assert await memoire.get_conscious("bo") and await memoire.list_facts("bo")


def a_key_of_ones_own(url: str) -> None:
    """As its README makes one, on this machine."""
    made = urllib.request.Request(f"{url}/v1/users", b"{}", method="POST")
    with urllib.request.urlopen(made) as answer:
        user = json.load(answer)
    with Memoire(api_key=user["api_key"], base_url=url, timeout=ENOUGH) as memoire:
        memoire.ingest("user", "I live in Oslo.", user["id"], memoire.create_session(user["id"]) or "")
        assert "Oslo" in memoire.recall("Where do I live?", user["id"])[0].content
        assert memoire.recall("Where do I live?", "ana") == []


def main() -> None:
    url, secret = sys.argv[1:]
    key = f"memori_{secret}"
    with Memoire(api_key=key, base_url=url, timeout=ENOUGH) as memoire:
        quick_start(memoire)
        every_method(memoire)
    asyncio.run(asynchronously(url, key))
    a_key_of_ones_own(url)


if __name__ == "__main__":
    main()
