"""Envelopes of SOAP, with the elements that security concerns at their places."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from .._base import CreoError, ErrorCode, shown
from .._soap.header import RECEIVERS, SOAP_11, SOAP_12
from . import names
from .reason import Reason
from .tree import Attribute, Element, parse, written

if TYPE_CHECKING:
    from collections.abc import Iterable

    Ids = dict[str, list[Element]]

_ID: Final = re.compile("id|assertionid", re.IGNORECASE | re.ASCII)


class Envelope:
    """An envelope as a tree."""

    def __init__(self, root: Element, header: Element | None, body: Element) -> None:
        self.root = root
        self.soap = root.space
        """The namespace of the envelope."""
        self.header = header
        self.body = body
        self.security: Element | None = None
        """The block for this receiver; None if there is none."""

    @staticmethod
    def parse(data: bytes, charset: str | None = None) -> Envelope:
        """Parses an envelope.

        :raises CreoError: ``malformed`` if it is none.
        """
        root = parse(data, charset)
        if not (root.is_(SOAP_11, "Envelope") or root.is_(SOAP_12, "Envelope")):
            message = f"the element {shown(root.name)}, where an envelope of SOAP must be"
            raise CreoError(ErrorCode.MALFORMED, message)
        children = root.elements()
        header = children.pop(0) if children and children[0].is_(root.space, "Header") else None
        if len(children) != 1 or not children[0].is_(root.space, "Body"):
            raise Reason.MISPLACED.because(
                "an envelope has at most one header, then one body, and nothing else"
            )
        envelope = Envelope(root, header, children[0])
        for block in envelope.blocks():
            if block.is_(names.WSSE, "Security") and envelope.is_for_receiver(block):
                if envelope.security is not None:
                    raise Reason.SECURITY_BLOCKS.because("two Security blocks for this receiver")
                envelope.security = block
        return envelope

    def is_for_receiver(self, block: Element) -> bool:
        """Whether a block has no role, or that of the next or the ultimate receiver."""
        role = block.attribute(self.soap, "actor" if self.soap == SOAP_11 else "role")
        return role is None or role.value.strip() in RECEIVERS

    def blocks(self) -> list[Element]:
        """The blocks of the header."""
        return [] if self.header is None else self.header.elements()

    def add_security(self) -> Element:
        """The block for the receiver, which is added if it is not there."""
        prefix = self.root.prefix
        if self.header is None:
            self.header = Element(prefix, self.soap, "Header", self.root)
            self.root.insert(self.root.index(self.body), self.header)
        if self.security is None:
            block = Element("wsse", names.WSSE, "Security", self.header)
            self.header.insert(0, block)
            if block.lookup("wsse") != names.WSSE:
                block.declare("wsse", names.WSSE)
            if not prefix:
                prefix = "soap"
                block.declare(prefix, self.soap)
            block.set(Attribute(prefix, self.soap, "mustUnderstand", "1"))
            self.security = block
        return self.security

    def ids(self) -> Ids:
        """The elements of each id, by any attribute that could be meant as one."""
        found: Ids = {}
        for element in self.root.all():
            for attribute in element.attributes:
                if _ID.fullmatch(attribute.local):
                    found.setdefault(attribute.value, []).append(element)
        return found

    def to_bytes(self) -> bytes:
        """The envelope in UTF-8."""
        return written(self.root).encode()


def id_of(element: Element) -> str | None:
    """The id of an element for references; None if it has none."""
    found = element.attribute(names.WSU, "Id")
    if found is None and element.space in (names.DSIG, names.XENC):
        found = element.attribute("", "Id")
    elif found is None and element.space == names.SAML_2:
        found = element.attribute("", "ID")
    return None if found is None else found.value


def set_id(element: Element, value: str) -> None:
    """Sets the ``wsu:Id`` of an element."""
    prefix, n = "wsu", 0
    while element.lookup(prefix) not in ("", names.WSU):
        n += 1
        prefix = f"wsu{n}"
    if not element.lookup(prefix):
        element.declare(prefix, names.WSU)
    element.set(Attribute(prefix, names.WSU, "Id", value))


def referred(uri: str, ids: Ids) -> Element:
    """The element that ``"#id"`` means: there is one with this id, and only one."""
    if len(uri) < 2 or not uri.startswith("#") or "(" in uri:
        raise Reason.REFERENCE.because(
            f'a reference to "{shown(uri)}", where only an id of this message may be'
        )
    found = ids.get(uri[1:], [])
    told = shown(uri[1:])
    if len(found) > 1:
        raise Reason.DUPLICATE_ID.because(f'the id "{told}" is there {len(found)} times')
    if not found or id_of(found[0]) != uri[1:]:
        raise Reason.UNKNOWN_ID.because(f'no element has the id "{told}"')
    return found[0]


def is_named(block: Element, wanted: Iterable[tuple[str, str]]) -> bool:
    """Whether a block has one of these names; ``*`` is every local name."""
    return any(block.space == space and local in ("*", block.local) for space, local in wanted)
