"""Proxies (HTTP-21): requests in absolute-form, tunnels, and which proxy is used."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from creo import CallOptions, CreoError, ErrorCode, Limits
from creo._http import parse_url
from creo._http.proxy import proxy_of
from creo.json import AsyncJsonChannel, JsonChannel
from creo.soap import SoapChannel
from creo.tdxml import TdxmlChannel
from fake import Peer, Script, Server, dead_port, serve
from fake_http import answer, receive
from sample import AsyncDataServiceClient, DataServiceClient
from test_soap import total

BASIC = "Basic bWU6c2VjcmV0"
CLIENTS = pytest.mark.parametrize("asynchronous", [False, True])


class Proxy:
    """A proxy that opens tunnels to this machine, and answers plain requests itself."""

    def __init__(self, refusal: bytes = b"", connections: int = 8) -> None:
        """With ``refusal`` it answers everything with that."""
        self.heads: list[str] = []
        self._refusal = refusal
        self.server = Server((self._script,) * connections, None)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server.port}"

    def _script(self, peer: Peer) -> None:
        while True:
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                byte = peer.take(1)
                if not byte:
                    return
                head += byte
            text = head.decode("ascii")
            self.heads.append(text)
            length = [
                line[16:] for line in text.split("\r\n") if line.startswith("Content-Length: ")
            ]
            peer.take(int(length[0]) if length else 0)
            if self._refusal:
                peer.send(self._refusal)
                return
            if text.startswith("CONNECT "):
                self._tunnel(peer, int(text.split(" ")[1].rpartition(":")[2]))
                return
            peer.send(answer(total("3")))

    def _tunnel(self, peer: Peer, port: int) -> None:
        with socket.create_connection(("127.0.0.1", port)) as service:
            peer.send(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 Connection established\r\n")
            peer.send(b"Content-Length: 5\r\n\r\n")

            def back() -> None:
                with contextlib.suppress(OSError):
                    while data := service.recv(65_536):
                        peer.send(data)
                    peer.socket.shutdown(socket.SHUT_WR)

            thread = threading.Thread(target=back, daemon=True)
            thread.start()
            with contextlib.suppress(OSError):
                while data := peer.socket.recv(65_536):
                    service.sendall(data)
                service.shutdown(socket.SHUT_WR)
            thread.join(10)


@contextmanager
def proxy(refusal: bytes = b"") -> Generator[Proxy, None, None]:
    made = Proxy(refusal)
    try:
        yield made
    finally:
        made.server.stop()


def call(asynchronous: bool, url: str, times: int = 1, **told: Any) -> list[float]:
    """The results of calls of one client."""
    options = CallOptions(headers={"X-Key": "k"}, metadata={"authorization": "Bearer b"})

    async def calls() -> list[float]:
        async with AsyncDataServiceClient.soap(url, options=options, **told) as client:
            return [await client.total([1.0]) for _ in range(times)]

    if asynchronous:
        return asyncio.run(calls())
    with DataServiceClient.soap(url, options=options, **told) as client:
        return [client.total([1.0]) for _ in range(times)]


def refused(asynchronous: bool, url: str, **told: Any) -> CreoError:
    with pytest.raises(CreoError) as caught:
        call(asynchronous, url, **told)
    error = caught.value
    # The error contains neither the proxy's user nor a password.
    assert not any(word in f"{error}{error.details}" for word in ("secret", "me:", BASIC[6:]))
    return error


def sevens(peer: Peer) -> None:
    while (request := receive(peer)) is not None:
        assert request.line == "POST /DataService?a=b HTTP/1.1"
        assert not [name for name in request.headers if name.startswith("proxy")]
        assert request.headers["x-key"] == "k" and request.headers["authorization"] == "Bearer b"
        peer.send(answer(total("7")))


@contextmanager
def service(
    certificate: Path, script: Script = sevens
) -> Generator[tuple[str, ssl.SSLContext], None, None]:
    """A service with TLS, and how it is trusted."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with serve(script, context=context) as server:
        url = f"https://localhost:{server.port}/DataService?a=b"
        yield url, ssl.create_default_context(cafile=certificate)


@CLIENTS
def test_plain_requests(asynchronous: bool) -> None:
    with proxy() as made:
        url = "http://service.example:81/D?a=b"
        told = f"http://me:secret@{made.address}"
        assert call(asynchronous, url, 3, proxy=told) == [3.0] * 3
        assert call(asynchronous, "http://service.example/D", proxy=made.address) == [3.0]
    assert made.server.connections == 2
    for head in made.heads[:3]:
        assert head.startswith(
            "POST http://service.example:81/D?a=b HTTP/1.1\r\nHost: service.example:81\r\n"
        )
        assert f"\r\nProxy-Authorization: {BASIC}\r\n" in head and "\r\nX-Key: k\r\n" in head
    assert made.heads[3].startswith(
        "POST http://service.example/D HTTP/1.1\r\nHost: service.example\r\n"
    )
    assert "Proxy" not in made.heads[3]


@CLIENTS
def test_tunnels(asynchronous: bool, certificate: Path) -> None:
    with proxy() as made, service(certificate) as (url, trusting):
        told = f"http://me:secret@{made.address}/"
        assert call(asynchronous, url, 3, proxy=told, tls=trusting) == [7.0] * 3
    (head,) = made.heads
    authority = url[8:].partition("/")[0]
    assert head.startswith(f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n")
    # Only the credentials are for the proxy.
    assert (
        head.count("\r\n") == 5 and f"\r\nProxy-Authorization: {BASIC}\r\nUser-Agent: creo/" in head
    )


@CLIENTS
def test_the_certificate_behind_a_tunnel_is_checked(asynchronous: bool, certificate: Path) -> None:
    with proxy() as made, service(certificate) as (url, _):
        error = refused(asynchronous, url, proxy=made.address)
    assert error.code is ErrorCode.UNTRUSTED_PEER
    with proxy() as made, service(certificate) as (url, trusting):
        told = {"proxy": made.address, "tls": trusting, "server_name": "other.example"}
        error = refused(asynchronous, url, **told)
    assert error.code is ErrorCode.UNTRUSTED_PEER and "through the proxy" in error.message


@CLIENTS
def test_what_is_behind_a_tunnel_speaks_no_tls(asynchronous: bool) -> None:
    def plain(peer: Peer) -> None:
        peer.take(5)
        peer.send(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")

    with proxy() as made, serve(plain) as server:
        error = refused(asynchronous, f"https://localhost:{server.port}/", proxy=made.address)
    assert error.code is ErrorCode.PROTOCOL_MISMATCH and "TLS" in error.message


@CLIENTS
@pytest.mark.parametrize(
    ("reply", "code", "words"),
    [
        (b"HTTP/1.1 407 Auth\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 9\r\n\r\n<html></>",
         "unauthenticated", "407 Auth; Proxy-Authenticate: Basic realm=x"),
        (b"HTTP/1.0 403 No\r\n\r\n", "permission-denied", "403 No"),
        (b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", "unavailable", "502 Bad Gateway"),
        (b"HTTP/1.1 302 x\r\nLocation: http://a/\r\n\r\n", "unavailable", "302"),
        (b"HTTP/1.1 405 x\r\n\r\n", "protocol-mismatch", "405"),
        (b"SSH-2.0-x\r\n", "protocol-mismatch", "does not speak HTTP"),
        (b"HTTP/1.1 200 OK\r\n\r\nSSH-2.0-x\r\n", "protocol-mismatch", "not asked for"),
        (b"HTTP/1.1 200 OK\r\nA: b\r\n", "unavailable", "closed"),
        (b"HTTP/1.1 200 OK\r\nA: " + b"a" * 70_000, "too-large", "headers"),
    ],
)  # fmt: skip
def test_tunnels_that_are_refused(reply: bytes, code: str, words: str, asynchronous: bool) -> None:
    with proxy(reply) as made:
        told = f"http://me:secret@{made.address}"
        error = refused(asynchronous, "https://service.example/", proxy=told)
    assert error.code == code and words in error.message, error
    assert f"the proxy {made.address} opens no tunnel to service.example:443" in error.message
    assert error.details["peer"] == "service.example:443" and not error.from_peer


@CLIENTS
def test_a_plain_request_that_is_refused(asynchronous: bool) -> None:
    with proxy(answer("no", "407 Auth", "text/plain")) as made:
        error = refused(asynchronous, "http://service.example/", proxy=made.address)
    assert error.code is ErrorCode.UNAUTHENTICATED


@CLIENTS
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_is_not_there(scheme: str, asynchronous: bool) -> None:
    with dead_port() as port:
        error = refused(
            asynchronous, f"{scheme}://service.example/", proxy=f"http://me:secret@127.0.0.1:{port}"
        )
    where = f"service.example:{80 if scheme == 'http' else 443}"
    assert error.code is ErrorCode.UNAVAILABLE and error.details["peer"] == where
    assert error.message == f"{where} through the proxy 127.0.0.1:{port} refused the connection"


@CLIENTS
def test_a_proxy_that_does_not_answer(asynchronous: bool) -> None:
    def silent(peer: Peer) -> None:
        while peer.take(1):
            pass

    with serve(silent, silent) as server:
        told: dict[str, Any] = {"proxy": f"127.0.0.1:{server.port}"}
        url = "https://service.example/"
        error = refused(asynchronous, url, limits=Limits(connect_timeout=0.2), **told)
        assert error.code is ErrorCode.UNAVAILABLE and "through the proxy" in error.message

        async def hasty() -> None:
            async with AsyncDataServiceClient.soap(url, **told) as client:
                await client.with_options(deadline=0.2).total([1.0])

        with pytest.raises(CreoError) as caught:
            if asynchronous:
                asyncio.run(hasty())
            else:
                with DataServiceClient.soap(url, **told) as client:
                    client.with_options(deadline=0.2).total([1.0])
        assert caught.value.code is ErrorCode.DEADLINE_EXCEEDED


# Which proxy


def found(url: str, told: str | None = None) -> tuple[str, int] | None:
    made = proxy_of(told, parse_url(url))
    return None if made is None else (made.host, made.port)


def test_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found("http://a/") is None
    monkeypatch.setenv("HTTP_PROXY", "http://one:1")
    monkeypatch.setenv("https_proxy", "two:2")
    monkeypatch.setenv("NO_PROXY", "near.example, .inner.example,127.0.0.1,[::1]:81")
    assert found("http://a/") == ("one", 1) and found("https://a/") == ("two", 2)
    for near in (
        "near.example",
        "x.near.example:8080",
        "inner.example",
        "a.b.inner.example",
        "127.0.0.1:1",
    ):
        assert found(f"http://{near}/") is None
    assert found("http://nearer.example/") == ("one", 1)
    # An option is stronger, and may say that there is none.
    assert found("http://near.example/", "http://three") == ("three", 80)
    assert found("http://a/", "http://[::1]:3/") == ("::1", 3) and found("http://a/", "") is None
    # Lower-case names take precedence; and a CGI script does not trust HTTP_PROXY.
    monkeypatch.setenv("http_proxy", "http://four:4")
    assert found("http://a/") == ("four", 4)
    monkeypatch.delenv("http_proxy")
    monkeypatch.setenv("REQUEST_METHOD", "GET")
    assert found("http://a/") is None
    monkeypatch.setenv("no_proxy", "*")
    assert found("https://a/") is None


@CLIENTS
def test_clients_obey_the_environment(asynchronous: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    with proxy() as made:
        monkeypatch.setenv("http_proxy", f"http://me:secret@{made.address}")
        assert call(asynchronous, "http://service.example/") == [3.0]
        assert call(asynchronous, "http://service.example/", proxy=made.address) == [3.0]
    assert [BASIC in head for head in made.heads] == [True, False]


@pytest.mark.parametrize(
    "wrong",
    ["ftp://h:1", "socks5://h:1", "https://h:1", "http://", "http://u:p@", "http://h:secret", "http://h:99999",
     "http://u:sec/ret@h:1", "http://h:1/path", "http://h:1?q", "http://h:1#f", "http://h:0", "h :1", "é:1",
     "http://h\r\nX: y:1", "http://a%3Ab:secret@h", "http://u:secret%0D%0A@h", "http://[h:1"],
)  # fmt: skip
def test_proxies_that_are_none(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for channel in (SoapChannel, JsonChannel, TdxmlChannel, AsyncJsonChannel):
        with pytest.raises(ValueError) as caught:
            channel("http://a/", proxy=wrong)
        assert "sec" not in str(caught.value) and caught.value.__cause__ is None
    if wrong.isascii():
        monkeypatch.setenv("http_proxy", wrong)
        with pytest.raises(ValueError, match="http_proxy of the environment"):
            SoapChannel("http://a/")


def test_credentials_are_not_shown() -> None:
    url = parse_url("http://a/")
    made = proxy_of("http://%C3%A4:%3A@h:1", url)
    assert made is not None and made.headers == {"Proxy-Authorization": "Basic w6Q6Og=="}
    alone = proxy_of("http://me@h:1", url)
    assert alone is not None and alone.headers == {"Proxy-Authorization": "Basic bWU6"}
    channel = SoapChannel("http://a/", proxy="http://me:secret@h:1")
    assert "Basic" not in repr(made) and "secret" not in repr(channel)


def test_nothing_is_loaded_for_a_proxy_that_is_not_there() -> None:
    import subprocess
    import sys

    code = "import sys, creo.json; creo.json.JsonChannel('http://a/'); assert 'urllib.request' not in sys.modules"
    source = Path(__file__).parent.parent / "src"
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": str(source)})
