"""Instants."""

from __future__ import annotations

import copy
import pickle
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from creo import DateTime

FIRST = DateTime(-62_135_596_800)
LAST = DateTime(253_402_300_799, 999_999_999)


@pytest.mark.parametrize(
    ("text", "seconds", "nanoseconds", "canonical"),
    [
        ("1970-01-01T00:00:00Z", 0, 0, "1970-01-01T00:00:00Z"),
        ("1969-12-31T23:59:59.5Z", -1, 500_000_000, "1969-12-31T23:59:59.500Z"),
        ("2026-11-21t10:31:56.250z", 1795257116, 250_000_000, "2026-11-21T10:31:56.250Z"),
        ("1970-01-01T01:00:00.000001+01:00", 0, 1_000, "1970-01-01T00:00:00.000001Z"),
        ("1969-12-31T22:30:00.000000001-01:30", 0, 1, "1970-01-01T00:00:00.000000001Z"),
        ("0001-01-01T00:00:00Z", FIRST.seconds, 0, "0001-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59.999999999Z", LAST.seconds, 999_999_999, str(LAST)),
    ],
)
def test_text(text: str, seconds: int, nanoseconds: int, canonical: str) -> None:
    moment = DateTime.parse(text)
    assert (moment.seconds, moment.nanoseconds) == (seconds, nanoseconds)
    assert str(moment) == canonical
    assert DateTime.parse(canonical) == moment


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1970-01-01",
        "1970-01-01T00:00:00",
        "1970-13-01T00:00:00Z",
        "1970-01-01T00:00:00.Z",
        "1970-01-01T00:00:00.0123456789Z",
        "1970-01-01T00:00:00+24:00",
        "0000-12-31T23:00:00-02:00",
        "١٩٧٠-01-01T00:00:00Z",
    ],
)
def test_wrong_text(text: str) -> None:
    with pytest.raises(ValueError):
        DateTime.parse(text)


def test_range() -> None:
    for seconds, nanoseconds in (
        (FIRST.seconds - 1, 0),
        (LAST.seconds + 1, 0),
        (0, -1),
        (0, 10**9),
    ):
        with pytest.raises(ValueError):
            DateTime(seconds, nanoseconds)


def test_datetime() -> None:
    east = timezone(timedelta(hours=2))
    assert DateTime.from_datetime(datetime(1970, 1, 1, 2, 0, 0, 7, tzinfo=east)) == DateTime(
        0, 7_000
    )
    assert DateTime(0, 7_999).to_datetime() == datetime(1970, 1, 1, 0, 0, 0, 7, tzinfo=timezone.utc)
    for instant in (FIRST, LAST, DateTime.now()):
        microseconds = DateTime(instant.seconds, instant.nanoseconds // 1000 * 1000)
        assert DateTime.from_datetime(instant.to_datetime()) == microseconds
    with pytest.raises(ValueError, match="time zone"):
        DateTime.from_datetime(datetime(1970, 1, 1))


def test_values() -> None:
    assert FIRST < DateTime(0) < DateTime(0, 1) <= DateTime(0, 1) < LAST
    assert len({DateTime(0, 1), DateTime(0, 1), DateTime(1)}) == 2
    assert repr(DateTime(0)) == "DateTime.parse('1970-01-01T00:00:00Z')"
    assert pickle.loads(pickle.dumps(LAST)) == LAST == copy.deepcopy(LAST)
    moment: Any = DateTime(0)
    with pytest.raises(AttributeError):
        moment.seconds = 1
    assert moment != 0


def test_only_the_offset_is_out_of_range() -> None:
    assert DateTime.parse("0001-01-01T00:00:00+01:00") == FIRST
    assert DateTime.parse("0001-01-01T00:00:00.5+00:01") == FIRST
    assert DateTime.parse("9999-12-31T23:59:59-01:00") == LAST
