"""Digest authentication of clients over HTTP (HTTP-48 to HTTP-51)."""

from __future__ import annotations

import asyncio
import hashlib
import re
from typing import Any

import pytest

from creo import CallOptions, CreoError, ErrorCode, RawMessage
from creo._base import DEFAULT_LIMITS
from creo._http import Response
from creo._http.digest import Attempt, Challenge, Digest, Unusable, challenge_of
from creo.http import HttpOptions
from creo.json import JsonChannel
from fake import Peer, serve
from fake_http import Received, answer, expect
from flow import AsyncFlowClient, FlowClient
from test_http_options import BOTH, GOOD, Replies, call, failed, redirect

DIGEST = HttpOptions(digest=("me", "hunter2"))
PLAIN = 'Digest realm="r", nonce="n"'
LINES = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
    b'Connection: close\r\n\r\n{"item":0}\n{"end":true}\n'
)


def asked(more: str, close: str = "") -> bytes:
    value = 'Basic realm="b", Digest realm="lab", algorithm=SHA-256, qop="auth", ' + more
    return answer("no", "401 Who", "text/plain", f"WWW-Authenticate: {value}\r\n{close}")


def response_of(*values: str) -> Response:
    response = Response(DEFAULT_LIMITS, "peer")
    fields = "".join(f"WWW-Authenticate: {value}\r\n" for value in values)
    response.feed(f"HTTP/1.1 401 x\r\n{fields}Content-Length: 0\r\n\r\n".encode("latin-1"))
    assert response.done
    return response


def usable(*values: str) -> Challenge:
    found = challenge_of(values)
    assert found is not None
    return found


def value_for(
    user: str, password: str, method: str, target: str, cnonce: str, challenge: str
) -> str:
    attempt = Attempt(Digest(user, password, lambda: cnonce))
    assert attempt.field(method, target) == ""
    assert attempt.is_again(response_of(challenge.encode().decode("latin-1")))
    return attempt.field(method, target).encode("latin-1").decode()


@pytest.mark.parametrize(
    ("algorithm", "response"),
    [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ],
)
def test_the_example_of_the_rfc(algorithm: str, response: str) -> None:
    """RFC 7616, section 3.9.1."""
    realm, nonce = "http-auth@example.org", "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
    opaque = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
    cnonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
    challenge = (
        f'Digest realm="{realm}", qop="auth, auth-int", algorithm={algorithm}, '
        f'nonce="{nonce}", opaque="{opaque}"'
    )
    value = value_for("Mufasa", "Circle of Life", "GET", "/dir/index.html", cnonce, challenge)
    assert value == (
        f'Digest username="Mufasa", realm="{realm}", nonce="{nonce}", uri="/dir/index.html", '
        f'response="{response}", algorithm={algorithm}, opaque="{opaque}", qop=auth, '
        f'nc=00000001, cnonce="{cnonce}"'
    )


def md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_other_forms() -> None:
    """HTTP-50"""
    response = md5(f"{md5('me:r:pw')}:n:{md5('POST:/x?y=1')}")
    assert value_for("me", "pw", "POST", "/x?y=1", "c", PLAIN) == (
        f'Digest username="me", realm="r", nonce="n", uri="/x?y=1", response="{response}"'
    )
    challenge = f"{PLAIN}, algorithm=sha-256-SESS, qop=auth"
    secret = sha256(sha256("me:r:pw") + ":n:c")
    response = sha256(f"{secret}:n:00000001:c:auth:{sha256('POST:/x')}")
    value = value_for("me", "pw", "POST", "/x", "c", challenge)
    assert f'response="{response}", algorithm=sha-256-SESS, qop=auth, ' in value
    challenge = f'{PLAIN}, algorithm=SHA-256, qop="auth", userhash=true, charset=UTF-8'
    value = value_for("mé", "päss", "POST", "/x", "c", challenge)
    assert f'username="{sha256("mé:r")}", ' in value and value.endswith(", userhash=true")
    value = value_for('mé "x"', "päss", "POST", "/x", "c", PLAIN)
    assert "username*=UTF-8''m%C3%A9%20%22x%22, " in value
    realm = 'ü "q\\'
    response = md5(md5(f'a"b\\c:{realm}:pw') + ":n:" + md5("POST:/x"))
    value = value_for('a"b\\c', "pw", "POST", "/x", "c", r'Digest realm="ü \"q\\", nonce="n"')
    assert r'username="a\"b\\c", realm="ü \"q\\", ' in value and f'"{response}"' in value


def test_the_strongest_of_several() -> None:
    """HTTP-49"""
    md, sha, other = (
        f'Digest realm="{realm}", nonce="1", algorithm={algorithm}'
        for realm, algorithm in (("m", "MD5"), ("s", "SHA-256"), ("o", "SHA-512-256"))
    )
    mixed = f'Basic realm="b, Digest", {md} ,, {other}, Negotiate abc==, {sha}'
    for values in ([md, sha], [f"{sha}, {md}"], [mixed], ["Negotiate", other, sha]):
        assert usable(*values).realm == "s"
    assert usable("NTLM, dIGEST  Realm = m ,NONCE=1, stale=TRUE", md).realm == "m"
    assert usable(f"{PLAIN},stale=TRUE").stale and not usable(f"{PLAIN}, stale=no").stale
    for none in ("", 'Basic realm="x"', "Basic realm", "\x01"):
        assert challenge_of([none]) is None


@pytest.mark.parametrize(
    "value",
    [
        "Digest", 'Digest realm="r"', 'Digest nonce="n"', 'Digest realm="r", nonce=""',
        f'{PLAIN}, nonce="m"', f"{PLAIN}, algorithm=SHA-512-256", f'{PLAIN}, algorithm=""',
        f'{PLAIN}, qop="auth-int"', f'{PLAIN}, qop=""', f"{PLAIN}, algorithm=MD5-sess",
        'Digest realm="r", nonce="a\tb"', 'Digest realm="r", nonce="\xe4"',
        'Digest realm="\xe4", nonce="n"', f'{PLAIN}, opaque="\xe4"', f"{PLAIN} x",
        f'{PLAIN}, opaque="', f'{PLAIN}, opaque="\\', f"{PLAIN}, =x", f"{PLAIN}, opaque=",
        "Digest abc==", "Digest " * 1_170, PLAIN + "," * 8_192,
        *(f"Digest {name}={'x' * 1_025}, realm=r, nonce=n" for name in ("opaque",)),
        f"Digest realm={'x' * 1_025}, nonce=n", f"Digest realm=r, nonce={'x' * 1_025}",
    ],
)  # fmt: skip
def test_challenges_that_cannot_be_used(value: str) -> None:
    with pytest.raises(Unusable):
        challenge_of([value])


def test_long_challenges() -> None:
    assert len(usable(f"Digest realm=r, nonce={'x' * 1_024}").nonce) == 1_024
    assert challenge_of(["a" * 8_193]) is None


def test_requests_are_counted() -> None:
    digest = Digest("me", "pw", lambda: "c")
    first, second = Attempt(digest), Attempt(digest)
    assert first.field("POST", "/") + second.field("POST", "/") == ""
    response = response_of(f"{PLAIN}, qop=auth")
    assert first.is_again(response) and "nc=00000001" in first.field("POST", "/")
    # The same nonce again, for a request that was begun before.
    assert second.is_again(response) and "nc=00000002" in second.field("POST", "/")
    assert "nc=00000003" in Attempt(digest).field("POST", "/")


def test_refusals() -> None:
    """HTTP-51"""
    digest = Digest("me", "pw")

    def step(attempt: Attempt, challenge: str) -> bool:
        attempt.field("POST", "/")
        return attempt.is_again(response_of(f"Digest realm=r, nonce={challenge}"))

    attempt = Attempt(digest)
    assert step(attempt, "1") and not step(attempt, "2")
    assert Attempt(digest).field("POST", "/") == ""
    attempt = Attempt(digest)
    assert step(attempt, "3") and step(attempt, "4, stale=true")
    assert not step(attempt, "5, stale=true")
    assert step(Attempt(digest), "6")
    attempt = Attempt(digest)
    assert step(attempt, "7") and not step(attempt, "8, stale=true")


def check(request: Received, nonce: str, count: int) -> None:
    """Checks the digest of a request."""
    value = request.headers["authorization"]
    got = dict(re.findall(r'[ ,](\w+)="?([^",]*)', value))
    target = request.line.split(" ")[1]
    assert value.startswith("Digest ") and (got["nonce"], got["uri"]) == (nonce, target)
    assert got["nc"] == f"{count:08x}"
    secret, what = sha256("me:lab:hunter2"), sha256(f"POST:{target}")
    due = sha256(f"{secret}:{nonce}:{got['nc']}:{got['cnonce']}:auth:{what}")
    assert got["response"] == due


@BOTH
def test_later_requests_have_credentials_at_once(asynchronous: bool) -> None:
    """HTTP-48"""
    shown: list[RawMessage] = []
    replies = Replies(
        asked('nonce="a"'), GOOD, GOOD, asked('nonce="b", stale=true', "Set-Cookie: a=b\r\n"), GOOD
    )
    with serve(replies) as server:
        url = f"http://127.0.0.1:{server.port}/D"
        http = HttpOptions(digest=("me", "hunter2"), cookies=True)
        options = CallOptions(raw_messages=shown.append)
        assert call(asynchronous, url, 3, http=http, options=options) == [42.5, 42.5, 42.5]
    bare, *others = replies.requests
    assert "authorization" not in bare.headers
    for request, nonce, count in zip(others, "aaab", (1, 2, 3, 1)):
        check(request, nonce, count)
        assert request.body == bare.body
    assert "cookie" not in others[2].headers and others[3].headers["cookie"] == "a=b"
    assert [message.status for message in shown] == [0, 401, 0, 200, 0, 200, 0, 401, 0, 200]
    values = [v for m in shown for name, v in m.headers if name.lower() == "authorization"]
    assert set(values) == {"***"}


@BOTH
def test_a_refusal_is_the_answer(asynchronous: bool) -> None:
    replies = Replies(asked('nonce="a"'), asked('nonce="b"'))
    with serve(replies) as server:
        error = failed(asynchronous, f"http://127.0.0.1:{server.port}/D", http=DIGEST)
    assert error.code is ErrorCode.UNAUTHENTICATED and "Digest realm=" in error.message
    assert "hunter2" not in str(error) and len(replies.requests) == 2


@BOTH
def test_what_cannot_be_answered(asynchronous: bool) -> None:
    value = 'WWW-Authenticate: Digest realm="r", nonce="n", qop="auth-int"\r\n'
    replies = Replies(answer("no", "401 x", "text/plain", value))
    with serve(replies) as server:
        error = failed(asynchronous, f"http://127.0.0.1:{server.port}/D", http=DIGEST)
    assert error.code is ErrorCode.UNAUTHENTICATED and "qop=auth, the only one" in error.message
    assert error.message.endswith(": no") and len(replies.requests) == 1


@BOTH
def test_a_peer_that_is_gone(asynchronous: bool) -> None:
    """HTTP-51: the request that was answered was not executed, and the next was not written."""

    def one(peer: Peer) -> None:
        expect(peer)
        peer.send(asked('nonce="a"', "Connection: close\r\n"))

    with serve(one) as server:

        def hook(message: RawMessage) -> None:
            if message.status == 401:
                server.stop()

        options = CallOptions(raw_messages=hook)
        url = f"http://127.0.0.1:{server.port}/D"
        error = failed(asynchronous, url, http=DIGEST, options=options)
    assert error.code is ErrorCode.UNAVAILABLE and error.not_started


@BOTH
def test_credentials_stay_at_their_origin(asynchronous: bool) -> None:
    own, other = Replies(asked('nonce="a"')), Replies(asked('nonce="b"'))
    with serve(own) as first, serve(other) as second:
        own.replies += [redirect(f"http://127.0.0.1:{second.port}/x")]
        http = HttpOptions(digest=("me", "hunter2"), redirects=1)
        failed(asynchronous, f"http://127.0.0.1:{first.port}/D", http=http)
    check(own.requests[1], "a", 1)
    (away,) = other.requests
    assert "authorization" not in away.headers


def received(peer: Peer) -> Received:
    """A request whose body may come in chunks, which are read to their end."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += peer.take(1)
    line, *lines = head.decode("ascii").split("\r\n")[:-2]
    headers = {name.lower(): value.strip() for name, _, value in (h.partition(":") for h in lines)}
    body = peer.take(int(headers.get("content-length", "0")))
    while "content-length" not in headers and not body.endswith(b"0\r\n\r\n"):
        body += peer.take(1)
    return Received(line, headers, body)


def test_streams() -> None:
    """HTTP-51: items that come are asked for again, items that go are not sent twice."""
    scripts = (asked('nonce="a"'), LINES, asked('nonce="b"'), LINES)
    replies = Replies(*scripts)

    def one(peer: Peer) -> None:
        replies.requests.append(received(peer))
        peer.send(replies.replies.pop(0))

    def run() -> None:
        with serve(one, one, one, one) as server:
            url = f"http://127.0.0.1:{server.port}/Flow"
            with FlowClient.json(url, http=DIGEST) as client:
                assert list(client.numbers(1)) == [0]
                with pytest.raises(CreoError) as caught:
                    client.sum(iter([]))
                assert caught.value.code is ErrorCode.UNAUTHENTICATED
                assert "the next call has credentials" in caught.value.message
                assert list(client.numbers(1)) == [0]

    async def run_tasks() -> None:
        with serve(one, one, one, one) as server:
            url = f"http://127.0.0.1:{server.port}/Flow"
            async with AsyncFlowClient.json(url, http=DIGEST) as client:
                assert [item async for item in client.numbers(1)] == [0]
                with pytest.raises(CreoError) as caught:
                    await client.sum(iter([]))
                assert "the next call has credentials" in caught.value.message
                assert [item async for item in client.numbers(1)] == [0]

    for go in (run, lambda: asyncio.run(run_tasks())):
        replies.replies, replies.requests = list(scripts), []
        go()
        assert "authorization" not in replies.requests[0].headers
        for request, nonce, count in zip(replies.requests[1:], "aab", (1, 2, 1)):
            check(request, nonce, count)


def test_what_the_program_must_not_set_beside_it() -> None:
    with serve() as server:
        for options in (
            CallOptions(headers={"authorization": "x"}),
            CallOptions(metadata={"authorization": "x"}),
        ):
            error = failed(False, f"http://127.0.0.1:{server.port}/D", http=DIGEST, options=options)
            assert error.code is ErrorCode.INVALID_VALUE and server.connections == 0
    JsonChannel("http://example.com/", http=DIGEST).close()
    assert "hunter2" not in repr(DIGEST)


@pytest.mark.parametrize(
    "options",
    [
        {"digest": ("a:b", "c")}, {"digest": ("a", "b\r\nc")}, {"digest": ("a" * 1_025, "")},
        {"digest": ("\ud800", "")}, {"digest": ("a", "b"), "bearer": "c"},
        {"digest": ("a", "b"), "basic": ("a", "b")},
    ],
)  # fmt: skip
def test_options_that_are_none(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        HttpOptions(**options)
