"""Decodes bodies, and returns the value and its bytes."""

from __future__ import annotations

import json
import sys
from typing import Any, Callable

from creo import CreoError, Limits
from creo.tdxml import Table
from values import all_types, to_json

_READ: dict[str, Callable[[Any, bytes, Limits], Any]] = {
    "codec": lambda type_, body, limits: type_.from_bytes(body, limits),
    "soap": lambda type_, body, limits: type_.from_xml(body, limits),
    "json": lambda type_, body, limits: type_.from_json(body, limits),
    "tdxml": lambda type_, body, limits: type_.from_tdxml(body, limits),
}
_WRITE: dict[str, Callable[[Any, Any], bytes]] = {
    "codec": lambda type_, value: type_.to_bytes(value),
    "soap": lambda type_, value: type_.to_xml(value),
    "json": lambda type_, value: type_.to_json(value),
    "tdxml": lambda type_, value: type_.to_tdxml(value),
    "tdxml-aggregated": lambda type_, value: type_.to_tdxml(value, scheme="aggregated"),
    "tdxml-schema": lambda type_, value: type_.to_tdxml(value, schema=True),
}

#: The modes of the codec.
MODES = (*_WRITE, "tdxml-update")


def _codec(mode: str, type_: Any, case: dict[str, Any]) -> dict[str, Any]:
    """The value of a body, and its bytes."""
    limits = Limits(max_memory=case.get("maxMemory"))
    value = _READ[mode.partition("-")[0]](type_, bytes.fromhex(case["bytes"]), limits)
    made = {"value": to_json(type_, value)}
    return {**made, "bytes": _WRITE[mode](type_, value).hex()}


def _update(type_: Any, case: dict[str, Any]) -> dict[str, Any]:
    """A value with an update applied, and the update from it to another."""
    value = type_.from_tdxml(bytes.fromhex(case["bytes"]))
    changed = Table.apply(bytes.fromhex(case["update"]), value)
    made = {"value": to_json(type_, changed)}
    if "second" in case:
        second = type_.from_tdxml(bytes.fromhex(case["second"]))
        made["update"] = Table.diff(value, second).hex()
    return made


def run(mode: str) -> None:
    """Answers each line of standard input by one line."""
    types = all_types()
    for line in sys.stdin:
        if not line.strip():
            continue
        case: dict[str, Any] = json.loads(line)
        answer: dict[str, Any] = {"id": case["id"]}
        try:
            type_ = types[case["type"]]
            made = _update(type_, case) if mode == "tdxml-update" else _codec(mode, type_, case)
            answer.update(made)
        except CreoError as error:
            answer.pop("value", None)
            answer["error"] = error.code.value
            if error.place is not None:
                answer["place"] = error.place
            if error.offset is not None:
                answer["offset"] = error.offset
            answer.update({k: v for k, v in error.details.items() if k in ("limit", "allowed")})
            answer["message"] = error.message
        except Exception as failure:
            # A defect of this language: it is the harness that says so.
            answer.pop("value", None)
            answer["error"] = "internal"
            answer["message"] = f"{type(failure).__name__}: {failure}"
        print(json.dumps(answer), flush=True)
