"""Whole calls: the client of Python, and a service of Java that demands signatures and encryption."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from conftest import Partner
from creo import CreoError, ErrorCode
from creo.soap import AsyncSoapChannel, SoapChannel, UsernameToken
from creo.wss import WsSecurity
from keys import Pair, keys_of
from org.example.notes import AsyncNotesClient, Full, NotesClient, Reading

READINGS = [Reading("a & <b>", 1.5, "Grüße"), Reading("c", -0.25, None), Reading("", 1e300, "\U0001f600|\t")]
ALICE = "hello CN=alice,O=Example"


@pytest.fixture(scope="session")
def keys(partner: Partner) -> dict[str, Pair]:
    return keys_of(partner)


@pytest.fixture(scope="session")
def url(partner: Partner) -> str:
    return f"http://127.0.0.1:{partner.ask('serve')[0]}/Notes"


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
        client = NotesClient.over(channel)
        assert client.say("hello") == ALICE
        assert list(client.echo(READINGS)) == READINGS
        client.clear()
        client.note("noted")
        with pytest.raises(Full) as raised:
            client.say("full")
        assert raised.value.max == 3


def test_calls_of_asyncio(url: str, security: WsSecurity) -> None:
    async def calls() -> None:
        async with AsyncSoapChannel(url, security=security) as channel:
            client = AsyncNotesClient.over(channel)
            assert await asyncio.gather(*(client.say("hello") for _ in range(8))) == [ALICE] * 8
            with pytest.raises(Full):
                await client.say("full")

    asyncio.run(calls())


def test_a_token_of_a_user(partner: Partner, security: WsSecurity) -> None:
    url = f"http://127.0.0.1:{partner.ask('serve', passwords=1)[0]}/Notes"
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
