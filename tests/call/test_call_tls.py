"""`creo call` and `creo list` through TLS."""

from __future__ import annotations

import json
import pathlib
import socket
import subprocess
import threading

import pytest
from test_call import EVERYTHING, LAB, WORK, Service, compiled, creo  # noqa: F401

#: An authority, a service for localhost, a client, and another authority: each with its key, in PEM.
SCRIPT = """
set -e
authority() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$1" -keyout "$1.key" -out "$1.pem"
}
leaf() {
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$1" -keyout "$1.key" -out "$1.csr"
    printf 'basicConstraints=CA:false\\nsubjectAltName=DNS:localhost\\n' > "$1.ext"
    openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile "$1.ext" -out "$1.pem"
}
authority ca; authority other; leaf service; leaf client
openssl pkcs12 -export -inkey service.key -in service.pem -name service -passout pass:testing -out service.p12
"""


@pytest.fixture(scope="session")
def keys(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:  # noqa: F811
    folder = tmp_path_factory.mktemp("keys")
    subprocess.run(["sh", "-c", SCRIPT], cwd=folder, check=True, capture_output=True)
    return folder


class Secured:
    def __init__(self, keys: pathlib.Path, *arguments: str) -> None:
        self.service = Service(str(keys), *arguments)
        self.tcp, self.http = f"tls://localhost:{self.service.port}", f"https://localhost:{self.service.port}"


@pytest.fixture(scope="session")
def service(keys: pathlib.Path):
    started = Secured(keys, "reflection")
    yield started
    started.service.close()


@pytest.fixture(scope="session")
def strict_service(keys: pathlib.Path):
    """One that asks for a certificate."""
    started = Secured(keys, "need")
    yield started
    started.service.close()


WIRES = ["binary", "json", "soap"]


def target(service: Secured, wire: str) -> str:
    return service.tcp if wire == "binary" else service.http


def call(address: str, wire: str, *options: object, method: str = "length", request: object = None):
    return creo("call", address, method, json.dumps(request or {"text": "four"}), "-d", LAB, "--wire", wire, *options)


@pytest.mark.parametrize("wire", WIRES)
def test_each_wire(service: Secured, keys: pathlib.Path, wire: str) -> None:
    options = ("--cacert", keys / "ca.pem")
    assert call(target(service, wire), wire, *options).exits(0).json == 4
    assert call(target(service, wire), wire, *options, method="echo", request={"value": EVERYTHING}).exits(0).json == EVERYTHING
    # More than fits into the buffers of both sides.
    text = "x" * 3_000_000
    (WORK / "large.json").write_text(json.dumps({"text": text}))
    ran = creo("call", target(service, wire), "find", "@large.json", "-d", LAB, "--wire", wire, *options).exits(0)
    assert ran.json == text


def test_a_host_is_asked_what_it_serves(service: Secured, keys: pathlib.Path) -> None:
    options = ("--cacert", keys / "ca.pem")
    assert "call.lab.Lab" in creo("list", service.tcp, *options).exits(0).out
    for address in (service.tcp, service.http):
        assert creo("call", address, "Lab.length", '{"text": "x"}', *options).exits(0).json == 1


@pytest.mark.parametrize("wire", WIRES)
def test_a_certificate_that_is_not_trusted(service: Secured, keys: pathlib.Path, wire: str) -> None:
    for options in ((), ("--cacert", keys / "other.pem")):
        ran = call(target(service, wire), wire, *options).exits(1)
        assert ran.err.startswith("error[untrusted-peer]"), ran.err


@pytest.mark.parametrize("wire", WIRES)
def test_a_certificate_for_another_name(service: Secured, keys: pathlib.Path, wire: str) -> None:
    address = target(service, wire).replace("localhost", "127.0.0.1")
    ran = call(address, wire, "--cacert", keys / "ca.pem").exits(1)
    assert ran.err.startswith("error[untrusted-peer]") and "127.0.0.1" in ran.err, ran.err


@pytest.mark.parametrize("wire", WIRES)
def test_the_clients_certificate(strict_service: Secured, keys: pathlib.Path, wire: str) -> None:
    address, trust = target(strict_service, wire), ("--cacert", keys / "ca.pem")
    own = ("--cert", keys / "client.pem", "--key", keys / "client.key")
    assert call(address, wire, *trust, *own).exits(0).json == 4
    for wrong in ((), ("--cert", keys / "other.pem", "--key", keys / "other.key")):
        ran = call(address, wire, *trust, *wrong).exits(1)
        assert ran.err.startswith("error[unavailable]"), ran.err


def test_files_that_are_wrong(service: Secured, keys: pathlib.Path) -> None:
    (WORK / "empty.pem").write_text("")
    (WORK / "cut.pem").write_text((keys / "ca.pem").read_text()[:200])
    cases = [
        (("--cacert", "none.pem"), "cannot read none.pem"),
        (("--cacert", "empty.pem"), "no certificate in PEM"),
        (("--cacert", "cut.pem"), "authorities"),
        (("--cert", keys / "client.pem"), "--key"),
        (("--cert", keys / "client.pem", "--key", keys / "service.key"), "does not fit"),
        (("--cert", keys / "client.pem", "--key", keys / "client.pem"), "the key is not one in PEM"),
    ]
    for options, says in cases:
        ran = call(service.tcp, "binary", *options)
        assert ran.code in (1, 2) and says in ran.err, f"{options}: {ran.err}"
    plain = f"localhost:{service.service.port}"
    assert "without TLS" in call(plain, "binary", "--cacert", keys / "ca.pem").exits(1).err


def test_one_side_without_tls(service: Secured, keys: pathlib.Path) -> None:
    port = service.service.port
    assert "error[protocol-mismatch]" in call(f"localhost:{port}", "binary").exits(1).err
    assert "error[" in call(f"http://localhost:{port}", "json").exits(1).err
    started = Service()
    try:
        for address, wire in ((f"tls://localhost:{started.port}", "binary"), (f"https://localhost:{started.port}", "json")):
            ran = call(address, wire, "--cacert", keys / "ca.pem").exits(1)
            assert ran.err.startswith("error[protocol-mismatch]") and "TLS" in ran.err, ran.err
    finally:
        started.close()


def test_a_peer_that_ends_or_stalls_the_handshake(keys: pathlib.Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"tls://localhost:{listener.getsockname()[1]}"
        threading.Thread(target=lambda: listener.accept()[0].close(), daemon=True).start()
        ran = call(address, "binary", "--cacert", keys / "ca.pem").exits(1)
        assert ran.err.startswith("error[unavailable]"), ran.err
        # Nobody accepts this connection: the deadline ends it.
        ran = call(address, "binary", "--cacert", keys / "ca.pem", "--deadline", 0.5).exits(1)
        assert ran.err.startswith("error[deadline-exceeded]"), ran.err
