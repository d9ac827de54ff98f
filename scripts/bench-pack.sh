#!/bin/sh
# How long `creo pack` takes, and how large packages are: bench/results/pack.md, or --help.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
cargo build --quiet --locked --release -p creo-cli
exec python3 bench/pack.py "$@"
