#!/bin/sh
# Measures an echo service over HTTP beside other Java servers, Creo's client, and idle connections: see docs/measuring.md, or --help.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
exec python3 bench/http_calls.py "$@"
