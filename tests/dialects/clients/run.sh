#!/usr/bin/env bash
# The published clients of other memory systems, each in an environment of its own, against a server of ours with a home of
# its own. A client is a file here: NAME.py with NAME.requirements.txt, or NAME.sh. It is started with the address of
# the server and the secret of a token that was made for the dialect NAME; NAME.py by the Python of its environment.
set -euo pipefail

here="$(cd "$(dirname "$0")" && pwd)"
folder="$(cd "$here/../../.." && pwd)/.dialect-clients"
home="$(mktemp -d)"
server=""
stop() { if [ -n "$server" ]; then kill "$server" 2> /dev/null || true; wait "$server" 2> /dev/null || true; fi; rm -rf "$home"; }
trap stop EXIT

export RECOLLECT_HOME="$home" RECOLLECT_EMBEDDING=off RECOLLECT_JUDGE=off RECOLLECT_RERANKER=off
export RECOLLECT_CLIENTS="$folder"
recollect serve --port 0 > "$home/serve.out" 2>&1 &
server=$!
until grep -q '^Recollect serves at ' "$home/serve.out"; do
    kill -0 "$server" || { cat "$home/serve.out" >&2; exit 1; }
done
url="$(sed -n 's/^Recollect serves at //p' "$home/serve.out" | head -1)"

mkdir -p "$folder"
for client in "$here"/*.py "$here"/*.sh; do
    name="$(basename "${client%.*}")"
    dialect="${name%%-*}"  # mem0-npm.sh speaks mem0, too
    wanted="$here/$name.requirements.txt"
    if [ "$name" = run ] || { [[ "$client" == *.py ]] && [ ! -e "$wanted" ]; }; then continue; fi
    if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
    secret="$(recollect tokens create --dialect "$dialect" --scope admin --space "$name" 2> "$home/token.out")" || { cat "$home/token.out" >&2; exit 1; }
    echo "== $name"
    if [[ "$client" == *.sh ]]; then
        "$client" "$url" "$secret"
        continue
    fi
    if [ "$wanted" -nt "$folder/$name/.installed" ]; then
        rm -rf "${folder:?}/$name"
        "${PYTHON:-python3}" -m venv "$folder/$name"
        "$folder/$name/bin/pip" install -qq --no-input --disable-pip-version-check --require-hashes -r "$wanted"
        touch "$folder/$name/.installed"
    fi
    "$folder/$name/bin/python" "$client" "$url" "$secret"
done
