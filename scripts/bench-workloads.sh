#!/bin/sh
# Measures orders, telemetry and a document in every language beside the peers: see docs/measuring.md, or --help.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
exec build/venv/bin/python bench/workloads.py "$@"
