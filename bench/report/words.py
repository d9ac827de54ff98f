"""Peers and targets in words for readers who know none of the names."""

from __future__ import annotations

from .measures import LANGUAGES, Row

PEERS = {
    "*": "the best peer",
    "hand": "hand-written code without checks",
    "raw": "a bare socket",
    "copy": "a bare socket that copies the bytes once",
    "reverse-endianness": "the runtime's own swap of bytes",
    "woodstox-hand": "hand-written code on Woodstox",
    "thrift-binary": "Thrift (binary)",
    "thrift-compact": "Thrift (compact)",
    "protobuf": "Protocol Buffers",
    "protobuf-prebuilt": "Protocol Buffers, with messages that were built before,",
    "protobuf-c": "protobuf-c",
    "protobuf-c-arena": "protobuf-c with an arena",
    "protobuf-c-prebuilt": "protobuf-c, with messages that were built before,",
    "grpc": "gRPC",
    "fory": "Fory",
    "gsoap": "gSOAP",
    "jaxb": "JAXB",
    "jackson": "Jackson (XML)",
    "jackson-json": "Jackson (JSON)",
    "cxf": "CXF",
    "jaxws-ri": "the JAX-WS RI",
    "creo": "Creo",
}
FORMS = {"tdxml-record-in-soap": "tables in SOAP", "tdxml-record-in-soap-mime": "tables in SOAP with attachments"}
DEEDS = {"serialize": "write", "deserialize": "read", "both": "write and read"}
SUBJECTS = {"creo": "Creo's service", "creo-record": "as tables", "creo-json": "as JSON", "creo-python": "Creo's Python client"}


def peer(name: str) -> str:
    return PEERS.get(name, name)


def goal(factor: float, of: str) -> str:
    """`at least 10 times as fast as Thrift (binary)`"""
    if factor == 1:
        return f"at least as fast as {of}"
    if factor < 1:
        return f"at least {factor:.0%} of the speed of {of}"
    return f"at least {factor:g} times as fast as {of}"


def better_of(peers: list[str]) -> str:
    return ("the better of " if len(peers) > 1 else "") + " and ".join(map(peer, peers))


def what(target: Row) -> str:
    """The subject of a target."""
    if "overhead" in target:
        return f"bytes on the wire, {target['overhead']}"
    if "response" in target:
        placed = {"pinned": "both sides on one core", "free": "on every core"}[target["placement"]]
        return f"response time, {LANGUAGES[target['of']]}, {target['response']}, {placed}"
    if "calls" in target:
        return f"calls a second over SOAP, {SUBJECTS.get(target['subject'], target['subject'])}"
    if "sizes" in target:
        return f"bytes of the message {target['message']}, {FORMS.get(target['sizes'], target['sizes'])}"
    wire = "SOAP messages" if target["workload"] == "soap" else target["workload"]
    subject = f" {SUBJECTS.get(target['subject'], target['subject'])}" if "subject" in target else ""
    return f"{LANGUAGES[target['language']]}: {DEEDS.get(target['operation'], target['operation'])} {wire}{subject}"


def wanted(target: Row) -> str:
    """The goal of a target."""
    if "overhead" in target:
        named = target["peers"]
        return "no larger than any peer's" if named == "*" else "no larger than " + ", ".join(map(peer, named))
    if "response" in target:
        return goal(target["at_least"], better_of(target["peers"]))
    if "sizes" in target:
        return "no larger than SOAP" if target["smaller"] == 0 else f"at least {target['smaller']:.0%} smaller than SOAP"
    if "allocated_at_most" in target:
        return "no memory allocated"
    return goal(target["at_least"], peer(target["peer"]))
