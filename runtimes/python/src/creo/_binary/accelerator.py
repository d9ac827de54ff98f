"""Codecs in C, made from the descriptions of types; only with the accelerator.

They do the same as generated code, or give up and leave it to generated code.
"""

from __future__ import annotations

import functools
import struct
from decimal import Decimal
from types import FunctionType, MappingProxyType
from typing import Any, cast

from .._base import DEFAULT_LIMITS, module_of
from .._base.instant import DateTime
from .._buffer import Array, to_array
from . import decimal_text
from .schema import (
    ACCELERATOR,
    ArrayType,
    EnumType,
    Fast,
    Later,
    MapType,
    NamedType,
    OptionalType,
    Parameters,
    Scalar,
    StructType,
    Type,
    UnionType,
)
from .values import DeclaredError, ExtensibleEnum, UnknownMember


class _Runtime:
    """What the accelerator gets from this copy of the runtime."""

    date_time = DateTime
    unknown_member = UnknownMember
    array = Array
    extensible_enum = ExtensibleEnum
    decimal = Decimal
    decimal_text = staticmethod(decimal_text)
    to_array = staticmethod(to_array)
    pack_float = struct.Struct(">f").pack
    unpack_float = struct.Struct(">f").unpack
    mapping_proxy = MappingProxyType
    default_limits = DEFAULT_LIMITS


@functools.cache
def _context() -> Any:
    return ACCELERATOR.context(_Runtime)


def new_node(
    kind: str,
    type_: object = None,
    *,
    item: Fast | None = None,
    key: Fast | None = None,
    least: int = 0,
    charge: int = 0,
    recursive: bool = False,
    extensible: bool = False,
    code: str = "",
    block: object = None,
    size: int = 0,
    columns: tuple[tuple[str, int, bytes], ...] = (),
    constants: dict[int, object] | None = None,
) -> Any:
    """Makes a node of the accelerator."""
    return ACCELERATOR.node(
        _context(), kind, type_, item, key, least, charge, recursive, extensible, code, block, size,
        columns, constants or {},
    )  # fmt: skip


def codec_of(type_: Type) -> Fast:
    """The codec of a type."""
    if isinstance(type_, NamedType):
        return _named(cast("Any", type_))
    made: Fast = _parameters(type_) if isinstance(type_, Parameters) else _value(type_)
    return made


def _value(type_: Type) -> Any:
    if isinstance(type_, Scalar):
        return new_node("bytes" if type_.word == "byte[]" else type_.word)
    if isinstance(type_, ArrayType):
        return _array(type_)
    if isinstance(type_, OptionalType):
        return new_node("optional", item=codec_of(type_.item), charge=type_.charge)
    if isinstance(type_, MapType):
        key, value = codec_of(type_.key), codec_of(type_.value)
        least = type_.key.least + type_.value.least
        return new_node("map", item=value, key=key, least=least, charge=type_.charge)
    raise TypeError(f"not a type of a description: {type_!r}")


def _array(type_: ArrayType) -> Any:
    item = type_.item
    if isinstance(item, Scalar) and item.code:
        # These are not charged on the binary wire, since they are limited by their bytes.
        if item.word == "char":
            return new_node("chars", item=codec_of(item), charge=item.least)
        return new_node("numbers", code=item.code, charge=item.least)
    if isinstance(item, StructType) and hasattr(cast("Any", item).cls, "_creo_block"):
        return structs(codec_of(cast("Any", item)), type_.charge, cast("Any", item).cls._creo_block)
    return new_node("array", item=codec_of(type_.item), least=item.least, charge=type_.charge)


def structs(item: Fast, charge: int, block: Any) -> Any:
    """An array of fixed-size structs, which is a view of their bytes."""
    columns = tuple(
        (column.kind, column.offset, bytes(column.numbers))
        for column in block.columns.values()
        if column.kind in "?ESN"
    )
    return new_node(
        "structs",
        module_of("_columns").StructArray,
        item=item,
        charge=charge,
        block=block,
        size=block.size,
        columns=columns,
    )


def arguments_of(function: FunctionType, type_: NamedType[Any], member: int) -> object:
    """What a constructor in C needs: the codec of the class or its union, the index in the union or
    -1, the number of positional arguments, the defaults. None if C cannot make such objects."""
    try:
        node = codec_of(type_)
    except Exception:
        return None
    code = function.__code__
    names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    fields = type_.fields if isinstance(type_, StructType) else ()
    if type_.fast is None or names != (tuple(f.attribute for f in fields) or ("value",)):
        return None
    positional = code.co_argcount - 1
    defaults = dict(zip(names[:positional][::-1], (function.__defaults__ or ())[::-1]))
    return node, member, positional, {**defaults, **(function.__kwdefaults__ or {})}


def _parameters(type_: Parameters) -> Any:
    made = new_node("parameters")
    made.fill(tuple((codec_of(f.type), f.attribute, False, None, 0) for f in type_.fields), False)
    return made


def _named(type_: NamedType[Any]) -> Fast:
    """The codec of a named type, stored in it at once: types may be recursive."""
    if type_.fast is not None and not isinstance(type_.fast, Later):
        return type_.fast
    if isinstance(type_, EnumType):
        cls = type_.cls
        constants = {number: cls(number) for number in type_.constants}
        made: Fast = new_node("enum", cls, extensible=type_.extensible, constants=constants)
        type_.fast = made
        return made
    node: Any = new_node(
        "union" if isinstance(type_, UnionType) else "record",
        type_.cls,
        recursive=type_.recursive,
        extensible=type_.extensible,
    )
    type_.fast = node
    try:
        if isinstance(type_, UnionType):
            _fill_union(node, type_)
        elif isinstance(type_, StructType):
            _fill_struct(node, type_)
    except TypeError:
        # C cannot handle this class. A node without fields leaves everything to generated code.
        type_.fast = None
    except Exception:
        # The package is still being imported.
        type_.fast = Later(lambda: type_)
        raise
    found: Fast = node
    return found


def _fill_struct(node: Any, type_: StructType[Any]) -> None:
    cls = type_.cls
    # Exceptions have a dictionary and are created by their constructors.
    by_slots = not issubclass(cls, DeclaredError)
    if by_slots and cls.__new__ is not object.__new__:
        raise TypeError(f"{cls!r} makes its instances itself")
    fields = type_.fields
    node.fill(tuple((codec_of(f.type), f.attribute, f.may_miss, None, 0) for f in fields), by_slots)


def _fill_union(node: Any, type_: UnionType[Any]) -> None:
    rows = zip(type_.members, type_.classes, type_.charges)
    node.fill(
        tuple((codec_of(m.type), "value", False, cls, charge) for m, cls, charge in rows), False
    )
