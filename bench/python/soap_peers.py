"""The peers on the soap wire: arguments in, the bytes of a request out; the bytes of a response in, the result out. No HTTP."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from types import SimpleNamespace
from typing import Any

import messages


class Case(ABC):
    """A message with one peer. Its round trip is checked when it is made."""

    bytes: bytes

    def __init__(self, workload: str, name: str) -> None:
        assert workload == "soap"
        self.method = "echo" + messages.TYPES[name]
        self.plain = messages.message(name)
        self.prepare()
        self.bytes = self.serialize()
        # The service's answer.
        text = self.bytes.decode()
        for old, new in ((self.method, self.method + "Response"), ("message", "result"), (">REQUEST<", ">RESPONSE<")):
            text = text.replace(f"{old}>", f"{new}>") if old[0] != ">" else text.replace(old, new)
        text = text.replace(f"{self.method} ", f"{self.method}Response ")
        self.response = text.encode()
        if self.same(self.deserialize()) != {**self.plain, "identification": "RESPONSE"}:
            raise AssertionError(f"{type(self).__name__} does not give back the message {name}")

    @abstractmethod
    def prepare(self) -> None:
        """Creates what is reused between calls, and the message as the peer's objects."""

    @abstractmethod
    def serialize(self) -> bytes:
        """The request's bytes."""

    @abstractmethod
    def deserialize(self) -> Any:
        """The result in the response's bytes."""

    @abstractmethod
    def same(self, result: Any) -> dict[str, Any]:
        """The result as plain dicts."""


def snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name)


class Creo(Case):
    def prepare(self) -> None:
        import bench.messages as generated
        from bench.messages import creo_client
        from creo._base import DEFAULT_LIMITS
        from creo._soap import SoapBinding

        self.types = generated
        method = getattr(creo_client, "_MESSAGES_ECHO_" + snake(self.method[4:])[1:].upper())
        self.operation = SoapBinding("1.1", mtom=False, tables=None, schema=False).operation(method)
        self.limits = DEFAULT_LIMITS
        self.value = self.made(self.method[4:], self.plain)

    def made(self, name: str, plain: dict[str, Any]) -> Any:
        from creo import DateTime

        parts: dict[str, Any] = {}
        for key, value in plain.items():
            if key in ("customer", "customers", "products"):
                kind = key.rstrip("s").capitalize()
                value = self.made(kind, value) if isinstance(value, dict) else [self.made(kind, each) for each in value]
            elif hasattr(value, "isoformat"):
                value = DateTime.from_datetime(value)
            parts[snake(key)] = value
        return getattr(self.types, name)(**parts)

    def serialize(self) -> bytes:
        return self.operation.message((self.value,), self.limits)[1][0]

    def deserialize(self) -> Any:
        return self.operation.read(self.response, "text/xml; charset=utf-8", self.limits, "")

    def same(self, result: Any) -> dict[str, Any]:
        return self.dumped(result, self.plain)

    def dumped(self, value: Any, like: dict[str, Any]) -> dict[str, Any]:
        parts: dict[str, Any] = {}
        for key, plain in like.items():
            part = getattr(value, snake(key))
            if isinstance(plain, dict):
                part = self.dumped(part, plain)
            elif isinstance(plain, list):
                part = [self.dumped(each, plain[0]) for each in part]
            elif hasattr(plain, "isoformat"):
                part = part.to_datetime()
            parts[key] = part
        return parts


class Zeep(Case):
    """zeep's own objects, at its defaults."""

    def prepare(self) -> None:
        import zeep
        from zeep.wsdl.utils import etree_to_string

        self.to_string = etree_to_string
        self.client = zeep.Client(os.environ["BENCH_WSDL"])
        self.binding = self.client.service._binding
        self.operation = self.binding.get(self.method)
        self.value = self.client.get_type(f"{{urn:creo:bench:messages}}{self.method[4:]}")(**self.plain)

    def serialize(self) -> bytes:
        return self.to_string(self.client.create_message(self.client.service, self.method, message=self.value))

    def deserialize(self) -> Any:
        answer = SimpleNamespace(status_code=200, content=self.response, headers={"Content-Type": "text/xml; charset=utf-8"}, encoding="utf-8")
        return self.binding.process_reply(self.client, self.operation, answer)

    def same(self, result: Any) -> dict[str, Any]:
        from zeep.helpers import serialize_object

        return serialize_object(result, dict)


PEERS = {"creo": Creo, "zeep": Zeep}
