#!/bin/sh
# Prints the sizes of the five messages in each form: see docs/measuring.md.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
exec python3 bench/sizes.py "$@"
