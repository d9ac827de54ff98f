"""Ending a call over TLS from another thread, which must not let the rest be sent in clear (TCP-3)."""

from __future__ import annotations

import socket
import ssl
import threading
from pathlib import Path
from typing import Any, Callable

import pytest

from creo import CallOptions, Cancellation, CreoError, ErrorCode
from fake import Peer, serve
from sample import DataServiceClient

SECRET = "Anna's secret"
BYTES = SECRET.encode()


class Eavesdropper:
    """A server that shakes hands, and then looks at the bytes that come as they are."""

    def __init__(self, certificate: Path) -> None:
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate)
        self.under_way, self.went_on = threading.Event(), threading.Event()
        self.leaked = False

    def script(self, peer: Peer) -> None:
        arrived, leaving = ssl.MemoryBIO(), ssl.MemoryBIO()
        engine = self.context.wrap_bio(arrived, leaving, server_side=True)
        shaken = False
        while not shaken:
            try:
                engine.do_handshake()
                shaken = True
            except ssl.SSLWantReadError:
                pass
            peer.send(leaving.read())
            if not shaken:
                arrived.write(peer.socket.recv(65_536))
        size = 0
        last = b""
        while data := peer.socket.recv(65_536):
            self.leaked = self.leaked or BYTES in last + data
            last = data[-len(BYTES) :]
            size += len(data)
            self.under_way.set()
            # More than was on the way when the other thread came.
            if size > 12_000_000:
                self.went_on.set()


@pytest.mark.parametrize("wire", ["tcp", "http"])
@pytest.mark.parametrize("cancel", [False, True])
def test_nothing_is_sent_in_clear(
    wire: str, cancel: bool, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spy = Eavesdropper(certificate)
    trusting = ssl.create_default_context(cafile=certificate)
    shut_down = socket.socket.shutdown

    def slow(self: socket.socket, how: int) -> None:
        """Lets the other thread go on before the socket is shut down."""
        if threading.current_thread() is ending:
            spy.went_on.wait(60)
        shut_down(self, how)

    def call(client: DataServiceClient) -> None:
        try:
            client.touch(SECRET * (15_000_000 // len(SECRET)))
        except CreoError as error:
            failures.append(error)

    failures: list[CreoError] = []
    cancellation = Cancellation()
    options = CallOptions(cancellation=cancellation, deadline=None)
    with serve(spy.script) as server:
        told: dict[str, Any] = {"tls": trusting, "options": options}
        url = f"https://localhost:{server.port}/"
        made = (
            DataServiceClient("localhost", server.port, **told)
            if wire == "tcp"
            else DataServiceClient.json(url, **told)
        )
        with made as client:
            calling = threading.Thread(target=call, args=(client,))
            end: Callable[[], object] = cancellation.cancel if cancel else client.close
            ending = threading.Thread(target=end)
            monkeypatch.setattr(socket.socket, "shutdown", slow)
            calling.start()
            assert spy.under_way.wait(60)
            ending.start()
            ending.join(60)
            calling.join(60)
            assert not calling.is_alive() and not spy.leaked
    for failure in failures:
        assert failure.code in (ErrorCode.CANCELLED, ErrorCode.UNAVAILABLE), failure
