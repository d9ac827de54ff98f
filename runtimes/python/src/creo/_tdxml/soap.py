"""Tables within SOAP (TDX-50)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import as_written
from .calls import TableMethod
from .rows import TABLES_SCOPE, Document, is_document, read_document

if TYPE_CHECKING:
    from .._base import Limits
    from .._call import Method
    from .._text import TextMethod
    from .._xml.tree import Tree


class SoapTables:
    """A method whose bodies are tables."""

    scope = TABLES_SCOPE

    def __init__(
        self, method: Method[Any, Any], text: TextMethod, scheme: str, schema: bool
    ) -> None:
        self._method = TableMethod(method.name, method.full_name, text)
        self._scheme = scheme
        self._schema = schema

    def request(self, arguments: Sequence[Any], limits: Limits, parts: list[bytes] | None) -> bytes:
        """The table of a request; bytes that become parts are added to ``parts``."""
        return self._method.request(
            arguments, limits, self._scheme, schema=self._schema, of=True, parts=parts
        )

    def written(self, body: bytes, limits: Limits, size: int) -> Document | None:
        """A table exactly as writers write it, for ``result``; None for another form."""
        try:
            return as_written(body, limits, size)
        except UnicodeDecodeError:
            return None

    def result(self, written: Document, limits: Limits) -> Any:
        """The result in such a table."""
        return self._method.result(written, limits)

    def holds(self, element: Any) -> bool:
        """Whether an element is a table."""
        return is_document(element)

    def read(self, x: Tree, element: Any, limits: Limits) -> Any:
        """The result that such an element holds, and the parts of the message."""
        return self._method.result(read_document(x, element), limits, x.parts)
