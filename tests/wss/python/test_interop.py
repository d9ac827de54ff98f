"""Messages of Python that WSS4J and the module of Java check, and theirs that Python checks: each combination is a row."""

from __future__ import annotations

import base64
import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import Lines, Pair
from creo import CreoError
from creo._wss.canonical import canonical
from creo._wss.envelope import Envelope
from creo.wss import TokenReference, WsSecurity

ADDRESSING = "http://www.w3.org/2005/08/addressing"
SOAP = {"1.1": "http://schemas.xmlsoap.org/soap/envelope/", "1.2": "http://www.w3.org/2003/05/soap-envelope"}
WSSE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
WSU = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
TO = f'<wsa:To xmlns:wsa="{ADDRESSING}">urn:to</wsa:To>'
TEXT = "Grüße &amp; €5\U0001f600"
BODY = f'<n:say xmlns:n="urn:creo:org.example.notes"><n:text>{TEXT}</n:text></n:say>'
ASSERTION = '<a:Assertion xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion" ID="_1"><a:Subject xmlns:b="urn:b">anna</a:Subject></a:Assertion>'
SIGNATURES = ["rsa-sha256", "rsa-sha384", "rsa-sha512", "rsa-pss-sha256", "ecdsa-sha256"]
DATA = ["aes128-gcm", "aes256-gcm", "aes128-cbc", "aes256-cbc"]
WEAK = ["aes128-cbc", "aes256-cbc"]
REFERENCES = [each.value for each in TokenReference]
SIGNED = [("1.1", *row) for row in itertools.product((False, True), REFERENCES, SIGNATURES)] + [("1.2", *row, "rsa-sha256") for row in itertools.product((False, True), REFERENCES)]
ENCRYPTED = list(itertools.product((True, False), REFERENCES, ["rsa-oaep", "rsa-oaep-sha256"], DATA))


def envelope(version: str = "1.1", header: str = "", body: str = BODY) -> bytes:
    head = f"<soap:Header>{header}</soap:Header>" if header else ""
    return f'<soap:Envelope xmlns:soap="{SOAP[version]}">{head}<soap:Body>{body}</soap:Body></soap:Envelope>'.encode()


def body_of(message: bytes) -> str:
    return b"".join(map(canonical, Envelope.parse(message).body.elements())).decode()


def word(name: str) -> str:
    """The name of an algorithm or reference in Java."""
    return name.replace("-", "_").upper()


def reader(keys: dict[str, Pair], **more: Any) -> WsSecurity:
    told: dict[str, Any] = {"trust_issuers": keys["ca"].certificate, "know": [keys["alice"].certificate, keys["curve"].certificate], "decrypt": [keys["bob"]]}
    return WsSecurity(**{**told, **more})


def found_by(partner: Lines, message: bytes) -> set[str]:
    """What WSS4J finds in a message, whose text it reads."""
    parts, text = partner.ask("wss4j-receive", message)
    assert TEXT in base64.b64decode(text).decode()
    return set(parts.split(","))


def signer_of(algorithm: str) -> str:
    return "curve" if algorithm.startswith("ecdsa") else "alice"


@pytest.mark.parametrize(("version", "header", "reference", "algorithm"), SIGNED)
def test_signatures_of_ours(partner: Lines, keys: dict[str, Pair], version: str, header: bool, reference: str, algorithm: str) -> None:
    headers = [f"{{{ADDRESSING}}}*"] if header else []
    security = WsSecurity(sign=keys[signer_of(algorithm)], reference=reference, signature=algorithm, sign_headers=headers)
    sent = security.send(envelope(version, TO if header else ""))
    assert found_by(partner, sent) == {"signed Body", "signed Timestamp", *(["signed To"] if header else [])}
    options = {"header": "*"} if header else {}
    caller, _ = partner.ask("java-receive", sent, **options)
    assert caller == f"CN={signer_of(algorithm)},O=Example"
    assert body_of(partner.message("java-receive", security.send(envelope(version, TO if header else "")), **options)) == BODY


@pytest.mark.parametrize(("version", "header", "reference", "algorithm"), SIGNED)
def test_signatures_of_theirs(partner: Lines, keys: dict[str, Pair], version: str, header: bool, reference: str, algorithm: str) -> None:
    message = envelope(version, TO if header else "")
    options = {"signer": signer_of(algorithm), "reference": word(reference), "signature": word(algorithm), **({"header": "To"} if header else {})}
    client = reader(keys, require_signed_headers=[f"{{{ADDRESSING}}}To"])
    for peer in ("wss4j", "java"):
        checked = client.receive(partner.message(f"{peer}-send", message, **options), None)
        assert body_of(checked) == BODY
        assert b"Security" not in checked


@pytest.mark.parametrize(("signs", "reference", "key", "data"), ENCRYPTED)
def test_encryption_of_ours(partner: Lines, keys: dict[str, Pair], signs: bool, reference: str, key: str, data: str) -> None:
    security = WsSecurity(sign=keys["alice"] if signs else None, encrypt_to=keys["bob"].certificate, key_reference=reference, key_encryption=key, data_encryption=data)
    sent = security.send(envelope())
    assert TEXT not in sent.decode()
    assert found_by(partner, sent) == {"encrypted Body", *(["signed Body", "signed Timestamp"] if signs else [])}
    assert body_of(partner.message("java-receive", sent, **({} if signs else {"unsigned": 1}))) == BODY


@pytest.mark.parametrize(("signs", "reference", "key", "data"), ENCRYPTED)
def test_encryption_of_theirs(partner: Lines, keys: dict[str, Pair], signs: bool, reference: str, key: str, data: str) -> None:
    client = reader(keys, require_encrypted=True, allow=WEAK) if signs else WsSecurity(decrypt=[keys["bob"]], require_encrypted=True, allow=WEAK)
    options: dict[str, object] = {"recipient": "bob", "keyReference": word(reference), "key": word(key), "data": word(data), **({"signer": "alice"} if signs else {"signs": False})}
    for peer in ("wss4j", "java"):
        assert body_of(client.receive(partner.message(f"{peer}-send", envelope(), **options), None)) == BODY


def _more() -> Iterator[tuple[str, dict[str, object]]]:
    for digest in ("sha256", "sha384", "sha512"):
        yield digest, {"digest": word(digest)}
    yield "certificate in the reference", {"reference": "WHOLE"}
    yield "encrypted, then signed", {"recipient": "bob", "encryptsFirst": True}
    yield "without prefixes", {"inclusive": False}


@pytest.mark.parametrize(("name", "options"), list(_more()), ids=[name for name, _ in _more()])
def test_more_of_theirs(partner: Lines, keys: dict[str, Pair], name: str, options: dict[str, object]) -> None:
    message = partner.message("wss4j-send", envelope(), **options)
    assert body_of(reader(keys, require_encrypted="recipient" in options).receive(message, None)) == BODY


@pytest.mark.parametrize("options", [{"signature": "RSA_SHA1"}, {"digest": "SHA1"}, {"timestamp": False}, {"recipient": "bob", "key": "RSA_1_5"}, {"signer": "mallory"}, {"signer": "weak"}, {"signer": "old"}], ids=str)
def test_what_is_refused_of_theirs(partner: Lines, keys: dict[str, Pair], options: dict[str, object]) -> None:
    message = partner.message("wss4j-send", envelope(), **options)
    with pytest.raises(CreoError) as raised:
        reader(keys).receive(message, None)
    assert raised.value.message.split(":")[0] in ("algorithm", "not-signed", "untrusted", "weak-key")
    if not {"signer", "timestamp"} & set(options):
        assert body_of(reader(keys, allow=["rsa-sha1", "sha1", "rsa-1_5"]).receive(message, None)) == BODY


def test_tokens_of_users(partner: Lines, keys: dict[str, Pair]) -> None:
    token = (
        f'<wsse:Security xmlns:wsse="{WSSE}" xmlns:wsu="{WSU}" soap:mustUnderstand="1"><wsse:UsernameToken><wsse:Username>anna</wsse:Username>'
        "<wsse:Password>changeit</wsse:Password></wsse:UsernameToken></wsse:Security>"
    )
    signed = WsSecurity(sign=keys["alice"]).send(envelope(header=token))
    assert found_by(partner, signed) == {"signed Body", "signed Timestamp", "signed UsernameToken"}
    both = WsSecurity(sign=keys["alice"], encrypt_to=keys["bob"].certificate).send(envelope(header=token))
    assert "changeit" not in both.decode()
    assert found_by(partner, both) >= {"encrypted UsernameToken", "encrypted Body", "signed UsernameToken"}
    checked = reader(keys).receive(both, None).decode()
    assert "<wsse:Username>anna</wsse:Username><wsse:Password>changeit</wsse:Password>" in checked
    assert "changeit" in partner.message("java-receive", both).decode()


@pytest.mark.parametrize("signs", [False, True])
@pytest.mark.parametrize("encrypts", [False, True])
def test_assertions(partner: Lines, keys: dict[str, Pair], signs: bool, encrypts: bool) -> None:
    security = WsSecurity(sign=keys["alice"] if signs else None, encrypt_to=keys["bob"].certificate if encrypts else None, saml=ASSERTION)
    sent = security.send(envelope())
    assert ("anna" in sent.decode()) is not encrypts
    caller, _ = partner.ask("java-receive", sent, saml=1, **({} if signs else {"unsigned": 1}))
    assert "anna" in caller
    if signs and encrypts:
        java = partner.message("java-send", envelope(), saml=ASSERTION, signer="alice", reference="BINARY_TOKEN", signature="RSA_SHA256", recipient="bob", keyReference="THUMBPRINT", key="RSA_OAEP", data="AES256_GCM")
        assert body_of(reader(keys).receive(java, None)) == BODY
