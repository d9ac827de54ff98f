"""The Python framework of Creo: what generated packages stand on.

Values are immutable and know the binary wire (``to_bytes``, ``from_bytes``), XML (``to_xml``,
``from_xml``), JSON (``to_json``, ``from_json``) and tables (``to_tdxml``, ``from_tdxml``); clients
are generated from interfaces, blocking (``Client``) and for asyncio (``AsyncClient``), and call
over TCP or, made by ``soap``, ``json`` or ``tdxml``, over HTTP. Whatever fails is a ``CreoError``
with a code of a closed list, or an exception that the method declares.
"""

from ._base import CreoError, ErrorCode
from ._base.instant import DateTime
from ._base.limits import Limits
from ._base.version import VERSION as __version__
from ._binary.structarray import StructArray
from ._binary.values import DeclaredError, ExtensibleEnum, Struct, UnionMember, UnknownMember
from ._buffer import Array
from ._call.client import Cancellation, Channel, Client
from ._call.net import CallOptions
from ._tcp.aio import AsyncChannel, AsyncClient
from ._tdxml.table import Table
from ._wire_channels import AsyncJsonChannel, AsyncTdxmlChannel, JsonChannel, TdxmlChannel
from .soap import AsyncSoapChannel, SoapChannel

__all__ = [
    "Array",
    "AsyncChannel",
    "AsyncClient",
    "AsyncJsonChannel",
    "AsyncSoapChannel",
    "AsyncTdxmlChannel",
    "CallOptions",
    "Cancellation",
    "Channel",
    "Client",
    "CreoError",
    "DateTime",
    "DeclaredError",
    "ErrorCode",
    "ExtensibleEnum",
    "JsonChannel",
    "Limits",
    "SoapChannel",
    "Struct",
    "StructArray",
    "Table",
    "TdxmlChannel",
    "UnionMember",
    "UnknownMember",
    "__version__",
]
