#!/usr/bin/env python3
"""What a value is charged in memory, written straight from the tables of spec/limits.md (LIM-18). The bytes of the body come on top.

It shares no code with the compiler or with any runtime. The tests use it to ask every language for every vector with exactly the memory that it
takes, and with one byte less.

    memory.py conformance.values.Arrays '{...}'   prints the charge of a value on the binary wire, and on text wires
    memory.py --check                             checks the worked example
    memory.py --lines FILE.creo...                for each line {"type", "value"}: {"charge": {"binary": N, "text": N}}
"""

import sys

import command
from checks import Failures, closing
from encode import Schema

NUMBERS = {"boolean": 1, "byte": 1, "short": 2, "char": 2, "int": 4, "float": 4, "long": 8, "double": 8}
MOST = 2**31 - 1


class Memory:
    def __init__(self, schema):
        self.schema = schema
        self.weights = {}

    def full(self, name, package):
        return name if "." in name else f"{package}.{name}"

    # Weights

    def fixed(self, kind, package):
        """The size of values if all have the same on the binary wire, else None."""
        if kind[0] != "name":
            return None
        if kind[1] in NUMBERS:
            return NUMBERS[kind[1]]
        if kind[1] in ("String", "Decimal"):
            return None
        if kind[1] == "DateTime":
            return 12
        sort, extensible, members, package = self.schema.types[self.full(kind[1], package)]
        if extensible or sort == "union":
            return None
        if sort == "enum":
            return 1 if all(number < 128 for number in members.values()) else None
        sizes = [self.fixed(member, package) for _, member, _ in members]
        return None if None in sizes else sum(sizes)

    def weight(self, kind, package):
        if kind[0] == "optional":
            return 0
        if kind[0] == "bytes":
            return 32
        if kind[0] == "array":
            return 128 if self.bulk(kind[1]) else 64
        if kind[0] == "map":
            return 96
        if kind[1] in NUMBERS:
            return 0
        if kind[1] in ("String", "DateTime"):
            return 32
        return 64 if kind[1] == "Decimal" else self.named(self.full(kind[1], package))

    def named(self, name):
        if name not in self.weights:
            self.weights[name] = min(MOST, self.declared(name))
        return self.weights[name]

    def declared(self, name):
        sort, extensible, members, package = self.schema.types[name]
        if sort == "enum":
            return 32 if extensible else 0
        if sort == "union":
            return 32
        kinds = [kind for _, kind, _ in members]
        if self.fixed(("name", name), package) is None:
            return 40 + sum(8 + self.weight(kind, package) for kind in kinds)
        return 16 + sum(self.within_fixed(kind, package) for kind in kinds)

    def within_fixed(self, kind, package):
        if kind[1] in NUMBERS:
            return NUMBERS[kind[1]]
        if kind[1] == "DateTime" or self.schema.types[self.full(kind[1], package)][0] != "enum":
            return self.weight(kind, package)
        return 1

    @staticmethod
    def bulk(item):
        return item[0] == "name" and item[1] in NUMBERS

    # Charges

    def charge(self, kind, value, package, text):
        if kind[0] == "optional":
            return 0 if value is None else max(16, self.weight(kind[1], package)) + self.charge(kind[1], value, package, text)
        if kind[0] == "array":
            if self.bulk(kind[1]):
                return len(value) * NUMBERS[kind[1][1]] if text else 0
            return sum(8 + self.weight(kind[1], package) + self.charge(kind[1], item, package, text) for item in value)
        if kind[0] == "map":
            each = 64 + self.weight(kind[1], package) + self.weight(kind[2], package)
            return sum(each + self.charge(kind[2], item, package, text) for item in value.values())
        if kind[0] == "bytes" or kind[1] in NUMBERS or kind[1] in ("String", "DateTime", "Decimal"):
            return 0
        return self.within(self.full(kind[1], package), value, text)

    def within(self, name, value, text):
        """The charge of a declared type's value for its content."""
        sort, _, members, package = self.schema.types[name]
        if sort == "enum":
            return 0
        if sort == "union":
            ((member, inner),) = value.items()
            if member.startswith("#"):
                return 32
            kind = next(kind for declared, kind, _ in members if declared == member)
            return self.weight(kind, package) + self.charge(kind, inner, package, text)
        return sum(self.charge(kind, value.get(field), package, text) for field, kind, _ in members)


def write(schema, name, value):
    memory = Memory(schema)
    return {"binary": memory.within(name, value, False), "text": memory.within(name, value, True)}


WORKED = """
struct Point { double x; short y; }
struct Note { String text; Point? at; }
struct Notes { Note[] notes; }
"""


def check():
    schema = Schema([WORKED])
    memory = Memory(schema)
    notes = {"notes": [{"text": "a"}, {"text": "b", "at": {"x": 1, "y": 2}}, {"text": "c"}]}
    cases = [
        ("the weight of Point", memory.named("service.Point"), 26),
        ("the weight of Note", memory.named("service.Note"), 88),
        ("the worked example", 100 + memory.within("service.Notes", notes, False), 414),
        ("the same on text wires", 100 + memory.within("service.Notes", notes, True), 414),
    ]
    failures = Failures()
    for name, found, due in cases:
        if found != due:
            failures.append(f"{name}: {found} instead of {due}")
    return closing(len(cases), failures)


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(check())
    command.main(__doc__, "charge", write, AssertionError)
