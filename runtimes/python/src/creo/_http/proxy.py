"""Proxies (HTTP-21): the choice of one, and tunnels through it."""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from .._base import VERSION, CreoError, ErrorCode, not_started
from .._call import with_peer
from .._call.net import address, connect_error
from . import Response, Url, refusal

if TYPE_CHECKING:
    from .._base import Limits


@dataclass(frozen=True)
class Proxy:
    """A proxy's address and credentials."""

    host: str
    port: int
    headers: dict[str, str] = field(repr=False)
    """Its credentials."""

    @property
    def peer(self) -> str:
        """Host and port, for errors."""
        return address(self.host, self.port)


class Tunnel:
    """A tunnel being opened: ``request`` is sent, ``feed`` takes the answer."""

    def __init__(self, proxy: Proxy, url: Url, limits: Limits) -> None:
        self.done = False
        """Whether it is open: further bytes are the service's."""
        self._url = url
        self._response = Response(limits, proxy.peer, head_only=True)
        self._refused = f"the proxy {proxy.peer} opens no tunnel to {url.peer}"
        lines = [f"CONNECT {url.peer} HTTP/1.1", f"Host: {url.peer}"]
        lines += [f"{name}: {value}" for name, value in proxy.headers.items()]
        lines += [f"User-Agent: creo/{VERSION}", "", ""]
        self.request = "\r\n".join(lines).encode("ascii")

    def feed(self, data: bytes) -> None:
        """Takes the next bytes; none at the end of the connection.

        :raises CreoError: if there is no tunnel; by the status as in HTTP-3.
        """
        response = self._response
        try:
            if data:
                response.feed(data)
            else:
                response.end()
        except CreoError as error:
            raise self._error(error.code, error.message) from None
        if not response.done:
            return
        if not 200 <= response.status < 300:
            raise not_started(refusal(response, self._refused, self._url.peer))
        if response.rest:
            raise self._error(
                ErrorCode.PROTOCOL_MISMATCH, "it sends something that is not asked for"
            )
        self.done = True

    def _error(self, code: ErrorCode, why: str) -> CreoError:
        message, details = f"{self._refused}: {why}", {"peer": self._url.peer}
        return not_started(CreoError(code, message, details=details))


class Unreached(OSError):
    """A proxy could not be reached, or was lost before the tunnel was open."""

    def __init__(self, problem: BaseException) -> None:
        super().__init__(str(problem))
        self.problem = problem


def no_connection(url: Url, proxy: Proxy | None, problem: BaseException) -> CreoError:
    """Why there is no connection to a service (ERR-9)."""
    secured = url.secure
    if isinstance(problem, Unreached):
        problem, secured = problem.problem, False
    if proxy is None:
        return connect_error(url.peer, problem, secured=secured)
    through = f"{url.peer} through the proxy {proxy.peer}"
    return with_peer(connect_error(through, problem, secured=secured), url.peer)


def proxy_of(text: str | None, url: Url) -> Proxy | None:
    """The proxy of this URL; None if empty. Without a URL, that of the environment.

    :raises ValueError: if it is not the URL of a proxy.
    """
    if text is not None:
        return _parse(text, "proxy") if text else None
    if not any(name.lower().endswith("_proxy") for name in os.environ):
        return None
    # Imported only here, since it takes long to load.
    from urllib.request import getproxies_environment, proxy_bypass

    scheme = "https" if url.secure else "http"
    found = getproxies_environment().get(scheme)
    if not found or proxy_bypass(url.authority):
        return None
    return _parse(found, f"{scheme}_proxy of the environment")


def _parse(text: str, what: str) -> Proxy:
    # The message does not show the text, which may contain a password.
    wrong = ValueError(f"{what} is a URL as http://user:password@host:port")
    if not text.isascii() or not text.isprintable() or " " in text:
        raise wrong
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise wrong from None
    if parts.scheme != "http":
        raise ValueError(f"{what} begins with http://: other proxies are not supported")
    if not host or port == 0 or parts.path.strip("/") or parts.query or parts.fragment:
        raise wrong
    headers: dict[str, str] = {}
    if parts.username is not None:
        user, password = unquote(parts.username), unquote(parts.password or "")
        if ":" in user or not (user + password).isprintable():
            raise ValueError(f"user and password of {what} are printable, the user without a colon")
        told = base64.b64encode(f"{user}:{password}".encode()).decode("ascii")
        headers["Proxy-Authorization"] = f"Basic {told}"
    return Proxy(host, port or 80, headers)
