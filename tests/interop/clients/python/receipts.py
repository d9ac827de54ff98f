"""Our Python client calls a service whose answers have several elements in the body: receipts.py ADDRESS imported."""

from __future__ import annotations

import sys

from cases import equal, run
from example.receipts import Item, PutAnswer, ReceiptsClient, SettleAnswer


def receipts(client: ReceiptsClient) -> int:
    return run(
        {
            "put": lambda: equal(PutAnswer((1 << 40) + 20, Item("a<b", 120), "many & <more>"), client.put(Item("a<b", 20))),
            "put-nil": lambda: equal(PutAnswer((1 << 40) + 1, Item("a<b", 101)), client.put(Item("a<b", 1))),
            "settle": lambda: equal(SettleAnswer(Item("all", 0), 10, "of 2026-11-29"), client.settle("2026-11-29")),
        }
    )


if __name__ == "__main__":
    with ReceiptsClient.soap(sys.argv[1]) as it:
        sys.exit(receipts(it.with_options(deadline=30)))
