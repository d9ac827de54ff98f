"""Runs the scenarios over JMS of ``conformance/scenarios.md``; prints a line each."""

from __future__ import annotations

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable

from client import expect, raises
from conformance.matrix import AnswerClient, EchoClient, TroubleClient
from conformance.xml import PartnerClient
from creo import AsyncClient, CreoError
from creo.jms import AsyncJmsChannel, JmsBroker, JmsChannel
from soap import HttpScenarios, round_trip, shared
from wires import TablesScenarios, finish

_MATRIX = "jms:queue:creo.matrix"
_PARTNER = "jms:queue:creo.partner"
_CHANNEL = (
    "wire", "version", "mtom", "tables", "scheme", "schema", "packages", "gzip", "limits",
)  # fmt: skip


class JmsScenarios(TablesScenarios):
    """The same calls over a queue."""

    options = {}  # noqa: RUF012

    def __init__(self, wire: str, host: str, port: int, vectors: str) -> None:
        self.spoken = wire
        self.wire = {"soap": "xml", "tdxml": "tdxml", "binary": ""}[wire]
        self.broker = JmsBroker(host, port)
        HttpScenarios.__init__(self, "", vectors)

    def open(self, cls: Any, **options: Any) -> Any:
        return self.to(_PARTNER if cls is PartnerClient else _MATRIX, cls, **options)

    def to(self, address: str, cls: Any, broker: JmsBroker | None = None, **options: Any) -> Any:
        """A client that speaks to an address."""
        kind = AsyncJmsChannel if issubclass(cls, AsyncClient) else JmsChannel
        given = {name: options.pop(name) for name in _CHANNEL if name in options}
        made = kind(broker or self.broker, address, **{"wire": self.spoken, **given})
        return cls.over(made, **options)

    def carries(self, type_: Any, value: Any) -> bool:
        return not self.wire or round_trip(type_, value, self.wire)

    def oneway(self) -> None:
        """In either order: two messages may be taken at once."""
        notes = TroubleClient.noted

        class Sorted:
            """The client, with its notes in order."""

            def __init__(self, client: TroubleClient) -> None:
                self.note = client.note
                self.noted = lambda prefix: tuple(sorted(notes(client, prefix)))

        client = self.trouble
        self.trouble = Sorted(client)  # type: ignore[assignment]
        try:
            super().oneway()
        finally:
            self.trouble = client

    def unknown_method(self) -> None:
        with self.to(_MATRIX, PartnerClient) as client:
            raises("unknown-method", lambda: client.sum(3, 4))

    def target_service(self) -> None:
        to = f"{_MATRIX}?targetService=conformance.matrix."
        with self.to(f"{to}Echo", EchoClient) as client:
            expect(client.add(1, 2), 3)
        with self.to(f"{to}Trouble", EchoClient) as client:
            raises("unknown-method", lambda: client.add(1, 2))

    def address(self) -> None:
        more = "deliveryMode=NON_PERSISTENT&priority=9&timeToLive=60000&something=else"
        with self.to(f"{_MATRIX}?{more}", EchoClient) as client:
            expect(client.add(1, 2), 3)
        for wrong in ("jms:jndi:x", "jms:queue:q?priority=10", "jms:queue:q?jndiURL=x"):
            raises("invalid-value", lambda wrong=wrong: self.to(wrong, EchoClient))

    def shared_reply(self) -> None:
        to = f"{_MATRIX}?replyToName=creo.replies.python.{self.spoken}"
        with self.to(to, EchoClient) as one, self.to(to, EchoClient) as other:
            with ThreadPoolExecutor(20) as pool:
                first = [pool.submit(one.add, i, 1000) for i in range(10)]
                second = [pool.submit(other.add, i, 2000) for i in range(10)]
                expect([call.result() for call in first], [1000 + i for i in range(10)])
                expect([call.result() for call in second], [2000 + i for i in range(10)])

    def no_consumer(self) -> None:
        with self.to("jms:queue:creo.nobody", EchoClient) as client:
            hasty = client.with_options(deadline=0.3)
            raises("deadline-exceeded", lambda: hasty.add(1, 2))

    def reconnect(self) -> None:
        with _Relay(self.broker) as relay:
            way = JmsBroker("127.0.0.1", relay.port)
            with self.to(_MATRIX, EchoClient, way) as client:
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
            with self.to(_MATRIX, AnswerClient, JmsBroker("127.0.0.1", port)) as client:
                raises("unavailable", client.answer, f"127.0.0.1:{port}")

    def wrong_protocol(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:

            def answer() -> None:
                connection, _ = server.accept()
                with connection:
                    connection.recv(4096)
                    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

            thread = threading.Thread(target=answer)
            thread.start()
            port = server.getsockname()[1]
            with self.to(_MATRIX, AnswerClient, JmsBroker("127.0.0.1", port)) as client:
                try:
                    client.answer()
                    raise AssertionError("no error")
                except CreoError as error:
                    if error.code.value not in ("protocol-mismatch", "unavailable"):
                        raise
                    expect(error.details["peer"], f"127.0.0.1:{port}")
            thread.join()

    def tables(self) -> None:
        for scheme in ("record", "aggregated"):
            self.plain(tables=scheme)


class _Relay:
    """Stands between a client and the broker, and can be cut."""

    def __init__(self, broker: JmsBroker) -> None:
        self._broker = broker
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        self._made: list[socket.socket] = []
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> _Relay:
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()
        for thread in self._threads:
            thread.join()
        for made in self._made:
            made.close()

    def cut(self) -> None:
        """Ends every connection at once."""
        while self._open:
            connected = self._open.pop()
            try:
                connected.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # it had ended by itself

    def _start(self, work: Callable[..., None], *arguments: Any) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        thread.start()
        self._threads.append(thread)

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection((self._broker.host, self._broker.port))
            self._open += (near, far)
            self._made += (near, far)
            self._start(self._copy, near, far)
            self._start(self._copy, far, near)

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65_536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            return


def run(wire: str, host: str, port: int, vectors: str) -> None:
    """Runs the scenarios "Over JMS" of a wire."""
    scenarios = JmsScenarios(wire, host, port, vectors)
    steps: dict[str, Callable[[], None]] = {
        "unknown-method": scenarios.unknown_method,
        "target-service": scenarios.target_service,
        "address": scenarios.address,
        "shared-reply": scenarios.shared_reply,
        "no-consumer": scenarios.no_consumer,
        "reconnect": scenarios.reconnect,
        "refused": scenarios.refused,
        "wrong-protocol": scenarios.wrong_protocol,
        "gzip": lambda: scenarios.big(gzip=True),
        "partner": scenarios.partner,
    }
    if wire == "soap":
        steps |= {
            "soap-12": lambda: scenarios.both(version="1.2"),
            "mtom": lambda: scenarios.big(mtom=True),
            "mtom-12": lambda: scenarios.big(mtom=True, version="1.2"),
            "tables": scenarios.tables,
            "partner-12": lambda: scenarios.partner(version="1.2"),
        }
    if wire == "tdxml":
        steps |= {
            "aggregated": lambda: scenarios.plain(scheme="aggregated"),
            "schema": lambda: _with_schema(scenarios),
            "packages": lambda: scenarios.big(packages=True),
        }
    finish(scenarios, {**shared(scenarios), **steps})


def _with_schema(scenarios: JmsScenarios) -> None:
    scenarios.plain(schema=True)
    scenarios.plain(scheme="aggregated", schema=True)
