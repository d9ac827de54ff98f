"""Runs the scenarios over JMS of ``conformance/scenarios.md``; prints a line each."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable

from client import Scenarios, expect, raises
from conformance.matrix import EchoClient, TroubleClient
from conformance.xml import PartnerClient
from creo import AsyncClient, CreoError
from creo.jms import AsyncJmsChannel, JmsBroker, JmsChannel
from relay import Relay
from soap import HttpScenarios, round_trip, shared
from streams import ResultScenarios
from wires import TablesScenarios, finish

_MATRIX = "jms:queue:creo.matrix"
_PARTNER = "jms:queue:creo.partner"
_CHANNEL = (
    "wire", "version", "mtom", "tables", "scheme", "schema", "packages", "gzip", "limits",
)  # fmt: skip


class JmsScenarios(TablesScenarios):
    """The same calls over a queue."""

    options = {}  # noqa: RUF012
    over_http = False
    foreign = Scenarios.foreign

    def __init__(self, wire: str, host: str, port: int, vectors: str) -> None:
        self.spoken = wire
        self.wire = {"soap": "xml", "tdxml": "tdxml", "binary": ""}[wire]
        self.broker = JmsBroker(host, port)
        HttpScenarios.__init__(self, "", vectors)
        self.host, self.port = host, port

    def open(self, cls: Any, **options: Any) -> Any:
        return self.to(_PARTNER if cls is PartnerClient else _MATRIX, cls, **options)

    def near(self, cls: Any, port: int) -> Any:
        return self.to(_MATRIX, cls, JmsBroker("127.0.0.1", port))

    def to(self, address: str, cls: Any, broker: JmsBroker | None = None, **options: Any) -> Any:
        """A client that speaks to an address."""
        kind = AsyncJmsChannel if issubclass(cls, AsyncClient) else JmsChannel
        given = {name: options.pop(name) for name in _CHANNEL if name in options}
        made = kind(broker or self.broker, address, **{"wire": self.spoken, **given})
        # The scenarios close clients, which leave a channel open that they were given: these close theirs.
        owner = type(cls.__name__, (cls,), {"close": lambda _: made.close()})
        return owner.over(made, **options)

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

    def second_broker(self) -> None:
        """The first place is a relay, the second the broker itself."""
        with Relay(self.host, self.port) as relay:
            way = JmsBroker("127.0.0.1", relay.port).or_(self.host, self.port)
            with self.to(_MATRIX, EchoClient, way) as client:
                expect(client.add(1, 2), 3)
                relay.leave()
                try:
                    expect(client.add(1, 2), 3)
                except CreoError as error:
                    expect(error.code.value, "unavailable")
                expect(client.add(1, 2), 3)

    def tables(self) -> None:
        for scheme in ("record", "aggregated"):
            self.plain(tables=scheme)


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
        "second-broker": scenarios.second_broker,
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
    if wire == "binary":
        with JmsChannel(scenarios.broker, _MATRIX, wire=wire) as channel:
            streams = ResultScenarios(channel, lambda: AsyncJmsChannel(scenarios.broker, _MATRIX, wire=wire))
            finish(scenarios, {**shared(scenarios), **steps, **streams.steps()})
        return
    finish(scenarios, {**shared(scenarios), **steps})


def _with_schema(scenarios: JmsScenarios) -> None:
    scenarios.plain(schema=True)
    scenarios.plain(scheme="aggregated", schema=True)
