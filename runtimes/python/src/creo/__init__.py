"""The Python runtime of Creo, used by generated packages.

Values are immutable and support the binary wire (``to_bytes``, ``from_bytes``), XML (``to_xml``,
``from_xml``), JSON (``to_json``, ``from_json``) and tables (``to_tdxml``, ``from_tdxml``). Clients
are generated from interfaces, blocking (``Client``) and for asyncio (``AsyncClient``). They call
over TCP or, if made by ``soap``, ``json`` or ``tdxml``, over HTTP. The channels are in the modules
``creo.tcp``, ``creo.soap``, ``creo.json`` and ``creo.tdxml``; ``creo.balance`` distributes calls
over several, ``creo.retries`` repeats those that fail. Every failure is a ``CreoError`` with a code
of a closed list, or an exception that the method declares.

``accelerated`` says whether the extension ``creo-accelerator`` is in use. It makes values, and
reads and writes the binary wire, JSON and XML, in C, with the same results.
"""

from ._base import VERSION as __version__
from ._base import CreoError, ErrorCode, Limits
from ._base.instant import DateTime
from ._binary.schema import ACCELERATED as accelerated
from ._binary.values import DeclaredError, ExtensibleEnum, Struct, UnionMember, UnknownMember
from ._buffer import Array
from ._call import (
    Answer,
    CallOptions,
    Cancellation,
    Interceptor,
    Outcome,
    OutgoingCall,
    RawMessage,
)
from ._call.client import AsyncClient, Client
from ._call.log import CallLog

__all__ = [
    "Answer",
    "Array",
    "AsyncClient",
    "CallLog",
    "CallOptions",
    "Cancellation",
    "Client",
    "CreoError",
    "DateTime",
    "DeclaredError",
    "ErrorCode",
    "ExtensibleEnum",
    "Interceptor",
    "Limits",
    "Outcome",
    "OutgoingCall",
    "RawMessage",
    "Struct",
    "UnionMember",
    "UnknownMember",
    "__version__",
    "accelerated",
]
