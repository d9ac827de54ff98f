"""`creo call` of methods with streams."""

from __future__ import annotations

import json
import pathlib
import subprocess

import pytest
from test_call import CREO, LAB, WORK, Ran, Service, compiled, creo, open_service, service  # noqa: F401
from test_call_tls import Secured, keys  # noqa: F401
from test_call_tls import service as secured_service  # noqa: F401


def call(address: str, method: str, request: object, *options: object, stdin: bytes = b"") -> Ran:
    return creo("call", address, method, json.dumps(request), "-d", LAB, *options, stdin=stdin)


def lines(ran: Ran) -> list[object]:
    return [json.loads(line) for line in ran.out.splitlines()]


def test_items_are_lines(service: Service) -> None:  # noqa: F811
    ran = call(service.tcp, "samples", {"count": 3}).exits(0)
    assert ran.out == "[0.0,0.5]\n[1.0,1.5]\n[2.0,2.5]\n" and ran.err == ""
    ran = call(service.tcp, "Live.sum", {"first": 1}, stdin=b'2\n\n "3"\r\n4').exits(0)
    assert ran.out == "10\n"
    assert call(service.tcp, "sum", {"first": 1}).exits(0).out == "1\n"
    assert lines(call(service.tcp, "talk", {}, stdin='"a"\n"ä\\n"\n'.encode()).exits(0)) == ["A", "Ä\n"]
    assert lines(call(service.tcp, "bytes", {}, stdin=b"127\n-1\n0\n").exits(0)) == [-128, 0, 1]


def test_many_items(service: Service) -> None:  # noqa: F811
    """More than the credit of both directions, and than all buffers."""
    ran = call(service.tcp, "samples", {"count": 100_000}).exits(0)
    assert lines(ran) == [[number, number + 0.5] for number in range(100_000)]
    numbers = "".join(f"{number}\n" for number in range(200_000))
    assert call(service.tcp, "sum", {"first": 0}, stdin=numbers.encode()).exits(0).json == sum(range(200_000))
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


def test_a_reader_that_leaves_ends_the_call(service: Service) -> None:  # noqa: F811
    arguments = [CREO, "call", service.tcp, "samples", '{"count": 1000000000}', "-d", LAB]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=WORK) as process:
        assert process.stdout and process.stderr
        assert process.stdout.readline() == b"[0.0,0.5]\n"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert call(service.tcp, "samples", {"count": 1}).exits(0).out == "[0.0,0.5]\n"


def test_how_a_stream_ends(service: Service) -> None:  # noqa: F811
    ran = call(service.tcp, "samples", {"count": -2}).exits(3)
    assert ran.out == "[0.0,0.5]\n[1.0,1.5]\n" and ran.err == 'exception: {"Missing":{"what":"the rest"}}\n'
    ran = call(service.tcp, "samples", {"count": 0}).exits(3)
    assert ran.out == "" and ran.err == 'exception: {"Missing":{"what":"a count"}}\n'
    # The answer comes while items are left, and standard input is open.
    arguments = [CREO, "call", service.tcp, "sum", '{"first": 1}', "-d", LAB]
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


def test_items_that_are_wrong(service: Service) -> None:  # noqa: F811
    cases = [
        (b"1\n2 3\n", "error[invalid-value]: line 2 of standard input is not JSON"),
        (b"1\n\xff\n", "line 2 of standard input is not JSON: it is not UTF-8"),
        (b"1\n2\n1.5\n", "(at $items[2])"),
        (b'"9223372036854775808"', "(at $items[0])"),
    ]
    for stdin, says in cases:
        ran = call(service.tcp, "sum", {"first": 1}, stdin=stdin).exits(1)
        assert says in ran.err and ran.err.startswith("error[invalid-value]"), ran.err
    for request in ("-", "@-"):
        ran = creo("call", service.tcp, "sum", request, "-d", LAB, stdin=b"{}").exits(1)
        assert "standard input has the items of the stream" in ran.err
    ran = call(service.tcp, "sum", {"first": 1, "numbers": [1]}).exits(1)
    assert ran.err.startswith("error[invalid-value]: numbers is a stream (at $.numbers)\n") and "one JSON value per line" in ran.err


@pytest.mark.parametrize("wire", ["json", "soap"])
def test_text_wires_carry_no_streams(service: Service, wire: str) -> None:  # noqa: F811
    ran = call(service.http, "samples", {"count": 3}, "--wire", wire).exits(1)
    assert ran.err == "error[unknown-method]: call.lab.Live.samples has streams, which `creo call` carries on the binary wire alone, over TCP\n"


def test_by_reflection_and_with_every_byte(open_service: Service) -> None:  # noqa: F811
    ran = creo("call", open_service.tcp, "Live.talk", "-v", stdin=b'"a"\n').exits(0)
    assert ran.out == '"A"\n'
    sent, heard = ran.err.split("> items frame, call 1", 1)
    assert "> preamble" in sent and "> request frame, call 1" not in heard
    assert '[0]: String = "a"' in heard and "flags = end" in heard
    assert "< items frame, call 1" in heard and '[0]: String = "A"' in heard and "< response frame, call 1" in heard


def test_through_tls(secured_service: Secured, keys: pathlib.Path) -> None:  # noqa: F811
    trust = ("--cacert", keys / "ca.pem")
    words = ["w" * 100 + str(number) for number in range(20_000)]
    stdin = "".join(f'"{word}"\n' for word in words).encode()
    ran = call(secured_service.tcp, "talk", {}, *trust, stdin=stdin).exits(0)
    assert lines(ran) == [word.upper() for word in words]
    assert lines(call(secured_service.tcp, "samples", {"count": 50_000}, *trust).exits(0))[-1] == [49_999, 49_999.5]
