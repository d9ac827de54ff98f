"""SOAP over JMS with CXF, both ways: its client calls our service, our client calls its service."""

from __future__ import annotations

import os
import pathlib

import callers
import partners
from harness import CREO, HERE, JAVA, ROOT, Failure, Harness, Part, Service, folder, jars, javac, program

# The client and the broker; CXF's libraries come first, so their logging library is used.
LIBRARIES = str(ROOT / "build/jms/*")
CXF = os.pathsep.join([jars("cxf"), LIBRARIES])

# The faults of the binding (JMS-8) that each side draws from the other by requests that were changed on their way.
FAULTS = [
    "contentEncodingNotSupported", "contentTypeMismatch", "malformedRequestURI", "missingContentType", "missingRequestURI", "targetServiceNotAllowedInRequestURI",
    "unrecognizedBindingVersion",
]  # fmt: skip


def code(description: pathlib.Path) -> pathlib.Path:
    """Generates Java with the module for JMS."""
    out = folder(f"jms-{description.stem}")
    program([CREO, "generate", description, "--target", "java", "--with", "jms,jms-broker", "--out", out])
    return out / "java"


def wsdl() -> pathlib.Path:
    """The WSDL that the service gives, as soon as it runs."""
    return folder("jms-service") / "Echo.wsdl"


def service(harness: Harness) -> Service:
    def command() -> list[str]:
        classes = folder("jms-service") / "classes"
        javac([code(callers.DESCRIPTION), HERE / "service", HERE / "service-jms"], classes, LIBRARIES)
        return [*JAVA, "-cp", os.pathsep.join([str(classes), LIBRARIES]), "InteropJms", str(wsdl())]

    return harness.service("creo-java-jms", command)


def partner(harness: Harness) -> Service:
    def command() -> list[str]:
        classes = folder("jms-partner") / "classes"
        # The broker is that of our module.
        javac([code(callers.DESCRIPTION), HERE / "partners/jaxws", HERE / "partners/jms"], classes, CXF)
        return [*JAVA, "-cp", os.pathsep.join([str(classes), CXF]), "partner.JmsPartner"]

    return harness.service("partner-cxf-jms", command)


def cxf_calls(harness: Harness, name: str) -> None:
    port = service(harness).address
    out = folder("jms-caller")
    sources = out / "sources"
    sources.mkdir()
    callers.quiet(harness, f"{name}/import", [*JAVA, "-cp", jars("cxf"), "org.apache.cxf.tools.wsdlto.WSDLToJava", "-p", "peer", "-d", str(sources), str(wsdl())])
    exported = out / "Echo.wsdl"
    program([CREO, "export", "wsdl", callers.DESCRIPTION, "--address", "jms:queue:interop", "--out", exported])
    if exported.read_bytes() != wsdl().read_bytes():
        raise Failure("the service's WSDL is another than the exported one")
    harness.case(f"{name}/same-as-exported")
    if not any(sources.rglob("*.java")):
        raise Failure("nothing was generated")
    javac([sources, HERE / "callers/jaxws", HERE / "callers/jms", HERE / "between"], out / "classes", CXF)
    class_path = os.pathsep.join([str(out / "classes"), CXF])
    cases = [*callers.CASES, "utf-8", "large", *(f"fault-{fault}" for fault in [*FAULTS, "mismatchedSoapAction", "unsupportedJMSMessageFormat"]), "after-fault"]
    for version in ("1.1", "1.2"):
        for mode, form in {"byte": "byte", "text": "text", "wsdl": str(wsdl())}.items():
            harness.calls(f"{name}/{version}/{mode}", [*JAVA, "-cp", class_path, "JmsCaller", port, version, form, str(HERE / "cases.txt")], cases)


def cxf_serves(harness: Harness, name: str) -> None:
    port = partner(harness).address
    classes = folder("jms-client") / "classes"
    generated = code(partners.description(harness, partners.PARTNERS[0]))
    javac([generated, HERE / "clients/java/Cases.java", HERE / "clients/java/OrdersCaller.java", HERE / "clients/java-jms", HERE / "between"], classes, LIBRARIES)
    command = [*JAVA, "-cp", os.pathsep.join([str(classes), LIBRARIES]), "OrdersJmsCaller"]
    for mode in ("1.1", "1.2", "mtom", "gzip", "shared"):
        harness.calls(f"{name}/{mode}", [*command, port, mode], partners.ORDERS)
    for mode, further in {"faults": [], "faults-1.2": ["missingSoapAction", "mismatchedSoapAction"]}.items():
        harness.calls(f"{name}/{mode}", [*command, port, mode], [*FAULTS, *further, "after-fault"])


def parts() -> dict[str, Part]:
    return {"jms/cxf-calls": Part(cxf_calls, ["java"]), "jms/cxf-serves": Part(cxf_serves, ["java"])}
