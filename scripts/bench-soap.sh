#!/bin/sh
# Measures calls a second over SOAP and HTTP beside the peers: see docs/measuring.md, or --help.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
exec python3 bench/soap.py "$@"
