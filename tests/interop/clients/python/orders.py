"""Our Python client calls the service by CXF: orders.py ADDRESS 1.1|1.2|mtom|addressing|addressing12|token|digest."""

from __future__ import annotations

import sys
import time
from decimal import Decimal

from cases import equal, pattern, run, until
from creo import CreoError, DateTime
from creo.soap import UsernameToken
from org.example.partner.orders import (
    AnyPartyCompany,
    AnyPartyParty,
    AnyPartyPerson,
    Busy,
    Company,
    Goods,
    Labour,
    NotFound,
    Order,
    OrderChoiceGoods,
    OrderChoiceLabour,
    OrdersClient,
    OrderTags,
    Party,
    Person,
    Price,
    State,
)


def orders(client: OrdersClient) -> int:
    full = Order(
        customer=AnyPartyPerson(Person("Ada & Bob", "Lovelace", "AT-9")),
        state=State.SOLD_OUT,
        created=DateTime.parse("2026-11-21T10:31:56.25Z"),
        due="2026-12-24",
        total=Price(Decimal("1234567890123456789.10"), "EUR"),
        quantity=Decimal("42"),
        remark="a <remark>",
        weight=0.5,
        codes=[3, -1, 4],
        tags=OrderTags(["new", " <hot> "]),
        choices=[OrderChoiceGoods(Goods("bolt", 100)), OrderChoiceLabour(Labour("assembly", 1.5)), OrderChoiceGoods(Goods("nut", 200))],
        checksum=b"\xca\xfe",
        number=17,
        language="de-AT",
    )
    least = Order(
        customer=AnyPartyParty(Party("plain")),
        state=State.V1,
        created=DateTime.parse("2026-01-01T00:00:00Z"),
        total=Price(Decimal("0"), ""),
        choices=[],
        number=-1,
    )

    def sample() -> None:
        order = client.sample()
        assert order is not None
        equal(AnyPartyCompany(Company("Creo & Co", "U123", "AT-1")), order.customer)
        equal(State.IN_STOCK, order.state)
        equal("2026-11-21T09:31:56.250Z", str(order.created))
        equal("2026-12-24", order.due)
        equal(Price(Decimal("1234567890123456789.10"), "EUR"), order.total)
        equal((Decimal("42"), None, 0.5), (order.quantity, order.remark, order.weight))
        equal([3, -1, 4], list(order.codes or []))
        equal(OrderTags(["new", "<hot>"]), order.tags)
        equal([OrderChoiceGoods(Goods("bolt", 100)), OrderChoiceLabour(Labour("assembly", 1.5)), OrderChoiceGoods(Goods("nut", 200))], list(order.choices))
        equal((b"\xca\xfe", 17, "de-AT"), (order.checksum, order.number, order.language))

    def describe() -> None:
        equal(
            "17|de-AT|Person Ada & Bob AT-9 Lovelace|SOLD_OUT|2026-11-21T10:31:56.250Z|2026-12-24|1234567890123456789.10EUR|42|a <remark>|0.5|[3, -1, 4]|[new,  <hot> ]"
            "|[100 bolt, 1.5 h assembly, 200 nut]|cafe",
            client.describe(full),
        )
        equal("-1|null|Party plain null|FIRST|2026-01-01T00:00:00Z|null|0|null|null|null|[]|[]|[]|null", client.describe(least))

    def parties() -> None:
        got = client.parties(["person", "plain", "company"])
        equal([AnyPartyPerson(Person("Ada", "Lovelace", "AT-2")), AnyPartyParty(Party("plain", "AT-4")), AnyPartyCompany(Company("Creo", "U456", "AT-3"))], list(got))

    def attach() -> None:
        for count in (0, 1, 1023, 1024, 300_000):
            equal(pattern(count), client.attach(pattern(count)))
        equal(None, client.attach(None))

    def not_found() -> None:
        try:
            raise AssertionError(f"no fault, but {client.find('nobody')}")
        except NotFound as e:
            equal(("nobody", 404), (e.what, e.code))

    def busy() -> None:
        try:
            raise AssertionError(f"no fault, but {client.find('busy')}")
        except Busy as e:
            equal((30, AnyPartyPerson(Person("Bob", "Busy", "AT-5"))), (e.seconds, e.by))

    def broken() -> None:
        try:
            raise AssertionError(f"no fault, but {client.find('broken')}")
        except CreoError as e:
            equal("internal", e.code)
            assert "it broke" in str(e), str(e)

    def oneway() -> None:
        prefix = f"python {time.time_ns()} "
        client.note(prefix + "one")
        until([prefix + "one"], lambda: list(client.noted(prefix)))

    return run(
        {
            "sample": sample,
            "echo": lambda: equal(full, client.echo(full)),
            "echo-least": lambda: equal(least.replace(codes=None), (client.echo(least) or least).replace(codes=None, tags=None)),
            "echo-nothing": lambda: equal(None, client.echo(None)),
            "describe": describe,
            "parties": parties,
            "attach": attach,
            "find": lambda: equal("somebody", client.find("somebody")),
            "fault-not-found": not_found,
            "fault-busy": busy,
            "fault-undeclared": broken,
            "header": lambda: equal("Ada in s-1", client.greet("Ada", "s-1")),
            "ping": client.ping,
            "oneway": oneway,
        }
    )


if __name__ == "__main__":
    address, mode = sys.argv[1:]
    token = UsernameToken("anna", "Geheimnis-\u00df", digest=mode == "digest") if mode in ("token", "digest") else None
    with OrdersClient.soap(
        address,
        version="1.2" if mode in ("1.2", "addressing12") else "1.1",
        mtom=mode == "mtom",
        addressing=True if mode.startswith("addressing") else None,
        username_token=token,
        timestamp=mode == "digest",
    ) as it:
        sys.exit(orders(it.with_options(deadline=30)))
