"""Connecting: addresses, TLS, and failures as errors (ERR-9)."""

from __future__ import annotations

import errno
import ipaddress
import select
import socket
import ssl
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Union

from .._base import CreoError, ErrorCode, not_started

if TYPE_CHECKING:
    from asyncio import BaseTransport
    from collections.abc import Iterator

    from typing_extensions import TypeAlias

    #: ``True`` for TLS with the system's trusted certificates, or a custom context.
    Tls: TypeAlias = Union[bool, ssl.SSLContext]

#: What ``poll`` waits for.
READ: Final = 1
WRITE: Final = 2
_RECEIVE: Final = 65_536
_SAFE_VERSIONS: Final = ("TLSv1.2", "TLSv1.3")


def tls_context(tls: Tls | None) -> ssl.SSLContext | None:
    """The context for connections; it always verifies certificate and host name (TCP-3)."""
    if tls is None or tls is False:
        return None
    if tls is True:
        return ssl.create_default_context()
    if tls.verify_mode is not ssl.CERT_REQUIRED or not tls.check_hostname:
        raise ValueError(
            "the SSLContext must verify the certificate and the host name: "
            "start from ssl.create_default_context()"
        )
    return tls


def check_tls_version(version: str | None, peer: str) -> None:
    """Refuses versions before TLS 1.2 (TCP-3)."""
    if version not in _SAFE_VERSIONS:
        message = f"{peer} speaks {version}; TLS 1.2 is the least"
        raise CreoError(ErrorCode.PROTOCOL_MISMATCH, message, details={"peer": peer})


def address(host: str, port: int) -> str:
    """The requested address as text."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def connect_error(peer: str, problem: BaseException, *, secured: bool) -> CreoError:
    """Why there is no connection (ERR-9); ``secured`` if it should use TLS."""
    code = ErrorCode.UNAVAILABLE
    if isinstance(problem, ssl.SSLCertVerificationError):
        code = ErrorCode.UNTRUSTED_PEER
        message = f"the certificate of {peer} is not accepted: {problem.verify_message}"
    elif isinstance(problem, ssl.CertificateError):
        code = ErrorCode.UNTRUSTED_PEER
        message = f"the certificate of {peer} is not accepted: {problem}"
    elif isinstance(problem, ssl.SSLError):
        code = ErrorCode.PROTOCOL_MISMATCH
        message = f"{peer} does not speak TLS as expected: {problem.reason or problem}"
    elif secured and isinstance(problem, (ConnectionResetError, ConnectionAbortedError, EOFError)):
        code = ErrorCode.PROTOCOL_MISMATCH
        message = f"{peer} does not speak TLS: it closed the connection when TLS began"
    elif isinstance(problem, socket.gaierror):
        message = f"the name of {peer} cannot be looked up: {problem.strerror}"
    elif isinstance(problem, ConnectionRefusedError):
        message = f"{peer} refused the connection"
    elif isinstance(problem, (socket.timeout, TimeoutError)):
        message = f"connecting to {peer} timed out"
    elif isinstance(problem, (ConnectionError, EOFError)):
        message = f"{peer} closed the connection while it was made"
    else:
        message = f"no connection to {peer}: {problem}"
    return not_started(CreoError(code, message, details={"peer": peer}))


def deadline_exceeded(why: str, peer: str, to: str = "") -> CreoError:
    """The error for a call whose deadline has passed. ``to`` names another destination."""
    message = f"the time for the call to {to or peer} is over: {why}"
    return CreoError(ErrorCode.DEADLINE_EXCEEDED, message, details={"peer": peer})


def not_connected(peer: str, why: str = "") -> CreoError:
    """The error for a call whose deadline has passed before there was a connection."""
    message = f"there was no connection yet{why and ': '}{why}"
    return not_started(deadline_exceeded(message, peer))


def no_preamble(peer: str, seconds: float) -> CreoError:
    """The error for a server that does not send a preamble (TCP-19)."""
    message = (
        f"{peer} accepted the connection, but did not answer with the preamble of Creo within "
        f"{seconds * 1_000:.0f} ms; perhaps the port speaks HTTP or TLS"
    )
    return CreoError(ErrorCode.PROTOCOL_MISMATCH, message, details={"peer": peer})


def open_socket(
    host: str, port: int, context: ssl.SSLContext | None, server_name: str | None, until: float
) -> socket.socket:
    """Opens a non-blocking socket by ``until`` on the monotonic clock.

    :raises OSError: see ``connect_error``; a timeout if the time is over.
    """
    problem: OSError = socket.timeout("timed out")
    for family, kind, protocol, _, target in _look_up(host, port, until):
        connection = socket.socket(family, kind, protocol)
        try:
            connection.settimeout(seconds_left(until))
            connection.connect(target)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if context is not None:
                peer = address(host, port)
                connection = secured_socket(connection, context, server_name or host, peer, until)
            connection.settimeout(0)
            return connection
        except OSError as failed:
            connection.close()
            problem = failed
            if isinstance(failed, ssl.SSLError):
                break
        except BaseException:
            connection.close()
            raise
    raise problem


def secured_socket(
    connection: socket.socket, context: ssl.SSLContext, name: str, peer: str, until: float
) -> ssl.SSLSocket:
    """Starts TLS on a connected socket with a peer of this name.

    :raises OSError: as ``open_socket``.
    """
    connection.settimeout(seconds_left(until))
    secured = context.wrap_socket(connection, server_hostname=name)
    try:
        check_tls_version(secured.version(), peer)
    except CreoError:
        secured.close()
        raise
    return secured


def shut_down(connected: socket.socket) -> None:
    """Ends a connection for all threads; needed before closing one that other threads use.

    The ``shutdown`` and ``close`` of an ``SSLSocket`` forget TLS before they do it: a thread that
    sends would meanwhile send in clear.
    """
    with suppress(OSError):
        socket.socket.shutdown(connected, socket.SHUT_RDWR)


def poll(connected: socket.socket, events: int, seconds: float | None) -> bool:
    """Waits until a socket can do one of these; false if the time is over before."""
    seconds = None if seconds is None else max(0.0, seconds)
    try:
        if sys.platform == "win32":
            reads = [connected] if events & READ else []
            writes = [connected] if events & WRITE else []
            return any(select.select(reads, writes, [], seconds))
        poller = select.poll()
        asked = select.POLLIN if events & READ else 0
        poller.register(connected, asked | (select.POLLOUT if events & WRITE else 0))
        return bool(poller.poll(None if seconds is None else seconds * 1_000))
    except ValueError:
        return True  # closed meanwhile: the next operation fails


def last_words(transport: BaseTransport | None) -> Iterator[bytes]:
    """What the peer sent before it closed a connection that cannot be written to.

    An asyncio transport drops it. Input through TLS cannot be read any more.
    """
    if transport is None or transport.get_extra_info("ssl_object") is not None:
        return
    with suppress(OSError), transport.get_extra_info("socket").dup() as rest:
        rest.setblocking(False)
        while data := rest.recv(_RECEIVE):
            yield data


def seconds_left(until: float) -> float:
    """The seconds left until then.

    :raises OSError: a timeout, if none are left.
    """
    left = until - time.monotonic()
    if left <= 0:
        raise socket.timeout("timed out")
    return left


def _look_up(host: str, port: int, until: float) -> list[Any]:
    """The addresses of a name. The system's lookup cannot be stopped, so it runs on a thread."""
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        pass
    else:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    found: list[Any] = []
    failed: list[BaseException] = []

    def look_up() -> None:
        try:
            found.extend(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as problem:
            failed.append(problem)

    thread = threading.Thread(target=look_up, name=f"look up {host}", daemon=True)
    thread.start()
    thread.join(seconds_left(until))
    if failed:
        if isinstance(failed[0], OSError):
            raise failed[0]
        raise socket.gaierror(errno.EINVAL, "not a host name")
    if not found:
        raise socket.timeout("timed out")
    return found
