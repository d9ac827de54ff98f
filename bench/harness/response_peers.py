"""The peers of the response time benchmark, and how to start their programs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .response_build import HERE, SOURCES, WSDL
from .tools import ROOT

WORKLOADS = ("numbers", "strings", "bytes")
LANGUAGES = ("java", "python", "c", "csharp")
# Payloads up to this size are measured in programs with little memory, larger ones in others.
SMALL = 1_000_000


@dataclass(frozen=True)
class Peer:
    """A client in one language with the Java service that speaks as it does."""

    name: str
    language: str
    # The folder of the service's class path, and its class.
    path: str
    service: str
    # The client's name in its language.
    client: str
    workloads: tuple[str, ...] = WORKLOADS
    # What builds it.
    needs: tuple[str, ...] = ()

    def builders(self) -> tuple[str, ...]:
        return (f"java_{self.path}", *self.needs)


def _java(name: str, service: str, path: str = "peers", workloads: tuple[str, ...] = WORKLOADS) -> Peer:
    return Peer(name, "java", path, service, service, workloads)


def _python(name: str, service: str, path: str = "peers") -> Peer:
    return Peer(name, "python", path, service, name, needs=("python",))


def _native(language: str, name: str, service: str) -> Peer:
    return Peer(name, language, "peers", service, name, needs=(language,))


PEERS: tuple[Peer, ...] = (
    _java("creo", "CreoPeer"),
    # The same programs once more: what differs between the two means nothing.
    _java("creo-again", "CreoPeer"),
    _java("raw", "RawPeer"),
    _java("copy", "CopyPeer", workloads=("bytes",)),
    _java("thrift-binary", "ThriftPeer$Binary"),
    _java("thrift-compact", "ThriftPeer$Compact"),
    _java("thrift-json", "ThriftPeer$Json"),
    _java("serialization", "SerializationPeer"),
    _java("rmi", "RmiPeer"),
    _java("grpc", "GrpcPeer"),
    _java("rest", "RestPeer"),
    _java("soap-cxf", "CxfPeer", "cxf"),
    _java("soap-axis2", "Axis2Peer", "axis2"),
    _java("fory", "ForyPeer"),
    _java("avro", "AvroPeer"),
    _java("msgpack", "MessagePackPeer"),
    _python("creo", "CreoPeer"),
    _python("thrift-binary", "ThriftPeer$Binary"),
    _python("thrift-compact", "ThriftPeer$Compact"),
    _python("grpc", "GrpcPeer"),
    _python("rest", "RestPeer"),
    _python("soap-zeep", "CxfPeer", "cxf"),
    _native("c", "creo", "CreoPeer"),
    _native("c", "thrift-binary", "ThriftPeer$Binary"),
    _native("c", "thrift-compact", "ThriftPeer$Compact"),
    # In C++, since gRPC has no C API.
    _native("c", "grpc", "GrpcPeer"),
    _native("csharp", "creo", "CreoPeer"),
    _native("csharp", "raw", "RawPeer"),
)


def of_language(language: str) -> tuple[Peer, ...]:
    return tuple(peer for peer in PEERS if peer.language == language)


# The interface for Axis2, RMI's address, Avro's trust in its generated classes, and for CXF the way to call that is the quicker one of those that it has.
PROPERTIES = (
    f"-Dbench.wsdl={WSDL}",
    "-Djava.rmi.server.hostname=127.0.0.1",
    "-Dorg.apache.avro.SERIALIZABLE_PACKAGES=creo.bench.gen.avro",
    "-Dorg.apache.cxf.transport.http.forceURLConnection=true",
)


# The memory of two programs with large heaps, and what the machine must have free for them.
LARGE_HEAP = 5 << 30
LARGE_NEEDS = 2 * LARGE_HEAP + (2 << 30)


def memory(large: bool) -> tuple[str, ...]:
    """Heaps of one size, with pages that were touched before: a virtual machine that asks for fresh ones within a call measures that instead."""
    size = LARGE_HEAP if large else 1 << 30
    return ("java", "-XX:+UseParallelGC", f"-Xms{size}", f"-Xmx{size}", "-XX:+AlwaysPreTouch", *PROPERTIES)


def class_path(path: str) -> str:
    return f"{HERE}/{path}/target/classes:{HERE}/{path}/lib/*"


def service_command(peer: Peer, large: bool) -> list[object]:
    return [*memory(large), "-cp", class_path(peer.path), "creo.bench.response.Main", "serve", peer.service]


def client_command(peer: Peer, address: str, large: bool) -> list[object]:
    if peer.language == "java":
        return [*memory(large), "-cp", class_path(peer.path), "creo.bench.response.Main", "call", peer.client, address]
    if peer.language == "python":
        return [HERE / "venv" / "bin" / "python", SOURCES / "python" / "response.py", peer.client, address]
    if peer.language == "c":
        return [HERE / "c" / "response", peer.client, address]
    return [ROOT / "scripts" / "dotnet" / "run.sh", HERE / "csharp" / "response.dll", peer.client, address]


def client_environment(peer: Peer) -> dict[str, str]:
    if peer.language == "python":
        return {"PYTHONPATH": f"{HERE}/python/gen:{Path(HERE).parent}/creo/python-response/python", "BENCH_WSDL": str(WSDL)}
    if peer.language == "csharp":
        return {"DOTNET_TC_CallCountingDelayMs": "0"}
    return {}
