"""Before a tool runs its agent is told what is known about it; without a server nothing is said and nothing is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.domain.origin import Caller, Channel
from recollect.surfaces.hooks import spool
from recollect.surfaces.hooks.hosts import HOSTS, HookMoment
from recollect.surfaces.hooks.intake import Attendant, target_of
from recollect.surfaces.hooks.notice import answer, heard
from recollect.surfaces.hooks.snippets import hooks_for
from tests.support.clock import SteadyClock
from tests.surfaces.hooks.telling import folder_of, hook, payload
from tests.surfaces.shell import Shell


@pytest.fixture
def attendant(memory: Memory) -> Attendant:
    return Attendant(memory.acting_as(Caller(Channel.HOOK, "alice")))


def asked(attendant: Attendant, clock: SteadyClock, folder: str, tool: str, arguments: dict[str, Any]) -> str:
    said = {"session_id": "s1", "cwd": folder, "tool_name": tool, "tool_input": arguments, "tool_use_id": "u1"}
    at = clock.now().isoformat()
    return attendant.answer(heard("claude-code", "PreToolUse", json.dumps(said).encode(), at=at, new_id="n1"))


def test_an_agent_is_told_before_it_acts_and_only_once(
    memory: Memory, attendant: Attendant, clock: SteadyClock, tmp_path: Path
) -> None:
    shop = folder_of(tmp_path, "shop")
    memory.add_lesson("Never edit db/schema.sql by hand", project="shop")
    said = asked(attendant, clock, shop, "Edit", {"file_path": f"{shop}/db/schema.sql", "new_string": "x"})
    told = json.loads(said)["hookSpecificOutput"]
    assert told["hookEventName"] == "PreToolUse" and "by hand" in told["additionalContext"]
    assert set(told) == {"hookEventName", "additionalContext"}, "no tool is ever allowed or refused by us"
    assert asked(attendant, clock, shop, "Write", {"file_path": f"{shop}/db/schema.sql"}) == ""

    attendant.answer(
        heard("claude-code", "PreCompact", b'{"session_id": "s1"}', at=clock.now().isoformat(), new_id="n")
    )
    assert asked(attendant, clock, shop, "Edit", {"file_path": f"{shop}/db/schema.sql"}), "its context was cut"


def test_nothing_is_kept_of_a_question_and_reading_asks_none(
    memory: Memory, attendant: Attendant, clock: SteadyClock, tmp_path: Path
) -> None:
    shop = folder_of(tmp_path, "shop")
    memory.add_lesson("Never edit db/schema.sql by hand", project="shop")
    assert asked(attendant, clock, shop, "Read", {"file_path": f"{shop}/db/schema.sql"}) == ""
    assert asked(attendant, clock, shop, "Bash", {"command": "git status"}) == ""
    assert not memory.sessions().items


def test_without_a_server_nothing_is_said_and_nothing_lies_on_disk(shell: Shell, no_server_starts: None) -> None:
    ended = hook(shell, "PreToolUse", payload("PreToolUse", tool_name="Bash", tool_input={"command": "git push"}))
    assert ended.out == "" and spool.size(shell.home) == 0


def test_hosts_that_take_no_words_before_a_tool_are_not_asked_to_listen() -> None:
    told = {name for name, host in HOSTS.items() if HookMoment.BEFORE_TOOL in host.told}
    assert told == {"claude-code", "codex", "opencode"}
    assert answer(HOSTS["gemini"], HookMoment.BEFORE_TOOL, "words") == ""
    assert "BeforeTool" not in hooks_for("gemini", ["recollect"])["hooks"]


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_only_tools_that_change_something_start_a_process(agent: str) -> None:
    [group] = hooks_for(agent, ["recollect"])["hooks"]["PreToolUse"]
    assert "Bash" in group["matcher"] and "Read" not in group["matcher"] and "*" not in group["matcher"]


@pytest.mark.parametrize(
    ("tool", "arguments", "target"),
    [
        ("Bash", {"command": "git push"}, ((), "git push")),
        ("shell", {"command": ["bash", "-lc", "git push"]}, ((), "git push")),
        ("Edit", {"file_path": "/p/src/x.py"}, (("src/x.py",), "")),
        ("apply_patch", {"command": "*** Begin Patch\n*** Add File: a.py\n*** Update File: b\n"}, (("a.py", "b"), "")),
        ("apply_patch", {"input": "*** Begin Patch\n*** Delete File: a.py\n"}, (("a.py",), "")),
        ("Read", {"file_path": "/p/src/x.py"}, ((), "")),
        ("Bash", {"command": 7}, ((), "")),
        ("Edit", {}, ((), "")),
    ],
)  # fmt: skip
def test_a_tool_call_says_what_it_is_going_to_change(tool: str, arguments: dict[str, Any], target: Any) -> None:
    assert target_of(tool, arguments, "/p") == target
