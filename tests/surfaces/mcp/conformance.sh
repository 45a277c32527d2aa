#!/usr/bin/env bash
# A server with what the conformance suite calls beside our own tools, and against it the suite for each revision of
# the protocol that we speak. What may fail, and why, stands in conformance.yml.
set -euo pipefail

here="$(cd "$(dirname "$0")" && pwd)"
source "$here/programs.sh"
need "@modelcontextprotocol/conformance@0.2.0-alpha.12"
said="$(mktemp)"

(cd "$here/../../.." && exec python -m tests.surfaces.mcp.conformance_server) > "$said" &
server=$!
trap 'kill "$server" 2> /dev/null; wait "$server" 2> /dev/null; rm -f "$said"' EXIT
for _ in $(seq 600); do
    [ -s "$said" ] && break
    kill -0 "$server" || exit 1
    sleep 0.1
done
url="$(python -c 'import json, sys; print(json.load(open(sys.argv[1]))["url"])' "$said")/mcp"

# The oldest has no list of requirements of its own, so it gets every scenario that applies to it.
for chosen in "--spec-version 2025-06-18" "--requirements 2025-11-25" "--requirements 2026-07-28"; do
    # shellcheck disable=SC2086 - two words
    conformance server --url "$url" $chosen --expected-failures "$here/conformance.yml"
done
