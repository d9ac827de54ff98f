#!/bin/sh
# Brings the peers of the interop tests below build/interop: zeep, node-soap, CXF, the reference implementation of JAX-WS, and tools of OpenAPI, all pinned.
# gSOAP is a Debian package (scripts/setup.sh). Quick when all is there; what was half done is done again.
#
#   setup.sh PYTHON     the Python to make the environments of zeep and of the tools of OpenAPI with
set -eu

python=$1
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
build=$(CDPATH= cd -- "$here/../.." && pwd)/build/interop
mkdir -p "$build"

fail() {
    echo "setup of the interop peers: $1" >&2
    exit 1
}

# ready NAME STAMP: was NAME made from what the stamp says?
ready() {
    [ -f "$build/$1/.ready" ] && [ "$(cat "$build/$1/.ready")" = "$2" ]
}

for peer in zeep openapi; do
    wanted="$python $(cat "$here/peers/$peer/requirements.txt")"
    if ! ready $peer "$wanted" || ! "$build/$peer/bin/python" -c '' 2>/dev/null; then
        echo "setup: $peer in build/interop"
        rm -rf "${build:?}/$peer"
        "$python" -m venv "$build/$peer"
        "$build/$peer/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/peers/$peer/requirements.txt" || fail "pip could not install $peer"
        printf '%s' "$wanted" >"$build/$peer/.ready"
    fi
done

node=$(cat "$here/peers/node/package-lock.json" | cksum)
if ! ready node "$node"; then
    echo "setup: node-soap in build/interop"
    rm -rf "$build/node"
    mkdir "$build/node"
    cp "$here/peers/node/package.json" "$here/peers/node/package-lock.json" "$here/peers/node/.npmrc" "$build/node"
    (cd "$build/node" && npm ci --silent --no-audit --no-fund --ignore-scripts) || fail "npm could not install node-soap"
    printf '%s' "$node" >"$build/node/.ready"
fi

for peer in cxf ri; do
    pom=$(cat "$here/peers/$peer/pom.xml" | cksum)
    if ! ready $peer "$pom"; then
        echo "setup: $peer in build/interop"
        rm -rf "${build:?}/$peer"
        mvn --batch-mode --no-transfer-progress --quiet --file "$here/peers/$peer/pom.xml" dependency:copy-dependencies -DincludeScope=runtime "-DoutputDirectory=$build/$peer" \
            >"$build/$peer.log" 2>&1 || fail "Maven could not fetch $peer; see build/interop/$peer.log"
        printf '%s' "$pom" >"$build/$peer/.ready"
    fi
done
