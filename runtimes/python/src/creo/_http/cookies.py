"""The cookies of a client (HTTP-43 to HTTP-45): those of one host, in memory."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Callable, Final, NamedTuple

if TYPE_CHECKING:
    from . import Url

_MAX_COOKIE: Final = 4_096
_MAX_COOKIES: Final = 50
_MAX_SIZE: Final = 16_384
_MAX_AGE: Final = 999_999_999

_PRINTABLE: Final = re.compile("[\x20-\x7e]*")
_AGE: Final = re.compile("-?[0-9]+")
_ADDRESS: Final = re.compile(r"[0-9.]+|.*:.*")

# RFC 6265, section 5.1.1
_BETWEEN: Final = re.compile("[\t\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+")
_TIME: Final = re.compile("([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[^0-9].*)?", re.S)
_DAY: Final = re.compile("([0-9]{1,2})(?:[^0-9].*)?", re.S)
_YEAR: Final = re.compile("([0-9]{2,4})(?:[^0-9].*)?", re.S)
_MONTHS: Final = (
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
)  # fmt: skip


class _Cookie(NamedTuple):
    value: str
    expires: float | None
    """In seconds since 1970; None: as late as the client."""


class Jar:
    """The cookies of one host. All methods are thread-safe."""

    def __init__(self, url: Url, clock: Callable[[], float] = time.time) -> None:
        """``clock`` returns seconds since 1970."""
        self._host = url.host.lower()
        self._secure = url.secure
        self._clock = clock
        self._lock = threading.Lock()
        # By path and name, in the order in which they were first set.
        self._cookies: dict[tuple[str, str], _Cookie] = {}

    def take(self, target: str, lines: Iterable[str]) -> None:
        """Takes the values of ``Set-Cookie`` of an answer to a request of path and query."""
        for line in lines:
            self._set(target, line)

    def header(self, target: str) -> str:
        """The value of ``Cookie`` for a request of path and query; empty for none."""
        path = target.partition("?")[0]
        with self._lock:
            self._drop_expired()
            found = [
                (own, f"{name}={cookie.value}")
                for (own, name), cookie in self._cookies.items()
                if _matches(path, own)
            ]
        found.sort(key=lambda pair: -len(pair[0]))
        return "; ".join(text for _, text in found)

    def _set(self, target: str, line: str) -> None:
        pair, *attributes = line.split(";")
        name, equals, value = (part.strip(" \t") for part in pair.partition("="))
        if not equals or not name:
            return
        said = dict(_attributes(attributes))
        if not self._is_own(said.get("domain", "")) or ("secure" in said and not self._secure):
            return
        path = said.get("path", "")
        if not path.startswith("/"):
            path = _default_path(target)
        if _PRINTABLE.fullmatch(name + value + path) is None:
            return
        if len(name + value + path) > _MAX_COOKIE:
            return
        with self._lock:
            expires = self._end(said)
            if expires is not None and expires <= self._clock():
                self._cookies.pop((path, name), None)
                return
            self._cookies[path, name] = _Cookie(value, expires)
            self._make_room()

    def _is_own(self, domain: str) -> bool:
        """Whether a cookie of this ``Domain`` is for the host (HTTP-44)."""
        host, wanted = self._host, domain.lower()
        wanted = wanted[1:] if wanted.startswith(".") else wanted
        if not wanted or wanted == host:
            return True
        return host.endswith(f".{wanted}") and _ADDRESS.fullmatch(host) is None

    def _end(self, said: dict[str, str]) -> float | None:
        age = said.get("max-age", "")
        if _AGE.fullmatch(age) is not None:
            digits = age.lstrip("0")
            if age.startswith("-") or not digits:
                return 0.0
            return self._clock() + (int(digits) if len(digits) <= 9 else _MAX_AGE)
        return _date(said.get("expires", ""))

    def _drop_expired(self) -> None:
        now = self._clock()
        for key, cookie in list(self._cookies.items()):
            if cookie.expires is not None and cookie.expires <= now:
                del self._cookies[key]

    def _make_room(self) -> None:
        if not self._is_full():
            return
        self._drop_expired()
        while self._is_full():
            del self._cookies[next(iter(self._cookies))]

    def _is_full(self) -> bool:
        size = sum(
            len(path) + len(name) + len(cookie.value)
            for (path, name), cookie in self._cookies.items()
        )
        return len(self._cookies) > _MAX_COOKIES or size > _MAX_SIZE


def _attributes(parts: Iterable[str]) -> Iterator[tuple[str, str]]:
    for part in parts:
        name, _, value = part.partition("=")
        name, value = name.strip(" \t").lower(), value.strip(" \t")
        # What cannot be read is as if it were not there (RFC 6265, 5.2.1 and 5.2.2).
        if name == "max-age" and _AGE.fullmatch(value) is None:
            continue
        if name == "expires" and _date(value) is None:
            continue
        yield name, value


def _default_path(target: str) -> str:
    """The path of a cookie that names none (RFC 6265, 5.1.4)."""
    return target.partition("?")[0].rpartition("/")[0] or "/"


def _matches(path: str, own: str) -> bool:
    """Whether a request of this path gets a cookie with that one (RFC 6265, 5.1.4)."""
    if not path.startswith(own):
        return False
    return own.endswith("/") or path[len(own) :][:1] in ("", "/")


def _date(text: str) -> float | None:
    """A date in seconds since 1970; None if it is none (RFC 6265, 5.1.1)."""
    clock = day = year = None
    month = 0
    for word in _BETWEEN.split(text):
        if clock is None and (match := _TIME.fullmatch(word)) is not None:
            clock = match
        elif day is None and (match := _DAY.fullmatch(word)) is not None:
            day = int(match[1])
        elif not month and word[:3].lower() in _MONTHS:
            month = 1 + _MONTHS.index(word[:3].lower())
        elif year is None and (match := _YEAR.fullmatch(word)) is not None:
            year = int(match[1])
    if clock is None or day is None or not month or year is None:
        return None
    if year < 100:
        year += 1900 if year >= 70 else 2000
    if year < 1601:
        return None
    try:
        hour, minute, second = int(clock[1]), int(clock[2]), int(clock[3])
        found = datetime(year, month, day, hour, minute, second, tzinfo=timezone.utc)
        return found.timestamp()
    except ValueError:
        return None
