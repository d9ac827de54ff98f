#!/usr/bin/env python3
"""A naive writer of values as tables, written straight from spec/wires/tdxml.md.

Like its neighbours it shares no code with the compiler or with any runtime; the text of a scalar is that of write_xml.py, since it is
the same by the specification. People use it to make the document of a vector, and the tests use it to check that every vector
still says what the specification says.

    write_tdxml.py TYPE VALUE                 prints the document in the record scheme
    write_tdxml.py --aggregated TYPE VALUE    in the aggregated scheme
    write_tdxml.py --schema TYPE VALUE        in the record scheme, with the data schema
    write_tdxml.py --update TYPE OLD NEW      prints the update from one value to another
    write_tdxml.py --check                    checks every vector
    write_tdxml.py --lines FILE.creo...       for each line {"type", "value"}: {"record", "aggregated", "schema"}, or {"error"} if no table can hold it;
                                              with "new" beside the value also {"second", "update"}: that as a table, and the update to it
"""

import json
import re
import sys

from checks import Failures, closing
from encode import ROOT, Schema, conformance_schema
from write_xml import NOT_XML, UnknownMember, Writer

NOTATION = """
    ATTRIBUTE Boolean CHOICE COMMENT DateTime Decimal Enumerated INDENTED INSTRUCTION Integer MIXED OF OPTIONAL OctetString Real SEQUENCE SET TEXT
    UTF8String
""".split()
SCALARS = {
    "boolean": "Boolean", "byte": "Integer", "short": "Integer", "int": "Integer", "long": "Integer", "char": "Integer",
    "float": "Real", "double": "Real", "String": "UTF8String", "DateTime": "DateTime", "Decimal": "Decimal",
}
ESCAPES = {"\n": "\\n", "\r": "\\r", "|": "\\|", "\\": "\\\\", "&": "\\a", "<": "\\l", ">": "\\g"}


class InvalidValue(Exception):
    """XML does not allow a character of it (TDX-12)."""


def escape(text):
    """TDX-12."""
    if NOT_XML.search(text):
        raise InvalidValue
    escaped = re.sub(r"[\n\r|\\&<>]", lambda m: ESCAPES[m.group()], text)
    return "\\" + escaped if escaped.startswith("~") else escaped


class Tables:
    def __init__(self, schema):
        self.schema = schema
        self.xml = Writer(schema)

    def declared(self, kind, package):
        """The struct, exception or union of a type, by its full name; None for all else."""
        if kind[0] == "name":
            full = self.xml.full(kind[1], package)
            if kind[1] not in SCALARS and self.schema.types[full][0] != "enum":
                return full
        return None

    def is_scalar(self, kind, facts, package):
        """TDX-20."""
        if kind[0] == "array":
            return bool(facts.get("list"))
        return kind[0] == "bytes" or kind[0] == "name" and self.declared(kind, package) is None

    def numbered(self, owner):
        """The fields, attributes first, each with the number after its parent's index (TDX-11, TDX-21)."""
        attributes, others, elements = [], [], 0
        for name, kind, default in self.schema.types[owner][2]:
            facts = self.xml.facts(owner, name)
            if facts.get("attribute"):
                attributes.append((f"({len(attributes)})", name, kind, facts))
            elif facts.get("text"):
                others.append(("", name, kind, facts))
            else:
                others.append((f"[{elements}]", name, kind, facts))
                elements += 1
        return attributes + others


class TableWriter(Tables):
    """Rows in schema order, each without its LF."""

    def __init__(self, schema, record):
        super().__init__(schema)
        self.record = record

    def scalar(self, kind, value, facts, package):
        return "|" + escape(self.xml.text(kind, value, facts, package))

    def element(self, index, kind, value, facts, package):
        """The rows at and below the index of a present value."""
        if self.is_scalar(kind, facts, package):
            return [index + self.scalar(kind, value, facts, package)]
        if kind[0] == "array":
            rows = self.items(index + "[0]", kind[1], value, facts, package)
        elif kind[0] == "map":
            rows = []
            for k, (written, item) in enumerate(value.items()):
                of_key = ("[0]", kind[1], self.xml.key(kind[1], written, package), {})
                rows += self.columns(f"{index}[0]{k}", [of_key, ("[1]", kind[2], item, {"wrapped": True})], package)
        else:
            rows = self.composite(index, self.declared(kind, package), value)
        return rows or [index]

    def items(self, index, kind, values, facts, package):
        inner = kind[1] if kind[0] == "optional" else kind
        if self.record and values and self.is_scalar(inner, facts, package):
            return [index + "".join("|~" if v is None else self.scalar(inner, v, facts, package) for v in values)]
        return [row for k, v in enumerate(values) for row in self.item(f"{index}{k}", kind, v, facts, package)]

    def item(self, index, kind, value, facts, package):
        if value is None:
            return [index + "~"]
        return self.element(index, kind[1] if kind[0] == "optional" else kind, value, facts, package)

    def field(self, index, kind, value, facts, package):
        if value is None:
            return []
        if kind[0] == "array" and not facts.get("list") and not facts.get("wrapped"):
            return self.items(index, kind[1], value, facts, package)
        return self.element(index, kind[1] if kind[0] == "optional" else kind, value, facts, package)

    def columns(self, index, fields, package):
        """A struct, or an entry: in the record scheme its scalars are columns of its row (TDX-30)."""
        own, beneath = "", []
        if self.record:
            scalars = [(k, v, f) for _, k, v, f in fields if self.is_scalar(k[1] if k[0] == "optional" else k, f, package)]
            while scalars and scalars[-1][1] is None:
                scalars.pop()
            own = "".join("|~" if v is None else self.scalar(k[1] if k[0] == "optional" else k, v, f, package) for k, v, f in scalars)
        for number, kind, value, facts in fields:
            bare = kind[1] if kind[0] == "optional" else kind
            if not (self.record and self.is_scalar(bare, facts, package)):
                beneath.append(self.field(index + number, kind, value, facts, package))
        # The row of a text comes before those of attributes (TDX-13).
        rows = [row for block in sorted(beneath, key=lambda block: block[:1] != [] and not block[0].startswith(index + "|")) for row in block]
        return [index + own] * bool(own) + rows

    def composite(self, index, owner, value):
        kind, _, members, package = self.schema.types[owner]
        if kind == "union":
            ((member, inner),) = value.items()
            if member.startswith("#"):
                raise UnknownMember
            number = [m[0] for m in members].index(member)
            return self.item(f"{index}[{number}]", members[number][1], inner, self.xml.facts(owner, member), package)
        assert not set(value) - {m[0] for m in members}, f"unknown field in {value}"
        for name, field, _ in members:
            assert name in value or field[0] == "optional", f"{owner}.{name} is missing"
        return self.columns(index, [(number, field, value.get(name), facts) for number, name, field, facts in self.numbered(owner)], package)


def quoted(name):
    """A name as a schema says it: one that is a word of its notation, in quotes (TDX-41)."""
    return f'"{name}"' if name in NOTATION else name


class SchemaWriter(Tables):
    """The data schema of a type (TDX-41, TDX-42), a definition a line."""

    def write(self, root):
        self.named, self.queue = {root: 0}, [root]
        for owner in self.queue:
            self.definition(owner, lambda of: of)
        simple = [name.rsplit(".", 1)[1] for name in self.queue]
        names = {name: name if simple.count(short) > 1 else quoted(short) for name, short in zip(self.queue, simple)}
        return [f"{names[owner]} [{self.named[owner]}] ::= {self.definition(owner, names.get)}" for owner in self.queue]

    def definition(self, owner, shown):
        kind, _, members, package = self.schema.types[owner]
        if kind == "enum":
            return "Enumerated"
        if kind == "union":
            inside = []
            for i, (name, member, _) in enumerate(members):
                facts = {**self.xml.facts(owner, name), "wrapped": True}
                inside.append(f"{quoted(name)} [{i}] {self.member(member, facts, package, i, shown)}")
            return "CHOICE {" + ", ".join(inside) + "}"
        fields = self.numbered(owner)
        if len(fields) == 1 and fields[0][2][0] == "array":
            name, item = fields[0][1], fields[0][2][1]
            item = item[1] if item[0] == "optional" else item
            of = self.declared(item, package)
            if of and of.rsplit(".", 1)[1] == name:
                return "SET OF " + self.type(item, {}, package, 0, shown)
        inside = []
        for place, name, field, facts in fields:
            sort = " [ATTRIBUTE]" if place.startswith("(") else ""
            number = int(place[1:-1]) if place else 0
            inside.append(f"{quoted(name)} {place or 'TEXT'}{sort} {self.member(field, facts, package, number, shown)}")
        return "SEQUENCE OF {" + ", ".join(inside) + "}"

    def member(self, kind, facts, package, number, shown):
        if kind[0] == "optional":
            return self.type(kind[1], {**facts, "wrapped": True}, package, number, shown) + " OPTIONAL"
        return self.type(kind, facts, package, number, shown)

    def type(self, kind, facts, package, number, shown):
        """`number` is that of the field that holds it all."""
        if kind[0] == "optional":
            kind = kind[1]
        if kind[0] == "bytes":
            return "OctetString"
        if kind[0] == "array":
            if facts.get("list"):
                return "UTF8String"
            items = "SET OF " + self.type(kind[1], {**facts, "wrapped": True}, package, number, shown)
            return "SEQUENCE OF {item [0] " + items + "}" if facts.get("wrapped") else items
        if kind[0] == "map":
            inside = [self.type(kind[1], {}, package, number, shown), self.member(kind[2], {"wrapped": True}, package, number, shown)]
            return f"SEQUENCE OF {{entry [0] SET OF SEQUENCE OF {{key [0] {inside[0]}, value [1] {inside[1]}}}}}"
        owner = self.declared(kind, package)
        if owner is None:
            return SCALARS.get(kind[1], "Enumerated")
        if owner not in self.named:
            self.named[owner] = number
            self.queue.append(owner)
        return shown(owner)


def write(schema, name, value, aggregated=False, with_schema=False):
    """TDX-2, TDX-3."""
    table = "CT" if aggregated else "RT"
    rows = TableWriter(schema, not aggregated).element("[0]", ("name", name), value, {}, name.rsplit(".", 1)[0])
    described = "".join(["<DS>\n", *(line + "\n" for line in SchemaWriter(schema).write(name)), "</DS>"]) if with_schema else ""
    return f'<Env xmlns="urn:creo:tdxml" of="{name}">{described}<{table}>\n' + "".join(row + "\n" for row in rows) + f"</{table}></Env>"


ELEMENT = re.compile(r"\[(\d+)\](\d*)|\((\d+)\)")


def path(row):
    """The elements of a row's index, each as (0 of an attribute or 1, number, occurrence or -1): they compare in schema order (TDX-13)."""
    found, at = [], 0
    while match := ELEMENT.match(row, at):
        number, occurrence, attribute = match.groups()
        found.append((0, int(attribute), -1) if attribute else (1, int(number), int(occurrence) if occurrence else -1))
        at = match.end()
    return tuple(found)


def index(elements):
    """The index that path() takes apart."""
    out = ""
    for is_element, number, occurrence in elements:
        out += f"[{number}]{'' if occurrence < 0 else occurrence}" if is_element else f"({number})"
    return out


def update(schema, name, old, new):
    """The update from one value to another (TDX-46), its rows in schema order."""
    writer = TableWriter(schema, record=False)
    before, after = (writer.element("[0]", ("name", name), value, {}, name.rsplit(".", 1)[0]) for value in (old, new))
    left = {elements[:n] for elements in map(path, after) for n in range(1, len(elements) + 1)}
    gone = {elements[:n] for elements in map(path, before) for n in range(1, len(elements) + 1)} - left
    topmost = {elements for elements in gone if elements[:-1] in left}
    first = {e for e in topmost if e[-1][2] < 1 or (*e[:-1], (*e[-1][:2], e[-1][2] - 1)) not in topmost}
    # A text whose element stays is said to be nothing.
    kept = {path(row) for row in after if row != index(path(row))}
    silent = {path(row) for row in before if "|" in row and path(row) in left} - kept
    rows = [row for row in after if row not in before and path(row) not in silent]
    rows += [index(elements) + "-" for elements in first] + [index(elements) + "~" for elements in silent]
    return f'<Env xmlns="urn:creo:tdxml" of="{name}"><UT>\n' + "".join(row + "\n" for row in sorted(rows, key=path)) + "</UT></Env>"


FORMS = {"record": {}, "aggregated": {"aggregated": True}, "schema": {"with_schema": True}}


def tried(write, *arguments, **options):
    """The output of a function, or its error, which no vector contains."""
    try:
        return write(*arguments, **options)
    except Exception as defect:
        return f"{type(defect).__name__}: {defect}"


def check():
    schema, failures, checked = conformance_schema(), Failures(), 0
    for file in sorted((ROOT / "vectors" / "tdxml").glob("*.json")):
        for vector in json.loads(file.read_text(encoding="utf-8"))["vectors"]:
            for form, options in FORMS.items():
                if form in vector:
                    checked += 1
                    written = tried(write, schema, vector["type"], vector["value"], **options)
                    if written != vector[form]:
                        failures.append(f"{file.name} {vector['id']} {form}: {written}")
    for file in sorted((ROOT / "vectors" / "updates").glob("*.json")):
        for vector in json.loads(file.read_text(encoding="utf-8"))["vectors"]:
            checked += 1
            written = tried(update, schema, vector["type"], vector["value"], vector["new"])
            if "read" not in vector and written != vector["update"]:
                failures.append(f"{file.name} {vector['id']}: {written}")
    return closing(checked, failures)


def lines(files):
    schema = Schema(open(file, encoding="utf-8").read() for file in files)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            answer = {form: write(schema, asked["type"], asked["value"], **options) for form, options in FORMS.items()}
            if "new" in asked:
                answer["second"] = write(schema, asked["type"], asked["new"])
                answer["update"] = update(schema, asked["type"], asked["value"], asked["new"])
        except (UnknownMember, InvalidValue):
            answer = {"error": "invalid-value"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--lines"]:
        sys.exit(lines(sys.argv[2:]))
    if sys.argv[1:] == ["--check"]:
        sys.exit(check())
    if sys.argv[1:2] == ["--update"] and len(sys.argv) == 5:
        print(update(conformance_schema(), sys.argv[2], json.loads(sys.argv[3]), json.loads(sys.argv[4])))
        sys.exit()
    form = sys.argv.pop(1)[2:] if sys.argv[1:2] in (["--aggregated"], ["--schema"], ["--record"]) else "record"
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(write(conformance_schema(), sys.argv[1], json.loads(sys.argv[2]), **FORMS[form]))
