"""Checks one message: the children of its block, and what is demanded (SOAP-84, SOAP-89)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .._base import shown, too_large
from .._text.lexical import parse_date_time
from . import names
from .decryption import Decryption
from .envelope import Envelope, is_named
from .reason import Reason
from .signature import Signature, verify
from .tree import Element

if TYPE_CHECKING:
    from .options import Options

_TOLERANCE: Final = 300.0
_MAX_CHILDREN: Final = 32


def check(options: Options, message: bytes, charset: str | None) -> bytes:
    """The envelope of an answer that is accepted, without what was checked."""
    if len(message) > options.max_size:
        told = f"a message with security of {len(message)} bytes"
        raise too_large("maxSize", options.max_size, told)
    envelope = Envelope.parse(message, charset)
    if envelope.security is None:
        raise Reason.NO_SECURITY.because(_unsecured(envelope))
    checking = _Checking(options, envelope, envelope.security)
    checking.take_all()
    checking.demand()
    checking.strip()
    return envelope.to_bytes()


class _Checking:
    """The check of one message."""

    def __init__(self, options: Options, envelope: Envelope, security: Element) -> None:
        self._options = options
        self._envelope = envelope
        self._security = security
        self._decryption = Decryption(options, envelope)
        self._signature: Signature | None = None
        self._timestamp: Element | None = None
        self._assertion: Element | None = None
        self._users: list[Element] = []

    def take_all(self) -> None:
        """Takes the children of the block; what is decrypted comes into the place of its data."""
        taken = 0
        p = 0
        while p < len(self._security.children):
            child = self._security.children[p]
            if isinstance(child, Element):
                taken += 1
                if taken > _MAX_CHILDREN:
                    raise Reason.TOO_MANY.because(
                        f"more than {_MAX_CHILDREN} elements in the Security block"
                    )
                self._take(child)
                p = self._security.index(child)
            p += 1

    def _take(self, child: Element) -> None:
        if child.is_(names.WSU, "Timestamp") and self._timestamp is None:
            self._timestamp = child
        elif child.is_(names.WSSE, "UsernameToken"):
            self._users.append(child)
        elif child.is_(names.XENC, "EncryptedKey"):
            self._decryption.key(child)
        elif child.is_(names.XENC, "ReferenceList"):
            self._decryption.list(child)
        elif child.is_(names.DSIG, "Signature") and self._signature is None:
            if not self._options.trust.exists:
                raise Reason.UNTRUSTED.because("a signature, but no certificate is trusted")
            self._signature = verify(child, self._envelope, self._options)
        elif child.is_(names.SAML_2, "Assertion") and self._assertion is None:
            self._assertion = child
        elif not (
            child.is_(names.WSSE, "BinarySecurityToken")
            or child.is_(names.WSSE_11, "SignatureConfirmation")
        ):
            raise Reason.TOKEN.because(
                f"the Security block has {shown(child.name)}, which is unknown, or there twice"
            )

    def demand(self) -> None:
        """Refuses a message that lacks what is demanded."""
        options, envelope = self._options, self._envelope
        if options.trust.exists:
            signature = self._signature
            if signature is None:
                raise Reason.NOT_SIGNED.because("the message has no signature")
            _demand(signature, envelope.body, "the body")
            if options.timestamps:
                if self._timestamp is None:
                    raise Reason.NOT_SIGNED.because("the message has no timestamp")
                _demand(signature, self._timestamp, "the timestamp")
            for user in self._users:
                _demand(signature, user, "the token of the user")
            if self._assertion is not None:
                _demand(signature, self._assertion, "the assertion")
            for block in envelope.blocks():
                wanted = is_named(block, options.required_headers)
                if wanted and block is not self._security and envelope.is_for_receiver(block):
                    _demand(signature, block, f"the header element {shown(block.name)}")
        if options.require_encrypted and not self._decryption.of_body:
            raise Reason.NOT_ENCRYPTED.because("the body is not encrypted")
        if self._timestamp is not None:
            self._demand_time(self._timestamp)
        if self._signature is not None:
            options.replays.use(self._signature.hash)

    def _demand_time(self, timestamp: Element) -> None:
        now = self._options.clock()
        created = _time(timestamp.required(names.WSU, "Created"))
        expires = timestamp.only(names.WSU, "Expires")
        if created > now + _TOLERANCE:
            raise Reason.STALE.because("the message was created in the future")
        if created < now - _TOLERANCE or (expires is not None and _time(expires) <= now):
            raise Reason.STALE.because("the message has expired")

    def strip(self) -> None:
        """Removes what was checked; of the Security block, tokens of users stay."""
        for block in self._envelope.blocks():
            block.unset(names.WSU, "Id")
        self._security.children = [*self._users]
        if not self._users and self._envelope.header is not None:
            self._envelope.header.remove(self._security)


def _demand(signature: Signature, element: Element, what: str) -> None:
    if not signature.covers(element):
        raise Reason.NOT_SIGNED.because(f"{what} is not signed")


def _time(element: Element) -> float:
    """A time, in seconds since 1970."""
    text = element.text()
    try:
        found = parse_date_time(text)
    except ValueError:
        raise Reason.UNREADABLE.because(f'a time that is none: "{shown(text)}"') from None
    return found.seconds + found.nanoseconds / 1e9


def _unsecured(envelope: Envelope) -> str:
    """What is said of an answer without security: if it is a fault, its words."""
    for fault in envelope.body.elements():
        if fault.is_(envelope.soap, "Fault"):
            code = _words(fault, ("faultcode", "Value"))
            text = _words(fault, ("faultstring", "Text"))
            return f"the answer is a fault without security: {shown(f'{code}: {text}')}"
    return "the answer has no Security block"


def _words(within: Element, locals_: tuple[str, str]) -> str:
    """The text of the first element with one of these local names, at any depth."""
    for element in within.all():
        if element.local in locals_:
            parts = (child for each in element.all() for child in each.children)
            return "".join(part for part in parts if isinstance(part, str)).strip()
    return ""
