"""Our Python client calls the service by gSOAP: meters.py ADDRESS 1.1|1.2|mtom."""

from __future__ import annotations

import sys
from decimal import Decimal

from cases import equal, pattern, run
from creo import CreoError, DateTime
from org.example.partner.meters import (
    Amount,
    MetersPortClient,
    NotFound,
    Point,
    Quality,
    Reading,
    ReadingChoiceNumber,
    ReadingChoicePoint,
    ReadingChoiceText,
    Refused,
)


def meters(client: MetersPortClient) -> int:
    full = Reading(
        quality=Quality.CHECKED,
        at=DateTime.parse("2026-11-21T10:31:56.123456789Z"),
        amount=Amount(Decimal("-0012345678901234567890.50"), "kWh"),
        choice=ReadingChoicePoint(Point(1.5, -2.5)),
        maybe=0,
        remark="a <remark> & more",
        samples=[0.1, -0.0, 5e-324, 1.7976931348623157e308],
        path=[Point(0.0, 1.0), Point(2.0, 3.0)],
        valid=True,
        ticks=-9223372036854775808,
        level=255,
        meter=17,
        site="here & there",
    )
    least = Reading(
        quality=Quality.RAW,
        at=DateTime.parse("0001-01-01T00:00:00Z"),
        amount=Amount(Decimal("0"), ""),
        choice=ReadingChoiceNumber(-0.5),
        samples=[],
        path=[],
        valid=False,
        ticks=0,
        level=0,
        meter=-1,
    )
    chain = least.replace(previous=full.replace(previous=least))

    def describe() -> None:
        words = "17|here & there|CHECKED|2026-11-21T10:31:56.123456789Z|-12345678901234567890.50kWh|1.5,-2.5|0|a <remark> & more|0.1,1.5|0/1,2/3|1|-9223372036854775808|255|-1"
        equal(words, client.describe(full.replace(samples=[0.1, 1.5])))
        equal("-1|-|RAW|0001-01-01T00:00:00Z|0|-0.5|-|-|0|0|0|17", client.describe(least.replace(previous=full)))

    def attach() -> None:
        for count in (1, 1023, 1024, 300_000):
            equal(pattern(count), client.attach(pattern(count)))

    def not_found() -> None:
        try:
            raise AssertionError(f"no fault, but {client.find('nobody')}")
        except NotFound as e:
            equal(("nobody", 404), (e.what, e.code))

    def refused() -> None:
        try:
            raise AssertionError(f"no fault, but {client.find('refused')}")
        except Refused as e:
            equal("not you", e.reason)

    def broken() -> None:
        try:
            raise AssertionError(f"no fault, but {client.find('broken')}")
        except CreoError as e:
            equal("internal", e.code)
            assert "it broke" in str(e), str(e)

    return run(
        {
            "echo": lambda: equal(full, client.echo(full)),
            "echo-least": lambda: equal(least, client.echo(least)),
            "echo-chain": lambda: equal(chain, client.echo(chain)),
            "choice-text": lambda: equal(full.replace(choice=ReadingChoiceText("")), client.echo(full.replace(choice=ReadingChoiceText("")))),
            "describe": describe,
            "attach": attach,
            "add": lambda: equal(-1, client.add(2147483646, -2147483647)),
            "find": lambda: equal("somebody", client.find("somebody")),
            "fault-not-found": not_found,
            "fault-refused": refused,
            "fault-undeclared": broken,
        }
    )


if __name__ == "__main__":
    address, mode = sys.argv[1:]
    with MetersPortClient.soap(address, version="1.2" if mode == "1.2" else "1.1", mtom=mode == "mtom") as it:
        sys.exit(meters(it.with_options(deadline=30)))
