"""Addressing and tokens of users: the blocks of requests, and what those of answers mean (``soap.md``)."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import asyncio
import pickle
import re
from typing import Any

import pytest

from creo import CreoError, ErrorCode, Limits
from creo._http import parse_url
from creo._http.channel import Request
from creo._soap import Operation, SoapBinding
from creo._soap.addressing import ADDRESSING
from creo._soap.security import Security, digest
from creo.codegen.text import TEXT_DOUBLE, TextField, TextMessage, TextMethod
from creo.soap import AsyncSoapChannel, SoapChannel, UsernameToken
from fake import Peer, serve
from fake_http import (
    ENVELOPE,
    ENVELOPE_12,
    Received,
    answer,
    envelope,
    expect,
    fault,
    fault_12,
    package,
    receive,
)
from partner import AddressedClient, AsyncAddressedClient
from partner.creo_client import _ADDRESSED_ASK as ASK
from partner.creo_client import _ADDRESSED_TELL as TELL
from partner.creo_client import _PARTNER_GREET as GREET
from sample import AsyncDataServiceClient, DataServiceClient
from sample.creo_client import _DATA_SERVICE_TOTAL as TOTAL
from sample.creo_text import DATA_SERVICE_INTERFACE_METHODS

WSS = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-"
WSSE = f"{WSS}wssecurity-secext-1.0.xsd"
WSSE_11 = "http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd"
WSU = f"{WSS}wssecurity-utility-1.0.xsd"
ID = "urn:uuid:0d6f4c0e-98c2-4b61-a7b0-5c1c6f4a1f0e"
RANDOM_ID = "urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
#: 2026-11-27T18:00:00.000Z; anything below a millisecond is truncated.
NOW = 1_795_802_400_000_999_999
URL = parse_url("http://a/D")
NONCE = bytes(range(16))
SECRET = "Geheimnis-ß"
RESULT = '<totalResponse xmlns="urn:creo:sample"><result>{}</result></totalResponse>'
TIMESTAMP = (
    "<wsu:Timestamp><wsu:Created>2026-11-27T18:00:00.000Z</wsu:Created>"
    "<wsu:Expires>2026-11-27T18:05:00.000Z</wsu:Expires></wsu:Timestamp>"
)


def random_nonce(size: int) -> bytes:
    assert size == 16
    return NONCE


def security(token: UsernameToken | None, timestamp: bool = False) -> Security:
    return Security(token, timestamp, clock=lambda: NOW, random=random_nonce)


def operation(
    method: Any = TOTAL,
    version: str | None = None,
    tables: str | None = None,
    addressing: bool | None = None,
    made: Security | None = None,
) -> Operation[Any]:
    """A method for one call, whose id is known."""
    binding = SoapBinding(version, False, tables, False, addressing, made)
    found = binding.for_call(binding.operation(method))
    if found._header is not None and found._header.id:
        assert re.fullmatch(RANDOM_ID, found._header.id)
        found._header.id = ID
    return found


def written(
    method: Any = TOTAL, arguments: Any = ([1.0],), url: str = "http://a/D", **told: Any
) -> Request:
    return operation(method, **told).request(arguments, parse_url(url), Limits())


def header_of(request: Request) -> str:
    """The content of the header, which must come first."""
    found = re.match(
        "<soap:Envelope[^>]*><soap:Header>(.*)</soap:Header><soap:Body>", request.body[0].decode()
    )
    assert found is not None, request.body
    return found[1]


def addressed(action: str, to: str, reply: str = "anonymous") -> str:
    declared = f'xmlns:wsa="{ADDRESSING}"'
    return (
        f"<wsa:Action {declared}>{action}</wsa:Action>"
        f"<wsa:MessageID {declared}>{ID}</wsa:MessageID>"
        f"<wsa:ReplyTo {declared}><wsa:Address>{ADDRESSING}/{reply}</wsa:Address></wsa:ReplyTo>"
        f"<wsa:To {declared}>{to}</wsa:To>"
    )


def secured(inside: str) -> str:
    return (
        f'<wsse:Security xmlns:wsse="{WSSE}" xmlns:wsu="{WSU}" soap:mustUnderstand="1">'
        f"{inside}</wsse:Security>"
    )


def password(kind: str, text: str) -> str:
    return f'<wsse:Password Type="{WSS}username-token-profile-1.0#{kind}">{text}</wsse:Password>'


def token_block(user: str, text: str) -> str:
    return (
        f"<wsse:UsernameToken><wsse:Username>{user}</wsse:Username>"
        f"{password('PasswordText', text)}</wsse:UsernameToken>"
    )


DIGEST_BLOCK = (
    "<wsse:UsernameToken><wsse:Username>anna</wsse:Username>"
    f"{password('PasswordDigest', 'X2aeuSfXpOP02ycDIqBW2Lc9CC0=')}"
    f'<wsse:Nonce EncodingType="{WSS}soap-message-security-1.0#Base64Binary">'
    "AAECAwQFBgcICQoLDA0ODw==</wsse:Nonce><wsu:Created>2026-11-27T18:00:00.000Z</wsu:Created>"
    "</wsse:UsernameToken>"
)


# Requests


@pytest.mark.parametrize("version", ["1.1", "1.2"])
@pytest.mark.parametrize("tables", [None, "record"])
def test_the_blocks_of_addressing(version: str, tables: str | None) -> None:
    request = written(
        version=version, tables=tables, addressing=True, url="http://a:81/D?x=1&y=<2>"
    )
    wanted = addressed("urn:creo:sample:DataService/total", "http://a:81/D?x=1&amp;y=&lt;2&gt;")
    assert header_of(request) == wanted
    namespace = ENVELOPE if version == "1.1" else ENVELOPE_12
    assert request.body[0].startswith(f'<soap:Envelope xmlns:soap="{namespace}"'.encode())
    assert request.headers.get("SOAPAction", "") in (
        ("", '"urn:creo:sample:DataService/total"') if version == "1.1" else ("",)
    )


def test_addressing_is_as_the_description_says() -> None:
    assert header_of(written(ASK, (1,))) == addressed("urn:partner:Addressed/ask", "http://a/D")
    told = written(TELL, ("x",))
    assert header_of(told) == addressed("urn:partner:Addressed/tell", "http://a/D", "none")
    for request in (written(ASK, (1,), addressing=False), written(), written(addressing=False)):
        assert b"Header" not in request.body[0]


def test_what_the_runtime_says_comes_before_the_headers_of_the_method() -> None:
    token = UsernameToken("anna", "secret")
    request = written(GREET, ("s", "n"), addressing=True, made=security(token))
    assert header_of(request) == (
        secured(token_block("anna", "secret"))
        + addressed("urn:service:Partner/greet", "http://a/D")
        + "<n2:Session>s</n2:Session>"
    )


@pytest.mark.parametrize("tables", [None, "record"])
def test_a_password_as_a_text(tables: str | None) -> None:
    token = UsernameToken(" <a>\r&b ", "]]>\u20ac\U0001f600")
    request = written(tables=tables, made=security(token))
    wanted = token_block(" &lt;a&gt;&#13;&amp;b ", "]]&gt;\u20ac\U0001f600")
    assert header_of(request) == secured(wanted)


def test_a_password_as_a_digest() -> None:
    assert digest(NONCE, "2026-11-27T18:00:00.000Z", SECRET) == "X2aeuSfXpOP02ycDIqBW2Lc9CC0="
    token = UsernameToken("anna", SECRET, digest=True)
    request = written(made=security(token, timestamp=True))
    assert header_of(request) == secured(TIMESTAMP + DIGEST_BLOCK)
    assert header_of(written(made=security(token))) == secured(DIGEST_BLOCK)


def test_a_time_alone() -> None:
    assert header_of(written(made=security(None, timestamp=True))) == secured(TIMESTAMP)


def test_nothing_of_two_requests_is_the_same() -> None:
    made = Security(UsernameToken("anna", SECRET, digest=True), False)
    binding = SoapBinding(None, False, None, False, True, made)
    found: list[str] = []
    for _ in range(20):
        request = binding.for_call(binding.operation(TOTAL)).request(([1.0],), URL, Limits())
        found.append(header_of(request))
    for pattern in (RANDOM_ID, '(?<=Base64Binary">)[^<]{22}==(?=<)', '(?<=PasswordDigest">)[^<]+'):
        texts = [re.findall(pattern, text) for text in found]
        assert len({text for (text,) in texts}) == 20


@pytest.mark.parametrize(
    "wrong",
    ["", "a\0b", "a\x1b", "a\ud800", "a\ufffe", "a" * 1_025, "a" * 2_048],
)
def test_tokens_that_cannot_be_sent(wrong: str) -> None:
    for user, text, place in ((wrong, "secret", "$.user"), ("anna", wrong, "$.password")):
        with pytest.raises(CreoError) as caught:
            UsernameToken(user, text)
        assert (caught.value.code, caught.value.place) == (ErrorCode.INVALID_VALUE, place)
        # The error contains neither.
        said = f"{caught.value} {caught.value!r} {dict(caught.value.details)}"
        assert "secret" not in said and "anna" not in said and (not wrong or wrong not in said)
    longest = UsernameToken("\U0001f600" * 1_024, "\t" * 1_024)
    assert len(longest.user) == len(longest.password) == 1_024


def test_the_password_is_not_shown() -> None:
    token = UsernameToken("anna", "secret")
    assert repr(token) == str(token) == "UsernameToken(user='anna', digest=False)"
    with SoapChannel("http://127.0.0.1:1/D", username_token=token) as channel:
        client = DataServiceClient.over(channel)
        with pytest.raises(CreoError) as caught:
            client.total([1.0])
        assert not re.search(
            "secret|anna", f"{channel!r}{client!r}{caught.value}{caught.value.details}"
        )
    with pytest.raises(AttributeError):
        token.password = "x"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    assert pickle.loads(pickle.dumps(token)) == token == UsernameToken("anna", "secret", False)


def test_a_token_is_one() -> None:
    other: Any = ("anna", "secret")
    for channel in (SoapChannel, AsyncSoapChannel):
        with pytest.raises(TypeError, match=r"a UsernameToken of creo\.soap$"):
            channel("http://a/", username_token=other)


# Answers


def replies(*blocks: str, version: str = "1.1", body: str = RESULT.format("1")) -> str:
    namespace = ENVELOPE if version == "1.1" else ENVELOPE_12
    declared = f'xmlns:a="{ADDRESSING}" xmlns:s="{WSSE}" xmlns:t="{WSSE_11}" xmlns:wsu="{WSU}"'
    return envelope(body, namespace, f"<S:Header {declared}>{''.join(blocks)}</S:Header>")


def read(text: str, **told: Any) -> Any:
    return operation(**told).read(text.encode(), "text/xml", Limits(), "peer")


def refused(text: str, **told: Any) -> CreoError:
    with pytest.raises(CreoError) as caught:
        read(text, **told)
    return caught.value


def relates(id_: str, more: str = "") -> str:
    return f"<a:RelatesTo{more}>{id_}</a:RelatesTo>"


REPLY = f' RelationshipType="{ADDRESSING}/reply"'
OTHER = ' RelationshipType="urn:other"'


@pytest.mark.parametrize("version", ["1.1", "1.2"])
@pytest.mark.parametrize("must", ["", ' S:mustUnderstand="1"', ' S:mustUnderstand="true"'])
@pytest.mark.parametrize(
    "blocks",
    [
        "", relates(ID), relates(f" \n{ID}\t"), relates(ID, REPLY), relates(ID, OTHER), relates("urn:x", OTHER),
        relates("urn:x") + relates(ID), relates(ID) + relates("urn:x"), relates("urn:x", OTHER) + relates(ID, REPLY),
        f"<a:RelatesTo><!-- x --><![CDATA[{ID}]]></a:RelatesTo>",
        "<a:Action>x</a:Action><a:MessageID>y</a:MessageID><a:To/><a:Strange><b/></a:Strange>",
        '<b:RelatesTo xmlns:b="urn:b">urn:x</b:RelatesTo>',
        '<a:RelatesTo S:actor="urn:elsewhere" S:role="urn:elsewhere">urn:x</a:RelatesTo>',
    ],
)  # fmt: skip
def test_answers_to_this_request(blocks: str, must: str, version: str) -> None:
    blocks = re.sub("<(a:[A-Z][A-Za-z]*)", rf"<\1{must}", blocks)
    text = replies(blocks, version=version)
    assert read(text, addressing=True) == 1
    # A client understands the blocks of others, too.
    assert read(text) == 1


@pytest.mark.parametrize("version", ["1.1", "1.2"])
@pytest.mark.parametrize(
    "blocks",
    [
        relates("urn:x"), relates("urn:x", REPLY), relates(""), relates(ID.upper()), relates("urn:x") * 300,
        relates("urn:x") + relates(ID, OTHER), relates(ID[:-1]), f"<a:RelatesTo><b>{ID}</b></a:RelatesTo>",
        f'<a:RelatesTo S:mustUnderstand="0">{"x" * 5_000}</a:RelatesTo>',
    ],
)  # fmt: skip
def test_answers_to_another_request(blocks: str, version: str) -> None:
    text = replies(blocks, version=version)
    error = refused(text, addressing=True)
    assert (error.code, error.details["peer"]) == (ErrorCode.PROTOCOL_MISMATCH, "peer")
    assert error.message.startswith("the answer is for another request") and ID in error.message
    assert len(error.message) < 2_000
    assert read(text) == 1


def test_faults_are_read_whatever_they_relate_to() -> None:
    header = re.compile("<S:Body>")
    blocks = (
        f'<S:Header xmlns:a="{ADDRESSING}" xmlns:s="{WSSE}" xmlns:wsu="{WSU}">{relates("urn:x")}'
        '<s:Security S:mustUnderstand="1"><s:Other/><wsu:Timestamp><wsu:Created>x</wsu:Created>'
        "</wsu:Timestamp></s:Security><s:Security><wsu:Timestamp><wsu:Created>x</wsu:Created>"
        "<wsu:Expires>1999-01-01T00:00:00Z</wsu:Expires></wsu:Timestamp></s:Security></S:Header><S:Body>"
    )
    made = security(UsernameToken("anna", "secret"))
    for text, code in (
        (fault("S:Client", "why"), "malformed"),
        (fault_12("S:Receiver", "why"), "internal"),
    ):
        error = refused(header.sub(blocks, text), addressing=True, made=made)
        assert (error.code, error.message) == (code, "why")


def stamp(created: str, expires: str = "") -> str:
    moments = f"<wsu:Created>{created}</wsu:Created>" if created else ""
    moments += f"<wsu:Expires>{expires}</wsu:Expires>" if expires else ""
    return f"<wsu:Timestamp>{moments}</wsu:Timestamp>"


def block(inside: str, more: str = ' S:mustUnderstand="1"') -> str:
    return f"<s:Security{more}>{inside}</s:Security>"


CONFIRMED = "<t:SignatureConfirmation/>"


@pytest.mark.parametrize("version", ["1.1", "1.2"])
@pytest.mark.parametrize(
    "inside",
    [
        "", stamp("2026-11-27T18:00:00Z", "2026-11-27T18:05:00Z"), stamp(""),
        "<s:UsernameToken><s:Username>x</s:Username></s:UsernameToken>", CONFIRMED,
        stamp("2026-11-27T18:00:00.123Z") + CONFIRMED + "<s:UsernameToken/>",
        # Within five minutes, in any zone.
        stamp("2026-11-27T18:05:00Z"), stamp("2026-11-27T20:05:00+02:00"), stamp("2026-11-27T18:05:00.000999999Z"),
        stamp("1999-01-01T00:00:00Z", "2026-11-27T17:55:00.001Z"), stamp(" 2026-11-27T18:00:00Z\n"),
        "<wsu:Timestamp><wsu:Other>x</wsu:Other></wsu:Timestamp>",
    ],
)  # fmt: skip
def test_security_that_is_understood(inside: str, version: str) -> None:
    made = security(UsernameToken("anna", "secret"))
    text = replies(block(inside), version=version)
    assert read(text, made=made) == 1
    assert read(text, made=security(None, timestamp=True)) == 1
    # SOAP-52 and SOAP-4: only clients that write such a block understand it.
    error = refused(text, made=None)
    assert (
        error.code is ErrorCode.PROTOCOL_MISMATCH
        and f"{{{WSSE}}}Security, which must be understood" in error.message
    )


@pytest.mark.parametrize(
    "inside",
    [
        '<d:Signature xmlns:d="http://www.w3.org/2000/09/xmldsig#"/>', '<t:SignatureConfirmation Value="x"/>',
        '<t:SignatureConfirmation Value=""/>', "<s:BinarySecurityToken>AA==</s:BinarySecurityToken>",
        stamp("2026-11-27T18:00:00Z") + '<x:EncryptedData xmlns:x="urn:x"/>', "<s:Timestamp/>", "<UsernameToken/>",
        "<s:SignatureConfirmation/>",
    ],
)  # fmt: skip
def test_security_that_is_not_understood(inside: str) -> None:
    made = security(UsernameToken("anna", "secret"))
    error = refused(replies(block(inside)), made=made)
    assert (
        error.code is ErrorCode.PROTOCOL_MISMATCH
        and f"{{{WSSE}}}Security, which must be understood" in error.message
    )
    # Such a block is skipped, with its time, if it need not be understood, or is for another.
    inside = stamp("2099-01-01T00:00:00Z") + inside
    for more in ("", ' S:mustUnderstand="0"', ' S:mustUnderstand="1" S:actor="urn:elsewhere"'):
        assert read(replies(block(inside, more)), made=made) == 1


def test_names_of_header_elements() -> None:
    """SOAP-25"""
    for name in ("{urn:h}Trace", "Trace", "{http://x.example/a%20b}Größe"):
        assert SoapBinding(None, False, None, False, understood=[name]).understood == {name}
    wrong_names = (
        "", "{urn:h}", "{}Trace", "h:Trace", "{urn:h}Trace ", "urn:h}Trace", "{{urn:h}Trace",
    )  # fmt: skip
    for wrong in wrong_names:
        with pytest.raises(ValueError, match="a header element is .namespace.name"):
            SoapBinding(None, False, None, False, understood=["Trace", wrong])
    with pytest.raises(ValueError, match="sequence of names"):
        SoapBinding(None, False, None, False, understood="Trace")


@pytest.mark.parametrize("must", ["", ' S:mustUnderstand="1"'])
@pytest.mark.parametrize(
    ("inside", "words"),
    [
        (stamp("2026-11-27T18:05:00.002Z"), "was created at 2026-11-27T18:05:00.002Z"),
        (stamp("2026-11-27T17:00:00Z", "2026-11-27T17:55:00Z"), "expired at 2026-11-27T17:55:00Z"),
        (stamp("9999-12-31T23:59:59Z"), "was created at 9999"),
        (stamp("", "0001-01-01T00:00:00Z"), "expired at 0001"),
        (stamp("2026-11-27T18:00:00Z") + stamp("2027-01-01T00:00:00Z"), "was created at 2027"),
    ],
)
def test_times_that_are_not_now(inside: str, words: str, must: str) -> None:
    made = security(UsernameToken("anna", "secret"))
    error = refused(replies(block(inside, must)), made=made)
    assert error.code is ErrorCode.PROTOCOL_MISMATCH and words in error.message, error
    assert error.details["peer"] == "peer" and "secret" not in str(error)
    # For another receiver it says nothing.
    assert read(replies(block(inside, ' S:actor="urn:elsewhere"')), made=made) == 1


@pytest.mark.parametrize(
    "text",
    ["x", "", "2026-13-01T00:00:00Z", "2026-11-27", "\u0661", "9" * 4_000],
    ids=range(6),
)
def test_times_that_are_none(text: str) -> None:
    made = security(UsernameToken("anna", "secret"))
    inside = f"<wsu:Timestamp><wsu:Created>{text}</wsu:Created></wsu:Timestamp>"
    error = refused(replies(block(inside)), made=made)
    assert error.code is ErrorCode.MALFORMED and "cannot be read" in error.message
    assert error.offset is not None and len(error.message) < 2_000


def test_many_blocks_of_an_answer() -> None:
    made = security(UsernameToken("anna", "secret"))
    blocks = (
        relates(ID)
        + "<a:Other><b><c/></b></a:Other>" * 500
        + block(stamp("2026-11-27T18:00:00Z") * 200) * 3
    )
    assert read(replies(blocks), addressing=True, made=made) == 1
    # The limits of XML hold within them.
    deep = "<a:Other>" + "<b>" * 600 + "</b>" * 600 + "</a:Other>"
    long = f"<a:RelatesTo><{'b' * 2_000}/></a:RelatesTo>"
    wide = "<wsu:Timestamp" + "".join(f" a{i}='1'" for i in range(300)) + "/>"
    for wrong in (deep, long, block(wide), block(f"<wsu:Timestamp>{deep}</wsu:Timestamp>")):
        assert refused(replies(wrong), addressing=True, made=made).code is ErrorCode.TOO_LARGE


def test_a_package_has_a_header_too() -> None:
    text = replies(relates("urn:x"))
    error: CreoError | None = None
    try:
        operation(addressing=True).read(
            package(text), "multipart/related; boundary=b", Limits(), "peer"
        )
    except CreoError as caught:
        error = caught
    assert error is not None and "for another request" in error.message


def test_messages_of_soap_encoding_have_a_header_too(monkeypatch: pytest.MonkeyPatch) -> None:
    used = ("http://schemas.xmlsoap.org/soap/encoding/", "http://www.w3.org/2001/XMLSchema")
    result = TextField("result", "", TEXT_DOUBLE)
    encoded = TextMethod(
        "urn:total",
        TextMessage("urn:t", "total", tuple, namespaces=(*used, "urn:t"), xsi=True),
        TextMessage("urn:t", "totalResponse", lambda: (result,), namespaces=("urn:t",)),
        encoded=True,
    )
    monkeypatch.setitem(DATA_SERVICE_INTERFACE_METHODS, "total", encoded)
    monkeypatch.setattr(TOTAL, "operations", {})
    token = UsernameToken("anna", "secret")
    found = operation(addressing=True, made=security(token))
    request = found.request(([],), URL, Limits())
    wanted = secured(token_block("anna", "secret")) + addressed("urn:total", "http://a/D")
    assert header_of(request) == wanted

    def answered(*blocks: str) -> Any:
        body = '<n:x xmlns:n="urn:t"><result>1</result></n:x>'
        return found.read(replies(*blocks, body=body).encode(), "text/xml", Limits(), "peer")

    assert answered(relates(ID), block(CONFIRMED)) == 1
    with pytest.raises(CreoError, match="for another request"):
        answered(relates("urn:x"))


# Over HTTP


def script_of(seen: list[Received], body: str) -> Any:
    """Answers a request by what ``body`` makes of its id."""

    def script(peer: Peer) -> None:
        request = expect(peer)
        seen.append(request)
        found = re.search(b"<wsa:MessageID [^>]*>([^<]*)<", request.body)
        id_ = "" if found is None else found[1].decode()
        peer.send(answer(body.replace("{id}", id_)))
        receive(peer)

    return script


ASKED = '<askResponse xmlns="urn:partner"><result>7</result></askResponse>'


@pytest.mark.parametrize("mtom", [False, True])
def test_calls_over_http(mtom: bool) -> None:
    seen: list[Received] = []
    token = UsernameToken("anna", "secret")
    reply = replies(relates("{id}", ' S:mustUnderstand="1"'), block(CONFIRMED), body=ASKED)

    async def call(url: str) -> int:
        async with AsyncAddressedClient.soap(
            url, mtom=mtom, username_token=token, timestamp=True
        ) as made:
            return await made.ask(2)

    with serve(script_of(seen, reply), script_of(seen, reply)) as server:
        url = f"http://127.0.0.1:{server.port}/Addressed?a=1&b=2"
        with AddressedClient.soap(url, mtom=mtom, username_token=token, timestamp=True) as client:
            assert client.ask(1) == 7
        assert asyncio.run(call(url)) == 7
    ids: set[str] = set()
    for request in seen:
        text = request.body.decode()
        ids.update(re.findall(RANDOM_ID, text))
        head = text[text.index("<soap:Envelope") : text.index("<soap:Body>")]
        assert head.index("<wsse:Security") < head.index("<wsa:Action")
        assert "<wsu:Timestamp>" in head and ">secret</wsse:Password>" in head
        assert f">http://127.0.0.1:{server.port}/Addressed?a=1&amp;b=2</wsa:To>" in head
        assert request.headers["soapaction"] == '"urn:partner:Addressed/ask"'
    assert len(ids) == 2


def test_an_answer_to_another_request_over_http() -> None:
    seen: list[Received] = []
    reply = replies(relates("urn:uuid:x"))

    async def call(url: str) -> float:
        async with AsyncDataServiceClient.soap(url, addressing=True) as made:
            return await made.total([1.0])

    with serve(*[script_of(seen, reply)] * 3) as server:
        url = f"http://127.0.0.1:{server.port}/D"
        with DataServiceClient.soap(url, addressing=True) as client:
            with pytest.raises(CreoError) as caught:
                client.total([1.0])
        with pytest.raises(CreoError) as awaited:
            asyncio.run(call(url))
        for error in (caught.value, awaited.value):
            assert error.code is ErrorCode.PROTOCOL_MISMATCH
            assert error.details["peer"] == f"127.0.0.1:{server.port}"
        with DataServiceClient.soap(url) as client:
            assert client.total([1.0]) == 1


def test_clients_that_share_a_method_share_no_token() -> None:
    seen: list[Received] = []
    reply = replies()
    with serve(*[script_of(seen, reply)] * 3) as server:
        url = f"http://127.0.0.1:{server.port}/D"
        for token in (UsernameToken("anna", "a1"), UsernameToken("ben", "b1"), None):
            with DataServiceClient.soap(url, username_token=token) as client:
                assert client.total([1.0]) == 1
    users = [re.findall(b"<wsse:Username>(.*)</wsse:Username>", request.body) for request in seen]
    assert users == [[b"anna"], [b"ben"], []]
    # The cached parts of a method, used by all of its calls, contain neither.
    kept: list[Any] = [made for made in TOTAL.operations.values() if isinstance(made, Operation)]
    assert kept and all(made._header is None for made in kept)
