"""Decodes bodies, and gives back the value and its bytes."""

from __future__ import annotations

import json
import sys
from typing import Any, Callable

from creo import CreoError
from values import all_types, to_json

_READ: dict[str, Callable[[Any, bytes], Any]] = {
    "codec": lambda type_, body: type_.from_bytes(body),
    "soap": lambda type_, body: type_.from_xml(body),
    "json": lambda type_, body: type_.from_json(body),
    "tdxml": lambda type_, body: type_.from_tdxml(body),
}
_WRITE: dict[str, Callable[[Any, Any], bytes]] = {
    "codec": lambda type_, value: type_.to_bytes(value),
    "soap": lambda type_, value: type_.to_xml(value),
    "json": lambda type_, value: type_.to_json(value),
    "tdxml": lambda type_, value: type_.to_tdxml(value),
    "tdxml-aggregated": lambda type_, value: type_.to_tdxml(value, scheme="aggregated"),
    "tdxml-schema": lambda type_, value: type_.to_tdxml(value, schema=True),
}

#: What a codec may be asked for.
MODES = tuple(_WRITE)


def run(mode: str) -> None:
    """Answers each line of standard input by one line."""
    types = all_types()
    read, write = _READ[mode.partition("-")[0]], _WRITE[mode]
    for line in sys.stdin:
        if not line.strip():
            continue
        case: dict[str, Any] = json.loads(line)
        answer: dict[str, Any] = {"id": case["id"]}
        try:
            type_ = types[case["type"]]
            value = read(type_, bytes.fromhex(case["bytes"]))
            answer["value"] = to_json(type_, value)
            answer["bytes"] = write(type_, value).hex()
        except CreoError as error:
            answer.pop("value", None)
            answer["error"] = error.code.value
            if error.place is not None:
                answer["place"] = error.place
            if error.offset is not None:
                answer["offset"] = error.offset
            answer["message"] = error.message
        except Exception as failure:
            # A defect of this language: it is the harness that says so.
            answer.pop("value", None)
            answer["error"] = "internal"
            answer["message"] = f"{type(failure).__name__}: {failure}"
        print(json.dumps(answer), flush=True)
