"""Runs the scenarios over HTTP of ``conformance/scenarios.md``, those of SOAP; prints a line each."""

from __future__ import annotations

import ssl
from decimal import Decimal
from typing import Any, Callable

from client import Scenarios, expect, raises, report
from conformance.matrix import EchoClient, TroubleClient
from conformance.values import NotFound
from conformance.xml import (
    Animal,
    AnyAnimalAnimal,
    AnyAnimalDog,
    CodeZip,
    Collected,
    ContactMail,
    Dog,
    Inlines,
    Missing,
    Named,
    Names,
    OnlyDerivedDog,
    Open,
    Pair,
    PartnerClient,
    Price,
    Stamped,
    Told,
    Welcome,
    Zoo,
)
from creo import CreoError

_SHARED = (
    "echo", "several", "add", "maybe", "declared-exception", "hidden-failure", "own-error",
    "after-errors", "oneway", "second-service", "metadata", "answer-metadata", "interceptors",
    "invalid-value", "big-response", "big-request", "async", "deadline", "cancel", "too-large", "parallel",
)  # fmt: skip


def shared(scenarios: Scenarios) -> dict[str, Callable[[], None]]:
    """The scenarios that every wire runs."""
    names = {name: name.replace("-", "_") for name in _SHARED} | {"async": "asynchronous"}
    return {name: getattr(scenarios, method) for name, method in names.items()}


def round_trip(type_: Any, value: Any, wire: str) -> bool:
    """Whether a text wire can hold a value."""
    try:
        read = getattr(type_, f"from_{wire}")(getattr(type_, f"to_{wire}")(value))
    except CreoError as error:
        expect(error.code.value, "invalid-value")
        return False
    # The payload of a NaN is lost.
    return bool(type_.to_bytes(read) == type_.to_bytes(value))


def _wrong_names(names: Names) -> None:
    """XML cannot hold a value that is not a name (XML-48)."""
    xmlns = "{http://www.w3.org/2000/xmlns/}a"
    wrong_names = ("", "p:a", "{}a", "{urn:o}", "{urn:o", "{urn:o}p:a", "a b", "1", xmlns, "{urn:\x01}a")
    for wrong in wrong_names:
        for changed, place in (
            (names.replace(one=wrong), "$.one"),
            (names.replace(first=wrong), "$.first"),
            (names.replace(listed=["a", wrong]), "$.listed[1]"),
        ):
            expect(raises("invalid-value", changed.to_xml).place, place)


class HttpScenarios(Scenarios):
    """The same calls over HTTP, in the way that ``binding`` names, with its ``options``."""

    binding = "soap"
    wire = "xml"
    over_http = True
    options: dict[str, Any] = {}
    foreign = b"SSH-2.0-nothing\r\n\r\n"

    def __init__(self, url: str, vectors: str, tls: ssl.SSLContext | None = None) -> None:
        self.url = url.rstrip("/")
        super().__init__("", 0, vectors, tls)

    def open(self, cls: Any, **options: Any) -> Any:
        name = cls.__name__.replace("Async", "").replace("Client", "")
        return self.at(cls, name, **options)

    def at(self, cls: Any, path: str, **options: Any) -> Any:
        """A client of the service at a path."""
        return self.make(cls, f"{self.url}/{path}", **options)

    def make(self, cls: Any, url: str, **options: Any) -> Any:
        """A client of the service at a URL."""
        given = {**self.options, **options}
        if self.tls is not None:
            given = {"tls": self.tls, **given}
        return getattr(cls, self.binding)(url, **given)

    def near(self, cls: Any, port: int) -> Any:
        return self.make(cls, f"http://127.0.0.1:{port}/{cls.__name__.replace('Client', '')}")

    def carries(self, type_: Any, value: Any) -> bool:
        return round_trip(type_, value, self.wire)

    def both(self, **options: Any) -> None:
        with self.open(EchoClient, **options) as echo:
            expect(echo.add(1, 2), 3)
        with self.open(TroubleClient, **options) as trouble:
            raises("internal", lambda: trouble.fail("internal"))
            expect(raises("permission-denied", lambda: trouble.fail("denied")).message, "not you")
            try:
                trouble.fail("not-found")
                raise AssertionError("no NotFound")
            except NotFound as error:
                expect(error.description, "not-found")

    def big(self, **options: Any) -> None:
        data = (bytes(range(256)) * 391)[:100_000]
        with self.open(TroubleClient, **options) as trouble:
            expect(trouble.sum(data), sum(data))
            expect(trouble.bytes_(100_000) == data, True)

    def partner(self, **options: Any) -> None:
        with self.open(PartnerClient, **options) as partner:
            expect(partner.sum(3, 4), 7)
            request = Named("first", "b", "c", 5, "en")
            expect(partner.quote(request), Price("first", Decimal(5)))
            try:
                partner.quote(request.replace(first="missing"))
                raise AssertionError("no Missing")
            except Missing as error:
                expect((error.code, error.what), (5, "missing"))
            try:
                partner.quote(request.replace(first="told"))
                raise AssertionError("no Told")
            except Told as error:
                expect(error.text, "told")
            expect(partner.greet("s", "n", None), "s n -")
            expect(partner.greet("s", "n", "h"), "s n h")
            expect(partner.welcome("n", request), Welcome("welcome n", request))
            expect(partner.welcome("n", None), Welcome("welcome n", None, "new"))
            expect(partner.stamp(7), Stamped(Price("stamp", Decimal(7)), -7))
            try:
                partner.stamp(0)
                raise AssertionError("no Told")
            except Told as error:
                expect(error.text, "no stamp")
            expect(partner.deliver("s", request, "note", 3), "s first note 3")
            expect(partner.deliver("s", request, None, -1), "s first - -1")
            expect(partner.collect(7), Collected(request, "note", codes=["x", "y"], receipt=-7))
            expect(partner.collect(1), Collected(request, codes=["x", "y"], receipt=-1))
            try:
                partner.collect(0)
                raise AssertionError("no Told")
            except Told as error:
                expect(error.text, "nothing")
            partner.ping()
            inlines = Inlines("b", ContactMail("m"), [Pair("k"), Pair("l", 2)], CodeZip(7), after="a")
            expect(partner.inlines(inlines), inlines)
            dog, animal = Dog("d", 1), AnyAnimalAnimal(Animal("a"))
            zoo = Zoo(animal, OnlyDerivedDog(dog), [animal, AnyAnimalDog(dog)], None)
            expect(partner.zoo(zoo), zoo)
            open_ = Open("k", ["<x>1</x>", '<p:y xmlns:p="urn:p"/>'], {"a": "1", "{urn:p}b": "2"})
            expect(partner.open(open_), open_)
            others = {"{urn:o}a": '1 & "2"', "{urn:p}a": "3", "b": ""}
            expect(partner.tag("known", others), Open("known", [], others))
            expect(partner.tag("known", {}), Open("known", [], {}))
            names = Names(
                first="{urn:o}a", one="{urn:creo:conformance:xml}b",
                many=["{urn:p}c", "d"], some=[], listed=["{urn:p}e", "{urn:o}f"], texts=[],
            )  # fmt: skip
            expect(partner.names(names), names)
            _wrong_names(names)
            partner.notice("a text")

    def unknown_method(self) -> None:
        with self.at(EchoClient, "Trouble") as client:
            raises("unknown-method", lambda: client.add(1, 2), "add")

    def wrong_path(self) -> None:
        with self.at(EchoClient, "Nowhere") as client:
            raises("unavailable", lambda: client.add(1, 2), "404")


def run(url: str, vectors: str) -> None:
    """Runs all scenarios."""
    scenarios = HttpScenarios(url, vectors)
    report(
        {
            **shared(scenarios),
            "soap-12": lambda: scenarios.both(version="1.2"),
            "gzip": lambda: scenarios.big(gzip=True),
            "mtom": lambda: scenarios.big(mtom=True),
            "mtom-12": lambda: scenarios.big(mtom=True, version="1.2", gzip=True),
            "partner": scenarios.partner,
            "partner-12": lambda: scenarios.partner(version="1.2"),
            "unknown-method": scenarios.unknown_method,
            "wrong-path": scenarios.wrong_path,
            "refused": scenarios.refused,
            "wrong-protocol": scenarios.wrong_protocol,
        }
    )
    scenarios.echo_client.close()
    scenarios.trouble.close()
