"""The base classes of generated structs, exceptions, union members and extensible enums."""

from __future__ import annotations

import enum
import functools
import warnings
from collections.abc import Iterator, Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Final, TypeVar, Union

from .._base import DEFAULT_LIMITS, CreoError, Limits, invalid_value
from . import COUNT, MAX_COUNT, u32

if TYPE_CHECKING:
    from typing_extensions import Buffer, Self, TypeAlias, dataclass_transform

    from .schema import NamedType
else:

    def dataclass_transform(**_: object) -> Callable[[type], type]:
        return lambda cls: cls


_T = TypeVar("_T")


class Same(enum.Enum):
    """The default of every parameter of ``replace``: the field is not changed."""

    SAME = "unchanged"

    def __repr__(self) -> str:
        return "..."


SAME: Final = Same.SAME

#: The type of a parameter of ``replace``.
Change: TypeAlias = Union[_T, Same]


class _Value:
    """Shared by structs, exceptions and union members: a codec and comparison by value."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()

    _creo_type: ClassVar[NamedType[Any]]
    _creo_key: ClassVar[Callable[[Any], Any]]
    #: The attributes whose values texts do not show.
    _creo_secret: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        names = cls.__match_args__
        # A Python function would be bound to its instance; an ``attrgetter`` is not.
        key: Any = attrgetter(*names) if names else staticmethod(_no_fields)
        cls._creo_key = key

    def to_bytes(self, *, limits: Limits = DEFAULT_LIMITS) -> bytes:
        """Encodes this value for the binary wire.

        :raises CreoError: ``invalid-value`` with the path, if it cannot be written.
        """
        return self._creo_type.to_bytes(self, limits)

    def to_xml(self, *, limits: Limits = DEFAULT_LIMITS) -> bytes:
        """Encodes this value as a standalone XML document in UTF-8.

        :raises CreoError: ``invalid-value`` with the path, if it cannot be written.
        """
        return self._creo_type.to_xml(self, limits)

    def to_json(self, *, limits: Limits = DEFAULT_LIMITS) -> bytes:
        """Encodes this value as JSON in UTF-8.

        :raises CreoError: ``invalid-value`` with the path, if it cannot be written.
        """
        return self._creo_type.to_json(self, limits)

    def to_tdxml(
        self, *, scheme: str = "record", schema: bool = False, limits: Limits = DEFAULT_LIMITS
    ) -> bytes:
        """Encodes this value as a table in UTF-8.

        ``scheme`` is ``"record"``, a row for each struct, or ``"aggregated"``, a row for each
        field; ``schema`` writes names and types before the table.

        :raises CreoError: ``invalid-value`` with the path, if it cannot be written.
        """
        return self._creo_type.to_tdxml(self, limits, scheme=scheme, schema=schema)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        key = type(self)._creo_key
        return bool(key(self) == key(other))

    def __hash__(self) -> int:
        return hash(tuple(_hashable(getattr(self, name)) for name in self.__match_args__))

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({self._creo_text()})"

    def _creo_text(self) -> str:
        secret = self._creo_secret
        return ", ".join(
            f"{name}=***" if name in secret else f"{name}={getattr(self, name)!r}"
            for name in self.__match_args__
        )


def _no_fields(value: object) -> tuple[()]:
    return ()


def _is(value: object, kind: type) -> bool:
    return type(value) is kind


def _hashable(value: Any) -> Any:
    """A hashable value in place of this one, since maps are not hashable."""
    if _is(value, MappingProxyType):
        return frozenset((key, _hashable(item)) for key, item in value.items())
    if _is(value, tuple):
        return tuple(_hashable(item) for item in value)
    return value


class _Frozen(_Value):
    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: use replace({name}=...)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        names = self.__match_args__
        return _rebuild, (type(self), {name: _plain(getattr(self, name)) for name in names})

    def __replace__(self, **changes: Any) -> Self:
        names = self.__match_args__
        given = {name: changes.pop(name, getattr(self, name)) for name in names}
        return type(self)(**given, **changes)


def _plain(value: Any) -> Any:
    """A value that can be pickled, since maps cannot."""
    if _is(value, MappingProxyType):
        return {key: _plain(item) for key, item in value.items()}
    if _is(value, tuple):
        return tuple(_plain(item) for item in value)
    return value


def _rebuild(cls: type[_T], fields: dict[str, Any]) -> _T:
    return cls(**fields)


@dataclass_transform(frozen_default=True)
class Struct(_Frozen):
    """A generated struct: immutable, with keyword arguments, compared and hashed by its fields."""

    __slots__ = ()

    @classmethod
    def from_bytes(cls, data: Buffer, *, limits: Limits = DEFAULT_LIMITS) -> Self:
        """Reads a value from the binary wire.

        :raises CreoError: ``malformed`` or ``too-large``, with path and offset.
        """
        value: Self = cls._creo_type.from_bytes(data, limits)
        return value

    @classmethod
    def from_xml(cls, data: Buffer | str, *, limits: Limits = DEFAULT_LIMITS) -> Self:
        """Reads a value from an XML document that consists of it.

        :raises CreoError: ``malformed`` or ``too-large``, with path and offset.
        """
        value: Self = cls._creo_type.from_xml(data, limits)
        return value

    @classmethod
    def from_json(cls, data: Buffer | str, *, limits: Limits = DEFAULT_LIMITS) -> Self:
        """Reads a value from a JSON document that consists of it.

        :raises CreoError: ``malformed`` or ``too-large``, with path and offset.
        """
        value: Self = cls._creo_type.from_json(data, limits)
        return value

    @classmethod
    def from_tdxml(cls, data: Buffer | str, *, limits: Limits = DEFAULT_LIMITS) -> Self:
        """Reads a value from a table of either scheme that consists of it.

        :raises CreoError: ``malformed`` or ``too-large``, with the path.
        """
        value: Self = cls._creo_type.from_tdxml(data, limits)
        return value


@dataclass_transform(frozen_default=True)
class UnionMember(_Frozen):
    """A member of a generated union, with its ``value``."""

    __slots__ = ()


class UnknownMember(_Frozen):
    """An unknown member of an extensible union: kept and written as it was read."""

    __slots__ = ("data", "index")
    __match_args__ = ("index", "data")

    index: int
    """The member's index in the newer description."""
    data: bytes
    """The bytes of its value."""

    def __init__(self, index: int, data: bytes) -> None:
        if not 0 <= index <= MAX_COUNT:
            raise ValueError(f"not the index of a member: {index}")
        object.__setattr__(self, "index", index)
        object.__setattr__(self, "data", data)

    def to_bytes(self, *, limits: Limits = DEFAULT_LIMITS) -> bytes:
        """This member in the bytes in which it was read."""
        return COUNT[self.index] + u32(len(self.data)) + self.data

    def to_xml(self, *, limits: Limits = DEFAULT_LIMITS) -> bytes:
        """Fails: a text wire cannot carry an unknown member (XML-25)."""
        raise self._not_carried()

    def to_json(self, *, limits: Limits = DEFAULT_LIMITS) -> bytes:
        """Fails: a text wire cannot carry an unknown member (JSON-3)."""
        raise self._not_carried()

    def to_tdxml(
        self, *, scheme: str = "record", schema: bool = False, limits: Limits = DEFAULT_LIMITS
    ) -> bytes:
        """Fails: a text wire cannot carry an unknown member (TDX-24)."""
        raise self._not_carried()

    def _not_carried(self) -> CreoError:
        message = f"this wire cannot carry member {self.index}, which this side does not know"
        return invalid_value(message, "$")


class DeclaredError(Exception, _Value):
    """A generated exception, declared by a method in its ``throws``."""

    def __init__(self, *fields: object) -> None:
        super().__init__(*fields)

    @classmethod
    def from_bytes(cls, data: Buffer, *, limits: Limits = DEFAULT_LIMITS) -> Self:
        """Reads a value from the binary wire.

        :raises CreoError: ``malformed`` or ``too-large``, with path and offset.
        """
        value: Self = cls._creo_type.from_bytes(data, limits)
        return value

    @classmethod
    def from_xml(cls, data: Buffer | str, *, limits: Limits = DEFAULT_LIMITS) -> Self:
        """Reads a value from an XML document that consists of it.

        :raises CreoError: ``malformed`` or ``too-large``, with path and offset.
        """
        value: Self = cls._creo_type.from_xml(data, limits)
        return value

    @classmethod
    def from_json(cls, data: Buffer | str, *, limits: Limits = DEFAULT_LIMITS) -> Self:
        """Reads a value from a JSON document that consists of it.

        :raises CreoError: ``malformed`` or ``too-large``, with path and offset.
        """
        value: Self = cls._creo_type.from_json(data, limits)
        return value

    @classmethod
    def from_tdxml(cls, data: Buffer | str, *, limits: Limits = DEFAULT_LIMITS) -> Self:
        """Reads a value from a table of either scheme that consists of it.

        :raises CreoError: ``malformed`` or ``too-large``, with the path.
        """
        value: Self = cls._creo_type.from_tdxml(data, limits)
        return value

    def __str__(self) -> str:
        return self._creo_text()

    def __repr__(self) -> str:
        return _Value.__repr__(self)

    def __eq__(self, other: object) -> bool:
        return _Value.__eq__(self, other)

    def __hash__(self) -> int:
        return _Value.__hash__(self)

    def __reduce__(self) -> tuple[Any, ...]:
        names = self.__match_args__
        return _rebuild, (type(self), {name: _plain(getattr(self, name)) for name in names})


class ExtensibleEnum:
    """A generated extensible enum; unknown numbers are kept.

    ``Quality(7)`` is the constant with that number, or an unknown one, whose ``name`` is ``None``.
    ``Quality.known()`` iterates over the declared constants.
    """

    __slots__ = ("name", "value")
    __match_args__ = ("value",)

    name: str | None
    """The constant's name; ``None`` for an unknown number."""
    value: int
    """The constant's number."""

    _creo_type: ClassVar[NamedType[Any]]
    _creo_known: ClassVar[dict[int, Any]] = {}

    def __init_subclass__(cls, constants: Mapping[str, int] | None = None) -> None:
        super().__init_subclass__()
        cls._creo_known = {}
        for name, number in (constants or {}).items():
            member = object.__new__(cls)
            object.__setattr__(member, "name", name)
            object.__setattr__(member, "value", number)
            cls._creo_known[number] = member
            setattr(cls, name, member)

    def __new__(cls, value: int) -> Self:
        known: Self | None = cls._creo_known.get(value)
        if known is not None:
            return known
        if isinstance(value, bool) or not 0 <= value < 1 << 31:
            raise ValueError(f"not a number of an enum: {value!r}")
        made = super().__new__(cls)
        object.__setattr__(made, "name", None)
        object.__setattr__(made, "value", value)
        return made

    @classmethod
    def known(cls) -> Iterator[Self]:
        """The declared constants, in declared order."""
        members: Iterator[Self] = iter(cls._creo_known.values())
        return members

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)) or type(other) is not type(self):
            return NotImplemented
        return self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self), self.value))

    def __repr__(self) -> str:
        cls = type(self).__qualname__
        return f"{cls}({self.value})" if self.name is None else f"{cls}.{self.name}"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.value,)


def opened(cls: type) -> Callable[[], Any]:
    """Makes objects like those of an immutable class, with fields that can still be set.

    Setting their ``__class__`` makes them instances of that class. For decoders, which create many
    objects from known values.
    """
    fields = {
        "__slots__": cls.__dict__["__match_args__"],
        "__setattr__": object.__setattr__,
        "__delattr__": object.__delattr__,
    }
    made: Callable[[], Any] = type(f"Open{cls.__name__}", cls.__bases__, fields)
    return made


def setters(cls: type) -> tuple[Callable[[object, Any], None], ...]:
    """The functions that set the fields of an immutable class, in the order of its arguments.

    Only for its ``__init__``; twice as fast as ``object.__setattr__``.
    """
    names: tuple[str, ...] = cls.__dict__["__match_args__"]
    return tuple(cls.__dict__[name].__set__ for name in names)


if TYPE_CHECKING:
    from typing_extensions import deprecated as deprecated
else:

    def deprecated(text: str) -> Callable[[_T], _T]:
        """Marks a method as deprecated: a call gives a warning (PEP 702)."""

        def mark(function: Any) -> Any:
            @functools.wraps(function)
            def warned(*args: Any, **kwargs: Any) -> Any:
                warnings.warn(text, DeprecationWarning, stacklevel=2)
                return function(*args, **kwargs)

            warned.__deprecated__ = text
            return warned

        return mark
