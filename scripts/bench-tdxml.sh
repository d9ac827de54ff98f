#!/bin/sh
# Measures the five messages of the TDXML paper in each form: see docs/measuring.md, or --help.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
exec build/venv/bin/python bench/tdxml.py "$@"
