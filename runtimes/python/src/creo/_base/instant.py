"""An instant with nanosecond precision."""

from __future__ import annotations

import re
import time
from datetime import date, datetime, timedelta, timezone
from functools import total_ordering
from importlib import import_module
from typing import Any, Final, NoReturn, overload

MIN_SECONDS: Final = -62_135_596_800
MAX_SECONDS: Final = 253_402_300_799
_BILLION: Final = 1_000_000_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=timezone.utc)
_EPOCH_DAY: Final = _EPOCH.toordinal()
_DAY: Final = 86_400
_MAX_DAYS: Final = 1_024
_TWO_DIGITS: Final = tuple(f"{number:02}" for number in range(60))
_RFC3339: Final = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:([Zz])|([+-])(\d\d):(\d\d))",
    re.ASCII,
)


class _DayTexts(dict[int, str]):
    """The texts of days, counted from 1970-01-01; the same few days occur again and again."""

    def __missing__(self, day: int) -> str:
        if len(self) >= _MAX_DAYS:
            self.clear()
        text = date.fromordinal(day + _EPOCH_DAY).isoformat()
        self[day] = text
        return text


_day_texts: Final = _DayTexts()


@total_ordering
class DateTime:
    """An instant from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z, immutable.

    ``datetime`` has microseconds, this class nanoseconds. ``from_datetime`` and ``to_datetime``
    convert, as do ``from_datetime64`` and ``to_datetime64`` for NumPy; ``parse`` and ``str`` read
    and write RFC 3339. A ``timedelta`` can be added and subtracted; the difference of two instants
    is a ``timedelta``.
    """

    __slots__ = ("nanoseconds", "seconds")
    __match_args__ = ("seconds", "nanoseconds")

    seconds: int
    """Whole seconds since 1970-01-01T00:00:00Z, rounded down."""
    nanoseconds: int
    """Nanoseconds after that second, from 0 to 999,999,999."""

    def __init__(self, seconds: int, nanoseconds: int = 0) -> None:
        if not (MIN_SECONDS <= seconds <= MAX_SECONDS and 0 <= nanoseconds < _BILLION):
            raise ValueError(
                f"no instant of the years 1 to 9999: {seconds} s and {nanoseconds} ns since 1970"
            )
        _set_seconds(self, seconds)
        _set_nanoseconds(self, nanoseconds)

    @classmethod
    def now(cls) -> DateTime:
        """The current time, as precise as the system's clock."""
        return cls(*divmod(time.time_ns(), _BILLION))

    @classmethod
    def from_datetime(cls, moment: datetime) -> DateTime:
        """The instant of a ``datetime``, which must have a time zone."""
        if moment.utcoffset() is None:
            raise ValueError(f"a datetime without a time zone is no instant: {moment!r}")
        since = moment - _EPOCH
        return cls(since.days * 86_400 + since.seconds, since.microseconds * 1_000)

    @classmethod
    def parse(cls, text: str) -> DateTime:
        """Reads RFC 3339, such as ``2026-11-21T10:31:56.250Z``, with up to 9 digits of fraction."""
        match = _RFC3339.fullmatch(text)
        if match is None:
            raise ValueError(f"not an instant in RFC 3339: {text!r}")
        year, month, day, hour, minute, second = (int(match[i]) for i in range(1, 7))
        local = datetime(year, month, day, hour, minute, second, tzinfo=timezone.utc) - _EPOCH
        seconds = local.days * 86_400 + local.seconds
        east = 0
        if match[9]:
            hours, minutes = int(match[10]), int(match[11])
            if hours > 23 or minutes > 59:
                raise ValueError(f"not an offset in RFC 3339: {text!r}")
            east = (hours * 3_600 + minutes * 60) * (1 if match[9] == "+" else -1)
        return cls.of_local(seconds, int((match[7] or "").ljust(9, "0")), east)

    @classmethod
    def of_local(cls, seconds: int, nanoseconds: int, east: int) -> DateTime:
        """The instant of a time that is ``east`` seconds ahead of UTC.

        If only the offset takes it out of the years 1 to 9999, it is the first or the last instant.
        """
        local = cls(seconds, nanoseconds)
        utc = seconds - east
        if utc < MIN_SECONDS:
            return cls(MIN_SECONDS)
        if utc > MAX_SECONDS:
            return cls(MAX_SECONDS, _BILLION - 1)
        return cls(utc, nanoseconds) if east else local

    def to_datetime(self) -> datetime:
        """The ``datetime`` in UTC, truncated to microseconds."""
        return _EPOCH + timedelta(seconds=self.seconds, microseconds=self.nanoseconds // 1_000)

    @classmethod
    def from_datetime64(cls, moment: Any) -> DateTime:
        """The instant of a ``numpy.datetime64`` in UTC, truncated to nanoseconds.

        :raises ValueError: for ``NaT``, and beyond the years 1 to 9999.
        """
        seconds = moment.astype("M8[s]")
        rest = (moment - seconds).astype("m8[ns]")
        return cls(int(seconds.astype("i8")), int(rest.astype("i8")))

    def to_datetime64(self) -> Any:
        """The ``numpy.datetime64`` in nanoseconds.

        :raises OverflowError: outside the years 1678 to 2261, which is all that it can represent.
        """
        total = self.seconds * _BILLION + self.nanoseconds
        if not -(1 << 63) < total < 1 << 63:
            raise OverflowError(f"datetime64[ns] does not hold {self.isoformat()}")
        return import_module("numpy").datetime64(total, "ns")

    def __add__(self, span: object) -> DateTime:
        if not isinstance(span, timedelta):
            return NotImplemented
        more = span.microseconds * 1_000 + self.nanoseconds
        seconds = self.seconds + span.days * _DAY + span.seconds + more // _BILLION
        return DateTime(seconds, more % _BILLION)

    __radd__ = __add__

    @overload
    def __sub__(self, other: timedelta) -> DateTime: ...
    @overload
    def __sub__(self, other: DateTime) -> timedelta: ...
    def __sub__(self, other: object) -> DateTime | timedelta:
        """Another instant, or the difference of two, truncated to microseconds."""
        if isinstance(other, timedelta):
            return self + -other
        if not isinstance(other, DateTime):
            return NotImplemented
        nanoseconds = self.nanoseconds - other.nanoseconds
        return timedelta(seconds=self.seconds - other.seconds, microseconds=nanoseconds // 1_000)

    def isoformat(self) -> str:
        """RFC 3339 in UTC, with the fewest of 0, 3, 6 or 9 digits of fraction that are exact."""
        day, rest = divmod(self.seconds, _DAY)
        minutes, second = divmod(rest, 60)
        hour, minute = divmod(minutes, 60)
        text = f"{_day_texts[day]}T{_TWO_DIGITS[hour]}:{_TWO_DIGITS[minute]}:{_TWO_DIGITS[second]}"
        nanoseconds = self.nanoseconds
        if not nanoseconds:
            return f"{text}Z"
        if nanoseconds % 1_000:
            return f"{text}.{nanoseconds:09}Z"
        if nanoseconds % 1_000_000:
            return f"{text}.{nanoseconds // 1_000:06}Z"
        return f"{text}.{nanoseconds // 1_000_000:03}Z"

    __str__ = isoformat

    def __repr__(self) -> str:
        return f"DateTime.parse({self.isoformat()!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DateTime):
            return NotImplemented
        return self.seconds == other.seconds and self.nanoseconds == other.nanoseconds

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, DateTime):
            return NotImplemented
        return (self.seconds, self.nanoseconds) < (other.seconds, other.nanoseconds)

    def __hash__(self) -> int:
        return hash((self.seconds, self.nanoseconds))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a DateTime is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a DateTime is immutable")

    def __reduce__(self) -> tuple[Any, ...]:
        return DateTime, (self.seconds, self.nanoseconds)


# Faster than ``object.__setattr__``.
_set_seconds: Final = DateTime.__dict__["seconds"].__set__
_set_nanoseconds: Final = DateTime.__dict__["nanoseconds"].__set__
