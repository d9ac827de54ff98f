#!/usr/bin/env python3
"""A naive writer of values as XML, written straight from spec/wires/xml.md and spec/values.md.

Like its neighbour it shares no code with the compiler or with any runtime. People use it to make the XML of a vector, and the
tests use it to check that every vector still says what the specification says.

    write_xml.py conformance.values.Point '{"x": 1, "y": -2.5}'   prints the XML of a value alone
    write_xml.py --check                                          checks every vector
    write_xml.py --lines FILE.creo...                             for each line {"type", "value"}: {"xml"}, or {"error"} if XML cannot hold it
"""

import decimal
import re
import struct

from command import main
from encode import FLOATS, key

XSI = "http://www.w3.org/2001/XMLSchema-instance"
XML = "http://www.w3.org/XML/1998/namespace"
NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class UnknownMember(Exception):
    """A text wire cannot hold it (XML-25)."""


def same(a, b, single):
    try:
        return struct.pack(">f", a) == struct.pack(">f", b) if single else a == b
    except OverflowError:
        return False


def digits(value, single):
    """The shortest digits that read back, and the power of ten of the first digit (XML-11)."""
    for precision in range(17):
        # At a power of two the neighbour below is nearer than that above: the rounded digits may miss where the next ones do not.
        rounded = decimal.Decimal(f"{value:.{precision}e}")
        step = decimal.Decimal((0, (1,), rounded.adjusted() - precision))
        found = [d for d in (rounded, rounded + step, rounded - step) if same(float(d), value, single)]
        if found:
            written = f"{min(found, key=lambda d: (abs(d - decimal.Decimal(value)), d.as_tuple().digits[-1] % 2)):.{precision}e}"
            break
    mantissa, power = written.split("e")
    return mantissa.replace(".", "").rstrip("0") or "0", int(power)


def number(value, single):
    """Laid out as by ECMAScript's Number::toString (XML-11)."""
    value = FLOATS.get(value, value) if isinstance(value, str) else float(value)
    if value != value:
        return "NaN"
    if single and abs(value) != float("inf"):
        value = struct.unpack(">f", struct.pack(">f", value))[0]
    sign = "-" if struct.pack(">d", value)[0] & 128 else ""
    value = abs(value)
    if value == float("inf"):
        return sign + "INF"
    if value == 0:
        return sign + "0"
    text, power = digits(value, single)
    n, k = power + 1, len(text)
    if k <= n <= 21:
        return sign + text + "0" * (n - k)
    if 0 < n <= 21:
        return sign + text[:n] + "." + text[n:]
    if -6 < n <= 0:
        return sign + "0." + "0" * -n + text
    return sign + text[0] + ("." + text[1:] if k > 1 else "") + "e" + ("+" if power > 0 else "-") + str(abs(power))


def escape(text, quoted):
    """XML-12."""
    out = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
    return out.replace('"', "&quot;").replace("\t", "&#9;").replace("\n", "&#10;") if quoted else out


class Writer:
    def __init__(self, schema):
        self.schema = schema
        self.prefixes = {}

    def facts(self, owner, field=None):
        return self.schema.xml.get((owner, field) if field else owner, {})

    def namespace(self, owner):
        return self.facts(owner).get("namespace", self.schema.namespaces.get(self.schema.types[owner][3], ""))

    def names(self, owner):
        """Local name and namespace of the schema type."""
        return self.facts(owner).get("name", owner.rsplit(".", 1)[1]), self.namespace(owner)

    def element_namespace(self, owner, field):
        facts = self.facts(owner, field)
        if "namespace" in facts:
            return facts["namespace"]
        return "" if facts.get("attribute") or self.facts(owner).get("unqualified") else self.namespace(owner)

    def full(self, name, package):
        return name if "." in name else f"{package}.{name}"

    # The namespaces that a value can need, by its types (XML-2).
    def needs(self, kind, package, seen, found):
        if kind[0] in ("optional", "array"):
            if kind[0] == "array" and kind[1][0] == "optional":
                found.add(XSI)
            self.needs(kind[1], package, seen, found)
        elif kind[0] == "map":
            self.needs(kind[1], package, seen, found)
            self.needs(kind[2], package, seen, found)
        elif kind[0] == "name" and self.full(kind[1], package) in self.schema.types and kind[1] not in ("String",):
            self.needs_of(self.full(kind[1], package), seen, found)

    def needs_of(self, owner, seen, found):
        if owner in seen:
            return
        seen.add(owner)
        kind, _, members, package = self.schema.types[owner]
        if kind == "enum":
            return
        derived = self.facts(owner).get("derived")
        for name, member, _ in members:
            facts = self.facts(owner, name)
            if facts.get("nillable") or facts.get("text") and member[0] == "optional" or kind == "union" and member[0] == "optional":
                found.add(XSI)
            if derived:
                found.add(XSI)
                found.add(self.names(self.full(member[1], package))[1])
            elif not (facts.get("text") or facts.get("inline") or facts.get("any") or facts.get("anyAttribute") or facts.get("raw")):
                found.add(self.element_namespace(owner, name))
            self.needs(member, package, seen, found)

    def tag(self, name, namespace):
        prefix = "xml" if namespace == XML else self.prefixes.get(namespace)
        return f"{prefix}:{name}" if prefix else name

    def root(self, owner, value):
        """XML-3."""
        name, namespace = self.names(owner)
        found = {namespace}
        self.needs_of(owner, set(), found)
        xsi = XSI in found
        found -= {"", XML, XSI}
        self.prefixes = {uri: f"n{i + 1}" for i, uri in enumerate(sorted(found))}
        declared = "".join(f' xmlns:{prefix}="{escape(uri, True)}"' for uri, prefix in self.prefixes.items())
        if xsi:
            declared += f' xmlns:xsi="{XSI}"'
        return self.element(self.tag(name, namespace), declared, ("name", owner), value, {}, owner.rsplit(".", 1)[0], namespace)

    def element(self, tag, extra, kind, value, facts, package, namespace):
        attributes, inside = self.content(kind, value, facts, package, namespace)
        return f"<{tag}{extra}{attributes}>{inside}</{tag}>"

    def field(self, kind, value, facts, package, name, namespace):
        """The elements of a field."""
        if facts.get("inline"):
            values = value if kind[0] == "array" else [value]
            inner = kind[1] if kind[0] in ("array", "optional") else kind
            return "".join(self.content(inner, v, {}, package, namespace)[1] for v in values if v is not None)
        if facts.get("any") or facts.get("raw"):
            return "".join(value if kind[0] == "array" else [value or ""])
        tag = self.tag(name, namespace)
        if kind[0] == "optional":
            if value is None:
                return f'<{tag} xsi:nil="true"></{tag}>' if facts.get("nillable") else ""
            kind = kind[1]
            return self.element(tag, "", kind, value, facts, package, namespace)
        if kind[0] == "array" and not facts.get("list"):
            return "".join(self.item(tag, kind[1], v, facts, package, namespace) for v in value)
        return self.element(tag, "", kind, value, facts, package, namespace)

    def item(self, tag, kind, value, facts, package, namespace):
        if kind[0] == "optional":
            if value is None:
                return f'<{tag} xsi:nil="true"></{tag}>'
            kind = kind[1]
        return self.element(tag, "", kind, value, facts, package, namespace)

    def content(self, kind, value, facts, package, namespace):
        """Attributes and the element's content."""
        if kind[0] == "array" and not facts.get("list"):
            tag = self.tag("item", namespace)
            return "", "".join(self.item(tag, kind[1], v, facts, package, namespace) for v in value)
        if kind[0] == "map":
            entry, k, v = (self.tag(name, namespace) for name in ("entry", "key", "value"))
            out = ""
            for written, item in value.items():
                inside = self.element(k, "", kind[1], self.key(kind[1], written, package), {}, package, namespace)
                if kind[2][0] != "optional":
                    inside += self.element(v, "", kind[2], item, {}, package, namespace)
                elif item is not None:
                    inside += self.element(v, "", kind[2][1], item, {}, package, namespace)
                out += f"<{entry}>{inside}</{entry}>"
            return "", out
        if kind[0] == "name":
            owner = self.full(kind[1], package)
            if owner in self.schema.types and self.schema.types[owner][0] != "enum":
                return self.composite(owner, value)
        if facts.get("type") == "QName":
            own = {}
            text = self.qnames(value, own)
            return self.declared(own), text
        return "", escape(self.text(kind, value, facts, package), False)

    def qnames(self, value, own):
        """XML-48: the text; adds to the prefixes that the element declares."""
        if isinstance(value, list):
            return " ".join(self.qnames(item, own) for item in value)
        uri, local = value[1:].split("}") if value.startswith("{") else ("", value)
        if uri in ("", XML) or uri in self.prefixes:
            return self.tag(local, uri)
        own.setdefault(uri, f"q{len(own) + 1}")
        return f"{own[uri]}:{local}"

    def declared(self, own, already=0):
        return "".join(f' xmlns:{prefix}="{escape(uri, True)}"' for uri, prefix in list(own.items())[already:])

    def key(self, kind, written, package):
        """VAL-12; an unknown number of an extensible enum is written as its digits."""
        declared = self.schema.types.get(self.full(kind[1], package))
        return int(written) if declared and written not in declared[2] else key(kind, written)

    def composite(self, owner, value):
        kind, _, members, package = self.schema.types[owner]
        if kind == "union":
            ((member, inner),) = value.items()
            if member.startswith("#"):
                raise UnknownMember
            member_kind = next(m[1] for m in members if m[0] == member)
            facts = self.facts(owner, member)
            if self.facts(owner).get("derived"):
                attributes, inside = self.content(member_kind, inner, {}, package, "")
                name, namespace = self.names(self.full(member_kind[1], package))
                return ("" if facts.get("base") else f' xsi:type="{self.tag(name, namespace)}"') + attributes, inside
            namespace = self.element_namespace(owner, member)
            name = facts.get("name", member)
            if member_kind[0] == "array":
                return "", self.element(self.tag(name, namespace), "", member_kind, inner, facts, package, namespace)
            return "", self.field(member_kind, inner, {"nillable": True, **facts}, package, name, namespace)
        assert not set(value) - {m[0] for m in members}, f"unknown field in {value}"
        attributes, inside, own, named = "", "", {}, ""
        for name, field_kind, _ in members:
            facts, inner = self.facts(owner, name), value.get(name)
            assert name in value or field_kind[0] == "optional", f"{owner}.{name} is missing"
            namespace, local = self.element_namespace(owner, name), facts.get("name", name)
            bare = field_kind[1] if field_kind[0] == "optional" else field_kind
            if facts.get("type") == "QName" and (facts.get("attribute") or facts.get("text")):
                already = len(own)
                text = "" if inner is None else self.qnames(inner, own)
                if facts.get("text"):
                    inside, named = text, self.declared(own, already)
                elif inner is not None:
                    attributes += f' {self.tag(local, namespace)}="{text}"{self.declared(own, already)}'
            elif facts.get("attribute"):
                if inner is not None:
                    attributes += f' {self.tag(local, namespace)}="{escape(self.text(bare, inner, facts, package), True)}"'
            elif facts.get("anyAttribute"):
                attributes += self.any_attributes(inner)
            elif facts.get("text"):
                if inner is None:
                    attributes += ' xsi:nil="true"'
                else:
                    inside += escape(self.text(bare, inner, facts, package), False)
            else:
                inside += self.field(field_kind, inner, facts, package, local, namespace)
        return attributes + named, inside

    def any_attributes(self, values):
        out, own = "", {}
        for name, text in values.items():
            if name.startswith("{"):
                uri, local = name[1:].split("}")
                if uri not in self.prefixes and uri not in own and uri != XML:
                    own[uri] = f"a{len(own) + 1}"
                    out += f' xmlns:{own[uri]}="{escape(uri, True)}"'
                name = f"{own[uri]}:{local}" if uri in own else self.tag(local, uri)
            out += f' {name}="{escape(text, True)}"'
        return out

    def text(self, kind, value, facts, package):
        if kind[0] == "array":
            return " ".join(self.text(kind[1], item, facts, package) for item in value)
        if kind[0] == "bytes":
            import base64
            return base64.b64decode(value, validate=True).hex().upper() if facts.get("type") == "hexBinary" else value
        name = kind[1]
        if name == "boolean":
            return "true" if value else "false"
        if name in ("byte", "short", "int", "long"):
            return str(int(value))
        if name == "char":
            return str(value if isinstance(value, int) else ord(value))
        if name in ("float", "double"):
            return number(value, name == "float")
        if name in ("String", "Decimal"):
            return value
        if name == "DateTime":
            match = re.fullmatch(r"(.*?)(?:\.(\d+))?Z", value)
            fraction = (match.group(2) or "").ljust(9, "0")
            kept = next(n for n in (0, 3, 6, 9) if not fraction[n:].strip("0"))
            return match.group(1) + ("." + fraction[:kept] if kept else "") + "Z"
        owner = self.full(name, package)
        constants = self.schema.types[owner][2]
        if isinstance(value, int):
            known = [constant for constant, n in constants.items() if n == value]
            if not known:
                return f"#{value}"
            value = known[0]
        return self.facts(owner, value).get("name", value)


def write(schema, name, value):
    return Writer(schema).root(name, value)


if __name__ == "__main__":
    main(__doc__, "xml", write, UnknownMember, lambda written: not NOT_XML.search(written))
