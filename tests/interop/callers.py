"""Others call us: peers import the WSDL or the OpenAPI document of the running Java service, and call every method."""

from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Callable, Sequence

from harness import CREO, HERE, JAVA, PEERS, ROOT, Failure, Harness, Part, Service, fetch, folder, jars, javac, program

# What every peer must report, over every version of SOAP.
CASES = [
    "primitives", "primitives-extremes", "arrays", "arrays-empty", "nested", "optionals", "optionals-none", "shape", "event", "growing", "growing-defaults", "tree", "maps",
    "words", "nothing", "enums", "text", "instant", "amount", "data", "doubles", "points", "matrix", "maybe", "counts", "several", "answer", "ping", "fault-none",
    "fault-not-found", "fault-refused", "fault-undeclared", "oneway",
]  # fmt: skip
DESCRIPTION = HERE / "interop.creo"
RECEIPTS = ["put", "put-nil", "settle"]


def service(harness: Harness) -> Service:
    def command() -> list[str]:
        out = folder("service")
        program([CREO, "generate", DESCRIPTION, "--target", "java", "--wires", "all", "--out", out])
        javac([out / "java", HERE / "service"], out / "classes")
        return [*JAVA, "-cp", str(out / "classes"), "InteropService"]

    return harness.service("creo-java", command)


def quiet(harness: Harness, name: str, command: list[str], but: str = "") -> None:
    """An importer that must succeed without a warning, but for the one that is named here."""
    done = program(command)
    said = [line for line in (done.stdout + done.stderr).splitlines() if re.search(r"warn|error", line, re.I) and not (but and but in line)]
    if said:
        harness.failure(name, "; ".join(said))
    else:
        harness.case(name)


def soap11() -> str:
    """The WSDL without the port for SOAP 1.2."""
    path = folder("wsdl") / "Echo11.wsdl"
    program([CREO, "export", "wsdl", DESCRIPTION, "--soap11", "--address", "http://127.0.0.1/Echo", "--out", path])
    return str(path)


def wsdl(harness: Harness, name: str) -> None:
    """What the service gives is what `creo export wsdl` writes, and names the address that was asked."""
    address = service(harness).address
    served = fetch(f"{address}?wsdl")
    exported = folder("wsdl") / "Echo.wsdl"
    program([CREO, "export", "wsdl", DESCRIPTION, "--address", address, "--out", exported])
    for case, good in {
        "same-as-exported": served == exported.read_bytes(),
        "capitals": fetch(f"{address}?WSDL") == served,
        "address": served.count(f'location="{address}"'.encode()) == 2,
    }.items():
        if good:
            harness.case(f"{name}/{case}")
        else:
            harness.failure(f"{name}/{case}", served[-500:].decode())


# A service of SOAP encoding, as the importer's tests have it, and what each caller does with it; SOAP::Lite does without the WSDL.
STOCK_CALLERS = {
    "php": ["count", "count-none", "find", "describe", "store", "move", "sum", "properties", "anything", "ping", "forget", "fault-unknown"],
    "lite": ["count", "find", "describe", "move", "sum", "ping", "fault-unknown"],
}


def stock_service(harness: Harness) -> Service:
    def command() -> list[str]:
        out = folder("service-stock")
        program([CREO, "import", ROOT / "tests/import/encoded/in.wsdl", "--out", out])
        program([CREO, "generate", out / "in.creo", "--target", "java", "--wires", "soap", "--out", out])
        javac([out / "java", HERE / "service-stock"], out / "classes")
        return [*JAVA, "-cp", str(out / "classes"), "StockService"]

    return harness.service("creo-java-stock", command)


def stock(peer: str) -> Callable[[Harness, str], None]:
    def run(harness: Harness, name: str) -> None:
        address = stock_service(harness).address
        here = HERE / "callers" / "stock"
        commands = {
            "php": ["php", str(here / "php_caller.php"), f"{address}?wsdl"],
            "lite": ["perl", str(here / "lite_caller.pl"), address],
        }
        harness.calls(name, commands[peer], STOCK_CALLERS[peer])

    return run


def receipts_service(harness: Harness) -> tuple[Service, pathlib.Path]:
    """A service whose answers have several elements in the body (SOAP-100), and its description."""
    out = folder("service-receipts")

    def command() -> list[str]:
        program([CREO, "import", HERE / "partners/receipts/receipts.wsdl", "--strict", "--out", out])
        program([CREO, "generate", out / "receipts.creo", "--target", "java", "--out", out])
        javac([out / "java", HERE / "service-receipts"], out / "classes")
        return [*JAVA, "-cp", str(out / "classes"), "ReceiptsService"]

    return harness.service("creo-java-receipts", command), out / "receipts.creo"


# Document style with several parts in a body is beyond the Basic Profile. zeep makes one object of them, CXF a holder of each, and gSOAP a structure without an element of its
# own. Two peers cannot do it: node-soap gives the first element alone, and wsimport of the JAX-WS reference implementation finds no usable port. PHP, SOAP::Lite and Axis 1 are
# partners of SOAP encoding, where several parts are in one element of the body: `move` tries that both ways.
def receipts_zeep(harness: Harness, name: str) -> None:
    address = receipts_service(harness)[0].address
    for version in ("1.1", "1.2"):
        harness.calls(f"{name}/{version}", [str(PEERS / "zeep/bin/python"), str(HERE / "callers/receipts/zeep_receipts.py"), address, version], RECEIPTS)


def receipts_cxf(harness: Harness, name: str) -> None:
    address = receipts_service(harness)[0].address
    out = folder("receipts-cxf-caller")
    # -exsh: a header that is not in the message itself, as ours are not, is a parameter, too.
    tool = [*JAVA, "-cp", jars("cxf"), "org.apache.cxf.tools.wsdlto.WSDLToJava", "-exsh", "true", "-p", "peer", "-d", str(out / "sources")]
    quiet(harness, f"{name}/import", [*tool, f"{address}?wsdl"])
    javac([out / "sources", HERE / "callers/receipts"], out / "classes", jars("cxf"))
    for version in ("1.1", "1.2"):
        harness.calls(f"{name}/{version}", [*JAVA, "-cp", os.pathsep.join([str(out / "classes"), jars("cxf")]), "ReceiptsCaller", address, version], RECEIPTS)


def receipts_gsoap(harness: Harness, name: str) -> None:
    """Over SOAP 1.1 alone: the functions of both versions would have names of their own, and do the same."""
    served, described = receipts_service(harness)
    out = folder("receipts-gsoap-caller")
    program([CREO, "export", "wsdl", described, "--soap11", "--address", served.address, "--out", out / "receipts.wsdl"])
    quiet(harness, f"{name}/import", ["wsdl2h", "-c", "-F", "-x", "-o", str(out / "receipts.h"), str(out / "receipts.wsdl")])
    program(["soapcpp2", "-c", "-C", "-L", "-x", "-w", "-I/usr/share/gsoap/import", "receipts.h"], folder=out)
    program(["gcc", "-O0", "-I.", "-o", "caller", HERE / "callers/receipts/receipts_caller.c", "soapC.c", "soapClient.c", "-lgsoap"], folder=out)
    harness.calls(f"{name}/1.1", [str(out / "caller"), served.address], RECEIPTS)


def zeep(harness: Harness, name: str) -> None:
    served = service(harness)
    for version in ("1.1", "1.2", "addressing", "token", "digest"):
        address = served.said["secured"] if version in ("token", "digest") else served.address
        harness.calls(f"{name}/{version}", [str(PEERS / "zeep/bin/python"), str(HERE / "callers/zeep_caller.py"), address, version], CASES)


def node(harness: Harness, name: str) -> None:
    address = service(harness).address
    environment = {"NODE_PATH": str(PEERS / "node/node_modules")}
    for version in ("1.1", "1.2"):
        harness.calls(f"{name}/{version}", ["node", str(HERE / "callers/node_caller.js"), address, version], CASES, environment)


def gsoap(harness: Harness, name: str) -> None:
    address = service(harness).address
    out = folder("gsoap-caller")
    # -F: without it wsdl2h always warns that C has no inheritance; -N: without it, that the ports for SOAP 1.1 and 1.2 become one.
    wsdl2h = ["wsdl2h", "-c", "-F", "-x", "-t", str(HERE / "callers/gsoap/typemap.dat")]
    quiet(harness, f"{name}/import-soap11", [*wsdl2h, "-o", str(out / "echo11.h"), soap11()])
    quiet(harness, f"{name}/import", [*wsdl2h, "-N", "Echo", "-o", str(out / "echo.h"), f"{address}?wsdl"])
    program(["soapcpp2", "-c", "-C", "-L", "-x", "-w", "-I/usr/share/gsoap/import", "echo.h"], folder=out)
    program(["gcc", "-O0", "-I.", "-o", "caller", HERE / "callers/gsoap/caller.c", "soapC.c", "soapClient.c", "-lgsoap"], folder=out)
    for version in ("1.1", "1.2", "mtom"):
        harness.calls(f"{name}/{version}", [str(out / "caller"), address, version, str(HERE / "cases.txt")], CASES)


def jaxws(peer: str, importer: list[str], soap12: Sequence[str] = (), but: str = "") -> Callable[[Harness, str], None]:
    """`soap12`: the importer's options for choosing a SOAP 1.2 port, and `but`: its expected remaining messages."""

    def run(harness: Harness, name: str) -> None:
        address = service(harness).address
        out = folder(f"{peer}-caller")
        sources = out / "sources"
        sources.mkdir()
        (out / "sources11").mkdir()
        tool = [*JAVA, "-cp", jars(peer), *importer, "-p", "peer"]
        quiet(harness, f"{name}/import-soap11", [*tool, "-d", str(out / "sources11"), soap11()])
        quiet(harness, f"{name}/import", [*tool, *soap12, "-d", str(sources), f"{address}?wsdl"], but)
        if not any(sources.rglob("*.java")):
            raise Failure("nothing was generated")
        javac([sources, HERE / "callers/jaxws"], out / "classes", jars(peer))
        for version in ("1.1", "1.2", "mtom", "addressing"):
            class_path = os.pathsep.join([str(out / "classes"), jars(peer)])
            harness.calls(f"{name}/{version}", [*JAVA, "-cp", class_path, "Caller", address, version, str(HERE / "cases.txt")], CASES)

    return run


# What a generated client of the json wire must report: the same, but for what only other wires have, and two more.
JSON_CASES = [*CASES, "extensible-enum", "malformed"]


def openapi(harness: Harness, name: str) -> None:
    """What the service gives is what `creo export openapi` writes; it is valid, a stock generator makes a client of it, and that calls every method."""
    address = service(harness).address
    out = folder("openapi")
    served, exported = out / "served.json", out / "exported.json"
    served.write_bytes(fetch(f"{address}?openapi"))
    program([CREO, "export", "openapi", DESCRIPTION, "--address", address, "--out", exported])
    if served.read_bytes() == exported.read_bytes():
        harness.case(f"{name}/same-as-exported")
    else:
        harness.failure(f"{name}/same-as-exported", served.read_text()[:500])
    tools = PEERS / "openapi/bin"
    program([tools / "openapi-spec-validator", served])
    harness.case(f"{name}/valid")
    # The generator formats what it made by ruff, which it looks for on the path.
    environment = {"PATH": os.pathsep.join([str(tools), os.environ["PATH"]])}
    done = program([tools / "openapi-python-client", "generate", "--path", served, "--output-path", out / "client", "--meta", "none"], environment=environment)
    said = [line for line in done.stdout.splitlines() if re.search(r"warn|unable|error", line, re.I)]
    if said:
        harness.failure(f"{name}/generate", "; ".join(said))
        return
    harness.case(f"{name}/generate")
    harness.calls(name, [str(tools / "python"), str(HERE / "callers/openapi_caller.py"), address, "client"], JSON_CASES, {"PYTHONPATH": str(out)})


def parts() -> dict[str, Part]:
    wsimport = ["com.sun.tools.ws.WsImport", "-Xnocompile", "-keep"]
    return {
        "service/wsdl": Part(wsdl, ["java"]),
        "service/zeep": Part(zeep, ["java"]),
        "service/node-soap": Part(node, ["java"]),
        **{f"service/stock-{peer}": Part(stock(peer), ["java"]) for peer in STOCK_CALLERS},
        "service/receipts-zeep": Part(receipts_zeep, ["java"]),
        "service/receipts-cxf": Part(receipts_cxf, ["java"]),
        "service/receipts-gsoap": Part(receipts_gsoap, ["java"]),
        "service/openapi": Part(openapi, ["java"]),
        "service/gsoap": Part(gsoap, ["java"]),
        "service/cxf": Part(jaxws("cxf", ["org.apache.cxf.tools.wsdlto.WSDLToJava"]), ["java"]),
        "service/jaxws-ri": Part(jaxws("ri", wsimport, ["-extension"], "uses a non-standard SOAP 1.2 binding"), ["java"]),
    }
