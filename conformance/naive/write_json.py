#!/usr/bin/env python3
"""A naive writer of values as JSON, written straight from spec/wires/json.md and spec/values.md.

Like its neighbours it shares no code with the compiler or with any runtime. People use it to make the JSON of a vector, and the
tests use it to check that every vector still says what the specification says.

    write_json.py conformance.values.Point '{"x": 1, "y": -2.5}'   prints the JSON of a value alone
    write_json.py --check                                          checks every vector
    write_json.py --lines FILE.creo...                             for each line {"type", "value"}: {"json"}, or {"error"} if JSON cannot hold it
"""


from command import main
from encode import key
from write_xml import UnknownMember, Writer, number

ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
WORDS = {"NaN": '"NaN"', "INF": '"Infinity"', "-INF": '"-Infinity"'}
SAFE = 2**53 - 1


def text(value):
    """JSON-2."""
    return '"' + "".join(ESCAPES.get(c) or (f"\\u{ord(c):04x}" if c < " " else c) for c in value) + '"'


class JsonWriter:
    def __init__(self, schema):
        self.schema = schema
        # Types, annotations and the text of instants are the same for all text wires.
        self.xml = Writer(schema)

    def value(self, kind, value, package):
        if kind[0] == "optional":
            return "null" if value is None else self.value(kind[1], value, package)
        if kind[0] == "bytes":
            return text(value)
        if kind[0] == "array":
            return "[" + ",".join(self.value(kind[1], item, package) for item in value) + "]"
        if kind[0] == "map":
            return "{" + ",".join(f"{text(self.key(kind[1], k, package))}:{self.value(kind[2], v, package)}" for k, v in value.items()) + "}"
        name = kind[1]
        if name == "boolean":
            return "true" if value else "false"
        if name in ("byte", "short", "int"):
            return str(int(value))
        if name == "long":
            return str(int(value)) if abs(int(value)) <= SAFE else f'"{int(value)}"'
        if name in ("float", "double"):
            laid_out = number(value, name == "float")
            return WORDS.get(laid_out, laid_out)
        if name == "char":
            unit = value if isinstance(value, int) else ord(value)
            return str(unit) if 0xD800 <= unit < 0xE000 else text(chr(unit))
        if name in ("String", "Decimal"):
            return text(value)
        if name == "DateTime":
            return text(self.xml.text(kind, value, {}, package))
        return self.named(self.xml.full(name, package), value)

    def key(self, kind, written, package):
        """VAL-12."""
        if kind == ("name", "char"):
            unit = key(kind, written)
            return str(unit) if isinstance(unit, int) and 0xD800 <= unit < 0xE000 else chr(unit) if isinstance(unit, int) else unit
        declared = self.schema.types.get(self.xml.full(kind[1], package))
        if declared and written not in declared[2]:
            return self.constant(declared, int(written)).strip('"')
        return written

    def constant(self, declared, value):
        """VAL-10."""
        known = [name for name, n in declared[2].items() if n == value]
        return text(known[0] if known else value) if known or isinstance(value, str) else str(value)

    def named(self, owner, value):
        kind, _, members, package = declared = self.schema.types[owner]
        if kind == "enum":
            return self.constant(declared, value)
        if kind == "union":
            ((member, inner),) = value.items()
            if member.startswith("#"):
                raise UnknownMember
            return "{" + text(member) + ":" + self.value(next(m[1] for m in members if m[0] == member), inner, package) + "}"
        assert not set(value) - {m[0] for m in members}, f"unknown field in {value}"
        out = []
        for name, field, _ in sorted(members, key=lambda m: not self.xml.facts(owner, m[0]).get("attribute")):
            assert name in value or field[0] == "optional", f"{owner}.{name} is missing"
            if value.get(name) is not None:
                out.append(text(name) + ":" + self.value(field, value[name], package))
        return "{" + ",".join(out) + "}"


def write(schema, name, value):
    return JsonWriter(schema).named(name, value)


if __name__ == "__main__":
    main(__doc__, "json", write, UnknownMember)
