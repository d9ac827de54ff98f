"""A service that seems to be at another port, with connections that can be cut."""

from __future__ import annotations

import socket
import threading
from typing import Any, Callable


class Relay:
    """Relays between a client and a service or a broker."""

    def __init__(self, host: str, port: int) -> None:
        self._to = (host, port)
        self._gone = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        self._made: list[socket.socket] = []
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Relay:
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()
        for thread in self._threads:
            thread.join()
        for made in self._made:
            made.close()

    def leave(self) -> None:
        """Is not there any more."""
        if not self._gone:
            self._gone = True
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
        self.cut()

    def cut(self) -> None:
        """Ends every connection at once."""
        while self._open:
            connected = self._open.pop()
            try:
                connected.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # it had already ended

    def _start(self, work: Callable[..., None], *arguments: Any) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        thread.start()
        self._threads.append(thread)

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection(self._to)
            self._open += (near, far)
            self._made += (near, far)
            self._start(self._copy, near, far)
            self._start(self._copy, far, near)

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65_536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            return
