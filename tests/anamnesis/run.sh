#!/usr/bin/env bash
# The published package of Anamnesis into an environment of its own, and its stores between it and us. Nothing of it is
# installed anywhere else.
set -euo pipefail

here="$(cd "$(dirname "$0")" && pwd)"
folder="$here/../../.anamnesis"
package="anamnesis-memory==0.1.3"

if [ ! -e "$folder/.installed" ]; then
    "${PYTHON:-python3}" -m venv "$folder"
    "$folder/bin/pip" install -qq --no-input --disable-pip-version-check "$package"
    touch "$folder/.installed"
fi
export RECOLLECT_ANAMNESIS="$folder/bin/python"
cd "$here/../.."
exec python -m pytest -q tests/anamnesis/store.py tests/anamnesis/commands.py "$@"
