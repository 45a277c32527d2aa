#!/usr/bin/env bash
# Claude Code from npm into a folder of its own, and whole turns of it against a model that is part of the tests. Nothing
# of it is installed anywhere else, and no key is needed.
set -euo pipefail

here="$(cd "$(dirname "$0")" && pwd)"
folder="$here/../../.agents"
program="@anthropic-ai/claude-code@2.1.197"

if ! ls "$folder"/node_modules/@anthropic-ai/claude-code-*/claude > /dev/null 2>&1; then
    mkdir -p "$folder"
    npm install --prefix "$folder" --no-audit --no-fund --loglevel error "$program"
fi
RECOLLECT_CLAUDE="$(ls "$folder"/node_modules/@anthropic-ai/claude-code-*/claude | head -n 1)"
export RECOLLECT_CLAUDE
"$RECOLLECT_CLAUDE" --version
cd "$here/../.."
exec python -m pytest -q tests/agents/claude_code.py "$@"
