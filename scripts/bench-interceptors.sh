#!/bin/sh
# Measures what interceptors add to small calls, in each language: see docs/measuring.md, or --help.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
exec build/venv/bin/python bench/interceptors.py "$@"
