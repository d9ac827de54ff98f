"""Decrypts the parts of a message in place (SOAP-86).

Whatever goes wrong once a key of ours is used has one text.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final

from .._base import CreoError, shown
from . import names
from .algorithms import Kind, accepted
from .encryption import decrypt, unwrap
from .envelope import referred
from .reason import Reason
from .tokens import bytes_of, read_reference
from .tree import declaration, parse

if TYPE_CHECKING:
    from .envelope import Envelope, Ids
    from .options import Options
    from .tree import Element

_MAX_PARTS: Final = 16


class Decryption:
    """The decryption of one message."""

    def __init__(self, options: Options, envelope: Envelope) -> None:
        self._options = options
        self._envelope = envelope
        self._keys: dict[str, bytes] = {}
        self._ids: Ids | None = None
        self._parts = 0
        self.of_body = False
        """Whether the content of the body was encrypted."""

    def key(self, element: Element) -> None:
        """Decrypts a key, and what it says that it encrypts."""
        method = element.required(names.XENC, "EncryptionMethod")
        algorithm = accepted(Kind.KEY, method.get("Algorithm"), self._options.allowed)
        readers = self._options.readers
        to = read_reference(
            element.required(names.DSIG, "KeyInfo"),
            self._envelope,
            self._known_ids(),
            [reader.certificate for reader in readers],
        )
        own = next((reader for reader in readers if reader.certificate == to), None)
        if own is None:
            raise Reason.KEY_REFERENCE.because(
                "the message is encrypted to a certificate that is not ours"
            )
        # A key that cannot be decrypted is a random one, so that only the end of the data tells.
        key = unwrap(algorithm, own.key, _value(element), method)
        own_id = element.get("Id")
        if own_id:
            if own_id in self._keys:
                raise Reason.DUPLICATE_ID.because("two encrypted keys have one id")
            self._keys[own_id] = key
        references = element.only(names.XENC, "ReferenceList")
        if references is not None:
            for reference in references.elements():
                self._data(self._referred(reference), key)

    def list(self, references: Element) -> None:
        """Decrypts what a list of its own refers to."""
        for reference in references.elements():
            data = self._referred(reference)
            info = data.required(names.DSIG, "KeyInfo")
            token = info.required(names.WSSE, "SecurityTokenReference")
            uri = token.required(names.WSSE, "Reference").get("URI")
            key = self._keys.get(uri[1:]) if uri.startswith("#") else None
            if key is None:
                raise Reason.KEY_REFERENCE.because("data of a key that is not before it")
            self._data(data, key)

    def _referred(self, reference: Element) -> Element:
        if not reference.is_(names.XENC, "DataReference"):
            raise Reason.REFERENCE.because(
                f"a reference to encrypted data by {shown(reference.name)}"
            )
        self._parts += 1
        if self._parts > _MAX_PARTS:
            raise Reason.TOO_MANY.because(f"more than {_MAX_PARTS} encrypted parts")
        return referred(reference.get("URI"), self._known_ids())

    def _known_ids(self) -> Ids:
        """The ids of the message as it is now."""
        if self._ids is None:
            self._ids = self._envelope.ids()
        return self._ids

    def _data(self, data: Element, key: bytes) -> None:
        if not data.is_(names.XENC, "EncryptedData"):
            raise Reason.MISPLACED.because("a reference to encrypted data that is none")
        envelope, parent, kind = self._envelope, data.parent, data.get("Type")
        of_body = parent is envelope.body and kind == names.CONTENT
        of_body = of_body and len(envelope.body.elements()) == 1
        of_token = parent is envelope.security and kind == names.ELEMENT
        if parent is None or not (of_body or of_token):
            raise Reason.MISPLACED.because(
                "only the whole content of the body, and elements of the Security block, "
                "may be encrypted"
            )
        method = data.required(names.XENC, "EncryptionMethod")
        algorithm = accepted(Kind.DATA, method.get("Algorithm"), self._options.allowed)
        size = algorithm.facts.size
        used = key if len(key) == size else secrets.token_bytes(size)
        plain = decrypt(algorithm, used, _value(data))
        if plain is None:
            raise _failed()
        scope = "".join(declaration(prefix, uri) for prefix, uri in parent.scope().items())
        try:
            read = parse(f"<w{scope}>".encode() + plain + b"</w>", "utf-8")
        except CreoError:
            raise _failed() from None
        parent.replace(data, *read.children)
        self._ids = None
        self.of_body |= of_body


def _value(element: Element) -> bytes:
    data = element.required(names.XENC, "CipherData")
    return bytes_of(data.required(names.XENC, "CipherValue").text())


def _failed() -> CreoError:
    return Reason.NOT_DECRYPTED.because("the message cannot be decrypted")
