"""Our Python client calls a service that has SOAP 1.2 alone, which it knows from the import: moments.py ADDRESS imported."""

from __future__ import annotations

import sys

from cases import equal, run
from creo import DateTime
from example.moments import Beyond, MomentsClient


def moments(client: MomentsClient) -> int:
    at = DateTime.parse("2026-11-27T10:00:00Z")

    def beyond() -> None:
        try:
            raise AssertionError(f"no fault, but {client.shift(at, 3601)}")
        except Beyond as error:
            equal(3600, error.limit)

    return run(
        {
            "shift": lambda: equal(DateTime.parse("2026-11-27T10:01:30Z"), client.shift(at, 90)),
            "fault-beyond": beyond,
        }
    )


if __name__ == "__main__":
    with MomentsClient.soap(sys.argv[1]) as it:
        sys.exit(moments(it.with_options(deadline=30)))
