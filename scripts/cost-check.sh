#!/bin/sh
# Calibrates this machine, estimates messages that calibration did not use, measures them, and writes the errors to
# bench/results/cost-*.md: docs/cost.md. --quick calibrates with fewer lengths and rounds; --profile FILE uses an
# existing profile; --target NAMES; --also FILE also checks a description or WSDL; --ship makes the profile the one
# shipped with creo for such processors. Exits with 1 if a limit is missed.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
cargo build --quiet --locked -p creo-cli
# The compiler and the runtime of C# that all tests here use.
"$root/scripts/dotnet/setup.sh"
export CREO_DOTNET="${CREO_DOTNET:-$root/build/tools/dotnet/dotnet}" CREO_CSC="${CREO_CSC:-$root/scripts/dotnet/csc.sh}"
exec python3 "$root/scripts/cost_check.py" "$@"
