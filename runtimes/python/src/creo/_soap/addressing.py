"""WS-Addressing 1.0: the blocks of a request, and the relation of its answer (SOAP-41)."""

from __future__ import annotations

import uuid
from typing import Any, Final

from .._base import shown
from .._text.lexical import WHITE
from .._xml.forms import escape
from .._xml.tree import Tree, expanded

ADDRESSING: Final = "http://www.w3.org/2005/08/addressing"

_ANONYMOUS: Final = f"{ADDRESSING}/anonymous"
_NONE: Final = f"{ADDRESSING}/none"
_REPLY: Final = f"{ADDRESSING}/reply"
_RELATES_TO: Final = expanded(ADDRESSING, "RelatesTo")
#: The beginning of every block of the namespace.
BLOCKS: Final = expanded(ADDRESSING, "")


def new_id() -> str:
    """A unique id for a request."""
    return f"urn:uuid:{uuid.uuid4()}"


def addressing_blocks(action: str, id_: str, to: str, *, oneway: bool) -> str:
    """The blocks of a request."""
    address = f"<wsa:Address>{_NONE if oneway else _ANONYMOUS}</wsa:Address>"
    blocks = (
        ("Action", escape(action)),
        ("MessageID", id_),
        ("ReplyTo", address),
        ("To", escape(to)),
    )
    return "".join(
        [f'<wsa:{name} xmlns:wsa="{ADDRESSING}">{text}</wsa:{name}>' for name, text in blocks]
    )


class Relations:
    """The relations in the blocks of an answer (SOAP-42)."""

    def __init__(self, id_: str) -> None:
        self._id = id_
        self._found = False
        self._other: str | None = None

    def read(self, x: Tree, block: Any) -> None:
        """Notes a block that relates the answer to a request."""
        if block.tag == _RELATES_TO:
            kind = block.get("RelationshipType")
            if kind is None or kind.strip(WHITE) == _REPLY:
                text = x.words(block).strip(WHITE)
                if text == self._id:
                    self._found = True
                elif self._other is None:
                    self._other = text

    @property
    def problem(self) -> str:
        """Why the answer is for another request; empty if it may be for this one."""
        if self._found or self._other is None:
            return ""
        return f"the answer is for another request: for {shown(self._other)!r}, not {self._id}"
