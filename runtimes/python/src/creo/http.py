"""Options of clients over HTTP, for services that redirect, keep sessions, or ask who calls."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ._http.digest import Digest
from ._http.session import MAX_REDIRECTS, Session, basic_of, bearer_of, check_credentials

if TYPE_CHECKING:
    from ._http import Url

__all__ = ["HttpOptions"]


@dataclass(frozen=True)
class HttpOptions:
    """What a channel over HTTP does beyond one request and its answer (HTTP-40 to HTTP-51).

    ``WeatherClient.json(url, http=HttpOptions(basic=("user", "password")))``

    ``redirects`` is the max number of redirects with 307 and 308 in a call that are followed, from
    0, none, to 20. To another origin go the message and the fields of its wire, and neither
    credentials, headers, metadata nor cookies. ``cookies`` keeps the cookies of the service and
    sends them with later calls of the channel. ``basic``, a user and a password, and ``bearer``, a
    token, identify the caller; they need ``https``, or a service on the own host. ``digest``, a
    user and a password, shows a service that asks for it that the password is known, and does not
    send it, so the URL may be of ``http``; the first call is sent twice, if it has no stream of
    items.

    :raises ValueError: if one of them is invalid, or two of ``basic``, ``bearer`` and ``digest``
        are given.
    """

    redirects: int = 0
    cookies: bool = False
    basic: tuple[str, str] | None = field(default=None, repr=False)
    bearer: str | None = field(default=None, repr=False)
    digest: tuple[str, str] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not 0 <= self.redirects <= MAX_REDIRECTS:
            raise ValueError(f"redirects is from 0 to {MAX_REDIRECTS}, not {self.redirects}")
        if [self.basic, self.bearer, self.digest].count(None) < 2:
            raise ValueError("a client identifies its caller by one of basic, bearer and digest")
        self._authorization()
        if self.digest is not None:
            check_credentials(*self.digest)

    def _authorization(self) -> str:
        if self.basic is not None:
            return basic_of(*self.basic)
        return "" if self.bearer is None else bearer_of(self.bearer)

    def session(self, url: Url) -> Session:
        """What one channel keeps. Private.

        :raises ValueError: if the credentials could be read on the way to this URL.
        """
        digest = None if self.digest is None else Digest(*self.digest)
        return Session(url, self.redirects, self.cookies, self._authorization(), digest)
