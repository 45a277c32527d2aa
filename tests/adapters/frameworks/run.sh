#!/usr/bin/env bash
# The published frameworks into an environment of their own, with our source and what we need behind them; then the
# adapters in the frameworks' own hands.
set -euo pipefail

here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../../.." && pwd)"
folder="$root/.frameworks"

if [ "$here/requirements.txt" -nt "$folder/.installed" ]; then
    rm -rf "$folder"
    "${PYTHON:-python3}" -m venv "$folder"
    "$folder/bin/pip" install -qq --no-input --disable-pip-version-check --require-hashes -r "$here/requirements.txt"
    touch "$folder/.installed"
fi
ours="$(cd "$root" && .venv/bin/python -c 'import site; print(site.getsitepackages()[0])')"
theirs="$("$folder/bin/python" -c 'import site; print(site.getsitepackages()[0])')"
printf '%s\n' "$root/src" "$ours" > "$theirs/recollect.pth"
cd "$root"
RECOLLECT_EMBEDDING=off exec "$folder/bin/python" -m pytest -q -p no:cacheprovider -o filterwarnings=default \
    tests/adapters/frameworks/graph_store.py tests/adapters/frameworks/agent_session.py \
    tests/adapters/frameworks/toolset.py "$@"
