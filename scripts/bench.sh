#!/bin/sh
# Measures a set of all experiments, and makes the page of it: see docs/measuring.md, or --help.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
exec build/venv/bin/python bench/all.py "$@"
