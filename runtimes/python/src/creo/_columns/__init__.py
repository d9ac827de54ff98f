"""Arrays of fixed-size structs: views of the received bytes, read by column."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from operator import eq
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Final, Generic, TypeVar, cast, overload

from .._base import invalid_value
from .._base.instant import MAX_SECONDS, MIN_SECONDS
from .._binary import COUNT, FAILURES, SMALL, Bad, Writing, read_count
from .._binary.values import Struct
from .._buffer import LITTLE, Array, wrap
from .given import bad_item, has_columns, interleaved, joined

if TYPE_CHECKING:
    from typing_extensions import Self

    from .._binary import Part, Reading

T = TypeVar("T")

_PACKED_AT_ONCE: Final = 1_024
_SHOWN: Final = 8
_MAX_WITH_NANOSECONDS: Final = (1 << 63) // 1_000_000_000 - 1
#: Codes of columns: those of ``struct``, and three whose values are checked.
_STRUCT_CODES: Final = {"S": "q", "N": "I", "E": "B"}
_NUMPY: Final = {
    "?": "|b1", "b": "|i1", "E": "|u1", "h": ">i2", "H": ">u2", "i": ">i4", "N": ">u4",
    "q": ">i8", "S": ">i8", "f": ">f4", "d": ">f8",
}  # fmt: skip


class Column:
    """A scalar of a fixed-size struct.

    ``kind`` is the ``struct`` code, or ``S`` and ``N`` for the seconds and nanoseconds of an
    instant, or ``E`` for the number of an enum.
    """

    __slots__ = ("code", "kind", "numbers", "offset", "path", "size")

    def __init__(self, path: str, kind: str, numbers: bytes, offset: int) -> None:
        self.path = path
        self.kind = kind
        self.numbers = numbers
        self.code = _STRUCT_CODES.get(kind, kind)
        self.offset = offset
        self.size = struct.calcsize(f">{self.code}")

    def extract(self, data: Part, step: int) -> array[Any]:
        """This column of items with a stride of ``step`` bytes, in the native layout."""
        out = bytearray(len(data) // step * self.size)
        for i in range(self.size):
            at = self.size - 1 - i if LITTLE else i
            out[at :: self.size] = data[self.offset + i :: step]
        return array("B" if self.code == "?" else self.code, bytes(out))

    def check(self, data: Part, step: int) -> None:
        """Fails unless this column's bytes are valid values."""
        if self.kind == "?" or self.kind == "E":
            if bytes(data[self.offset :: step]).translate(None, self.numbers):
                raise Bad
        elif self.kind == "S":
            seconds = self.extract(data, step)
            if min(seconds) < MIN_SECONDS or max(seconds) > MAX_SECONDS:
                raise Bad
        elif self.kind == "N" and max(self.extract(data, step)) >= 1_000_000_000:
            raise Bad


class Block(Generic[T]):
    """The layout of a fixed-size struct, and its conversion to and from items."""

    __slots__ = ("cls", "columns", "flatten", "format", "make", "packers", "size")

    def __init__(
        self,
        cls: type[T],
        make: Callable[[Iterable[tuple[Any, ...]]], Iterator[T]],
        flatten: Callable[[Sequence[T]], list[Any]],
        *columns: tuple[str, str] | tuple[str, str, bytes],
    ) -> None:
        """``columns`` are path, kind and, for an enum, its numbers; in wire order."""
        self.cls = cls
        self.make = make
        self.flatten = flatten
        self.packers: dict[int, struct.Struct] = {}
        self.columns: dict[str, Column] = {}
        offset = 0
        for path, kind, *numbers in columns:
            column = Column(path, kind, numbers[0] if numbers else b"\0\1", offset)
            self.columns[path] = column
            offset += column.size
        self.size = offset
        self.format = "".join(column.code for column in self.columns.values())
        setattr(cls, "_creo_block", self)  # noqa: B010 - the class is of any kind

    def packer(self, n: int) -> struct.Struct:
        """The packer of ``n`` items."""
        made = self.packers.get(n)
        if made is None:
            if len(self.packers) >= 64:
                self.packers.clear()
            made = self.packers[n] = struct.Struct(">" + self.format * n)
        return made

    def pack(self, values: Sequence[T]) -> list[bytes]:
        """The bytes of items, many of them in one call."""
        n = len(values)
        if n <= _PACKED_AT_ONCE:
            return [self.packer(n).pack(*self.flatten(values))]
        parts: list[bytes] = []
        for start in range(0, n, _PACKED_AT_ONCE):
            some = values[start : start + _PACKED_AT_ONCE]
            parts.append(self.packer(len(some)).pack(*self.flatten(some)))
        return parts

    def check(self, data: Part) -> None:
        """Fails unless every item's bytes are a valid value."""
        for column in self.columns.values():
            column.check(data, self.size)


class StructArray(Sequence[T]):
    """An immutable array of fixed-size structs.

    A received array is a view of the received bytes: items are created on access.
    ``column("position.x")`` is one field of all items; ``numpy.asarray(a)`` is a structured array
    that shares the bytes.
    """

    __slots__ = ("_block", "_data", "_items")

    _block: Block[T]
    _data: Part | None
    _items: tuple[T, ...] | None

    def __init__(self, block: Block[T], data: Part | None, items: tuple[T, ...] | None) -> None:
        """Made by ``to_struct_array`` and by readers, from either ``data`` or ``items``."""
        object.__setattr__(self, "_block", block)
        object.__setattr__(self, "_data", data)
        object.__setattr__(self, "_items", items)

    @property
    def item_type(self) -> type[T]:
        """The class of the items."""
        return self._block.cls

    @property
    def columns(self) -> tuple[str, ...]:
        """The paths for ``column``, in wire order."""
        return tuple(self._block.columns)

    def column(self, path: str) -> Array[Any]:
        """One field of all items, as a compact array of numbers.

        A field of a nested struct is named by its path, ``"position.x"``. Enums are their numbers;
        a ``DateTime`` has the columns ``.seconds`` and ``.nanoseconds``.
        """
        column = self._block.columns.get(path)
        if column is None:
            raise KeyError(f"no column {path!r}; there are {', '.join(self._block.columns)}")
        numbers = column.extract(self.packed(), self._block.size)
        if column.code == "?":
            return wrap(memoryview(numbers.tobytes()).cast("?"))
        return wrap(memoryview(numbers).toreadonly())

    def to_columns(self) -> dict[str, Array[Any]]:
        """All columns by their paths, each a compact array of numbers in native byte order."""
        return {path: self.column(path) for path in self._block.columns}

    def datetime64(self, path: str, unit: str = "ns") -> Any:
        """A ``DateTime`` field of all items, as ``numpy.datetime64`` in UTC.

        :raises OverflowError: if the unit is ``ns`` and an instant is outside the years 1678 to
            2261; the unit ``us`` covers all, truncated to microseconds.
        """
        numpy = import_module("numpy")
        seconds = numpy.asarray(self.column(f"{path}.seconds"))
        rest = numpy.asarray(self.column(f"{path}.nanoseconds"))
        if (
            unit == "ns"
            and len(seconds)
            and max(seconds.max(), -seconds.min()) > _MAX_WITH_NANOSECONDS
        ):
            raise OverflowError(f"datetime64[ns] does not hold all of {path!r}: take the unit us")
        return seconds.astype("M8[s]").astype(f"M8[{unit}]") + rest.astype("m8[ns]").astype(
            f"m8[{unit}]"
        )

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` with a column for each path; a ``DateTime`` is one column in UTC.

        :raises OverflowError: as ``datetime64`` does.
        """
        pandas = import_module("pandas")
        numpy = import_module("numpy")
        made: dict[str, Any] = {}
        for path, column in self._block.columns.items():
            if column.kind == "S":
                path = path.rpartition(".")[0]
                made[path] = pandas.DatetimeIndex(self.datetime64(path)).tz_localize("UTC")
            elif column.kind != "N":
                made[path] = numpy.asarray(self.column(path))
        return pandas.DataFrame(made)

    def packed(self) -> Part:
        """The items' bytes in wire form, one after the other.

        :raises CreoError: ``invalid-value``, if an item cannot be written.
        """
        if self._data is None:
            try:
                object.__setattr__(self, "_data", b"".join(self.parts()))
            except FAILURES:
                raise invalid_value("an item of this array cannot be written", "$") from None
        return cast("Part", self._data)

    def parts(self) -> Sequence[Part]:
        """The same in parts, as they are stored."""
        if self._data is not None:
            return (self._data,)
        return self._block.pack(cast("tuple[T, ...]", self._items))

    @property
    def __array_interface__(self) -> dict[str, Any]:
        data = self.packed()
        return {
            "version": 3,
            "shape": (len(self),),
            "typestr": f"|V{self._block.size}",
            "descr": _description(self._block),
            "data": memoryview(data),
        }

    def __len__(self) -> int:
        if self._items is not None:
            return len(self._items)
        return len(cast("Part", self._data)) // self._block.size

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> StructArray[T]: ...
    def __getitem__(self, index: int | slice) -> T | StructArray[T]:
        block = self._block
        if self._items is not None:
            if isinstance(index, slice):
                return StructArray(block, None, self._items[index])
            return self._items[index]
        data = cast("Part", self._data)
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step != 1:
                return StructArray(block, None, tuple(self[i] for i in range(start, stop, step)))
            return StructArray(
                block, data[start * block.size : max(start, stop) * block.size], None
            )
        n = len(self)
        at = index + n if index < 0 else index
        if not 0 <= at < n:
            raise IndexError(f"no item {index} in an array of {n}")
        return next(block.make((block.packer(1).unpack_from(data, at * block.size),)))

    def __iter__(self) -> Iterator[T]:
        if self._items is not None:
            return iter(self._items)
        return self._block.make(self._flat())

    def _flat(self) -> Iterator[tuple[Any, ...]]:
        return self._block.packer(1).iter_unpack(cast("Part", self._data))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, StructArray):
            others = cast("StructArray[Any]", cast("Any", other))
            if len(self) != len(others):
                return False
            if self._items is None and others._items is None and self._block is others._block:
                return all(map(eq, self._flat(), others._flat()))
            return all(map(eq, self, others))
        if isinstance(other, (list, tuple)):
            values = cast("Sequence[Any]", other)
            return len(self) == len(values) and all(map(eq, self, values))
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self[:_SHOWN]))
        more = f", ... {len(self)} items" if len(self) > _SHOWN else ""
        return f"StructArray([{shown}{more}])"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a StructArray is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a StructArray is immutable")

    def __copy__(self) -> StructArray[T]:
        return self

    def __deepcopy__(self, memo: object) -> StructArray[T]:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (list(self),)


def _description(block: Block[Any]) -> list[Any]:
    """NumPy's description of the columns; a nested struct is a nested dtype."""
    tree: dict[str, Any] = {}
    for path, column in block.columns.items():
        *parents, name = path.split(".")
        level = tree
        for parent in parents:
            level = level.setdefault(parent, {})
        level[name] = _NUMPY[column.kind]
    return _nested(tree)


def _nested(tree: dict[str, Any]) -> list[Any]:
    return [(name, part if isinstance(part, str) else _nested(part)) for name, part in tree.items()]


def structs(values: Any, place: str, cls: type[T]) -> StructArray[T]:
    """Converts a constructor argument to an array of fixed-size structs."""
    if isinstance(values, StructArray):
        found = cast("StructArray[Any]", cast("Any", values))
        if found.item_type is not cls:
            message = f"an array of {cls.__name__} is expected, not of {found.item_type.__name__}"
            raise invalid_value(message, place)
        return found
    if has_columns(values):
        return of_columns(cls, values, place)
    try:
        made = tuple(values)
    except TypeError:
        raise invalid_value(f"an array is expected, not {type(values).__name__}", place) from None
    return StructArray(cast("Any", cls)._creo_block, None, made)


class FixedStruct(Struct):
    """A generated fixed-size struct, arrays of which are read and made by column."""

    __slots__ = ()
    # Pyright would use this class's empty tuple as the type for its subclasses.
    __match_args__: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def from_columns(cls, columns: Any = None, /, **more: Any) -> StructArray[Self]:
        """Makes an array of this struct without an object for each item.

        ``columns`` is a mapping of names to numbers, a structured NumPy array, or a ``DataFrame``;
        keyword arguments are columns too. A field of a nested struct is named by its path,
        ``"position.x"``, or is in a nested mapping. Numbers are those of ``StructArray.column``;
        enums and chars are accepted as well, and a ``DateTime`` is one column of ``datetime64``,
        ``datetime`` or ``DateTime``.

        :raises CreoError: ``invalid-value`` with the path, if a column is missing, unknown, of
            another length, or has an invalid value.
        """
        if columns is None or more:
            columns = joined(columns, more)
        return of_columns(cls, columns, "$")


def of_columns(cls: type[T], columns: Any, place: str) -> StructArray[T]:
    """Makes an array of fixed-size structs from its columns, without an object for each item.

    :raises CreoError: ``invalid-value`` with the path.
    """
    block: Block[T] = cast("Any", cls)._creo_block
    if getattr(columns, "__array_interface__", {}).get("descr") == _description(block):
        data = columns.tobytes()
    else:
        data = interleaved(block.columns.values(), block.size, columns, place)
    made = StructArray(block, data, None)
    for column in block.columns.values() if data else ():
        try:
            column.check(data, block.size)
        except Bad:
            raise bad_item(column, made.column(column.path), place) from None
    return made


def read_structs(
    b: bytes, p: int, r: Reading, block: Block[T], charge: int
) -> tuple[StructArray[T], int]:
    """An array of fixed-size structs: only its size is checked."""
    n, p = read_count(b, p)
    q = p + n * block.size
    left = r.memory - n * charge
    if q > len(b) or left < 0:
        raise Bad
    r.memory = left
    data: Part = b[p:q] if q - p <= SMALL else memoryview(b)[p:q]
    return StructArray(block, data, None), q


def read_checked_structs(
    b: bytes, p: int, r: Reading, block: Block[T], charge: int
) -> tuple[StructArray[T], int]:
    """The same if some bit patterns are invalid."""
    found, p = read_structs(b, p, r, block, charge)
    if len(found):
        block.check(found.packed())
    return found, p


def write_structs(w: Writing, values: Sequence[T], block: Block[T]) -> None:
    """An array of fixed-size structs."""
    w.append(COUNT[len(values)])
    if isinstance(values, StructArray):
        w += values.parts()
    else:
        w += block.pack(values)
