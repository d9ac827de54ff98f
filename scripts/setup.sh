#!/bin/sh
# Prepares a machine: checks the compilers, installs missing Debian packages, creates the Python environments in build/,
# and downloads the .NET tools. Fast if everything exists; safe to run at any time.
#
#   setup.sh                    what building and testing need
#   setup.sh demo LANGUAGES     what `make demo` needs for these clients, separated by commas: java,python,c,csharp
set -eu
what=${1:-tests}
languages=${2:-java,python,c,csharp}

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
mkdir -p build

fail() {
    echo "setup: $1" >&2
    exit 1
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# Debian packages, each with a check whether it is installed.
missing=""
need() {
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}

header() {
    echo "#include <$1>" | gcc -E -x c - >/dev/null 2>&1
}

libfuzzer() {
    echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n); int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { (void)d; (void)n; return 0; }' |
        clang -fsanitize=fuzzer,address -x c - -o build/.fuzzer-works
}

cmocka() {
    printf '#include <stdarg.h>\n#include <stddef.h>\n#include <setjmp.h>\n#include <stdint.h>\n#include <cmocka.h>\n' | gcc -E -x c - >/dev/null
}

with() {
    case ",$languages," in *",$1,"*) true ;; *) false ;; esac
}

demo_packages() {
    need openjdk-17-jdk-headless have javac
    need maven have mvn
    need python3 have python3
    need python3-venv python3 -c 'import ensurepip, venv'
    # Rust links with it.
    need gcc have gcc
    need libc6-dev header stdio.h
    if with c || with python; then
        need pkg-config have pkg-config
        need libqpid-proton11-dev header proton/connection_driver.h
    fi
    if with c; then
        need make have make
    fi
    if with csharp && ! have dotnet; then
        need npm have npm
    fi
}

test_packages() {
    demo_packages
    need g++ have g++
    need make have make
    need cmake have cmake
    need ant have ant
    need dpkg-dev have dpkg-deb
    need binutils have readelf
    need curl have curl
    need clang have clang
    need nodejs have node
    need npm have npm
    need libcmocka-dev cmocka
    need libssl-dev header openssl/ssl.h
    need openssl have openssl
    need gsoap have soapcpp2
    need libgsoap-dev header stdsoap2.h
    # SOAP encoding, as PHP and Perl speak it.
    need php-cli have php
    need php-soap php -r 'exit(extension_loaded("soap") ? 0 : 1);'
    need libsoap-lite-perl perl -MSOAP::Lite -e 1
    if have clang; then
        major=$(clang -dumpversion | cut -d. -f1)
        need "libclang-rt-$major-dev" libfuzzer
    fi
}

debian_packages() {
    case $what in
        demo) demo_packages ;;
        tests) test_packages ;;
        *) fail "there is nothing to set up for $what" ;;
    esac
}

debian_packages
if [ -n "$missing" ]; then
    have apt-get || fail "these are missing, and there is no apt-get to install them:$missing"
    [ "$(id -u)" = 0 ] || fail "these are missing; install them as root:$missing"
    echo "setup: installing$missing"
    apt-get update -qq
    # shellcheck disable=SC2086 # a list of words
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >build/apt.log 2>&1 || fail "apt-get failed; see build/apt.log"
    missing=""
    debian_packages # clang's own package brings the next question
    if [ -n "$missing" ]; then
        # shellcheck disable=SC2086
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >>build/apt.log 2>&1 || fail "apt-get failed; see build/apt.log"
    fi
fi
rm -f build/.fuzzer-works

have cargo || fail "no cargo on PATH: install Rust with rustup, version $(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml) or later"
wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
rust=$(rustc --version | sed 's/^rustc \([0-9]*\.[0-9]*\).*/\1/')
[ "$(printf '%s\n%s\n' "$wanted" "$rust" | sort -V | head -n 1)" = "$wanted" ] || fail "Rust is $rust; $wanted or later is needed"
jdk=$(javac -version 2>&1 | sed 's/^javac \([0-9]*\).*/\1/')
[ "$jdk" -ge 17 ] || fail "the JDK is $jdk; 17 or later is needed"

# The Pythons to test with: the oldest and the newest from 3.9 up that run.
pythons() {
    for candidate in python3 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 python3.15 /usr/bin/python3 /usr/local/bin/python3 "$HOME"/.pyenv/versions/*/bin/python3; do
        "$candidate" -c 'import sys, ensurepip, venv, ssl
if sys.version_info >= (3, 9):
    print("%d.%02d.%02d" % sys.version_info[:3], sys.executable)' 2>/dev/null || true
    done | sort -u
}

venv() {
    python=$1
    folder=$2
    requirements=$3
    stamp="$python $(cat "$requirements")"
    if [ -f "$folder/.ready" ] && [ "$(cat "$folder/.ready")" = "$stamp" ] && "$folder/bin/python" -c '' 2>/dev/null; then
        return
    fi
    echo "setup: Python environment $folder ($("$python" --version))"
    rm -rf "$folder"
    "$python" -m venv "$folder"
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check -r "$requirements" || fail "pip could not install $requirements"
    printf '%s' "$stamp" >"$folder/.ready"
}

found=$(pythons)
[ -n "$found" ] || fail "no Python 3.9 or later with venv on PATH"
oldest=$(echo "$found" | head -n 1 | cut -d' ' -f2)
newest=$(echo "$found" | tail -n 1 | cut -d' ' -f2)
if [ "$what" = demo ]; then
    if with python; then
        venv "$newest" build/venv-demo scripts/python/requirements-demo.txt
    fi
    if with csharp; then
        scripts/dotnet/setup.sh
    fi
    scripts/java-jms.sh
    exit 0
fi
venv "$newest" build/venv scripts/python/requirements.txt
venv "$oldest" build/venv-oldest scripts/python/requirements-oldest.txt
printf '%s\n%s\n' "$root/build/venv-oldest/bin/python" "$root/build/venv/bin/python" >build/pythons.txt
# One build serves every Python from 3.9 on: the oldest also loads that of the newest.
build/venv/bin/python runtimes/python-accelerator/build.py build/accelerator || fail "the accelerator does not compile"
# pyright fetches its program at its first run: let that happen here.
if [ ! -f build/venv/.pyright ]; then
    build/venv/bin/pyright --version >build/pyright.log 2>&1 || fail "pyright does not start; see build/pyright.log"
    touch build/venv/.pyright
fi

scripts/dotnet/setup.sh
scripts/dist/setup.sh
scripts/java-jms.sh
tests/interop/setup.sh "$newest"
