#!/bin/sh
# Downloads into build/dist-index what the package tests need for building Python projects. Fast if it is already there.
set -eu

root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
index=$root/build/dist-index
list=$root/scripts/dist/build-tools.txt
if [ -f "$index/.ready" ] && cmp -s "$list" "$index/.ready"; then
    exit 0
fi
rm -rf "$index"
mkdir -p "$index"
"$root/build/venv/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --python-version 3.9 --dest "$index" -r "$list" || {
    echo "setup: pip could not fetch $list" >&2
    exit 1
}
cp "$list" "$index/.ready"
