#!/bin/sh
# Compiles the framework and its tests, every warning an error, and runs the tests: test.sh [part of a test's name].
# The last line is `N passed, N failed`.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
dotnet="$here/../../scripts/dotnet"
out="$here/tests/obj"
mkdir -p "$out"
# What is tested is what goes out.
(cd "$here" && find src \( -name obj -o -name bin \) -prune -o -type f -print | sort) >"$out/files"
cat "$here/emit.txt" "$here/emit-jms.txt" | sed -n 's/ *->.*//p' | sed '/^#/d' | sort | diff "$out/files" - >&2 || {
    echo "emit.txt and emit-jms.txt do not list the files of src" >&2
    exit 1
}
printf '%s\t' -out:"$out/Creo.dll" -target:library -nullable -warnaserror "-recurse:$here/src/*.cs" >"$out/batch"
printf '\n' >>"$out/batch"
printf '%s\t' -out:"$out/Creo.Tests.dll" -target:exe -nullable -warnaserror -r:"$out/Creo.dll" "-recurse:$here/tests/*.cs" \
    "$here/src/Xml/XmlPrefixes.cs" "$here/src/Jms/Amqp.cs" "$here/src/Jms/AmqpReader.cs" "$here/src/Jms/AmqpWriter.cs" >>"$out/batch"
printf '\n' >>"$out/batch"
"$dotnet/csc.sh" -batch:"$out/batch"
"$dotnet/run.sh" "$out/Creo.Tests.dll" "$@"
