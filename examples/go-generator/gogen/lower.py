"""What is printed: every type with its names in Go. All packages of a description become one Go package, so nothing is imported."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import literals, names
from .scalars import PLAIN, SCALARS

Json = dict[str, Any]
RUNTIME = ("creo.go", "creo_binary.go")
RUNTIME_FOLDER = Path(__file__).resolve().parent.parent / "runtime"


@dataclass
class Member:
    """A field, or a member of a union."""

    #: As declared.
    declared: str
    go: str
    #: The member's node in the plan.
    node: Json
    doc: list[str]
    #: The type in Go, and the default as an expression of it.
    type: str = ""
    default: str = ""
    may_be_missing: bool = False


@dataclass
class Type:
    full_name: str
    go: str
    kind: str
    extensible: bool
    recursive: bool
    plan: Json
    doc: list[str]
    #: Fields of a struct or exception, members of a union.
    members: list[Member] = field(default_factory=list)
    #: Of an enum: declared name, name in Go, number, documentation.
    constants: list[tuple[str, str, int, list[str]]] = field(default_factory=list)
    decode: str = ""
    encode: str = ""
    #: The function that makes a value with the declared defaults; empty if there are none.
    new: str = ""
    #: The struct that holds an unknown member of an extensible union.
    unknown: str = ""

    @property
    def is_record(self) -> bool:
        return self.kind in ("struct", "exception")


@dataclass
class Package:
    name: str
    source: str
    types: list[Type]
    runtime: dict[str, str]
    declared: dict[str, Type]

    def go_type(self, node: Json) -> str:
        """The type of a node of the plan."""
        kind = node["kind"]
        if kind == "scalar":
            return SCALARS[node["scalar"]].go
        if kind in PLAIN:
            return PLAIN[kind].go
        if kind == "array":
            return f"[]{self.go_type(node['item'])}"
        if kind == "optional":
            return f"*{self.go_type(node['item'])}"
        if kind == "map":
            return f"CreoMap[{self.go_type(node['key'])}, {self.go_type(node['value'])}]"
        return self.declared[node["name"]].go

    def imports(self, node: Json) -> set[str]:
        """The packages that the type of a node names."""
        own = {SCALARS[node["scalar"]].package} - {""} if node["kind"] == "scalar" else set()
        return own.union(*(self.imports(node[part]) for part in ("item", "key", "value") if part in node))


def lower(model: Json) -> Package:
    runtime = {name: (RUNTIME_FOLDER / name).read_text(encoding="utf-8") for name in RUNTIME}
    scope = names.Scope(*re.findall(r"\bCreo[A-Za-z]+", "".join(runtime.values())))
    types = [_declare(declaration, scope) for declaration in model["types"]]
    package = Package(names.package(_name(model["packages"][0])), model["source"][0], types, runtime, {t.full_name: t for t in types})
    for type_, declaration in zip(types, model["types"]):
        _fill(type_, declaration, scope, package)
    # Last, since a default may be a constant of any enum.
    for type_, declaration in zip(types, model["types"]):
        if type_.is_record:
            _add_defaults(type_, declaration["fields"], scope, package)
    return package


def _doc(declaration: Json) -> list[str]:
    return literals.comment(declaration.get("doc", ""), declaration.get("deprecated"))


def _name(declaration: Json) -> str:
    """The name that the description gives for Go, or the declared one."""
    name: str = declaration.get("targets", {}).get("go", declaration["name"])
    return name


def _declare(declaration: Json, scope: names.Scope) -> Type:
    return Type(
        full_name=declaration["plan"]["name"],
        go=scope.claim(names.exported(_name(declaration))),
        kind=declaration["kind"],
        extensible=declaration["extensible"],
        recursive=declaration["recursive"],
        plan=declaration["plan"],
        doc=_doc(declaration),
    )


def _fill(type_: Type, declaration: Json, scope: names.Scope, package: Package) -> None:
    type_.decode, type_.encode = scope.claim(f"Decode{type_.go}"), scope.claim(f"Encode{type_.go}")
    if type_.kind == "enum":
        for c in declaration["constants"]:
            type_.constants.append((c["name"], scope.claim(type_.go + names.constant(_name(c))), c["number"], _doc(c)))
        return
    if type_.kind == "union":
        type_.members = [_member(m, scope, type_.go) for m in declaration["members"]]
        type_.unknown = scope.claim(f"{type_.go}Unknown") if type_.extensible else ""
    else:
        own = names.Scope("Error") if type_.kind == "exception" else names.Scope()
        type_.members = [_member(f, own, "") for f in declaration["fields"]]
    for member in type_.members:
        member.type = package.go_type(member.node)


def _add_defaults(type_: Type, fields: list[Json], scope: names.Scope, package: Package) -> None:
    for member, declared in zip(type_.members, fields):
        if "default" in declared:
            enum = package.declared.get(member.node.get("name", ""))
            constants = {name: go for name, go, _, _ in enum.constants} if enum else {}
            member.default = literals.default(declared["default"], member.type, constants)
        # MODEL-11
        member.may_be_missing = type_.extensible and ("default" in declared or member.node["kind"] == "optional")
    if any(member.default for member in type_.members):
        type_.new = scope.claim(f"New{type_.go}")


def _member(declaration: Json, scope: names.Scope, prefix: str) -> Member:
    go = scope.claim(prefix + names.exported(_name(declaration)))
    return Member(declaration["name"], go, declaration["plan"], _doc(declaration))
