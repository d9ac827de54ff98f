#!/bin/sh
# Measures calls of Order get(long) from Python, Creo beside gRPC: see docs/measuring.md, or --help.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
exec build/venv/bin/python bench/calls.py "$@"
