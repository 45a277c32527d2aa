#!/usr/bin/env bash
# A demo server, and against it the conformance suite for both eras of the protocol, and the inspector's strict mode.
# What may fail, and why, stands in conformance.yml.
set -euo pipefail

here="$(cd "$(dirname "$0")" && pwd)"
suite="@modelcontextprotocol/conformance@0.2.0-alpha.12"
inspector="@modelcontextprotocol/inspector@2.12.0"
said="$(mktemp)"

recollect serve --demo --insecure --port 0 --json > "$said" &
server=$!
trap 'kill "$server" 2> /dev/null; wait "$server" 2> /dev/null; rm -f "$said"' EXIT
for _ in $(seq 300); do
    [ -s "$said" ] && break
    kill -0 "$server" || exit 1
    sleep 0.1
done
url="$(python -c 'import json, sys; print(json.load(open(sys.argv[1]))["url"])' "$said")/mcp"

for revision in 2025-11-25 2026-07-28; do
    npx --yes "$suite" server --url "$url" --requirements "$revision" --expected-failures "$here/conformance.yml"
done
for query in "" "?toolset=full" "?profile=server-memory"; do
    npx --yes "$inspector" --cli "$url$query" --transport http --method tools/list --strict > /dev/null
    echo "inspector: $url$query is portable"
done
