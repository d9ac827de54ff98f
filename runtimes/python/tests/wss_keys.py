"""Keys, certificates and messages of the tests of signatures."""

from __future__ import annotations

import functools
from datetime import datetime, timedelta, timezone
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

from creo._wss.canonical import canonical
from creo._wss.envelope import Envelope
from creo.wss import WsSecurity

SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/"
SOAP_12 = "http://www.w3.org/2003/05/soap-envelope"
ADDRESSING = "http://www.w3.org/2005/08/addressing"
BODY = (
    '<n:say xmlns:n="urn:creo:org.example.notes"><n:text>Grüße &amp; €5\U0001f600</n:text></n:say>'
)


class Pair(NamedTuple):
    """A key with its certificate."""

    key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey
    certificate: x509.Certificate


def _name(common: str) -> x509.Name:
    return x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Example, Inc."),
            x509.NameAttribute(NameOID.COMMON_NAME, common),
        ]
    )


def make(
    common: str,
    issuer: Pair | None = None,
    *,
    size: int = 2_048,
    curve: bool = False,
    ca: int | None = None,
    since: timedelta = timedelta(hours=-1),
    until: timedelta = timedelta(days=1),
    more: tuple[tuple[x509.ExtensionType, bool], ...] = (),
) -> Pair:
    """A new key; ``ca`` is the path length of an authority."""
    key: Any = (
        ec.generate_private_key(ec.SECP256R1())
        if curve
        else rsa.generate_private_key(public_exponent=65_537, key_size=size)
    )
    now = datetime.now(timezone.utc)
    builder = (
        x509.CertificateBuilder()
        .subject_name(_name(common))
        .issuer_name(_name(common) if issuer is None else issuer.certificate.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + since)
        .not_valid_after(now + until)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        .add_extension(x509.BasicConstraints(ca is not None, ca), True)
    )
    for extension, critical in more:
        builder = builder.add_extension(extension, critical)
    signer: Any = key if issuer is None else issuer.key
    return Pair(key, builder.sign(signer, hashes.SHA256()))


def usage(*, signs: bool = False, issues: bool = False) -> tuple[x509.ExtensionType, bool]:
    """What a certificate says it is for."""
    made = x509.KeyUsage(
        digital_signature=signs,
        content_commitment=False,
        key_encipherment=not signs,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=issues,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    return made, True


@functools.cache
def pair(name: str) -> Pair:
    """The keys of the tests, each made once."""
    if name == "ca":
        return make("Authority", ca=1)
    if name == "mallory":
        return make("alice")
    ca = pair("ca")
    if name == "curve":
        return make("curve", ca, curve=True)
    if name == "weak":
        return make("weak", ca, size=1_024)
    if name == "old":
        return make("old", ca, since=timedelta(days=-3), until=timedelta(days=-1))
    return make(name, ca)


def certificate(name: str) -> x509.Certificate:
    return pair(name).certificate


def writer(signer: str = "alice", **more: Any) -> WsSecurity:
    """Signs as this one."""
    return WsSecurity(sign=pair(signer), **more)


def reader(**more: Any) -> WsSecurity:
    """Trusts those whom the authority trusts."""
    told: dict[str, Any] = {
        "trust_issuers": certificate("ca"),
        "know": certificate("alice"),
        "require_signed_headers": [f"{{{ADDRESSING}}}*"],
    }
    return WsSecurity(**{**told, **more})


def envelope(body: str = BODY, header: str = "", soap: str = SOAP_11) -> bytes:
    """An envelope."""
    head = f"<soap:Header>{header}</soap:Header>" if header else ""
    text = f'<soap:Envelope xmlns:soap="{soap}">{head}<soap:Body>{body}</soap:Body></soap:Envelope>'
    return text.encode()


def body_of(message: bytes) -> str:
    """The content of the body in its canonical form."""
    return b"".join(map(canonical, Envelope.parse(message).body.elements())).decode()
