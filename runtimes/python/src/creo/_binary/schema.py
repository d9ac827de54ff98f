"""Descriptions of types, to which the codecs of generated code are attached.

The codecs are straight-line code and do not use the descriptions. When one fails, the description
is compared with the value or bytes to find the failure.
"""

from __future__ import annotations

import importlib
import os
import warnings
from collections.abc import Mapping
from types import FunctionType
from typing import TYPE_CHECKING, Any, Callable, Final, Generic, Protocol, TypeVar

from .._base import DEFAULT_LIMITS, CreoError, Limits, module_of, too_large
from . import FAILURES, Reading, Writing, reading, writing

if TYPE_CHECKING:
    from typing_extensions import Buffer

T = TypeVar("T")


#: The accelerator's interface number that this runtime requires.
_ACCELERATOR_INTERFACE: Final = 6


def _accelerator() -> Any:
    """The module ``creo_accelerator``, if it is installed and compatible.

    ``CREO_ACCELERATOR=0`` disables it; ``1`` requires it.

    :raises ImportError: if it is required and missing.
    """
    wanted = os.environ.get("CREO_ACCELERATOR", "")
    if wanted == "0":
        return None
    try:
        found = importlib.import_module("creo_accelerator")
    except ImportError:
        if wanted == "1":
            raise
        return None
    number = getattr(found, "INTERFACE", None)
    if number == _ACCELERATOR_INTERFACE:
        return found
    problem = (
        f"creo-accelerator has interface {number}, and the runtime works with "
        f"{_ACCELERATOR_INTERFACE}: install the version of the runtime"
    )
    if wanted == "1":
        raise ImportError(problem)
    warnings.warn(f"{problem}; values are read and written in Python", RuntimeWarning, stacklevel=2)
    return None


ACCELERATOR: Final = _accelerator()
#: Whether C makes, reads and writes values of the binary wire, JSON and XML, and reads tables.
ACCELERATED: Final = ACCELERATOR is not None


class Fast(Protocol):
    """The codec of a type in C.

    It returns ``NotImplemented`` for anything wrong, too large or unusual: the codec in Python then
    does the same work and finds the error.
    """

    def decode(self, body: bytes, limits: Limits, /) -> Any: ...
    def encode(self, value: Any, limits: Limits, /) -> Any: ...


class Later:
    """Makes the codec of a type in C on first use."""

    __slots__ = ("_made", "_type")

    def __init__(self, type_: Callable[[], Type]) -> None:
        self._type = type_
        self._made: Fast | None = None

    def made(self) -> Fast:
        """The codec."""
        found = self._made
        if found is None:
            from .accelerator import codec_of

            found = self._made = codec_of(self._type())
        return found

    def decode(self, body: bytes, limits: Limits, /) -> Any:
        """Decodes, as the codec does."""
        return self.made().decode(body, limits)

    def encode(self, value: Any, limits: Limits, /) -> Any:
        """Encodes, as the codec does."""
        return self.made().encode(value, limits)


def later(type_: Callable[[], Type]) -> Fast | None:
    """The codec of a type in C; None without the accelerator."""
    return Later(type_) if ACCELERATED else None


def _construct_in_c(cls: type, type_: NamedType[Any], member: int = -1) -> None:
    """Puts a constructor in C in place of a generated ``__init__``; exceptions keep theirs."""
    function = cls.__dict__.get("__init__")
    if not ACCELERATED or "__slots__" not in cls.__dict__ or not isinstance(function, FunctionType):
        return

    def later() -> object:
        from .accelerator import arguments_of

        return arguments_of(function, type_, member)

    setattr(cls, "__init__", ACCELERATOR.constructor(function, later))  # noqa: B010 - not a method


class Type:
    """A type of the description language."""

    __slots__ = ("least",)

    def __init__(self, least: int) -> None:
        self.least = least
        """The min size of a value on the binary wire (MODEL-21)."""


class Scalar(Type):
    """A primitive; ``code`` is its ``struct`` code, empty if the size is not fixed."""

    __slots__ = ("code", "word")

    def __init__(self, word: str, code: str, least: int) -> None:
        super().__init__(least)
        self.word = word
        self.code = code


BOOLEAN: Final = Scalar("boolean", "?", 1)
BYTE: Final = Scalar("byte", "b", 1)
SHORT: Final = Scalar("short", "h", 2)
CHAR: Final = Scalar("char", "H", 2)
INT: Final = Scalar("int", "i", 4)
LONG: Final = Scalar("long", "q", 8)
FLOAT: Final = Scalar("float", "f", 4)
DOUBLE: Final = Scalar("double", "d", 8)
STRING: Final = Scalar("String", "", 1)
DATE_TIME: Final = Scalar("DateTime", "", 12)
DECIMAL: Final = Scalar("Decimal", "", 2)
BYTES: Final = Scalar("byte[]", "", 1)


class ArrayType(Type):
    """``T[]``, other than ``byte[]``; each item has its charge (LIM-18)."""

    __slots__ = ("charge", "item")

    def __init__(self, item: Type, charge: int = 0) -> None:
        super().__init__(1)
        self.item = item
        self.charge = charge


class OptionalType(Type):
    """``T?``; a present value has its charge."""

    __slots__ = ("charge", "item")

    def __init__(self, item: Type, charge: int) -> None:
        super().__init__(1)
        self.item = item
        self.charge = charge


class MapType(Type):
    """``Map<K, V>``; each entry has its charge."""

    __slots__ = ("charge", "key", "value")

    def __init__(self, key: Type, value: Type, charge: int) -> None:
        super().__init__(1)
        self.key = key
        self.value = value
        self.charge = charge


class Field:
    """A field, member or parameter: its declared name, its attribute's name, and its type."""

    __slots__ = ("attribute", "may_miss", "name", "type")

    def __init__(self, name: str, attribute: str, type_: Type, may_miss: bool = False) -> None:
        self.name = name
        self.attribute = attribute
        self.type = type_
        self.may_miss = may_miss
        """Whether a reader of an extensible type has a value if the bytes end before the field."""


class Parameters(Type):
    """The parameters of a method: a body like the fields of a struct; its value is a tuple."""

    __slots__ = ("fields",)

    def __init__(self, *fields: Field) -> None:
        super().__init__(0)
        self.fields = fields


class NamedType(Type, Generic[T]):
    """A type of a description, with its codec."""

    __slots__ = ("cls", "extensible", "fast", "name", "read", "recursive", "text", "write")

    def __init__(
        self,
        name: str,
        cls: Any,
        read: Callable[[bytes, int, Reading], tuple[T, int]],
        write: Callable[[Writing, T], None],
        *,
        least: int,
        extensible: bool = False,
        recursive: bool = False,
    ) -> None:
        super().__init__(least)
        self.name = name
        self.cls = cls
        self.read = read
        self.write = write
        self.extensible = extensible
        self.recursive = recursive
        self.text: object = None
        """The text wires' description of it; set on first use."""
        self.fast: Fast | None = later(lambda: self)

    def to_xml(self, value: T, limits: Limits = DEFAULT_LIMITS) -> bytes:
        """Writes a value as a standalone XML document in UTF-8."""
        data: bytes = module_of("_xml").write_xml(self, value, limits)
        return data

    def from_xml(self, data: Buffer | str, limits: Limits = DEFAULT_LIMITS) -> T:
        """Reads an XML document that consists of a value."""
        value: T = module_of("_xml").read_xml(self, as_bytes(data), limits)
        return value

    def to_json(self, value: T, limits: Limits = DEFAULT_LIMITS) -> bytes:
        """Writes a value as JSON in UTF-8."""
        data: bytes = module_of("_json").write_json(self, value, limits)
        return data

    def from_json(self, data: Buffer | str, limits: Limits = DEFAULT_LIMITS) -> T:
        """Reads a JSON document that consists of a value."""
        value: T = module_of("_json").read_json(self, as_bytes(data), limits)
        return value

    def to_tdxml(
        self,
        value: T,
        limits: Limits = DEFAULT_LIMITS,
        *,
        scheme: str = "record",
        schema: bool = False,
    ) -> bytes:
        """Writes a value as a table in UTF-8: ``scheme`` is ``"record"`` or ``"aggregated"``."""
        data: bytes = module_of("_tdxml").write_tdxml(self, value, limits, scheme, schema)
        return data

    def from_tdxml(self, data: Buffer | str, limits: Limits = DEFAULT_LIMITS) -> T:
        """Reads a table of either scheme that consists of a value."""
        value: T = module_of("_tdxml").read_tdxml(self, as_bytes(data), limits)
        return value

    def from_bytes(self, data: Buffer, limits: Limits = DEFAULT_LIMITS) -> T:
        """Reads a value from bytes without anything else."""
        body = data if isinstance(data, bytes) else memoryview(data).tobytes()
        fast = self.fast
        if fast is not None:
            found = fast.decode(body, limits)
            if found is not NotImplemented:
                made: T = found
                return made
        size = len(body)
        if size <= limits.max_body:
            try:
                r = Reading()
                r.limits = limits
                r.memory = limits.memory - size
                value, end = self.read(body, 0, r)
                if end == size:
                    return value
            except FAILURES:
                pass
        # Decodes again to find the error.
        return decode(self.read, self, body, limits, "$")

    def to_bytes(self, value: T, limits: Limits = DEFAULT_LIMITS) -> bytes:
        """Writes a value."""
        fast = self.fast
        if fast is not None:
            data = fast.encode(value, limits)
            if data is not NotImplemented:
                made: bytes = data
                return made
        parts = Writing()
        parts.depth = limits.max_depth
        try:
            self.write(parts, value)
            body = b"".join(parts)
        except FAILURES as failure:
            problem = failure
        else:
            if len(body) > limits.max_message_size:
                check_size(len(body), limits)
            return body
        raise _explained(self, value, limits, "$") from problem


def as_bytes(data: Buffer | str) -> bytes:
    """A document as UTF-8; invalid text stays invalid."""
    if isinstance(data, str):
        return data.encode("utf-8", "surrogatepass")
    return data if isinstance(data, bytes) else memoryview(data).tobytes()


class StructType(NamedType[T]):
    """A struct or exception."""

    __slots__ = ("_fields",)

    def __init__(
        self,
        name: str,
        cls: type[T],
        read: Callable[[bytes, int, Reading], tuple[T, int]],
        write: Callable[[Writing, T], None],
        fields: Callable[[], tuple[Field, ...]],
        *,
        least: int,
        extensible: bool = False,
        recursive: bool = False,
    ) -> None:
        super().__init__(
            name, cls, read, write, least=least, extensible=extensible, recursive=recursive
        )
        self._fields = fields
        setattr(cls, "_creo_type", self)  # noqa: B010 - the class is of any kind
        _construct_in_c(cls, self)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields, in declared order."""
        return self._fields()


class EnumType(NamedType[T]):
    """An enum; ``constants`` are the declared names by number."""

    __slots__ = ("constants",)

    def __init__(
        self,
        name: str,
        cls: type[T],
        read: Callable[[bytes, int, Reading], tuple[T, int]],
        write: Callable[[Writing, T], None],
        constants: Mapping[int, str],
        *,
        least: int = 1,
        extensible: bool = False,
    ) -> None:
        super().__init__(name, cls, read, write, least=least, extensible=extensible)
        self.constants = constants
        setattr(cls, "_creo_type", self)  # noqa: B010 - the class is of any kind


class UnionType(NamedType[T]):
    """A union; each member has its own class and charge (LIM-18)."""

    __slots__ = ("_members", "charges", "classes")

    def __init__(
        self,
        name: str,
        read: Callable[[bytes, int, Reading], tuple[T, int]],
        write: Callable[[Writing, T], None],
        classes: tuple[type, ...],
        members: Callable[[], tuple[Field, ...]],
        *,
        least: int,
        charges: tuple[int, ...],
        extensible: bool = False,
        recursive: bool = False,
    ) -> None:
        super().__init__(
            name, classes, read, write, least=least, extensible=extensible, recursive=recursive
        )
        self.classes = classes
        self.charges = charges
        self._members = members
        for member, cls in enumerate(classes):
            setattr(cls, "_creo_type", self)  # noqa: B010 - the class is of any kind
            _construct_in_c(cls, self, member)

    @property
    def members(self) -> tuple[Field, ...]:
        """The members, in declared order; the class of each is in ``classes``."""
        return self._members()


def decode(
    read: Callable[[bytes, int, Reading], tuple[T, int]],
    type_: Type,
    body: bytes,
    limits: Limits,
    root: str,
) -> T:
    """Reads a whole body; failures become a ``CreoError`` with the path."""
    if len(body) > limits.max_message_size:
        check_size(len(body), limits)
    try:
        value, end = read(body, 0, reading(limits, len(body)))
    except FAILURES as failure:
        problem: Exception | None = failure
    else:
        problem = None
        if end == len(body) <= limits.memory:
            return value
    from .explain import explain_bytes

    raise explain_bytes(type_, body, limits, root) from problem


def encode(
    write: Callable[[Writing, T], None],
    type_: Callable[[], Type],
    value: T,
    limits: Limits,
    root: str = "$",
) -> Writing:
    """Writes a body in parts; an invalid value becomes a ``CreoError`` with the path."""
    parts = writing(limits.max_depth)
    try:
        write(parts, value)
    except FAILURES as failure:
        problem = failure
    else:
        check_size(sum(map(len, parts)), limits)
        return parts
    raise _explained(type_(), value, limits, root) from problem


def _explained(type_: Type, value: object, limits: Limits, root: str) -> CreoError:
    from .explain import explain_value

    return explain_value(type_, value, limits, root)


def check_size(size: int, limits: Limits) -> None:
    """Enforces LIM-1."""
    if size > limits.max_message_size:
        raise too_large(
            "maxMessageSize",
            limits.max_message_size,
            f"a body of {size} bytes is larger than the {limits.max_message_size} allowed",
        )
