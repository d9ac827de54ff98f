"""Signed and encrypted messages of the client in C#, both ways with WSS4J and with the module of Java, and calls of a Java service.

Each combination is a row, and all rows of a side run in one process. The canonical form is held against that of libxml2 on random documents.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import pathlib
import random
import shutil
import subprocess
from collections.abc import Iterator

import lxml.etree as etree
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, pkcs12

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
WORK = ROOT / "build/wss-csharp"
MODULE = ROOT / "runtimes/java-wss"
MAVEN = ["mvn", "--batch-mode", "--no-transfer-progress", "--quiet", "--file", ROOT / "runtimes/pom.xml", "--projects", "java-wss", "--also-make"]
COPY = ["test-compile", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies", "-DexcludeGroupIds=creo"]
SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/"
SOAP_12 = "http://www.w3.org/2003/05/soap-envelope"
TO = '<wsa:To xmlns:wsa="http://www.w3.org/2005/08/addressing">urn:to</wsa:To>'
WORDS = "<n:text>Grüße &amp; €5\U0001f600</n:text></n:say>"
BODY = f'<n:say xmlns:n="urn:creo:org.example.notes">{WORDS}'
REFERENCES = ["BINARY_TOKEN", "ISSUER_SERIAL", "KEY_IDENTIFIER", "THUMBPRINT"]
SIGNATURES = ["RSA_SHA256", "RSA_SHA384", "RSA_SHA512", "RSA_PSS_SHA256", "ECDSA_SHA256"]
READER = "issuer=ca known=alice,curve decrypter=bob"


def run(*command: object) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600, check=False, cwd=ROOT)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


class Lines:
    """A program that answers lines."""

    def __init__(self, *command: object) -> None:
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def read(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def ask(self, words: str, message: bytes) -> list[bytes]:
        """The message and what else is in an answer; a refusal fails."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{words} {base64.b64encode(message).decode()}\n")
        self.process.stdin.flush()
        status, *parts = self.read().split(" ")
        found = [base64.b64decode(part) for part in parts]
        assert status == "ok", (words, found)
        return found

    def end(self) -> None:
        self.process.communicate()
        assert self.process.returncode == 0


@pytest.fixture(scope="session")
def built() -> pathlib.Path:
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "keys").mkdir(parents=True)
    run(*MAVEN, *COPY, f"-DoutputDirectory={WORK / 'jars'}")
    run(ROOT / "target/debug/creo", "generate", MODULE / "src/test/creo/notes.creo", "--target", "csharp", "--wires", "all", "--with", "wss", "--out", WORK / "generated")
    sources = [f"-recurse:{WORK / 'generated/csharp'}/*.cs", HERE / "Caller.cs", HERE / "Peer.cs"]
    run(ROOT / "scripts/dotnet/csc.sh", f"-out:{WORK / 'caller.dll'}", "-target:exe", "-nullable", "-warnaserror", *sources)
    return WORK


@pytest.fixture(scope="session")
def java(built: pathlib.Path) -> Iterator[tuple[Lines, list[str]]]:
    """The partner, and the ports of its services."""
    path = os.pathsep.join(str(place) for place in (MODULE / "target/test-classes", MODULE / "target/classes", ROOT / "runtimes/java/target/classes", built / "jars/*"))
    lines = Lines("java", "-cp", path, "creo.wss.LinePeer", built / "keys")
    yield lines, lines.read().split(" ")
    lines.end()


@pytest.fixture(scope="session")
def csharp(java: tuple[Lines, list[str]], built: pathlib.Path) -> Iterator[Lines]:
    lines = Lines(ROOT / "scripts/dotnet/run.sh", built / "caller.dll", "peer", built / "keys")
    yield lines
    lines.end()


def envelope(soap: str = SOAP_11, header: str = "") -> bytes:
    head = f"<soap:Header>{header}</soap:Header>" if header else ""
    return f'<soap:Envelope xmlns:soap="{soap}">{head}<soap:Body>{BODY}</soap:Body></soap:Envelope>'.encode()


def signature_rows() -> Iterator[tuple[str, str, str]]:
    """The version, the header and the options of a row."""
    for soap, header, reference, signature in itertools.product((SOAP_11, SOAP_12), ("", TO), REFERENCES, SIGNATURES):
        if soap == SOAP_11 or signature == "RSA_SHA256":
            signer = "curve" if signature.startswith("EC") else "alice"
            yield soap, header, f"signer={signer} reference={reference} signature={signature}"


@pytest.mark.parametrize("options", ["sign", "encrypt", "sign,encrypt"])
def test_sizes(csharp: Lines, built: pathlib.Path, options: str) -> None:
    """An estimate's bounds hold (COST-18); tests/wss/python has the other languages."""
    text = "0123456789abcdef"
    message = f'<soap:Envelope xmlns:soap="{SOAP_11}" xmlns:n1="urn:creo:org:example:notes"><soap:Body><n1:say><n1:text>{text}</n1:text></n1:say></soap:Body></soap:Envelope>'
    told = {"sign": "signer=alice reference=BINARY_TOKEN", "encrypt": "recipient=bob keyReference=ISSUER_SERIAL"}
    (sent,) = csharp.ask(" ".join(["send", *(told[option] for option in options.split(","))]), message.encode())
    alice, bob = (pkcs12.load_key_and_certificates((built / f"keys/{name}.p12").read_bytes(), b"changeit")[1] for name in ("alice", "bob"))
    assert alice is not None
    assert bob is not None
    lengths = f"certificate={len(alice.public_bytes(Encoding.DER))},issuer={len(bob.issuer.rfc4514_string())},serial={len(str(bob.serial_number))}"
    estimate = ["estimate", MODULE / "src/test/creo/notes.creo", "--method", "say", "--binding", "soap+http", "--profile", "none", "--format", "json"]
    body = json.loads(run(ROOT / "target/debug/creo", *estimate, "--security", f"{options},{lengths}"))["rows"][0]["request"]["body"]
    assert body["least"] <= len(sent) <= body["most"]


def check_read(found: bytes) -> None:
    text = found.decode()
    assert WORDS in text
    assert "Security" not in text


@pytest.mark.parametrize("peer", ["wss4j", "java"])
@pytest.mark.parametrize(("soap", "header", "options"), list(signature_rows()))
def test_signatures(java: tuple[Lines, list[str]], csharp: Lines, peer: str, soap: str, header: str, options: str) -> None:
    message = envelope(soap, header)
    more, required = (" header=To", " required=*") if header else ("", "")
    checked, *parts = java[0].ask(f"{peer}-receive", csharp.ask(f"send {options}{more}", message)[0])
    assert WORDS in checked.decode()
    if peer == "wss4j":
        assert parts == [(b"signed Body,signed Timestamp,signed To" if header else b"signed Body,signed Timestamp")]
    check_read(csharp.ask(f"receive {READER}{required}", java[0].ask(f"{peer}-send {options}{more}", message)[0])[0])


@pytest.mark.parametrize("options", ["digest=SHA256", "digest=SHA384", "digest=SHA512", "reference=WHOLE"])
def test_digests(java: tuple[Lines, list[str]], csharp: Lines, options: str) -> None:
    check_read(csharp.ask(f"receive {READER}", java[0].ask(f"wss4j-send {options}", envelope())[0])[0])


@pytest.mark.parametrize("peer", ["wss4j", "java"])
@pytest.mark.parametrize("signs", [True, False])
@pytest.mark.parametrize("reference", REFERENCES)
@pytest.mark.parametrize("key", ["RSA_OAEP", "RSA_OAEP_SHA256"])
@pytest.mark.parametrize("data", ["AES128_GCM", "AES256_GCM", "AES128_CBC", "AES256_CBC"])
def test_encryption(java: tuple[Lines, list[str]], csharp: Lines, peer: str, signs: bool, reference: str, key: str, data: str) -> None:
    options = f"recipient=bob keyReference={reference} key={key} data={data}"
    signer = " signer=alice" if signs else ""
    sent = csharp.ask(f"send {options}{signer}", envelope())[0]
    assert b"notes" not in sent
    # The module of Java reads AES-CBC only if it is told, and messages without signatures only without trust.
    if peer == "wss4j":
        checked, parts = java[0].ask("wss4j-receive", sent)
        assert WORDS in checked.decode()
        assert parts == (b"encrypted Body,signed Body,signed Timestamp" if signs else b"encrypted Body")
    elif signs and data.endswith("GCM"):
        assert WORDS in java[0].ask("java-receive", sent)[0].decode()
    unsigned = " signs=false" if peer == "wss4j" else ""
    secured = java[0].ask(f"{peer}-send {options}{signer or unsigned}", envelope())[0]
    reader = READER if signs else "decrypter=bob"
    check_read(csharp.ask(f"receive {reader} encrypted=true allowed=Aes128Cbc,Aes256Cbc", secured)[0])


def test_encrypted_before_it_is_signed(java: tuple[Lines, list[str]], csharp: Lines) -> None:
    secured = java[0].ask("wss4j-send recipient=bob encryptsFirst=true", envelope())[0]
    check_read(csharp.ask(f"receive {READER} encrypted=true", secured)[0])


def test_tokens_of_users(java: tuple[Lines, list[str]], csharp: Lines) -> None:
    wsse = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
    token = "<wsse:Username>anna</wsse:Username><wsse:Password>changeit</wsse:Password></wsse:UsernameToken></wsse:Security>"
    message = envelope(header=f'<wsse:Security xmlns:wsse="{wsse}" soap:mustUnderstand="1"><wsse:UsernameToken>{token}')
    parts = java[0].ask("wss4j-receive", csharp.ask("send signer=alice", message)[0])[1]
    assert parts == b"signed Body,signed Timestamp,signed UsernameToken"
    sent = csharp.ask("send signer=alice recipient=bob", message)[0]
    assert b"changeit" not in sent
    parts = java[0].ask("wss4j-receive", sent)[1]
    assert {b"encrypted UsernameToken", b"encrypted Body", b"signed UsernameToken"} <= set(parts.split(b","))
    assert token.encode() in java[0].ask("java-receive", sent)[0]
    assert token.encode() in csharp.ask(f"receive {READER}", sent)[0]


def test_prefixes_in_values(java: tuple[Lines, list[str]], csharp: Lines) -> None:
    """WSS4J protects the prefix of a type only if it lists it."""
    body = '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="n1:T"/>'
    message = f'<soap:Envelope xmlns:soap="{SOAP_11}" xmlns:n1="urn:good"><soap:Body>{body}</soap:Body></soap:Envelope>'.encode()
    assert b"urn:good" in csharp.ask(f"receive {READER}", java[0].ask("wss4j-send inclusive=true", message)[0])[0]
    loose = java[0].ask("wss4j-send inclusive=false", message)[0]
    with pytest.raises(AssertionError, match="prefix: "):
        csharp.ask(f"receive {READER}", loose)
    assert b"urn:good" in csharp.ask(f"receive {READER} loose=true", loose)[0]


def test_default_namespace(java: tuple[Lines, list[str]], csharp: Lines) -> None:
    """WSS4J lists the prefix #default, which lxml cannot."""
    body = '<n:a xmlns:n="urn:n"><b></b><n:c xmlns=""><b></b></n:c></n:a>'
    message = f'<soap:Envelope xmlns:soap="{SOAP_11}" xmlns="urn:default"><soap:Body>{body}</soap:Body></soap:Envelope>'.encode()
    secured = java[0].ask("wss4j-send signer=alice", message)[0]
    assert b"#default" in secured
    assert body.encode() in csharp.ask(f"receive {READER}", secured)[0]
    assert body.encode() in java[0].ask("wss4j-receive", csharp.ask("send signer=alice", message)[0])[0]


def test_calls(java: tuple[Lines, list[str]], built: pathlib.Path) -> None:
    printed = run(ROOT / "scripts/dotnet/run.sh", built / "caller.dll", "call", built / "keys", *java[1]).splitlines()
    assert len(printed) == 18, printed


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
        assert csharp.ask(f"canonical / {','.join(listed) or ','}", text.encode()) == [expected], text
        children = [child for child in root if isinstance(child.tag, str)]
        if children:
            index = documents.random.randrange(len(children))
            expected = etree.tostring(children[index], method="c14n", exclusive=True, with_comments=False, with_tail=False)
            assert csharp.ask(f"canonical /{index} ,", text.encode()) == [expected], text
