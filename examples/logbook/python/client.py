"""A program that logs what it does, and does it as its setting says: client.py HOST PORT PROGRAM [COUNT].

It works until it is stopped. With a count, it logs so many entries as fast as it can instead.
"""

from __future__ import annotations

import itertools
import sys
import time
import uuid
from datetime import datetime, timezone
from typing import Callable, TypeVar

from creo import CreoError, DateTime, ErrorCode
from org.example.logbook import Entry, Level, LogbookClient

BATCH = 100
AGAIN = (ErrorCode.UNAVAILABLE, ErrorCode.OVERLOADED, ErrorCode.DEADLINE_EXCEEDED)
T = TypeVar("T")


class Program:
    def __init__(self, logbook: LogbookClient, name: str) -> None:
        self.logbook = logbook
        self.name = name
        self.writer = f"{name} {uuid.uuid4()}"
        self.number = 0
        self.unsent: list[Entry] = []
        self.retries = 0
        self.setting = self.retry(lambda: logbook.setting(name, 0, 0))

    def work(self) -> None:
        for step in itertools.count(1):
            self.log(Level.DEBUG, f"step {step} begins")
            self.log(Level.INFO, f"step {step} is done")
            if step % 10 == 0:
                self.log(Level.WARNING, f"step {step} was slow")
            if step % 25 == 0:
                self.log(Level.ERROR, f"step {step} has failed")
            self.send()
            self.pause()

    def hurry(self, count: int) -> None:
        for i in range(count):
            self.add(Level.INFO, f"entry {i}")
            if len(self.unsent) == BATCH:
                self.send()
        self.send()
        print(f"{self.name}: {self.number} entries, {self.retries} calls repeated")

    def log(self, level: Level, text: str) -> None:
        if level.value >= self.setting.level.value:
            self.add(level, text)

    def add(self, level: Level, text: str) -> None:
        now = DateTime.from_datetime(datetime.now(timezone.utc))
        self.unsent.append(Entry(self.writer, self.number, self.name, now, level, text))
        self.number += 1

    def send(self) -> None:
        """Whether a call that failed was carried out is not known: entries that come twice have the same writer and number, and are kept once."""
        self.retry(lambda: self.logbook.write(self.unsent))
        self.unsent.clear()

    def pause(self) -> None:
        """Waits for the next step; less long if the setting changes."""
        known = self.setting
        now = self.retry(lambda: self.logbook.setting(self.name, known.version, known.interval_millis))
        if now.version != known.version:
            self.setting = now
            self.add(Level.INFO, f"new setting: level {now.level.name}, a step each {now.interval_millis} ms")

    def retry(self, call: Callable[[], T]) -> T:
        while True:
            try:
                return call()
            except CreoError as error:
                if error.code not in AGAIN:
                    raise
            self.retries += 1
            time.sleep(0.2)


def main(host: str, port: str, name: str, count: str = "") -> None:
    with LogbookClient(host, int(port)) as logbook:
        program = Program(logbook, name)
        if count:
            program.hurry(int(count))
        else:
            program.work()


if __name__ == "__main__":
    main(*sys.argv[1:])
