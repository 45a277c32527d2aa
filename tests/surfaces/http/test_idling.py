"""A server that was started on demand ends when nobody needs it, and not while somebody does."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from recollect import Memory
from recollect.surfaces.server.application import application
from recollect.surfaces.server.lifespan import listening, server
from recollect.surfaces.server.lifetime import Watched, ended_when_idle
from tests.surfaces.shell import LIMIT, Shell


def test_it_is_idle_since_the_last_request_ended_and_never_during_one() -> None:
    moments = iter([0.0, 10.0, 70.0])
    seen: list[float] = []

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        seen.append(watched.idle_seconds)

    watched = Watched(answer, lambda: next(moments))
    asyncio.run(watched({"type": "http"}, None, None))  # type: ignore[arg-type]
    assert seen == [0.0]
    assert watched.idle_seconds == 60.0


def test_a_request_that_fails_is_over_too() -> None:
    async def fail(scope: Any, receive: Any, send: Any) -> None:
        raise ConnectionError

    watched = Watched(fail, iter([0.0, 5.0, 6.0]).__next__)
    with pytest.raises(ConnectionError):
        asyncio.run(watched({"type": "http"}, None, None))  # type: ignore[arg-type]
    assert watched.idle_seconds == 1.0


def test_a_server_that_nobody_asks_ends_by_itself(one_memory: Memory) -> None:
    with listening("127.0.0.1", 0) as taken:
        app = application(one_memory)
        watched = Watched(app)
        running = server(watched, app.ending)
        with ended_when_idle(running, watched, 0.2):
            thread = threading.Thread(target=running.run, kwargs={"sockets": [taken]})
            thread.start()
            thread.join(LIMIT)
            assert not thread.is_alive()


def test_less_than_a_minute_is_refused(shell: Shell) -> None:
    assert shell.run("serve", "--idle-stop", "0", "--json").error["code"] == "invalid_number"
