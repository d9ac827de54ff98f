"""References to certificates (SOAP-83)."""

from __future__ import annotations

import base64
import binascii
import enum
import re
from typing import TYPE_CHECKING, Final

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding

from .._base import shown
from . import names
from .distinguished import parse_text, parsed_name, text_of
from .envelope import referred, set_id
from .reason import Reason
from .tree import Attribute

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Callable

    from .envelope import Envelope, Ids
    from .tree import Element

#: The max digits of a serial number, which has 20 bytes.
_SERIAL: Final = re.compile("[0-9]{1,60}", re.ASCII)
_WHITE: Final = str.maketrans("", "", " \t\r\n")


class TokenReference(str, enum.Enum):
    """How a message refers to the certificate of a key."""

    BINARY_TOKEN = "binary-token"
    """The certificate is in the message."""
    ISSUER_SERIAL = "issuer-serial"
    """By its issuer and serial number."""
    KEY_IDENTIFIER = "key-identifier"
    """By the identifier of its key, which must be among its extensions."""
    THUMBPRINT = "thumbprint"
    """By its SHA-1."""


def key_identifier(certificate: x509.Certificate) -> bytes | None:
    """The identifier of a certificate's key; None if it has none."""
    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectKeyIdentifier)
    except x509.ExtensionNotFound:
        return None
    return found.value.digest


def _thumbprint(certificate: x509.Certificate) -> bytes:
    return certificate.fingerprint(hashes.SHA1())


def write_reference(
    parent: Element,
    certificate: x509.Certificate,
    form: TokenReference,
    security: Element,
    before: Element | None,
    made_id: str,
) -> None:
    """Adds a reference to a certificate to a ``KeyInfo``.

    If the form wants that, ``security`` gets the certificate itself, with the id ``made_id``,
    before the child ``before`` or as its last.
    """
    reference = parent.add("wsse", names.WSSE, "SecurityTokenReference")
    if form is TokenReference.BINARY_TOKEN:
        token = security.add("wsse", names.WSSE, "BinarySecurityToken", before)
        token.set(Attribute("", "", "EncodingType", names.BASE_64))
        token.set(Attribute("", "", "ValueType", names.CERTIFICATE))
        set_id(token, made_id)
        token.put(base64_text(certificate.public_bytes(Encoding.DER)))
        direct = reference.add("wsse", names.WSSE, "Reference")
        direct.set(Attribute("", "", "URI", f"#{made_id}"))
        direct.set(Attribute("", "", "ValueType", names.CERTIFICATE))
    elif form is TokenReference.ISSUER_SERIAL:
        data = reference.add("ds", names.DSIG, "X509Data")
        both = data.add("ds", names.DSIG, "X509IssuerSerial")
        both.add("ds", names.DSIG, "X509IssuerName").put(text_of(certificate.issuer))
        both.add("ds", names.DSIG, "X509SerialNumber").put(str(certificate.serial_number))
    elif form is TokenReference.KEY_IDENTIFIER:
        _identifier(reference, names.KEY_IDENTIFIER, key_identifier(certificate) or b"")
    else:
        _identifier(reference, names.THUMBPRINT, _thumbprint(certificate))


def _identifier(reference: Element, kind: str, value: bytes) -> None:
    identifier = reference.add("wsse", names.WSSE, "KeyIdentifier")
    identifier.set(Attribute("", "", "EncodingType", names.BASE_64))
    identifier.set(Attribute("", "", "ValueType", kind))
    identifier.put(base64_text(value))


def read_reference(
    key_info: Element, envelope: Envelope, ids: Ids, known: Iterable[x509.Certificate]
) -> x509.Certificate:
    """The certificate to which a ``KeyInfo`` refers.

    ``known`` are certificates that a message need not contain.
    """
    infos = key_info.elements()
    if len(infos) != 1 or not infos[0].is_(names.WSSE, "SecurityTokenReference"):
        raise Reason.KEY_REFERENCE.because(
            "KeyInfo holds one SecurityTokenReference, and nothing else"
        )
    references = infos[0].elements()
    if len(references) != 1:
        raise Reason.KEY_REFERENCE.because(
            "a SecurityTokenReference that does not hold one reference"
        )
    reference = references[0]
    if reference.is_(names.WSSE, "Reference"):
        token = referred(reference.get("URI"), ids)
        if token.parent is not envelope.security or not token.is_(
            names.WSSE, "BinarySecurityToken"
        ):
            raise Reason.KEY_REFERENCE.because(
                "a reference to what is no BinarySecurityToken of the Security block"
            )
        kind = token.get("ValueType")
        if kind != names.CERTIFICATE:
            raise Reason.KEY_REFERENCE.because(f'a token of the type "{shown(kind)}"')
        return _certificate(token.text())
    if reference.is_(names.WSSE, "KeyIdentifier"):
        kind, text = reference.get("ValueType"), reference.text()
        if kind == names.CERTIFICATE:
            return _certificate(text)
        if kind == names.KEY_IDENTIFIER:
            wanted = bytes_of(text)
            return _known(known, lambda c: key_identifier(c) == wanted)
        if kind == names.THUMBPRINT:
            wanted = bytes_of(text)
            return _known(known, lambda c: _thumbprint(c) == wanted)
        raise Reason.KEY_REFERENCE.because("a KeyIdentifier of an unknown type")
    if reference.is_(names.DSIG, "X509Data"):
        return _of_data(reference, known)
    raise Reason.KEY_REFERENCE.because(f"a reference by {shown(reference.name)}")


def _of_data(data: Element, known: Iterable[x509.Certificate]) -> x509.Certificate:
    parts = data.elements()
    if len(parts) == 1 and parts[0].is_(names.DSIG, "X509Certificate"):
        return _certificate(parts[0].text())
    if len(parts) != 1 or not parts[0].is_(names.DSIG, "X509IssuerSerial"):
        raise Reason.KEY_REFERENCE.because(
            "X509Data that holds neither an issuer with a serial number nor a certificate"
        )
    number = parts[0].required(names.DSIG, "X509SerialNumber").text()
    try:
        issuer = parse_text(parts[0].required(names.DSIG, "X509IssuerName").text())
        if not _SERIAL.fullmatch(number):
            raise ValueError(number)
    except ValueError:
        raise Reason.KEY_REFERENCE.because("an issuer or a serial number that is none") from None
    serial = int(number)
    return _known(known, lambda c: c.serial_number == serial and parsed_name(c.issuer) == issuer)


def _known(
    known: Iterable[x509.Certificate], which: Callable[[x509.Certificate], bool]
) -> x509.Certificate:
    for certificate in known:
        if which(certificate):
            return certificate
    raise Reason.KEY_REFERENCE.because("no certificate is known that the message refers to")


def _certificate(text: str) -> x509.Certificate:
    try:
        found = x509.load_der_x509_certificate(bytes_of(text))
        # Read later, they would fail where nothing expects it.
        _ = found.public_key(), found.extensions, found.subject, found.issuer
    except (
        ValueError,
        UnsupportedAlgorithm,
        x509.DuplicateExtension,
        x509.InvalidVersion,
        x509.UnsupportedGeneralNameType,
    ):
        raise Reason.KEY_REFERENCE.because("a certificate that cannot be read") from None
    return found


def bytes_of(text: str) -> bytes:
    """The bytes of a text in base64, which may have white space."""
    try:
        return base64.b64decode(text.translate(_WHITE), validate=True)
    except (binascii.Error, ValueError):
        raise Reason.UNREADABLE.because("a text that is not base64") from None


def base64_text(data: bytes) -> str:
    """Bytes as a text in base64."""
    return base64.b64encode(data).decode("ascii")
