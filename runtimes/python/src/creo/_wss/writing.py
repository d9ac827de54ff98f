"""Secures one message: it is signed, and then encrypted (SOAP-82)."""

from __future__ import annotations

import secrets
import uuid
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Final

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa, utils

from . import names
from .algorithms import Algorithm
from .canonical import canonical
from .encryption import encrypt, wrap
from .envelope import Envelope, id_of, is_named, set_id
from .signature import rsa_padding
from .tokens import base64_text, write_reference
from .tree import Attribute, Element, parse, standalone, written

if TYPE_CHECKING:
    from .options import Options, PrivateKey, Recipient, Signer

_LIFETIME: Final = 300


def secure(options: Options, message: bytes) -> bytes:
    """The message as it is sent."""
    if options.signer is None and options.recipient is None and options.saml is None:
        return message
    envelope = Envelope.parse(message, "utf-8")
    writing = _Writing(envelope, envelope.add_security())
    if options.saml is not None:
        writing.security.append(parse(written(options.saml).encode(), "utf-8"))
    if options.signer is not None:
        writing.add_timestamp(options.clock())
        writing.sign(options.signer)
    if options.recipient is not None:
        writing.encrypt(options.recipient)
    return envelope.to_bytes()


class _Writing:
    """The writing of one message."""

    def __init__(self, envelope: Envelope, security: Element) -> None:
        self._envelope = envelope
        self.security = security
        # Random, so that no two messages have the same signature.
        self._base = uuid.uuid4()
        self._ids = 0

    def _new_id(self) -> str:
        self._ids += 1
        return f"creo-{self._ids}-{self._base}"

    def add_timestamp(self, now: float) -> None:
        """Adds a timestamp, unless there is one."""
        if self.security.only(names.WSU, "Timestamp") is not None:
            return
        children = self.security.elements()
        first = children[0] if children else None
        timestamp = self.security.add("wsu", names.WSU, "Timestamp", first)
        timestamp.add("wsu", names.WSU, "Created").put(_time(now))
        timestamp.add("wsu", names.WSU, "Expires").put(_time(now + _LIFETIME))

    def sign(self, signer: Signer) -> None:
        """Adds a signature."""
        envelope, security = self._envelope, self.security
        others = (block for block in envelope.blocks() if block is not security)
        headers = (block for block in others if is_named(block, signer.headers))
        parts = [*security.elements(), *headers, envelope.body]
        for part in parts:
            if id_of(part) is None:
                set_id(part, self._new_id())
        # Prefixes in values, such as xsi:type, are protected only if the signature names them.
        prefixes = sorted(prefix for prefix in envelope.root.declared if prefix)
        key_info = Element("ds", names.DSIG, "KeyInfo", None)
        write_reference(
            key_info, signer.certificate, signer.reference, security, None, self._new_id()
        )
        signature = security.add("ds", names.DSIG, "Signature")
        info = signature.add("ds", names.DSIG, "SignedInfo")
        _method(info, "CanonicalizationMethod", names.EXCLUSIVE)
        _method(info, "SignatureMethod", signer.algorithm.facts.uri)
        for part in parts:
            reference = info.add("ds", names.DSIG, "Reference")
            reference.set(Attribute("", "", "URI", f"#{id_of(part)}"))
            transforms = reference.add("ds", names.DSIG, "Transforms")
            transform = _method(transforms, "Transform", names.EXCLUSIVE)
            if prefixes:
                listed = transform.add("ec", names.EXCLUSIVE, "InclusiveNamespaces")
                listed.set(Attribute("", "", "PrefixList", " ".join(prefixes)))
            _method(reference, "DigestMethod", Algorithm.SHA256.facts.uri)
            digest = hashes.Hash(hashes.SHA256())
            digest.update(canonical(part, prefixes))
            reference.add("ds", names.DSIG, "DigestValue").put(base64_text(digest.finalize()))
        value = signed_value(signer.key, signer.algorithm, canonical(info))
        signature.add("ds", names.DSIG, "SignatureValue").put(base64_text(value))
        signature.append(key_info)

    def encrypt(self, recipient: Recipient) -> None:
        """Encrypts the content of the body, and tokens."""
        security, body = self.security, self._envelope.body
        key = secrets.token_bytes(recipient.data_algorithm.facts.size)
        key_id = self._new_id()
        children = security.elements()
        first = children[0] if children else None
        encrypted = security.add("xenc", names.XENC, "EncryptedKey", first)
        encrypted.set(Attribute("", "", "Id", key_id))
        method = _encryption(encrypted, recipient.key_algorithm)
        wrapped = wrap(recipient.key_algorithm, recipient.key, key, method)
        write_reference(
            encrypted.add("ds", names.DSIG, "KeyInfo"),
            recipient.certificate,
            recipient.reference,
            security,
            encrypted,
            self._new_id(),
        )
        _value(encrypted, wrapped)
        references = encrypted.add("xenc", names.XENC, "ReferenceList")

        def data(kind: str, text: str) -> Element:
            made = Element("xenc", names.XENC, "EncryptedData", None)
            made.declare("xenc", names.XENC)
            own_id = self._new_id()
            made.set(Attribute("", "", "Id", own_id))
            made.set(Attribute("", "", "Type", kind))
            _encryption(made, recipient.data_algorithm)
            info = made.add("ds", names.DSIG, "KeyInfo")
            token = info.add("wsse", names.WSSE, "SecurityTokenReference")
            token.declare("wsse11", names.WSSE_11)
            token.set(Attribute("wsse11", names.WSSE_11, "TokenType", names.ENCRYPTED_KEY))
            direct = token.add("wsse", names.WSSE, "Reference")
            direct.set(Attribute("", "", "URI", f"#{key_id}"))
            _value(made, encrypt(recipient.data_algorithm, key, text.encode()))
            reference = references.add("xenc", names.XENC, "DataReference")
            reference.set(Attribute("", "", "URI", f"#{own_id}"))
            return made

        scope = body.scope()
        content = "".join(written(child, scope) for child in body.children)
        body.children = []
        body.append(data(names.CONTENT, content))
        for token in security.elements():
            if token.is_(names.WSSE, "UsernameToken") or token.is_(names.SAML_2, "Assertion"):
                security.replace(token, data(names.ELEMENT, standalone(token)))


def _method(parent: Element, local: str, uri: str) -> Element:
    method = parent.add("ds", names.DSIG, local)
    method.set(Attribute("", "", "Algorithm", uri))
    return method


def _encryption(parent: Element, algorithm: Algorithm) -> Element:
    method = parent.add("xenc", names.XENC, "EncryptionMethod")
    method.set(Attribute("", "", "Algorithm", algorithm.facts.uri))
    return method


def _value(parent: Element, data: bytes) -> None:
    cipher = parent.add("xenc", names.XENC, "CipherData")
    cipher.add("xenc", names.XENC, "CipherValue").put(base64_text(data))


def signed_value(key: PrivateKey, algorithm: Algorithm, data: bytes) -> bytes:
    """The value of a signature."""
    hash_ = algorithm.facts.hash
    if hash_ is None:
        raise ValueError(f"{algorithm.value} does not sign")
    if isinstance(key, rsa.RSAPrivateKey):
        return key.sign(data, rsa_padding(algorithm), hash_)
    r, s = utils.decode_dss_signature(key.sign(data, ec.ECDSA(hash_)))
    size = (key.curve.key_size + 7) // 8
    return r.to_bytes(size, "big") + s.to_bytes(size, "big")


def _time(seconds: float) -> str:
    """A time with its milliseconds."""
    moment = datetime.fromtimestamp(seconds, timezone.utc).replace(tzinfo=None)
    return f"{moment.isoformat(timespec='milliseconds')}Z"
