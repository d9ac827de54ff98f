#!/bin/sh
# Runs a .NET program: run.sh X.dll [arguments]
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
"$here/setup.sh"
export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1
exec "$here/../../build/tools/dotnet/dotnet" exec "$@"
