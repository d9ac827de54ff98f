"""Decodes bodies, and gives back the value and its bytes."""

from __future__ import annotations

import json
import sys
from typing import Any

from creo import CreoError
from values import all_types, to_json


def run(xml: bool = False) -> None:
    """Answers each line of standard input by one line; ``xml`` for values as XML."""
    types = all_types()
    for line in sys.stdin:
        if not line.strip():
            continue
        case: dict[str, Any] = json.loads(line)
        answer: dict[str, Any] = {"id": case["id"]}
        try:
            type_ = types[case["type"]]
            body = bytes.fromhex(case["bytes"])
            value = type_.from_xml(body) if xml else type_.from_bytes(body)
            answer["value"] = to_json(type_, value)
            answer["bytes"] = (type_.to_xml(value) if xml else type_.to_bytes(value)).hex()
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
