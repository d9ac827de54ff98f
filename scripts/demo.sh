#!/bin/sh
# Builds the CO2 example and runs it: one Java service, a client in each language. See examples/co2/README.md.
#
#   demo.sh [LANGUAGES]     some of java,python,c,csharp; all of them by default
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
languages=${1:-java,python,c,csharp}
scripts/setup.sh demo "$languages"
cargo build --quiet --locked -p creo-cli
exec python3 examples/co2/demo/demo.py "$languages"
