"""A counting forwarder between one client and the service, which records both directions."""

from __future__ import annotations

import socket
import threading


class Counter:
    """Forwards every connection to ``address``; ``sent`` and ``received`` are the bytes as the client sees them."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.sent = bytearray()
        self.received = bytearray()
        self._address = address
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            service = socket.create_connection(self._address)
            for one, other, kept in ((client, service, self.sent), (service, client, self.received)):
                threading.Thread(target=self._pump, args=(one, other, kept), daemon=True).start()

    @staticmethod
    def _pump(one: socket.socket, other: socket.socket, kept: bytearray) -> None:
        try:
            while data := one.recv(65536):
                kept += data
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            # One of the two sides has gone: the other learns it from its own socket.
            for side in (one, other):
                try:
                    side.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
