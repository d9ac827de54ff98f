"""Signatures and encryption: options, trust in certificates, names of issuers."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

pytest.importorskip("cryptography", reason="cryptography is not installed")

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from creo import CreoError
from creo._wss.distinguished import parse_text, parsed_name, text_of
from creo._wss.trust import Trust
from creo.soap import ClientSecurity
from creo.wss import Algorithm, TokenReference, WsSecurity
from wss_keys import BODY, Pair, body_of, certificate, envelope, make, pair, reader, usage, writer

PLAIN = envelope()


def pem(name: str) -> tuple[bytes, bytes]:
    key = pair(name).key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return key, certificate(name).public_bytes(Encoding.PEM)


# Options


def test_keys_as_pem() -> None:
    key, own = pem("alice")
    both = pem("bob")[1] + pem("ca")[1]
    made = WsSecurity(sign=(key, own + pem("ca")[1]), encrypt_to=both).send(PLAIN)
    told: list[x509.Certificate | bytes] = [certificate("curve"), pem("alice")[1]]
    client = WsSecurity(trust=told, decrypt=[(pem("bob")[0], both)], require_encrypted=True)
    assert body_of(client.receive(made, None)) == BODY


@pytest.mark.parametrize("reference", [each.value for each in TokenReference])
@pytest.mark.parametrize(
    ("signer", "algorithm"),
    [
        *(("alice", f"rsa-{each}") for each in ("sha256", "sha384", "sha512", "pss-sha256")),
        *(("curve", f"ecdsa-sha{each}") for each in (256, 384, 512)),
    ],
)
def test_references_and_algorithms(reference: str, signer: str, algorithm: str) -> None:
    made = writer(signer, reference=reference, signature=algorithm).send(PLAIN)
    assert body_of(reader(trust=certificate(signer)).receive(made, None)) == BODY


@pytest.mark.parametrize("key", ["rsa-oaep", "rsa-oaep-sha256", "rsa-1_5"])
@pytest.mark.parametrize("data", ["aes128-gcm", "aes256-gcm", "aes128-cbc", "aes256-cbc"])
@pytest.mark.parametrize("text", ["", "x", "a text of exactly thirty-two b."])
def test_encryption(key: str, data: str, text: str) -> None:
    made = writer(encrypt_to=certificate("bob"), key_encryption=key, data_encryption=data)
    client = reader(decrypt=[pair("alice"), pair("bob")], allow=["rsa-1_5", data])
    sent = made.send(envelope(f"<a>{text}</a>"))
    assert body_of(client.receive(sent, None)) == f"<a>{text}</a>"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"sign": ("alice", "bob")}, "not that of the key"),
        ({"sign": ("weak", "weak")}, "2048 bits"),
        ({"sign": ("alice", "alice"), "signature": "ecdsa-sha256"}, "does not fit"),
        ({"sign": ("alice", "alice"), "signature": "aes128-gcm"}, "no algorithm of the kind"),
        ({"signature": "rsa-sha256"}, "needs a key"),
        ({"signature": "rsa-md5", "sign": ("alice", "alice")}, "rsa-md5"),
        ({"encrypt_to": "curve"}, "a key of RSA"),
        ({"encrypt_to": ()}, "has a certificate"),
        ({"decrypt": [("curve", "curve")]}, "a key of RSA"),
        ({"decrypt": [("alice", "bob")]}, "not that of the key"),
        ({"saml": "<a/>"}, "no assertion"),
        ({"max_size": 0}, "positive"),
        ({"allow": ["md5"]}, "md5"),
        ({"sign": ("alice", "alice"), "sign_headers": "{urn:x}*"}, "sequence"),
        ({"require_signed_headers": ["urn:x}a"]}, "namespace"),
        ({"trust": "a text"}, "PEM as bytes"),
    ],
)
def test_options_that_are_refused(options: dict[str, Any], told: str) -> None:
    if "sign" in options:
        key, own = options["sign"]
        options = {**options, "sign": (pair(key).key, certificate(own))}
    if "decrypt" in options:
        options = {
            **options,
            "decrypt": [(pair(k).key, certificate(c)) for k, c in options["decrypt"]],
        }
    if isinstance(options.get("encrypt_to"), str):
        options = {**options, "encrypt_to": certificate(options["encrypt_to"])}
    with pytest.raises(ValueError, match=told):
        WsSecurity(**options)


def test_a_certificate_without_an_identifier_of_its_key() -> None:
    key = pair("alice").key
    now = datetime.now(timezone.utc)
    bare = (
        x509.CertificateBuilder()
        .subject_name(certificate("alice").subject)
        .issuer_name(certificate("alice").subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=1))
    )
    own = bare.sign(key, hashes.SHA256())
    with pytest.raises(ValueError, match="no identifier"):
        WsSecurity(sign=(key, own), reference="key-identifier")


def test_the_default_algorithm_of_a_curve() -> None:
    assert f'"{Algorithm.ECDSA_SHA256.facts.uri}"' in writer("curve").send(PLAIN).decode()
    assert f'"{Algorithm.RSA_SHA256.facts.uri}"' in writer("alice").send(PLAIN).decode()


def test_nothing_to_do() -> None:
    security: ClientSecurity = WsSecurity()
    assert security.send(PLAIN) is PLAIN
    assert security.receive(b"anything", None) == b"anything"


def test_a_prefix_that_means_something_else() -> None:
    """What the module adds does not change what prefixes mean."""
    for prefix in ("wsse", "wsu", "ds", "xenc", "ec", "wsse11", "xenc11"):
        body = f'<{prefix}:a xmlns:{prefix}="urn:x" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="{prefix}:T"/>'
        message = envelope(body).replace(
            b"<soap:Body", f'<soap:Body xmlns:{prefix}="urn:y"'.encode()
        )
        made = writer(encrypt_to=certificate("bob"), key_encryption="rsa-oaep-sha256").send(message)
        client = reader(decrypt=[pair("bob")])
        assert f'<{prefix}:a xmlns:{prefix}="urn:x"' in body_of(client.receive(made, None))


def test_an_envelope_without_a_prefix() -> None:
    message = b'<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"><Body><a xmlns=""/></Body></Envelope>'
    made = writer(encrypt_to=certificate("bob")).send(message)
    assert body_of(reader(decrypt=[pair("bob")]).receive(made, None)) == "<a></a>"


# Trust


def _check(leaf: Pair, issuers: list[Pair], known: list[Pair]) -> bool:
    trust = Trust([], [i.certificate for i in issuers], [k.certificate for k in known], None)
    try:
        trust.check(leaf.certificate, datetime.now(timezone.utc))
    except CreoError as error:
        assert error.message.startswith("untrusted: ")
        return False
    return True


def test_paths_of_certificates() -> None:
    root = make("root", ca=1)
    between = make("between", root, ca=0)
    leaf = make("leaf", between)
    assert _check(leaf, [root], [between])
    assert not _check(leaf, [root], [])
    assert _check(leaf, [between], [])
    assert not _check(leaf, [make("root", ca=1)], [between])
    # One that is no authority, or may not have another below it.
    below = make("below", between, ca=0)
    assert not _check(make("leaf", below), [root], [between, below])
    assert not _check(make("leaf", leaf), [root], [between, leaf])
    assert not _check(make("leaf", leaf), [leaf], [])
    # One that has expired, or says that it is for something else.
    old = make("old", root, ca=0, since=timedelta(days=-3), until=timedelta(days=-1))
    assert not _check(make("leaf", old), [root], [old])
    signs = make("signs", root, ca=0, more=(usage(signs=True),))
    assert not _check(make("leaf", signs), [root], [signs])
    issues = make("issues", root, ca=0, more=(usage(issues=True),))
    assert _check(make("leaf", issues), [root], [issues])
    # A weak key.
    weak = make("weak", root, ca=0, size=1_024)
    assert not _check(make("leaf", weak), [root], [weak])
    # A restriction that is not checked.
    named = x509.NameConstraints([x509.DNSName("example.org")], None)
    narrow = make("narrow", root, ca=0, more=((named, False),))
    assert not _check(make("leaf", narrow), [root], [narrow])
    unknown = x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.3.4"), b"\x05\x00")
    assert not _check(make("leaf", root, more=((unknown, True),)), [root], [])
    assert _check(make("leaf", root, more=((unknown, False),)), [root], [])


def test_what_a_certificate_is_for() -> None:
    root = pair("ca")
    assert _check(make("leaf", root, more=(usage(signs=True),)), [root], [])
    assert not _check(make("leaf", root, more=(usage(),)), [root], [])


# Names


def test_names_of_issuers() -> None:
    name = x509.Name(
        [
            x509.NameAttribute(NameOID.COUNTRY_NAME, "NO"),
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, ' #A, "B" + C\\; '),
            x509.NameAttribute(NameOID.COMMON_NAME, "Grüße  x"),
            x509.NameAttribute(NameOID.EMAIL_ADDRESS, "a@example.org"),
        ]
    )
    text = text_of(name)
    assert text.startswith("1.2.840.113549.1.9.1=#160d6140")
    assert text.endswith(',CN=Grüße  x,O=\\ #A\\, \\"B\\" \\+ C\\\\\\;\\ ,C=NO')
    assert parse_text(text) == parsed_name(name)
    for same in (
        'E=a@example.org, CN=grüße x, O="#A, \\"B\\" + C\\\\;", C=no',
        'EMAILADDRESS=a@EXAMPLE.org;2.5.4.3=Gr\\c3\\bc\\C3\\9fe x;o=\\#a\\, \\"b\\" \\+ c\\\\\\;;C=NO',
        "OID.1.2.840.113549.1.9.1=a@example.org,CN=Grüße x,O=\\23A\\2c \\22B\\22 \\2b C\\5c\\3b,C=NO",
    ):
        assert parse_text(same) == parsed_name(name), same
    for other in ("CN=Grüße x", "C=NO,CN=Grüße x", ""):
        try:
            assert parse_text(other) != parsed_name(name)
        except ValueError:
            assert not other
    for wrong in ("x", "X=y", 'CN="a', "CN=a\\", "CN=#zz", "CN=\\ff"):
        with pytest.raises(ValueError, match=r"."):
            parse_text(wrong)
