#!/bin/sh
# Builds and runs the tests of the C# runtime; the last line is `N passed, N failed`.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
exec "$here/../../runtimes/csharp/test.sh"
