"""Redirects, cookies and credentials of clients over HTTP (HTTP-40 to HTTP-47)."""

from __future__ import annotations

import asyncio
import ssl
import threading
from pathlib import Path
from typing import Any

import pytest

from creo import CallOptions, CreoError, ErrorCode, Limits, RawMessage
from creo._http import parse_url
from creo._http.cookies import Jar
from creo.http import HttpOptions
from creo.json import JsonChannel
from creo.soap import UsernameToken
from fake import Peer, Script, Server, dead_port, serve
from fake_http import Received, answer, expect, receive
from flow import FlowClient
from sample import AsyncDataServiceClient, DataServiceClient
from test_soap import get_total, total

BOTH = pytest.mark.parametrize("asynchronous", [False, True])
GOOD = answer("42.5", kind="application/json")
BASIC = HttpOptions(basic=("me", "hunter2"))


def redirect(place: str, status: int = 307, more: str = "") -> bytes:
    return answer("moved", f"{status} x", "text/plain", f"Location: {place}\r\n{more}")


class Replies:
    """Answers requests, on any number of connections, in turn; keeps the requests."""

    def __init__(self, *replies: bytes) -> None:
        self.replies = list(replies)
        self.requests: list[Received] = []

    def __call__(self, peer: Peer) -> None:
        while (request := receive(peer)) is not None:
            self.requests.append(request)
            peer.send(self.replies.pop(0))


def call(asynchronous: bool, url: str, times: int = 1, **options: Any) -> list[float]:
    """The results of calls of one client."""
    if not asynchronous:
        with DataServiceClient.json(url, **options) as client:
            return [get_total(client) for _ in range(times)]

    async def run() -> list[float]:
        async with AsyncDataServiceClient.json(url, **options) as client:
            return [await client.total([1.0, 2.5]) for _ in range(times)]

    return asyncio.run(run())


def failed(asynchronous: bool, url: str, **options: Any) -> CreoError:
    with pytest.raises(CreoError) as caught:
        call(asynchronous, url, **options)
    return caught.value


@BOTH
def test_a_redirect_to_another_origin_takes_the_message_alone(asynchronous: bool) -> None:
    """HTTP-42: no headers, metadata, credentials or cookies; and not again on the way back."""
    other = Replies()
    own = Replies()
    shown: list[RawMessage] = []
    options = CallOptions(
        headers={"X-Session": "hunter2", "User-Agent": "lab/1"},
        metadata={"key": "hunter2", "traceparent": "hunter2"},
        raw_messages=shown.append,
    )
    with serve(own) as first, serve(other) as second:
        here, there = f"127.0.0.1:{first.port}", f"127.0.0.1:{second.port}"
        cookie = "Set-Cookie: a=hunter2\r\n"
        own.replies += [redirect(f"http://{there}/x", more=cookie), GOOD, GOOD]
        other.replies += [redirect(f"http://{here}/y", 308, "Set-Cookie: evil=1\r\n")]
        http = HttpOptions(redirects=2, cookies=True, basic=("me", "hunter2"))
        url = f"http://{here}/DataService"
        assert call(asynchronous, url, 2, http=http, options=options) == [42.5, 42.5]
    one, back, two = own.requests
    (away,) = other.requests
    assert one.body == away.body == back.body and away.line == "POST /x HTTP/1.1"
    assert set(away.headers) == {
        "host",
        "content-type",
        "content-length",
        "creo-timeout",
        "user-agent",
    }
    assert away.headers["host"] == there and away.headers["user-agent"].startswith("creo/")
    assert set(back.headers) == set(away.headers) and back.line == "POST /y HTTP/1.1"
    assert two.headers["cookie"] == "a=hunter2" and two.headers["x-session"] == "hunter2"
    assert two.headers["user-agent"] == "lab/1" and two.headers["creo-meta-key"] == "hunter2"
    assert two.headers["authorization"] == one.headers["authorization"] != ""
    peers = [(message.peer, message.status) for message in shown]
    assert peers[:6] == [(here, 0), (here, 307), (there, 0), (there, 308), (here, 0), (here, 200)]
    for message in shown:
        for name, value in message.headers:
            if name.lower() in ("cookie", "set-cookie", "authorization"):
                assert value == "***"


@BOTH
def test_https(asynchronous: bool, certificate: Path) -> None:
    """HTTP-41, HTTP-42: from http to https, never back; the other origin's name is checked."""
    service = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    service.load_cert_chain(certificate)
    trusting = ssl.create_default_context(cafile=certificate)
    http = HttpOptions(redirects=3)
    own, other = Replies(), Replies(GOOD)
    with serve(own, context=service) as first, serve(other, context=service) as second:
        own.replies += [redirect(f"//localhost:{second.port}/x")]
        url = f"https://127.0.0.1:{first.port}/D"
        told: dict[str, Any] = {"tls": trusting, "server_name": "localhost", "http": http}
        assert call(asynchronous, url, **told) == [42.5]
    own = Replies()
    with serve(own, context=service) as first, serve() as second:
        own.replies += [redirect(f"http://localhost:{second.port}/x")]
        url = f"https://localhost:{first.port}/D"
        error = failed(asynchronous, url, tls=trusting, http=http)
        assert error.code is ErrorCode.UNAVAILABLE and "from https to http" in error.message
        assert second.connections == 0
    own = Replies()
    with serve(own, context=service) as first, serve(Replies(), context=service) as second:
        own.replies += [redirect(f"https://127.0.0.1:{second.port}/x")]
        url = f"https://localhost:{first.port}/D"
        error = failed(asynchronous, url, tls=trusting, http=http)
        assert error.code is ErrorCode.UNTRUSTED_PEER
    own = Replies()
    with serve(own) as first, serve(Replies(), context=service) as second:
        own.replies += [redirect(f"https://localhost:{second.port}/x")]
        error = failed(asynchronous, f"http://127.0.0.1:{first.port}/D", http=http)
        assert error.code is ErrorCode.UNTRUSTED_PEER and error.details["peer"].startswith(
            "localhost"
        )


@BOTH
def test_an_error_after_a_redirect_names_its_place(asynchronous: bool) -> None:
    own, other = Replies(), Replies(answer("no", "404 Not Found", "text/plain"))
    with serve(own) as first, serve(other) as second:
        own.replies += [redirect(f"http://127.0.0.1:{second.port}/gone")]
        url = f"http://127.0.0.1:{first.port}/D"
        error = failed(asynchronous, url, http=HttpOptions(redirects=1))
    assert f"http://127.0.0.1:{second.port}/gone answered 404" in error.message
    assert error.details["peer"] == f"127.0.0.1:{second.port}" and not error.not_started


AUTH_INT = 'WWW-Authenticate: Digest realm="r", nonce="n", qop="auth-int"\r\n'


@BOTH
@pytest.mark.parametrize(
    ("reply", "status"),
    [(answer("", "307 x", "text/plain"), 307), (answer("", "401 x", "text/plain", AUTH_INT), 401)],
)
def test_the_program_has_the_answer_that_leads_nowhere(
    asynchronous: bool, reply: bytes, status: int
) -> None:
    """CALL-4"""
    seen: list[int | None] = []
    options = CallOptions(on_answer=lambda found: seen.append(found.status))
    http = HttpOptions(redirects=1, digest=("me", "hunter2"))
    with serve(Replies(reply)) as server:
        url = f"http://127.0.0.1:{server.port}/D"
        failed(asynchronous, url, http=http, options=options)
    assert seen == [status]


@BOTH
def test_a_place_where_nothing_listens(asynchronous: bool) -> None:
    """HTTP-42: the request that was answered was not executed, and the last was not written."""
    with dead_port() as port, serve(Replies(redirect(f"http://127.0.0.1:{port}/x"))) as server:
        error = failed(
            asynchronous, f"http://127.0.0.1:{server.port}/D", http=HttpOptions(redirects=1)
        )
    assert error.code is ErrorCode.UNAVAILABLE and error.not_started
    assert error.details["peer"] == f"127.0.0.1:{port}"


@BOTH
def test_the_deadline_is_that_of_the_call(asynchronous: bool) -> None:
    def silent(peer: Peer) -> None:
        expect(peer)
        receive(peer)

    own = Replies()
    with serve(own) as first, serve(silent) as second:
        own.replies += [redirect(f"http://127.0.0.1:{second.port}/x")]
        url = f"http://127.0.0.1:{first.port}/D"
        http, options = HttpOptions(redirects=1), CallOptions(deadline=0.3)
        error = failed(asynchronous, url, http=http, options=options)
    assert error.code is ErrorCode.DEADLINE_EXCEEDED


def test_closing_a_channel_ends_a_redirected_call() -> None:
    arrived = threading.Event()

    def silent(peer: Peer) -> None:
        expect(peer)
        arrived.set()
        receive(peer)

    own = Replies()
    errors: list[CreoError] = []

    def run(client: DataServiceClient) -> None:
        with pytest.raises(CreoError) as caught:
            get_total(client)
        errors.append(caught.value)

    with serve(own) as first, serve(silent) as second:
        own.replies += [redirect(f"http://127.0.0.1:{second.port}/x")]
        client = DataServiceClient.json(
            f"http://127.0.0.1:{first.port}/D", http=HttpOptions(redirects=1)
        )
        thread = threading.Thread(target=run, args=(client,))
        thread.start()
        assert arrived.wait(10)
        client.close()
        thread.join(10)
    assert errors[0].code is ErrorCode.CANCELLED


def soap_error(server: Server, **options: Any) -> CreoError:
    with DataServiceClient.soap(f"http://127.0.0.1:{server.port}/D", **options) as client:
        with pytest.raises(CreoError) as caught:
            get_total(client)
    return caught.value


class Signing:
    """A security that changes nothing."""

    def send(self, envelope: bytes) -> bytes:
        return envelope

    def receive(self, answer: bytes, charset: str | None) -> bytes:
        return answer


def test_a_message_that_says_who_calls_stays_at_its_origin() -> None:
    """HTTP-42"""
    token: dict[str, Any] = {
        "username_token": UsernameToken("me", "hunter2"),
        "http": HttpOptions(redirects=2),
    }
    signed: dict[str, Any] = {"security": Signing(), "http": HttpOptions(redirects=2)}
    for secured in (token, signed):
        own = Replies()
        with serve(own) as first, serve() as second:
            own.replies += [redirect(f"http://127.0.0.1:{second.port}/x")]
            error = soap_error(first, **secured)
            assert "WS-Security" in error.message and second.connections == 0
    own = Replies(redirect("/x"), answer(total("7")))
    with serve(own) as first:
        with DataServiceClient.soap(f"http://127.0.0.1:{first.port}/D", **token) as client:
            assert get_total(client) == 7
    assert own.requests[0].body == own.requests[1].body and b"hunter2" in own.requests[1].body


def test_streams_are_not_redirected_but_have_cookies_and_credentials() -> None:
    http = HttpOptions(redirects=5, cookies=True, basic=("me", "hunter2"))
    lines = (
        b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nSet-Cookie: a=b\r\n"
        b'Connection: close\r\n\r\n{"item":0}\n{"end":true}\n'
    )
    replies = Replies(lines, redirect("/x"))

    def one(peer: Peer) -> None:
        request = expect(peer)
        replies.requests.append(request)
        peer.send(replies.replies.pop(0))

    with serve(one, one) as server:
        with FlowClient.json(f"http://127.0.0.1:{server.port}/Flow", http=http) as client:
            assert list(client.numbers(1)) == [0]
            with pytest.raises(CreoError) as caught:
                list(client.numbers(1))
    assert "redirects are not followed" in caught.value.message
    first, second = replies.requests
    assert "cookie" not in first.headers and second.headers["cookie"] == "a=b"
    assert first.headers["authorization"] == second.headers["authorization"]


@pytest.mark.parametrize(
    ("http", "options"),
    [
        (BASIC, CallOptions(headers={"authorization": "x"})),
        (BASIC, CallOptions(metadata={"authorization": "x"})),
        (HttpOptions(bearer="x"), CallOptions(headers={"Authorization": "x"})),
        (HttpOptions(cookies=True), CallOptions(headers={"COOKIE": "a=b"})),
    ],
)
def test_what_the_program_must_not_set_beside_it(http: HttpOptions, options: CallOptions) -> None:
    with serve() as server:
        error = failed(False, f"http://127.0.0.1:{server.port}/D", http=http, options=options)
        assert error.code is ErrorCode.INVALID_VALUE and server.connections == 0
        assert "hunter2" not in str(error)


def test_credentials_that_could_be_read_on_the_way() -> None:
    """HTTP-46"""
    for url in ("http://example.com/", "http://127.0.0.1.example.com/", "http://10.0.0.1/"):
        with pytest.raises(ValueError) as caught:
            JsonChannel(url, http=BASIC)
        assert "hunter2" not in str(caught.value)
        JsonChannel(url, http=HttpOptions(redirects=1, cookies=True)).close()
    for url in ("https://example.com/", "http://localhost/", "http://127.9.9.9/", "http://[::1]/"):
        JsonChannel(url, http=BASIC).close()
    assert "hunter2" not in repr(BASIC) and "hunter2" not in repr(HttpOptions(bearer="hunter2"))


@pytest.mark.parametrize(
    "options",
    [
        {"redirects": -1}, {"redirects": 21}, {"basic": ("a:b", "c")}, {"basic": ("a", "b\r\nc")},
        {"basic": ("a", "\x85")}, {"basic": ("a" * 1_025, "")}, {"basic": ("\ud800", "")},
        {"bearer": ""}, {"bearer": "a b"}, {"bearer": "a=b"}, {"bearer": "a\n"}, {"bearer": "\u00e9"},
        {"bearer": "a" * 8_193}, {"basic": ("a", "b"), "bearer": "c"},
    ],
)  # fmt: skip
def test_options_that_are_none(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        HttpOptions(**options)


# Cookies


def jar_of(url: str = "http://example.com/a/b", clock: Any = lambda: 1_000.0) -> Jar:
    return Jar(parse_url(url), clock)


def test_many_cookies_cost_little_room() -> None:
    """HTTP-45: whatever a service sends, 50 cookies and 16,384 bytes are kept."""
    jar = jar_of()
    jar.take("/a", [f"c{i}=x" for i in range(10_000)])
    assert jar.header("/a") == "; ".join(f"c{i}=x" for i in range(9_950, 10_000))
    jar.take("/a", [f"{i}=" + "x" * 4_000 for i in range(100)])
    assert 15_000 < len(jar.header("/a")) <= 16_384 + 100
    jar.take("/a", ["a=" + "x" * 10_000_000, ";" * 1_000_000, "=" * 1_000_000])
    assert "xx; a=" not in jar.header("/a")


def test_cookies_end_with_their_time() -> None:
    now = 1_000.0
    jar = jar_of(clock=lambda: now)
    jar.take(
        "/", ["a=1; Max-Age=10", "b=2; Max-Age=20", "c=3; Expires=Thu, 01 Jan 1970 00:17:00 GMT"]
    )
    assert jar.header("/") == "a=1; b=2; c=3"
    now = 1_010.0
    assert jar.header("/") == "b=2; c=3"
    now = 1_020.0
    assert jar.header("/") == ""


@pytest.mark.parametrize(
    ("url", "domain", "kept"),
    [
        ("http://api.example.com/", "example.com", True),
        ("http://api.example.com/", ".EXAMPLE.com", True),
        ("http://api.example.com/", "com", True),
        ("http://api.example.com/", "ample.com", False),
        ("http://api.example.com/", "x.api.example.com", False),
        ("http://api.example.com/", "..", False),
        ("http://10.1.2.3/", "1.2.3", False),
        ("http://[::1]/", "1", False),
    ],
)
def test_domains(url: str, domain: str, kept: bool) -> None:
    """HTTP-44: whatever it is, the cookie goes to the host alone."""
    jar = jar_of(url)
    jar.take("/", [f"a=b; Domain={domain}"])
    assert jar.header("/") == ("a=b" if kept else "")


def test_a_secure_cookie() -> None:
    jar = jar_of("https://example.com/")
    jar.take("/", ["a=b; secure"])
    assert jar.header("/") == "a=b"


@pytest.mark.parametrize(
    "date",
    [
        "Thu, 01 Jan 1970 00:17:00 GMT", "Thursday, 01-Jan-70 00:17:00 GMT",
        "Thu Jan  1 00:17:00 1970", "1 jan 70 0:17:0",
    ],
)  # fmt: skip
def test_dates(date: str) -> None:
    now = 1_019.0
    jar = jar_of(clock=lambda: now)
    jar.take("/", [f"a=b; Expires={date}"])
    assert jar.header("/") == "a=b"
    now = 1_020.0
    assert jar.header("/") == ""


def test_many_threads_share_the_cookies() -> None:
    replies: list[Script] = [lambda peer: Each(peer).run() for _ in range(4)]

    class Each:
        def __init__(self, peer: Peer) -> None:
            self.peer = peer

        def run(self) -> None:
            number = 0
            while receive(self.peer) is not None:
                number += 1
                more = f"Set-Cookie: c{number % 70}=x; Path=/{'' if number % 2 else 'D'}\r\n"
                self.peer.send(answer("42.5", kind="application/json", more=more))

    with serve(*replies) as server:
        url = f"http://127.0.0.1:{server.port}/D"
        with DataServiceClient.json(url, http=HttpOptions(cookies=True)) as client:
            threads = [
                threading.Thread(target=lambda: [get_total(client) for _ in range(100)])
                for _ in range(4)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert get_total(client) == 42.5


def test_an_answer_with_too_many_lines() -> None:
    """LIM-26 holds before any cookie is read."""
    replies = Replies(
        answer("42.5", kind="application/json", more="Set-Cookie: a=b\r\n" * 10_000), GOOD
    )
    with serve(replies, replies) as server:
        limits = Limits(max_header_size=1_000_000)
        url = f"http://127.0.0.1:{server.port}/D"
        with DataServiceClient.json(url, http=HttpOptions(cookies=True), limits=limits) as client:
            with pytest.raises(CreoError) as caught:
                get_total(client)
            assert caught.value.code is ErrorCode.TOO_LARGE
            assert get_total(client) == 42.5
    assert "cookie" not in replies.requests[1].headers
