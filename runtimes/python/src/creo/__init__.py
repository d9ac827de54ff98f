"""The Python framework of Creo: what generated packages stand on.

Values are immutable and know the binary wire (``to_bytes``, ``from_bytes``) and XML (``to_xml``,
``from_xml``); clients are generated from interfaces, blocking (``Client``) and for asyncio
(``AsyncClient``), and call over TCP or, made by ``soap``, over HTTP. Whatever fails is a
``CreoError`` with a code of a closed list, or an exception that the method declares.
"""

from ._aio import AsyncChannel, AsyncClient
from ._array import Array
from ._client import Cancellation, Channel, Client
from ._errors import CreoError, ErrorCode
from ._instant import DateTime
from ._limits import Limits
from ._net import CallOptions
from ._soap_client import AsyncSoapChannel, SoapChannel
from ._structarray import StructArray
from ._values import DeclaredError, ExtensibleEnum, Struct, UnionMember, UnknownMember
from ._version import VERSION as __version__

__all__ = [
    "Array",
    "AsyncChannel",
    "AsyncClient",
    "AsyncSoapChannel",
    "CallOptions",
    "Cancellation",
    "Channel",
    "Client",
    "CreoError",
    "DateTime",
    "DeclaredError",
    "ErrorCode",
    "ExtensibleEnum",
    "Limits",
    "SoapChannel",
    "Struct",
    "StructArray",
    "UnionMember",
    "UnknownMember",
    "__version__",
]
