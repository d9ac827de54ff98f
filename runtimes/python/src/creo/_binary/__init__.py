"""The building blocks of generated straight-line codecs (``spec/wires/binary.md``).

A reader is ``read(b, p, r) -> (value, p)``, with the body, the position, and the remaining limits.
A slice beyond the end is short and leaves ``p`` beyond the end, where every later read fails. One
comparison of ``p`` with the end of the body (or region) is therefore enough. A writer is ``write(w,
value)`` and appends parts. Both fail with any of ``FAILURES``; the caller then uses the type's
description to find what is wrong and where.
"""

from __future__ import annotations

import re
import struct
from array import array
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Callable, Final, TypeVar, Union, cast

from .._base import invalid_value
from .._buffer import LITTLE, Array, to_array, wrap

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

    from .._base import Limits

    Part: TypeAlias = Union[bytes, memoryview]
    #: Reads a value at a position.
    Read: TypeAlias = "Callable[[bytes, int, Reading], tuple[_T, int]]"

_T = TypeVar("_T")
_K = TypeVar("_K")
_V = TypeVar("_V")

MAX_COUNT: Final = (1 << 31) - 1
MAX_DIGITS: Final = 1_000

#: Raised by readers and writers for invalid bytes or values.
FAILURES: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,
)

#: Below this size, a copy is cheaper than keeping the whole body alive.
SMALL: Final = 4_096


class Bad(ValueError):
    """These bytes, or this value, violate the rules of the wire."""


class Reading:
    """The remaining limits of a body being read."""

    __slots__ = ("depth", "empty", "limits", "memory")

    limits: Limits
    memory: int
    """Remaining bytes of memory (LIM-18)."""
    depth: int
    """Remaining levels of recursive types (BIN-13); set by the first recursive value."""
    empty: int
    """Remaining items without bytes (BIN-6); set by the first array of them."""


if TYPE_CHECKING:
    _Parts = list[Part]
    _ByNumber = dict[int, bytes]
    _Texts = dict[int, str]
else:
    _Parts = list
    _ByNumber = _Texts = dict


class Writing(_Parts):
    """The parts of a body being written."""

    __slots__ = ("depth",)

    depth: int
    """Remaining levels of recursive types (BIN-13)."""


def reading(limits: Limits, size: int) -> Reading:
    """The state for reading a body of this size."""
    r = Reading()
    r.limits = limits
    r.memory = limits.memory - size
    return r


def writing(depth: int) -> Writing:
    """The state for writing a body."""
    w = Writing()
    w.depth = depth
    return w


class _Counts(_ByNumber):
    """The bytes of counts: those of one byte are precomputed, those of two are cached."""

    def __missing__(self, n: int) -> bytes:
        made = count(n)
        if n < _KEPT_COUNTS:
            self[n] = made
        return made


#: Counts below it have at most two bytes.
_KEPT_COUNTS: Final = 16_384


#: ``COUNT[n]`` is the bytes of the count ``n``.
COUNT: Final = _Counts({n: bytes((n,)) for n in range(128)})
#: The byte of a boolean; only True and False are keys.
FLAG: Final = {True: 1, False: 0}
FLAG_BYTE: Final = {True: b"\1", False: b"\0"}
#: The boolean of a byte; only valid bytes are keys.
FLAGS: Final = {0: False, 1: True}
EMPTY_MAP: Final[Mapping[Any, Any]] = MappingProxyType({})
#: Accepted where bytes are expected.
Blob: TypeAlias = Union[bytes, bytearray, memoryview]
_U32: Final = struct.Struct(">I")
u32: Final = _U32.pack


def enter(state: Reading | Writing) -> None:
    """Enters a level of recursive types; ``state.depth += 1`` leaves it."""
    try:
        depth = state.depth
    except AttributeError:
        depth = cast("Reading", state).limits.max_depth
    if depth < 1:
        raise Bad
    state.depth = depth - 1


# Counts


def read_count(b: bytes, p: int) -> tuple[int, int]:
    """A count in its shortest form (BIN-2)."""
    n = b[p]
    if n < 128:
        return n, p + 1
    n &= 127
    p += 1
    more = b[p]
    # Most counts longer than a byte have two.
    if 0 < more < 128:
        return n | more << 7, p + 1
    shift = 7
    while True:
        n |= (more & 127) << shift
        if more < 128:
            if not more or n > MAX_COUNT:
                raise Bad
            return n, p + 1
        shift += 7
        if shift > 28:
            raise Bad
        p += 1
        more = b[p]


def count(n: int) -> bytes:
    """The bytes of a count (BIN-2)."""
    if not 0 <= n <= MAX_COUNT:
        raise Bad
    if 16_384 <= n < 2_097_152:
        return bytes((n & 127 | 128, n >> 7 & 127 | 128, n >> 14))
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def read_items(b: bytes, p: int, r: Reading, least: int, charge: int) -> tuple[int, int]:
    """A count of items, checked against the available bytes (BIN-5) and charged."""
    n, p = read_count(b, p)
    left = r.memory - n * charge
    if n * least > len(b) - p or left < 0:
        raise Bad
    r.memory = left
    return n, p


def read_empty_items(b: bytes, p: int, r: Reading, charge: int) -> tuple[int, int]:
    """A count of items without bytes, also charged to their budget (BIN-6)."""
    n, p = read_count(b, p)
    try:
        empty = r.empty
    except AttributeError:
        empty = r.limits.max_empty_items
    r.empty = empty - n
    r.memory -= n * charge
    if r.empty < 0 or r.memory < 0:
        raise Bad
    return n, p


def read_region(b: bytes, p: int) -> tuple[int, int]:
    """Start and end of a region, which must lie within the body (BIN-8)."""
    (size,) = _U32.unpack_from(b, p)
    p += 4
    end = p + size
    if end > len(b):
        raise Bad
    return p, end


def open_region(w: Writing) -> int:
    """Leaves room for the size of the following content (BIN-8)."""
    w.append(b"")
    return len(w)


def close_region(w: Writing, start: int) -> None:
    """Fills in the size of the content since ``open_region``."""
    w[start - 1] = u32(sum(map(len, w[start:])))


# Texts


def read_string(b: bytes, p: int) -> tuple[str, int]:
    """``String``."""
    n = b[p]
    p += 1
    if n > 127:
        n, p = read_count(b, p - 1)
    q = p + n
    return b[p:q].decode(), q


def read_bytes(b: bytes, p: int) -> tuple[bytes, int]:
    """``byte[]``."""
    n, p = read_count(b, p)
    q = p + n
    return b[p:q], q


def write_string(w: Writing, text: str) -> None:
    """``String``, outside of straight-line code."""
    data = text.encode()
    w += (COUNT[len(data)], data)


_DECIMAL: Final = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")


def read_decimal(b: bytes, p: int) -> tuple[Decimal, int]:
    """A decimal number in canonical form, keeping its scale (BIN-12)."""
    n, p = read_count(b, p)
    q = p + n
    return parse_decimal(b[p:q]), q


def parse_decimal(data: bytes) -> Decimal:
    """The number of canonical text."""
    # Sign and point are the only characters other than digits.
    if len(data) > MAX_DIGITS + 2 or _DECIMAL.fullmatch(data) is None:
        raise Bad
    digits = len(data) - (data[0] == 45) - (46 in data)
    number = Decimal(data.decode("ascii"))
    if digits > MAX_DIGITS or (number.is_zero() and data[0] == 45):
        raise Bad
    return number


def decimal_text(number: Decimal) -> str:
    """The canonical form (BIN-12)."""
    if not number.is_finite():
        raise Bad
    scale = number.as_tuple().exponent
    if number.adjusted() >= MAX_DIGITS or (isinstance(scale, int) and scale <= -MAX_DIGITS):
        raise Bad
    if number.is_zero() and isinstance(scale, int) and scale > 0:
        return "0"
    text = format(abs(number) if number.is_zero() else number, "f")
    if len(text) - text.count("-") - text.count(".") > MAX_DIGITS:
        raise Bad
    return text


def write_decimal(w: Writing, number: Decimal) -> None:
    """A decimal number in canonical form."""
    write_string(w, decimal_text(number))


# Arrays of texts, converted in bulk.


class _Marks(_Texts):
    """The bytes of counts as Latin-1 characters; cached as in ``COUNT``."""

    def __missing__(self, n: int) -> str:
        made = count(n).decode("latin-1")
        if n < _KEPT_COUNTS:
            self[n] = made
        return made


_MARK: Final = _Marks({n: chr(n) for n in range(128)})
#: Strings with a longer average, or a larger total, are copied as rarely as possible.
_SHORT: Final = 256
_FEW: Final = 1 << 17


def read_strings(b: bytes, p: int, r: Reading) -> tuple[tuple[str, ...], int]:
    """``String[]``."""
    n, p = read_items(b, p, r, 1, 8 + 32)
    if n > 1:
        size = b[p]
        step = size + 1
        end = p + n * step
        if size < 128 and end <= len(b) and b[p:end:step] == COUNT[size] * n:
            block = b[p + 1 : end]
            if block.isascii():
                # All strings have one length, so there is one character between them.
                text = block.decode("ascii")
                items = text.split(_MARK[size])
                if len(items) != n:
                    items = [text[i : i + size] for i in range(0, len(text) + 1, step)]
                return tuple(items), end
    found: list[str] = []
    add = found.append
    for _ in range(n):
        start = p + 1
        size = b[p]
        if size > 127:
            size, start = read_count(b, p)
        p = start + size
        add(b[start:p].decode())
    return tuple(found), p


def write_strings(w: Writing, items: Sequence[str]) -> None:
    """``String[]``."""
    if isinstance(items, str):
        raise Bad
    n = len(items)
    w.append(COUNT[n])
    if not n:
        return
    size = len(items[0])
    mark = _MARK[size]
    text = mark + mark.join(items)
    if text.isascii():
        # All strings have one length if the marks are exactly where that length puts them.
        step = size + 1
        if len(text) == n * step and text[::step] == mark * n and text.count(mark) == n:
            w.append(text.encode("ascii"))
            return
        plain = items
    elif len(text) > max(n * _SHORT, _FEW):
        texts = [item.encode() for item in items]
        w += [part for data in texts for part in (COUNT[len(data)], data)]
        return
    else:
        # Non-ASCII text becomes one character per byte.
        plain = [s if s.isascii() else s.encode().decode("latin-1") for s in items]
    parts = [""] * (2 * n)
    parts[0::2] = [_MARK[len(s)] for s in plain]
    parts[1::2] = plain
    w.append("".join(parts).encode("latin-1"))


# Arrays of primitives


def _numbers(code: str, size: int) -> Callable[[bytes, int], tuple[Array[Any], int]]:
    """The reader of an array of numbers, which are read in bulk (BIN-7)."""

    def read(b: bytes, p: int) -> tuple[Array[Any], int]:
        n = b[p]
        p += 1
        if n > 127:
            n, p = read_count(b, p - 1)
        q = p + n * size
        if q > len(b):
            raise Bad
        numbers: array[Any] = array(code)
        numbers.frombytes(b[p:q] if q - p <= SMALL else memoryview(b)[p:q])
        if LITTLE:
            numbers.byteswap()
        return wrap(memoryview(numbers).toreadonly()), q

    return read


read_shorts: Callable[[bytes, int], tuple[Array[int], int]] = _numbers("h", 2)
read_ints: Callable[[bytes, int], tuple[Array[int], int]] = _numbers("i", 4)
read_longs: Callable[[bytes, int], tuple[Array[int], int]] = _numbers("q", 8)
read_floats: Callable[[bytes, int], tuple[Array[float], int]] = _numbers("f", 4)
read_doubles: Callable[[bytes, int], tuple[Array[float], int]] = _numbers("d", 8)


def read_booleans(b: bytes, p: int) -> tuple[Array[bool], int]:
    """``boolean[]``."""
    n, p = read_count(b, p)
    q = p + n
    data = b[p:q]
    if len(data) != n or data.translate(None, b"\0\1"):
        raise Bad
    return wrap(cast("Any", memoryview(data).cast("?"))), q


def read_chars(b: bytes, p: int) -> tuple[str, int]:
    """``char[]``, as a string of UTF-16 code units."""
    n, p = read_count(b, p)
    q = p + 2 * n
    if q > len(b):
        raise Bad
    data = b[p:q]
    text = data.decode("utf-16-be", "surrogatepass") if _units_pair_up(data) else ""
    if len(text) != n:
        # Surrogates stay two code units.
        units = array("H", data)
        if LITTLE:
            units.byteswap()
        text = "".join(map(chr, units))
    return text, q


def _units_pair_up(data: bytes) -> bool:
    """Whether no code unit can be a surrogate, judging by the high bytes."""
    return not data[::2].translate(None, _NOT_SURROGATES)


_NOT_SURROGATES: Final = bytes(n for n in range(256) if not 0xD8 <= n < 0xE0)


def write_array(w: Writing, numbers: Array[Any]) -> None:
    """An array of numbers, or of booleans."""
    view = numbers.view
    code = view.format
    if code == "?":
        w += (COUNT[len(view)], view.cast("B"))
    else:
        # A small copy is cheaper than a view.
        small = view.nbytes <= SMALL
        swapped: array[Any] = array(code)
        swapped.frombytes(view.tobytes() if small else view.cast("B"))
        if LITTLE:
            swapped.byteswap()
        w += (COUNT[len(view)], swapped.tobytes() if small else memoryview(swapped).cast("B"))


def write_chars(w: Writing, text: str) -> None:
    """``char[]``."""
    data = text.encode("utf-16-be", "surrogatepass")
    if len(data) != 2 * len(text):
        raise Bad
    w += (COUNT[len(text)], data)


# Conversion of constructor arguments to stored values


def _array_of(typecode: str) -> Callable[[Any, str], Array[Any]]:
    """The conversion of an argument to an array of primitives."""

    def held(numbers: Any, place: str) -> Array[Any]:
        if numbers.__class__ is Array and numbers.view.format == typecode:
            found: Array[Any] = numbers
            return found
        return to_array(typecode, numbers, place)

    return held


booleans: Callable[[Any, str], Array[bool]] = _array_of("?")
shorts: Callable[[Any, str], Array[int]] = _array_of("h")
ints: Callable[[Any, str], Array[int]] = _array_of("i")
longs: Callable[[Any, str], Array[int]] = _array_of("q")
floats: Callable[[Any, str], Array[float]] = _array_of("f")
doubles: Callable[[Any, str], Array[float]] = _array_of("d")


def chars(units: Any, place: str) -> str:
    """``char[]``: a string of UTF-16 code units."""
    if not isinstance(units, str):
        try:
            parts = list(units)
            text = "".join(parts)
        except TypeError:
            raise invalid_value("a sequence of characters is expected", place) from None
        if len(text) != len(parts):
            raise invalid_value("an item is not one character", place)
        units = text
    if units and max(units) > "\uffff":
        raise invalid_value("a character above U+FFFF is two code units", place)
    return cast("str", units)


def blob(data: Any, place: str) -> bytes:
    """``byte[]``: anything with bytes."""
    if type(data) is bytes:
        return data
    try:
        return memoryview(data).tobytes()
    except TypeError:
        raise invalid_value(f"bytes are expected, not {type(data).__name__}", place) from None


def decimal(value: Decimal | int) -> Decimal:
    """``Decimal``, from whole numbers too. Other types are refused when they are written."""
    kind: object = type(value)
    if kind is int or (kind is not bool and isinstance(value, int)):
        return Decimal(value)
    return cast("Decimal", value)


def items(
    values: Iterable[Any], place: str, held: Callable[[Any], Any] | None = None
) -> tuple[Any, ...]:
    """An array of any other type; ``held`` converts an item."""
    kind: object = type(values)
    if kind is tuple and held is None:
        return cast("tuple[Any, ...]", values)
    if kind is str or kind is bytes:
        raise invalid_value(f"an array is expected, not {type(values).__name__}", place)
    try:
        return tuple(values) if held is None else tuple([held(value) for value in values])
    except TypeError:
        raise invalid_value(f"an array is expected, not {type(values).__name__}", place) from None


def decimals(values: Iterable[Decimal | int], place: str) -> tuple[Decimal, ...]:
    """``Decimal[]``, from whole numbers too."""
    made = items(values, place)
    return made if set(map(type, made)) <= {Decimal} else tuple(map(decimal, made))


def entries(
    values: Mapping[_K, Any], place: str, held: Callable[[Any], Any] | None = None
) -> Mapping[_K, Any]:
    """A read-only map in the same order; ``held`` converts a value."""
    kind: object = type(values)
    if kind is MappingProxyType and held is None:
        return values
    try:
        if held is None:
            return MappingProxyType(dict(values))
        return MappingProxyType({key: held(value) for key, value in values.items()})
    except (AttributeError, TypeError, ValueError):
        raise invalid_value(f"a map is expected, not {type(values).__name__}", place) from None
