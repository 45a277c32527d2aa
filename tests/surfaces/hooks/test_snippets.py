"""What each host is given, from one source."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from recollect.domain.errors import InvalidInput
from recollect.surfaces.hooks.hosts import HOSTS, moment_named
from recollect.surfaces.hooks.shim import options_in
from recollect.surfaces.hooks.snippets import files_for, hooks_for


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini", "cursor"])
def test_every_event_of_a_host_calls_us_with_words_that_we_understand(agent: str) -> None:
    hooks = hooks_for(agent, ["/opt/my tools/recollect"])["hooks"]
    assert set(hooks) == set(HOSTS[agent].events)
    for event, groups in hooks.items():
        [group] = groups
        [handler] = group.get("hooks", [group])
        program, verb, *rest = shlex.split(handler["command"])
        assert (program, verb) == ("/opt/my tools/recollect", "hook")
        options = options_in(rest)
        assert options is not None and options.agent == agent
        assert moment_named(HOSTS[agent], options.event) is HOSTS[agent].events[event]
        seconds = handler["timeout"] / (1000 if agent == "gemini" else 1)
        assert seconds >= (3 if (agent, event) == ("codex", "SessionEnd") else 5), "the end must be given time"


def test_codex_is_not_asked_for_more_time_than_it_gives_at_the_end_of_a_session() -> None:
    [group] = hooks_for("codex", ["recollect"])["hooks"]["SessionEnd"]
    assert group["hooks"][0]["timeout"] == 3, "it would begin every session with a warning"


def test_claude_code_is_told_of_every_tool() -> None:
    [group] = hooks_for("claude-code", ["recollect"])["hooks"]["PostToolUse"]
    assert group == {
        "matcher": "*",
        "hooks": [{"type": "command", "command": "recollect hook PostToolUse --agent claude-code", "timeout": 5}],
    }


def test_a_host_that_can_tells_a_server_by_itself_and_its_token_stands_in_no_file() -> None:
    hooks = hooks_for("claude-code", ["recollect"], server="http://127.0.0.1:7077/")["hooks"]
    handlers = {event: group["hooks"][0] for event, [group] in hooks.items()}
    assert handlers["UserPromptSubmit"] == {
        "type": "http",
        "url": "http://127.0.0.1:7077/v1/hook?agent=claude-code&event=UserPromptSubmit",
        "headers": {"Authorization": "Bearer $RECOLLECT_TOKEN"},
        "allowedEnvVars": ["RECOLLECT_TOKEN"],
        "timeout": 5,
    }
    commands = [event for event, handler in handlers.items() if handler["type"] == "command"]
    assert commands == ["SessionStart"], "the host does not tell this one by HTTP"
    assert hooks_for("codex", ["recollect"], server="http://127.0.0.1:7077") == hooks_for("codex", ["recollect"])


@pytest.mark.parametrize("agent", ["opencode", "openclaw"])
def test_hosts_without_such_settings_load_a_plugin_that_calls_us(agent: str, tmp_path: Path) -> None:
    assert hooks_for(agent, ["recollect"]) == {}
    files = files_for(agent, ["uvx", "recollect"])
    scripts = {name: text for name, text in files.items() if name.endswith(".js")}
    assert scripts and all('["uvx", "recollect"]' in text and "__COMMAND__" not in text for text in scripts.values())
    node = shutil.which("node")
    for name, text in scripts.items() if node else ():
        file = (tmp_path / name).with_suffix(".mjs")
        file.write_text(text)
        subprocess.run([str(node), "--check", str(file)], check=True, timeout=60)


def test_an_unknown_agent_is_refused_by_name() -> None:
    with pytest.raises(InvalidInput) as caught:
        hooks_for("emacs", ["recollect"])
    assert caught.value.code == "unknown_agent"


@pytest.mark.parametrize("agent", ["opencode", "openclaw"])
def test_a_plugin_names_its_home_in_a_way_that_every_system_has(agent: str) -> None:
    files = files_for(agent, ["C:\\tools\\recollect.exe"], "D:\\my memory")
    told = "\n".join(files.values())
    assert "/usr/bin/env" not in told and "__" not in told.replace("__proto__", "")
    assert 'const HOME = "D:\\\\my memory"' in told and "RECOLLECT_HOME: HOME" in told
    assert "const HOME = null" in "\n".join(files_for(agent, ["recollect"]).values())


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_a_plugin_hands_its_home_to_the_program_it_runs(tmp_path: Path) -> None:
    program = tmp_path / "program.cjs"
    program.write_text(
        "process.stdin.resume(); process.stdin.on('end', () => console.log("
        "JSON.stringify({context: process.env.RECOLLECT_HOME + ' ' + process.argv.slice(2).join(' ')})))"
    )
    node = str(shutil.which("node"))
    plugin = files_for("opencode", [node, str(program)], "/a home/of mine")["recollect.js"]
    script = tmp_path / "plugin.mjs"
    script.write_text(plugin + "\nconsole.log(await tell('opencode', 'session.created', {}))\n")
    done = subprocess.run([node, str(script)], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "/a home/of mine hook session.created --agent opencode"
