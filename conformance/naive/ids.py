#!/usr/bin/env python3
"""Method ids and fingerprints, naively: straight from spec/model.md, section 1.

It shares no code with the compiler. Which types reach one another is found by walking from every type, without any algorithm of note.

    ids.py FILE...              prints the ids of all methods of the interfaces in the files, which import one another
    ids.py --write              writes conformance/ids.json, those of the cases below
    ids.py --check              checks the worked example, and that conformance/ids.json holds what --write would write
"""

import hashlib
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = ROOT / "ids.json"
TOKEN = re.compile(r"""\s+|//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|-?[\w.]+|.)""", re.S)
SCALARS = set("boolean byte short char int long float double String DateTime Decimal void".split())

# Nested cycles, types named before and after them, and types used in an extensible type.
CASES = [
    "struct A { B[] b; D d; } struct B { C[] c; } struct C { A[] a; B[] b; E e; } struct D { E e; } enum E { X, Y = 7 } "
    "interface I { void all(A a); C some(E e); D none(B b, C c); oneway void nothing(); }",
    "struct A { A[] a; Z z; } extensible struct Z { A[] a; Hidden h; } struct Hidden { int i; } struct B { Map<String, A?[]> m; byte[] raw; } "
    "interface I { B b(A a, Z z); Hidden h(); }",
    "struct S1 { S2[] next; } struct S2 { S3? next; } struct S3 { S1[] next; T4 out; } struct T4 { U5 u; } union U5 { T4[] t; int end; } "
    "extensible exception X { S1 s; } exception Y { S1 s; } struct a { Z z; } struct Z { int i; } struct _b { a a; } "
    "interface I { S1 m(); T4 n() throws X, Y; void o(a a, Z z, _b b); } interface J { S1 m(); }",
    "struct Zeta { Alpha[] a; beta? b; } struct beta { Zeta[] z; } struct Alpha { Zeta? z; Out o; } enum Out { X = 1 } interface I { Zeta z(beta b); }",
    "struct T { int i; } struct U { T[] t; } exception X { U u; } interface I { stream T out(int count) throws X; T in(int count, stream U? us); "
    "stream byte[] both(stream Map<String, T> maps); stream byte bytes(stream byte bytes); void none(stream double[] d); T[] plain(T stream); }",
]


class Description:
    """The types and interfaces of some files, by full name. Supports only the parts of the language that the conformance schemas use."""

    def __init__(self, texts):
        self.types, self.interfaces = {}, {}
        for text in texts:
            self.tokens = [m.group(1) for m in TOKEN.finditer(text) if m.group(1)]
            self.package = "service"
            while self.tokens:
                self.declaration()

    def take(self, expected=None):
        token = self.tokens.pop(0)
        assert expected in (None, token), f"{token} instead of {expected}"
        return token

    def taken(self, token):
        return bool(self.tokens) and self.tokens[0] == token and bool(self.take())

    def annotations(self):
        while self.taken("@"):
            if self.take() == "PACKAGE":
                self.package = self.tokens[1].strip('"')
            if self.taken("("):
                while self.take() != ")":
                    pass

    def declaration(self):
        self.annotations()
        if not self.tokens:
            return
        if self.taken("import"):
            self.take(), self.take(";")
            return
        extensible, kind, name = self.taken("extensible"), self.take(), f"{self.package}.{self.take()}"
        self.take("{")
        if kind == "interface":
            self.interfaces[name] = (self.package, self.members(self.method_declaration))
        elif kind == "enum":
            self.types[name] = (kind, extensible, self.constants(), self.package)
        else:
            self.types[name] = (kind, extensible, self.members(self.field), self.package)

    def members(self, read):
        found = []
        while not self.taken("}"):
            self.annotations()
            found.append(read())
        return found

    def constants(self):
        found, following = [], 0
        while not self.taken("}"):
            self.annotations()
            name = self.take()
            following = int(self.take(), 0) if self.taken("=") else following
            found.append((name, following))
            following += 1
            self.taken(",")
        return found

    def field(self):
        kind, name = self.type(), self.take()
        while self.take() != ";":
            pass
        return kind, name

    def method_declaration(self):
        oneway, result, name, parameters, throws = self.taken("oneway"), self.streamed(), self.take(), [], []
        self.take("(")
        while not self.taken(")"):
            self.annotations()
            parameters.append((self.streamed(), self.take()))
            self.taken(",")
        if self.taken("throws"):
            throws.append(self.type())
            while self.taken(","):
                throws.append(self.type())
        self.take(";")
        return name, oneway, parameters, result, throws

    def streamed(self):
        return ("stream", self.type()) if self.taken("stream") else self.type()

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
                kind = ("array", kind)
        return kind

    def full(self, name, package):
        """A plain name is that of the own package, or else the only one of that name."""
        if name in self.types:
            return name
        if f"{package}.{name}" in self.types:
            return f"{package}.{name}"
        (found,) = [other for other in self.types if other.endswith(f".{name}")]
        return found

    def text(self, kind, package):
        if kind[0] == "stream":
            return "stream " + self.text(kind[1], package)
        if kind[0] == "array":
            return self.text(kind[1], package) + "[]"
        if kind[0] == "optional":
            return self.text(kind[1], package) + "?"
        if kind[0] == "map":
            return f"Map<{self.text(kind[1], package)},{self.text(kind[2], package)}>"
        return kind[1] if kind[1] in SCALARS else self.full(kind[1], package)

    def named(self, kind, package):
        """The types that a type names."""
        if kind[0] == "name":
            return set() if kind[1] in SCALARS else {self.full(kind[1], package)}
        return set().union(*(self.named(inner, package) for inner in kind[1:]))

    def signature(self, name):
        kind, extensible, members, package = self.types[name]
        if extensible:
            return f"extensible {kind} {name}"
        if kind == "enum":
            return f"enum {name}{{" + "".join(f"{constant}={number};" for constant, number in members) + "}"
        return f"{kind} {name}{{" + "".join(f"{self.text(ty, package)} {field};" for ty, field in members) + "}"

    def mentions(self, name):
        kind, extensible, members, package = self.types[name]
        return set() if extensible or kind == "enum" else set().union(*(self.named(ty, package) for ty, _ in members))

    def reach(self, name):
        found, work = set(), [name]
        while work:
            for other in self.mentions(work.pop()) - found:
                found.add(other)
                work.append(other)
        return found

    def hash(self, name):
        group = {other for other in self.reach(name) if name in self.reach(other)} | {name}
        outside = set().union(*(self.mentions(other) for other in group)) - group
        return sha256("".join(self.signature(other) + "\n" for other in sorted(group)) + self.uses(outside))

    def uses(self, names):
        return "".join(f"uses {name} {self.hash(name)}\n" for name in sorted(names))

    def method(self, interface, package, method):
        name, oneway, parameters, result, throws = method
        signature = f"method {interface}.{name}(" + ",".join(f"{self.text(ty, package)} {parameter}" for ty, parameter in parameters) + ")->"
        signature += self.text(result, package) + (" throws " + ",".join(self.text(ty, package) for ty in throws) if throws else "")
        kinds = [ty for ty, _ in parameters] + [result] + throws
        return signature + (" oneway" if oneway else "") + "\n" + self.uses(set().union(*(self.named(ty, package) for ty in kinds)))

    def ids(self):
        """The methods' ids and the interfaces' fingerprints, by full name."""
        found = {}
        for interface, (package, methods) in self.interfaces.items():
            ids = {f"{interface}.{method[0]}": sha256(self.method(interface, package, method))[:16] for method in methods}
            found.update(ids)
            found[interface] = sha256(f"{interface}\n" + "".join(f"{i}\n" for i in sorted(ids.values())))[:16]
        return found


def sha256(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def document():
    return json.dumps({"cases": [{"text": case, "ids": Description([case]).ids()} for case in CASES]}, indent=1) + "\n"


WORKED = """
@PACKAGE("org.example.data")
struct MetaData { String description; long timestamp; }
struct Data { MetaData metadata; double[] samples; }
exception NotFound { String description; }
interface DataService { void storeData(Data[] data); Data retrieveData(String description) throws NotFound; }
"""
EXAMPLE = {
    "org.example.data.DataService.storeData": "81f89674658a8771",
    "org.example.data.DataService.retrieveData": "af4d4242a1c17c8c",
    "org.example.data.DataService": "437ba31d1a76c06a",
}


def check():
    wrong = [] if Description([WORKED]).ids() == EXAMPLE else ["the worked example of spec/model.md"]
    try:
        written = document()
    except RecursionError:
        written = "groups without end"
    wrong += [] if FILE.read_text(encoding="utf-8") == written else ["conformance/ids.json: write it again with --write"]
    print("\n".join(wrong) or "the ids are as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(check())
    if sys.argv[1:] == ["--write"]:
        sys.exit(0 if FILE.write_text(document(), encoding="utf-8") else 1)
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for name, number in Description(pathlib.Path(path).read_text(encoding="utf-8") for path in sys.argv[1:]).ids().items():
        print(number, name)
