"""Where hooks come in: only with a token that may do everything, and never in open mode."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.surfaces.hooks import spool
from recollect.surfaces.hooks.hosts import HookMoment
from recollect.surfaces.hooks.notice import Notice
from recollect.surfaces.hooks.snippets import hooks_for
from tests.surfaces.hooks.telling import folder_of, payload
from tests.surfaces.http.client import served

PROMPT = {"session_id": "s1", "prompt": "Fix the checkout", "prompt_id": "p1", "hook_event_name": "UserPromptSubmit"}
HOOK = "/v1/hook?agent=claude-code&event=UserPromptSubmit"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(store=":memory:", home=tmp_path, principal="tester") as opened:
        yield opened


def test_a_notice_needs_a_token_that_may_do_everything(memory: Memory) -> None:
    with served(memory) as anybody:
        assert anybody.post(HOOK, PROMPT).status == 401
        for scope, space in (("read", None), ("write", None), ("admin", "alice")):
            token = memory.access.issue(scope=scope, space=space).secret
            assert anybody.with_token(token).post(HOOK, PROMPT).status == 403
        assert memory.sessions().items == ()
        admin = anybody.with_token(memory.access.issue(scope="admin").secret)
        assert admin.get(HOOK).status == 405
        for unknown in ("agent=emacs&event=Stop", "agent=claude-code&event=WorktreeCreate", ""):
            assert admin.post(f"/v1/hook?{unknown}", PROMPT).json["code"] == "unknown_hook"
        assert memory.sessions().items == ()
        answer = admin.post(HOOK, PROMPT)
        assert (answer.status, answer.body) == (200, b"")
    [session] = memory.sessions().items
    assert session.origin.channel.value == "hook"


def test_in_open_mode_nobody_can_speak_as_the_person(memory: Memory) -> None:
    with served(memory, insecure=True) as anybody:
        assert anybody.post(HOOK, PROMPT).status == 401
    assert memory.sessions().items == ()


def test_only_who_serves_a_home_takes_its_spool(memory: Memory, tmp_path: Path) -> None:
    waiting = Notice(HookMoment.PROMPT, "claude-code", "s1", "k1", "2026-11-15T10:00:00Z", text="Fix the checkout")
    spool.append(tmp_path, waiting.as_line())
    with served(memory) as anybody:
        admin = anybody.with_token(memory.access.issue(scope="admin").secret)
        admin.post(HOOK, {**PROMPT, "session_id": "s2"})
    assert spool.size(tmp_path) > 0


def test_a_host_that_speaks_http_is_understood_and_told_in_its_own_form(memory: Memory, tmp_path: Path) -> None:
    """As Claude Code sends it: its own JSON in the body, to the address that `init --http-hooks` wrote."""
    folder = folder_of(tmp_path, "shop")
    memory.save("The checkout tests need a running redis", project="shop")
    hooks = hooks_for("claude-code", ["recollect"], server="http://here")["hooks"]
    with served(memory) as anybody:
        token = memory.access.issue(scope="admin").secret

        def tells(event: str, **more: Any) -> bytes:
            [handler] = hooks[event][0]["hooks"]
            head = {"Authorization": handler["headers"]["Authorization"].replace("$RECOLLECT_TOKEN", token)}
            said = payload(event, cwd=folder, permission_mode="default", **more)
            answer = anybody.post(handler["url"].removeprefix("http://here"), said, **head)
            assert answer.status == 200, answer.body
            return answer.body

        asked = tells("UserPromptSubmit", prompt="What do the checkout tests need?", prompt_id="p1", source="user")
        told = json.loads(asked)["hookSpecificOutput"]
        assert told["hookEventName"] == "UserPromptSubmit" and "running redis" in told["additionalContext"]
        stream = {"stdout": "1 passed", "stderr": "", "interrupted": False, "isImage": False}
        used = {"tool_name": "Bash", "tool_input": {"command": "pytest"}, "tool_use_id": "t1"}
        assert tells("PostToolUse", **used, tool_response=stream, duration_ms=12) == b""
        assert tells("Stop", stop_hook_active=False, last_assistant_message="They need redis") == b""
        assert tells("SessionEnd", reason="other") == b""
    digest = memory.session("s1")
    assert digest.session.ended_at is not None and digest.outcome == "They need redis"
    assert digest.session.scope.project == "shop" and [each.name for each in digest.commands] == ["pytest"]
