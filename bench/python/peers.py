"""The peers. A case keeps its objects and has two functions: one encodes them, the other decodes the bytes.

Other resources of a peer (buffers, factories) are reused between calls if its documentation says so; otherwise they are part of the timing.
"""

from __future__ import annotations

import json
import struct
from abc import ABC, abstractmethod
from array import array
from io import BytesIO
from pathlib import Path
from typing import Any, Callable

from workload import Block, plain

STRINGS = ("strings", "texts")
TYPES = {"numbers": "Numbers", "strings": "Strings", "texts": "Strings", "bytes": "Bytes", "reals": "Reals"}


class Case(ABC):
    """One peer with one workload of one size. Its round trip has been checked once it exists."""

    def __init__(self, workload: str, size: int) -> None:
        self.workload = workload
        values = plain(workload, size)
        self.prepare(values)
        self.bytes = bytes(self.serialize())
        if self.plain(self.deserialize()) != values:
            raise AssertionError(f"{type(self).__name__} does not give back {workload} of {size} bytes")

    @abstractmethod
    def prepare(self, values: Any) -> None:
        """Makes the objects that are serialized."""

    @abstractmethod
    def serialize(self) -> Any: ...

    @abstractmethod
    def deserialize(self) -> Any: ...

    def plain(self, decoded: Any) -> Any:
        """What ``deserialize`` made, as the workload holds it. Only for the check."""
        return decoded


class Thrift(Case):
    """Apache Thrift with its C extension, in the binary or the compact protocol."""

    protocol = "binary"

    def prepare(self, values: Any) -> None:
        from thrift.protocol import TBinaryProtocol, TCompactProtocol
        from thrift.transport import TTransport
        from wire_thrift import ttypes

        factory = {
            "binary": TBinaryProtocol.TBinaryProtocolAcceleratedFactory,
            "compact": TCompactProtocol.TCompactProtocolAcceleratedFactory,
        }[self.protocol](fallback=False)
        self.get_protocol = factory.getProtocol
        self.memory = TTransport.TMemoryBuffer
        self.type, self.value = {
            "numbers": lambda: (ttypes.Numbers, ttypes.Numbers([ttypes.Block(b.d, b.s) for b in values])),
            "strings": lambda: (ttypes.Strings, ttypes.Strings(values)),
            "texts": lambda: (ttypes.Strings, ttypes.Strings(values)),
            "bytes": lambda: (ttypes.Bytes, ttypes.Bytes(values)),
            "reals": lambda: (ttypes.Reals, ttypes.Reals(values)),
        }[self.workload]()

    def serialize(self) -> bytes:
        memory = self.memory()
        self.value.write(self.get_protocol(memory))
        return memory.getvalue()

    def deserialize(self) -> Any:
        decoded = self.type()
        decoded.read(self.get_protocol(self.memory(self.bytes)))
        return decoded

    def plain(self, decoded: Any) -> Any:
        if self.workload == "numbers":
            return [Block(b.d, b.s) for b in decoded.blocks]
        return getattr(decoded, {"strings": "items", "texts": "items", "bytes": "data", "reals": "values"}[self.workload])


class ThriftCompact(Thrift):
    protocol = "compact"


class ProtobufPrebuilt(Case):
    """protobuf (upb) with prebuilt messages that stay messages: the cost if the application has no types of its own."""

    def prepare(self, values: Any) -> None:
        self.values = values
        import wire_pb2

        self.pb = wire_pb2
        self.type = getattr(wire_pb2, TYPES[self.workload])
        self.message = self.build()

    def build(self) -> Any:
        if self.workload == "numbers":
            message = self.type()
            add = message.blocks.add
            for value in self.values:
                block = add()
                block.d = value.d
                block.s = value.s
            return message
        if self.workload in STRINGS:
            return self.type(items=self.values)
        if self.workload == "bytes":
            return self.type(data=self.values)
        return self.type(values=self.values)

    def take(self, message: Any) -> Any:
        if self.workload == "numbers":
            return [Block(b.d, b.s) for b in message.blocks]
        if self.workload in STRINGS:
            return list(message.items)
        if self.workload == "bytes":
            return message.data
        return list(message.values)

    def serialize(self) -> bytes:
        return self.message.SerializeToString()

    def deserialize(self) -> Any:
        return self.type.FromString(self.bytes)

    def plain(self, decoded: Any) -> Any:
        return self.take(decoded)


class Protobuf(ProtobufPrebuilt):
    """protobuf (upb) from plain objects and back, as in an application with its own types."""

    def serialize(self) -> bytes:
        return self.build().SerializeToString()

    def deserialize(self) -> Any:
        return self.take(self.type.FromString(self.bytes))

    def plain(self, decoded: Any) -> Any:
        return decoded


class Msgpack(Case):
    """msgpack with its C extension; blocks are named tuples, which it writes directly, and which are recreated from its output."""

    def prepare(self, values: Any) -> None:
        import msgpack

        self.values = values
        self.pack = msgpack.Packer(autoreset=True).pack
        self.unpack = msgpack.unpackb

    def serialize(self) -> bytes:
        return self.pack(self.values)

    def deserialize(self) -> Any:
        decoded = self.unpack(self.bytes, use_list=self.workload != "numbers")
        return list(map(Block._make, decoded)) if self.workload == "numbers" else decoded


class Avro(Case):
    """Avro by fastavro's C extension: records are dicts, as it makes them, from and to blocks that are named tuples."""

    FIELDS = {"numbers": "blocks", "strings": "items", "texts": "items", "bytes": "data", "reals": "values"}

    def prepare(self, values: Any) -> None:
        import fastavro

        schemas = json.loads((Path(__file__).parents[1] / "peers" / "wire.avsc").read_text())
        self.field = self.FIELDS[self.workload]
        wanted = TYPES[self.workload]
        types: dict[str, Any] = {}
        parsed = [fastavro.parse_schema(schema, named_schemas=types) for schema in schemas]
        self.schema = parsed[[schema["name"] for schema in schemas].index(wanted)]
        self.values = values
        self.write = fastavro.schemaless_writer
        self.read = fastavro.schemaless_reader

    def serialize(self) -> bytes:
        out = BytesIO()
        # Named tuples would be taken for unions.
        values = [{"d": d, "s": s} for d, s in self.values] if self.workload == "numbers" else self.values
        self.write(out, self.schema, {self.field: values})
        return out.getvalue()

    def deserialize(self) -> Any:
        decoded = self.read(BytesIO(self.bytes), self.schema)[self.field]
        return [Block(**block) for block in decoded] if self.workload == "numbers" else decoded


class Hand(Case):
    """A careful programmer's code with the standard library for this one layout: a floor for generated code, not a product."""

    def prepare(self, values: Any) -> None:
        self.values = array("d", values) if self.workload == "reals" else values

    def serialize(self) -> bytes:
        values = self.values
        count = struct.pack(">I", len(values))
        if self.workload == "numbers":
            return count + struct.pack(">" + "dh" * len(values), *(x for block in values for x in block))
        if self.workload in STRINGS:
            encoded = [value.encode() for value in values]
            size = struct.Struct(">I").pack
            return count + b"".join([part for value in encoded for part in (size(len(value)), value)])
        if self.workload == "bytes":
            return count + values
        swapped = values[:]
        swapped.byteswap()
        return count + swapped.tobytes()

    def deserialize(self) -> Any:
        received = self.bytes
        if self.workload == "numbers":
            return list(map(Block._make, struct.iter_unpack(">dh", memoryview(received)[4:])))
        if self.workload in STRINGS:
            size, at, strings = struct.Struct(">I").unpack_from, 4, []
            while at < len(received):
                end = at + 4 + size(received, at)[0]
                strings.append(received[at + 4 : end].decode())
                at = end
            return strings
        if self.workload == "bytes":
            return received[4:]
        values = array("d", received[4:])
        values.byteswap()
        return values

    def plain(self, decoded: Any) -> Any:
        return decoded.tolist() if self.workload == "reals" else decoded


class CreoView(Case):
    """Creo's generated classes. Decoding an array of blocks gives a view over the bytes, which makes its blocks when they are touched."""

    def prepare(self, values: Any) -> None:
        from bench import wire

        self.type = getattr(wire, TYPES[self.workload])
        if self.workload == "numbers":
            self.value = self.type([wire.Block(b.d, b.s) for b in values])
        else:
            self.value = self.type(array("d", values) if self.workload == "reals" else values)

    def serialize(self) -> Any:
        return self.value.to_bytes()

    def deserialize(self) -> Any:
        return self.type.from_bytes(self.bytes)

    def plain(self, decoded: Any) -> Any:
        if self.workload == "numbers":
            return [Block(b.d, b.s) for b in decoded.blocks]
        if self.workload == "bytes":
            return bytes(decoded.data)
        return list(decoded.items if self.workload in STRINGS else decoded.values)


class Creo(CreoView):
    """Creo, with every block created: the cost for a program that accesses all of them individually."""

    def deserialize(self) -> Any:
        decoded = self.type.from_bytes(self.bytes)
        return decoded, list(decoded.blocks) if self.workload == "numbers" else None

    def plain(self, decoded: Any) -> Any:
        return super().plain(decoded[0])


class CreoColumns(CreoView):
    """Creo, with the blocks handed to NumPy as two columns, as analysis does: one pass over each, without a copy before it."""

    def deserialize(self) -> Any:
        import numpy

        decoded = self.type.from_bytes(self.bytes)
        d = numpy.asarray(decoded.blocks.column("d"))
        s = numpy.asarray(decoded.blocks.column("s"))
        return decoded, d.sum(), s.sum()

    def plain(self, decoded: Any) -> Any:
        return super().plain(decoded[0])


PEERS: dict[str, Callable[[str, int], Case]] = {
    "creo": Creo,
    "creo-view": CreoView,
    "creo-columns": CreoColumns,
    "thrift-binary": Thrift,
    "thrift-compact": ThriftCompact,
    "protobuf": Protobuf,
    "protobuf-prebuilt": ProtobufPrebuilt,
    "avro": Avro,
    "msgpack": Msgpack,
    "hand": Hand,
}

ONLY_NUMBERS = {"creo-view", "creo-columns"}
