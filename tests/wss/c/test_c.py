"""Signed and encrypted calls of the client in C through a broker; runtimes/java-wss has those over HTTP, and its messages."""

from __future__ import annotations

import pathlib
import shlex
import subprocess

import pytest
from conftest import ROOT, WORK, Lines, Pair, generate, run
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

LIBRARIES = ["libxml-2.0", "libcrypto >= 3", "libqpid-proton"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g1"]


@pytest.fixture(scope="session")
def caller(keys: dict[str, Pair]) -> pathlib.Path:
    """The program; beside it, in `pem`, the keys."""
    if subprocess.run(["pkg-config", "--exists", *LIBRARIES], check=False).returncode != 0:
        pytest.skip(f"pkg-config does not find {', '.join(LIBRARIES)}")
    (WORK / "pem").mkdir()
    for name, (key, certificate) in keys.items():
        (WORK / f"pem/{name}.key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        (WORK / f"pem/{name}.crt.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    code = generate("c")
    flags = shlex.split(run("pkg-config", "--cflags", "--libs", *LIBRARIES))
    sources = [ROOT / "runtimes/c/tests/wss/caller.c", *sorted((code / "src").glob("*.c"))]
    run("gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", *SANITIZE, "-DTHROUGH_BROKER", f"-I{code / 'include'}", *sources, *flags, "-lm", "-o", WORK / "c_caller")
    return WORK / "c_caller"


def said(caller: pathlib.Path, port: str, *arguments: str) -> str:
    return subprocess.run([caller, port, WORK / "pem", *arguments], capture_output=True, text=True, check=False, timeout=120).stdout.strip()


def test_calls(partner: Lines, caller: pathlib.Path) -> None:
    assert said(caller, partner.ask("serve", jms=1)[0], "alice", "signed") == "ok"
    encrypted = partner.ask("serve", jms=1, encrypted=1)[0]
    for form in ("encrypted", "record", "aggregated"):
        assert said(caller, encrypted, "alice", form) == "ok"


def test_calls_that_are_refused(partner: Lines, caller: pathlib.Path) -> None:
    port = partner.ask("serve", jms=1)[0]
    refused = said(caller, port, "mallory", "signed")
    assert refused.startswith("protocol-mismatch: no-security: the answer is a fault without security: ")
    assert "untrusted: " in refused
    assert said(caller, port, "alice", "encrypted").startswith("protocol-mismatch: not-encrypted: ")
