"""Books a parcel and asks where it is: client.py soap URL, or client.py binary HOST:PORT."""

from __future__ import annotations

import sys
from decimal import Decimal

from org.example.carrier import Address, CarrierClient, Parcel, UnknownParcel


def connect(wire: str, place: str) -> CarrierClient:
    if wire == "soap":
        return CarrierClient.soap(place)
    host, _, port = place.rpartition(":")
    return CarrierClient(host, int(port))


def main(wire: str, place: str) -> None:
    with connect(wire, place) as carrier:
        order = carrier.book(
            Address("Ada", city="London", country="GB"),
            Address("Grace", city="New York", country="US"),
            [Parcel(Decimal("1.5")), Parcel(Decimal("0.75"), contents="a vase", fragile=True)],
        )
        print(f"booked {order.number} for {order.price}, arrives {order.arrives}")
        for event in carrier.track(order.number):
            print(f"{event.at}: {event.state.name} in {event.place}")
        try:
            carrier.track("P-9999")
        except UnknownParcel as unknown:
            print(f"unknown parcel {unknown.number}")


if __name__ == "__main__":
    main(*sys.argv[1:])
