#!/bin/sh
# Measures messages of megabytes over HTTP and JMS, as the papers on serialized messaging did: see docs/measuring.md, or --help.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
exec build/venv/bin/python bench/messaging.py "$@"
