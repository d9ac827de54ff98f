"""The client of the ledger in Python: what it is told and what it writes, README.md says."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

from creo import CreoError
from creo.jms import JmsBroker, JmsChannel
from org.example.ledger import LedgerClient, Refused

# Oneway calls may take as long as the whole run; others less.
ONEWAY_SECONDS = 3600.0
ANSWER_SECONDS = 20.0


class Caller:
    def __init__(self, client: LedgerClient, file: str, plan: str, first: int, end: int) -> None:
        self.client = client
        # Whole lines, each by one write: what is written stays though the program is killed.
        self.file = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
        self.plan = [line.split() for line in Path(plan).read_text().splitlines()]
        self.next = first
        self.end = end
        self.limit = 0
        self.changed = threading.Condition()

    def add(self, line: str) -> None:
        os.write(self.file, (line + "\n").encode("ascii", "backslashreplace"))

    def listen(self) -> None:
        for line in sys.stdin:
            with self.changed:
                self.limit = int(line)
                self.changed.notify_all()

    def take(self) -> int | None:
        """The next number, as soon as it may be called."""
        with self.changed:
            while self.limit <= self.next < self.end:
                self.changed.wait()
            if self.next == self.end:
                return None
            number = self.next
            self.next += 1
            self.add(f"made {number} {self.plan[number][0]}")
            self.changed.notify_all()
            return number

    def work(self) -> None:
        while (number := self.take()) is not None:
            try:
                self.add(self.call(number))
            except CreoError as error:
                self.add(f"error {number} {error.code.value}")
                print(f"{number}: {error}", file=sys.stderr)
                if error.code.value == "unavailable":
                    # A service that is not there is not asked without end.
                    time.sleep(1)
            except Exception as problem:
                self.add(f"wrong {number} {problem!r}")

    def call(self, number: int) -> str:
        kind, milliseconds = self.plan[number]
        client = self.client.with_options(deadline=ONEWAY_SECONDS if kind in ("note", "poison") else ANSWER_SECONDS, metadata={"number": str(number)})
        if kind == "note":
            client.note(number, int(milliseconds))
            return f"stored {number}"
        if kind == "poison":
            client.poison(number)
            return f"stored {number}"
        try:
            answer = client.book(number, int(milliseconds), kind == "refuse")
        except Refused as refused:
            return f"refused {number}" if kind == "refuse" and refused.number == number else f"wrong {number} refusal of {refused.number}"
        return f"answered {number}" if kind == "book" and answer == 2 * number else f"wrong {number} answer {answer}"


def main() -> None:
    port, file, wire, address, plan, first, end, threads = sys.argv[1:]
    with JmsChannel(JmsBroker("127.0.0.1", int(port)), address, wire=wire) as channel:
        caller = Caller(LedgerClient.over(channel), file, plan, int(first), int(end))
        workers = [threading.Thread(target=caller.work) for _ in range(int(threads))]
        threading.Thread(target=caller.listen, daemon=True).start()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    sys.stderr.flush()
    # The thread that reads the standard input waits in it, and would be waited for.
    os._exit(0)


if __name__ == "__main__":
    main()
