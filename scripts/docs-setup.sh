#!/bin/sh
# Installs what only `make docs` and its tests need: mdBook in build/tools, and Debian's Chromium. Compiling mdBook takes some minutes once.
set -eu

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
mdbook=0.5.4

fail() {
    echo "docs-setup: $1" >&2
    exit 1
}

if [ "$(build/tools/bin/mdbook --version 2>/dev/null)" != "mdbook v$mdbook" ]; then
    command -v cargo >/dev/null 2>&1 || fail "no cargo on PATH"
    mkdir -p build/tools
    echo "docs-setup: compiling mdBook $mdbook, some minutes"
    # Without the server and the watcher, which have most of the dependencies, and barely optimized: the site is small.
    CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_TARGET_DIR=build/tools/target cargo install --quiet --locked --root build/tools mdbook --version "$mdbook" --no-default-features --features search >build/mdbook.log 2>&1 ||
        fail "mdBook does not compile; see build/mdbook.log"
    rm -rf build/tools/target
fi

[ "${1:-}" != --no-browser ] || exit 0
if ! command -v chromium >/dev/null 2>&1; then
    command -v apt-get >/dev/null 2>&1 || fail "no chromium on PATH, and no apt-get to install it"
    [ "$(id -u)" = 0 ] || fail "no chromium on PATH; install it as root"
    echo "docs-setup: installing chromium"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >build/apt-chromium.log 2>&1 || fail "apt-get failed; see build/apt-chromium.log"
fi
