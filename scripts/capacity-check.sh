#!/bin/sh
# Compares the predictions of `creo capacity` with a Java service, alone and with a broker: docs/capacity.md, or --help.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
cargo build --quiet --locked -p creo-cli
exec python3 bench/capacity.py "$@"
