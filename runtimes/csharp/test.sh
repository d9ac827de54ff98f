#!/bin/sh
# Compiles the runtime and its tests, every warning an error, and runs the tests: test.sh [parts of tests' names].
# Without names it also compiles each part of the runtime with the parts that it needs and nothing else. The last line is `N passed, N failed`.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
dotnet="$here/../../scripts/dotnet"
out="$here/tests/obj"
mkdir -p "$out"
# What is tested is what goes out.
(cd "$here" && find src \( -name obj -o -name bin \) -prune -o -type f -print | sort) >"$out/files"
cat "$here/emit.txt" "$here/emit-jms.txt" "$here/emit-opentelemetry.txt" "$here/emit-wss.txt" | sed -n 's/ *->.*//p' | sed '/^#/d' | sort | diff "$out/files" - >&2 || {
    echo "emit.txt, emit-jms.txt, emit-opentelemetry.txt and emit-wss.txt do not list the files of src" >&2
    exit 1
}
# Users may have warnings in their own build, and trim it.
if grep -q TreatWarningsAsErrors "$here/src/Creo.csproj" || ! grep -q '<IsTrimmable>true' "$here/src/Creo.csproj" || ! grep -q '<IsAotCompatible>true' "$here/src/Creo.csproj"; then
    echo "src/Creo.csproj: a project for users is trimmable and does not make warnings errors" >&2
    exit 1
fi
python3 "$here/tests/layers.py" check
{
    printf '%s\t' -out:"$out/Creo.dll" -target:library -nullable -warnaserror "-recurse:$here/src/*.cs"
    printf '\n'
    printf '%s\t' -out:"$out/Creo.Tests.dll" -target:exe -nullable -warnaserror -r:"$out/Creo.dll" \
        "$here/src/Http/CookieJar.cs" "$here/src/Http/HttpLocation.cs" "$here/src/Http/DigestAuthentication.cs" "$here/src/Http/DigestChallenge.cs" "$here/src/Soap/Addressing.cs" "$here/src/Soap/Security.cs" "$here/src/Xml/XmlPrefixes.cs" "$here/src/Wss/Tree.cs" "$here/src/Wss/Canonical.cs" "$here/src/Wss/WssNames.cs" "$here/src/Jms/Amqp.cs" "$here/src/Jms/AmqpReader.cs" "$here/src/Jms/AmqpWriter.cs"
    find "$here/tests" -maxdepth 1 -name '*.cs' -exec printf '%s\t' {} +
    printf '\n'
    if [ $# -eq 0 ]; then
        python3 "$here/tests/layers.py" closures "$out/parts"
        printf '%s\t' -out:"$out/parts/TcpAlone.dll" -target:exe -nullable -warnaserror -r:"$out/parts/tcp.dll" "$here/tests/parts/TcpAlone.cs"
        printf '\n'
    fi
} >"$out/batch"
"$dotnet/csc.sh" -batch:"$out/batch"
if [ $# -eq 0 ]; then
    "$dotnet/run.sh" "$out/parts/TcpAlone.dll"
fi
"$dotnet/run.sh" "$out/Creo.Tests.dll" "$@"
