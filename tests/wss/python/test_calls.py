"""Whole calls: the client of Python, and a service of Java that demands signatures and encryption."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from conftest import QUEUE, Lines, Pair
from creo import CreoError, ErrorCode
from creo.jms import JmsBroker, JmsChannel
from creo.soap import AsyncSoapChannel, SoapChannel, UsernameToken
from creo.wss import WsSecurity
from org.example.notes import AsyncNotesClient, Full, NotesClient, Reading

READINGS = [Reading("a & <b>", 1.5, "Grüße"), Reading("c", -0.25, None), Reading("", 1e300, "\U0001f600|\t")]
ALICE = "hello CN=alice,O=Example"


@pytest.fixture(scope="session")
def url(partner: Lines) -> str:
    return f"http://127.0.0.1:{partner.ask('serve', encrypted=1)[0]}/Notes"


@pytest.fixture
def security(keys: dict[str, Pair]) -> WsSecurity:
    return secured(keys)


def secured(keys: dict[str, Pair], **more: Any) -> WsSecurity:
    told: dict[str, Any] = {
        "sign": keys["alice"],
        "encrypt_to": keys["bob"].certificate,
        "trust_issuers": keys["ca"].certificate,
        "know": keys["bob"].certificate,
        "decrypt": [keys["alice"]],
        "require_encrypted": True,
    }
    return WsSecurity(**{**told, **more})


@pytest.mark.parametrize("options", [{}, {"version": "1.2"}, {"addressing": True}, {"gzip": True}, {"mtom": True}, {"tables": "record"}, {"tables": "aggregated", "schema": True}], ids=str)
def test_calls(url: str, security: WsSecurity, options: dict[str, Any]) -> None:
    with SoapChannel(url, security=security, **options) as channel:
        check_calls(NotesClient.over(channel))


def check_calls(client: NotesClient) -> None:
    assert client.say("hello") == ALICE
    assert list(client.echo(READINGS)) == READINGS
    client.clear()
    client.note("noted")
    with pytest.raises(Full) as raised:
        client.say("full")
    assert raised.value.max == 3


def test_calls_over_jms(partner: Lines, keys: dict[str, Pair]) -> None:
    broker = JmsBroker("127.0.0.1", int(partner.ask("serve", encrypted=1, jms=1)[0]))
    for tables in (None, "record"):
        with JmsChannel(broker, QUEUE, security=secured(keys), tables=tables) as channel:
            check_calls(NotesClient.over(channel))
    with JmsChannel(broker, QUEUE) as channel:
        with pytest.raises(CreoError) as raised:
            NotesClient.over(channel).say("hello")
    assert raised.value.message.startswith("no-security: ")


def test_calls_of_asyncio(url: str, security: WsSecurity) -> None:
    async def calls() -> None:
        async with AsyncSoapChannel(url, security=security) as channel:
            client = AsyncNotesClient.over(channel)
            assert await asyncio.gather(*(client.say("hello") for _ in range(8))) == [ALICE] * 8
            with pytest.raises(Full):
                await client.say("full")

    asyncio.run(calls())


def test_a_token_of_a_user(partner: Lines, security: WsSecurity) -> None:
    url = f"http://127.0.0.1:{partner.ask('serve', encrypted=1, passwords=1)[0]}/Notes"
    with SoapChannel(url, security=security, username_token=UsernameToken("anna", "secret"), timestamp=True) as channel:
        assert NotesClient.over(channel).say("hello") == "hello anna"
    with SoapChannel(url, security=security, username_token=UsernameToken("anna", "wrong", digest=True)) as channel:
        with pytest.raises(CreoError) as raised:
            NotesClient.over(channel).say("hello")
    assert raised.value.code is ErrorCode.UNAUTHENTICATED


def test_callers_that_are_refused(url: str, keys: dict[str, Pair]) -> None:
    with SoapChannel(url) as channel:
        with pytest.raises(CreoError) as raised:
            NotesClient.over(channel).say("hello")
    assert raised.value.code is ErrorCode.UNAUTHENTICATED
    assert raised.value.message.startswith("no-security: ")
    with SoapChannel(url, security=secured(keys, sign=keys["mallory"])) as channel:
        with pytest.raises(CreoError) as raised:
            NotesClient.over(channel).say("hello")
    assert raised.value.code is ErrorCode.PROTOCOL_MISMATCH
    assert "a fault without security: " in raised.value.message
    assert "untrusted: " in raised.value.message


def test_a_service_that_is_not_trusted(url: str, keys: dict[str, Pair]) -> None:
    with SoapChannel(url, security=secured(keys, trust_issuers=(), trust=keys["alice"].certificate)) as channel:
        with pytest.raises(CreoError) as raised:
            NotesClient.over(channel).say("hello")
    assert raised.value.code is ErrorCode.UNTRUSTED_PEER
    assert raised.value.message.startswith("untrusted: ")
