"""`recollect capture`: a transcript becomes a session, with its own dates, and twice is as good as once."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.surfaces.hooks.telling import hook, payload
from tests.surfaces.shell import Shell

pytestmark = pytest.mark.usefixtures("no_server_starts")


def line(kind: str, minute: int, content: Any, **more: Any) -> str:
    return json.dumps(
        {
            "type": kind,
            "uuid": f"u{minute}",
            "sessionId": "s1",
            "timestamp": f"2026-03-01T10:{minute:02}:00.000Z",
            "cwd": "/nowhere/shop",
            "gitBranch": "fix",
            "message": {"role": kind, "content": content},
            **more,
        }
    )


TRANSCRIPT = [
    json.dumps({"type": "queue-operation", "sessionId": "s1"}),
    line("user", 0, "Caveat: the messages below were made by the program", isMeta=True),
    line("user", 1, "Fix the checkout\n<system-reminder>do this</system-reminder>", promptId="p1"),
    line("assistant", 2, [{"type": "text", "text": "I will look."}]),
    line("assistant", 3, [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "pytest"}}]),
    line("user", 4, [{"type": "tool_result", "tool_use_id": "t1", "content": "1 failed", "is_error": True}]),
    line("assistant", 5, [{"type": "tool_use", "id": "t2", "name": "mcp__recollect__search", "input": {}}]),
    line("user", 6, [{"type": "tool_result", "tool_use_id": "t2", "content": "what we said"}]),
    "{broken",
    line("user", 7, "<command-name>/clear</command-name>"),
    line("user", 8, [{"type": "text", "text": "The summary"}], isCompactSummary=True),
    line("assistant", 9, [{"type": "text", "text": "It is fixed."}]),
]


def written(shell: Shell, lines: list[str] = TRANSCRIPT) -> Path:
    file = shell.folder / "session.jsonl"
    file.write_text("\n".join(lines) + "\n")
    return file


def test_a_transcript_becomes_a_session_with_its_own_dates_and_twice_changes_nothing(shell: Shell) -> None:
    told = shell.ok("capture", "--transcript", str(written(shell)))
    assert told == {"sessions": ["s1"], "notices": 5, "unreadable": 1}
    first = shell.ok("replay", "s1")
    seen = [beat["observation"] for beat in first["beats"]]
    assert [(each["kind"], each["observed_at"][:16]) for each in seen] == [
        ("prompt", "2026-03-01T10:01"),
        ("tool_failure", "2026-03-01T10:04"),
        ("message", "2026-03-01T10:09"),
    ]
    assert seen[0]["text"] == "Fix the checkout" and seen[0]["origin"]["channel"] == "transcript"
    session = shell.ok("session", "show", "s1")
    assert (session["ask"], session["outcome"]) == ("Fix the checkout", "It is fixed.")
    assert session["session"]["branch"] == "fix"
    assert session["session"]["ended_at"].startswith("2026-03-01T10:09")
    shell.ok("capture", "--transcript", str(written(shell)))
    assert shell.ok("replay", "s1") == first


def test_what_hooks_told_is_not_told_again_by_the_transcript(shell: Shell) -> None:
    hook(shell, "UserPromptSubmit", payload("UserPromptSubmit", prompt="Fix the checkout", prompt_id="p1"))
    failed = payload("PostToolUseFailure", tool_name="Bash", tool_use_id="t1", error="1 failed")
    hook(shell, "PostToolUseFailure", {**failed, "tool_input": {"command": "pytest"}})
    shell.ok("hooks", "drain")
    shell.ok("capture", "--transcript", str(written(shell)))
    kinds = [beat["observation"]["kind"] for beat in shell.ok("replay", "s1")["beats"]]
    assert kinds == ["prompt", "tool_failure", "message"]


def test_what_a_person_said_in_a_transcript_is_known_from_the_day_it_was_said(shell: Shell) -> None:
    said = [
        line("user", 1, "We always use pnpm here", promptId="p1"),
        line("assistant", 2, [{"type": "text", "text": "We always use mysql here."}]),
    ]
    for _ in range(2):
        shell.ok("capture", "--transcript", str(written(shell, said)))
    [note] = shell.ok("list")["items"]
    assert (note["attribute"], note["value"], note["authority"]) == ("package_manager", "pnpm", "fact")
    assert note["valid_from"].startswith("2026-03-01T10:01") and note["scope"]["project"] == "shop"


def test_a_whole_session_that_hooks_told_is_not_told_again_whatever_ids_the_host_had(shell: Shell) -> None:
    """Last words have no id, older hosts have none for prompts, and some of it may still lie on disk."""
    hook(shell, "SessionStart", payload("SessionStart"))
    hook(shell, "UserPromptSubmit", payload("UserPromptSubmit", prompt="Fix the checkout"))
    failed = payload("PostToolUseFailure", tool_name="Bash", tool_use_id="t1", error="1 failed, in other words")
    hook(shell, "PostToolUseFailure", {**failed, "tool_input": {"command": "pytest"}})
    shell.ok("hooks", "drain")
    hook(shell, "Stop", payload("Stop", last_assistant_message="It is fixed."))
    for _ in range(2):
        shell.ok("capture", "--transcript", str(written(shell)))
        seen = [beat["observation"] for beat in shell.ok("replay", "s1")["beats"]]
        assert [each["kind"] for each in seen] == ["prompt", "tool_failure", "message"]
        assert {each["origin"]["channel"] for each in seen} == {"hook"}


def test_a_word_that_was_said_twice_and_heard_once_is_told_once_more(shell: Shell) -> None:
    hook(shell, "UserPromptSubmit", payload("UserPromptSubmit", prompt="Go on"))
    said = [line("user", minute, "Go on", promptId=f"p{minute}") for minute in (1, 2)]
    shell.ok("capture", "--transcript", str(written(shell, said)))
    assert len(shell.ok("replay", "s1")["beats"]) == 2


def test_a_session_that_was_imported_is_not_told_again(shell: Shell) -> None:
    place = shell.folder / "claude" / "projects" / "shop"
    place.mkdir(parents=True)
    shutil.copy(written(shell), place / "s1.jsonl")
    shell.run("import", "claude-code", str(shell.folder / "claude"))
    before = shell.ok("replay", "s1")["beats"]
    assert len(before) == 3
    shell.ok("capture", "--transcript", str(written(shell)))
    assert shell.ok("replay", "s1")["beats"] == before


def test_what_is_no_transcript_is_refused_in_words(shell: Shell) -> None:
    empty = written(shell, ["{}", "not JSON"])
    assert shell.run("capture", "--transcript", str(empty), "--json").error["code"] == "empty_transcript"
    absent = shell.run("capture", "--transcript", str(shell.folder / "absent"), "--json")
    assert absent.error["code"] == "not_readable"
    assert shell.run("capture", "--json").code != 0
