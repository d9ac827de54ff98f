"""Methods that fail in every way. The caller learns only what it may know, the log has everything on separate lines, and others are served."""

from __future__ import annotations

import json
import re

import wire
from harness import Arena, Cases
from service import Failure, Options

cases = Cases("handlers")

SECONDS = 60
TIMES = 20
# The constants of Fault, in their order, and how a call that fails so ends: the error, or nothing for an answer.
FAULTS = ["REFUSED", "SECRET", "FORGED_LINES", "FORGED_ERROR", "STACK_OVERFLOW", "LINKAGE", "HOSTILE_MESSAGE", "INTERRUPTED", "HEAP"]
INTERNAL = "the service failed"
SECRETS = re.compile(rb"hunter2|forged|Exception|\.java|/etc|AttackedVictim")


def over_tcp(arena: Arena, fault: str) -> None:
    number = FAULTS.index(fault)
    connection = arena.connect(first=wire.PREAMBLE + b"".join(wire.request("fail", wire.count(number), call) for call in range(1, TIMES + 1)))
    stream = wire.Stream(connection, SECONDS)
    stream.preamble()
    for _ in range(TIMES):
        check_tcp(stream.answer(), fault)
    # The connection stays usable.
    connection.sendall(wire.request("echo", wire.text("next"), 99))
    if (answer := stream.answer()).rest != wire.text("next"):
        raise Failure(f"the next call was answered by kind {answer.kind} {answer.error}")


def check_tcp(answer: wire.Frame, fault: str) -> None:
    if fault == "REFUSED":
        right = answer.kind == wire.EXCEPTION
    elif fault == "INTERRUPTED":
        right = answer.kind == wire.RESPONSE
    elif fault == "FORGED_ERROR":
        right = answer.error == "permission-denied"
    else:
        right = answer.error == "internal" and INTERNAL.encode() in answer.rest and not SECRETS.search(answer.rest)
    if not right:
        raise Failure(f"answered by kind {answer.kind} {answer.error} {answer.rest[:200]!r}")


def over_http(arena: Arena, fault: str) -> None:
    connection = arena.connect("http")
    stream = wire.Stream(connection, SECONDS)
    for _ in range(TIMES):
        connection.sendall(wire.http("fail", {"fault": fault}))
        response = stream.response()
        wanted = {"REFUSED": 422, "INTERRUPTED": 204, "FORGED_ERROR": 403}.get(fault, 500)
        if response.status != wanted or wanted == 500 and (INTERNAL not in json.loads(response.body)["detail"] or SECRETS.search(response.body)):
            raise Failure(f"answered {response.status} {response.body[:200]!r}")
        if b"\x1b" in response.body or b"\r" in response.body:
            raise Failure(f"control characters travel: {response.body[:200]!r}")
    connection.sendall(wire.http("echo", {"text": "next"}))
    if (response := stream.response()).body != b'"next"':
        raise Failure(f"the next call was answered by {response.status}")


def log_is_honest(arena: Arena) -> None:
    """Each failure has one record, which begins a line; the content of a message begins none."""
    records = arena.service.new_records()
    failures = [record for record in records if re.search(r"reference [0-9a-f]{8}", record.split("\n")[0])]
    forged = [record for record in records if record.startswith("SEVERE forged") or "\x1b" in record or re.match(r"(SEVERE|WARNING|INFO) forged", record)]
    if forged:
        raise Failure(f"a message has made a line of the log: {forged[0][:200]!r}")
    strange = [record for record in records if record not in failures and not record.startswith("INFO ")]
    if strange:
        raise Failure(f"{len(strange)} records are no failures of methods: {strange[0][:300]!r}")
    # Five faults are failures of the method, on two transports.
    if len(failures) != 5 * 2 * TIMES:
        raise Failure(f"{len(failures)} failures are in the log, of {5 * 2 * TIMES}")


@cases.add("faults")
def _(arena: Arena) -> None:
    arena.service.new_records()
    with arena.legitimate() as legit:
        for fault in FAULTS[:-1]:
            arena.part(f"{fault.lower()}-over-tcp", lambda fault=fault: over_tcp(arena, fault))
            arena.part(f"{fault.lower()}-over-http", lambda fault=fault: over_http(arena, fault))
        legit.go_on(20)
        arena.part("log", lambda: log_is_honest(arena))


@cases.add("heap", Options(heap="256m"), long=True, logs=("OutOfMemoryError", "reference [0-9a-f]{8}", "could not be", "no thread"))
def _(arena: Arena) -> None:
    """A method that takes the whole heap fails alone. Concurrent calls may fail with it, so the legitimate client comes afterwards."""
    for _ in range(3):
        connection = arena.connect(first=wire.PREAMBLE + wire.request("fail", wire.count(FAULTS.index("HEAP"))))
        stream = wire.Stream(connection, SECONDS)
        try:
            stream.preamble()
            check_tcp(stream.answer(), "HEAP")
        except wire.Closed:
            pass  # There was no memory to say so.
        with arena.legitimate() as legit:
            legit.go_on(20)


@cases.add("paths-and-names")
def _(arena: Arena) -> None:
    """A client's paths, hosts and metadata appear in no header of an answer, no address of a description, and no line of the log."""
    requests: dict[str, tuple[bytes, set[int]]] = {
        "escaped-line-in-path": (b"GET /%0d%0aX-Forged:%201 HTTP/1.1\r\nHost: x\r\n\r\n", {400, 404}),
        "escaped-line-in-method": (b"POST /Victim/a%0d%0aSEVERE%20forged%1b[31m HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}", {400, 404}),
        "path-upwards": (b"GET /../../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n", {400, 404}),
        "escaped-path-upwards": (b"GET /Victim/..%2f..%2fetc/passwd?wsdl HTTP/1.1\r\nHost: x\r\n\r\n", {400, 404, 405}),
        "host-with-markup": (b'GET /Victim?wsdl HTTP/1.1\r\nHost: x"/><forged\r\n\r\n', {200, 400}),
        "host-of-another": (b"GET /Victim?openapi HTTP/1.1\r\nHost: forged.example:80@x\r\n\r\n", {200, 400}),
        "trace": (b"TRACE /Victim HTTP/1.1\r\nHost: x\r\nX-Forged: 1\r\n\r\n", {400, 405, 501}),
        "timeout-of-zero": (wire.http("echo", {"text": "a"}, more=b"Creo-Timeout: 0\r\n"), {200, 400, 504}),
        "timeout-below-zero": (wire.http("echo", {"text": "a"}, more=b"Creo-Timeout: -1\r\n"), {200, 400}),
        "timeout-of-20-digits": (wire.http("echo", {"text": "a"}, more=b"Creo-Timeout: 99999999999999999999\r\n"), {200, 400}),
        "metadata-with-lines": (wire.http("metadata", {"key": "k"}, more=b"Creo-Meta-k: a%0D%0AX-Forged:%201\r\n"), {200, 400}),
        "metadata-with-bad-escape": (wire.http("metadata", {"key": "k"}, more=b"Creo-Meta-k: a%zz\r\n"), {400}),
        "metadata-of-100": (wire.http("metadata", {"key": "k"}, more=b"".join(b"Creo-Meta-k%d: a\r\n" % n for n in range(100))), {400, 413}),
        "expectation-unknown": (wire.http("echo", {"text": "a"}, more=b"Expect: forged\r\n"), {200, 400, 417}),
    }
    with arena.legitimate() as legit:
        for name, (data, statuses) in requests.items():
            arena.part(name, lambda data=data, statuses=statuses: harmless(arena, data, statuses))
        legit.go_on(5)
    for record in arena.service.new_records():
        if re.match(r"(SEVERE|WARNING|INFO) forged", record) or "\x1b" in record:
            raise Failure(f"a request has made a line of the log: {record[:200]!r}")


def harmless(arena: Arena, data: bytes, statuses: set[int]) -> None:
    connection = arena.connect("http", data)
    response = wire.Stream(connection, SECONDS).response()
    arena.drop(connection)
    if response.status not in statuses:
        raise Failure(f"answered {response.status} {response.body[:200]!r}")
    if any("forged" in name for name in response.headers) or b"<forged" in response.body or b"root:" in response.body:
        raise Failure(f"what was sent comes back: {response.headers} {response.body[:300]!r}")


@cases.add("expect-100-continue")
def _(arena: Arena) -> None:
    """A client that waits for permission to send its body gets it or an answer; one that gives up then leaves nothing."""
    with arena.legitimate() as legit:
        body = b'{"text":"a"}'
        for number in range(50):
            connection = arena.connect("http", wire.http_head("echo", b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(body)))
            stream = wire.Stream(connection, SECONDS)
            if stream.response().status != 100:
                raise Failure("a client that asks for leave is not told to go on")
            if number % 2:
                arena.drop(connection, reset=number % 4 == 1)
                continue
            connection.sendall(body)
            if stream.response().body != b'"a"':
                raise Failure("the call was not answered")
        legit.go_on(5)
