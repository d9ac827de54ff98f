"""Signed and encrypted messages of the client in C#, both ways with WSS4J and with the module of Java, and calls of a Java service.

Each combination is a row, and all rows of a side run in one process. The canonical form is held against that of libxml2 on random documents.
"""

from __future__ import annotations

import itertools
import json
import pathlib
import random
from collections.abc import Iterator

import lxml.etree as etree
import pytest
from conftest import CREO, NOTES, ROOT, WORK, Lines, Pair, Refused, generate, run
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, pkcs12

HERE = pathlib.Path(__file__).resolve().parent
PASSWORD = b"changeit"
SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/"
SOAP_12 = "http://www.w3.org/2003/05/soap-envelope"
TO = '<wsa:To xmlns:wsa="http://www.w3.org/2005/08/addressing">urn:to</wsa:To>'
WORDS = "<n:text>Grüße &amp; €5\U0001f600</n:text></n:say>"
BODY = f'<n:say xmlns:n="urn:creo:org.example.notes">{WORDS}'
REFERENCES = ["BINARY_TOKEN", "ISSUER_SERIAL", "KEY_IDENTIFIER", "THUMBPRINT"]
SIGNATURES = ["RSA_SHA256", "RSA_SHA384", "RSA_SHA512", "RSA_PSS_SHA256", "ECDSA_SHA256"]
READER = {"issuer": "ca", "known": "alice,curve", "decrypter": "bob"}


@pytest.fixture(scope="session")
def built(keys: dict[str, Pair]) -> pathlib.Path:
    """The folder of the program, and in `keys` a PKCS #12 file of each certificate with its key."""
    (WORK / "keys").mkdir()
    for name, (key, certificate) in keys.items():
        (WORK / f"keys/{name}.p12").write_bytes(pkcs12.serialize_key_and_certificates(name.encode(), key, certificate, None, BestAvailableEncryption(PASSWORD)))
    sources = [f"-recurse:{generate('csharp')}/*.cs", HERE / "Caller.cs", HERE / "Peer.cs"]
    run(ROOT / "scripts/dotnet/csc.sh", f"-out:{WORK / 'caller.dll'}", "-target:exe", "-nullable", "-warnaserror", *sources)
    return WORK


@pytest.fixture(scope="session")
def csharp(built: pathlib.Path) -> Iterator[Lines]:
    lines = Lines(ROOT / "scripts/dotnet/run.sh", built / "caller.dll", "peer", built / "keys")
    yield lines
    lines.end()


def envelope(soap: str = SOAP_11, header: str = "") -> bytes:
    head = f"<soap:Header>{header}</soap:Header>" if header else ""
    return f'<soap:Envelope xmlns:soap="{soap}">{head}<soap:Body>{BODY}</soap:Body></soap:Envelope>'.encode()


def signature_rows() -> Iterator[tuple[str, str, dict[str, str]]]:
    """The version, the header and the options of a row."""
    for soap, header, reference, signature in itertools.product((SOAP_11, SOAP_12), ("", TO), REFERENCES, SIGNATURES):
        if soap == SOAP_11 or signature == "RSA_SHA256":
            signer = "curve" if signature.startswith("EC") else "alice"
            more = {"header": "To"} if header else {}
            yield soap, header, {"signer": signer, "reference": reference, "signature": signature, **more}


@pytest.mark.parametrize("options", ["sign", "encrypt", "sign,encrypt"])
def test_sizes(csharp: Lines, keys: dict[str, Pair], options: str) -> None:
    """An estimate's bounds hold (COST-18); tests/wss/python has the other languages."""
    text = "0123456789abcdef"
    message = f'<soap:Envelope xmlns:soap="{SOAP_11}" xmlns:n1="urn:creo:org:example:notes"><soap:Body><n1:say><n1:text>{text}</n1:text></n1:say></soap:Body></soap:Envelope>'
    told = {"sign": {"signer": "alice", "reference": "BINARY_TOKEN"}, "encrypt": {"recipient": "bob", "keyReference": "ISSUER_SERIAL"}}
    sent = csharp.message("send", message.encode(), **{name: value for option in options.split(",") for name, value in told[option].items()})
    alice, bob = keys["alice"].certificate, keys["bob"].certificate
    lengths = f"certificate={len(alice.public_bytes(Encoding.DER))},issuer={len(bob.issuer.rfc4514_string())},serial={len(str(bob.serial_number))}"
    estimate = ["estimate", NOTES, "--method", "say", "--binding", "soap+http", "--profile", "none", "--format", "json"]
    body = json.loads(run(CREO, *estimate, "--security", f"{options},{lengths}"))["rows"][0]["request"]["body"]
    assert body["least"] <= len(sent) <= body["most"]


def check_read(found: bytes) -> None:
    text = found.decode()
    assert WORDS in text
    assert "Security" not in text


def parts_of(partner: Lines, message: bytes) -> set[str]:
    """What WSS4J finds in a message."""
    return set(partner.ask("wss4j-receive", message)[0].split(","))


@pytest.mark.parametrize("peer", ["wss4j", "java"])
@pytest.mark.parametrize(("soap", "header", "options"), list(signature_rows()))
def test_signatures(partner: Lines, csharp: Lines, peer: str, soap: str, header: str, options: dict[str, str]) -> None:
    message = envelope(soap, header)
    sent = csharp.message("send", message, **options)
    assert WORDS in partner.message(f"{peer}-receive", sent).decode()
    assert parts_of(partner, sent) == {"signed Body", "signed Timestamp", *(["signed To"] if header else [])}
    required = {"required": "*"} if header else {}
    check_read(csharp.message("receive", partner.message(f"{peer}-send", message, **options), **READER, **required))


@pytest.mark.parametrize("options", [{"digest": "SHA256"}, {"digest": "SHA384"}, {"digest": "SHA512"}, {"reference": "WHOLE"}], ids=str)
def test_digests(partner: Lines, csharp: Lines, options: dict[str, str]) -> None:
    check_read(csharp.message("receive", partner.message("wss4j-send", envelope(), **options), **READER))


@pytest.mark.parametrize("peer", ["wss4j", "java"])
@pytest.mark.parametrize("signs", [True, False])
@pytest.mark.parametrize("reference", REFERENCES)
@pytest.mark.parametrize("key", ["RSA_OAEP", "RSA_OAEP_SHA256"])
@pytest.mark.parametrize("data", ["AES128_GCM", "AES256_GCM", "AES128_CBC", "AES256_CBC"])
def test_encryption(partner: Lines, csharp: Lines, peer: str, signs: bool, reference: str, key: str, data: str) -> None:
    options = {"recipient": "bob", "keyReference": reference, "key": key, "data": data}
    signer = {"signer": "alice"} if signs else {}
    sent = csharp.message("send", envelope(), **options, **signer)
    assert b"notes" not in sent
    assert parts_of(partner, sent) == {"encrypted Body", *(["signed Body", "signed Timestamp"] if signs else [])}
    assert WORDS in partner.message(f"{peer}-receive", sent, **({} if signs else {"unsigned": 1})).decode()
    secured = partner.message(f"{peer}-send", envelope(), **options, **(signer or {"signs": False}))
    reader = READER if signs else {"decrypter": "bob"}
    check_read(csharp.message("receive", secured, **reader, encrypted=True, allowed="Aes128Cbc,Aes256Cbc"))


def test_encrypted_before_it_is_signed(partner: Lines, csharp: Lines) -> None:
    secured = partner.message("wss4j-send", envelope(), recipient="bob", encryptsFirst=True)
    check_read(csharp.message("receive", secured, **READER, encrypted=True))


def test_tokens_of_users(partner: Lines, csharp: Lines) -> None:
    wsse = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
    token = "<wsse:Username>anna</wsse:Username><wsse:Password>changeit</wsse:Password></wsse:UsernameToken></wsse:Security>"
    message = envelope(header=f'<wsse:Security xmlns:wsse="{wsse}" soap:mustUnderstand="1"><wsse:UsernameToken>{token}')
    assert parts_of(partner, csharp.message("send", message, signer="alice")) == {"signed Body", "signed Timestamp", "signed UsernameToken"}
    sent = csharp.message("send", message, signer="alice", recipient="bob")
    assert b"changeit" not in sent
    assert {"encrypted UsernameToken", "encrypted Body", "signed UsernameToken"} <= parts_of(partner, sent)
    assert token.encode() in partner.message("java-receive", sent)
    assert token.encode() in csharp.message("receive", sent, **READER)


def test_prefixes_in_values(partner: Lines, csharp: Lines) -> None:
    """WSS4J protects the prefix of a type only if it lists it."""
    body = '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="n1:T"/>'
    message = f'<soap:Envelope xmlns:soap="{SOAP_11}" xmlns:n1="urn:good"><soap:Body>{body}</soap:Body></soap:Envelope>'.encode()
    assert b"urn:good" in csharp.message("receive", partner.message("wss4j-send", message, inclusive=True), **READER)
    loose = partner.message("wss4j-send", message, inclusive=False)
    with pytest.raises(Refused, match="prefix: "):
        csharp.ask("receive", loose, **READER)
    assert b"urn:good" in csharp.message("receive", loose, **READER, loose=True)


def test_default_namespace(partner: Lines, csharp: Lines) -> None:
    """WSS4J lists the prefix #default, which lxml cannot."""
    body = '<n:a xmlns:n="urn:n"><b></b><n:c xmlns=""><b></b></n:c></n:a>'
    message = f'<soap:Envelope xmlns:soap="{SOAP_11}" xmlns="urn:default"><soap:Body>{body}</soap:Body></soap:Envelope>'.encode()
    secured = partner.message("wss4j-send", message, signer="alice")
    assert b"#default" in secured
    assert body.encode() in csharp.message("receive", secured, **READER)
    assert body.encode() in partner.message("wss4j-receive", csharp.message("send", message, signer="alice"))


def test_calls(partner: Lines, built: pathlib.Path) -> None:
    """Over HTTP with a header that must be signed, and encrypted; and through a broker."""
    ports = [partner.ask("serve", **options)[0] for options in ({"header": "*"}, {"encrypted": 1}, {"encrypted": 1, "jms": 1})]
    printed = run(ROOT / "scripts/dotnet/run.sh", built / "caller.dll", "call", built / "keys", *ports).splitlines()
    assert len(printed) == 20, printed


class Documents:
    """Random documents, whose elements redeclare a few prefixes."""

    # libxml2 refuses those that are no URIs, and does not escape an ampersand.
    NAMESPACES = ("urn:a", "urn:b", "urn:B", "urn:a:b", "http://x/?a", "urn:%C3&#x27;")
    PREFIXES = ("p", "q", "r", "aa")
    TEXTS = ("", "x", " \n\t ", "&#13;", "a&#13;\n", "&amp;&lt;&gt;>\"'", "Grüße €", "\U0001f600", "<![CDATA[<&>]]>", "<!-- c -->", "a<!-- c -->b", "<?pi?>", "<?pi d > &?>", "\r\n", "\u2028\x85")
    VALUES = ("", "x", "&#9;&#10;&#13;", " a \n b ", "&lt;&amp;&gt;>&quot;'", "ß€\U0001f600", "p:T")

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def element(self, scope: dict[str, str], depth: int) -> str:
        pick = self.random
        scope = dict(scope)
        declared = []
        for prefix in pick.sample(("", *self.PREFIXES), pick.choice((0, 0, 1, 2))):
            scope[prefix] = "" if not prefix and pick.random() < 0.4 else pick.choice(self.NAMESPACES)
            declared.append(f'{"xmlns:" + prefix if prefix else "xmlns"}="{scope[prefix]}"')
        bound = [prefix for prefix in scope if prefix]
        prefix = pick.choice(["", *bound])
        name = f"{prefix}:{pick.choice('ab')}" if prefix else pick.choice("ab")
        attributes = [f'{local}="{pick.choice(self.VALUES)}"' for local in pick.sample(("z", "a", "Id", "é"), pick.choice((0, 1, 2)))]
        used = set()
        for each in pick.sample(bound, min(len(bound), pick.choice((0, 1, 3)))):
            # Two prefixes may have one namespace.
            if scope[each] not in used:
                used.add(scope[each])
                attributes += [f'{each}:{local}="{pick.choice(self.VALUES)}"' for local in pick.sample("yzé", pick.choice((1, 2)))]
        if pick.random() < 0.1:
            attributes.append(pick.choice(('xml:lang="de"', 'xml:space="preserve"', 'xml:base="http://x/"')))
        words = [*declared, *attributes]
        pick.shuffle(words)
        content = ""
        for _ in range(pick.choice((0, 1, 3)) if depth < 5 else 0):
            content += pick.choice(self.TEXTS) + self.element(scope, depth + 1)
        content += pick.choice(self.TEXTS)
        return f"<{' '.join([name, *words])}>{content}</{name}>"


def test_canonical_form(csharp: Lines) -> None:
    """3,000 documents, whole with listed prefixes, and elements of them without: libxml2 does not look at what is around an element for listed ones."""
    documents = Documents(1)
    parser = etree.XMLParser(resolve_entities=False, strip_cdata=True)
    for number in range(3000):
        text = documents.element({}, 0)
        root = etree.fromstring(text.encode(), parser)
        listed = documents.random.sample(documents.PREFIXES, number % 3)
        expected = etree.tostring(root, method="c14n", exclusive=True, with_comments=False, inclusive_ns_prefixes=listed)
        assert csharp.message("canonical", text.encode(), prefixes=",".join(listed)) == expected, text
        children = [child for child in root if isinstance(child.tag, str)]
        if children:
            index = documents.random.randrange(len(children))
            expected = etree.tostring(children[index], method="c14n", exclusive=True, with_comments=False, with_tail=False)
            assert csharp.message("canonical", text.encode(), child=index) == expected, text
