"""Settings files as people have them: comments, odd layouts, other people's hooks, and anything JSON or TOML can be."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

CLAUDE_SETTINGS = """\
{
  // how I like it
  "model": "opus",
  "permissions": {"allow": ["Bash(git *)"]},
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "say done"}]} // keep this
    ],
    "PostToolUse": [
      {
        "matcher": "Write|Edit",
        "hooks": [
          {"type": "command", "command": "ruff format"}
        ]
      }
    ]
  } /* the end */
}
"""
CLAUDE_ACCOUNT = """\
{
\t"numStartups": 3,
\t"mcpServers": {
\t\t"github": {"type": "stdio", "command": "gh-mcp", "args": [], "env": {"TOKEN": "x"}}
\t},
\t"projects": {"/w/shop": {"allowedTools": [], "mcpServers": {}}}
}"""
CODEX_CONFIG = """\
# mine
model = "gpt-5"

[mcp_servers.github]
command = "gh-mcp" # by hand
args = [
  "--all",
]

# what is below belongs together
[projects."/w/shop"]
trust_level = "trusted"
"""
CODEX_HOOKS = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "notify-send done"}]}]}}\n'
GEMINI_SETTINGS = '{\r\n    "security": {"auth": {"selectedType": "gemini-api-key"}},\r\n    "mcpServers": {}\r\n}\r\n'
OPENCODE_SETTINGS = '{\n  "$schema": "https://opencode.ai/config.json",\n  "theme": "dark", // light is too bright\n}\n'
OPENCLAW_SETTINGS = "{\n  // claw\n  agents: {defaults: {workspace: '~/claw'}},\n  gateway: {port: 18789},\n}\n"
CURSOR_MCP = '{"mcpServers":{"linear":{"url":"https://mcp.linear.app/sse"}}}'
CURSOR_HOOKS = '{\n  "version": 1,\n  "hooks": {\n    "stop": [{"command": "./done.sh"}]\n  }\n}\n'
AGENTS_MD = "# How we work\n\nTests first."

# As they stand below a home.
FILES = {
    ".claude/settings.json": CLAUDE_SETTINGS,
    ".claude.json": CLAUDE_ACCOUNT,
    ".claude/CLAUDE.md": AGENTS_MD,
    ".codex/config.toml": CODEX_CONFIG,
    ".codex/hooks.json": CODEX_HOOKS,
    ".codex/AGENTS.md": AGENTS_MD + "\n",
    ".gemini/settings.json": GEMINI_SETTINGS,
    ".config/opencode/opencode.json": OPENCODE_SETTINGS,
    ".openclaw/openclaw.json": OPENCLAW_SETTINGS,
    ".cursor/mcp.json": CURSOR_MCP,
    ".cursor/hooks.json": CURSOR_HOOKS,
}

_NAMES = st.one_of(st.sampled_from(["hooks", "mcpServers", "mcp", "Stop", "SessionStart", "a"]), st.text(max_size=4))
_PLAIN = st.one_of(st.none(), st.booleans(), st.integers(-9, 9**9), st.text(max_size=8), st.just(1.5))
_VALUES: st.SearchStrategy[Any] = st.recursive(
    _PLAIN,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_NAMES, inner, max_size=3)),
    max_leaves=8,
)
_HOOKS = st.dictionaries(
    st.sampled_from(["Stop", "SessionStart", "PreToolUse"]),
    st.lists(st.just({"hooks": [{"type": "command", "command": "say done"}]}), max_size=2),
    max_size=2,
)
_SERVERS = st.dictionaries(st.text(min_size=1, max_size=4), st.just({"command": "x"}), max_size=2)
OBJECTS = st.dictionaries(_NAMES.filter(lambda name: name not in ("hooks", "mcpServers", "mcp")), _VALUES, max_size=4)


@st.composite
def json_files(draw: st.DrawFn) -> str:
    """A settings file that can be added to, in any layout: in one line or many, with comments, with Windows lines."""
    said = draw(OBJECTS)
    if draw(st.booleans()):
        said["hooks"] = draw(_HOOKS)
    if draw(st.booleans()):
        said["mcpServers"] = draw(_SERVERS)
    text = json.dumps(said, indent=draw(st.sampled_from([None, 0, 1, 2, "\t"])), ensure_ascii=draw(st.booleans()))
    if draw(st.booleans()) and "\n" in text:
        place = text.index("\n")
        text = text[:place] + " // a remark" + text[place:]
    if draw(st.booleans()):
        text = "/* { not this } */\n" + text
    text = draw(st.sampled_from(["", "\ufeff", "\n"])) + text + draw(st.sampled_from(["", "\n", " \n\n"]))
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
