"""`creo call` of methods with streams."""

from __future__ import annotations

import json
import pathlib
import signal
import socket
import subprocess

import pytest
from test_call import CREO, LAB, WORK, Ran, Service, compiled, creo, open_service, service  # noqa: F401
from test_call_tls import Secured, keys  # noqa: F401
from test_call_tls import service as secured_service  # noqa: F401


def call(address: str, method: str, request: object, *options: object, stdin: bytes = b"") -> Ran:
    return creo("call", address, method, json.dumps(request), "-d", LAB, *options, stdin=stdin)


TRANSPORTS = ["tcp", "http"]


def address(service: Service, transport: str) -> str:  # noqa: F811
    return service.tcp if transport == "tcp" else service.http


def lines(ran: Ran) -> list[object]:
    return [json.loads(line) for line in ran.out.splitlines()]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_items_are_lines(service: Service, transport: str) -> None:  # noqa: F811
    at = address(service, transport)
    ran = call(at, "samples", {"count": 3}).exits(0)
    assert ran.out == "[0.0,0.5]\n[1.0,1.5]\n[2.0,2.5]\n" and ran.err == ""
    ran = call(at, "Live.sum", {"first": 1}, stdin=b'2\n\n "3"\r\n4').exits(0)
    assert ran.out == "10\n"
    assert call(at, "sum", {"first": 1}).exits(0).out == "1\n"


def test_items_both_ways(service: Service) -> None:  # noqa: F811
    assert lines(call(service.tcp, "talk", {}, stdin='"a"\n"ä\\n"\n'.encode()).exits(0)) == ["A", "Ä\n"]
    assert lines(call(service.tcp, "bytes", {}, stdin=b"127\n-1\n0\n").exits(0)) == [-128, 0, 1]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_many_items(service: Service, transport: str) -> None:  # noqa: F811
    """More than the credit of both directions, and than all buffers."""
    at = address(service, transport)
    ran = call(at, "samples", {"count": 100_000}).exits(0)
    assert lines(ran) == [[number, number + 0.5] for number in range(100_000)]
    numbers = "".join(f"{number}\n" for number in range(200_000))
    assert call(at, "sum", {"first": 0}, stdin=numbers.encode()).exits(0).json == sum(range(200_000))


def test_many_items_both_ways(service: Service) -> None:  # noqa: F811
    words = [f"{number}:" + "x" * (number % 1_000) for number in range(5_000)] + ["y" * 1_000_000]
    ran = call(service.tcp, "talk", {}, stdin="".join(f"{json.dumps(word)}\n" for word in words).encode()).exits(0)
    assert lines(ran) == [word.upper() for word in words]


def test_an_item_waits_for_no_other(service: Service) -> None:  # noqa: F811
    """Each line is answered before the next is written."""
    arguments = [CREO, "call", service.tcp, "talk", "-d", LAB]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=WORK) as process:
        assert process.stdin and process.stdout
        for number in range(20):
            process.stdin.write(f'"w{number}"\n'.encode())
            process.stdin.flush()
            assert process.stdout.readline() == f'"W{number}"\n'.encode()
        process.stdin.close()
        assert process.stdout.read() == b"" and process.wait() == 0


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_reader_that_leaves_ends_the_call(service: Service, transport: str) -> None:  # noqa: F811
    at = address(service, transport)
    arguments = [CREO, "call", at, "samples", '{"count": 1000000000}', "-d", LAB]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=WORK) as process:
        assert process.stdout and process.stderr
        assert process.stdout.readline() == b"[0.0,0.5]\n"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert call(at, "samples", {"count": 1}).exits(0).out == "[0.0,0.5]\n"


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize(("method", "request_"), [("samples", {"count": -1}), ("sum", {"first": 1})])
def test_an_interrupt_closes_the_connection(service: Service, transport: str, method: str, request_: object) -> None:  # noqa: F811
    with socket.create_server(("127.0.0.1", 0)) as listener:
        scheme = "" if transport == "tcp" else "http://"
        arguments = [CREO, "call", f"{scheme}127.0.0.1:{listener.getsockname()[1]}", method, json.dumps(request_), "-d", LAB]
        with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=WORK) as process:
            peer, _ = listener.accept()
            with peer:
                assert peer.recv(1)
                process.send_signal(signal.SIGINT)
                while peer.recv(65_536):
                    pass
            assert process.wait() == -signal.SIGINT


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_how_a_stream_ends(service: Service, transport: str) -> None:  # noqa: F811
    at = address(service, transport)
    ran = call(at, "samples", {"count": -2}).exits(3)
    assert ran.out == "[0.0,0.5]\n[1.0,1.5]\n" and ran.err == 'exception: {"Missing":{"what":"the rest"}}\n'
    ran = call(at, "samples", {"count": 0}).exits(3)
    assert ran.out == "" and ran.err == 'exception: {"Missing":{"what":"a count"}}\n'
    # The answer comes while items are left, and standard input is open.
    arguments = [CREO, "call", at, "sum", '{"first": 1}', "-d", LAB]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=WORK) as process:
        assert process.stdin and process.stderr
        process.stdin.write(b"1\n-1\n2\n")
        process.stdin.flush()
        assert process.wait() == 3
        assert process.stderr.read() == b'exception: {"Wrong":{"why":"it is negative","where":[]}}\n'
    # Without an end of the items, the deadline ends the call; by default there is none.
    arguments += ["--deadline", "0.5"]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=WORK) as process:
        assert process.stderr and process.wait() == 1
        assert process.stderr.read().startswith(b"error[deadline-exceeded]")


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_items_that_are_wrong(service: Service, transport: str) -> None:  # noqa: F811
    at = address(service, transport)
    cases = [
        (b"1\n2 3\n", "error[invalid-value]: line 2 of standard input is not JSON"),
        (b"1\n\xff\n", "line 2 of standard input is not JSON: it is not UTF-8"),
        (b"1\n2\n1.5\n", "(at $items[2])"),
        (b'"9223372036854775808"', "(at $items[0])"),
    ]
    for stdin, says in cases:
        ran = call(at, "sum", {"first": 1}, stdin=stdin).exits(1)
        assert says in ran.err and ran.err.startswith("error[invalid-value]"), ran.err
    for request in ("-", "@-"):
        ran = creo("call", at, "sum", request, "-d", LAB, stdin=b"{}").exits(1)
        assert "standard input has the items of the stream" in ran.err
    ran = call(at, "sum", {"first": 1, "numbers": [1]}).exits(1)
    assert ran.err.startswith("error[invalid-value]: numbers is a stream (at $.numbers)\n") and "one JSON value per line" in ran.err


def test_what_a_wire_does_not_carry(service: Service) -> None:  # noqa: F811
    ran = call(service.http, "samples", {"count": 3}, "--wire", "soap").exits(1)
    assert ran.err == "error[unknown-method]: call.lab.Live.samples has a stream, which the binary wire carries over TCP, and json over HTTP\n"
    for wire in ("json", "soap"):
        ran = call(service.http, "talk", {}, "--wire", wire).exits(1)
        assert ran.err.startswith("error[unknown-method]: call.lab.Live.talk has") and ran.err.endswith(" which the binary wire carries, over TCP\n")


def test_by_reflection_and_with_every_byte(open_service: Service) -> None:  # noqa: F811
    ran = creo("call", open_service.tcp, "Live.talk", "-v", stdin=b'"a"\n').exits(0)
    assert ran.out == '"A"\n'
    sent, heard = ran.err.split("> items frame, call 1", 1)
    assert "> preamble" in sent and "> request frame, call 1" not in heard
    assert '[0]: String = "a"' in heard and "flags = end" in heard
    assert "< items frame, call 1" in heard and '[0]: String = "A"' in heard and "< response frame, call 1" in heard


def test_over_http_with_every_line(service: Service) -> None:  # noqa: F811
    ran = call(service.http, "samples", {"count": 2}, "-v").exits(0)
    assert ran.out == "[0.0,0.5]\n[1.0,1.5]\n"
    seen = ran.err.splitlines()
    assert seen[0] == "> POST /Live/samples HTTP/1.1" and '> {"count":2}' in seen and "< HTTP/1.1 200 OK" in seen
    assert seen[-3:] == ['< {"item":[0,0.5]}', '< {"item":[1,1.5]}', '< {"end":true}']
    ran = call(service.http, "sum", {"first": 1}, "-v", stdin=b"2\n3\n").exits(0)
    assert ran.out == "6\n"
    sent = [line for line in ran.err.splitlines() if line.startswith("> {")]
    assert sent == ['> {"first":1}', '> {"item":2}', '> {"item":3}', '> {"end":true}'] and ran.err.endswith("< 6\n")


def test_through_tls(secured_service: Secured, keys: pathlib.Path) -> None:  # noqa: F811
    trust = ("--cacert", keys / "ca.pem")
    words = ["w" * 100 + str(number) for number in range(20_000)]
    stdin = "".join(f'"{word}"\n' for word in words).encode()
    ran = call(secured_service.tcp, "talk", {}, *trust, stdin=stdin).exits(0)
    assert lines(ran) == [word.upper() for word in words]
    assert lines(call(secured_service.tcp, "samples", {"count": 50_000}, *trust).exits(0))[-1] == [49_999, 49_999.5]
    assert lines(call(secured_service.http, "samples", {"count": 50_000}, *trust).exits(0))[-1] == [49_999, 49_999.5]
    numbers = "".join(f"{number}\n" for number in range(100_000))
    assert call(secured_service.http, "sum", {"first": 0}, *trust, stdin=numbers.encode()).exits(0).json == sum(range(100_000))
