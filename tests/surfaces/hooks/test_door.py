"""Where hooks come in: only with a token that may do everything, and never in open mode."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from recollect.surfaces.hooks import spool
from recollect.surfaces.hooks.hosts import Moment
from recollect.surfaces.hooks.noticing import Notice
from tests.surfaces.http.client import served

PROMPT = Notice(Moment.PROMPT, "claude-code", "s1", "k1", "2026-11-15T10:00:00Z", text="Fix the checkout")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(store=":memory:", home=tmp_path, principal="tester") as opened:
        yield opened


def test_a_notice_needs_a_token_that_may_do_everything(memory: Memory) -> None:
    notice = json.loads(PROMPT.as_line())
    with served(memory) as anybody:
        assert anybody.post("/v1/hook", notice).status == 401
        for scope, space in (("read", None), ("write", None), ("admin", "alice")):
            token = memory.access.issue(scope=scope, space=space).secret
            assert anybody.with_token(token).post("/v1/hook", notice).status == 403
        assert memory.sessions().items == ()
        admin = anybody.with_token(memory.access.issue(scope="admin").secret)
        assert admin.post("/v1/hook", {"moment": "prompt"}).json["code"] == "invalid_notice"
        assert admin.get("/v1/hook").status == 405
        answer = admin.post("/v1/hook", notice)
        assert (answer.status, answer.json) == (200, {"context": ""})
    [session] = memory.sessions().items
    assert session.origin.channel.value == "hook"


def test_in_open_mode_nobody_can_speak_as_the_person(memory: Memory) -> None:
    with served(memory, insecure=True) as anybody:
        assert anybody.post("/v1/hook", json.loads(PROMPT.as_line())).status == 401
    assert memory.sessions().items == ()


def test_only_who_serves_a_home_takes_its_spool(memory: Memory, tmp_path: Path) -> None:
    spool.append(tmp_path, PROMPT.as_line())
    with served(memory) as anybody:
        admin = anybody.with_token(memory.access.issue(scope="admin").secret)
        admin.post("/v1/hook", {**json.loads(PROMPT.as_line()), "session": "s2"})
    assert spool.size(tmp_path) > 0
