"""The programs: each coding agent as it is started for one turn, and what a person has in its settings beforehand.

`make test-agents` puts them into `.agents`, each in a folder of its own, in the very versions of `packages/`. `{model}`
stands for the address of the model, `{project}` for the folder that is worked in, `{fresh}` for an id nobody has had.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INSTALLED = ROOT / ".agents"


@dataclass(frozen=True, slots=True)
class Program:
    """A coding agent. `start` is where its program is, `words` what is typed for a turn, before the prompt.

    `settings` are the files a person has before we come; `rewritten` names files that the program itself writes anew
    whenever it runs. `quotes` is true for one that puts quotes around a prompt with blanks, which nobody typed; `ends`
    is false for one that never says that a session has ended; `asks_before_tools` is true for one that hands on what a
    hook says before a tool is used.
    """

    name: str
    start: str
    words: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    rewritten: tuple[str, ...] = ()
    quotes: bool = False
    ends: bool = True
    asks_before_tools: bool = False

    def turn(self, prompt: str) -> list[str]:
        """What is typed for a turn."""
        said = prompt.split() if self.quotes else [prompt]
        return [*(str(uuid.uuid4()) if word == "{fresh}" else word for word in self.words), *said]

    def command(self) -> list[str] | None:
        """The words that start it; `None` if it is not installed."""
        folder = INSTALLED / self.name / "node_modules"
        found = sorted(folder.glob(self.start))
        if not found:
            return None
        if found[0].suffix not in (".js", ".mjs"):
            return [str(found[0])]
        own = next((str(each) for each in folder.glob("node-*/bin/node")), None)
        # Beside Python first: there it is if `make agents` had to bring it along.
        node = own or shutil.which("node", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
        return [node, str(found[0])] if node else None


CLAUDE_CODE = Program(
    "claude-code",
    start="@anthropic-ai/claude-code-*/claude",
    words=("--allowedTools", "Bash(echo *)", "mcp__recollect__search", "--output-format", "json", "-p"),
    environment={
        "ANTHROPIC_BASE_URL": "{model}",
        "ANTHROPIC_API_KEY": "sk-ant-not-a-key",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_MCP_STARTUP_WAIT_MS": "120000",  # a turn begins when our tools are there, however long it takes
        "DISABLE_AUTOUPDATER": "1",
    },
    settings={
        ".claude/settings.json": (
            '{\n    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}  \n}\n'
        ),
    },
    rewritten=(".claude.json",),
    asks_before_tools=True,
)

CODEX = Program(
    "codex",
    start="@openai/codex-*/vendor/*/bin/codex",
    words=(
        "exec",
        "--json",
        "--dangerously-bypass-hook-trust",  # a person is asked once, in a window that is not there
        "--dangerously-bypass-approvals-and-sandbox",
        "-c",
        "mcp_servers.recollect.required=true",  # a turn begins when our tools are there, however long it takes
        "-c",
        "mcp_servers.recollect.startup_timeout_sec=120",
    ),
    environment={"MOCK_KEY": "not-a-key"},
    settings={
        ".codex/config.toml": """\
# how I like it
model = "mock"
model_provider = "mock"

[model_providers.mock]
name = "mock"
base_url = "{model}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"

[projects."{project}"]
trust_level = "trusted"   # mine
""",
    },
    asks_before_tools=True,
)

GEMINI = Program(
    "gemini",
    start="@google/gemini-cli/bundle/gemini.js",
    words=("--yolo", "--output-format", "json", "--model", "gemini-2.5-pro", "--prompt"),
    environment={
        "GEMINI_API_KEY": "not-a-key",
        "GOOGLE_GEMINI_BASE_URL": "{model}",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GEMINI_TELEMETRY_ENABLED": "false",
    },
    settings={
        ".gemini/settings.json": """\
{
  // no window can be asked here
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "privacy": { "usageStatisticsEnabled": false },
  "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false }
}
""",
    },
)

OPENCODE = Program(
    "opencode",
    start="opencode-*/bin/opencode",
    words=("run", "--model", "mock/mock", "--format", "json"),
    environment={"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"},
    quotes=True,
    ends=False,
    asks_before_tools=True,
    settings={
        ".config/opencode/opencode.json": """\
{
  "$schema": "https://opencode.ai/config.json",
  "provider": {
    "mock": {
      "npm": "@ai-sdk/openai-compatible",
      "options": { "baseURL": "{model}/v1", "apiKey": "not-a-key" },
      "models": { "mock": { "name": "mock" } }
    }
  },
  "small_model": "mock/mock"
}
""",
    },
)

OPENCLAW = Program(
    "openclaw",
    start="openclaw/openclaw.mjs",
    ends=False,
    words=("agent", "--local", "--agent", "main", "--session-id", "{fresh}", "--json", "--message"),
    settings={
        ".openclaw/openclaw.json": """\
{
  // JSON5, as its documentation has it
  agents: {
    defaults: { workspace: "{project}", model: { primary: "mock/mock" }, skipBootstrap: true },
  },
  models: {
    providers: {
      mock: {
        baseUrl: "{model}/v1",
        apiKey: "not-a-key",
        api: "openai-completions",
        models: [{ id: "mock", name: "mock", contextWindow: 200000, maxTokens: 4096 }],
      },
    },
  },
}
""",
    },
)

PROGRAMS = {each.name: each for each in (CLAUDE_CODE, CODEX, GEMINI, OPENCODE, OPENCLAW)}
USUAL = (CLAUDE_CODE, GEMINI)  # what a plain run goes through, as far as they are installed


def required() -> list[Program]:
    """The programs that must be there in this run, because `RECOLLECT_AGENTS` names them."""
    return [PROGRAMS[name] for name in os.environ.get("RECOLLECT_AGENTS", "").split()]


def filled(text: str, *, model: str, project: Path) -> str:
    """A setting with its places filled in."""
    return text.replace("{model}", model).replace("{project}", json.dumps(str(project))[1:-1])
