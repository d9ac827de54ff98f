#!/bin/sh
# Measures what XML serialization costs by type and length, as the paper on its cost did: see docs/measuring.md, or --help.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
exec build/venv/bin/python bench/cost.py "$@"
