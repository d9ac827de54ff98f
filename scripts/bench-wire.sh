#!/bin/sh
# Measures the binary and the text wires beside their peers: see docs/measuring.md, or --help.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
exec build/venv/bin/python bench/wire.py "$@"
