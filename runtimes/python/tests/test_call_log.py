"""The log of calls (CALL-79)."""

from __future__ import annotations

import logging
import re

import pytest

from creo import CallLog
from fake import (
    EXCEPTION,
    REQUEST,
    RESPONSE,
    Peer,
    dead_port,
    error,
    frame,
    serve,
    text,
)
from scripted import ends
from test_interceptors import TOTAL, get, made, total

BOTH = pytest.mark.parametrize("asynchronous", [False, True])


@BOTH
def test_each_call_has_a_line(asynchronous: bool, caplog: pytest.LogCaptureFixture) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        peer.send(frame(RESPONSE, peer.expect(REQUEST).call, b"\1\1a" + text("secret") + TOTAL, 4))
        peer.send(frame(EXCEPTION, peer.expect(REQUEST).call, b"\0" + text("secret") + b"\0"))
        peer.send(error(peer.expect(REQUEST).call, 10, "secret"))

    with caplog.at_level(logging.INFO, logger="creo.calls"), serve(script) as server:
        ends(made(asynchronous, server.port, CallLog()), total, get, total)
        peer = f"127.0.0.1:{server.port}"
    lines = [f"{record.name} {record.levelname} {record.getMessage()}" for record in caplog.records]
    assert [re.sub(r"\d+\.\d{3} ms", "T ms", line) for line in lines] == [
        f"creo.calls INFO sample.DataService.total result T ms {peer}",
        f"creo.calls INFO sample.DataService.retrieveData NotFound T ms {peer}",
        f"creo.calls INFO sample.DataService.total permission-denied T ms {peer}",
    ]


@BOTH
def test_a_call_without_a_peer(asynchronous: bool, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="mine"), dead_port() as port:
        ends(made(asynchronous, port, CallLog(logging.getLogger("mine"))), total)
    (record,) = caplog.records
    assert re.fullmatch(
        r"sample\.DataService\.total unavailable \d+\.\d{3} ms", record.getMessage()
    )


def test_a_logger_that_is_off_has_none(caplog: pytest.LogCaptureFixture) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        peer.send(frame(RESPONSE, peer.expect(REQUEST).call, TOTAL))

    with caplog.at_level(logging.WARNING, logger="creo.calls"), serve(script) as server:
        assert ends(made(False, server.port, CallLog()), total) == [1.5]
    assert caplog.records == []
