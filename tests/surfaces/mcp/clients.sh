#!/usr/bin/env bash
# The programs that people use, from npm, each told about `recollect mcp` in the way its manual says, in a home of their
# own: each must list it as connected. And the inspector, which knows what clients stumble over.
set -euo pipefail

here="$(cd "$(dirname "$0")" && pwd)"
source "$here/programs.sh"
need "@modelcontextprotocol/inspector@2.12.0" "@anthropic-ai/claude-code@2.1.325" "@openai/codex@0.166.0" \
    "@google/gemini-cli@0.61.0"

HOME="$(mktemp -d)"
export HOME CODEX_HOME="$HOME/.codex" RECOLLECT_HOME="$HOME/recollect"
stop() { "$@" recollect serve --stop > /dev/null 2>&1 || true; }
# Codex hands on few variables, so the server that it starts has the usual home.
trap 'stop env; stop env -u RECOLLECT_HOME; rm -rf "$HOME"' EXIT
mkdir -p "$HOME/work" "$CODEX_HOME" "$HOME/.gemini"
cd "$HOME/work"

connected() { # who, what it said
    grep -q 'Connected' <<< "$2" || { printf '%s is not connected:\n%s\n' "$1" "$2" >&2; exit 1; }
    echo "$1: connected"
}

claude="$(ls "$programs"/node_modules/@anthropic-ai/claude-code-*/claude | head -n 1)" # the other one wants node 22
"$claude" mcp add recollect -- recollect mcp > /dev/null
connected "claude mcp list" "$("$claude" mcp list 2>&1)"

codex mcp add recollect -- recollect mcp > /dev/null 2>&1
connected "codex" "$(python "$here/ask_codex.py")"

echo '{"security": {"folderTrust": {"enabled": false}}}' > "$HOME/.gemini/settings.json" # it starts nothing in a new folder
gemini mcp add recollect recollect mcp > /dev/null 2>&1
connected "gemini mcp list" "$(gemini mcp list 2>&1)"

for options in "" "--toolset full" "--profile server-memory"; do
    # shellcheck disable=SC2086 - two words
    inspector --cli --transport stdio --method tools/list --strict -- recollect mcp $options > /dev/null
    echo "inspector, strict: recollect mcp${options:+ $options} is portable"
done
