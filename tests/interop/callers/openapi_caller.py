"""A client that openapi-python-client made calls the Java service as JSON: every method.

    openapi_caller.py ADDRESS PACKAGE

PACKAGE is the name of the generated package, which can be imported. Prints `ok NAME` or `FAIL NAME: reason` for each case.
"""

import datetime
import importlib
import json
import math
import re
import sys
import time

PRIMITIVES = {
    "flag": True, "tiny": -5, "small": 300, "letter": "\u20ac", "number": -70000, "big": 1 << 40, "single": 0.15625, "real": 2.5e-300, "text": "some text",
    "instant": "2026-11-21T10:31:56.250000+00:00", "amount": "-12.3400", "data": "AAECAwQ=",
}  # fmt: skip
LEAST = {
    "flag": False, "tiny": -128, "small": -32768, "letter": 0xD800, "number": -(1 << 31), "big": str(-(1 << 63)), "single": "-Infinity", "real": "NaN", "text": "",
    "instant": "0001-01-01T00:00:00+00:00", "amount": "-0.000001", "data": "",
}  # fmt: skip
POINT = {"x": 0.1, "y": -1e-7}
ARRAYS = {
    "flags": [True, False], "tinies": "gAB/", "shorts": [-1, 2], "letters": ["A", "\u20ac"], "ints": [1, -1, 0], "longs": [1 << 62 >> 10], "floats": [0.5, "NaN", "-Infinity"],
    "doubles": [0.1, "Infinity", -0.0], "texts": ["one", " two ", "<3>", ""], "instants": ["2000-02-29T00:00:00+00:00"], "amounts": ["1.0", "-2.00"], "blobs": ["AQI=", ""],
    "colours": ["RED", "BLUE"], "points": [POINT], "shapes": [{"point": POINT}, {"circle": -0.0}, {"sides": [3, 4]}, {"label": ""}, {"nothing": {}}, {"colour": "BLUE"}],
    "nothings": [{}, {}],
}  # fmt: skip
NO_ARRAYS = {name: "" if name == "tinies" else [] for name in ARRAYS}
NESTED = {
    "matrix": [[1, 2], [], [3]], "cube": [[["a"], []], []], "paths": [[POINT]], "holes": ["a", None, ""], "counts": [{"k": 1}, {}],
}  # fmt: skip
LEAF = {"name": "leaf", "children": [], "named": {}}
TREE = {"name": "root", "children": [LEAF, {**LEAF, "next": LEAF}], "next": LEAF, "named": {"k": LEAF}}
MAPS = {
    "counts": {"one": 1, "two": 2}, "names": {"-1": "minus", "0": ""}, "weights": {"1125899906842624": 0.5}, "points": {"true": POINT}, "colours": {"RED": "BLUE"},
    "lists": {"l": [1, 2, 3], "empty": []}, "maybe": {"yes": "v", "no": None},
}  # fmt: skip
NO_MAPS = {name: {} for name in MAPS}
GROWING = {"name": "big", "colour": "GREEN", "limit": -1, "weights": [1.0, 2.5], "since": "2027-01-01T00:00:00+00:00", "price": "0.10"}
GROWN = {"name": "small", "limit": 100, "weights": [], "since": "2026-11-21T10:31:56.250000+00:00", "price": "12.50"}
WORDS = {"class": "c", "value": 7, "return": True, "type": "t", "item": "i"}
SEVERAL = {
    "number": 7, "text": "t", "reals": [1.5], "point": POINT, "maybe": "m", "colour": "RED", "flag": True, "big": 5, "instant": "2026-11-21T00:00:00+00:00", "amount": "1.50",
}  # fmt: skip

# Name, method, values of its one parameter: each must come back, or what is named here.
ECHOES = [
    ("primitives", "primitives", [PRIMITIVES], None),
    ("primitives-extremes", "primitives", [LEAST], None),
    ("arrays", "arrays", [ARRAYS], None),
    ("arrays-empty", "arrays", [NO_ARRAYS], None),
    ("nested", "nested", [NESTED], None),
    ("optionals", "optionals", [{**PRIMITIVES, "ints": [1, 2], "colour": "RED", "point": POINT, "shape": {"circle": 2.0}, "counts": {"x": 5}}], None),
    ("optionals-none", "optionals", [{}], None),
    ("shape", "shape", ARRAYS["shapes"], None),
    ("event", "event", [{"started": "now"}, {"moved": POINT}, {"grown": GROWING}], None),
    ("growing", "growing", [GROWING], None),
    ("growing-defaults", "growing", [{"name": "small"}], GROWN),
    ("tree", "tree", [TREE], None),
    ("maps", "maps", [MAPS, NO_MAPS], None),
    ("words", "words", [WORDS], None),
    ("nothing", "nothing", [{}], None),
    ("enums", "colour", ["RED", "GREEN", "BLUE"], None),
    ("extensible-enum", "level", ["ERROR", 7], None),
    ("text", "text", ["plain", " <&>\"' ]]> ", "tab\t line\n return\r zero\0", "caf\u00e9 \u4e2d\u6587 \U0001f600", ""], None),
    ("instant", "instant", ["2026-11-21T10:31:56.250000+00:00"], None),
    ("amount", "amount", ["0", "12345678901234567890.1230"], None),
    ("data", "data", ["AA==", ""], None),
    ("doubles", "doubles", [["NaN", "Infinity", 0.0, -0.0, 5e-324, 1.7976931348623157e308, 0.1], []], None),
    ("points", "points", [[POINT, POINT]], None),
    ("matrix", "matrix", [[[1, 2, 3], []], []], None),
    ("maybe", "maybe", ["there", "", None], None),
    ("counts", "counts", [{"a": 1, " b ": -2}, {}], None),
]  # fmt: skip


def plain(value):
    """What a value of the generated client is as JSON."""
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    return value.value if hasattr(value, "value") else value


class Cases:
    def __init__(self, address, package):
        # What the document says of the address is what was asked for.
        self.client = importlib.import_module(f"{package}.client").Client(base_url=address)
        self.models = importlib.import_module(f"{package}.models")
        self.package = package

    def call(self, method, parameters):
        # The methods of the description are single words, which the generator leaves as they are.
        module = importlib.import_module(f"{self.package}.api.echo.{method}")
        if not parameters:
            return module.sync_detailed(client=self.client)
        body = getattr(self.models, f"{method[0].upper()}{method[1:]}Body").from_dict(parameters)
        return module.sync_detailed(client=self.client, body=body)

    def result(self, method, parameters, status=200):
        answer = self.call(method, parameters)
        assert answer.status_code == status, f"{answer.status_code}: {answer.content!r}"
        return plain(answer.parsed)

    def echo(self, method, value, expected):
        parameters = {} if value is None else {"value": value}
        answer = self.call(method, parameters or {"value": None})
        assert answer.status_code == 200, f"{answer.status_code}: {answer.content!r}"
        wanted = value if expected is None else expected
        # Python's own parser, which the generated client uses, reads -0 as the integer 0.
        for got, signs in (plain(answer.parsed), False), (parsed(answer.content), True):
            assert same(got, wanted, signs), f"sent {wanted!r}, got {got!r}"


def parsed(content):
    """The JSON itself, its times as the generated client has them, and minus nought as the number that it is."""
    time_text = re.compile(r'"(\d{4}-\d\d-\d\dT[^"]*Z)"')
    text = time_text.sub(lambda found: json.dumps(datetime.datetime.fromisoformat(found[1]).isoformat()), content.decode())
    return json.loads(text, parse_int=lambda digits: -0.0 if digits == "-0" else int(digits))


def same(a, b, signs):
    """Equality of JSON: 1 is 1.0, true is not 1; and, with `signs`, -0 is not 0."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[name], b[name], signs) for name in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y, signs) for x, y in zip(a, b, strict=True))
    if isinstance(a, bool) or isinstance(b, bool) or not isinstance(a, (int, float)) or not isinstance(b, (int, float)):
        return type(a) is type(b) and a == b
    return a == b and (not signs or math.copysign(1, a) == math.copysign(1, b))


def several(cases):
    said = cases.result("several", SEVERAL)
    assert said.startswith("7|t|") and "2026-11-21T00:00:00Z" in said and said.endswith("|1.50"), said


def answer(cases):
    assert cases.result("answer", {}) == 42


def ping(cases):
    assert cases.call("ping", {}).status_code == 204


def fault_none(cases):
    assert cases.result("fail", {"kind": "none"}) == "none"


def fault_not_found(cases):
    got = cases.result("fail", {"kind": "not-found"}, 422)
    assert got["title"] == "NotFound" and got["type"] == "urn:creo:exception:org.example.interop.NotFound" and isinstance(got["value"]["what"], str), got


def fault_refused(cases):
    got = cases.result("fail", {"kind": "refused"}, 422)
    assert got["title"] == "Refused" and set(got["value"]) >= {"code", "reason", "at"}, got


def fault_undeclared(cases):
    got = cases.result("fail", {"kind": "internal"}, 500)
    assert got["type"] == "urn:creo:error:internal" and "secret" not in json.dumps(got), got


def malformed(cases):
    got = cases.client.get_httpx_client().post("/amount", json={"value": "one"})
    problem = got.json()
    assert (got.status_code, got.headers["content-type"], problem["type"]) == (400, "application/problem+json", "urn:creo:error:malformed"), got.text
    assert problem["details"]["place"] == "$.value", problem


def oneway(cases):
    prefix = f"openapi {time.time_ns()}"
    assert cases.call("note", {"text": prefix + " a"}).status_code == 202
    for _ in range(100):
        if cases.result("noted", {"prefix": prefix}) == [prefix + " a"]:
            return
        time.sleep(0.05)
    raise AssertionError("the note did not arrive")


OTHERS = {
    "several": several, "answer": answer, "ping": ping, "fault-none": fault_none, "fault-not-found": fault_not_found, "fault-refused": fault_refused,
    "fault-undeclared": fault_undeclared, "malformed": malformed, "oneway": oneway,
}  # fmt: skip


def main():
    cases = Cases(*sys.argv[1:])

    def echoes(method, values, expected):
        for value in values:
            cases.echo(method, value, expected)

    every = {name: lambda m=method, v=values, e=expected: echoes(m, v, e) for name, method, values, expected in ECHOES}
    every.update({name: lambda f=function: f(cases) for name, function in OTHERS.items()})
    for name, case in every.items():
        try:
            case()
            print(f"ok {name}")
        except Exception as failure:
            print(f"FAIL {name}: {type(failure).__name__}: {' '.join(str(failure).split())[:600]}")


if __name__ == "__main__":
    main()
