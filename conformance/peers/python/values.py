"""Values as JSON (``spec/values.md``), by reflection on the descriptions that codecs carry."""

from __future__ import annotations

import base64
import importlib
import math
import struct
from pathlib import Path
from typing import Any

import creo
from creo._binary import decimal_text
from creo._binary.schema import (
    ArrayType,
    EnumType,
    MapType,
    NamedType,
    OptionalType,
    Scalar,
    StructType,
    Type,
    UnionType,
)

_SAFE = (1 << 53) - 1


def all_types() -> dict[str, NamedType[Any]]:
    """The types of every package that was generated beside the runtime, by full name."""
    root = Path(creo.__file__).parent.parent
    found: dict[str, NamedType[Any]] = {}
    for path in sorted(root.rglob("creo_binary.py")):
        module = importlib.import_module(".".join(path.relative_to(root).with_suffix("").parts))
        for value in vars(module).values():
            if isinstance(value, NamedType):
                found[value.name] = value
    return found


def to_json(type_: Type, value: Any) -> Any:
    """A value as ``json.dumps`` writes it."""
    if isinstance(type_, Scalar):
        return _scalar(type_.word, value)
    if isinstance(type_, ArrayType):
        return [to_json(type_.item, item) for item in value]
    if isinstance(type_, OptionalType):
        return None if value is None else to_json(type_.item, value)
    if isinstance(type_, MapType):
        return {_key(type_.key, key): to_json(type_.value, item) for key, item in value.items()}
    if isinstance(type_, EnumType):
        return type_.constants.get(value.value, value.value)
    if isinstance(type_, UnionType):
        if isinstance(value, creo.UnknownMember):
            return {f"#{value.index}": base64.b64encode(value.data).decode()}
        index = type_.classes.index(type(value))
        member = type_.members[index]
        return {member.name: to_json(member.type, value.value)}
    if isinstance(type_, StructType):
        made = {
            field.name: to_json(field.type, getattr(value, field.attribute))
            for field in type_.fields
        }
        optional = {f.name for f in type_.fields if isinstance(f.type, OptionalType)}
        return {
            name: item for name, item in made.items() if item is not None or name not in optional
        }
    raise TypeError(f"not a type: {type_!r}")


def _key(type_: Type, key: Any) -> str:
    written = to_json(type_, key)
    if isinstance(written, bool):
        return "true" if written else "false"
    return str(written)


def _scalar(word: str, value: Any) -> Any:
    if word == "long":
        return value if -_SAFE <= value <= _SAFE else str(value)
    if word in ("float", "double"):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        return _shortest(value) if word == "float" else value
    if word == "char":
        return ord(value) if "\ud800" <= value <= "\udfff" else value
    if word == "byte[]":
        return base64.b64encode(value).decode()
    if word == "DateTime":
        return str(value)
    if word == "Decimal":
        return decimal_text(value)
    return value


def _shortest(value: float) -> float:
    """The shortest number that reads back as the same binary32."""
    for digits in range(1, 10):
        short = float(f"{value:.{digits}g}")
        try:
            if struct.unpack("f", struct.pack("f", short))[0] == value:
                return short
        except OverflowError:
            continue
    return value
