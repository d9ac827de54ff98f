"""Messages of attackers: each is refused, with the reason that the specification names."""

from __future__ import annotations

import base64
import hashlib
import re
import time
from typing import Any, Callable

import pytest

pytest.importorskip("cryptography", reason="cryptography is not installed")

from cryptography.hazmat.primitives.asymmetric import ec, rsa, utils
from cryptography.hazmat.primitives.serialization import Encoding

from creo import CreoError, ErrorCode
from creo._wss import names
from creo._wss.algorithms import Algorithm
from creo._wss.canonical import canonical
from creo._wss.encryption import encrypt, wrap
from creo._wss.envelope import Envelope
from creo._wss.replays import Replays
from creo._wss.tokens import bytes_of
from creo._wss.tree import Attribute, Element
from creo._wss.writing import signed_value
from creo.wss import WsSecurity
from wss_attacks import ALL, Attack, info, security, signature
from wss_keys import ADDRESSING, BODY, SOAP_11, body_of, certificate, envelope, pair, reader, writer

PLAIN = envelope()


def refused(reason: str, client: WsSecurity, message: bytes) -> CreoError:
    with pytest.raises(CreoError) as raised:
        client.receive(message, None)
    assert raised.value.message.startswith(reason), raised.value.message
    return raised.value


@pytest.mark.parametrize("attack", ALL, ids=lambda attack: str(attack.name)[:60])
def test_a_change(attack: Attack) -> None:
    message = writer().send(PLAIN)
    assert body_of(reader().receive(message, None)) == BODY
    error = refused(attack.reason, reader(), attack.on(message))
    code = ErrorCode.PROTOCOL_MISMATCH
    if attack.reason == "no document":
        code = ErrorCode.MALFORMED
    elif attack.reason == "untrusted":
        code = ErrorCode.UNTRUSTED_PEER
    assert error.code is code


def resigned(signer: str, message: bytes, change: Callable[[Envelope], object]) -> bytes:
    """A changed message, signed again by its signer."""
    e = Envelope.parse(message)
    change(e)
    key = pair(signer).key
    algorithm = Algorithm.RSA_SHA256
    if isinstance(key, ec.EllipticCurvePrivateKey):
        algorithm = Algorithm.ECDSA_SHA256
    value = signed_value(key, algorithm, canonical(info(e)))
    signature(e).required(names.DSIG, "SignatureValue").put(base64.b64encode(value).decode())
    return e.to_bytes()


# Time


def test_stale_messages() -> None:
    now = time.time()
    client = reader(clock=lambda: now)
    for offset, reason in ((360.0, "expired"), (-360.0, "in the future"), (86_400.0, "expired")):
        made = writer(clock=lambda at=now - offset: at).send(PLAIN)
        assert reason in refused("stale", client, made).message
    for offset in (299.0, -299.0):
        client.receive(writer(clock=lambda at=now - offset: at).send(PLAIN), None)
    # The certificates are checked by the same clock.
    refused("untrusted", reader(clock=lambda: now + 1e7), writer().send(PLAIN))


def test_messages_that_came_before() -> None:
    client = reader()
    message = writer().send(PLAIN)
    client.receive(message, None)
    refused("replayed", client, message)
    refused(
        "replayed", client, message.replace(b"<soap:Header>", b'<soap:Header><x xmlns="urn:x"/>')
    )
    client.receive(writer().send(PLAIN), None)


def test_the_other_signature_of_a_curve() -> None:
    """Anyone can make another one of the same message: it counts as the same."""
    client = reader()
    message = writer("curve").send(PLAIN)
    client.receive(message, None)
    e = Envelope.parse(message)
    value = signature(e).required(names.DSIG, "SignatureValue")
    both = bytes_of(value.text())
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    s = order - int.from_bytes(both[32:], "big")
    value.put(base64.b64encode(both[:32] + s.to_bytes(32, "big")).decode())
    reader().receive(e.to_bytes(), None)
    refused("replayed", client, e.to_bytes())
    # The form of other uses of these signatures is none here.
    der = utils.encode_dss_signature(int.from_bytes(both[:32], "big"), s)
    for wrong in (der, both[:-1], b"", both + both):
        value.put(base64.b64encode(wrong).decode())
        refused("bad-signature", reader(), e.to_bytes())


def test_the_memory_of_signatures() -> None:
    now = [0.0]
    memory = Replays(lambda: now[0])
    for i in range(100_000):
        memory.use(i.to_bytes(4, "big"))
    with pytest.raises(CreoError) as raised:
        memory.use(b"one more")
    assert raised.value.code is ErrorCode.OVERLOADED
    assert raised.value.message.startswith("replay-memory: ")
    with pytest.raises(CreoError, match="replayed: "):
        memory.use((7).to_bytes(4, "big"))
    now[0] = 601.0
    memory.use(b"one more")
    memory.use((7).to_bytes(4, "big"))


# Who signs, and how


def test_certificates_that_are_not_trusted() -> None:
    assert (
        refused("untrusted", reader(), writer("mallory").send(PLAIN)).code
        is ErrorCode.UNTRUSTED_PEER
    )
    refused("untrusted", reader(), writer("old").send(PLAIN))
    bob = writer("bob")
    refused("untrusted", WsSecurity(trust=certificate("alice")), bob.send(PLAIN))
    refused("untrusted", reader(accept=certificate("alice").__eq__), bob.send(PLAIN))
    refused("untrusted", WsSecurity(decrypt=[pair("bob")]), bob.send(PLAIN))
    with pytest.raises(ValueError, match="2048 bits"):
        writer("weak")


def test_a_weak_key_of_a_signer_who_is_trusted() -> None:
    def weak(e: Envelope) -> None:
        token = security(e).required(names.WSSE, "BinarySecurityToken")
        der = certificate("weak").public_bytes(Encoding.DER)
        token.put(base64.b64encode(der).decode())

    made = resigned("weak", writer().send(PLAIN), weak)
    assert refused("weak-key", reader(), made).code is ErrorCode.UNTRUSTED_PEER
    refused("weak-key", reader(trust=certificate("weak")), made)


def test_weak_algorithms_of_a_signer_who_is_trusted() -> None:
    message = writer(signature="rsa-sha1").send(PLAIN)
    refused("algorithm", reader(), message)
    reader(allow=["rsa-sha1"]).receive(message, None)

    def sha1(e: Envelope) -> None:
        for reference in info(e).elements()[2:]:
            method = reference.required(names.DSIG, "DigestMethod")
            method.set(Attribute("", "", "Algorithm", Algorithm.SHA1.facts.uri))
            part = next(x for x in e.root.all() if f"#{_own_id(x)}" == reference.get("URI"))
            digest = hashlib.sha1(canonical(part, ["soap"])).digest()
            reference.required(names.DSIG, "DigestValue").put(base64.b64encode(digest).decode())

    made = resigned("alice", writer().send(PLAIN), sha1)
    refused("algorithm", reader(), made)
    refused("algorithm", reader(allow=[Algorithm.RSA_SHA1]), made)
    reader(allow=[Algorithm.SHA1]).receive(made, None)


def _own_id(element: Element) -> str:
    found = element.attribute(names.WSU, "Id")
    return "" if found is None else found.value


def test_a_message_without_a_timestamp() -> None:
    def drop(e: Envelope) -> None:
        info(e).remove(info(e).elements()[2])
        security(e).remove(security(e).required(names.WSU, "Timestamp"))

    made = resigned("alice", writer().send(PLAIN), drop)
    refused("not-signed", reader(), made)
    reader(timestamps=False).receive(made, None)
    unsigned = resigned(
        "alice", writer().send(PLAIN), lambda e: info(e).remove(info(e).elements()[2])
    )
    refused("not-signed", reader(), unsigned)
    # A timestamp that need not be signed must still be right.
    late = unsigned.replace(b"<wsu:Created>20", b"<wsu:Created>19")
    refused("stale", reader(timestamps=False), late)
    refused(
        "unreadable",
        reader(timestamps=False),
        unsigned.replace(b"<wsu:Created>20", b"<wsu:Created>x"),
    )


def test_a_signature_that_leaves_out_the_body() -> None:
    made = resigned("alice", writer().send(PLAIN), lambda e: info(e).remove(info(e).elements()[-1]))
    refused("not-signed: the body is not signed", reader(), made)


# What is read


def test_comments_in_texts() -> None:
    """The text of an element is one, whatever comments and sections are in it."""
    message = writer().send(PLAIN).decode()
    split = message.replace("Grüße", "Gr<!-- x -->üß<!---->e")
    assert body_of(reader().receive(split.encode(), None)) == BODY
    section = message.replace("Grüße", "Gr<![CDATA[üß]]>e")
    assert body_of(reader().receive(section.encode(), None)) == BODY
    outer = f"<?xml version='1.0'?><!-- a --><?p q?>{message}<!-- b -->"
    assert body_of(reader().receive(outer.encode(), None)) == BODY


def test_other_encodings() -> None:
    message = writer().send(PLAIN).decode()
    assert body_of(reader().receive(message.encode("utf-16"), "utf-16")) == BODY
    assert body_of(reader().receive(message.encode("utf-16"), None)) == BODY
    refused("no document", reader(), message.encode("utf-16")[2:-1])
    with pytest.raises(CreoError, match="no document"):
        reader().receive(message.encode(), "utf-99")


def _typed(body: str) -> bytes:
    """An envelope with a value that says its type by a prefix of the envelope."""
    return (
        f'<soap:Envelope xmlns:soap="{SOAP_11}" xmlns:n1="urn:good" xmlns:xsi="{names.XSI}">'
        f"<soap:Body>{body}</soap:Body></soap:Envelope>"
    ).encode()


def _loose(e: Envelope) -> None:
    """Leaves out the prefixes that the signature protects."""
    for reference in info(e).elements()[2:]:
        transform = reference.required(names.DSIG, "Transforms").elements()[0]
        transform.children = []
        part = next(x for x in e.root.all() if f"#{_own_id(x)}" == reference.get("URI"))
        digest = hashlib.sha256(canonical(part)).digest()
        reference.required(names.DSIG, "DigestValue").put(base64.b64encode(digest).decode())


TYPED = '<a xsi:type="n1:T"/>'
OTHER = 'xmlns:n1="urn:other"'


@pytest.mark.parametrize(
    ("body", "fine"),
    [
        (TYPED, False),
        ('<n1:a xsi:type="n1:T"/>', True),
        (f"<n1:b>{TYPED}</n1:b>", True),
        (f"<n1:b><c {OTHER}/>{TYPED}</n1:b>", True),
        (f"<n1:b><n1:c {OTHER}/>{TYPED}</n1:b>", True),
        (f"<n1:b><c {OTHER}>{TYPED}</c></n1:b>", False),
        (f"<n1:b {OTHER}><c xmlns:n1='urn:good'>{TYPED}</c></n1:b>", False),
        (f'<b n1:y="">{TYPED}</b>', True),
        (f'<b><c n1:y=""/>{TYPED}</b>', False),
        ('<a xsi:type="T"/>', True),
        ('<a xmlns="urn:d" xsi:type="T"/>', True),
        ('<a xsi:type=" n1:T "/>', False),
    ],
)
def test_prefixes_in_values(body: str, fine: bool) -> None:
    """The prefix of a type is in a value: a signature protects it only if it names it."""
    message = writer().send(_typed(body))
    assert b'PrefixList="n1 soap xsi"' in message
    loose = resigned("alice", writer().send(_typed(body)), _loose)
    if "c xmlns:n1" not in body:
        reader().receive(message, None)
    if fine:
        reader().receive(loose, None)
    else:
        refused("prefix", reader(), loose)
        reader(allow_loose_prefixes=True).receive(loose, None)


@pytest.mark.parametrize("body", ['<a xsi:type="none:T"/>', '<n1:a xmlns="urn:d" xsi:type="T"/>'])
def test_prefixes_that_no_signature_of_ours_protects(body: str) -> None:
    refused("prefix", reader(), writer().send(_typed(body)))


def test_a_namespace_that_is_changed() -> None:
    message = writer().send(_typed(TYPED)).decode()
    refused("bad-digest", reader(), message.replace("urn:good", "urn:evil").encode())


def test_the_header_that_is_returned() -> None:
    """Nothing of the security is left but tokens of users."""
    header = f'<wsa:To xmlns:wsa="{ADDRESSING}">urn:to</wsa:To>'
    made = writer(sign_headers=[f"{{{ADDRESSING}}}To"]).send(envelope(header=header))
    found = reader().receive(made, None).decode()
    assert "Security" not in found
    assert ":Id=" not in found.split("</soap:Header>")[0]
    assert ">urn:to</wsa:To>" in found
    refused(
        "not-signed: the header element wsa:To", reader(), writer().send(envelope(header=header))
    )


def test_roles() -> None:
    """A block for another receiver is none."""
    made = writer().send(PLAIN).decode()
    must = 'soap:mustUnderstand="1"'
    for role in ("http://schemas.xmlsoap.org/soap/actor/next", " ", ""):
        reader().receive(made.replace(must, f'soap:actor="{role}"').encode(), None)
        made = writer().send(PLAIN).decode()
    refused("no-security", reader(), made.replace(must, 'soap:actor="urn:x"').encode())


# Encryption


def _encrypted(**more: Any) -> bytes:
    return WsSecurity(encrypt_to=certificate("bob"), **more).send(PLAIN)


def test_encrypted_messages_that_are_changed() -> None:
    """Whatever is wrong, the error is the same."""
    bob = WsSecurity(decrypt=[pair("bob")])
    text = _encrypted().decode()
    assert "Grüße" not in text
    assert body_of(bob.receive(text.encode(), None)) == BODY
    values = [found.end() for found in re.finditer("<xenc:CipherValue>", text)]
    told: set[str] = set()
    for at in (values[0] + 30, values[0] + 200, values[1] + 2, values[1] + 40, values[1] + 150):
        changed = text[:at] + ("B" if text[at] == "A" else "A") + text[at + 1 :]
        told.add(str(refused("not-decrypted", bob, changed.encode())))
    for length in (0, 4, 16, 40):
        changed = re.sub(
            "(<xenc:CipherValue>)[^<]*(?=</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData)",
            rf"\g<1>{'AAAA' * length}",
            text,
        )
        told.add(str(refused("not-decrypted", bob, changed.encode())))
    changed = re.sub("(<xenc:CipherValue>)[^<]*", rf"\g<1>{'AAAA' * 4}", text, count=1)
    told.add(str(refused("not-decrypted", bob, changed.encode())))
    assert len(told) == 1


@pytest.mark.parametrize("data", ["aes128-cbc", "aes256-cbc"])
def test_the_oracle_of_cbc(data: str) -> None:
    """If CBC is allowed, wrong padding, wrong text and wrong keys have one error."""
    text = _encrypted(data_encryption=data).decode()
    refused("algorithm", WsSecurity(decrypt=[pair("bob")]), text.encode())
    bob = WsSecurity(decrypt=[pair("bob")], allow=[data])
    assert body_of(bob.receive(text.encode(), None)) == BODY
    value = re.findall("<xenc:CipherValue>([^<]*)", text)[1]
    good = base64.b64decode(value)
    told: set[str] = set()
    for cut in (good[:-16], good[:32], good[:-1], good[:16], b""):
        made = text.replace(value, base64.b64encode(cut).decode())
        told.add(str(refused("not-decrypted", bob, made.encode())))
    for i in range(256):
        made = text.replace(value, base64.b64encode(good[:31] + bytes([i]) + good[32:48]).decode())
        told.add(str(refused("not-decrypted", bob, made.encode())))
    assert len(told) == 1


def test_encryption_to_another_and_weak_encryption() -> None:
    refused("key-reference", WsSecurity(decrypt=[pair("alice")]), _encrypted())
    refused("not-encrypted", reader(require_encrypted=True), writer().send(PLAIN))
    old = _encrypted(key_encryption="rsa-1_5")
    refused("algorithm", WsSecurity(decrypt=[pair("bob")]), old)
    WsSecurity(decrypt=[pair("bob")], allow=["rsa-1_5"]).receive(old, None)
    # A key of RSA 1.5 that cannot be decrypted tells nothing more.
    text = old.decode()
    at = text.index("<xenc:CipherValue>") + 40
    changed = text[:at] + ("B" if text[at] == "A" else "A") + text[at + 1 :]
    refused("not-decrypted", WsSecurity(decrypt=[pair("bob")], allow=["rsa-1_5"]), changed.encode())
    for uri, other in (
        (f"{names.DSIG}sha1", "urn:none"),
        (f"{names.XENC_11}mgf1sha256", "urn:none"),
    ):
        form = "rsa-oaep-sha256" if "mgf" in uri else "rsa-oaep"
        message = _encrypted(key_encryption=form).decode()
        assert uri in message
        refused(
            "algorithm", WsSecurity(decrypt=[pair("bob")]), message.replace(uri, other).encode()
        )


def test_encrypted_data_elsewhere() -> None:
    def wrap_in_header(e: Envelope) -> None:
        data = e.body.elements()[0]
        e.body.remove(data)
        assert e.header is not None
        e.header.add("x", "urn:x", "wrap").append(data)

    def beside(e: Envelope) -> None:
        e.body.add("x", "urn:x", "more")

    def other(e: Envelope) -> None:
        data = e.body.elements()[0]
        data.set(Attribute("", "", "Type", names.ELEMENT))

    def again(e: Envelope) -> None:
        references = next(x for x in e.root.all() if x.local == "ReferenceList")
        references.insert(
            0, *(Element("xenc", names.XENC, "DataReference", None) for _ in range(17))
        )
        for each in references.elements():
            each.set(Attribute("", "", "URI", references.elements()[-1].get("URI")))

    for change, reason in (
        (wrap_in_header, "misplaced"),
        (beside, "misplaced"),
        (other, "misplaced"),
        (again, "unknown-id"),
    ):
        e = Envelope.parse(_encrypted())
        change(e)
        refused(reason, WsSecurity(decrypt=[pair("bob")]), e.to_bytes())


def test_encrypted_tags_that_do_not_match() -> None:
    """What an attacker encrypts cannot leave the place of the encrypted data."""
    bob = WsSecurity(decrypt=[pair("bob")])
    to = certificate("bob").public_key()
    assert isinstance(to, rsa.RSAPublicKey)
    told: set[str] = set()
    for content in (
        "</w><w>",
        "<a>",
        "</soap:Body><soap:Body>",
        "<!DOCTYPE a><a/>",
        "<?xml version='1.0'?><a/>",
        "&e;",
        "\0",
        "<x:a/>",
    ):
        e = Envelope.parse(_encrypted())
        key = bytes(32)
        wrapped = security(e).required(names.XENC, "EncryptedKey")
        method = Element("xenc", names.XENC, "EncryptionMethod", None)
        _put(wrapped, wrap(Algorithm.RSA_OAEP, to, key, method))
        _put(e.body.elements()[0], encrypt(Algorithm.AES256_GCM, key, content.encode()))
        told.add(str(refused("not-decrypted", bob, e.to_bytes())))
    assert len(told) == 1


def _put(of: Element, data: bytes) -> None:
    value = of.required(names.XENC, "CipherData").required(names.XENC, "CipherValue")
    value.put(base64.b64encode(data).decode())


# Answers


def test_answers_without_security() -> None:
    fault = envelope(
        "<soap:Fault><faultcode>soap:Server</faultcode><faultstring>no more</faultstring></soap:Fault>"
    )
    error = refused("no-security", reader(), fault)
    assert error.message.endswith("a fault without security: soap:Server: no more")
    refused("no-security: an empty answer", reader(), b"")
    refused("no-security: the answer has no Security block", reader(), PLAIN)
    with pytest.raises(CreoError) as raised:
        reader(max_size=1_000).receive(bytes(2_000), None)
    assert raised.value.code is ErrorCode.TOO_LARGE
    assert dict(raised.value.details) == {"limit": "maxSize", "allowed": "1000"}
    refused("the element a", reader(), b"<a/>")
    assert WsSecurity(sign=pair("alice")).receive(PLAIN, None) is PLAIN
