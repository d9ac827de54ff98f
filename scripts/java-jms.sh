#!/bin/sh
# Downloads the libraries of the Java module for JMS (the client of Apache Artemis, runtimes/java-jms/pom.xml, and the
# broker with AMQP, runtimes/java-jms-broker/pom.xml) to build/jms, for code compiled without Maven: the conformance
# peer, the interop tests, the fault run and the example. Fast if everything exists.
set -eu

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
mkdir -p build
pom=$(cat runtimes/pom.xml runtimes/java-jms/pom.xml runtimes/java-jms-broker/pom.xml runtimes/java/pom.xml scripts/java-jms.sh | cksum)
if [ -f build/jms/.ready ] && [ "$(cat build/jms/.ready)" = "$pom" ]; then
    exit 0
fi
echo "setup: the libraries of JMS in build/jms"
rm -rf build/jms
quiet="--batch-mode --no-transfer-progress --quiet"
# The module depends on the runtime, which no registry has: the two are built together.
# shellcheck disable=SC2086 # a list of words
if ! mvn $quiet --file runtimes/pom.xml --projects java-jms,java-jms-broker --also-make compile org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
    -DincludeScope=runtime -DexcludeGroupIds=creo "-DoutputDirectory=$root/build/jms" >build/jms.log 2>&1; then
    echo "setup: Maven could not fetch the libraries of JMS; see build/jms.log" >&2
    exit 1
fi
printf '%s' "$pom" >build/jms/.ready
