"""Hooks of several agents at once, each a real process, to one real server: nothing mixes and nothing is lost."""

from __future__ import annotations

import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.support.together import at_once
from tests.surfaces.hooks.telling import PATIENT, folder_of, hook, payload
from tests.surfaces.http.test_serving import serving
from tests.surfaces.shell import LIMIT, Shell

pytestmark = pytest.mark.usefixtures("no_server_starts")

MANY = 6


def texts_of(shell: Shell, session: str) -> list[str]:
    return [beat["observation"]["text"] for beat in shell.ok("replay", session)["beats"]]


def test_two_agents_in_two_projects_and_a_subagent_at_once_do_not_mix(shell: Shell, tmp_path: Path) -> None:
    shop, blog = folder_of(tmp_path, "shop"), folder_of(tmp_path, "blog")

    def claude(event: str, **more: object) -> Callable[[], object]:
        return partial(hook, shell, event, payload(event, "s-claude", cwd=shop, **more), *PATIENT)

    def codex(event: str, **more: object) -> Callable[[], object]:
        return partial(hook, shell, event, payload(event, "s-codex", cwd=blog, **more), *PATIENT, agent="codex")

    grep = {"tool_name": "Grep", "tool_input": {"pattern": "cart"}, "tool_use_id": "t1", "agent_id": "a1"}
    with serving(shell):
        told = at_once(
            [
                claude("UserPromptSubmit", prompt="We always use pnpm in the shop", prompt_id="p1"),
                codex("UserPromptSubmit", prompt="We always use yarn in the blog", turn_id="t1"),
                claude("PostToolUse", **grep),
                claude("SubagentStop", last_assistant_message="The cart is in cart.py", agent_id="a1"),
                codex("PostToolUse", tool_name="Bash", tool_input={"command": "hugo build"}, tool_use_id="t1"),
            ]
        )
        assert [each.error for each in told] == [None] * len(told)
        hook(shell, "SessionEnd", payload("SessionEnd", "s-codex", cwd=blog), *PATIENT, agent="codex")
    sessions = {each["id"]: each for each in shell.ok("sessions")["items"]}
    assert {name: each["scope"]["project"] for name, each in sessions.items()} == {
        "s-claude": "shop",
        "s-codex": "blog",
    }
    assert sessions["s-codex"]["ended_at"] and not sessions["s-claude"]["ended_at"], "ending one ends only that one"
    assert len(texts_of(shell, "s-claude")) == 3 and len(texts_of(shell, "s-codex")) == 2
    assert not any("hugo" in text or "blog" in text for text in texts_of(shell, "s-claude"))
    known = {note["scope"]["project"]: note["value"] for note in shell.ok("list")["items"]}
    assert known == {"shop": "pnpm", "blog": "yarn"}


def test_a_server_that_is_killed_while_many_speak_loses_nothing_and_keeps_nothing_twice(shell: Shell) -> None:
    """Some were answered, some were written down and not answered, some nobody heard. None has an id of its host's."""
    prompts = [f"Look at part number {number}" for number in range(MANY)]
    with serving(shell) as (process, _):
        told = [
            partial(hook, shell, "UserPromptSubmit", payload("UserPromptSubmit", prompt=prompt), *PATIENT)
            for prompt in prompts
        ]

        def killed() -> object:
            hook(shell, "UserPromptSubmit", payload("UserPromptSubmit", "s2", prompt="Meanwhile"), *PATIENT)
            process.send_signal(signal.SIGKILL)
            return process.wait(LIMIT)

        calls: list[Callable[[], object]] = [*told, killed]
        done = at_once(calls)
        assert [each.error for each in done] == [None] * len(done)
    shell.ok("hooks", "drain")
    assert sorted(texts_of(shell, "s1")) == prompts
    assert texts_of(shell, "s2") == ["Meanwhile"]
