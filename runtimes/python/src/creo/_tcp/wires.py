"""The wires of bodies over TCP (TCP-1): what a connection's preamble says, and the codecs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar, cast

from .._base import CreoError
from .._call import with_peer
from . import EXCEPTION, PREAMBLE, RESPONSE, preamble

if TYPE_CHECKING:
    from .._base.limits import Limits
    from .._binary import Part
    from .._call import Method
    from .._tdxml.calls import TableMethod
    from . import Answer

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


_TDXML: Final = preamble(1)


class TcpOperation(Protocol[R_co]):
    """A method on one wire."""

    def encode(self, arguments: Any, limits: Limits) -> Sequence[Part]:
        """The body of a request."""
        ...

    def finish(self, answer: Answer, limits: Limits, peer: str) -> R_co:
        """The result; or raises what the method declares, or the error that was answered."""
        ...


class TcpWire(Protocol):
    """A wire, as a channel speaks it."""

    @property
    def preamble(self) -> bytes:
        """What a client sends first."""
        ...

    def operation(self, method: Method[Any, R]) -> TcpOperation[R]:
        """A method on this wire."""
        ...


class _Binary:
    @property
    def preamble(self) -> bytes:
        return PREAMBLE

    def operation(self, method: Method[Any, R]) -> TcpOperation[R]:
        return method


class _Tdxml:
    def __init__(self, scheme: str, schema: bool) -> None:
        self._scheme = scheme
        self._schema = schema

    @property
    def preamble(self) -> bytes:
        return _TDXML

    def operation(self, method: Method[Any, R]) -> TcpOperation[R]:
        key = ("tdxml+tcp", self._scheme, self._schema)
        found: TcpOperation[R] | None = method.operations.get(key)
        if found is None:
            found = method.operations[key] = _TableOperation(method, self._scheme, self._schema)
        return found


class _TableOperation(Generic[R]):
    """A method whose bodies are tables (TDX-52)."""

    def __init__(self, method: Method[Any, R], scheme: str, schema: bool) -> None:
        from .._tdxml.calls import TableMethod

        text = method.interface.texts()[method.name]
        self._method = method
        self._scheme = scheme
        self._schema = schema
        self._tables: TableMethod = TableMethod(method.name, method.full_name, text)

    def encode(self, arguments: Any, limits: Limits) -> Sequence[Part]:
        return (self._tables.request(arguments, limits, self._scheme, schema=self._schema),)

    def finish(self, answer: Answer, limits: Limits, peer: str) -> R:
        from .._tdxml import read_alone

        if answer.error is not None or answer.kind not in (RESPONSE, EXCEPTION):
            # Errors are those of every wire.
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


_BINARY: Final = _Binary()


def tcp_wire(name: str, scheme: str = "record", schema: bool = False) -> TcpWire:
    """The wire of this name; ``scheme`` and ``schema`` are for tables.

    :raises ValueError: if there is none.
    """
    if name == "tdxml":
        if scheme not in ("record", "aggregated"):
            raise ValueError(f"the schemes are 'record' and 'aggregated', not {scheme!r:.40}")
        return _Tdxml(scheme, schema)
    if name != "binary":
        raise ValueError(f"the wires over TCP are 'binary' and 'tdxml', not {name!r:.40}")
    return _BINARY
