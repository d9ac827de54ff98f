#!/usr/bin/env python3
"""A naive decoder of the binary wire, written straight from spec/wires/binary.md, spec/values.md and spec/limits.md.

It shares no code with the compiler or with any runtime. The tests use it to check that every vector and every malformed body still says
what the specification says; `mutants.py` changes it, and wants a vector or a malformed body to notice.

    decode.py conformance.values.Point 3ff00000000000004000000000000000   prints the value
    decode.py --check                                                     checks every vector and every malformed body
    decode.py codec                                                       a peer that answers lines (conformance/README.md)
"""

import base64
import datetime
import json
import math
import re
import struct
import sys

from checks import Failures, closing
from encode import FLOATS, ROOT, SCALARS, conformance_schema, named
from memory import Memory

MAX_DEPTH = 100
MAX_EMPTY_ITEMS = 65536
MAX_MESSAGE_SIZE = 2**27
FIRST_SECOND, LAST_SECOND = -62135596800, 253402300799
FIXED = {"boolean": 1, "byte": 1, "short": 2, "char": 2, "int": 4, "float": 4, "long": 8, "double": 8, "DateTime": 12}
DECIMAL = re.compile(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?", re.A)


class Refusal(Exception):
    """An error in a body. `offset` is None if the specification leaves it to the implementation (BIN-15)."""

    def __init__(self, code, place, message, offset=None, limit=None):
        super().__init__(f"{code}: {message} (at {place})")
        self.code, self.place, self.offset, self.limit = code, place, offset, limit


class Types:
    """The min sizes of the types of a description (BIN-16)."""

    def __init__(self, schema):
        self.schema = schema
        self.sizes = {}

    def full(self, name, package):
        return name if "." in name else f"{package}.{name}"

    def least(self, kind, package, within=()):
        """BIN-16; infinite for a recursive type, so the shortest finite value counts (MODEL-21)."""
        if kind[0] != "name":
            return 1
        if kind[1] in FIXED:
            return FIXED[kind[1]]
        if kind[1] == "String":
            return 1
        if kind[1] == "Decimal":
            return 2
        name = self.full(kind[1], package)
        if name in within:
            return math.inf
        if within or name not in self.sizes:
            size = self.declared(name, (*within, name))
            if within:
                return size
            self.sizes[name] = size
        return self.sizes[name]

    def declared(self, name, within):
        kind, extensible, members, package = self.schema.types[name]
        if kind == "enum":
            return 1 if extensible else min(count_size(number) for number in members.values())
        if kind == "union":
            sizes = [count_size(index) + self.least(member, package, within) for index, (_, member, _) in enumerate(members)]
            return 5 if extensible else min(sizes)
        size = 4 if extensible else 0
        for _, member, default in members:
            if extensible and may_be_missing(member, default):
                break
            size += self.least(member, package, within)
        return size


def may_be_missing(kind, default):
    """MODEL-11"""
    return bool(default) or kind[0] == "optional"


def count_size(number):
    return 1 if number < 2**7 else 2 if number < 2**14 else 3 if number < 2**21 else 4 if number < 2**28 else 5


class Decoder:
    def __init__(self, types, body, max_memory=4 * MAX_MESSAGE_SIZE):
        self.types, self.memory, self.body = types, Memory(types.schema), body
        self.at, self.end = 0, len(body)
        self.place = ["$"]
        self.depth = self.empty_items = self.used = 0
        self.max_memory = max_memory

    def refuse(self, message, code="malformed", offset=None, limit=None):
        raise Refusal(code, "".join(self.place), message, offset, limit)

    def charge(self, amount, start):
        """LIM-18"""
        self.used += amount
        if self.used > self.max_memory:
            self.refuse(f"{self.used} bytes of memory", "too-large", start, "maxMemory")

    def whole(self, name):
        """A body that is one value (BIN-14)."""
        if len(self.body) > MAX_MESSAGE_SIZE:
            self.refuse("the body is too large", "too-large", limit="maxMessageSize")
        self.charge(len(self.body), 0)
        value = self.named(name)
        if self.at < len(self.body):
            self.refuse("bytes after the last value", offset=self.at)
        return value

    def within(self, step, kind, package):
        """The value at a step below the place at hand."""
        self.place.append(step)
        value = self.value(kind, package)
        self.place.pop()
        return value

    def take(self, size):
        if size > self.end - self.at:
            self.refuse("the bytes end")
        self.at += size
        return self.body[self.at - size : self.at]

    def unsigned(self, size):
        return int.from_bytes(self.take(size), "big")

    def count(self):
        """BIN-2"""
        number = 0
        for position in range(5):
            byte = self.take(1)[0]
            number |= (byte & 127) << 7 * position
            if byte < 128:
                if byte == 0 and position > 0:
                    self.refuse("a count that is not in its shortest form")
                if number >= 2**31:
                    self.refuse("a count that is too large")
                return number
        self.refuse("a count of more than five bytes")

    def counted(self, size, charge):
        """A count of elements with a min size and a memory charge each."""
        start, number = self.at, self.count()
        if number * size > self.end - self.at:
            self.refuse("more than is left (BIN-5)")
        if size == 0:
            self.empty_items += number
            if self.empty_items > MAX_EMPTY_ITEMS:
                self.refuse("too many items without bytes (BIN-6)", "too-large", limit="maxEmptyItems")
        self.charge(number * charge, start)
        return number

    def flag(self):
        """BIN-3"""
        start, byte = self.at, self.take(1)[0]
        if byte not in (0, 1):
            self.refuse(f"{byte} is neither 0 nor 1", offset=start)
        return byte == 1

    def value(self, kind, package):
        start = self.at
        if kind[0] == "optional":
            if not self.flag():
                return None
            self.charge(max(16, self.memory.weight(kind[1], package)), start)
            return self.value(kind[1], package)
        if kind[0] == "bytes":
            return base64.b64encode(self.take(self.counted(1, 0))).decode("ascii")
        if kind[0] == "array":
            charge = 0 if Memory.bulk(kind[1]) else 8 + self.memory.weight(kind[1], package)
            number = self.counted(self.types.least(kind[1], package), charge)
            return [self.within(f"[{i}]", kind[1], package) for i in range(number)]
        if kind[0] == "map":
            return self.map(kind, package)
        name = kind[1]
        if name == "boolean":
            return self.flag()
        if name in ("float", "double"):
            return floating(SCALARS[name], self.take(FIXED[name]))
        if name in SCALARS:
            return long(struct.unpack(SCALARS[name], self.take(FIXED[name]))[0])
        if name == "char":
            return letter(self.unsigned(2))
        if name == "DateTime":
            return self.instant()
        if name in ("String", "Decimal"):
            return self.text(name)
        return self.named(self.types.full(name, package))

    def text(self, name):
        """BIN-4, BIN-12"""
        data = self.take(self.counted(1, 0))
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            self.refuse("bytes that are not UTF-8")
        if name == "Decimal":
            match = DECIMAL.fullmatch(text)
            if not match:
                self.refuse("no decimal in canonical form")
            sign, whole, fraction = match[1], match[2], match[3] or ""
            if len(whole + fraction) > 1000:
                self.refuse("more than 1,000 digits")
            if sign and set(whole + fraction) == {"0"}:
                self.refuse("a negative zero")
        return text

    def instant(self):
        """BIN-11"""
        seconds, nanoseconds = struct.unpack(">qI", self.take(12))
        if not FIRST_SECOND <= seconds <= LAST_SECOND:
            self.refuse("the year is not one of 1 to 9999")
        if nanoseconds >= 10**9:
            self.refuse("the nanoseconds make a second")
        moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
        return f"{moment.isoformat()}{fraction(nanoseconds)}Z"

    def map(self, kind, package):
        charge = 64 + self.memory.weight(kind[1], package) + self.memory.weight(kind[2], package)
        number = self.counted(self.types.least(kind[1], package) + self.types.least(kind[2], package), charge)
        entries = {}
        for i in range(number):
            self.place.append(f"{{{i}}}")
            key = self.within(".key", kind[1], package)
            key = key if isinstance(key, str) else json.dumps(key)
            if key in entries:
                self.place.append(".key")
                self.refuse("a key that occurs twice (BIN-10)")
            entries[key] = self.within(".value", kind[2], package)
            self.place.pop()
        return entries

    def named(self, name):
        kind, extensible, members, package = self.types.schema.types[name]
        recursive = self.types.schema.recursive(name)
        if recursive:
            self.depth += 1
            if self.depth > MAX_DEPTH:
                self.refuse("nested too deep (BIN-13)", "too-large", limit="maxDepth")
        if kind == "enum":
            value = self.constant(members, extensible)
        elif kind == "union":
            value = self.union(members, extensible, package)
        else:
            value = self.region(lambda: self.record(members, True, package)) if extensible else self.record(members, False, package)
        if recursive:
            self.depth -= 1
        return value

    def constant(self, members, extensible):
        """BIN-9, MODEL-12"""
        number = self.count()
        for name, declared in members.items():
            if declared == number:
                return name
        if not extensible:
            self.refuse(f"{number} is no constant")
        return number

    def union(self, members, extensible, package):
        """BIN-9, MODEL-13"""
        start, index = self.at, self.count()
        if index >= len(members):
            if not extensible:
                self.refuse(f"{index} is no member")
            self.charge(32, start)
            return {f"#{index}": self.region(lambda: base64.b64encode(self.take(self.end - self.at)).decode("ascii"))}
        name, kind, _ = members[index]
        self.charge(self.memory.weight(kind, package), start)
        self.place.append(f".{name}")
        value = self.region(lambda: self.filling(kind, package)) if extensible else self.value(kind, package)
        self.place.pop()
        return {name: value}

    def filling(self, kind, package):
        value = self.value(kind, package)
        if self.at < self.end:
            self.refuse("the member does not fill its region (BIN-8)")
        return value

    def region(self, inside):
        """BIN-8"""
        size, outer = self.unsigned(4), self.end
        if size > outer - self.at:
            self.refuse("a region beyond the enclosing one")
        self.end = self.at + size
        value = inside()
        self.at = self.end
        self.end = outer
        return value

    def record(self, members, extensible, package):
        """The fields of a struct; those that a region ends before have their defaults (MODEL-11)."""
        found = {}
        for name, kind, default in members:
            if extensible and self.at == self.end and may_be_missing(kind, default):
                value = literal(kind, default) if default else None
            else:
                value = self.within(f".{name}", kind, package)
            if value is not None:
                found[name] = value
        return found


# Values as JSON (spec/values.md)


def long(number):
    return number if abs(number) < 2**53 else str(number)


def letter(unit):
    return unit if 0xD800 <= unit < 0xE000 else chr(unit)


def fraction(nanoseconds):
    """0, 3, 6 or 9 digits (VAL-6)."""
    digits = f"{nanoseconds:09}"
    while digits.endswith("000"):
        digits = digits[:-3]
    return f".{digits}" if digits else ""


def floating(form, data):
    """The shortest number that is the same (VAL-3)."""
    (number,) = struct.unpack(form, data)
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    for digits in range(1, 18):
        shortest = float(f"{number:.{digits}g}")
        try:
            if struct.pack(form, shortest) == data:
                return shortest
        except OverflowError:  # rounded up beyond the largest float
            continue
    raise AssertionError(number)


def literal(kind, tokens):
    """The value of a declared default."""
    token = tokens[0]
    if token == "{":
        return {} if kind[0] == "map" else "" if kind[0] == "bytes" else []
    if kind[1] in ("float", "double"):
        return token if token in FLOATS else float("".join(tokens))
    if kind[1] in SCALARS:
        return long(int(token, 0))
    if kind[1] == "boolean":
        return token == "true"
    if kind[1] == "DateTime":
        moment, _, digits = json.loads(token)[:-1].partition(".")
        return f"{moment}{fraction(int(digits.ljust(9, '0')))}Z"
    if token[0] not in "\"'":
        return token
    # JSON has the escapes of LANG-6 but for that of a single quote.
    inner = re.sub(r"\\(.)", lambda escape: "'" if escape[1] == "'" else escape[0], token[1:-1])
    return inner if inner == '"' else json.loads(f'"{inner}"')


# Checks


def same(due, found):
    """Whether two values are equal: a null field may be omitted, numbers are compared by value, and order matters."""
    if isinstance(due, dict) and isinstance(found, dict):
        due, found = ([(k, v) for k, v in d.items()] for d in (due, found))
        names = {k for k, _ in found}
        due = [(k, v) for k, v in due if v is not None or k in names]
        return len(due) == len(found) and all(a == c and same(b, d) for (a, b), (c, d) in zip(due, found))
    if isinstance(due, list) and isinstance(found, list):
        return len(due) == len(found) and all(map(same, due, found))
    if isinstance(due, float) or isinstance(found, float):
        numbers = [x for x in (due, found) if isinstance(x, (int, float)) and not isinstance(x, bool)]
        return len(numbers) == 2 and due == found and math.copysign(1, due) == math.copysign(1, found)
    return type(due) is type(found) and due == found


def names(reported, meant, truncated):
    """Whether a path is acceptable for the expected one (BIN-15), as in the harness."""
    def parent(place):
        return re.sub(r"[.\[{][^.\[{]*$", "", place)

    holds = meant.startswith(reported) and meant[len(reported) : len(reported) + 1] in ("", "[", "{")
    return holds or (truncated and parent(reported) == parent(meant))


def check_vector(types, vector):
    body = bytes.fromhex(vector["bytes"])
    try:
        value = Decoder(types, body).whole(vector["type"])
    except Refusal as refusal:
        return str(refusal)
    if "value" in vector and not same(vector["value"], value):
        return f"{json.dumps(value)[:300]}"
    if "payload" not in vector and "value" in vector and named(types.schema, vector["type"], value).hex() != vector.get("encoded", vector["bytes"]):
        return "encoded again, it is not the same"
    return None


def check_case(types, case):
    """A malformed body is refused as it says; where that depends on a limit of memory, it is read with the limit one higher."""
    body = bytes.fromhex(case["bytes"]) + bytes.fromhex(case.get("repeat", "")) * case.get("times", 0)
    limits = [case["maxMemory"] - 1] if "maxMemory" in case else []
    try:
        Decoder(types, body, *limits).whole(case["type"])
    except Refusal as refusal:
        places = case.get("place", refusal.place)
        if refusal.code != case["error"]:
            return f"{case['error']} is due: {refusal}"
        if not any(names(refusal.place, place, case.get("truncated")) for place in ([places] if isinstance(places, str) else places)):
            return f"the place is {places}: {refusal}"
        if "offset" in case and refusal.offset != case["offset"]:
            return f"the offset is {case['offset']}: {refusal.offset}"
        if refusal.limit != case.get("limit", "maxMemory" if limits else refusal.limit):
            return f"another limit is due: {refusal.limit}"
    else:
        return f"{case['error']} is due"
    try:
        if limits:
            Decoder(types, body, case["maxMemory"]).whole(case["type"])
    except Refusal as refusal:
        return f"within its memory: {refusal}"
    return None


def check():
    types, failures, checked = Types(conformance_schema()), Failures(), 0
    for folder, member, test in (("vectors", "vectors", check_vector), ("malformed", "cases", check_case)):
        for path in sorted((ROOT / folder / "binary").glob("*.json")):
            for row in json.loads(path.read_text(encoding="utf-8"))[member]:
                checked += 1
                try:
                    why = test(types, row)
                except (AssertionError, ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as defect:
                    why = f"{type(defect).__name__}: {defect}"
                if why:
                    failures.append(f"{folder}/{path.name} {row['id']}: {why}")
    return closing(checked, failures)


def answers():
    """A peer in the mode `codec`, with an offset where BIN-15 leaves it open: the end of the body."""
    types = Types(conformance_schema())
    for line in sys.stdin:
        asked = json.loads(line)
        body = bytes.fromhex(asked["bytes"])
        answer = {"id": asked["id"]}
        try:
            value = Decoder(types, body, asked.get("maxMemory", 4 * MAX_MESSAGE_SIZE)).whole(asked["type"])
            answer.update(value=value, bytes=named(types.schema, asked["type"], value).hex())
        except Refusal as refusal:
            offset = len(body) if refusal.offset is None else refusal.offset
            answer.update(error=refusal.code, place=refusal.place, offset=offset, message=str(refusal))
            if refusal.limit:
                answer.update(limit=refusal.limit, allowed=str(asked.get("maxMemory")))
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    sys.setrecursionlimit(4000)
    if sys.argv[1:] == ["codec"]:
        sys.exit(answers())
    if sys.argv[1:] == ["--check"]:
        sys.exit(check())
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(json.dumps(Decoder(Types(conformance_schema()), bytes.fromhex(sys.argv[2])).whole(sys.argv[1]), ensure_ascii=False))
