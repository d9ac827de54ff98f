#!/bin/sh
# Makes the page and the pictures of all that was measured: see docs/measuring.md, or --help.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
PYTHONPATH="$root/bench" exec "$root/build/venv/bin/python" -m report "$@"
