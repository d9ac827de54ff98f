"""Writes the values of ``malformed/writer`` that the types of the language can hold, and says how that fails."""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from typing import Any, Callable

from conformance.values import ExpressionNumber, Growing, Label, NotFound, Optionals, ShapeLabel, Small, Sum, Tree
from creo import CreoError
from values import all_types

_HIGH = "\ud800"


def _small(labels: Any = (), texts: Any = ()) -> Small:
    return Small(maps=(), labels=labels, sparse=(), texts=texts, rows=())


def _leaf(name: str, named: Any) -> Tree:
    return Tree(name=name, children=(), named=named)


def _deep() -> Tree:
    tree = _leaf("", {})
    for _ in range(100):
        tree = Tree(name="", children=(), next=tree, named={})
    return tree


def _optionals(**fields: Any) -> Callable[[], Optionals]:
    return lambda: Optionals(**fields)


#: By the id of the case. The checker of types cannot know that a value is wrong where a field takes anything.
_VALUES: dict[str, Callable[[], Any]] = {
    **{f"{name}-low": _optionals(**{name: -(1 << bits) - 1}) for name, bits in (("tiny", 7), ("small", 15), ("number", 31), ("big", 63))},
    **{f"{name}-high": _optionals(**{name: 1 << bits}) for name, bits in (("tiny", 7), ("small", 15), ("number", 31), ("big", 63))},
    "single-high": _optionals(single=1e39),
    "text-high": lambda: Label(_HIGH),
    "text-low": lambda: Label("\udc00"),
    "text-swapped": lambda: Label("a\udc00\ud800b"),
    "text-high-then-letter": lambda: Label(_HIGH + "a"),
    "text-optional": _optionals(text="\udfff"),
    "text-item": lambda: _small(texts=("a", "\udbff")),
    "text-in-struct": lambda: _small(labels=(Label(""), Label(_HIGH))),
    "key": lambda: _leaf("", {_HIGH: _leaf("", {})}),
    "entry": lambda: _leaf("", {"a": _leaf(_HIGH, {})}),
    "member": lambda: ShapeLabel(_HIGH),
    "region": lambda: Growing(_HIGH),
    "decimal-1001": _optionals(amount=Decimal("1" * 1001)),
    "decimal-1001-fraction": _optionals(amount=Decimal("1." + "1" * 1000)),
    "null-text": lambda: Label(*_null()),
    "null-array": lambda: NotFound("", *_null()),
    "null-map": lambda: _leaf("", *_null()),
    "null-struct": lambda: Sum(ExpressionNumber(1.0), *_null()),
    "null-item": lambda: _small(texts=("", *_null())),
    "constant": _optionals(colour=1),
    "no-member": object,
    "depth": _deep,
}


def _null() -> tuple[Any]:
    return (None,)


def run() -> None:
    """Answers each line of standard input by one line."""
    types = all_types()
    for line in sys.stdin:
        case: dict[str, Any] = json.loads(line)
        answer: dict[str, Any] = {"id": case["id"]}
        make = _VALUES.get(case["id"])
        try:
            if make is None:
                answer["cannot"] = True
            else:
                answer["bytes"] = types[case["type"]].to_bytes(make()).hex()
        except CreoError as error:
            answer.update(error=error.code.value, place=error.place, message=error.message)
        except Exception as failure:
            # A defect of this language: it is the harness that says so.
            answer.update(error="crash", message=f"{type(failure).__name__}: {failure}")
        print(json.dumps(answer), flush=True)
