"""Every limit that a client holds to, with its default (``spec/limits.md``)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True)
class Limits:
    """What a client accepts. Sizes are bytes, times are seconds.

    Change some with ``dataclasses.replace(Limits(), max_depth=50)`` or ``Limits(max_depth=50)``.
    """

    #: LIM-1: bytes of one body, uncompressed; sent or received.
    max_message_size: int = 134_217_728
    #: LIM-3: memory that is taken for a claim before its bytes have arrived.
    trusted_allocation: int = 1_048_576
    #: LIM-4: nested values of recursive types.
    max_depth: int = 100
    #: LIM-5: items of one body that take no bytes.
    max_empty_items: int = 65_536
    #: LIM-18: bytes that one message takes once it is decoded, by nominal sizes; None for four
    #: times ``max_message_size``.
    max_memory: int | None = None
    #: LIM-6: bytes of the metadata of a request.
    max_metadata_size: int = 16_384
    #: LIM-8: calls under way on a connection.
    max_calls_per_connection: int = 1_000
    #: LIM-11: until a connection stands, also within the deadline.
    connect_timeout: float = 10.0
    #: LIM-20: elements of XML that are open at once.
    max_xml_depth: int = 500
    #: LIM-21: attributes and namespace declarations of one element.
    max_xml_attributes: int = 256
    #: LIM-22: bytes of a name, with its prefix.
    max_xml_name: int = 1_024
    #: LIM-23: namespace declarations in scope at once.
    max_xml_namespaces: int = 1_024
    #: LIM-24: bytes of one text or attribute; None for that of a whole message.
    max_xml_text: int | None = None
    #: LIM-25: parts of a package.
    max_parts: int = 1_000
    #: LIM-26: bytes of the headers of an HTTP message.
    max_header_size: int = 65_536
    #: LIM-15: from the first byte of a chain of frames to its last.
    frame_timeout: float = 60.0
    #: What ``max_memory`` comes to.
    memory: int = field(init=False, repr=False, compare=False)
    #: The largest body that both ``max_message_size`` and ``max_memory`` allow.
    max_body: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None and value <= 0:
                raise ValueError(f"{name} must be above 0, is {value}")
        memory = 4 * self.max_message_size if self.max_memory is None else self.max_memory
        object.__setattr__(self, "memory", memory)
        object.__setattr__(self, "max_body", min(self.max_message_size, memory))


DEFAULT_LIMITS: Final = Limits()

#: LIM-12: seconds that a call may take, unless the caller says otherwise.
DEFAULT_DEADLINE: Final = 60.0

#: LIM-25: bytes of the headers of one part.
MAX_PART_HEADERS: Final = 16_384

#: LIM-26: headers of an HTTP message.
MAX_HEADERS: Final = 200

#: LIM-6: pairs of metadata.
MAX_METADATA_PAIRS: Final = 64
