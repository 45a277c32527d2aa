# Sourced: `need package@version …` has programs of npm installed into a folder of this repository and found first.
programs="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)/.agents/clients"
export PATH="$programs/node_modules/.bin:$PATH"

need() {
    local wanted=("node@24.21.0" "$@") missing=() each
    for each in "${wanted[@]}"; do
        grep -qs "\"version\": \"${each##*@}\"" "$programs/node_modules/${each%@*}/package.json" || missing+=("$each")
    done
    [ "${#missing[@]}" = 0 ] && return
    mkdir -p "$programs"
    npm install --prefix "$programs" --no-audit --no-fund --loglevel error "${missing[@]}"
}
