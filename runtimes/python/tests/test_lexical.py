"""XML-10 to XML-16: the texts of primitives, both ways."""

from __future__ import annotations

import math
import random
import struct
from decimal import Decimal
from fractions import Fraction
from typing import Any, Callable

import pytest

from creo import Array, DateTime
from creo._binary import FAILURES
from creo._text import lexical


def bits(value: float, code: str = "d") -> bytes:
    return struct.pack(code, value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"), (-0.0, "-0"), (0.0, "0"), (0.1, "0.1"), (1.5e-7, "1.5e-7"), (1e21, "1e+21"),
        (1e20, "100000000000000000000"), (123456789012345680000.0, "123456789012345680000"),
        (1e-6, "0.000001"), (1e-7, "1e-7"), (5e-324, "5e-324"), (1e16, "10000000000000000"),
        (1.7976931348623157e308, "1.7976931348623157e+308"), (-12.5, "-12.5"), (3, "3"),
        (math.inf, "INF"), (-math.inf, "-INF"), (math.nan, "NaN"), (1.25e25, "1.25e+25"),
    ],
)  # fmt: skip
def test_doubles_are_laid_out_as_ecmascript_does(value: float, text: str) -> None:
    assert lexical.format_double(value) == text
    assert lexical.double_texts([value, float(value), 2.0])[1:] == [text, "2"]


def test_doubles_read_back_whatever_their_bits() -> None:
    source = random.Random(1)
    values = [struct.unpack("d", source.randbytes(8))[0] for _ in range(3_000)]
    texts = lexical.double_texts(values)
    assert texts == [lexical.format_double(value) for value in values]
    for value, text in zip(values, texts):
        read = lexical.parse_double(text)
        assert bits(read) == bits(value) or (math.isnan(read) and math.isnan(value))


def test_floats_read_back_and_are_as_short_as_can_be() -> None:
    source = random.Random(2)
    values = [struct.unpack("f", source.randbytes(4))[0] for _ in range(3_000)]
    values += [math.ldexp(1.0, n) for n in range(-149, 128)]
    for value in values:
        text = lexical.format_float(value)
        if math.isnan(value) or math.isinf(value):
            continue
        assert bits(lexical.parse_float(text), "f") == bits(value, "f")
        digits = len(text.partition("e")[0].replace(".", "").strip("-").strip("0"))
        if math.frexp(value)[0] not in (0.5, -0.5):
            # And of as many digits the nearest.
            assert float(text) == float(f"{value:.{max(digits, 1) - 1}e}")
        for shorter in range(1, min(digits, 9)):
            short = f"{value:.{shorter - 1}e}"
            if abs(float(short)) < 3.4e38:
                assert bits(lexical.parse_float(short), "f") != bits(value, "f")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.2621775e-29", 2.0**-96),  # shorter than what rounding 2^-96 to eight digits gives
        ("1.5474251e+26", 2.0**87),
        ("16777216", 2.0**24),
        ("1e-45", 2.0**-149),
    ],
)
def test_floats_at_powers_of_two(text: str, value: float) -> None:
    assert lexical.format_float(value) == text
    assert lexical.parse_float(text) == value


def test_floats_are_rounded_once() -> None:
    """The double nearest to a text may lie halfway between two floats where the text does not."""
    source = random.Random(3)
    for _ in range(2_000):
        low = source.choice([source.getrandbits(31), source.getrandbits(12)]) % 0x7F7FFFFF
        pair = [struct.unpack("f", struct.pack("I", low + i))[0] for i in (0, 1)]
        middle = (Fraction(pair[0]) + Fraction(pair[1])) / 2
        for nudge in (-1, 0, 1):
            exact = middle + nudge * middle / 10**25
            size = exact.numerator.bit_length() - exact.denominator.bit_length()
            places = max(0, 60 - int(size * 0.3))
            text = f"{exact.numerator * 10**places // exact.denominator}e-{places}"
            wanted = pair[1] if nudge > 0 or (not nudge and low & 1) else pair[0]
            if nudge or Fraction(Decimal(text)) == middle:
                assert lexical.parse_float(text) == wanted, text
    assert lexical.parse_float("3.4028235677973366e38") == 3.4028234663852886e38
    assert lexical.parse_float("3.4028235677973367e38") == math.inf
    assert lexical.parse_float("-1e400") == -math.inf


@pytest.mark.parametrize("text", [".5", "5.", "1E5", "+INF", "+1", "00012", "1" * 400])
def test_readers_take_what_xml_schema_takes(text: str) -> None:
    wanted = math.inf if text in ("+INF", "1" * 400) else float(text)
    assert lexical.parse_double(text) == wanted
    assert lexical.parse_float(text) == wanted


_NUMBERS: list[Callable[[str], Any]] = [
    lexical.parse_double, lexical.parse_float, lexical.parse_int, lexical.parse_decimal,
    lexical.parse_char, lexical.parse_long,
]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["", "+", "-", ".", "1_0", "1e", "--1", "1 2", "0x1", "\u0661", "nan", "inf", "Infinity", "1f"],
)
def test_what_is_no_number(text: str) -> None:
    for parse in _NUMBERS:
        with pytest.raises(FAILURES):
            parse(text)
    for code in ("h", "i", "q", "d"):
        assert lexical.array_of(code, ["1", text]) is None


def test_whole_numbers_and_their_ranges() -> None:
    for word, (least, most) in lexical.RANGES.items():
        parse = getattr(lexical, f"parse_{word}")
        form = getattr(lexical, f"format_{word}")
        for number in (least, most, 0, -1):
            assert parse(form(number)) == number
        assert parse("+" + "0" * 5_000 + "7") == 7 and parse("-" + "0" * 30 + "12") == -12
        for wrong in (least - 1, most + 1):
            with pytest.raises(FAILURES):
                parse(str(wrong))
            with pytest.raises(FAILURES):
                form(wrong)
        with pytest.raises(FAILURES):
            form(1.5)
    assert lexical.parse_char("65") == "A" and lexical.format_char("\uffff") == "65535"
    with pytest.raises(FAILURES):
        lexical.parse_char("65536")


def test_booleans() -> None:
    assert [lexical.parse_boolean(t) for t in ("true", "1", "false", "0")] == [
        True,
        True,
        False,
        False,
    ]
    assert lexical.array_of("?", ["1", "false"]) == [True, False]
    assert lexical.array_of("?", ["TRUE"]) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2026-11-21T10:31:56.25Z", "2026-11-21T10:31:56.250Z"),
        ("2026-11-21T10:31:56", "2026-11-21T10:31:56Z"),
        ("2026-11-21T24:00:00", "2026-11-22T00:00:00Z"),
        ("2026-12-31T24:00:00.000-14:00", "2027-01-01T14:00:00Z"),
        ("2026-11-21T10:31:56.2500000000000+14:00", "2026-11-20T20:31:56.250Z"),
        ("2024-02-29T23:59:59.999999999Z", "2024-02-29T23:59:59.999999999Z"),
    ],
)
def test_instants(text: str, value: str) -> None:
    assert lexical.parse_date_time(text) == DateTime.parse(value)


@pytest.mark.parametrize(
    "text",
    [
        "", "2026-11-21", "2026-11-21t10:31:56z", "2026-11-21T10:31:56.Z", "26-11-21T10:31:56Z",
        "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01T24:00:01Z",
        "2026-01-01T25:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z",
        "2026-01-01T00:00:00+14:01", "2026-01-01T00:00:00+15:00", "2026-01-01T00:00:00+1:00",
        "2026-01-01T00:00:00.0000000001Z", "0000-01-01T00:00:00Z", "-0001-01-01T00:00:00Z",
        "9999-12-31T24:00:00-01:00", "9999-12-31T24:00:00Z", "12026-01-01T00:00:00Z",
    ],
)  # fmt: skip
def test_what_is_no_instant(text: str) -> None:
    with pytest.raises(FAILURES):
        lexical.parse_date_time(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("+01.50", "1.50"), (".5", "0.5"), ("5.", "5"), ("-0.00", "0.00"), ("00", "0"),
        ("-" + "0" * 2_000 + "7." + "3" * 999, "-7." + "3" * 999),
    ],
)  # fmt: skip
def test_decimals(text: str, value: str) -> None:
    read = lexical.parse_decimal(text)
    assert lexical.format_decimal(read) == value


@pytest.mark.parametrize("text", ["", ".", "1e5", "1,5", "NaN", "1." + "0" * 1_000])
def test_what_is_no_decimal(text: str) -> None:
    with pytest.raises(FAILURES):
        lexical.parse_decimal(text)


def test_instants_of_many_days() -> None:
    for _ in range(2):
        for day in range(-1_500, 1_500):
            instant = DateTime(day * 86_400 + 3_661, 5)
            assert lexical.parse_date_time(instant.isoformat()) == instant


def test_bytes() -> None:
    source = random.Random(4)
    for size in (*range(10), 1_000):
        data = source.randbytes(size)
        text = lexical.format_base64(data)
        assert lexical.parse_base64(text) == data
        assert lexical.parse_base64(" " + "\r\n\t ".join(text) + "\n") == data
        assert lexical.format_hex(data) == data.hex().upper()
        assert lexical.parse_hex(data.hex()) == data
    wrongs = ["QR==", "QQ=", "QQ", "=", "QQ==QQ==", "-_-_", "QUJ=", "QQ=Q", "\xc4QQ="]
    wrongs += ["====", "==", "Q Q = = =", "QQ= =x", "Q=Q=", "QUI=QUI=", "QQ\x0b==", "\ud800QQ="]
    for wrong in wrongs:
        for read in (lexical.parse_base64, lexical.decode_base64):
            with pytest.raises(FAILURES):
                read(wrong)
    with pytest.raises(FAILURES):
        lexical.decode_base64("QQ= =")
    for wrong in ("0", "0g", "0 1", " 00"):
        with pytest.raises(FAILURES):
            lexical.parse_hex(wrong)


def test_arrays_at_once() -> None:
    assert lexical.array_of("i", [" 1", "+2\n", "-03"]) == [1, 2, -3]
    assert lexical.array_of("d", ["1.5", ".5", "1E3"]) == [1.5, 0.5, 1000.0]
    assert lexical.array_of("i", ["1", "2147483648"]) is None
    assert lexical.array_of("d", ["INF"]) is None
    assert lexical.texts_of("q", Array("q", [1, -2])) == ["1", "-2"]
    assert lexical.texts_of("H", "A\uffff") == ["65", "65535"]
