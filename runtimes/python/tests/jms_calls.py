"""Shared by the tests of calls over JMS: handwritten answers, and calls of a client."""

from __future__ import annotations

import struct
from typing import Any, Callable, TypeVar

import pytest
from proton import Message

from creo import CreoError
from creo.jms import JmsBroker, JmsChannel
from fake_amqp import Broker, Side, serve
from sample import Data, DataServiceClient, MetaData

T = TypeVar("T")
Respond = Callable[[Side, Message], Any]
SOAP = "text/xml; charset=utf-8"
TDXML = "application/vnd.creo.tdxml"
BINARY = "application/vnd.creo.binary"
RESULT = '<totalResponse xmlns="urn:creo:sample"><result>{}</result></totalResponse>'
SERIES = Data(MetaData("CO2", 1), [1.0, -2.5])


def answer(body: bytes | str, kind: str = SOAP, **properties: Any) -> Message:
    """An answer; properties that are None are omitted."""
    data = body.encode() if isinstance(body, str) else body
    all_ = {"SOAPJMS_bindingVersion": "1.0", "SOAPJMS_contentType": kind, **properties}
    made = Message(body=data, properties={k: v for k, v in all_.items() if v is not None})
    made.inferred = True
    return made


def total_of(value: float) -> bytes:
    return struct.pack(">d", value)


def binary(body: bytes, kind: str = "response", **properties: Any) -> Message:
    told = {"SOAPJMS_contentType": BINARY, "Creo_kind": kind, **properties}
    return answer(body, **told)


def replying(*answers: Any, **changes: Any) -> Respond:
    """Answers each request with the next of these."""
    left = list(answers)

    def respond(side: Side, request: Message) -> None:
        side.reply(request, left.pop(0), **changes)

    return respond


def channel(broker: Broker, to: str = "jms:queue:data", **options: Any) -> JmsChannel:
    return JmsChannel(JmsBroker("127.0.0.1", broker.port), to, **options)


def exchange(
    respond: Respond,
    call: Callable[[DataServiceClient], T],
    to: str = "jms:queue:data",
    **options: Any,
) -> tuple[Message, T]:
    """One call, its request and its result."""
    with serve(respond) as broker:
        with channel(broker, to, **options) as made:
            client = DataServiceClient.over(made)
            result = call(client)
    return broker.requests[0], result


def raised(
    respond: Respond, call: Callable[[DataServiceClient], object], **options: Any
) -> CreoError:
    """The error of one call."""

    def caught(client: DataServiceClient) -> CreoError:
        with pytest.raises(CreoError) as found:
            call(client)
        return found.value

    return exchange(respond, caught, **options)[1]


def total(client: DataServiceClient) -> float:
    return client.total([1.0, 2.5])


def touch(client: DataServiceClient) -> None:
    client.touch("x")


def get(client: DataServiceClient) -> Data:
    return client.retrieve_data("CO2")
