"""What a client does beyond one request and its answer (HTTP-40 to HTTP-51)."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urljoin

from .._base import CreoError, invalid_value
from . import Response, Url, not_followed, parse_url, status_error
from .cookies import Jar
from .digest import Attempt, Digest, Unusable

if TYPE_CHECKING:
    from .._call import CallOptions
    from .channel import Request

MAX_REDIRECTS: Final = 20
_FOLLOWED: Final = (307, 308)
_MAX_CREDENTIAL: Final = 1_024
_EXCERPT: Final = 300
_TOKEN: Final = re.compile("(?=.{1,8192}$)[A-Za-z0-9._~+/-]+=*", re.S)
_REFERENCE: Final = re.compile(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*")
_SCHEME: Final = re.compile("[A-Za-z][A-Za-z0-9+.-]*:")
_WEB: Final = re.compile("https?://", re.I)
_LOOPBACK: Final = re.compile(r"localhost|127(?:\.[0-9]{1,3}){3}|::1", re.I)


def basic_of(user: str, password: str) -> str:
    """The value of ``Authorization`` for a user (HTTP-46).

    :raises ValueError: if it cannot be sent.
    """
    data = check_credentials(user, password)
    return f"Basic {base64.b64encode(data).decode('ascii')}"


def check_credentials(user: str, password: str) -> bytes:
    """Both in UTF-8, with a colon between them (HTTP-46).

    :raises ValueError: if they cannot be sent.
    """
    both = (user, password)
    if ":" in user or any(len(text) > _MAX_CREDENTIAL or _has_control(text) for text in both):
        raise ValueError(
            f"a user and a password have at most {_MAX_CREDENTIAL:,} characters and no control "
            "characters, and a user no colon"
        )
    try:
        return f"{user}:{password}".encode()
    except UnicodeEncodeError:
        # The cause would show the password.
        raise ValueError("a user or a password has half of a surrogate pair") from None


def bearer_of(token: str) -> str:
    """The value of ``Authorization`` for a token (HTTP-47).

    :raises ValueError: if it is none.
    """
    if _TOKEN.fullmatch(token) is None:
        raise ValueError(
            "a bearer token is 1 to 8,192 letters, digits and -._~+/, with = at its end"
        )
    return f"Bearer {token}"


def _has_control(text: str) -> bool:
    return any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 for c in text)


class Hop(NamedTuple):
    """A request of a call, and where it goes."""

    url: Url
    request: Request
    left: bool
    """Whether the call has been at another origin, so nothing of the client's own goes with it."""
    seen: tuple[str, ...]
    """The URLs of the call, with this one."""
    digest: Attempt | None
    """What the call has shown; None without the option."""


class Session:
    """The cookies, credentials and redirects of one channel. All methods are thread-safe."""

    def __init__(
        self, url: Url, redirects: int, cookies: bool, authorization: str, digest: Digest | None
    ) -> None:
        """``authorization`` is the value of the field, or empty.

        :raises ValueError: if the credentials could be read on the way.
        """
        if authorization and not url.secure and _LOOPBACK.fullmatch(url.host) is None:
            raise ValueError(
                "credentials go to https:// or to the own host only: what is meant to be sent in "
                "clear is the header Authorization of the call's options"
            )
        self._origin = url.origin
        self._redirects = redirects
        self._authorization = authorization
        self._digest = digest
        self._jar = Jar(url) if cookies else None

    def headers(self, target: str, options: CallOptions) -> dict[str, str]:
        """The headers that this adds to a request of path and query.

        :raises CreoError: ``invalid-value`` if the program sets them too.
        """
        names = {name.lower() for name in options.headers or ()}
        headers: dict[str, str] = {}
        theirs = "authorization" in names or "authorization" in (options.metadata or ())
        if theirs and (self._authorization or self._digest is not None):
            message = "the program sets Authorization, which the credentials are"
            raise invalid_value(message, "$headers")
        if self._authorization:
            headers["Authorization"] = self._authorization
        if self._jar is not None:
            if "cookie" in names:
                message = "the program sets Cookie, and the client keeps cookies"
                raise invalid_value(message, "$headers")
            kept = self._jar.header(target)
            if kept:
                headers["Cookie"] = kept
        return headers

    def answered(self, target: str, response: Response) -> None:
        """Takes the cookies of an answer to a request of path and query."""
        if self._jar is not None:
            lines = [value for name, value in response.fields if name == "set-cookie"]
            self._jar.take(target, lines)

    def first(self, url: Url, request: Request) -> Hop:
        """The first request of a call; ``url`` is the channel's."""
        here = _at(url, _plain(request).target)
        attempt = None if self._digest is None else Attempt(self._digest)
        if attempt is not None:
            value = attempt.field("POST", here.target)
            if value:
                headers = {**request.headers, "Authorization": value}
                request = request._replace(headers=headers)
        return Hop(here, request, False, (here.text,), attempt)

    def is_own(self, hop: Hop) -> bool:
        """Whether a request goes to the channel's own origin."""
        return hop.url.origin == self._origin

    def again(self, hop: Hop, response: Response, *, repeatable: bool = True) -> Hop | None:
        """Takes the answer to a request, whose cookies are taken already.

        Returns the request if it is to be sent again with other credentials (HTTP-51).

        :raises CreoError: if the answer asks for a digest that cannot be made, or for a request
            again that cannot be sent twice.
        """
        if hop.digest is None or hop.left or response.status != 401:
            return None
        try:
            if not hop.digest.is_again(response):
                return None
        except Unusable as why:
            raise not_shown(response, hop.url, str(why)) from None
        if not repeatable:
            why_not = "items of a stream are not sent twice; the next call has credentials"
            raise not_shown(response, hop.url, why_not)
        return self._renewed(hop, hop.url)

    def _renewed(self, hop: Hop, url: Url) -> Hop:
        """The request of a hop at a place of the same origin, with what goes there now."""
        headers = dict(hop.request.headers)
        if self._jar is not None:
            headers.pop("Cookie", None)
            kept = self._jar.header(url.target)
            if kept:
                headers["Cookie"] = kept
        if hop.digest is not None:
            headers.pop("Authorization", None)
            value = hop.digest.field("POST", url.target)
            if value:
                headers["Authorization"] = value
        request = hop.request._replace(target=url.target, headers=headers)
        return hop._replace(url=url, request=request)

    def next(self, hop: Hop, response: Response) -> Hop | None:
        """Takes the answer to a request. Returns the request that is to follow, if there is one.

        :raises CreoError: if the answer is a redirect that cannot be followed.
        """
        if not hop.left:
            self.answered(hop.url.target, response)
        again = self.again(hop, response)
        if again is not None:
            return again
        if response.status not in _FOLLOWED or not self._redirects:
            return None
        try:
            url = _location(hop.url, response)
            left = hop.left or url.origin != self._origin
            if left and hop.request.bound:
                raise ValueError("a request with a block of WS-Security stays at its origin")
        except ValueError as why:
            raise self._refused(hop, response, str(why)) from None
        if len(hop.seen) > self._redirects:
            many = f"{self._redirects} of this call were followed"
            if url.text in hop.seen:
                many += ", and it has been there before"
            raise self._refused(hop, response, many)
        seen = (*hop.seen, url.text)
        if not left:
            return self._renewed(hop, url)._replace(seen=seen)
        headers = dict(_plain(hop.request).headers)
        request = hop.request._replace(target=url.target, headers=headers)
        return Hop(url, request, True, seen, hop.digest)

    def _refused(self, hop: Hop, response: Response, why: str) -> CreoError:
        return not_followed(response, hop.url, f"the redirect is not followed, since {why}")


def not_shown(response: Response, url: Url, why: str) -> CreoError:
    """The error for a 401 that a client cannot answer by its digest (HTTP-49, HTTP-51)."""
    said = response.body[: 4 * _EXCERPT].decode("utf-8", "replace").strip()[:_EXCERPT]
    told = f"digest authentication is not possible, since {why}"
    return status_error(response, url, f"{told}: {said}" if said else told)


def _plain(request: Request) -> Request:
    """A request without what is for the channel's origin alone."""
    assert request.plain is not None, "requests of channels have it"
    return request.plain


def _at(url: Url, target: str) -> Url:
    """A place of the same origin."""
    scheme = "https" if url.secure else "http"
    return replace(url, text=f"{scheme}://{url.authority}{target}", target=target)


def _location(url: Url, response: Response) -> Url:
    """Where a redirect leads (HTTP-41).

    :raises ValueError: why it is not followed.
    """
    places = [value for name, value in response.fields if name == "location"]
    if len(places) != 1:
        raise ValueError("Location is not there once")
    place = places[0].partition("#")[0]
    if _REFERENCE.fullmatch(places[0]) is None:
        raise ValueError("Location is no URL")
    absolute = _SCHEME.match(place) is not None
    if absolute and _WEB.match(place) is None:
        raise ValueError("Location is no URL of HTTP")
    try:
        # ``urljoin`` would give a URL without a host that of the request.
        found = parse_url(place if absolute else urljoin(url.text, place))
    except ValueError:
        # It may have a user and a password.
        raise ValueError("Location is no URL of HTTP, or has a user") from None
    if url.secure and not found.secure:
        raise ValueError("it leads from https to http")
    return _at(found, found.target)
