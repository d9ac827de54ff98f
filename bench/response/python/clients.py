"""The Python clients. Each has the objects of a request ready, as its own generated code has them, and sends them as often as one likes."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from typing import Any, Callable


def d(i: int) -> float:
    return i / 8.0 - 3


def s(i: int) -> int:
    return (i * 7919 + 32768) % 65536 - 32768


def string(i: int) -> str:
    return f"{i * 1234567891 % 10_000_000_000:010d}"


def data(count: int) -> bytes:
    period = bytes((i * 31 + 7) & 255 for i in range(256))
    return (period * (count // 256 + 1))[:count]


class Client(ABC):
    """A client for one caller, whose calls come one after the other."""

    @abstractmethod
    def __init__(self, address: str) -> None: ...

    def prepare(self, kind: str, count: int) -> Any:
        if kind == "numbers":
            return self.numbers(count)
        return [string(i) for i in range(count)] if kind == "strings" else data(count)

    @abstractmethod
    def numbers(self, count: int) -> Any: ...

    @abstractmethod
    def method(self, kind: str) -> Callable[[Any], int]:
        """Sends a request and returns the number of items that arrived."""


class Creo(Client):
    """Creo's binary wire over TCP, at its defaults."""

    def __init__(self, address: str) -> None:
        from bench.response import Block, ResponseClient

        self._block = Block
        self._client = ResponseClient("127.0.0.1", int(address))

    def numbers(self, count: int) -> Any:
        return [self._block(d(i), s(i)) for i in range(count)]

    def method(self, kind: str) -> Callable[[Any], int]:
        return getattr(self._client, f"put_{kind}")


class Thrift(Client):
    """Apache Thrift in frames, with its C extension and without its fallback."""

    protocol = "Binary"

    def __init__(self, address: str) -> None:
        from importlib import import_module

        from response_thrift import Response, ttypes
        from thrift.transport import TSocket, TTransport

        module = import_module(f"thrift.protocol.T{self.protocol}Protocol")
        factory = getattr(module, f"T{self.protocol}ProtocolAcceleratedFactory")(fallback=False)
        socket = TSocket.TSocket("127.0.0.1", int(address))
        transport = TTransport.TFramedTransport(socket)
        transport.open()
        self._block = ttypes.Block
        self._client = Response.Client(factory.getProtocol(transport))

    def numbers(self, count: int) -> Any:
        return [self._block(d(i), s(i)) for i in range(count)]

    def method(self, kind: str) -> Callable[[Any], int]:
        return getattr(self._client, f"put{kind.capitalize()}")


class ThriftCompact(Thrift):
    protocol = "Compact"


class Grpc(Client):
    """gRPC, without TLS; requests are prebuilt messages."""

    _channel: Any = None

    def __init__(self, address: str) -> None:
        import grpc
        import response_pb2

        self._messages = response_pb2
        if Grpc._channel is None:
            # One channel for all callers, as its documentation advises.
            Grpc._channel = grpc.insecure_channel(f"127.0.0.1:{address}", options=[("grpc.max_send_message_length", -1)])

    def prepare(self, kind: str, count: int) -> Any:
        if kind == "strings":
            return self._messages.Strings(items=super().prepare(kind, count))
        return self.numbers(count) if kind == "numbers" else self._messages.Bytes(data=data(count))

    def numbers(self, count: int) -> Any:
        message = self._messages.Numbers()
        for i in range(count):
            message.blocks.add(d=d(i), s=s(i))
        return message

    def method(self, kind: str) -> Callable[[Any], int]:
        call = Grpc._channel.unary_unary(
            f"/response_proto.Response/Put{kind.capitalize()}",
            request_serializer=getattr(self._messages, kind.capitalize()).SerializeToString,
            response_deserializer=self._messages.Count.FromString,
        )
        return lambda request: call(request).items


class Rest(Client):
    """JSON by orjson, over one kept connection of requests; coarse data is the body itself."""

    def __init__(self, address: str) -> None:
        import orjson
        import requests

        self._dumps, self._loads = orjson.dumps, orjson.loads
        self._session = requests.Session()
        self._session.trust_env = False
        self._url = f"http://127.0.0.1:{address}/"

    def numbers(self, count: int) -> Any:
        return [{"d": d(i), "s": s(i)} for i in range(count)]

    def method(self, kind: str) -> Callable[[Any], int]:
        url, post, dumps, loads = self._url + kind, self._session.post, self._dumps, self._loads
        if kind == "bytes":
            headers = {"Content-Type": "application/octet-stream"}
            return lambda request: loads(post(url, data=request, headers=headers).content)
        headers = {"Content-Type": "application/json"}
        return lambda request: loads(post(url, data=dumps(request), headers=headers).content)


class Zeep(Client):
    """zeep at its defaults, from Creo's WSDL."""

    def __init__(self, address: str) -> None:
        import zeep

        client = zeep.Client(os.environ["BENCH_WSDL"], settings=zeep.Settings(xml_huge_tree=True))
        self._block = client.get_type("{urn:creo:bench.response}Block")
        self._service = client.create_service("{urn:creo:bench.response}ResponseSoap11", address)

    def numbers(self, count: int) -> Any:
        return [self._block(d=d(i), s=s(i)) for i in range(count)]

    def method(self, kind: str) -> Callable[[Any], int]:
        parameter = {"numbers": "blocks", "strings": "items", "bytes": "data"}[kind]
        call = getattr(self._service, f"put{kind.capitalize()}")
        return lambda request: call(**{parameter: request})


PEERS: dict[str, type[Client]] = {"soap-zeep": Zeep, "creo": Creo, "thrift-binary": Thrift, "thrift-compact": ThriftCompact, "grpc": Grpc, "rest": Rest}
