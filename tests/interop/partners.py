"""We call others: `creo import` reads the WSDL of services by CXF, the reference implementation of JAX-WS, gSOAP and PHP, and of one of our own that has SOAP 1.2 alone, and clients generated from it call them."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass

import callers
from harness import CREO, HERE, JAVA, ROOT, WORK, Harness, Part, Service, fetch, folder, jars, javac, program

ORDERS = [
    "sample", "echo", "echo-least", "echo-nothing", "describe", "parties", "attach", "find", "fault-not-found", "fault-busy", "fault-undeclared", "header", "ping", "oneway",
]  # fmt: skip
METERS = ["echo", "echo-least", "echo-chain", "choice-text", "describe", "attach", "add", "find", "fault-not-found", "fault-refused", "fault-undeclared"]
STOCK = ["count", "find", "find-none", "describe", "store", "store-least", "move", "sum", "properties", "anything", "ping", "forget", "fault-unknown", "fault-undeclared"]
# A service of SOAP encoding, as the importer's tests have it.
STOCK_WSDL = ROOT / "tests" / "import" / "encoded" / "in.wsdl"
MOMENTS = ["shift", "fault-beyond"]
# A service whose answers have several elements in the body (SOAP-100).
RECEIPTS_WSDL = HERE / "partners" / "receipts" / "receipts.wsdl"
# A service of SOAP 1.2 alone.
MOMENTS_WSDL = HERE / "partners" / "creo" / "moments.wsdl"


@dataclass(frozen=True)
class Partner:
    """A partner's service: its name, who serves it, how it is started, how its WSDL comes into a folder, and where it is called in which mode."""

    name: str
    peer: str
    cases: list[str]
    start: Callable[[Harness], Service]
    # Gives the WSDL's file, and the options that the import needs to find what it imports.
    wsdl: Callable[[Service, pathlib.Path], tuple[pathlib.Path, list[str]]]
    addresses: Callable[[Service], dict[str, str]]


def jaxws(peer: str) -> Callable[[Harness], Service]:
    def start(harness: Harness) -> Service:
        def command() -> list[str]:
            classes = folder(f"partner-{peer}") / "classes"
            javac([HERE / "partners/jaxws"], classes, jars(peer))
            return [*JAVA, "-cp", os.pathsep.join([str(classes), jars(peer)]), "partner.Partner"]

        return harness.service(f"partner-{peer}", command)

    return start


def secured(harness: Harness) -> Service:
    """CXF with WS-Addressing, and with tokens of WS-Security."""

    def command() -> list[str]:
        classes = folder("partner-secured") / "classes"
        javac([HERE / "partners/jaxws/Orders.java", HERE / "partners/jaxws/Types.java", HERE / "partners/cxf"], classes, jars("cxf"))
        return [*JAVA, "-cp", os.pathsep.join([str(classes), jars("cxf")]), "partner.Secured"]

    return harness.service("partner-secured", command)


def jaxws_wsdl(service: Service, out: pathlib.Path) -> tuple[pathlib.Path, list[str]]:
    """The reference implementation publishes its schema at a separate address, which is mapped to a file: the import downloads nothing."""
    wsdl = out / "orders.wsdl"
    wsdl.write_bytes(fetch(f"{service.address}?wsdl"))
    options: list[str] = []
    for location in re.findall(r'schemaLocation="([^"]+)"', wsdl.read_text()):
        schema = out / f"schema{len(options)}.xsd"
        schema.write_bytes(fetch(location))
        options += ["--include", f"{location}={schema}"]
    return wsdl, options


def jaxws_addresses(service: Service) -> dict[str, str]:
    return {"1.1": service.address, "1.2": service.said["soap12"], "mtom": service.said["mtom"]}


def gsoap(harness: Harness) -> Service:
    def command() -> list[str]:
        out = folder("partner-gsoap")
        program(["soapcpp2", "-c", "-S", "-L", "-x", "-I/usr/share/gsoap/import", HERE / "partners/gsoap/meters.h"], folder=out)
        program(["gcc", "-O0", "-I.", "-o", "server", HERE / "partners/gsoap/server.c", "soapC.c", "soapServer.c", "-lgsoap", "-lpthread"], folder=out)
        return [str(out / "server")]

    return harness.service("partner-gsoap", command)


def gsoap_wsdl(service: Service, out: pathlib.Path) -> tuple[pathlib.Path, list[str]]:
    shutil.copy(WORK / "partner-gsoap/Meters.wsdl", out / "meters.wsdl")
    return out / "meters.wsdl", []


def stock(program: str) -> Callable[[Harness], Service]:
    def start(harness: Harness) -> Service:
        return harness.service(f"partner-{program}", lambda: [sys.executable, str(HERE / f"partners/stock/{program}.py"), str(STOCK_WSDL)])

    return start


def stock_wsdl(service: Service, out: pathlib.Path) -> tuple[pathlib.Path, list[str]]:
    shutil.copy(STOCK_WSDL, out / "stock.wsdl")
    return out / "stock.wsdl", []


def moments(harness: Harness) -> Service:
    """Our own service, for which the import is a description as any other."""

    def command() -> list[str]:
        out = folder("partner-creo")
        program([CREO, "import", MOMENTS_WSDL, "--strict", "--out", out])
        program([CREO, "generate", out / "moments.creo", "--target", "java", "--out", out])
        javac([out / "java", HERE / "partners/creo"], out / "classes")
        return [*JAVA, "-cp", str(out / "classes"), "MomentsService"]

    return harness.service("partner-creo", command)


def moments_wsdl(service: Service, out: pathlib.Path) -> tuple[pathlib.Path, list[str]]:
    shutil.copy(MOMENTS_WSDL, out / "moments.wsdl")
    return out / "moments.wsdl", []


def receipts_cxf(harness: Harness) -> Service:
    def command() -> list[str]:
        out = folder("partner-receipts-cxf")
        program([*JAVA, "-cp", jars("cxf"), "org.apache.cxf.tools.wsdlto.WSDLToJava", "-p", "peer", "-d", out / "sources", RECEIPTS_WSDL])
        javac([out / "sources", HERE / "partners/receipts"], out / "classes", jars("cxf"))
        return [*JAVA, "-cp", os.pathsep.join([str(out / "classes"), jars("cxf")]), "partner.ReceiptsPartner"]

    return harness.service("partner-receipts-cxf", command)


def receipts_gsoap(harness: Harness) -> Service:
    def command() -> list[str]:
        out = folder("partner-receipts-gsoap")
        program(["wsdl2h", "-c", "-F", "-x", "-o", "receipts.h", RECEIPTS_WSDL], folder=out)
        program(["soapcpp2", "-c", "-S", "-L", "-x", "-w", "-I/usr/share/gsoap/import", "receipts.h"], folder=out)
        program(["gcc", "-O0", "-I.", "-o", "server", HERE / "partners/receipts/server.c", "soapC.c", "soapServer.c", "-lgsoap", "-lpthread"], folder=out)
        return [str(out / "server")]

    return harness.service("partner-receipts-gsoap", command)


def receipts_wsdl(service: Service, out: pathlib.Path) -> tuple[pathlib.Path, list[str]]:
    shutil.copy(RECEIPTS_WSDL, out / "receipts.wsdl")
    return out / "receipts.wsdl", []


PARTNERS = [
    Partner("orders", "cxf", ORDERS, jaxws("cxf"), jaxws_wsdl, jaxws_addresses),
    Partner(
        "orders", "secured", ORDERS, secured, jaxws_wsdl,
        lambda service: {"addressing": service.address, **{mode: service.said[mode] for mode in ("addressing12", "token", "digest")}},
    ),  # fmt: skip
    Partner("orders", "ri", ORDERS, jaxws("ri"), jaxws_wsdl, jaxws_addresses),
    Partner("meters", "gsoap", METERS, gsoap, gsoap_wsdl, lambda service: {mode: service.address for mode in ("1.1", "1.2", "mtom")}),
    Partner("moments", "creo", MOMENTS, moments, moments_wsdl, lambda service: {"imported": service.address}),
    *(Partner("stock", peer, STOCK, stock(peer), stock_wsdl, lambda service: {"encoded": service.address}) for peer in ("php", "axis")),
    *(
        Partner("receipts", f"receipts-{peer}", callers.RECEIPTS, start, receipts_wsdl, lambda service: {"imported": service.address})
        for peer, start in {"cxf": receipts_cxf, "gsoap": receipts_gsoap}.items()
    ),
]


def description(harness: Harness, partner: Partner) -> pathlib.Path:
    """What the import makes of the partner's WSDL: all of it, or this fails."""

    def make() -> pathlib.Path:
        out = folder(f"import-{partner.peer}")
        wsdl, options = partner.wsdl(partner.start(harness), out)
        program([CREO, "import", wsdl, "--strict", *options, "--out", out])
        made = out / f"{partner.name}.creo"
        program([CREO, "check", made])
        return made

    made = harness.once(f"import {partner.peer}", make)
    assert isinstance(made, pathlib.Path)
    return made


def generated(harness: Harness, partner: Partner, language: str) -> pathlib.Path:
    out = folder(f"client-{partner.peer}")
    program([CREO, "generate", description(harness, partner), "--target", language, "--out", out])
    return out / language


def java(harness: Harness, partner: Partner) -> list[str]:
    code = generated(harness, partner, "java")
    classes = code.parent / "java-classes"
    main = partner.name.capitalize() + "Caller"
    javac([code, HERE / "clients/java/Cases.java", HERE / f"clients/java/{main}.java"], classes)
    return [*JAVA, "-cp", str(classes), main]


def python(harness: Harness, partner: Partner) -> list[str]:
    code = generated(harness, partner, "python")
    # The environment of the tests; the client itself needs nothing but Python.
    return ["env", f"PYTHONPATH={code}", str(ROOT / "build/venv/bin/python"), "-W", "error", str(HERE / f"clients/python/{partner.name}.py")]


def c(harness: Harness, partner: Partner) -> list[str]:
    code = generated(harness, partner, "c")
    client = code.parent / "c-client"
    # Without its optimization, which other suites have: it takes most of the time.
    program(["make", "-s", "-C", code, "CFLAGS=-O0"])
    flags = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Werror", "-O1"]
    program(["gcc", *flags, f"-I{code / 'include'}", "-o", client, HERE / f"clients/c/{partner.name}.c", *(code / "build").glob("libcreo_*.a")])
    return [str(client)]


def csharp(harness: Harness, partner: Partner) -> list[str]:
    code = generated(harness, partner, "csharp")
    client = code.parent / "csharp-client" / "client.dll"
    main = HERE / f"clients/csharp/{partner.name.capitalize()}Caller.cs"
    program([ROOT / "scripts/dotnet/csc.sh", f"-out:{client}", "-target:exe", "-nullable", "-warnaserror", f"-recurse:{code}/*.cs", HERE / "clients/csharp/Cases.cs", main])
    return [str(ROOT / "scripts/dotnet/run.sh"), str(client)]


LANGUAGES = {"java": java, "python": python, "c": c, "csharp": csharp}


def calls(partner: Partner, build: Callable[[Harness, Partner], list[str]]) -> Callable[[Harness, str], None]:
    def run(harness: Harness, name: str) -> None:
        service = partner.start(harness)
        command = build(harness, partner)
        for mode, address in partner.addresses(service).items():
            harness.calls(f"{name}/{mode}", [*command, address, mode], partner.cases)

    return run


def imports(partner: Partner) -> Callable[[Harness, str], None]:
    def run(harness: Harness, name: str) -> None:
        description(harness, partner)
        harness.case(name)

    return run


def parts() -> dict[str, Part]:
    all_parts: dict[str, Part] = {}
    for partner in PARTNERS:
        all_parts[f"partner/{partner.peer}/import"] = Part(imports(partner), [])
        for language, build in LANGUAGES.items():
            all_parts[f"partner/{partner.peer}/{language}"] = Part(calls(partner, build), [language])
    return all_parts
