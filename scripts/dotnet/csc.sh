#!/bin/sh
# Compiles C# 12: csc.sh -out:X.dll -target:exe|library -nullable -warnaserror [-r:Y.dll] [-recurse:DIR/*.cs] files...
# For an exe it also writes X.runtimeconfig.json. `csc.sh -batch:FILE` does many compilations in one process: see Driver.cs.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
"$here/setup.sh"
exec "$here/run.sh" "$here/../../build/tools/dotnet/driver/driver.dll" "$@"
