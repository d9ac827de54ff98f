#!/bin/sh
# How long `creo` takes to generate, check and estimate for 1,000 to 10,000 structs, and how much memory: bench/results/compiler.md, or --help.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
cargo build --quiet --locked --release -p creo-cli
exec python3 bench/compiler.py "$@"
