"""Runs the scenarios of ``conformance/scenarios.md`` against the service; prints a line each."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable

from conformance.matrix import (
    AnswerClient,
    AsyncAnswerClient,
    AsyncTroubleClient,
    EchoClient,
    TroubleClient,
)
from conformance.other import Point as Cell
from conformance.values import Colour, NotFound, Point, Refused
from conformance_changed import AnswerClient as ChangedAnswerClient
from creo import Answer, CallOptions, CreoError, ErrorCode, Limits, Outcome, OutgoingCall
from relay import Relay
from streams import StreamScenarios
from values import all_types

_ECHOED = {
    "Primitives": "primitives",
    "Arrays": "arrays",
    "Optionals": "optionals",
    "Mixed": "mixed",
    "Nothing": "nothing",
    "Shape": "shape",
    "Event": "event",
    "Growing": "growing",
    "Defaults": "defaults",
    "Tree": "tree",
    "Expression": "expression",
    "Maps": "maps",
    "Nested": "nested",
    "Level": "level",
}


def expect(found: Any, wanted: Any) -> None:
    """Fails unless both are the same."""
    if found != wanted:
        raise AssertionError(f"{found!r:.200} is not {wanted!r:.200}")


def raises(code: str, call: Callable[[], Any], *texts: str) -> CreoError:
    """Fails unless the call raises this error, with these texts."""
    try:
        found = call()
    except CreoError as error:
        expect(error.code.value, code)
        for text in texts:
            if text not in str(error):
                raise AssertionError(f"{text!r} is not in {str(error)!r}") from error
        return error
    raise AssertionError(f"no {code}, but {found!r:.200}")


_FORMS = {
    "binary": (), "xml": ("xml",), "json": ("json",), "tdxml": ("record", "tdxml"),
}  # fmt: skip


def vector_value(type_: Any, vector: dict[str, Any], wire: str) -> Any:
    """The value of a vector, which holds it as text, or as ``bytes`` of its wire."""
    read = type_.from_bytes if wire == "binary" else getattr(type_, f"from_{wire}")
    for form in _FORMS[wire]:
        if form in vector:
            return read(vector[form])
    return read(bytes.fromhex(vector["bytes"]))


class Scenarios:
    """One method a scenario, by its name."""

    #: Whether answers have a status and headers.
    over_http = False
    #: Bytes of a peer with another protocol, and what the error then names.
    foreign = b"HTTP/1.1 400 Bad Request\r\n\r\n"
    due = "HTTP"

    def __init__(
        self, host: str, port: int, vectors: str, tls: ssl.SSLContext | None = None
    ) -> None:
        self.host = host
        self.port = port
        self.vectors = Path(vectors)
        self.tls = tls
        self.echo_client: EchoClient = self.open(EchoClient)
        self.trouble: TroubleClient = self.open(TroubleClient)

    def open(self, cls: Any, **options: Any) -> Any:
        """A client of an interface."""
        return cls(self.host, self.port, tls=self.tls, **options)

    def near(self, cls: Any, port: int) -> Any:
        """A client of an interface that is served, it seems, at another port of this machine."""
        return cls("127.0.0.1", port)

    def echo(self) -> None:
        types = all_types()
        calls = 0
        for path in sorted(self.vectors.glob("*.json")):
            for vector in json.loads(path.read_text())["vectors"]:
                method = _ECHOED.get(vector["type"].rpartition(".")[2])
                if method is None or not vector["type"].startswith("conformance.values."):
                    continue
                type_ = types[vector["type"]]
                value = vector_value(type_, vector, self.vectors.name)
                if not self.carries(type_, value):
                    continue
                answer = getattr(self.echo_client, method)(value)
                if type_.to_bytes(answer) != type_.to_bytes(value):
                    raise AssertionError(f"vector {vector['id']} came back changed")
                calls += 1
        if not calls:
            raise AssertionError(f"no vectors in {self.vectors}")

    def carries(self, type_: Any, value: Any) -> bool:
        """Whether the wire can hold a value."""
        return True

    def several(self) -> None:
        for maybe, dash in ((None, "-"), ("m", "m")):
            text = self.echo_client.several(
                7, "x", [1.5, 2.5], Point(1.0, 2.0), Cell(3, 4), maybe, Colour.BLUE
            )
            expect(text, f"7 x 4.0 1.0 2.0 3 4 {dash} BLUE")

    def add(self) -> None:
        expect(self.echo_client.add(-1, 9223372036854775807), 9223372036854775806)

    def maybe(self) -> None:
        expect(self.echo_client.maybe(None), None)
        expect(self.echo_client.maybe(""), "")

    def declared_exception(self) -> None:
        try:
            self.trouble.fail("not-found")
            raise AssertionError("no NotFound")
        except NotFound as error:
            expect((error.description, error.tried), ("not-found", [1, 2, 3]))
        try:
            self.trouble.fail("refused")
            raise AssertionError("no Refused")
        except Refused as error:
            expect((error.reason, error.retry_after), ("refused", 30))

    def hidden_failure(self) -> None:
        error = raises("internal", lambda: self.trouble.fail("internal"))
        for hidden in ("secret", "Exception", "java"):
            if hidden in str(error):
                raise AssertionError(f"{hidden!r} is in {str(error)!r}")

    def own_error(self) -> None:
        error = raises("permission-denied", lambda: self.trouble.fail("denied"))
        expect(error.message, "not you")

    def after_errors(self) -> None:
        expect(self.trouble.fail("fine"), "fine")

    def unknown_method(self) -> None:
        with self.open(ChangedAnswerClient) as client:
            error = raises("unknown-method", client.answer, "conformance.matrix.Answer")
            offered = error.details["conformance.matrix.Answer"]
            if offered not in str(error) or str(error).count("fingerprint") < 1:
                raise AssertionError(f"not both fingerprints in {str(error)!r}")

    def deadline(self) -> None:
        hasty = self.trouble.with_options(deadline=0.1)
        raises("deadline-exceeded", lambda: hasty.sleep(60_000))
        expect(self.trouble.fail("fine"), "fine")
        options = CallOptions(deadline=60)
        with self.open(EchoClient, options=options) as client:
            expect(client.add(1, 2), 3)

    def cancel(self) -> None:
        async def cancelled() -> None:
            async with self.open(AsyncTroubleClient) as client:
                call = asyncio.ensure_future(client.sleep(5000))
                await asyncio.sleep(0.1)
                call.cancel()
                began = time.monotonic()
                try:
                    await call
                    raise AssertionError("the call was not cancelled")
                except asyncio.CancelledError:
                    pass
                if time.monotonic() - began > 4:
                    raise AssertionError("the call did not end at once")
                expect(await client.fail("fine"), "fine")

        asyncio.run(cancelled())

    def oneway(self) -> None:
        prefix = f"python-{uuid.uuid4()}-"
        self.trouble.note(prefix + "a")
        self.trouble.note(prefix + "b")
        until = time.monotonic() + 60
        noted: tuple[str, ...] = ()
        while len(noted) < 2 and time.monotonic() < until:
            noted = self.trouble.noted(prefix)
        expect(noted, (prefix + "a", prefix + "b"))

    def second_service(self) -> None:
        with self.open(AnswerClient) as client:
            expect(client.answer(), 42)

    def metadata(self) -> None:
        pairs = {"x-test": "é", "traceparent": "00-a"}
        found = self.trouble.with_options(metadata=pairs).metadata()
        expect(dict(found), pairs)

    def answer_metadata(self) -> None:
        pair = {"x-answer": "é"}
        answers: list[Answer] = []
        methods = ["add", "fail", "fail", "add"]
        with self.open(EchoClient) as echo:
            asks = {"metadata": pair, "on_answer": answers.append}
            expect(echo.with_options(**asks).add(1, 2), 3)
            trouble = self.trouble.with_options(**asks)
            try:
                trouble.fail("not-found")
                raise AssertionError("no NotFound")
            except NotFound:
                raises("permission-denied", lambda: trouble.fail("denied"))
            expect(echo.with_options(on_answer=answers.append).add(1, 2), 3)
        expect([dict(answer.metadata) for answer in answers], [pair, pair, pair, {}])
        for answer, method in zip(answers, methods):
            if self.over_http:
                expect(answer.header("X-Answered"), method)
                expect(100 <= answer.status <= 599, True)
            else:
                expect((answer.status, answer.headers), (0, ()))
        if self.over_http:
            expect((answers[0].status, answers[3].status), (200, 200))

        async def asynchronous() -> None:
            async with self.open(AsyncTroubleClient) as client:
                asks = client.with_options(metadata=pair, on_answer=answers.append)
                expect(await asks.fail("fine"), "fine")

        asyncio.run(asynchronous())
        expect(dict(answers[-1].metadata), pair)

    def interceptors(self) -> None:
        log: list[str] = []
        first, second = _Seen("first", "1", log), _Seen("second", "2", log)
        told = ["first begins", "second begins", "second ends", "first ends"]
        given = {"x-first": "1", "x-second": "2"}
        watched = self.trouble.with_options(interceptors=(first, second))
        found = dict(watched.metadata())
        expect({name: found.get(name) for name in given}, given)
        try:
            watched.fail("not-found")
            raise AssertionError("no NotFound")
        except NotFound as error:
            expect(first.outcomes[1].error is error, True)
        raises("permission-denied", lambda: watched.fail("denied"))
        raises("deadline-exceeded", lambda: watched.with_options(deadline=0.1).sleep(5000))
        expect(log, told * 4)
        for seen in (first, second):
            codes = [outcome.code for outcome in seen.outcomes]
            expect(codes, [None, None, "permission-denied", "deadline-exceeded"])
            expect(seen.outcomes[0].error, None)
            expect([o.answer is not None for o in seen.outcomes[:3]], [True, True, True])
            expect(all(o.peer and o.seconds > 0 for o in seen.outcomes), True)
        second.refuses = True
        text = f"python-{uuid.uuid4()}"
        error = raises("permission-denied", lambda: watched.note(text))
        expect(first.outcomes[-1].error is error, True)
        expect(log, [*told * 4, "first begins", "first ends"])
        expect(self.trouble.noted(text), ())

        async def asynchronous() -> None:
            second.refuses = False
            async with self.open(AsyncTroubleClient) as client:
                both = client.with_options(interceptors=(first, second))
                found = dict(await both.metadata())
                expect({name: found.get(name) for name in given}, given)

        log.clear()
        asyncio.run(asynchronous())
        expect(log, told)

    def invalid_value(self) -> None:
        type_ = all_types()["conformance.values.Primitives"]
        vectors = json.loads((self.vectors / "primitives.json").read_text())["vectors"]
        vector = next(v for v in vectors if v["type"] == type_.name)
        value = vector_value(type_, vector, self.vectors.name).replace(text="\ud800")
        error = raises("invalid-value", lambda: self.echo_client.primitives(value))
        expect(error.place, "$.value.text")
        self.add()

    def too_large(self) -> None:
        with self.open(TroubleClient, limits=Limits(max_message_size=100_000)) as client:
            error = raises("too-large", lambda: client.bytes_(1_000_000), "100000")
            expect(error.details["limit"], "maxMessageSize")
            expect(client.fail("fine"), "fine")

    def big_response(self) -> None:
        blocks = self.trouble.blocks(300_000)
        expect(len(blocks), 300_000)
        for i, block in enumerate(blocks):
            if block.d != i / 2 or block.s & 0xFFFF != i & 0xFFFF:
                raise AssertionError(f"block {i} is {block!r}")
        expect(self.trouble.bytes_(10_000_000) == _pattern(), True)

    def big_request(self) -> None:
        expect(self.trouble.sum(_pattern()), sum(_pattern()))
        expect(self.trouble.total([float(i) for i in range(1_000_000)]), 499999500000.0)

    def parallel(self) -> None:
        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(lambda i: self.trouble.sleep(i % 20), range(200)))
        expect(answers, [i % 20 for i in range(200)])

    def asynchronous(self) -> None:
        async def calls() -> None:
            from conformance.matrix import AsyncEchoClient

            async with self.open(AsyncEchoClient) as client:
                expect(await client.add(1, 2), 3)
            async with self.open(AsyncTroubleClient) as trouble:
                try:
                    await trouble.fail("not-found")
                    raise AssertionError("no NotFound")
                except NotFound as error:
                    expect(error.description, "not-found")
                blocks = await trouble.blocks(300_000)
                expect(blocks.column("d").tolist(), [i / 2 for i in range(300_000)])
                expect(await trouble.bytes_(10_000_000) == _pattern(), True)
                slept = await asyncio.gather(*(trouble.sleep(i % 20) for i in range(200)))
                expect(slept, [i % 20 for i in range(200)])

        asyncio.run(calls())

    def reconnect(self) -> None:
        with Relay(self.host, self.port) as relay, self.near(EchoClient, relay.port) as client:
            expect(client.add(1, 2), 3)
            relay.cut()
            try:
                expect(client.add(1, 2), 3)
            except CreoError as error:
                expect(error.code.value, "unavailable")
            expect(client.add(1, 2), 3)

    def refused(self) -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            port = unused.getsockname()[1]
            with self.near(AnswerClient, port) as client:
                raises("unavailable", client.answer, f"127.0.0.1:{port}")

    def wrong_protocol(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:

            def answer() -> None:
                connection, _ = server.accept()
                with connection:
                    connection.recv(4096)
                    connection.sendall(self.foreign)

            thread = threading.Thread(target=answer)
            thread.start()
            port = server.getsockname()[1]
            with self.near(AnswerClient, port) as client:
                error = raises("protocol-mismatch", client.answer, self.due)
                expect(error.details["peer"], f"127.0.0.1:{port}")
            thread.join()


class _Seen:
    """An interceptor that adds metadata, and notes what it is told."""

    def __init__(self, name: str, value: str, log: list[str]) -> None:
        self._name = name
        self._value = value
        self._log = log
        self.outcomes: list[Outcome] = []
        self.refuses = False

    def begin(self, call: OutgoingCall) -> Callable[[Outcome], None]:
        if self.refuses:
            raise CreoError(ErrorCode.PERMISSION_DENIED, "not today")
        self._log.append(f"{self._name} begins")
        pairs = {**call.options.metadata, f"x-{self._name}": self._value}
        call.options = replace(call.options, metadata=pairs)
        return self._end

    def _end(self, outcome: Outcome) -> None:
        self._log.append(f"{self._name} ends")
        self.outcomes.append(outcome)


def _pattern() -> bytes:
    return (bytes(range(256)) * 39_063)[:10_000_000]


def run(host: str, port: int, vectors: str) -> None:
    """Runs all scenarios, in the order of their page."""
    scenarios = Scenarios(host, port, vectors)
    streams = StreamScenarios(host, port)
    steps: dict[str, Callable[[], None]] = {
        "echo": scenarios.echo,
        "several": scenarios.several,
        "add": scenarios.add,
        "maybe": scenarios.maybe,
        "declared-exception": scenarios.declared_exception,
        "hidden-failure": scenarios.hidden_failure,
        "own-error": scenarios.own_error,
        "after-errors": scenarios.after_errors,
        "unknown-method": scenarios.unknown_method,
        "deadline": scenarios.deadline,
        "cancel": scenarios.cancel,
        "oneway": scenarios.oneway,
        "second-service": scenarios.second_service,
        "metadata": scenarios.metadata,
        "answer-metadata": scenarios.answer_metadata,
        "interceptors": scenarios.interceptors,
        "invalid-value": scenarios.invalid_value,
        "too-large": scenarios.too_large,
        "big-response": scenarios.big_response,
        "big-request": scenarios.big_request,
        "parallel": scenarios.parallel,
        "async": scenarios.asynchronous,
        "reconnect": scenarios.reconnect,
        "refused": scenarios.refused,
        "wrong-protocol": scenarios.wrong_protocol,
        **streams.steps(),
    }
    report(steps)
    streams.end()
    scenarios.echo_client.close()
    scenarios.trouble.close()


def run_tls(host: str, port: int, vectors: str, certificates: str, plain_port: int) -> None:
    """Runs the scenarios over TLS."""
    trusting = ssl.create_default_context(cafile=Path(certificates, "service.pem"))
    mistaken = ssl.create_default_context(cafile=Path(certificates, "other.pem"))
    scenarios = Scenarios(host, port, vectors, trusting)
    streams = StreamScenarios(host, port, trusting)

    def fails(
        code: str, text: str, at: str, to: int, tls: ssl.SSLContext | None
    ) -> Callable[[], None]:
        async def asynchronous() -> CreoError:
            try:
                async with AsyncAnswerClient(at, to, tls=tls) as client:
                    await client.answer()
            except CreoError as error:
                return error
            raise AssertionError(f"no {code}")

        def both() -> None:
            with AnswerClient(at, to, tls=tls) as client:
                raises(code, client.answer, text)
            error = asyncio.run(asynchronous())
            expect((error.code.value, text in str(error)), (code, True))

        return both

    report(
        {
            "tls-echo": scenarios.echo,
            "tls-declared-exception": scenarios.declared_exception,
            "tls-big-response": scenarios.big_response,
            "tls-big-request": scenarios.big_request,
            "tls-parallel": scenarios.parallel,
            "tls-deadline": scenarios.deadline,
            "tls-async": scenarios.asynchronous,
            "tls-streams": streams.streams,
            "tls-streams-talk": streams.talk,
            "tls-untrusted": fails("untrusted-peer", "certificate", host, port, mistaken),
            "tls-wrong-name": fails("untrusted-peer", "certificate", "127.0.0.1", port, trusting),
            "tls-plain-client": fails("protocol-mismatch", "TLS", host, port, None),
            "tls-plain-service": fails("protocol-mismatch", "TLS", host, plain_port, trusting),
        }
    )
    streams.end()
    scenarios.echo_client.close()
    scenarios.trouble.close()


def report(steps: dict[str, Callable[[], None]]) -> None:
    """Runs each scenario, and prints a line for it."""
    for name, step in steps.items():
        answer: dict[str, Any] = {"scenario": name, "ok": True}
        try:
            step()
        except Exception as failure:
            answer["ok"] = False
            answer["why"] = f"{type(failure).__name__}: {failure}"
        print(json.dumps(answer), flush=True)
