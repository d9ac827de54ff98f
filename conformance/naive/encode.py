#!/usr/bin/env python3
"""A naive encoder of the binary wire, written straight from spec/wires/binary.md and spec/values.md.

It shares no code with the compiler or with any runtime, knows no speed, and does not decode. People use it to compute the bytes of a
vector, and the tests use it to check that every vector and every value that cannot be written still says what the specification says.

    encode.py conformance.values.Point '{"x": 1, "y": -2.5}'   prints the bytes of a value
    encode.py --check                                          checks the worked examples, every vector, and the writer's errors
"""

import base64
import datetime
import decimal
import json
import pathlib
import re
import struct
import sys

from checks import Failures, closing

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOKEN = re.compile(r'\s+|//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|-?[\w.+]+(?:[eE]-?\d+)?|[^\s])', re.S)
SCALARS = {"byte": ">b", "short": ">h", "int": ">i", "long": ">q", "float": ">f", "double": ">d"}
MAX_DEPTH = 100
FIRST_SECOND, LAST_SECOND = -62135596800, 253402300799
FLOATS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


class Schema:
    """The types of some descriptions, by full name. Supports only the parts of the language that the conformance schemas use."""

    def __init__(self, texts):
        self.types = {}
        self.namespaces = {}
        self.xml = {}
        self.recursives = {}
        for text in texts:
            self.tokens = [m.group(1) for m in TOKEN.finditer(text) if m.group(1)]
            self.package = "service"
            while self.tokens:
                self.declaration()

    def take(self, expected=None):
        token = self.tokens.pop(0)
        assert expected in (None, token), f"{token} instead of {expected}"
        return token

    def annotations(self):
        """What `@Xml(..)` before the next declaration or member says: {"attribute": True, "name": "x"}."""
        facts = {}
        while self.tokens[0] == "@":
            self.take()
            name = self.take()
            arguments = self.parentheses() if self.tokens[0] == "(" else []
            if name == "PACKAGE":
                self.package = json.loads(arguments[0])
                self.namespaces.setdefault(self.package, f"urn:creo:{self.package}")
            elif name == "NAMESPACE":
                self.namespaces[self.package] = json.loads(arguments[0])
            elif name == "Xml":
                while arguments:
                    word = arguments.pop(0)
                    if arguments[:1] == ["="]:
                        facts[word] = json.loads(arguments[1])
                        del arguments[:2]
                    elif word != ",":
                        facts[word] = True
        return facts

    def declaration(self):
        facts = self.annotations()
        if not self.tokens:
            return
        word = self.take()
        if word == "import":
            self.take(), self.take(";")
        elif word == "interface":
            self.take(), self.take("{")
            while self.take() != "}":
                pass
        else:
            extensible = word == "extensible"
            kind, name = (self.take() if extensible else word), self.take()
            self.take("{")
            self.owner = f"{self.package}.{name}"
            self.xml[self.owner] = facts
            members = self.constants() if kind == "enum" else self.fields()
            self.types[self.owner] = (kind, extensible, members, self.package)

    def parentheses(self):
        self.take("(")
        inside = []
        while (token := self.take()) != ")":
            inside.append(token)
        return inside

    def constants(self):
        numbers, following = {}, 0
        while True:
            facts, name = self.annotations(), self.take()
            if name == "}":
                return numbers
            self.xml[self.owner, name] = facts
            if self.tokens[0] == "=":
                self.take("=")
                following = int(self.take(), 0)
            numbers[name], following = following, following + 1
            if self.tokens[0] == ",":
                self.take(",")

    def fields(self):
        fields = []
        while self.tokens[0] != "}":
            facts, kind, name, default = self.annotations(), self.type(), self.take(), []
            self.xml[self.owner, name] = facts
            while (token := self.take()) != ";":
                default.append(token)
            fields.append((name, kind, default[1:]))
        self.take("}")
        return fields

    def type(self):
        name = self.take()
        if name == "Map":
            self.take("<")
            key = self.type()
            self.take(",")
            kind = ("map", key, self.type())
            self.take(">")
        else:
            kind = ("name", name)
        while self.tokens[0] in "[?":
            if self.take() == "?":
                kind = ("optional", kind)
            else:
                self.take("]")
                kind = ("bytes",) if kind == ("name", "byte") else ("array", kind)
        return kind

    def mentions(self, kind, package):
        """The declared types that a type names, also within arrays, optionals and maps."""
        if kind[0] == "name":
            name = kind[1] if "." in kind[1] else f"{package}.{kind[1]}"
            return {name} if name in self.types else set()
        return set().union(*(self.mentions(inner, package) for inner in kind[1:]))

    def recursive(self, name):
        """MODEL-20"""
        if name not in self.recursives:
            found, work = set(), [name]
            while work:
                kind, _, members, package = self.types[work.pop()]
                for _, member, _ in [] if kind == "enum" else members:
                    work += self.mentions(member, package) - found
                    found |= self.mentions(member, package)
            self.recursives[name] = name in found
        return self.recursives[name]


class Refusal(Exception):
    """A value that cannot be written: `invalid-value` (BIN-17) or, beyond a limit, `too-large`. The place grows on the way out."""

    def __init__(self, message, code="invalid-value"):
        super().__init__(message)
        self.code, self.place = code, ""


def count(number):
    if not 0 <= number < 2**31:
        raise Refusal(f"{number} is no count")
    out = b""
    while number > 127:
        out, number = out + bytes([number & 127 | 128]), number >> 7
    return out + bytes([number])


def text(value):
    """BIN-4"""
    try:
        data = value.encode("utf-8")
    except UnicodeEncodeError:
        raise Refusal("a lone surrogate") from None
    return count(len(data)) + data


def instant(value):
    """BIN-11. An instant that VAL-6 cannot write is given as its seconds and nanoseconds."""
    if isinstance(value, dict):
        seconds, nanoseconds = value["seconds"], value["nanoseconds"]
    else:
        match = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?Z", value)
        year, month, day, hour, minute, second = map(int, match.groups()[:6])
        days = datetime.date(year, month, day).toordinal() - datetime.date(1970, 1, 1).toordinal()
        seconds, nanoseconds = days * 86400 + hour * 3600 + minute * 60 + second, int((match.group(7) or "0").ljust(9, "0"))
    if not FIRST_SECOND <= seconds <= LAST_SECOND or not 0 <= nanoseconds < 10**9:
        raise Refusal("no instant of the years 1 to 9999")
    return struct.pack(">qI", seconds, nanoseconds)


def amount(value):
    """BIN-12"""
    assert re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?", value) and not (value[0] == "-" and decimal.Decimal(value) == 0)
    if sum(c.isdigit() for c in value) > 1000:
        raise Refusal("more than 1,000 digits")
    return text(value)


def number(name, value):
    """BIN-1"""
    try:
        if name in ("float", "double"):
            return struct.pack(SCALARS[name], FLOATS.get(value, value) if isinstance(value, str) else float(value))
        return struct.pack(SCALARS[name], int(value))
    except (struct.error, OverflowError):
        raise Refusal(f"{value} is no {name}") from None


def within(step, schema, kind, value, package, depth):
    """A value that is part of another; `step` is what its place has beyond that of the other."""
    try:
        return encode(schema, kind, value, package, depth)
    except Refusal as refusal:
        refusal.place = step + refusal.place
        raise


def encode(schema, kind, value, package, depth):
    if kind[0] == "optional":
        return b"\0" if value is None else b"\1" + encode(schema, kind[1], value, package, depth)
    if value is None:
        raise Refusal("null where the type is not optional")
    if kind[0] == "bytes":
        data = base64.b64decode(value, validate=True)
        return count(len(data)) + data
    if kind[0] == "array":
        return count(len(value)) + b"".join(within(f"[{i}]", schema, kind[1], item, package, depth) for i, item in enumerate(value))
    if kind[0] == "map":
        out = count(len(value))
        for i, (written, item) in enumerate(value.items()):
            out += within(f"{{{i}}}.key", schema, kind[1], key(kind[1], written), package, depth)
            out += within(f"{{{i}}}.value", schema, kind[2], item, package, depth)
        return out
    name = kind[1]
    if name == "boolean":
        return b"\1" if value else b"\0"
    if name in SCALARS:
        return number(name, value)
    if name == "char":
        unit = value if isinstance(value, int) else ord(value)
        if not 0 <= unit < 2**16:
            raise Refusal(f"{unit} is no code unit")
        return struct.pack(">H", unit)
    if name == "String":
        return text(value)
    if name == "DateTime":
        return instant(value)
    if name == "Decimal":
        return amount(value)
    return named(schema, name if "." in name else f"{package}.{name}", value, depth)


def key(kind, written):
    """The value of a map's key: written as the text of its JSON value (VAL-12)."""
    if kind[1] == "boolean":
        return {"true": True, "false": False}[written]
    if kind[1] == "char" and len(written) > 1:
        return int(written)
    return written


def named(schema, name, value, depth=0):
    """`depth`: how many values of recursive types hold this one (BIN-13)."""
    kind, extensible, members, package = schema.types[name]
    if schema.recursive(name):
        depth += 1
        if depth > MAX_DEPTH:
            raise Refusal("nested too deep", "too-large")
    if kind == "enum":
        found = members.get(value, value)
        if not isinstance(found, int) or not extensible and found not in members.values():
            raise Refusal(f"{value} is no constant")
        return count(found)
    if kind == "union":
        if len(value) != 1:
            raise Refusal("a union without a member")
        ((member, inner),) = value.items()
        if member.startswith("#"):
            data = base64.b64decode(inner, validate=True)
            return count(int(member[1:])) + struct.pack(">I", len(data)) + data
        index = [m[0] for m in members].index(member)
        data = within(f".{member}", schema, members[index][1], inner, package, depth)
        return count(index) + (struct.pack(">I", len(data)) if extensible else b"") + data
    assert not set(value) - {m[0] for m in members}, f"unknown field in {value}"
    for field, field_kind, _ in members:
        assert field in value or field_kind[0] == "optional", f"{name}.{field} is missing"
    data = b"".join(within(f".{field}", schema, field_kind, value.get(field), package, depth) for field, field_kind, _ in members)
    return (struct.pack(">I", len(data)) if extensible else b"") + data


def conformance_schema():
    return Schema(path.read_text(encoding="utf-8") for path in sorted((ROOT / "schemas").glob("*.creo")))


WORKED = """
struct MetaData { String description; long timestamp; }
struct Data { MetaData metadata; double[] samples; }
extensible struct Query { String description; Quality? atLeast; int limit = 100; }
enum Quality { RAW, CHECKED, CERTIFIED }
union Shape { double circle; int[] sides; }
struct Counts { Map<String, short> counts; }
struct Instant { DateTime value; }
struct Amount { Decimal value; }
"""
EXAMPLES = [
    ("Data", {"metadata": {"description": "CO2", "timestamp": 1}, "samples": [1.0, -2.5]},
     "03 434f32 0000000000000001 02 3ff0000000000000 c004000000000000"),
    ("Query", {"description": "é", "atLeast": "CHECKED", "limit": 100}, "00000009 02 c3a9 01 01 00000064"),
    ("Shape", {"sides": [3, 4]}, "01 02 00000003 00000004"),
    ("Counts", {"counts": {"a": 1, "b": -1}}, "02 0161 0001 0162 ffff"),
    ("Instant", {"value": "1969-12-31T23:59:59.5Z"}, "ffffffffffffffff 1dcd6500"),
    ("Amount", {"value": "-1.50"}, "05 2d312e3530"),
]


def check():
    schema, failures, checked = Schema([WORKED]), Failures(), 0
    for name, value, expected in EXAMPLES:
        checked += 1
        if named(schema, f"service.{name}", value) != bytes.fromhex(expected):
            failures.append(f"worked example {name}")
    if count(300) != bytes.fromhex("ac02"):
        failures.append("worked example: a count of 300")
    schema = conformance_schema()
    for path in sorted((ROOT / "vectors" / "binary").glob("*.json")):
        for vector in json.loads(path.read_text(encoding="utf-8"))["vectors"]:
            if "value" not in vector or vector.get("payload"):
                continue
            checked += 1
            try:
                encoded = named(schema, vector["type"], vector["value"]).hex()
            except (Refusal, AssertionError, ValueError) as defect:
                encoded = str(defect)
            if encoded != vector.get("encoded", vector["bytes"]):
                failures.append(f"{path.name} {vector['id']}: {encoded}")
    for path in sorted((ROOT / "malformed" / "writer").glob("*.json")):
        for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            checked += 1
            try:
                failures.append(f"{path.name} {case['id']}: {named(schema, case['type'], json.loads(case['value'])).hex()}")
            except Refusal as refusal:
                if (refusal.code, "$" + refusal.place) != (case["error"], case["place"]):
                    failures.append(f"{path.name} {case['id']}: {refusal.code} at ${refusal.place}")
    return closing(checked, failures)


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(check())
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(named(conformance_schema(), sys.argv[1], json.loads(sys.argv[2])).hex())
