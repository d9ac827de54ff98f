"""Calls of the logbook as JSON, and programs that log."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import run as logbook

# Far above what anything takes: what hangs is a failure.
PATIENCE = 300


def call(port: int, method: str, **arguments: Any) -> Any:
    """The result of a call; of a declared exception its name and fields."""
    body = json.dumps(arguments).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}/Logbook/{method}", body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
    except urllib.error.HTTPError as error:
        problem = json.load(error)
        assert error.code == 422, problem
        return problem["title"], problem["value"]
    return json.loads(text) if text else None


def entry(writer: str, number: int, text: str = "text", program: str = "program", level: str = "INFO") -> dict[str, Any]:
    return {"writer": writer, "number": number, "program": program, "at": "2026-01-02T03:04:05.000000006Z", "level": level, "text": text}


def read_all(port: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while True:
        more = call(port, "read", query={"after": found[-1]["position"] if found else 0, "count": 1000})
        if not more:
            return found
        found += more


def until(true: Callable[[], Any], what: str) -> Any:
    """What it gives as soon as that is true."""
    end = time.monotonic() + PATIENCE
    while True:
        found = true()
        if found:
            return found
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.02)


@contextmanager
def serving(database: str) -> Iterator[logbook.Service]:
    service = logbook.Service(database)
    try:
        yield service
    finally:
        service.stop()


@contextmanager
def working(languages: list[str], port: int) -> Iterator[None]:
    """A program of each language that works until the end."""
    programs = [logbook.program(language, port, language) for language in languages]
    try:
        yield
        assert [each.poll() for each in programs] == [None] * len(programs), "a program has ended"
    finally:
        for each in programs:
            each.kill()
            each.wait()
