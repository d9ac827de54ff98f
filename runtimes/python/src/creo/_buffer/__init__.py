"""Arrays of primitives: compact, immutable, and usable by NumPy without conversion."""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Iterator, Sequence
from operator import eq
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, Union, cast, overload

from .._base import CreoError, invalid_value

if TYPE_CHECKING:
    from typing_extensions import Buffer, TypeAlias

T_co = TypeVar("T_co", covariant=True)
_T = TypeVar("_T")

LITTLE: Final = sys.byteorder == "little"
_SHOWN: Final = 16
_SIZES: Final = {
    "?": 1, "b": 1, "B": 1, "h": 2, "H": 2, "i": 4, "I": 4, "q": 8, "f": 4, "d": 8,
}  # fmt: skip


class Array(Sequence[T_co]):
    """An immutable array of ``bool``, ``int`` or ``float`` in the machine's own layout.

    A sequence that equals a list or tuple of the same numbers and hashes as that tuple.
    ``numpy.asarray(a)`` and ``a.view`` share its memory read-only.

    Immutable means that no operation of an ``Array`` changes it. Its memory may be shared:
    ``a.view.obj`` is the underlying buffer, as with any ``memoryview``. Writing to that, or to a
    buffer that was passed in, changes the numbers and the hash.
    """

    __slots__ = ("view",)

    view: memoryview
    """The numbers as a read-only ``memoryview`` with the format of ``typecode``."""

    def __init__(self, typecode: str, numbers: Sequence[T_co] | Buffer | NumPyLike = ()) -> None:
        """Stores ``numbers``; a buffer of the right format is shared, anything else is copied.

        ``typecode`` is one of ``?`` (boolean), ``h`` (short), ``i`` (int), ``q`` (long), ``f``
        (float), ``d`` (double); or, for columns of structs, ``b`` (byte), ``B`` (number of an
        enum), ``H`` (char), ``I`` (nanoseconds). A buffer must not change after it was passed in.
        """
        if typecode not in _SIZES:
            raise ValueError(f"not a type code of an Array: {typecode!r}")
        object.__setattr__(self, "view", to_view(typecode, numbers, "$"))

    @property
    def typecode(self) -> str:
        """The type code, as in ``array.array`` (and ``?`` for booleans)."""
        return self.view.format

    def tolist(self) -> list[T_co]:
        """The numbers as a list."""
        return cast("list[T_co]", self.view.tolist())

    def tobytes(self) -> bytes:
        """The numbers' bytes, in native byte order."""
        return self.view.tobytes()

    @property
    def __array_interface__(self) -> dict[str, Any]:
        code = self.view.format
        order = "|" if _SIZES[code] == 1 else "<" if LITTLE else ">"
        kind = "b" if code == "?" else "f" if code in "fd" else "u" if code.isupper() else "i"
        return {
            "version": 3,
            "shape": (len(self.view),),
            "typestr": f"{order}{kind}{_SIZES[code]}",
            "data": self.view,
        }

    def __buffer__(self, flags: int) -> memoryview:
        return self.view

    def __len__(self) -> int:
        return len(self.view)

    @overload
    def __getitem__(self, index: int) -> T_co: ...
    @overload
    def __getitem__(self, index: slice) -> Array[T_co]: ...
    def __getitem__(self, index: int | slice) -> T_co | Array[T_co]:
        if isinstance(index, slice):
            part = self.view[index]
            return wrap(part if part.contiguous else _copy(part))
        return cast("T_co", self.view[index])

    def __iter__(self) -> Iterator[T_co]:
        return cast("Iterator[T_co]", iter(self.view))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Array):
            others = cast("Array[Any]", cast("Any", other))
            return self.view == others.view
        if isinstance(other, (list, tuple, array)):
            numbers = cast("Sequence[Any]", other)
            return len(numbers) == len(self.view) and all(map(eq, self.view, numbers))
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self.view))

    def __repr__(self) -> str:
        if len(self.view) <= _SHOWN:
            return f"Array({self.view.format!r}, {self.view.tolist()!r})"
        head = ", ".join(map(repr, self.view[: _SHOWN // 2].tolist()))
        return f"<Array {self.view.format!r} of {len(self.view)}: {head}, ...>"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an Array is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("an Array is immutable")

    def __copy__(self) -> Array[T_co]:
        return self

    def __deepcopy__(self, memo: object) -> Array[T_co]:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.view.format, self.view.tobytes())


class NumPyLike(Protocol):
    """A NumPy array, or one like it; for type checkers that do not know it as a buffer."""

    @property
    def __array_interface__(self) -> Any: ...


#: Accepted where an array of primitives is expected.
Booleans: TypeAlias = Union[Array[bool], Sequence[bool], "Buffer", NumPyLike]
Integers: TypeAlias = Union[Array[int], Sequence[int], "Buffer", NumPyLike]
Floats: TypeAlias = Union[Array[float], Sequence[float], "Buffer", NumPyLike]

_array: Any = Array
_new: Any = object.__new__
_set_view: Final = Array.__dict__["view"].__set__


def wrap(view: Any) -> Array[Any]:
    """An array over a read-only, contiguous view that already has the right format."""
    made: Array[Any] = _new(_array)
    _set_view(made, view)
    return made


def cast_bytes(data: Any, typecode: str) -> Any:
    """Views native-order bytes as numbers, without a copy."""
    return cast("Any", memoryview(data)).cast("B").cast(typecode)


def _restore(typecode: str, data: bytes) -> Array[Any]:
    return wrap(cast_bytes(data, typecode))


def _copy(view: memoryview) -> Any:
    return cast_bytes(view.tobytes(), view.format)


def to_array(typecode: str, numbers: Any, place: str) -> Array[Any]:
    """The numbers as an ``Array``.

    :raises CreoError: ``invalid-value`` with the path, if one is out of range.
    """
    return wrap(to_view(typecode, numbers, place))


def to_view(typecode: str, numbers: Any, place: str) -> Any:
    """The numbers as a read-only view with the format ``typecode``; shared where possible."""
    if type(numbers) is Array:
        numbers = numbers.view
    elif isinstance(numbers, (str, bytes, bytearray)):
        raise invalid_value(f"an array of numbers is expected, not {type(numbers).__name__}", place)
    if not isinstance(numbers, (list, tuple)):
        try:
            view = memoryview(numbers)
        except TypeError:
            numbers = _items(numbers, place)
        else:
            shared = _shared(typecode, view, place)
            if shared is not None:
                return shared
            numbers = view.tolist() if view.format[0] not in "<>!=" else _items(numbers, place)
    return _packed(typecode, cast("Sequence[Any]", numbers), place)


def _items(numbers: Any, place: str) -> list[Any]:
    try:
        return list(numbers)
    except TypeError:
        raise invalid_value(
            f"an array of numbers is expected, not {type(numbers).__name__}", place
        ) from None


def _shared(typecode: str, view: memoryview, place: str) -> Any:
    """The buffer itself, or its bytes in native order; None if its items have another type."""
    if view.ndim != 1:
        raise invalid_value(
            f"an array has one dimension, this one has {view.ndim}: pass its .ravel()", place
        )
    prefixed = view.format[0] in "@=<>!"
    order = view.format[0] if prefixed else "@"
    code = view.format[1:] if prefixed else view.format
    if code == "l":
        code = "q" if view.itemsize == 8 else "i"
    if code != typecode or view.itemsize != _SIZES[typecode]:
        return None
    if order == "@" and view.contiguous and code != "?":
        shared = view.toreadonly()
        return shared if view.format == code else cast_bytes(shared, code)
    data = view.tobytes()
    if code == "?":
        return None if data.translate(None, b"\0\1") else memoryview(data).cast("?")
    if order in "@=" or (order == "<") == LITTLE:
        return cast_bytes(data, code)
    swapped = array(code, data)
    swapped.byteswap()
    return memoryview(swapped).toreadonly()


_BOOLEANS: Final = {True: 1, False: 0}


def _packed(typecode: str, numbers: Sequence[Any], place: str) -> Any:
    """The numbers of any sequence, packed; each is checked."""
    try:
        if typecode == "?":
            flags = bytes([_BOOLEANS[flag] for flag in numbers])
            return memoryview(flags).cast("?")
        if typecode == "f":
            # array("f") silently turns too large numbers into infinity.
            floats = struct.pack(f"={len(numbers)}f", *numbers)
            return memoryview(floats).cast("f")
        return memoryview(array(typecode, numbers)).toreadonly()
    except (TypeError, ValueError, KeyError, OverflowError, struct.error):
        raise _wrong_item(typecode, numbers, place) from None


def _wrong_item(typecode: str, numbers: Sequence[Any], place: str) -> CreoError:
    for index, number in enumerate(numbers):
        problem = number_problem(typecode, number)
        if problem is not None:
            return invalid_value(problem, f"{place}[{index}]")
    return invalid_value("these numbers cannot be written", place)


_WORDS: Final = {
    "?": "boolean", "b": "byte", "B": "byte", "h": "short", "H": "char", "i": "int",
    "I": "unsigned int", "q": "long", "f": "float", "d": "double",
}  # fmt: skip


def number_problem(code: str, number: object) -> str | None:
    """Why a value cannot be written as the primitive with this type code; None if it can."""
    word = _WORDS[code]
    kind = type(number).__name__
    if code == "?":
        try:
            return None if number in _BOOLEANS else f"{number!r:.50} is not a boolean"
        except TypeError:
            return f"a boolean is expected, not {kind}"
    try:
        struct.pack(f">{code}", number)
    except OverflowError:
        return f"{number!r:.50} is beyond the range of {word}"
    except (struct.error, TypeError, ValueError):
        if hasattr(type(number), "__index__") and not isinstance(number, float):
            return f"{number!r:.50} is beyond the range of {word}"
        article = "an" if word == "int" else "a"
        return f"{article} {word} is expected, not {kind}"
    return None
