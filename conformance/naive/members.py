#!/usr/bin/env python3
"""Texts in which one member is missing, unknown or null, and what a reader makes of them, straight from spec/wires/json.md and spec/wires/xml.md.

    members.py --lines FILE.creo...   for each line {"type", "value", "seed"}: {"members": [{"wire", "what", "text", "value", "encoded"}]},
                                      or with "error" and "place" for what must be refused; {"error"} if no text can hold the value
    members.py --check                checks the worked examples

The value is in the notation of spec/values.md; the seed says which member of it is changed.
"""

import copy
import json
import random
import sys

from checks import Failures, closing
from decode import literal
from encode import Schema
from write_json import JsonWriter
from write_xml import NOT_XML, XSI, UnknownMember, Writer

# No name of a description has a hyphen.
UNKNOWN_JSON = ['"un-known":null', '"un-known":1', '"un-known":{"a":[1,null,{"b":"\\u0041"}],"un-known":true}']
UNKNOWN_ELEMENTS = ["<un-known></un-known>", '<u:x xmlns:u="urn:u"/>', '<u:x xmlns:u="urn:u" u:a="1" b="2"><b>text<c/></b><!-- c --> <![CDATA[<]]></u:x>']
UNKNOWN_ATTRIBUTE, FOREIGN_ATTRIBUTE = ' un-known="1"', ' xmlns:u="urn:u" u:x="1"'


class Null:
    """Where a null is written, whatever the type."""

    def __deepcopy__(self, memo):
        return self


NULL = Null()


class Changed(dict):
    """A struct or union with something unknown in it."""

    def __init__(self, value, at_end, inside="", attribute=""):
        super().__init__(value)
        self.at_end, self.inside, self.attribute = at_end, inside, attribute

    def around(self, text, separator=""):
        parts = [text, self.inside] if self.at_end else [self.inside, text]
        return separator.join(filter(None, parts))


class Marked:
    """A value whose element has an attribute that is unknown; not a struct or union."""

    def __init__(self, value):
        self.value = value


class Xml(Writer):
    def field(self, kind, value, facts, package, name, namespace):
        tag = self.tag(name, namespace)
        if value is NULL:
            return self.element(tag, "", kind, value, facts, package, namespace)
        if value is None and kind[0] != "optional":
            return ""
        return super().field(kind, value, facts, package, name, namespace)

    def element(self, tag, extra, kind, value, facts, package, namespace):
        if value is NULL:
            declared = "" if "xmlns:xsi" in extra else f' xmlns:xsi="{XSI}"'
            return f'<{tag}{extra}{declared} xsi:nil="true"></{tag}>'
        if isinstance(value, Marked):
            extra, value = extra + UNKNOWN_ATTRIBUTE, value.value
        return super().element(tag, extra, kind, value, facts, package, namespace)

    def composite(self, owner, value):
        if self.schema.types[owner][0] == "union" and not value:
            return "", ""
        attributes, inside = super().composite(owner, value)
        if isinstance(value, Changed):
            return attributes + value.attribute, value.around(inside)
        return attributes, inside


class Json(JsonWriter):
    def value(self, kind, value, package):
        return "null" if value is NULL else super().value(kind, value, package)

    def named(self, owner, value):
        if value is NULL:
            return "null"
        if self.schema.types[owner][0] == "union" and not value:
            return "{}"
        text = super().named(owner, value)
        return "{" + value.around(text[1:-1], ",") + "}" if isinstance(value, Changed) else text


class Place:
    """A value within the whole: its path, how to get there, and the type that declares it as a member, if it is one."""

    def __init__(self, text, steps, kind, package, holder=None):
        self.text, self.steps, self.kind, self.package, self.holder = text, steps, kind, package, holder

    def inner(self, text, step, kind):
        return Place(self.text + text, [*self.steps, step], kind, self.package)

    def member(self, name, kind, holder, package):
        return Place(f"{self.text}.{name}", [*self.steps, name], kind, package, holder)


class Members:
    def __init__(self, schema):
        self.schema = schema
        self.facts = Writer(schema).facts

    def owner(self, place):
        """The struct, exception or union that a place has; None for another value."""
        kind = place.kind[1] if place.kind[0] == "optional" else place.kind
        if kind[0] != "name":
            return None
        full = Writer.full(None, kind[1], place.package)
        return full if full in self.schema.types and self.schema.types[full][0] != "enum" else None

    def walk(self, place, value):
        """Every value within one, from the outside."""
        yield place, value
        kind = place.kind[1] if place.kind[0] == "optional" else place.kind
        if value is None:
            return
        if kind[0] == "array":
            for i, item in enumerate(value):
                yield from self.walk(place.inner(f"[{i}]", i, kind[1]), item)
        elif kind[0] == "map":
            for i, (key, item) in enumerate(value.items()):
                yield from self.walk(place.inner(f"{{{i}}}.value", key, kind[2]), item)
        elif owner := self.owner(place):
            sort, _, members, package = self.schema.types[owner]
            for name, inner, _ in members:
                if name in value or inner[0] == "optional" and sort != "union":
                    yield from self.walk(place.member(name, inner, owner, package), value.get(name))

    def change(self, whole, place, put):
        """The whole with another value at a place."""
        if not place.steps:
            return put
        changed = copy.deepcopy(whole)
        holder = changed
        for step in place.steps[:-1]:
            holder = holder[step]
        holder[place.steps[-1]] = put
        return changed

    def structs(self, name, whole):
        """The places that have members, with the type that declares them and the value."""
        for place, value in self.walk(Place("$", [], ("name", name), ""), whole):
            if value is not None and (owner := self.owner(place)):
                yield place, owner, value

    def fields(self, name, whole):
        """Every field of every struct: its place, those of the struct, and what is declared."""
        for place, owner, _ in self.structs(name, whole):
            sort, extensible, members, package = self.schema.types[owner]
            if sort != "union":
                for field, kind, default in members:
                    yield place, extensible, place.member(field, kind, owner, package), default

    # Each of these gives (wire, what, whole to write, whole that is read or None, place of the error).

    def missing(self, chosen, whole):
        """JSON-11, XML-20, XML-22, XML-31."""
        struct, extensible, field, default = chosen
        for wire in ("json", "xml"):
            read = self.without(wire, extensible, field, default)
            yield wire, f"without {field.text}", self.change(whole, field, None), read and self.change(whole, field, read[0]), struct.text

    def without(self, wire, extensible, field, default):
        """What a field is that is not there, in a list; None if it must be."""
        if default and (extensible or self.is_attribute(field)):
            return [literal(field.kind, default)]
        if field.kind[0] == "optional":
            return [None]
        return [[]] if wire == "xml" and field.kind[0] == "array" else None

    def emptied(self, chosen, whole):
        """VAL-11, XML-25."""
        place, _, _ = chosen
        for wire in ("json", "xml"):
            yield wire, f"nothing in {place.text}", self.change(whole, place, {}), None, place.text

    def extra(self, chosen, whole, choice):
        """JSON-11, XML-20, XML-25, XML-26."""
        place, owner, value = chosen
        sort, extensible, _, _ = self.schema.types[owner]
        skipped = whole if extensible and sort != "union" else None
        at_end = choice.random() < 0.5

        def case(wire, what, read, **how):
            return wire, f"{what} in {place.text}", self.change(whole, place, Changed(copy.deepcopy(value), at_end, **how)), read, place.text

        yield case("json", "an unknown member", skipped, inside=choice.choice(UNKNOWN_JSON))
        yield case("xml", "an unknown element", skipped, inside=choice.choice(UNKNOWN_ELEMENTS))
        yield case("xml", "an unknown attribute", whole if extensible else None, attribute=UNKNOWN_ATTRIBUTE)
        yield case("xml", "an attribute of another namespace", whole, attribute=FOREIGN_ATTRIBUTE)

    def marked(self, chosen, whole):
        """XML-26."""
        place, value = chosen
        kind = place.kind[1] if place.kind[0] == "optional" else place.kind
        full = Writer.full(None, kind[1], place.package) if kind[0] == "name" else ""
        extensible = full in self.schema.types and self.schema.types[full][1]
        yield "xml", f"an attribute at {place.text}", self.change(whole, place, Marked(value)), whole if extensible else None, place.text

    def plain(self, name, whole):
        """The values with an element of their own that are no structs or unions."""
        for place, value in self.walk(Place("$", [], ("name", name), ""), whole):
            if value is not None and not self.owner(place) and not self.is_attribute(place) and not self.is_repeated(place):
                yield place, value

    def null(self, place, whole):
        """JSON-11, XML-21, XML-22."""
        read = self.change(whole, place, None) if place.kind[0] == "optional" else None
        yield "json", f"null at {place.text}", self.change(whole, place, NULL), read, place.text
        if self.is_attribute(place):
            return
        where = place.text
        if self.is_repeated(place):
            # An element of the array's name is an item.
            read, where = self.change(whole, place, [None]) if place.kind[1][0] == "optional" else None, f"{place.text}[0]"
        yield "xml", f"nil at {place.text}", self.change(whole, place, NULL), read, where

    def is_repeated(self, place):
        """XML-22."""
        return place.kind[0] == "array" and place.holder and self.schema.types[place.holder][0] != "union"

    def is_attribute(self, place):
        return place.holder and self.facts(place.holder, place.steps[-1]).get("attribute")

    def cases(self, name, whole, seed):
        choice = random.Random(seed)
        structs, fields, plain = (list(found(name, whole)) for found in (self.structs, self.fields, self.plain))
        with_defaults = [field for field in fields if field[3]]
        unions = [chosen for chosen in structs if self.schema.types[chosen[1]][0] == "union"]
        for some in filter(None, (fields, with_defaults)):
            yield from self.missing(choice.choice(some), whole)
        if unions:
            yield from self.emptied(choice.choice(unions), whole)
        if structs:
            yield from self.extra(choice.choice(structs), whole, choice)
        if plain:
            yield from self.marked(choice.choice(plain), whole)
        place, _ = choice.choice(list(self.walk(Place("$", [], ("name", name), ""), whole)))
        yield from self.null(place, whole)


def written(schema, wire, name, value):
    """The text of a value, or None if XML cannot hold it."""
    if wire == "json":
        return Json(schema).named(name, value)
    text = Xml(schema).root(name, value)
    return None if NOT_XML.search(text) else text


def answer(schema, name, whole, seed):
    found = []
    for wire, what, changed, read, place in Members(schema).cases(name, whole, seed):
        text = written(schema, wire, name, changed)
        if text is None:
            continue
        case = {"wire": wire, "what": what, "text": text}
        if read is None:
            found.append({**case, "error": "malformed", "place": place})
        elif (encoded := written(schema, wire, name, read)) is not None:
            found.append({**case, "value": read, "encoded": encoded})
    return found


def lines(files):
    schema = Schema(open(file, encoding="utf-8").read() for file in files)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            told = {"members": answer(schema, asked["type"], asked["value"], asked["seed"])}
        except UnknownMember:
            told = {"error": "invalid-value"}
        print(json.dumps(told), flush=True)


WORKED = """
extensible struct Open { int a; int b = 7; int[] c = {}; int? d; }
struct Closed { int a; int b = 7; int[] c; int? d; @Xml(attribute) int e = 3; Either f; Open? g; Map<String, int?> h; int?[] i; Grade j; Grows k; }
union Either { int one; int[] many; String? none; }
extensible union Grows { int one; }
extensible enum Grade { LOW, HIGH }
"""


def check():
    """All that can be asked of one value, by what is changed."""
    schema, failures = Schema([WORKED]), Failures()
    whole = {"a": 1, "b": 2, "c": [3], "d": 4, "e": 5, "f": {"many": [6]}, "g": {"a": 1, "b": 2, "c": []}, "h": {"k": 1}, "i": [1, None], "j": "LOW", "k": {"one": 1}}
    found = {}
    for seed in range(1000):
        for case in answer(schema, "service.Closed", whole, seed):
            outcome = {"refused at": case["place"]} if "error" in case else {k: v for k, v in case["value"].items() if whole[k] != v}
            found[f"{case['wire']}: {case['what']}"] = outcome
    due = {
        "json: without $.a": {"refused at": "$"},
        "xml: without $.a": {"refused at": "$"},
        "json: without $.b": {"refused at": "$"},
        "json: without $.c": {"refused at": "$"},
        "xml: without $.c": {"c": []},
        "json: without $.d": {"d": None},
        "xml: without $.d": {"d": None},
        "json: without $.e": {"e": 3},
        "xml: without $.e": {"e": 3},
        "json: without $.g.a": {"refused at": "$.g"},
        "xml: without $.g.b": {"g": {"a": 1, "b": 7, "c": []}},
        "json: without $.g.c": {},
        "json: nothing in $.f": {"refused at": "$.f"},
        "xml: an unknown element in $": {"refused at": "$"},
        "xml: an unknown element in $.f": {"refused at": "$.f"},
        "xml: an unknown element in $.g": {},
        "json: an unknown member in $.g": {},
        "json: an unknown member in $": {"refused at": "$"},
        "xml: an unknown attribute in $": {"refused at": "$"},
        "xml: an unknown attribute in $.g": {},
        "xml: an unknown attribute in $.f": {"refused at": "$.f"},
        "xml: an unknown attribute in $.k": {},
        "xml: an unknown element in $.k": {"refused at": "$.k"},
        "xml: an attribute of another namespace in $": {},
        "xml: an attribute at $.a": {"refused at": "$.a"},
        "xml: an attribute at $.f.many": {"refused at": "$.f.many"},
        "xml: an attribute at $.h": {"refused at": "$.h"},
        "xml: an attribute at $.j": {},
        "json: null at $": {"refused at": "$"},
        "xml: nil at $": {"refused at": "$"},
        "xml: nil at $.a": {"refused at": "$.a"},
        "json: null at $.c": {"refused at": "$.c"},
        "xml: nil at $.c": {"refused at": "$.c[0]"},
        "xml: nil at $.i": {"i": [None]},
        "json: null at $.i": {"refused at": "$.i"},
        "xml: nil at $.f.many": {"refused at": "$.f.many"},
        "xml: nil at $.h{0}.value": {"h": {"k": None}},
        "json: null at $.e": {"refused at": "$.e"},
        "xml: nil at $.g": {"g": None},
    }
    for what, outcome in due.items():
        if found.get(what) != outcome:
            failures.append(f"{what}: {found.get(what)} instead of {outcome}")
    for what in ("nil", "an attribute"):
        if f"xml: {what} at $.e" in found:
            failures.append(f"{what} on an attribute")
    return closing(len(due) + 2, failures)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--lines"]:
        sys.exit(lines(sys.argv[2:]))
    if sys.argv[1:] == ["--check"]:
        sys.exit(check())
    sys.exit(__doc__)
