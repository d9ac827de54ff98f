"""Changes to a signed message that an attacker could make on its way."""

from __future__ import annotations

import base64
import copy
import re
from dataclasses import dataclass
from typing import Callable

from cryptography.hazmat.primitives.serialization import Encoding

from creo._wss import names
from creo._wss.algorithms import Algorithm
from creo._wss.envelope import Envelope, id_of, set_id
from creo._wss.tree import Attribute, Element, parse
from wss_keys import ADDRESSING, certificate

EVIL = '<n:say xmlns:n="urn:creo:org.example.notes"><n:text>evil</n:text></n:say>'
Change = Callable[[Envelope], object]


@dataclass(frozen=True)
class Attack:
    """A row: what is done to a signed message, and the word that the refusal begins with."""

    name: str
    reason: str
    tree: Change | None = None
    text: Callable[[str], str] | None = None

    def on(self, message: bytes) -> bytes:
        if self.text is not None:
            return self.text(message.decode()).encode()
        assert self.tree is not None
        e = Envelope.parse(message)
        self.tree(e)
        return e.to_bytes()


def replaced(name: str, reason: str, old: str, new: str) -> Attack:
    def change(message: str) -> str:
        assert old in message
        return message.replace(old, new)

    return Attack(name, reason, text=change)


def first(name: str, reason: str, pattern: str, new: str) -> Attack:
    def change(message: str) -> str:
        made, count = re.subn(pattern, new, message, count=1)
        assert count == 1
        return made

    return Attack(name, reason, text=change)


def security(e: Envelope) -> Element:
    assert e.security is not None
    return e.security


def header(e: Envelope) -> Element:
    assert e.header is not None
    return e.header


def signature(e: Envelope) -> Element:
    return security(e).required(names.DSIG, "Signature")


def info(e: Envelope) -> Element:
    return signature(e).required(names.DSIG, "SignedInfo")


def timestamp(e: Envelope) -> Element:
    return security(e).required(names.WSU, "Timestamp")


def _set(element: Element, local: str, value: str) -> None:
    element.set(Attribute("", "", local, value))


def _evil(e: Envelope) -> Element:
    """A second body, with the content of an attacker, in the place of the first."""
    made = Element("soap", e.soap, "Body", None)
    made.append(parse(EVIL.encode(), None))
    return made


def _swapped(e: Envelope) -> Element:
    made = _evil(e)
    e.root.replace(e.body, made)
    return made


def _id(element: Element) -> str:
    found = id_of(element)
    assert found is not None
    return found


def _wrapped(e: Envelope) -> Element:
    made = _swapped(e)
    header(e).add("x", "urn:x", "wrap").append(e.body)
    return made


def _copy(element: Element) -> Element:
    parent, element.parent = element.parent, None
    made = copy.deepcopy(element)
    element.parent = parent
    return made


def _fresh(e: Envelope) -> Element:
    made = _copy(timestamp(e))
    made.unset(names.WSU, "Id")
    return made


def _last(e: Envelope) -> None:
    set_id(_wrapped(e), _id(e.body))


def _wrapped_without_namespace(e: Envelope) -> None:
    _set(_wrapped(e), "ID", _id(e.body))


def _within(e: Envelope) -> None:
    inner = e.body.elements()[0]
    inner.set(Attribute("xml", names.XML, "id", _id(timestamp(e))))


def _old_timestamp(e: Envelope) -> None:
    old, fresh = timestamp(e), _fresh(e)
    security(e).replace(old, fresh)
    header(e).add("x", "urn:x", "wrap").append(old)


def _as_block(e: Envelope) -> None:
    _swapped(e)
    header(e).append(e.body)


def _in_security(e: Envelope) -> None:
    _swapped(e)
    security(e).append(e.body)


def _in_object(e: Envelope) -> None:
    _swapped(e)
    signature(e).add("ds", names.DSIG, "Object").append(e.body)


def _after_the_body(e: Envelope) -> None:
    _swapped(e)
    e.root.add("x", "urn:x", "wrap").append(e.body)


WRAPPING = [
    Attack("body in a block of the header", "misplaced", _wrapped),
    Attack("body as a block of the header", "not-signed", _as_block),
    Attack("body in the Security block", "token", _in_security),
    Attack("body in the body of another", "misplaced", lambda e: _swapped(e).append(e.body)),
    Attack("body in an Object of the signature", "unreadable", _in_object),
    Attack("two bodies, the signed one first", "misplaced", lambda e: e.root.append(_evil(e))),
    Attack(
        "two bodies, the signed one last",
        "misplaced",
        lambda e: e.root.insert(e.root.index(e.body), _evil(e)),
    ),
    Attack("body after the envelope's body, in another element", "misplaced", _after_the_body),
    Attack("another body with the same wsu:Id", "duplicate-id", _last),
    Attack(
        "another body with the same id without a namespace",
        "duplicate-id",
        _wrapped_without_namespace,
    ),
    Attack("an element within the body with the id of the timestamp", "duplicate-id", _within),
    Attack("an old timestamp in a block, and a new one", "misplaced", _old_timestamp),
    Attack(
        "an old timestamp beside a new one", "token", lambda e: security(e).insert(0, _fresh(e))
    ),
    Attack(
        "a second Security block",
        "security-blocks",
        lambda e: header(e).add("wsse", names.WSSE, "Security"),
    ),
    Attack(
        "the Security block for another receiver",
        "no-security",
        lambda e: security(e).set(Attribute("soap", e.soap, "actor", "urn:another")),
    ),
    Attack("a second signature", "token", lambda e: security(e).append(_copy(signature(e)))),
]


def _no_reference(e: Envelope) -> None:
    wanted = f"#{_id(e.body)}"
    info(e).remove(next(r for r in info(e).elements() if r.get("URI") == wanted))


def _user(e: Envelope) -> None:
    token = security(e).add("wsse", names.WSSE, "UsernameToken")
    token.add("wsse", names.WSSE, "Username").put("root")


REMOVED = [
    Attack("no Security block", "no-security", lambda e: header(e).remove(security(e))),
    Attack("no header", "no-security", lambda e: e.root.remove(header(e))),
    Attack("no signature", "not-signed", lambda e: security(e).remove(signature(e))),
    Attack("no timestamp", "unknown-id", lambda e: security(e).remove(timestamp(e))),
    Attack("no reference to the body", "bad-signature", _no_reference),
    Attack("a token of a user is added", "not-signed", _user),
    Attack(
        "a block that must be signed is added",
        "not-signed",
        lambda e: header(e).add("wsa", ADDRESSING, "To").put("urn:evil"),
    ),
    Attack(
        "an unknown token",
        "token",
        lambda e: security(e).add("x", "urn:x", "Token"),
    ),
    Attack(
        "encrypted data that nothing refers to",
        "token",
        lambda e: security(e).add("xenc", names.XENC, "EncryptedData"),
    ),
]


def _der(name: str) -> str:
    return base64.b64encode(certificate(name).public_bytes(Encoding.DER)).decode()


ALTERED = [
    replaced("the text of the body", "bad-digest", "Grüße", "grüße"),
    replaced("an element of the body", "bad-digest", "<n:text>", "<n:text/><n:text>"),
    Attack("an attribute of the body", "bad-digest", lambda e: _set(e.body, "x", "1")),
    replaced(
        "the namespace of the body's content", "bad-digest", "urn:creo:org.example.notes", "urn:x"
    ),
    replaced("a processing instruction", "bad-digest", "<n:text>", "<n:text><?x y?>"),
    first("the time at which the message expires", "bad-digest", "(<wsu:Expires>)20", r"\g<1>21"),
    first("a digest", "bad-signature", "(<ds:DigestValue>)....", r"\g<1>AAAA"),
    first("a digest that is none", "unreadable", "(<ds:DigestValue>)....", r"\g<1>%%%%"),
    first("the signature", "bad-signature", "(<ds:SignatureValue>)....", r"\g<1>AAAA"),
    first(
        "the certificate",
        "untrusted",
        "(<wsse:BinarySecurityToken[^>]*>)[^<]*",
        rf"\g<1>{_der('mallory')}",
    ),
    first(
        "the certificate of another that is trusted",
        "bad-signature",
        "(<wsse:BinarySecurityToken[^>]*>)[^<]*",
        rf"\g<1>{_der('bob')}",
    ),
]

RSA = Algorithm.RSA_SHA256.facts.uri
EXCLUSIVE = f'<ds:Transform Algorithm="{names.EXCLUSIVE}"'
ALGORITHMS = [
    replaced("rsa-sha1", "algorithm", RSA, Algorithm.RSA_SHA1.facts.uri),
    *(
        replaced(
            f"HMAC with the public key as its secret, {uri[-11:]}",
            "algorithm",
            RSA,
            uri,
        )
        for uri in (
            "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256",
            "http://www.w3.org/2001/04/xmldsig-more#hmac-sha512",
            "http://www.w3.org/2000/09/xmldsig#hmac-sha1",
        )
    ),
    replaced(
        "a signature of another kind of key", "algorithm", RSA, Algorithm.ECDSA_SHA256.facts.uri
    ),
    replaced("an unknown algorithm", "algorithm", RSA, "urn:none"),
    replaced("a digest as the algorithm", "algorithm", RSA, Algorithm.SHA256.facts.uri),
    replaced("digests of SHA-1", "algorithm", Algorithm.SHA256.facts.uri, Algorithm.SHA1.facts.uri),
    replaced(
        "inclusive canonicalization of the signature",
        "algorithm",
        f'CanonicalizationMethod Algorithm="{names.EXCLUSIVE}',
        'CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
    ),
    *(
        replaced(name, "transform", EXCLUSIVE, f'<ds:Transform Algorithm="{uri}"')
        for name, uri in (
            ("canonicalization with comments", f"{names.EXCLUSIVE}WithComments"),
            ("an XPath", "http://www.w3.org/TR/1999/REC-xpath-19991116"),
            ("an XPath filter", "http://www.w3.org/2002/06/xmldsig-filter2"),
            ("an XSLT", "http://www.w3.org/TR/1999/REC-xslt-19991116"),
            ("base64", f"{names.DSIG}base64"),
            ("an enveloped signature", f"{names.DSIG}enveloped-signature"),
            (
                "the transform of references to tokens",
                "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#STR-Transform",
            ),
        )
    ),
]


def _third(e: Envelope) -> Element:
    return info(e).elements()[2]


def _no_transform(e: Envelope) -> None:
    _third(e).remove(_third(e).required(names.DSIG, "Transforms"))


def _two_transforms(e: Envelope) -> None:
    transforms = _third(e).required(names.DSIG, "Transforms")
    transforms.append(_copy(transforms.elements()[0]))


def _method_with_more(e: Envelope) -> None:
    method = info(e).required(names.DSIG, "SignatureMethod")
    method.add("ds", names.DSIG, "HMACOutputLength").put("8")


def _another_list(e: Envelope) -> None:
    transform = _third(e).required(names.DSIG, "Transforms").elements()[0]
    transform.add("x", "urn:x", "InclusiveNamespaces")


def _no_references(e: Envelope) -> None:
    for each in info(e).elements()[2:]:
        info(e).remove(each)


SHAPES = [
    Attack("no transform", "transform", _no_transform),
    Attack("two transforms", "transform", _two_transforms),
    Attack("a method with a length", "unreadable", _method_with_more),
    Attack("a transform with something else", "unreadable", _another_list),
    Attack("no references", "unreadable", _no_references),
]


def _uri(uri: str) -> Attack:
    return Attack(f"a reference to {uri!r}", "reference", lambda e: _set(_third(e), "URI", uri))


def _twice(e: Envelope) -> None:
    _set(_third(e), "URI", info(e).elements()[3].get("URI"))


def _key_info(name: str, content: str, reason: str = "key-reference") -> Attack:
    def change(e: Envelope) -> None:
        signature(e).required(names.DSIG, "KeyInfo").children = []
        signature(e).required(names.DSIG, "KeyInfo").append(parse(content.encode(), None))

    return Attack(f"KeyInfo with {name}", reason, change)


def _token(inner: str) -> str:
    return f'<s:SecurityTokenReference xmlns:s="{names.WSSE}">{inner}</s:SecurityTokenReference>'


def _serial(issuer: str, serial: str) -> str:
    return _token(
        f'<d:X509Data xmlns:d="{names.DSIG}"><d:X509IssuerSerial>'
        f"<d:X509IssuerName>{issuer}</d:X509IssuerName>"
        f"<d:X509SerialNumber>{serial}</d:X509SerialNumber></d:X509IssuerSerial></d:X509Data>"
    )


_PROFILES = "http://docs.oasis-open.org/wss/"
REFERENCES = [
    *map(
        _uri,
        (
            "",
            "#",
            "http://127.0.0.1:1/x",
            "file:///etc/passwd",
            "#xpointer(/)",
            "#xpointer(id('x'))",
            "cid:x",
        ),
    ),
    Attack("an id that is not there", "unknown-id", lambda e: _set(_third(e), "URI", "#none")),
    Attack("two references to one element", "misplaced", _twice),
    _key_info(
        "a bare key",
        f'<ds:KeyValue xmlns:ds="{names.DSIG}"><ds:RSAKeyValue><ds:Modulus>AQAB</ds:Modulus>'
        "<ds:Exponent>AQAB</ds:Exponent></ds:RSAKeyValue></ds:KeyValue>",
    ),
    _key_info("a name", f'<ds:KeyName xmlns:ds="{names.DSIG}">alice</ds:KeyName>'),
    _key_info(
        "a method to retrieve it",
        f'<ds:RetrievalMethod xmlns:ds="{names.DSIG}" URI="http://127.0.0.1:1/key"/>',
    ),
    _key_info(
        "a symmetric key",
        _token(
            f'<s:KeyIdentifier ValueType="{_PROFILES}oasis-wss-soap-message-security-1.1#EncryptedKeySHA1">AAAA</s:KeyIdentifier>'
        ),
    ),
    _key_info(
        "a symmetric key derived from a password",
        _token(
            f'<s:Reference ValueType="{_PROFILES}2004/01/oasis-200401-wss-username-token-profile-1.0#UsernameToken" URI="#none"/>'
        ),
        "unknown-id",
    ),
    _key_info(
        "a thumbprint that is unknown",
        _token(f'<s:KeyIdentifier ValueType="{names.THUMBPRINT}">AAAA</s:KeyIdentifier>'),
    ),
    _key_info(
        "a certificate that is none",
        _token(f'<s:KeyIdentifier ValueType="{names.CERTIFICATE}">AAAA</s:KeyIdentifier>'),
    ),
    _key_info("a serial number that is none", _serial("CN=x", "9" * 1_000)),
    _key_info("a serial number in other digits", _serial("CN=x", "\u0661")),
    _key_info("an issuer that is none", _serial("x", "1")),
    _key_info("an issuer that is unknown", _serial("CN=x", "1")),
    _key_info("a reference within a reference", _token(_token(""))),
]


def _many_references(e: Envelope) -> None:
    info(e).insert(3, *(_copy(_third(e)) for _ in range(10_000)))


def _many_tokens(e: Envelope) -> None:
    security(e).insert(
        0, *(Element("wsse", names.WSSE, "BinarySecurityToken", None) for _ in range(10_000))
    )


def _before(text: str) -> Callable[[str], str]:
    return lambda message: text + message.replace("Grüße", "&e;")


MANY = [
    Attack("10,000 references", "too-many", _many_references),
    Attack("10,000 tokens", "too-many", _many_tokens),
    Attack("an entity", "no document", text=_before('<!DOCTYPE x [<!ENTITY e "evil">]>')),
    Attack(
        "entities that grow",
        "no document",
        text=_before(
            '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY e "&b;&b;&b;">]>'
        ),
    ),
    Attack(
        "an entity of a file",
        "no document",
        text=_before('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'),
    ),
    Attack(
        "an entity of the document type elsewhere",
        "no document",
        text=_before('<!DOCTYPE x [<!ENTITY % e SYSTEM "http://127.0.0.1:1/x"> %e;]>'),
    ),
    Attack("an entity that is not declared", "no document", text=_before("")),
    Attack("a document type alone", "no document", text=lambda m: f"<!DOCTYPE x>{m}"),
    Attack(
        "an attribute that a document type makes an id",
        "no document",
        text=lambda m: f"<!DOCTYPE x [<!ATTLIST x y ID #IMPLIED>]>{m}",
    ),
    Attack(
        "elements that nest deeply",
        "no document",
        text=lambda m: m.replace("<n:text>", "<n:text>" + "<a>" * 100_000 + "</a>" * 100_000),
    ),
    Attack(
        "an element with very many attributes",
        "no document",
        text=lambda m: m.replace(
            "<n:text>", "<n:text" + "".join(f' a{i}=""' for i in range(10_000)) + ">"
        ),
    ),
    Attack(
        "an attribute twice, by two prefixes",
        "no document",
        text=lambda m: m.replace(
            "<n:text>", '<n:text xmlns:a="urn:x" xmlns:b="urn:x" a:y="1" b:y="2">'
        ),
    ),
    replaced("a prefix that is not declared", "no document", "<n:text>", "<n:text q:y=''>"),
    replaced(
        "the prefix of namespaces, declared", "no document", "<n:text>", "<n:text xmlns:xmlns='u'>"
    ),
]

ALL = [*WRAPPING, *REMOVED, *ALTERED, *ALGORITHMS, *SHAPES, *REFERENCES, *MANY]
