#!/bin/bash
# What the action runs: CREO_FILES are descriptions or patterns of them, CREO_AGAINST is what they are compared with, if anything.
# Every check runs, and the exit code is 1 if one of them found something.
set -uo pipefail
shopt -s globstar nullglob

files=()
read -ra patterns <<<"$CREO_FILES"
for pattern in "${patterns[@]}"; do
    if [[ $pattern == *[*?[]* ]]; then
        # A pattern expands to names; spaces within these are kept.
        IFS= mapfile -t found < <(compgen -G "$pattern")
        files+=(${found[@]+"${found[@]}"})
    else
        files+=("$pattern")
    fi
done
if [ ${#files[@]} -eq 0 ]; then
    echo "::error::no description: $CREO_FILES"
    exit 1
fi

result=0
run() {
    echo "::group::creo $1"
    creo "$@" || result=1
    echo "::endgroup::"
}
run check -- "${files[@]}"
run fmt --check -- "${files[@]}"
if [ -f creo.toml ]; then
    run generate --check
fi
if [ -n "${CREO_AGAINST:-}" ]; then
    run diff --against "$CREO_AGAINST" -- "${files[@]}"
fi
exit $result
