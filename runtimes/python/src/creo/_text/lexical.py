"""Primitives as text (XML-10 to XML-16), shared by the text wires that use XML's forms.

``format_*`` write a value as text (the second argument is for wires and ignored here); ``parse_*``
read a text without surrounding white space. They fail with any of ``FAILURES``; the caller adds the
position.
"""

from __future__ import annotations

import binascii
import math
import re
import struct
from array import array
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, Callable, Final

from .._base.instant import DateTime
from .._binary import MAX_DIGITS, Bad, decimal_text
from .._buffer import Array, wrap

WHITE: Final = " \t\r\n"

_BOOLEANS: Final = {"true": True, "1": True, "false": False, "0": False}
_FLAG_TEXTS: Final = {True: "true", False: "false"}
_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_DECIMAL: Final = re.compile(r"([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))")
#: ``Decimal`` formats these correctly, and parses these.
_USUAL_DECIMAL: Final = re.compile(r"(?:0|-?[1-9][0-9]*)(?:\.[0-9]+)?")
_SPECIAL: Final = {"NaN": math.nan, "INF": math.inf, "+INF": math.inf, "-INF": -math.inf}
_DATE_TIME: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})"
    r"(?:\.([0-9]+))?(?:(Z)|([+-])([0-9]{2}):([0-9]{2}))?"
)
#: The most common form: in UTC.
_USUAL_TIME: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{1,9}))?Z"
)
_MAX_DAYS: Final = 1_024
_EPOCH_DAY: Final = date(1970, 1, 1).toordinal()
_DIGITS_64: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
# The digits allowed before each padding: their last bits are zero.
_BEFORE_PADDING: Final = {b"": b"", b"=": _DIGITS_64[::4], b"==": _DIGITS_64[::16]}
_WHITE: Final = WHITE.encode()

_pack_float: Final = struct.Struct("=f").pack
_unpack_float: Final = struct.Struct("=f").unpack
_pack_double: Final = struct.Struct("=d").pack
_unpack_bits: Final = struct.Struct("=Q").unpack

#: Of binary32; smaller numbers have fewer bits.
_MIN_NORMAL: Final = 1.1754943508222875e-38

#: The min and max of each whole number type.
RANGES: Final = {
    "byte": (-(1 << 7), (1 << 7) - 1),
    "short": (-(1 << 15), (1 << 15) - 1),
    "int": (-(1 << 31), (1 << 31) - 1),
    "long": (-(1 << 63), (1 << 63) - 1),
}


# Booleans, whole numbers, characters


def format_boolean(value: Any, _: object = None) -> str:
    """``boolean``."""
    return _FLAG_TEXTS[value]


def parse_boolean(text: str) -> bool:
    """``boolean``."""
    return _BOOLEANS[text]


def _whole(word: str) -> tuple[Callable[..., str], Callable[[str], int]]:
    least, most = RANGES[word]

    def form(value: Any, _: object = None) -> str:
        number = value if value.__class__ is int else value.__index__()
        if least <= number <= most:
            return str(int(number))
        raise Bad(f"{number!r:.50} is beyond the range of {word}")

    def parse(text: str) -> int:
        if _INTEGER.fullmatch(text) is None:
            raise Bad
        if len(text) > 20:
            text = text[0].strip("0123456789") + text.lstrip("+-").lstrip("0")[:20].rjust(1, "0")
        number = int(text)
        if least <= number <= most:
            return number
        raise Bad(f"{text} is beyond the range of {word}")

    return form, parse


format_byte, parse_byte = _whole("byte")
format_short, parse_short = _whole("short")
format_int, parse_int = _whole("int")
format_long, parse_long = _whole("long")


def format_char(value: Any, _: object = None) -> str:
    """``char``: the number of the code unit."""
    unit = ord(value)
    if unit > 0xFFFF:
        raise Bad
    return str(unit)


def parse_char(text: str) -> str:
    """``char``."""
    unit = parse_int(text)
    if not 0 <= unit <= 0xFFFF:
        raise Bad(f"{text} is beyond the range of char")
    return chr(unit)


# Floating point (XML-11)


def laid_out(text: str) -> str:
    """Converts a result of ``repr`` or ``%e`` to the layout of ECMAScript's Number::toString."""
    if text[-1] in "fn":
        return {"inf": "INF", "-inf": "-INF", "nan": "NaN", "-nan": "NaN"}[text]
    sign = "-" if text[0] == "-" else ""
    mantissa, _, exponent = text.lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    # The number is 0.DIGITS times ten to the power of ``point``.
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    size = len(digits)
    if not size:
        return sign + "0"
    if size <= point <= 21:
        return sign + digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    rest = f".{digits[1:]}" if size > 1 else ""
    return f"{sign}{digits[0]}{rest}e{point - 1:+d}"


def format_double(value: Any, _: object = None) -> str:
    """``double``."""
    if value.__class__ is not float:
        _pack_double(value)
        value = float(value)
    text = repr(value)
    if text.endswith(".0"):
        return text[:-2]
    return laid_out(text) if "e" in text or "n" in text else text


def parse_double(text: str) -> float:
    """``double``; any number of digits, rounded to nearest, ties to even."""
    if _NUMBER.fullmatch(text) is None:
        return _SPECIAL[text]
    return float(text)


def as_float(value: float) -> float:
    """The binary32 nearest to a double."""
    number: float = _unpack_float(_pack_float(value))[0]
    return number


def format_float(value: Any, _: object = None) -> str:
    """``float``: the shortest digits that round-trip in binary32."""
    number = as_float(value)
    if not math.isfinite(number) or (abs(number) < 1e6 and number.is_integer()):
        return format_double(number)
    mantissa, exponent = math.frexp(number)
    # If binary32 has all of its bits, and any six digits round-trip, then these do. Neighbours have
    # equal distances, except at powers of two.
    if abs(number) < _MIN_NORMAL or mantissa in (0.5, -0.5):
        return _format_uneven(number)
    # This and the distances below are exact: numbers so near each other differ by a double.
    halfway = math.ldexp(1.0, exponent - 25)
    for form in (".5e", ".6e", ".7e"):
        text = format(number, form)
        near = float(text)
        away = abs(near - number)
        if away < halfway or (away == halfway and _reads_back(text, number)):
            # With so few digits, a double is nearest to only one such number.
            return format_double(near)
    return format_double(float(format(number, ".8e")))


def _format_uneven(number: float) -> str:
    """The same for a number with fewer bits, or at a power of two."""
    power_of_two = math.frexp(number)[0] in (0.5, -0.5)
    for digits in range(6 if abs(number) >= _MIN_NORMAL else 1, 10):
        text = f"{number:.{digits - 1}e}"
        if _reads_back(text, number):
            return laid_out(text)
        # Below a power of two numbers are closer: a farther text above may round-trip.
        if power_of_two:
            above = _next_above(text)
            if _reads_back(above, number):
                return laid_out(above)
    return laid_out(f"{number:.8e}")


def _reads_back(text: str, number: float) -> bool:
    try:
        return parse_float(text) == number
    except OverflowError:
        return False


def _next_above(text: str) -> str:
    """The next number with as many digits, farther from zero."""
    mantissa, _, exponent = text.partition("e")
    number = Decimal(mantissa)
    unit = Decimal((number < 0, (1,), int(number.as_tuple().exponent)))
    return f"{number + unit}e{exponent or 0}"


def parse_float(text: str) -> float:
    """``float``: rounded once, directly from the digits."""
    number = parse_double(text)
    if number != number or number in (math.inf, -math.inf):
        return number
    return nearest_float(number, text)


def nearest_float(number: float, text: str) -> float:
    """The binary32 nearest to ``text``, of which ``number`` is the nearest double."""
    try:
        single = as_float(number)
    except OverflowError:
        single = math.copysign(math.inf, number)
    if not may_be_midway(number):
        return single
    # If the double is halfway between two, it does not show on which side the text is.
    beside = _neighbours(number)
    exact = Fraction(Decimal(text))
    best = min(beside, key=lambda pair: (abs(pair[1] - exact), pair[2]))
    return math.copysign(best[0], number)


def may_be_midway(number: float) -> bool:
    """Whether a double may be halfway between two binary32."""
    bits: int = _unpack_bits(_pack_double(number))[0]
    if bits & 0x1FFFFFFF == 0x10000000:
        return True
    return 0.0 < abs(number) < _MIN_NORMAL


def _neighbours(number: float) -> list[tuple[float, Fraction, int]]:
    """The two binary32 around a double: value, exact value, and whether its last bit is set."""
    (bits,) = struct.unpack("=I", _pack_float(min(abs(number), 3.4028234663852886e38)))
    found: list[tuple[float, Fraction, int]] = []
    for candidate in (bits - 1, bits, bits + 1):
        if candidate < 0:
            continue
        if candidate >= 0x7F800000:
            sign = 1 if number > 0 else -1
            found.append((math.inf, sign * Fraction(2) ** 128, candidate & 1))
            continue
        value: float = struct.unpack("=f", struct.pack("=I", candidate))[0]
        found.append((value, Fraction(math.copysign(value, number)), candidate & 1))
    return found


# Instants (XML-13)


def parse_date_time(text: str) -> DateTime:
    """``DateTime``."""
    usual = _USUAL_TIME.fullmatch(text)
    if usual is not None:
        day, hour, minute, second, fraction = usual.groups()
        seconds = DAYS[day] + int(hour) * 3_600 + int(minute) * 60 + int(second)
        return DateTime(seconds, int(fraction.ljust(9, "0")) if fraction else 0)
    match = _DATE_TIME.fullmatch(text)
    if match is None:
        raise Bad
    year, month, day, hour, minute, second, fraction, _, sign, hours, minutes = match.groups()
    nanoseconds = 0
    if fraction is not None:
        if fraction[9:].strip("0"):
            raise Bad("a fraction of a second has at most 9 digits")
        nanoseconds = int(fraction[:9].ljust(9, "0"))
    if hour > "23" and (hour != "24" or minute != "00" or second != "00" or nanoseconds):
        raise Bad("24:00:00 is the last instant of a day")
    if minute > "59" or second > "59":
        raise Bad
    days = date(int(year), int(month), int(day)).toordinal() - _EPOCH_DAY
    seconds = days * 86_400 + int(hour) * 3_600 + int(minute) * 60 + int(second)
    if sign is None:
        return DateTime(seconds, nanoseconds)
    if minutes > "59" or hours > "14" or (hours == "14" and minutes != "00"):
        raise Bad("an offset lies between -14:00 and +14:00")
    east = (int(hours) * 3_600 + int(minutes) * 60) * (1 if sign == "+" else -1)
    return DateTime.of_local(seconds, nanoseconds, east)


class _Days(dict[str, int]):
    """The seconds at which days begin, by text; the same few days occur again and again."""

    def __missing__(self, text: str) -> int:
        if len(self) >= _MAX_DAYS:
            self.clear()
        day = date(int(text[:4]), int(text[5:7]), int(text[8:])).toordinal() - _EPOCH_DAY
        self[text] = day * 86_400
        return day * 86_400


DAYS: Final = _Days()


def format_date_time(value: Any, _: object = None) -> str:
    """``DateTime``."""
    if not isinstance(value, DateTime):
        raise Bad
    return value.isoformat()


# Decimal (XML-14)


def parse_decimal(text: str) -> Decimal:
    """``Decimal``."""
    if len(text) <= MAX_DIGITS and _USUAL_DECIMAL.fullmatch(text) is not None:
        return Decimal(text)
    match = _DECIMAL.fullmatch(text)
    if match is None:
        raise Bad
    sign, whole, fraction, alone = match.groups()
    whole = (whole or "").lstrip("0") or "0"
    fraction = alone or fraction or ""
    if len(whole) + len(fraction) > MAX_DIGITS:
        raise Bad(f"a Decimal has at most {MAX_DIGITS} digits")
    number = Decimal(f"{whole}.{fraction}" if fraction else whole)
    return number.copy_negate() if sign == "-" and number else number


def format_decimal(value: Any, _: object = None) -> str:
    """``Decimal``."""
    if value.__class__ is Decimal:
        text = str(value)
        if len(text) <= MAX_DIGITS and _USUAL_DECIMAL.fullmatch(text) is not None:
            return text
    elif not isinstance(value, Decimal):
        raise Bad
    return decimal_text(value)


# Bytes (XML-15)


def parse_base64(text: str) -> bytes:
    """``byte[]``; white space is allowed anywhere."""
    plain = text.encode("ascii")
    rest = plain.translate(None, _DIGITS_64)
    if rest.strip(b"="):
        plain = plain.translate(None, _WHITE)
        rest = rest.translate(None, _WHITE)
    return _bytes_of(plain, rest)


def decode_base64(text: str) -> bytes:
    """``byte[]``, without white space."""
    plain = text.encode("ascii")
    return _bytes_of(plain, plain.translate(None, _DIGITS_64))


def _bytes_of(plain: bytes, rest: bytes) -> bytes:
    """Decodes base64; ``rest`` are the characters that are not digits."""
    before = _BEFORE_PADDING.get(rest)
    if len(plain) % 4 or before is None or not plain.endswith(rest):
        raise Bad("this is no base64")
    if rest and plain[-len(rest) - 1] not in before:
        raise Bad("the last bits of base64 must be zero")
    return binascii.a2b_base64(plain)


def format_base64(value: Any, _: object = None) -> str:
    """``byte[]``."""
    return binascii.b2a_base64(value, newline=False).decode("ascii")


def parse_hex(text: str) -> bytes:
    """``hexBinary``."""
    if text.strip("0123456789abcdefABCDEF"):
        raise Bad
    return binascii.unhexlify(text)


def format_hex(value: Any, _: object = None) -> str:
    """``hexBinary``."""
    return bytes(value).hex().upper()


# Many at once. ``texts_of`` and ``array_of`` process whole arrays.


def texts_of(code: str, numbers: Sequence[Any]) -> list[str]:
    """The texts of the numbers of an ``Array`` with this code, or the units of a ``char[]``."""
    if code == "H":
        return [str(ord(unit)) for unit in numbers]
    if code == "?":
        return [_FLAG_TEXTS[flag] for flag in numbers]
    values: list[Any] = numbers.tolist() if isinstance(numbers, Array) else list(numbers)
    if code == "d":
        return double_texts(values)
    if code == "f":
        return [format_float(value) for value in values]
    return list(map(str, values))


def double_texts(values: list[float]) -> list[str]:
    """The texts of doubles."""
    if not values:
        return []
    text = repr(values)[1:-1]
    texts = (text + ", ").replace(".0, ", ", ").split(", ")
    texts.pop()
    if "e" in text or "n" in text:
        return [laid_out(t) if "e" in t or "n" in t else t for t in texts]
    return texts


_NUMERIC: Final = {
    "h": (b"+-0123456789 \t\r\n", 19),
    "i": (b"+-0123456789 \t\r\n", 19),
    "q": (b"+-0123456789 \t\r\n", 40),
    "d": (b"+-.eE0123456789 \t\r\n", 0),
}


def array_of(code: str, texts: list[str]) -> Array[Any] | None:
    """An ``Array`` of the numbers in these texts; None if one needs a closer look."""
    if code == "?":
        try:
            flags = bytes([_BOOLEANS[text] for text in texts])
        except KeyError:
            return None
        return wrap(memoryview(flags).cast("?"))
    known = _NUMERIC.get(code)
    if known is None:
        return None
    allowed, longest = known
    try:
        if "".join(texts).encode("ascii").translate(None, allowed):
            return None
        if code == "d":
            return wrap(memoryview(array("d", map(float, texts))).toreadonly())
        if max(map(len, texts)) > longest:
            return None
        return wrap(memoryview(array(code, map(int, texts))).toreadonly())
    except (ValueError, OverflowError):
        return None
