#!/bin/sh
# Builds the CO2 example and runs it: one Java service, a client in every language. See examples/co2/README.md.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
scripts/setup.sh
cargo build --quiet -p creo-cli
exec build/venv/bin/python examples/co2/demo/demo.py
