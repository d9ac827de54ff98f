"""The header of a call: the runtime's blocks in a request and its answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from .._base import CreoError, ErrorCode, shown
from .._text import HEADER, TextRecord
from .._text.read import REFUSED, Builder, Problem
from .._xml.leaf import NO_KIDS, Kids
from .._xml.read import READERS
from .._xml.tree import Tree, expanded, split, taken_as_missing
from .addressing import BLOCKS, Relations, addressing_blocks, new_id
from .security import SECURITY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .._text import TextMessage, TextMethod
    from .security import Received, Security

SOAP_11: Final = "http://schemas.xmlsoap.org/soap/envelope/"
SOAP_12: Final = "http://www.w3.org/2003/05/soap-envelope"

#: The path of a result in its message.
RESULT: Final = ".result"

#: The roles that mean this receiver (SOAP-4).
RECEIVERS: Final = (
    "",
    "http://schemas.xmlsoap.org/soap/actor/next",
    "http://www.w3.org/2003/05/soap-envelope/role/next",
    "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver",
)


#: The name of a header element: ``{namespace}name``, or ``name`` in no namespace.
_NAME: Final = re.compile(r"(\{[^{}\s]+\})?[^{}\s:]+")


def understood_names(names: Iterable[str]) -> frozenset[str]:
    """The header elements that a program takes as understood (SOAP-25).

    :raises ValueError: if one is not ``{namespace}name``, or ``name`` without a namespace.
    """
    if isinstance(names, str):
        raise ValueError("understood is a sequence of names, not one name")
    found = frozenset(names)
    for name in found:
        if not _NAME.fullmatch(name):
            raise ValueError(f"a header element is {{namespace}}name, not {name!r:.200}")
    return found


class CallHeader:
    """The runtime's header blocks in a request, and the expected ones in its answer."""

    def __init__(self, security: Security | None, *, addressed: bool) -> None:
        self.security = security
        self.id = new_id() if addressed else ""
        """The id to which the answer relates; empty if the request has none."""

    def blocks(self, action: str, to: str, *, oneway: bool) -> str:
        """The blocks of the request, which precede all others."""
        blocks = "" if self.security is None else self.security.block()
        if self.id:
            blocks += addressing_blocks(action, self.id, to, oneway=oneway)
        return blocks


class HeaderParts:
    """The parts of a response that are in the header (SOAP-26)."""

    __slots__ = ("group", "index", "names")

    def __init__(self, message: TextMessage) -> None:
        self.group = READERS.group(message)
        """Reads the fields."""
        self.names = [field.name for field in message.fields]
        self.index = {
            expanded(field.namespace, field.local): i
            for i, field in enumerate(message.fields)
            if field.place == HEADER
        }
        """The index of each field in the header, by the name of its element."""


class ResponseParts:
    """A response whose parts are the fields of the result (SOAP-26, SOAP-100)."""

    __slots__ = ("body", "build", "header", "message")

    def __init__(self, message: TextMessage, result: TextRecord) -> None:
        self.message = message
        self.header = HeaderParts(message)
        self.build = Builder(result)
        """Makes the result."""
        self.body = [i for i, field in enumerate(message.fields) if field.place != HEADER]
        """The indices of the fields that are in the body."""

    @staticmethod
    def of(text: TextMethod) -> ResponseParts | None:
        """The parts of a method's response; None if it is one value."""
        if text.soap_response is None or text.response is None:
            return None
        result = text.response.fields[0].value
        if not isinstance(result, TextRecord):
            raise TypeError("a result of parts is a struct")
        return ResponseParts(text.soap_response, result)

    def read(self, x: Tree, body: Any, element: Any, kids: Kids, found: Mapping[int, Any]) -> Any:
        """The result. ``found`` are the parts that were in the header.

        :param element: the first in the body; None if that is empty
        :param kids: the others
        """
        try:
            return self.build(self._values(x, body, element, kids, found))
        except Problem as problem:
            problem.path.append(RESULT)
            raise

    def _values(
        self, x: Tree, body: Any, element: Any, kids: Kids, found: Mapping[int, Any]
    ) -> list[Any]:
        message, group = self.message, self.header.group
        if message.bare and element is None:
            return group.completed(x, body, found)
        if message.bare and not self.body:
            raise Problem(f"the body is empty, but holds {x.name(element)}", x.at(element))
        if message.bare and len(self.body) > 1:
            x.enter(group.reader.height)
            return group.within(x, body, element, kids, found)
        if element is None or element.tag != expanded(message.namespace, message.local):
            raise unexpected(x, message, body, element)
        x.enter(group.reader.height)
        if not message.bare:
            return group.values(x, element, found)
        values = {**found, self.body[0]: group.field(self.body[0]).one(x, element, kids)}
        made = group.completed(x, element, values)
        group.charge(x, made)
        return made


def unexpected(x: Tree, message: TextMessage, body: Any, element: Any) -> Problem:
    """The problem of a body that is empty, or holds another element than that of a message."""
    found = "nothing"
    if element is not None:
        uri, local = split(element.tag)
        found = f"{local} of {uri!r:.200}"
    told = f"the element {message.local} of {message.namespace!r} is expected, not {found}"
    return Problem(told, x.at(body if element is None else element))


class HeaderReader:
    """Reads an answer's header. Its errors are ignored if there is a fault."""

    def __init__(
        self,
        x: Tree,
        envelope: str,
        call: CallHeader | None,
        understood: frozenset[str],
        parts: HeaderParts | None = None,
    ) -> None:
        """``envelope`` is its namespace; ``call`` is the header of the request.

        ``parts`` are those of the response that are in the header.
        """
        self._x = x
        self._parts = parts
        self.found: dict[int, Any] = {}
        """The values of the parts, by the index of their field."""
        self._wrong: Problem | None = None
        self._understood = understood
        self._role = expanded(envelope, "actor" if envelope == SOAP_11 else "role")
        self._must = expanded(envelope, "mustUnderstand")
        self._unknown = ""
        self._relations = Relations(call.id) if call is not None and call.id else None
        self._security = None if call is None else call.security
        self._received: list[Received] = []

    def read(self, header: Any) -> None:
        """Reads all blocks."""
        x = self._x
        for block in x.children(header):
            i = -1 if self._parts is None else self._parts.index.get(block.tag, -1)
            if i >= 0:
                self._read_part(i, block)
            elif (block.get(self._role) or "").strip() in RECEIVERS and not self._knows(block):
                must = (block.get(self._must) or "").strip()
                required = must in ("1", "true") and block.tag not in self._understood
                if required and not self._unknown:
                    self._unknown = shown(block.tag)
            x.skip(block)

    def _read_part(self, i: int, block: Any) -> None:
        """Reads a part of the response; its problem matters only if there is no fault."""
        if self._parts is None or self._wrong is not None:
            return
        x, group = self._x, self._parts.group
        if i in self.found:
            self._wrong = Problem(f"{x.name(block)} occurs here a second time", x.at(block))
            self._wrong.path.append(RESULT)
            return
        try:
            self.found[i] = group.field(i).one(x, block, NO_KIDS)
        except Problem as problem:
            if taken_as_missing(x, problem, may_miss=group.absents[i] is not REFUSED):
                return
            problem.path += (f".{self._parts.names[i]}", RESULT)
            self._wrong = problem

    def _knows(self, block: Any) -> bool:
        """Reads a block that the runtime understands."""
        tag: str = block.tag
        if tag.startswith(BLOCKS):
            if self._relations is not None:
                self._relations.read(self._x, block)
            return True
        if tag == SECURITY and self._security is not None:
            received = self._security.read(self._x, block)
            if received.understood:
                self._received.append(received)
            return received.understood
        return False

    def check(self, peer: str) -> None:
        """Fails unless the answer's body may be read.

        :raises Problem: a block cannot be read.
        """
        message = ""
        if self._unknown:
            message = (
                f"the answer has the header element {self._unknown}, which must be understood, "
                "and is not: give its name as understood if it may be skipped"
            )
        elif self._relations is not None:
            message = self._relations.problem
        for received in self._received:
            if received.problem is not None:
                raise received.problem
            if not message and received.stale:
                message = f"the Timestamp of the answer {received.stale}"
        if message:
            raise CreoError(ErrorCode.PROTOCOL_MISMATCH, message, details={"peer": peer})
        if self._wrong is not None:
            raise self._wrong
