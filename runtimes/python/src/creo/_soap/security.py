"""User tokens and timestamps (WS-Security 1.1; SOAP-50 to SOAP-52)."""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, Callable, Final

from .._base import CreoError, ErrorCode, invalid_value, shown
from .._http import media_type
from .._text.lexical import WHITE, parse_date_time
from .._text.read import Problem
from .._xml.forms import FORBIDDEN, escape
from .._xml.tree import Tree, expanded

if TYPE_CHECKING:
    from .._call.client import ClientSecurity

_OASIS: Final = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-"
_WSSE: Final = f"{_OASIS}wssecurity-secext-1.0.xsd"
_WSSE_11: Final = "http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd"
_WSU: Final = f"{_OASIS}wssecurity-utility-1.0.xsd"
_PASSWORDS: Final = f"{_OASIS}username-token-profile-1.0"
_BASE64: Final = f"{_OASIS}soap-message-security-1.0#Base64Binary"

SECURITY: Final = expanded(_WSSE, "Security")
_USERNAME_TOKEN: Final = expanded(_WSSE, "UsernameToken")
_CONFIRMATION: Final = expanded(_WSSE_11, "SignatureConfirmation")
_TIMESTAMP: Final = expanded(_WSU, "Timestamp")
_CREATED: Final = expanded(_WSU, "Created")
_EXPIRES: Final = expanded(_WSU, "Expires")

_MAX_CHARACTERS: Final = 1_024
_NONCE: Final = 16
_LIFETIME: Final = timedelta(minutes=5)
#: The max difference between the clocks of both sides.
_SKEW: Final = 300_000_000_000
_SECOND: Final = 1_000_000_000


@dataclass(frozen=True)
class UsernameToken:
    """A user and a password for each request.

    The password is sent unencrypted or, with ``digest``, as a SHA-1 digest of it, a nonce and the
    time. Neither hides the rest of the message: use a URL with ``https``.

    :raises CreoError: ``invalid-value`` unless both are 1 to 1,024 characters that XML allows.
    """

    user: str
    password: str = field(repr=False)
    digest: bool = False

    def __post_init__(self) -> None:
        for name, text in (("user", self.user), ("password", self.password)):
            if not 0 < len(text) <= _MAX_CHARACTERS or FORBIDDEN.search(text) is not None:
                message = f"a {name} is 1 to {_MAX_CHARACTERS:,} characters that XML can hold"
                raise invalid_value(message, f"$.{name}")


class NoEnvelope(CreoError):
    """The answer is not a SOAP message (SOAP-15)."""


def check_answer(security: ClientSecurity, body: bytes, content_type: str) -> bytes:
    """The envelope of an answer, which a security has checked (SOAP-80, SOAP-81)."""
    kind, parameters = media_type(content_type)
    if kind == "multipart/related":
        message = "package: an answer in a package, which the security of this client cannot check"
        raise CreoError(ErrorCode.PROTOCOL_MISMATCH, message)
    try:
        return security.receive(bytes(body), parameters.get("charset"))
    except CreoError as error:
        if error.code is ErrorCode.MALFORMED:
            raise NoEnvelope(error.code, error.message) from error
        raise


class Security:
    """A channel's security block for requests, and its check of answers."""

    def __init__(
        self,
        token: UsernameToken | None,
        timestamp: bool,
        *,
        clock: Callable[[], int] = time.time_ns,
        random: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        """``clock`` returns nanoseconds since 1970."""
        self.token = token
        self._timestamp = timestamp
        self._clock = clock
        self._random = random

    def block(self) -> str:
        """The block of a request."""
        now = datetime.fromtimestamp(0, timezone.utc) + timedelta(
            milliseconds=self._clock() // 1_000_000
        )
        created = f"<wsu:Created>{_written(now)}</wsu:Created>"
        inner = ""
        if self._timestamp:
            expires = f"<wsu:Expires>{_written(now + _LIFETIME)}</wsu:Expires>"
            inner = f"<wsu:Timestamp>{created}{expires}</wsu:Timestamp>"
        token = self.token
        if token is not None:
            inner += f"<wsse:UsernameToken><wsse:Username>{escape(token.user)}</wsse:Username>"
            if token.digest:
                nonce = self._random(_NONCE)
                inner += _password("PasswordDigest", digest(nonce, _written(now), token.password))
                inner += f'<wsse:Nonce EncodingType="{_BASE64}">{_base64(nonce)}</wsse:Nonce>'
                inner += created
            else:
                inner += _password("PasswordText", escape(token.password))
            inner += "</wsse:UsernameToken>"
        return (
            f'<wsse:Security xmlns:wsse="{_WSSE}" xmlns:wsu="{_WSU}" soap:mustUnderstand="1">'
            f"{inner}</wsse:Security>"
        )

    def read(self, x: Tree, block: Any) -> Received:
        """The block of an answer."""
        found = Received(self._clock())
        for part in x.elements(block):
            if part.tag == _TIMESTAMP:
                found.timestamp(x, part)
            elif part.tag == _CONFIRMATION:
                found.understood &= part.get("Value") is None
            else:
                found.understood &= part.tag == _USERNAME_TOKEN
        return found


def security_of(token: object | None, timestamp: bool) -> Security | None:
    """The security of a channel with these options; None without any.

    :raises TypeError: if ``token`` is not a ``UsernameToken``.
    """
    if token is not None and not isinstance(token, UsernameToken):
        raise TypeError("username_token is a UsernameToken of creo.soap")
    return Security(token, timestamp) if token is not None or timestamp else None


class Received:
    """The content of an answer's block."""

    def __init__(self, now: int) -> None:
        self._now = now
        self.understood = True
        """Whether the client supports what the block requires."""
        self.stale = ""
        """Why its time does not fit an answer to this request."""
        self.problem: Problem | None = None
        """Why its time cannot be read."""

    def timestamp(self, x: Tree, part: Any) -> None:
        """Checks a time against the clock."""
        for moment in x.elements(part):
            if moment.tag in (_CREATED, _EXPIRES):
                text = x.words(moment).strip(WHITE)
                try:
                    time_ = parse_date_time(text)
                except ValueError:
                    message = f"the time of a Timestamp cannot be read: {shown(text)!r}"
                    self.problem = self.problem or Problem(message, x.at(moment))
                    continue
                late = self._now - time_.seconds * _SECOND - time_.nanoseconds
                if moment.tag == _CREATED and late < -_SKEW:
                    self.stale = f"was created at {time_}, more than five minutes from now"
                elif moment.tag == _EXPIRES and late > _SKEW:
                    self.stale = f"expired at {time_}, more than five minutes ago"


def digest(nonce: bytes, created: str, password: str) -> str:
    """A password as a digest (SOAP-50)."""
    return _base64(hashlib.sha1(nonce + created.encode() + password.encode()).digest())


def _password(kind: str, text: str) -> str:
    return f'<wsse:Password Type="{_PASSWORDS}#{kind}">{text}</wsse:Password>'


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _written(moment: datetime) -> str:
    """A time with its milliseconds."""
    return f"{moment.replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"
