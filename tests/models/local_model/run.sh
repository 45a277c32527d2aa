#!/usr/bin/env bash
# A small language model and the server that runs it into an environment of their own; then every task asks it.
set -euo pipefail

here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../../.." && pwd)"
folder="$root/.local-model"

if [ "$here/requirements.txt" -nt "$folder/.installed" ]; then
    rm -rf "$folder"
    "${PYTHON:-python3}" -m venv "$folder"
    "$folder/bin/pip" install -qq --no-input --disable-pip-version-check --no-deps --require-hashes -r "$here/requirements.txt"
    touch "$folder/.installed"
fi
cd "$root"
coproc MODEL { "$folder/bin/python" "$here/serve.py" 2> "$folder/server.log"; }
address=""
while read -r -t 120 line <&"${MODEL[0]}"; do
    case "$line" in http://*) address="$line"; break ;; esac
done
[ -n "$address" ] || { echo "The model did not start; $folder/server.log says why." >&2; exit 1; }
.venv/bin/python -m tests.models.local_model.play "$address"
