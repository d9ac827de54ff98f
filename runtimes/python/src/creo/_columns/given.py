"""Fixed-size structs from their columns: mappings, structured NumPy arrays, data frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Callable, Final, cast

from .._base import CreoError, invalid_value
from .._base.instant import MAX_SECONDS, MIN_SECONDS, DateTime
from .._buffer import LITTLE, to_view

if TYPE_CHECKING:
    from . import Column

_NOT_A_TIME: Final = -(1 << 63)


def has_columns(values: Any) -> bool:
    """Whether this is a mapping, a structured NumPy array or a data frame."""
    return isinstance(values, Mapping) or _names(values) is not None


def joined(columns: Any, more: Mapping[str, Any]) -> dict[str, Any]:
    """Combines columns from both kinds of arguments in one mapping."""
    names = () if columns is None else _names(columns)
    if names is None:
        raise invalid_value(f"columns are expected, not {type(columns).__name__}", "$")
    return {**{name: columns[name] for name in names}, **more}


def interleaved(columns: Iterable[Column], size: int, given: Any, place: str) -> bytes:
    """The bytes of items made from columns."""
    found: dict[str, Any] = {}
    _flatten(given, "", found, place)
    wanted = list(columns)
    _split_instants(wanted, found, place)
    paths = [column.path for column in wanted]
    for path in found:
        if path not in paths:
            raise invalid_value(f"no column {path!r}; there are {', '.join(paths)}", place)
    views: list[Any] = []
    for column in wanted:
        if column.path not in found:
            raise invalid_value(f"the column {column.path!r} is missing", place)
        view = _numbers(column, found[column.path], place)
        if views and len(view) != len(views[0]):
            raise invalid_value(
                f"the column {column.path!r} has {len(view)} numbers, "
                f"{paths[0]!r} has {len(views[0])}",
                place,
            )
        views.append(view)
    out = bytearray(len(views[0]) * size)
    for column, view in zip(wanted, views):
        data = view.tobytes()
        for i in range(column.size):
            at = column.size - 1 - i if LITTLE else i
            out[column.offset + i :: size] = data[at :: column.size]
    return bytes(out)


def bad_item(column: Column, numbers: Sequence[Any], place: str) -> CreoError:
    """The error for the first invalid number of a column."""
    name, _, part = column.path.rpartition(".")
    for index, number in enumerate(numbers):
        where = f"{place}[{index}].{column.path}"
        if column.kind == "S" and not MIN_SECONDS <= number <= MAX_SECONDS:
            what = "is not a time" if number == _NOT_A_TIME else "is not of the years 1 to 9999"
            return invalid_value(f"this instant {what}", f"{place}[{index}].{name}")
        if column.kind == "N" and number >= 1_000_000_000:
            return invalid_value(f"{number} {part} are a second or more", where)
        if column.kind == "E" and number not in column.numbers:
            return invalid_value(f"{number} is not a number of the enum", where)
    return invalid_value("this column holds what is no value", f"{place}.{column.path}")


def _names(values: Any) -> Sequence[str] | None:
    """The names of the columns; None if it has none."""
    if isinstance(values, Mapping):
        return list(cast("Mapping[str, Any]", values))
    names = getattr(getattr(values, "dtype", None), "names", None)
    if names is None and hasattr(values, "columns") and hasattr(values, "to_numpy"):
        names = list(values.columns)
    return cast("Sequence[str] | None", names)


def _flatten(given: Any, prefix: str, found: dict[str, Any], place: str) -> None:
    for name in _names(given) or ():
        path = f"{prefix}{name}"
        inner = given[name]
        if has_columns(inner):
            _flatten(inner, f"{path}.", found, place)
        elif path in found:
            raise invalid_value(f"the column {path!r} is given twice", place)
        else:
            found[path] = inner


def _split_instants(wanted: Sequence[Column], found: dict[str, Any], place: str) -> None:
    """Splits each column of instants in two."""
    for column in wanted:
        name = column.path.rpartition(".")[0]
        if column.kind == "S" and name in found:
            seconds, nanoseconds = _instants(_as_numpy(found.pop(name)), name, place)
            found[column.path] = seconds
            found[f"{name}.nanoseconds"] = nanoseconds


def _instants(values: Any, name: str, place: str) -> tuple[Any, Any]:
    if getattr(getattr(values, "dtype", None), "kind", "") == "M":
        seconds = values.astype("M8[s]")
        # A value that is not a time is found by its seconds.
        rest = (values - seconds).astype("m8[ns]").astype("i8")
        rest[values != values] = 0
        return seconds.astype("i8"), rest.astype("u4")
    moments: list[DateTime] = []
    for index, moment in enumerate(values):
        if isinstance(moment, datetime):
            try:
                moment = DateTime.from_datetime(moment)
            except ValueError as error:
                raise invalid_value(str(error), f"{place}[{index}].{name}") from None
        if not isinstance(moment, DateTime):
            raise invalid_value(
                f"an instant is expected, not {type(moment).__name__}", f"{place}[{index}].{name}"
            )
        moments.append(moment)
    return [moment.seconds for moment in moments], [moment.nanoseconds for moment in moments]


def _as_numpy(values: Any) -> Any:
    """The array of a data frame's column; anything else unchanged."""
    to_numpy: Callable[..., Any] | None = getattr(values, "to_numpy", None)
    if to_numpy is None:
        return values
    if getattr(getattr(values, "dt", None), "tz", None) is not None:
        # Otherwise the result has objects.
        return to_numpy(dtype="M8[ns]")
    return to_numpy()


def _numbers(column: Column, values: Any, place: str) -> Any:
    values = _as_numpy(values)
    try:
        return to_view(column.code, values, "")
    except CreoError as error:
        plain = _plain(column.kind, values)
        if plain is not None:
            return to_view(column.code, plain, "")
        # The place is the index of an item, or empty.
        raise invalid_value(error.message, f"{place}{error.place}.{column.path}") from None


def _plain(kind: str, values: Any) -> list[int] | None:
    """The numbers of enums or chars; None for other values."""
    try:
        if kind == "E":
            return [value.value for value in values]
        return [ord(value) for value in values] if kind == "H" else None
    except (AttributeError, TypeError):
        return None
