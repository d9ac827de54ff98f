#!/bin/sh
# Holds what `creo capacity` predicts against what a Java service does, alone and behind a broker: docs/capacity.md, or --help.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
cargo build --quiet --locked -p creo-cli
exec python3 bench/capacity.py "$@"
