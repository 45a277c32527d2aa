#!/usr/bin/env bash
# The shim and the hooks of agentmemory, at pinned versions in a folder of their own, against a server of ours. It needs
# npm, and the network once; about 500 MB.
set -euo pipefail

here="$(cd "$(dirname "$0")" && pwd)"
folder="$here/../../../.agents/agentmemory"

if [ ! -e "$folder/.installed" ]; then
    mkdir -p "$folder"
    cp "$here"/agentmemory/package*.json "$folder/"
    (cd "$folder" && npm install --no-save --omit=optional --ignore-scripts --no-audit --no-fund >/dev/null)
    touch "$folder/.installed"
fi
cd "$here/../../.."
exec python -m tests.dialects.clients.agentmemory_shim "$folder/node_modules/@agentmemory"
