"""Builds the programs of the messaging benchmark below build/bench/messaging, and says how they are started."""

from __future__ import annotations

import shutil
from pathlib import Path

from . import machine
from .tools import BENCH, BUILD, FORMS, ensure, fresh, generate, run, say

HERE = BUILD / "messaging"
JAVA = BENCH / "messaging" / "java"
# The heaps of the service and the client, and that of the broker: all three stay below 4 GiB. Pages are touched before measuring.
HEAP = "1280m"
BROKER_HEAP = "768m"
# CXF's quicker way to HTTP of those that it has; and half of the broker's memory, which would otherwise be a quarter.
CONDUIT = "-Dorg.apache.cxf.transport.http.forceURLConnection=true"
BROKER_MEMORY = "384"


def build() -> None:
    ensure("messaging")
    HERE.mkdir(parents=True, exist_ok=True)
    say("building the messaging benchmark")
    sources = fresh(HERE / "creo")
    shutil.copytree(generate("java", "messaging", "--with", "jms,jms-broker"), sources, dirs_exist_ok=True, ignore=shutil.ignore_patterns("module-info.java"))
    # Messages without a transport, as calibration makes them.
    shutil.copy(FORMS, sources / "creo" / "runtime")
    wsdl = ["cargo", "run", "--quiet", "-p", "creo-cli", "--", "export", "wsdl", BENCH / "messaging.creo", "--soap11", "--quiet", "--out", HERE / "messaging.wsdl"]
    run(wsdl)
    for folder in ("target", "cxf", "lib"):
        fresh(HERE / folder)
    run(["mvn", "-q", "-B", "-f", JAVA, "package"], capture=True)


def memory(size: str) -> tuple[str, ...]:
    return ("java", "-XX:+UseParallelGC", f"-Xms{size}", f"-Xmx{size}", "-XX:+AlwaysPreTouch", CONDUIT, "-cp", f"{HERE}/target/classes:{HERE}/lib/*")


def program(side: str, peer: str, form: str, transport: str, broker: int, *more: str) -> list[object]:
    return [*memory(HEAP), "creo.bench.messaging.Main", side, peer, form, transport, broker, *more]


def broker(data: Path | None) -> list[object]:
    """The broker as a separate program; without a folder nothing is stored."""
    return [*memory(BROKER_HEAP), "creo.jms.broker.EmbeddedBroker", "--port", "0", "--memory", BROKER_MEMORY, "--until-input-ends", *(("--data", str(data)) if data else ())]


def versions() -> dict[str, dict[str, str]]:
    pom = (JAVA / "pom.xml").read_text()

    def pinned(key: str) -> str:
        return pom.split(f"<{key}.version>")[1].split("<")[0]

    return {"java": {"JDK": machine.first_line("java", "-version"), "CXF": f"{pinned('cxf')} on its Jetty", "Artemis": pinned("artemis")}}
