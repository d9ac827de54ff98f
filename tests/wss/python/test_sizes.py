"""What an estimate says of the bytes of secured messages (COST-18), beside messages of Python, Java and C."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization

from conftest import CREO, NOTES, ROOT, Lines, Pair
from creo._soap.security import Security
from creo.soap import UsernameToken
from creo.wss import WsSecurity

TEXT = "0123456789abcdef"
SOAP = 'xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"'
ENVELOPE = f'<soap:Envelope {SOAP} xmlns:n1="urn:creo:org:example:notes"><soap:Body><n1:say><n1:text>{TEXT}</n1:text></n1:say></soap:Body></soap:Envelope>'
SIGNS = {"signer": "alice", "reference": "BINARY_TOKEN", "signature": "RSA_SHA256"}
ENCRYPTS = {"recipient": "bob", "keyReference": "ISSUER_SERIAL", "key": "RSA_OAEP", "data": "AES256_GCM"}
#: Base64 of a size that is not exact has a mean.
ROUNDED = 2


@pytest.fixture(scope="module")
def c_peer(keys: dict[str, Pair], tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[str]]:
    found = subprocess.run(["pkg-config", "--exists", "libxml-2.0", "libcrypto >= 3"], check=False)
    if found.returncode != 0:
        pytest.skip("pkg-config does not find libxml2 and libcrypto 3")
    runtime = ROOT / "runtimes/c"
    subprocess.run(["make", "--no-print-directory", "-C", runtime, "build/wss/peer"], check=True, capture_output=True)
    folder = tmp_path_factory.mktemp("keys")
    for name in ("alice", "bob"):
        key = keys[name].key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        (folder / f"{name}.key.pem").write_bytes(key)
        (folder / f"{name}.crt.pem").write_bytes(keys[name].certificate.public_bytes(serialization.Encoding.PEM))
    with subprocess.Popen([runtime / "build/wss/peer", folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process


def estimated(keys: dict[str, Pair], *parts: str) -> dict[str, Any]:
    """The body of the request, as the program says."""
    issuer = keys["bob"].certificate.issuer.rfc4514_string()
    lengths = [
        f"certificate={len(keys['alice'].certificate.public_bytes(serialization.Encoding.DER))}",
        f"issuer={len(issuer)}",
        f"serial={len(str(keys['bob'].certificate.serial_number))}",
    ]
    security = ["--security", ",".join([*parts, *lengths])] if parts else []
    command = [CREO, "estimate", NOTES, "--method", "say", "--binding", "soap+http", "--profile", "none", "--format", "json", *security]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    body: dict[str, Any] = json.loads(done.stdout)["rows"][0]["request"]["body"]
    return body


def with_block(token: UsernameToken | None, timestamp: bool) -> bytes:
    """The envelope with the block of a client (SOAP-50)."""
    return ENVELOPE.replace("<soap:Body>", f"<soap:Header>{Security(token, timestamp).block()}</soap:Header><soap:Body>").encode()


BLOCKS = {
    "": ENVELOPE.encode(),
    "token": with_block(UsernameToken(TEXT, TEXT), False),
    "digest": with_block(UsernameToken(TEXT, TEXT, digest=True), False),
    "timestamp": with_block(None, True),
    "token,timestamp": with_block(UsernameToken(TEXT, TEXT), True),
}


@pytest.mark.parametrize("block", BLOCKS)
def test_blocks_of_clients(keys: dict[str, Pair], block: str) -> None:
    assert estimated(keys, *filter(None, block.split(",")))["expected"] == len(BLOCKS[block])


@pytest.mark.parametrize("parts", ["sign", "encrypt", "sign,encrypt"])
@pytest.mark.parametrize("block", BLOCKS)
def test_python_and_java(partner: Lines, keys: dict[str, Pair], block: str, parts: str) -> None:
    if "encrypt" in parts and ("token" in block or "digest" in block):
        pytest.skip("an encrypted token is not priced")
    signs, encrypts = "sign" in parts, "encrypt" in parts
    python = WsSecurity(sign=keys["alice"] if signs else None, encrypt_to=keys["bob"].certificate if encrypts else None).send(BLOCKS[block])
    java = partner.message("java-send", BLOCKS[block], **(SIGNS if signs else {}), **(ENCRYPTS if encrypts else {}))
    said = estimated(keys, *filter(None, block.split(",")), *parts.split(","))
    for message in (python, java):
        assert abs(len(message) - said["expected"]) < (ROUNDED if encrypts else 0.5)
        assert said["least"] <= len(message) <= said["most"]


@pytest.mark.parametrize("parts", ["sign", "encrypt", "sign,encrypt"])
@pytest.mark.parametrize("block", ["", "timestamp", "token"])
def test_c(keys: dict[str, Pair], c_peer: subprocess.Popen[str], block: str, parts: str) -> None:
    if "encrypt" in parts and block == "token":
        pytest.skip("an encrypted token is not priced")
    assert c_peer.stdin is not None
    assert c_peer.stdout is not None
    options = ",".join(f"{'signer=alice' if part == 'sign' else 'recipient=bob'}" for part in parts.split(","))
    c_peer.stdin.write(f"send {options} {base64.b64encode(BLOCKS[block]).decode()}\n")
    c_peer.stdin.flush()
    status, message = c_peer.stdout.readline().split()
    assert status == "ok"
    said = estimated(keys, *filter(None, block.split(",")), *parts.split(","))
    assert said["least"] <= len(base64.b64decode(message)) <= said["most"]
