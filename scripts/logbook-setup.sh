#!/bin/sh
# Installs what only the tests of examples/logbook need: Debian's PostgreSQL, and Chromium. Fast if both exist.
set -eu

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
mkdir -p build

fail() {
    echo "logbook-setup: $1" >&2
    exit 1
}

missing=""
command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
set -- /usr/lib/postgresql/*/bin/initdb
[ -x "$1" ] || missing="$missing postgresql"
[ -n "$missing" ] || exit 0
command -v apt-get >/dev/null 2>&1 || fail "these are missing, and there is no apt-get to install them:$missing"
[ "$(id -u)" = 0 ] || fail "these are missing; install them as root:$missing"
echo "logbook-setup: installing$missing"
apt-get update -qq
# The tests start their own server: this file, read on installation, keeps Debian from creating one.
mkdir -p /etc/postgresql-common
[ -e /etc/postgresql-common/createcluster.conf ] || echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
# shellcheck disable=SC2086 # a list of words
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >build/apt-logbook.log 2>&1 || fail "apt-get failed; see build/apt-logbook.log"
