"""What hosts say becomes a notice: a table for each of them."""

from __future__ import annotations

from typing import Any

import pytest

from recollect.surfaces.hooks.hosts import HOSTS, HookMoment, moment_named
from recollect.surfaces.hooks.notice import Notice, answer, notice_in, noticed

AT = "2026-11-15T10:00:00.000000Z"


def told(agent: str, event: str, **payload: Any) -> Notice | None:
    host = HOSTS[agent]
    moment = moment_named(host, event)
    assert moment is not None, event
    return noticed(host, moment, {"session_id": "s1", "cwd": "/w", **payload}, at=AT, new_id="new")


CASES: list[tuple[str, str, dict[str, Any], tuple[HookMoment, str]]] = [
    ("claude-code", "UserPromptSubmit", {"prompt": "Fix it"}, (HookMoment.PROMPT, "Fix it")),
    ("codex", "UserPromptSubmit", {"prompt": "Fix it", "turn_id": "t"}, (HookMoment.PROMPT, "Fix it")),
    ("gemini", "BeforeAgent", {"prompt": "<hook_context>x</hook_context>\nFix it"}, (HookMoment.PROMPT, "Fix it")),
    ("cursor", "beforeSubmitPrompt", {"prompt": "Fix it"}, (HookMoment.PROMPT, "Fix it")),
    ("opencode", "prompt", {"prompt": "Fix it"}, (HookMoment.PROMPT, "Fix it")),
    ("openclaw", "prompt", {"prompt": "Fix it"}, (HookMoment.PROMPT, "Fix it")),
    (
        "claude-code",
        "PostToolUse",
        {"tool_name": "Bash", "tool_response": {"stdout": "1 passed", "stderr": ""}},
        (HookMoment.TOOL_USE, "1 passed"),
    ),
    ("codex", "PostToolUse", {"tool_name": "Bash", "tool_response": "1 passed"}, (HookMoment.TOOL_USE, "1 passed")),
    (
        "gemini",
        "AfterTool",
        {"tool_name": "run_shell_command", "tool_response": {"llmContent": [{"text": "1 passed"}]}},
        (HookMoment.TOOL_USE, "1 passed"),
    ),
    (
        "gemini",
        "AfterTool",
        {"tool_name": "run_shell_command", "tool_response": {"llmContent": "", "error": {"message": "no"}}},
        (HookMoment.TOOL_FAILURE, '{"message": "no"}'),
    ),
    ("cursor", "postToolUse", {"tool_name": "Shell", "tool_output": "1 passed"}, (HookMoment.TOOL_USE, "1 passed")),
    (
        "claude-code",
        "PostToolUseFailure",
        {"tool_name": "Bash", "error": "exit 1"},
        (HookMoment.TOOL_FAILURE, "exit 1"),
    ),
    ("claude-code", "Stop", {"last_assistant_message": "Done"}, (HookMoment.STOP, "Done")),
    ("gemini", "AfterAgent", {"prompt_response": "Done"}, (HookMoment.STOP, "Done")),
    ("claude-code", "SubagentStop", {"last_assistant_message": "Found"}, (HookMoment.SUBAGENT_STOP, "Found")),
    ("claude-code", "Notification", {"message": "May I?"}, (HookMoment.NOTIFICATION, "May I?")),
    ("claude-code", "TaskCompleted", {"task_subject": "Ship"}, (HookMoment.TASK, "Ship")),
    ("claude-code", "SessionEnd", {"reason": "other"}, (HookMoment.SESSION_END, "")),
]


@pytest.mark.parametrize(("agent", "event", "payload", "expected"), CASES)
def test_each_host_is_understood(
    agent: str, event: str, payload: dict[str, Any], expected: tuple[HookMoment, str]
) -> None:
    notice = told(agent, event, **payload)
    assert notice is not None
    assert (notice.moment, notice.text) == expected
    assert (notice.agent, notice.session, notice.folder) == (agent, "s1", "/w")
    assert notice_in(notice.as_line()) == notice, "it is the same again after lying on disk"


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("UserPromptSubmit", {"prompt": " "}),
        ("UserPromptSubmit", {"prompt": "<recollect-abc>\nwhat we said\n</recollect-abc>"}),
        ("UserPromptSubmit", {"prompt": 7}),
        ("UserPromptSubmit", {"session_id": "", "prompt": "Fix it"}),
        ("PostToolUse", {"tool_name": "mcp__recollect__search", "tool_response": "what we said"}),
        ("PostToolUse", {"tool_response": "no tool"}),
        ("PostToolUseFailure", {"tool_name": "Bash", "error": "stopped", "is_interrupt": True}),
        ("Notification", {"message": "Waiting for you", "notification_type": "idle_prompt"}),
    ],
)
def test_what_says_nothing_or_is_our_own_word_is_passed_over(event: str, payload: dict[str, Any]) -> None:
    assert told("claude-code", event, **payload) is None


@pytest.mark.parametrize("payload", [{"source": "loop_wakeup"}, {"agent_id": "a1"}])
def test_what_a_program_or_a_subagent_asked_for_is_not_the_persons_word(payload: dict[str, Any]) -> None:
    notice = told("claude-code", "UserPromptSubmit", prompt="Look again", **payload)
    assert notice is not None and notice.moment is HookMoment.TASK


def test_the_same_happening_has_the_same_key_and_another_has_another() -> None:
    def key(**payload: Any) -> str:
        notice = told("claude-code", "PostToolUse", tool_name="Bash", **payload)
        assert notice is not None
        return notice.key

    assert key(tool_use_id="t1") == key(tool_use_id="t1") != key(tool_use_id="t2")
    assert key() == "new", "what the host has no id for is told once"


def test_a_host_is_told_in_its_own_form_and_only_where_it_listens() -> None:
    assert '"hookEventName": "BeforeAgent"' in answer(HOSTS["gemini"], HookMoment.PROMPT, "words")
    assert answer(HOSTS["cursor"], HookMoment.SESSION_START, "words") == '{"additional_context": "words"}'
    assert answer(HOSTS["opencode"], HookMoment.PROMPT, "words") == '{"context": "words"}'
    assert answer(HOSTS["claude-code"], HookMoment.PRE_COMPACT, "words") == "", "it would become part of the orders"
    assert answer(HOSTS["claude-code"], HookMoment.PROMPT, "") == ""


def test_events_are_known_by_the_hosts_word_and_by_ours() -> None:
    host = HOSTS["claude-code"]
    words = ("UserPromptSubmit", "user-prompt-submit", "prompt", "user_prompt_submit")
    assert {moment_named(host, word) for word in words} == {HookMoment.PROMPT}
    assert moment_named(host, "WorktreeCreate") is None
