"""Prints ``codec.go``: the codec of each type on the binary wire.

A node of the plan becomes a call of the runtime. Three kinds of functions have the same form for all types, so that they nest:

    get(r, at, &v)     a value of fixed size, at a position whose bounds are checked
    read(r, &v)        any value
    write(w, &v)       any value
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from . import literals
from .lower import Json, Member, Package, Type
from .print_types import header
from .scalars import PLAIN, SCALARS
from .writer import Case, Writer

#: Sizes in generated code are cut off here: no body is larger (BIN-2).
MAX_SIZE = 1 << 31


def codec(package: Package) -> str:
    body = Writer()
    printer = Printer(package, body)
    for type_ in package.types:
        printer.type(type_)
    w = Writer()
    header(w, package, printer.imports)
    return w.text() + body.text()


class Printer:
    def __init__(self, package: Package, w: Writer) -> None:
        self._package, self._w = package, w
        self.imports: set[str] = set()

    # Nodes

    def _is_fixed(self, node: Json) -> bool:
        return bool(node.get("fixedSize", MAX_SIZE) < MAX_SIZE)

    def _get(self, node: Json) -> str:
        """The function that gets a value of fixed size."""
        if node["kind"] == "scalar":
            return f"get{SCALARS[node['scalar']].name}"
        if node["kind"] == "enum":
            return f"getConstant[{self._package.go_type(node)}]"
        return f"creoGet{self._package.go_type(node)}"

    def _parts(self, verb: str, node: Json) -> tuple[str, list[str]]:
        """The function that reads or writes a value, and its arguments but for the first two."""
        kind = node["kind"]
        reads = verb == "read"
        if reads and kind == "scalar":
            return "readFixed", [str(node["fixedSize"]), self._get(node)]
        if kind in PLAIN or kind == "scalar":
            return f"{verb}{(PLAIN.get(kind) or SCALARS[node['scalar']]).name}", []
        if kind == "enum":
            return f"{verb}Constant[{self._package.go_type(node)}]", []
        if kind in ("record", "union"):
            return f"creo{verb.capitalize()}{self._package.go_type(node)}", []
        if kind == "optional":
            own = [str(node["charges"]["own"])] if reads else []
            return f"{verb}Optional", [*own, self._function(verb, node["item"])]
        if kind == "map":
            sizes = [_size(node["key"]["minSize"] + node["value"]["minSize"]), str(node["charges"]["eachBinary"])] if reads else []
            return f"{verb}Map", [*sizes, self._function(verb, node["key"]), self._function(verb, node["value"])]
        each = str(node["charges"]["eachBinary"])
        item = node["item"]
        if reads and self._is_fixed(item):
            return "readFixedArray", [str(item["fixedSize"]), each, self._get(item)]
        return f"{verb}Array", [*([_size(item["minSize"]), each] if reads else []), self._function(verb, item)]

    def _function(self, verb: str, node: Json) -> str:
        """A function that reads or writes a value."""
        function, rest = self._parts(verb, node)
        if not rest:
            return function
        self.imports |= self._package.imports(node)
        side = "r *reader" if verb == "read" else "w *writer"
        parameters = f"{side}, v *{self._package.go_type(node)}"
        body = _apply(verb, function, "v", rest).replace("\n", "\n\t")
        return f"func({parameters}) *CreoError {{\n\treturn {body}\n}}"

    def _call(self, verb: str, node: Json, value: str) -> str:
        function, rest = self._parts(verb, node)
        return _apply(verb, function, value, rest)

    # Statements

    def _try(self, call: str, step: str = "") -> None:
        """A call whose error is returned, with a step of the path."""
        self._w.block(f"if e := {call}; e != nil {{", lambda: self._fail(step))

    def _fail(self, step: str) -> None:
        self._w.line(f"return in(e, {literals.string('.' + step)})" if step else "return e")

    # Types

    def type(self, type_: Type) -> None:
        w, node = self._w, type_.plan
        go = type_.go
        w.line()
        w.line(f"// {type_.decode} reads {type_.full_name} from the binary wire. An error is a *CreoError.")
        decode = f"return decode(body, limits, {self._function('read', node)})"
        w.block(f"func {type_.decode}(body []byte, limits CreoLimits) ({go}, error) {{", lambda: w.line(decode))
        w.line()
        w.line(f"// {type_.encode} writes {type_.full_name} to the binary wire. An error is a *CreoError.")
        encode = f"return encode(&value, limits, {self._function('write', node)})"
        w.block(f"func {type_.encode}(value {go}, limits CreoLimits) ([]byte, error) {{", lambda: w.line(encode))
        if type_.kind == "enum":
            return
        body = self._union if type_.kind == "union" else self._record
        if type_.is_record and self._is_fixed(node):
            self._codec("Get", f"r *reader, at int, v *{go}", lambda: self._get_record(type_), type_)
            self._codec("Read", f"r *reader, v *{go}", lambda: self._read_fixed(type_), type_)
        else:
            self._codec("Read", f"r *reader, v *{go}", lambda: body("read", type_), type_)
        self._codec("Write", f"w *writer, v *{go}", lambda: body("write", type_), type_)

    def _codec(self, verb: str, parameters: str, body: Callable[[], None], type_: Type) -> None:
        w = self._w
        side = parameters[0]

        def function() -> None:
            if type_.recursive:
                self._try(f"{side}.enter({'r.pos' if side == 'r' else '-1'})")
                w.line(f"defer {side}.leave()")
            body()

        w.line()
        w.block(f"func creo{verb}{type_.go}({parameters}) *CreoError {{", function)

    def _get_record(self, type_: Type) -> None:
        offset = 0
        for member in type_.members:
            self._get_member(member, offset)
            offset += member.node["fixedSize"]
        self._w.line("return nil")

    def _read_fixed(self, type_: Type) -> None:
        self._w.line(f"at, e := r.take({type_.plan['fixedSize']})")
        self._w.block("if e != nil {", lambda: self._fail(type_.members[0].declared if type_.members else ""))
        self._w.line(f"return creoGet{type_.go}(r, at, v)")

    def _get_member(self, member: Member, offset: int) -> None:
        at = f"at+{offset}" if offset else "at"
        self._try(f"{self._get(member.node).partition('[')[0]}(r, {at}, &v.{member.go})", member.declared)

    def _record(self, verb: str, type_: Type) -> None:
        w = self._w
        if type_.extensible:
            self._open(verb)
            if verb == "read" and type_.new:
                w.line(f"*v = {type_.new}()")
        if verb == "read":
            self._read_steps(type_)
        else:
            for member in type_.members:
                self._member(verb, member)
        self._close(verb, type_.extensible)

    def _read_steps(self, type_: Type) -> None:
        steps = [s for step in type_.plan["steps"] for s in _split(step)]
        if any("run" in step for step in steps):
            self._w.lines(["var at int", "var e *CreoError"])
        for step in steps:
            if "run" in step:
                self._w.line(f"at, e = r.take({step['size']})")
                self._w.block("if e != nil {", partial(self._fail, type_.members[step["run"][0]["field"]].declared))
                for part in step["run"]:
                    self._get_member(type_.members[part["field"]], part["offset"])
                continue
            member = type_.members[step["field"]]
            if member.may_be_missing:
                self._w.block("if !r.atEnd() {", lambda: self._member("read", member))
            else:
                self._member("read", member)

    def _member(self, verb: str, member: Member) -> None:
        self._try(self._call(verb, member.node, f"&v.{member.go}"), member.declared)

    def _open(self, verb: str) -> None:
        if verb == "read":
            self._w.line("outer, e := r.open()")
            self._w.block("if e != nil {", lambda: self._fail(""))
        else:
            self._w.line("start := w.open()")

    def _close(self, verb: str, extensible: bool) -> None:
        if extensible and verb == "write":
            self._w.line("return w.close(start)")
            return
        if extensible:
            self._w.line("r.close(outer)")
        self._w.line("return nil")

    def _union(self, verb: str, type_: Type) -> None:
        w = self._w
        if verb == "write":
            w.switch("switch m := (*v).(type) {", self._writing_cases(type_))
            w.line('return w.invalid("a union without a member")')
            return
        w.line("start := r.pos")
        w.line("index, e := r.count()")
        w.block("if e != nil {", lambda: self._fail(""))
        w.switch("switch index {", self._reading_cases(type_))
        if type_.extensible:
            w.line("data, e := r.unknownMember(start)")
            w.line(f"*v = {type_.unknown}{{int32(index), data}}")
            w.line("return e")
        else:
            w.line('return r.malformed(start, "an index that is no member of the union")')

    def _reading_cases(self, type_: Type) -> list[Case]:
        w = self._w

        def case(member: Member) -> None:
            w.line(f"var m {member.go}")
            if member.node["weight"]:
                self._try(f"r.charge({member.node['weight']}, start)")
            if type_.extensible:
                self._open("read")
            self._try(self._call("read", member.node, "&m.Value"), member.declared)
            if type_.extensible:
                self._try("r.filled()", member.declared)
                w.line("r.close(outer)")
            w.line("*v = m")
            w.line("return nil")

        return [(f"case {index}:", partial(case, member)) for index, member in enumerate(type_.members)]

    def _writing_cases(self, type_: Type) -> list[Case]:
        w = self._w

        def case(index: int, member: Member) -> None:
            w.line(f"w.uvarint({index})")
            if type_.extensible:
                self._open("write")
            self._try(self._call("write", member.node, "&m.Value"), member.declared)
            self._close("write", type_.extensible)

        cases: list[Case] = [(f"case {member.go}:", partial(case, index, member)) for index, member in enumerate(type_.members)]
        if type_.extensible:
            unknown = f"return w.unknownMember(m.Index, m.Data, {len(type_.members)})"
            cases.append((f"case {type_.unknown}:", lambda: w.line(unknown)))
        return cases


def _apply(verb: str, function: str, value: str, rest: list[str]) -> str:
    """A call of a reading or writing function, whose type arguments Go finds by itself."""
    return f"{function.partition('[')[0]}({', '.join([verb[0], value, *rest])})"


def _size(size: int) -> str:
    return str(min(size, MAX_SIZE))


def _split(step: Json) -> list[Json]:
    """A run that is larger than any message as single fields."""
    if step.get("size", 0) < MAX_SIZE:
        return [step]
    return [{"field": part["field"]} for part in step["run"]]
