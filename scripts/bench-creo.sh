#!/bin/sh
# Measures the response time of calls beside the peers: see docs/measuring.md, or --help.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
exec python3 bench/creo.py "$@"
