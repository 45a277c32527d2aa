"""A real Claude Code, offline, through whole turns: its hooks fire, and what they told is known in the next session.

A plain run of pytest does not find it: `make test-agents` installs the program into a folder of its own and names this
file.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from recollect.surfaces.hooks.snippets import hooks_for
from tests.agents.model import COMMAND, DONE, Model, model
from tests.surfaces.http.test_serving import serving
from tests.surfaces.shell import RECOLLECT, Shell

CLAUDE = os.environ["RECOLLECT_CLAUDE"]  # the program; `make test-agents` says where it put it
LIMIT = 120  # seconds for a turn, on a machine that is busy

FACT = "The checkout tests need a running redis"
ASKED = "Please run the tests of the checkout"


@dataclass(frozen=True, slots=True)
class Desk:
    """A person's machine: a home with the program set up, a project, and a memory."""

    shell: Shell
    project: Path
    model: Model

    def turn(self, prompt: str, *more: str) -> Any:
        """One run of the program, as a person would type it; what it answered."""
        done = subprocess.run(
            [CLAUDE, "-p", prompt, "--allowedTools", "Bash(echo *)", "--output-format", "json", *more],
            cwd=self.project,
            env={
                **self.shell.environment,
                "PATH": f"{Path(RECOLLECT).parent}:{os.environ['PATH']}",
                "ANTHROPIC_BASE_URL": self.model.url,
                "ANTHROPIC_API_KEY": "sk-ant-not-a-key",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                "DISABLE_AUTOUPDATER": "1",
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        self.shell.run("hooks", "drain")  # what came too late on a busy machine
        return json.loads(done.stdout)


@pytest.fixture(scope="module")
def bytecode(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything compiled, as it is where a package was installed."""
    folder = tmp_path_factory.mktemp("bytecode")
    with serving(Shell(tmp_path_factory.mktemp("compiling"), folder)):
        return folder


@pytest.fixture
def desk(tmp_path: Path, bytecode: Path) -> Iterator[Desk]:
    shell = Shell(tmp_path, bytecode)
    project = tmp_path / "work" / "shop"
    project.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "-b", "main", str(project)], check=True, timeout=LIMIT)
    settings = tmp_path / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps(hooks_for("claude-code", [RECOLLECT])))
    with model() as running:
        yield Desk(shell, project, running)
    shell.run("serve", "--stop")


def test_a_turn_is_told_what_is_known_is_captured_and_is_known_in_the_next_session(desk: Desk) -> None:
    desk.shell.ok("save", FACT, "--project", str(desk.project))
    with serving(desk.shell):
        first = desk.turn(ASKED)
        assert first["result"] == DONE
        [begun, *_] = desk.model.asked_with_tools()
        assert FACT in begun, "what is known of the project is in the first request to the model"

        [session] = desk.shell.ok("sessions", "--project", str(desk.project))["items"]
        assert session["id"] == first["session_id"]
        assert session["ended_at"] is not None and session["scope"]["agent"] == "claude-code"
        digest = desk.shell.ok("session", "show", session["id"])
        assert digest["ask"] == ASKED
        assert [each["name"] for each in digest["commands"]] == [COMMAND]
        assert digest["outcome"] == DONE and digest["open_ends"] == []

        desk.model.requests.clear()
        second = desk.turn("What did we do last time?")
        assert second["session_id"] != first["session_id"]
        [begun, *_] = desk.model.asked_with_tools()
        assert f"Asked: {ASKED}" in begun, "the session before is told in the first request"
        assert DONE not in begun, "but not what the model said"


def test_a_transcript_of_what_hooks_told_already_adds_nothing(desk: Desk) -> None:
    first = desk.turn(ASKED)
    before = desk.shell.ok("replay", first["session_id"])["beats"]
    [transcript] = (desk.shell.folder / ".claude" / "projects").glob(f"*/{first['session_id']}.jsonl")
    desk.shell.ok("capture", "--transcript", str(transcript))
    after = desk.shell.ok("replay", first["session_id"])["beats"]
    kinds = [each["observation"]["kind"] for each in before]
    assert [each["observation"]["kind"] for each in after if each["observation"]["kind"] != "message"] == [
        kind for kind in kinds if kind != "message"
    ]


def test_a_home_that_cannot_be_written_to_is_not_in_the_way(desk: Desk) -> None:
    desk.shell.home.write_text("a file where the folder should be")
    assert desk.turn(ASKED)["result"] == DONE


def test_what_init_wrote_is_heard_and_undo_puts_the_settings_back(desk: Desk) -> None:
    """The installer, a turn, and the way back, with a program that changes one of the files in between."""
    settings, account = desk.shell.folder / ".claude" / "settings.json", desk.shell.folder / ".claude.json"
    mine = '{\n    "model": "opus",\n    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}\n}\n'
    settings.write_text(mine)
    desk.shell.ok("init", "--yes", "--agents", "claude-code")
    listed = subprocess.run(
        [CLAUDE, "mcp", "list"],
        cwd=desk.project,
        env=desk.shell.environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=True,
    )
    assert f"{RECOLLECT} mcp" in listed.stdout and "Connected" in listed.stdout, listed.stdout
    desk.shell.ok("save", FACT, "--project", str(desk.project))
    desk.turn(ASKED)
    assert FACT in desk.model.asked_with_tools()[0]
    [session] = desk.shell.ok("sessions", "--project", str(desk.project))["items"]
    assert desk.shell.ok("session", "show", session["id"])["ask"] == ASKED

    desk.shell.ok("init", "--undo", "--yes")
    assert settings.read_text() == mine
    left = json.loads(account.read_text())
    assert "recollect" not in left.get("mcpServers", {}) and len(left) > 1, "what the program wrote is still there"
    assert not (desk.shell.folder / ".claude" / "skills").exists()
