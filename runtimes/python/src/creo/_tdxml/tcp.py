"""Calls on the tdxml wire over TCP (TDX-52)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from .._base import CreoError
from .._call import EXCEPTION, RESPONSE, with_peer
from . import check_scheme, read_alone
from .calls import TableMethod

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._base import Limits
    from .._binary import Part
    from .._call import Method, RawAnswer

R = TypeVar("R")


class TdxmlWire:
    """The tdxml wire for channels over TCP."""

    number = 1

    def __init__(self, scheme: str, schema: bool) -> None:
        self._scheme = check_scheme(scheme)
        self._schema = schema

    def operation(self, method: Method[Any, R]) -> _TableOperation[R]:
        """A method on this wire."""
        key = ("tdxml+tcp", self._scheme, self._schema)
        found: _TableOperation[R] | None = method.operations.get(key)
        if found is None:
            found = method.operations[key] = _TableOperation(method, self._scheme, self._schema)
        return found


class _TableOperation(Generic[R]):
    """A method whose bodies are tables (TDX-52)."""

    def __init__(self, method: Method[Any, R], scheme: str, schema: bool) -> None:
        text = method.interface.texts()[method.name]
        self._method = method
        self._scheme = scheme
        self._schema = schema
        self._tables: TableMethod = TableMethod(method.name, method.full_name, text)

    def encode(self, arguments: Any, limits: Limits) -> Sequence[Part]:
        return (self._tables.request(arguments, limits, self._scheme, schema=self._schema),)

    def finish(self, answer: RawAnswer, limits: Limits, peer: str) -> R:
        if answer.error is not None or answer.kind not in (RESPONSE, EXCEPTION):
            # Errors have the same form on every wire.
            return self._method.finish(answer, limits, peer)
        root = "$result" if answer.kind == RESPONSE else "$exception"
        try:
            document = read_alone(answer.body, limits, root=root)
            if answer.kind == RESPONSE:
                return cast("R", self._tables.result(document, limits))
            raised = self._tables.exception(document, limits, peer)
        except CreoError as error:
            raise with_peer(error, peer) from None
        raise raised
