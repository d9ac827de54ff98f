"""Digest authentication: showing a service that a password is known (HTTP-48 to HTTP-51)."""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Callable, Final, NamedTuple
from urllib.parse import quote

if TYPE_CHECKING:
    from . import Response

_MAX_LIST: Final = 8_192
_MAX_PARAMETER: Final = 1_024
_MAX_COUNT: Final = 0xFFFF_FFFF
_SESSION: Final = "-sess"
_HASHES: Final = {"md5": "md5", "sha-256": "sha256"}
_TOKEN: Final = re.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_TOKEN_68: Final = re.compile(r"[A-Za-z0-9._~+/-]+=*(?=[ \t]*(?:,|\Z))")
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"', re.S)
_BETWEEN: Final = re.compile(r"[ \t,]*")
_SPACE: Final = re.compile(r"[ \t]*")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_UNRESERVED: Final = "!#$&+^`|"


class Unusable(Exception):
    """What a service asks for cannot be answered; the text says why."""


class Challenge(NamedTuple):
    """A challenge of the scheme Digest that a client can answer (HTTP-49)."""

    realm: str
    """One character per byte of UTF-8."""
    nonce: str
    opaque: str | None
    algorithm: str | None
    """As it came."""
    hash: str
    """Its name in ``hashlib``."""
    session: bool
    """Whether the algorithm ends in ``-sess``."""
    qop: bool
    """Whether ``qop=auth`` is offered; without it, answers are those of RFC 2069."""
    userhash: bool
    stale: bool
    """Whether the credentials that were refused are good, and their nonce is too old."""


def challenge_of(values: Iterable[str]) -> Challenge | None:
    """The strongest challenge of the values of ``WWW-Authenticate``, one character per byte.

    None if none is of this scheme.

    :raises Unusable: if none of this scheme can be answered.
    """
    text = ", ".join(values)
    try:
        offered = _digests(text)
    except Unusable:
        if "digest" in text.lower():
            raise
        return None
    usable: list[Challenge] = []
    why: Unusable | None = None
    for parameters in offered:
        try:
            usable.append(_challenge(parameters))
        except Unusable as problem:
            why = why or problem
    if not usable:
        if why is not None:
            raise why
        return None
    return next((one for one in usable if one.hash == "sha256"), usable[0])


def _digests(text: str) -> list[list[tuple[str, str]]]:
    """The parameters of the challenges of the scheme Digest (RFC 9110, section 11.6.1)."""
    if len(text) > _MAX_LIST:
        raise Unusable(f"its challenges have more than {_MAX_LIST:,} bytes")
    found: list[list[tuple[str, str]]] = []
    current: list[tuple[str, str]] | None = None
    at = _after(_BETWEEN, text, 0)
    while at < len(text):
        name, end = _token(text, at)
        at = _after(_SPACE, text, end)
        if current is not None and text[at : at + 1] == "=":
            value, at = _value(text, at)
            current.append((name, value))
        else:
            current = []
            if name.lower() == "digest":
                found.append(current)
            if at > end and text[at : at + 1] not in ("", ","):
                word = _TOKEN_68.match(text, at)
                if word is not None:
                    at = word.end()
                else:
                    name, at = _token(text, at)
                    value, at = _value(text, _after(_SPACE, text, at))
                    current.append((name, value))
        at = _after(_SPACE, text, at)
        if text[at : at + 1] not in ("", ","):
            raise _malformed()
        at = _after(_BETWEEN, text, at)
    return found


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    assert found is not None, "the pattern matches nothing, too"
    return found.end()


def _token(text: str, at: int) -> tuple[str, int]:
    found = _TOKEN.match(text, at)
    if found is None:
        raise _malformed()
    return found.group(), found.end()


def _value(text: str, at: int) -> tuple[str, int]:
    """An equals sign, and a token or a quoted string."""
    if text[at : at + 1] != "=":
        raise _malformed()
    at = _after(_SPACE, text, at + 1)
    found = _QUOTED.match(text, at)
    if found is None:
        return _token(text, at)
    return re.sub(r"\\(.)", r"\1", found.group(1), flags=re.S), found.end()


def _malformed() -> Unusable:
    return Unusable("its challenges are malformed")


def _challenge(parameters: list[tuple[str, str]]) -> Challenge:
    values = {name.lower(): value for name, value in parameters}
    if len(values) < len(parameters):
        raise Unusable("its challenge has a parameter twice")
    for name in ("realm", "nonce", "opaque"):
        value = values.get(name, "")
        if len(value) > _MAX_PARAMETER or _CONTROL.search(value):
            raise Unusable(
                f"the {name} of its challenge has more than {_MAX_PARAMETER:,} bytes, "
                "or control characters"
            )
    nonce, opaque = values.get("nonce", ""), values.get("opaque")
    if "realm" not in values or not nonce:
        raise Unusable("its challenge has no realm or no nonce")
    if not nonce.isascii() or not (opaque or "").isascii():
        raise Unusable("its challenge has a nonce or an opaque that is not ASCII")
    algorithm = values.get("algorithm")
    kind = "md5" if algorithm is None else algorithm.lower()
    session = kind.endswith(_SESSION)
    known = _HASHES.get(kind[: -len(_SESSION)] if session else kind)
    if known is None:
        raise Unusable("it offers no algorithm of MD5, MD5-sess, SHA-256 and SHA-256-sess")
    qop = values.get("qop")
    if qop is not None and "auth" not in [one.strip(" \t") for one in qop.lower().split(",")]:
        raise Unusable("it does not offer qop=auth, the only one that clients know")
    if session and qop is None:
        raise Unusable("an algorithm with -sess needs a qop")
    realm = values["realm"]
    try:
        realm.encode("latin-1").decode()
    except UnicodeDecodeError:
        raise Unusable("the realm of its challenge is not UTF-8") from None
    userhash, stale = (values.get(name, "").lower() == "true" for name in ("userhash", "stale"))
    return Challenge(
        realm, nonce, opaque, algorithm, known, session, qop is not None, userhash, stale
    )


class _Kept:
    """A challenge, with the number of requests that have answered it."""

    def __init__(self, challenge: Challenge, cnonce: str, count: int) -> None:
        self.challenge = challenge
        self.cnonce = cnonce
        self.count = count


class Digest:
    """A user and a password, and the challenge that requests answer at once. Thread-safe."""

    def __init__(
        self, user: str, password: str, cnonces: Callable[[], str] = lambda: secrets.token_hex(16)
    ) -> None:
        """``cnonces`` makes the nonces of the client; tests have others than random ones."""
        self._user = user
        self._password = password
        self._cnonces = cnonces
        self._lock = threading.Lock()
        self._kept: _Kept | None = None

    def begin(self, method: str, target: str) -> tuple[_Kept, str] | None:
        """What a request answers, and its field; None if no challenge is known."""
        with self._lock:
            kept = self._kept
            if kept is None:
                return None
            kept.count += 1
            count = kept.count
            if count == _MAX_COUNT:
                self._kept = None
        return kept, self._field(kept, count, method, target)

    def keep(self, challenge: Challenge) -> None:
        """Lets later requests answer a challenge."""
        with self._lock:
            old = self._kept
            if old is not None and old.challenge.nonce == challenge.nonce:
                self._kept = _Kept(challenge, old.cnonce, old.count)
            else:
                self._kept = _Kept(challenge, self._cnonces(), 0)

    def forget(self, kept: _Kept | None) -> None:
        """Forgets a challenge that was answered in vain."""
        with self._lock:
            if self._kept is kept:
                self._kept = None

    def _field(self, kept: _Kept, count: int, method: str, target: str) -> str:
        challenge, cnonce = kept.challenge, kept.cnonce

        def hashed(*parts: str) -> str:
            # One character per byte.
            data = ":".join(parts).encode("latin-1")
            return hashlib.new(challenge.hash, data, usedforsecurity=False).hexdigest()

        user, password = (_bytes(text) for text in (self._user, self._password))
        secret = hashed(user, challenge.realm, password)
        if challenge.session:
            secret = hashed(secret, challenge.nonce, cnonce)
        nc = f"{count:08x}"
        middle = (nc, cnonce, "auth") if challenge.qop else ()
        response = hashed(secret, challenge.nonce, *middle, hashed(method, target))
        if challenge.userhash:
            name = f"username={_quoted(hashed(user, challenge.realm))}"
        elif self._user.isascii():
            name = f"username={_quoted(user)}"
        else:
            name = f"username*=UTF-8''{quote(self._user, _UNRESERVED)}"
        parts = [
            name,
            f"realm={_quoted(challenge.realm)}",
            f"nonce={_quoted(challenge.nonce)}",
            f"uri={_quoted(target)}",
            f"response={_quoted(response)}",
        ]
        if challenge.algorithm is not None:
            parts.append(f"algorithm={challenge.algorithm}")
        if challenge.opaque is not None:
            parts.append(f"opaque={_quoted(challenge.opaque)}")
        if challenge.qop:
            parts += ["qop=auth", f"nc={nc}", f"cnonce={_quoted(cnonce)}"]
        if challenge.userhash:
            parts.append("userhash=true")
        return "Digest " + ", ".join(parts)


class Attempt:
    """One call: what its requests have shown, and to what its answers have led."""

    def __init__(self, digest: Digest) -> None:
        self._digest = digest
        self._used: _Kept | None = None
        self._asked = False
        self._refused = False

    def field(self, method: str, target: str) -> str:
        """The value of ``Authorization``, one character per byte; empty if none is known."""
        begun = self._digest.begin(method, target)
        self._used, value = (None, "") if begun is None else begun
        return value

    def is_again(self, response: Response) -> bool:
        """Whether an answer 401 leads to another request, with another field.

        :raises Unusable: if it asks for a digest that cannot be made.
        """
        again = False
        try:
            values = [value for name, value in response.fields if name == "www-authenticate"]
            challenge = challenge_of(values)
            again = challenge is not None and self._leads_on(challenge)
            if again and challenge is not None:
                self._digest.keep(challenge)
        finally:
            if not again:
                self._digest.forget(self._used)
        return again

    def _leads_on(self, challenge: Challenge) -> bool:
        if self._used is None:
            first, self._asked = not self._asked, True
            return first
        first, self._refused = not self._refused, True
        other = challenge.nonce != self._used.challenge.nonce
        return first and (challenge.stale or (not self._asked and other))


def _bytes(text: str) -> str:
    """A text as one character per byte of UTF-8."""
    return text.encode().decode("latin-1")


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
