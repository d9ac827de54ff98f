#!/bin/sh
# Measures streams of doubles and of small structs between a Java service and clients in each language: see docs/measuring.md, or --help.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
exec build/venv/bin/python bench/streams.py "$@"
