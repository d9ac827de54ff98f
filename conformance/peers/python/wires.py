"""Runs the scenarios of the json and tdxml wires, and those of HTTP over TLS; prints a line each."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path
from typing import Any, Callable

from client import Scenarios, expect, report
from conformance.matrix import AnswerClient, AsyncAnswerClient, EchoClient, TroubleClient
from conformance.other import Point as Cell
from conformance.values import Colour, NotFound, Point
from creo import CreoError
from soap import HttpScenarios, round_trip, shared
from streams import LineScenarios


class _Tables(Scenarios):
    """Scenarios that are the same for tables on any transport."""

    def plain(self, **options: Any) -> None:
        """Some calls of a client with these options."""
        with self.open(EchoClient, **options) as echo:
            expect(echo.add(1, 2), 3)
            text = echo.several(
                7, "x", [1.5, 2.5], Point(1.0, 2.0), Cell(3, 4), None, Colour.BLUE
            )
            expect(text, "7 x 4.0 1.0 2.0 3 4 - BLUE")
            expect(dict(echo.counts({"a|b": 1, "~": -2})), {"a|b": 1, "~": -2})
        with self.open(TroubleClient, **options) as trouble:
            try:
                trouble.fail("not-found")
                raise AssertionError("no NotFound")
            except NotFound as error:
                expect((error.description, error.tried), ("not-found", [1, 2, 3]))


class JsonScenarios(HttpScenarios):
    """By JSON."""

    binding = "json"
    wire = "json"

    def wrong_path(self) -> None:
        with self.at(EchoClient, "Nowhere") as client:
            try:
                client.add(1, 2)
                raise AssertionError("no error")
            except CreoError as error:
                if error.code.value not in ("unavailable", "unknown-method"):
                    raise
                if "404" not in str(error) and "Nowhere" not in str(error):
                    raise AssertionError(str(error)) from error


class TablesScenarios(HttpScenarios, _Tables):
    """By tables within SOAP."""

    wire = "tdxml"
    options = {"tables": "record"}  # noqa: RUF012


class TdxmlScenarios(JsonScenarios, _Tables):
    """By tables without SOAP."""

    binding = "tdxml"
    wire = "tdxml"


class TdxmlTcpScenarios(_Tables):
    """By tables over TCP."""

    def open(self, cls: Any, **options: Any) -> Any:
        wire = {} if cls.__module__.startswith("conformance_changed") else {"wire": "tdxml"}
        return super().open(cls, **wire, **options)

    def near(self, cls: Any, port: int) -> Any:
        return cls("127.0.0.1", port, wire="tdxml")

    def carries(self, type_: Any, value: Any) -> bool:
        return round_trip(type_, value, "tdxml")


def _over_http(scenarios: HttpScenarios) -> dict[str, Callable[[], None]]:
    return {
        "gzip": lambda: scenarios.big(gzip=True),
        "partner": scenarios.partner,
        "unknown-method": scenarios.unknown_method,
        "wrong-path": scenarios.wrong_path,
        "refused": scenarios.refused,
        "wrong-protocol": scenarios.wrong_protocol,
    }


def finish(scenarios: Scenarios, steps: dict[str, Callable[[], None]]) -> None:
    """Runs the scenarios, and closes what they share."""
    report(steps)
    scenarios.echo_client.close()
    scenarios.trouble.close()


def run_json(url: str, vectors: str) -> None:
    """Runs the scenarios "As JSON"."""
    scenarios = JsonScenarios(url, vectors)
    streams = LineScenarios(url)
    finish(scenarios, {**shared(scenarios), **_over_http(scenarios), **streams.steps()})
    streams.end()


def run_tables(url: str, vectors: str) -> None:
    """Runs the scenarios "As tables within SOAP"."""
    scenarios = TablesScenarios(url, vectors)

    def with_schema() -> None:
        scenarios.plain(schema=True)
        scenarios.plain(tables="aggregated", schema=True)

    steps: dict[str, Callable[[], None]] = {
        "aggregated": lambda: scenarios.plain(tables="aggregated"),
        "schema": with_schema,
        "soap-12": lambda: scenarios.both(version="1.2"),
        "mtom": lambda: scenarios.big(mtom=True),
    }
    finish(scenarios, {**shared(scenarios), **steps, **_over_http(scenarios)})


def run_tdxml(url: str, vectors: str) -> None:
    """Runs the scenarios "As tables over HTTP"."""
    scenarios = TdxmlScenarios(url, vectors)

    def with_schema() -> None:
        scenarios.plain(schema=True)
        scenarios.plain(scheme="aggregated", schema=True)

    steps: dict[str, Callable[[], None]] = {
        "aggregated": lambda: scenarios.plain(scheme="aggregated"),
        "schema": with_schema,
        "packages": lambda: scenarios.big(packages=True),
    }
    finish(scenarios, {**shared(scenarios), **steps, **_over_http(scenarios)})


def run_tdxml_tcp(host: str, port: int, vectors: str) -> None:
    """Runs the scenarios "As tables over TCP"."""
    scenarios = TdxmlTcpScenarios(host, port, vectors)

    def with_schema() -> None:
        scenarios.plain(schema=True)
        scenarios.plain(scheme="aggregated", schema=True)

    steps: dict[str, Callable[[], None]] = {
        "unknown-method": scenarios.unknown_method,
        "reconnect": scenarios.reconnect,
        "refused": scenarios.refused,
        "wrong-protocol": scenarios.wrong_protocol,
        "aggregated": lambda: scenarios.plain(scheme="aggregated"),
        "schema": with_schema,
    }
    finish(scenarios, {**shared(scenarios), **steps})


def run_soap_tls(url: str, vectors: str, certificates: str, plain_url: str) -> None:
    """Runs the scenarios "Over TLS" of SOAP."""
    trusting = ssl.create_default_context(cafile=Path(certificates, "service.pem"))
    mistaken = ssl.create_default_context(cafile=Path(certificates, "other.pem"))
    scenarios = HttpScenarios(url, vectors, trusting)
    by_address = url.replace("localhost", "127.0.0.1")

    def both(codes: tuple[str, ...], text: str, at: str, tls: ssl.SSLContext | None) -> None:
        def check(error: CreoError) -> None:
            if error.code.value not in codes or text not in str(error):
                raise AssertionError(f"not {codes} with {text!r}: {error}") from error

        async def asynchronous() -> None:
            async with AsyncAnswerClient.soap(f"{at}/Answer", tls=tls) as client:
                try:
                    await client.answer()
                    raise AssertionError("no error")
                except CreoError as error:
                    check(error)

        with AnswerClient.soap(f"{at}/Answer", tls=tls) as client:
            try:
                client.answer()
                raise AssertionError("no error")
            except CreoError as error:
                check(error)
        asyncio.run(asynchronous())

    def other(binding: str) -> None:
        with getattr(EchoClient, binding)(f"{url}/Echo", tls=trusting) as echo:
            expect(echo.add(1, 2), 3)
        with getattr(TroubleClient, binding)(f"{url}/Trouble", tls=trusting) as trouble:
            try:
                trouble.fail("not-found")
                raise AssertionError("no NotFound")
            except NotFound as error:
                expect(error.description, "not-found")

    no_tls = url.replace("https:", "http:")
    secure_plain = plain_url.replace("http:", "https:")
    given = shared(scenarios)
    names = ("echo", "declared-exception", "big-response", "parallel", "async")
    finish(
        scenarios,
        {
            **{name: given[name] for name in names},
            "gzip": lambda: scenarios.big(gzip=True),
            "json": lambda: other("json"),
            "tdxml": lambda: other("tdxml"),
            "untrusted": lambda: both(("untrusted-peer",), "certificate", url, mistaken),
            "wrong-name": lambda: both(("untrusted-peer",), "certificate", by_address, trusting),
            "plain-client": lambda: both(("protocol-mismatch", "unavailable"), "", no_tls, None),
            "plain-service": lambda: both(("protocol-mismatch",), "TLS", secure_plain, trusting),
        },
    )

