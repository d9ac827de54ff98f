"""Constructors in C: the same objects and errors as by the generated functions, which are still what a program finds in a class."""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
import weakref
from collections import Counter
from typing import Any, get_type_hints
from unittest import mock

import pytest

import creo_accelerator
import sample
from conftest import Packages
from creo import CreoError
from creo._binary.accelerator import codec_of
from creo._binary.schema import BYTES, DECIMAL, STRING, ArrayType, Field, MapType, NamedType, OptionalType, StructType
from creo.codegen import Struct
from drawn import Draw
from equality import check_made, made_classes
from sample import Colour, Data, EventStarted, MetaData, Query, Small, Tree, creo_binary, creo_types
from test_runtime import BUILT, RUNTIME, _run


@pytest.mark.parametrize("seed", range(40))
def test_objects_are_made_alike(packages: Packages, seed: int) -> None:
    how: Counter[str] = Counter()
    for number, (cls, types) in enumerate(made_classes(packages.types)):
        name = f"{seed} {number}"
        how[check_made(cls, lambda: Draw(name).arguments(cls, types))] += 1  # noqa: B023 - called at once
    assert how["made"] > how["left"] > 0
    assert how["error"] > 10


def _class(name: str, *types: Any, defaults: tuple[Any, ...] = ()) -> Any:
    """A class as generated code has it, with fields `f0` ... of these types."""
    names = [f"f{i}" for i in range(len(types))]
    scope: dict[str, Any] = {"Struct": Struct, "_creo": __import__("creo.codegen").codegen}
    parameters = [n if i < len(types) - len(defaults) else f"{n}=DEFAULTS[{i - len(types)}]" for i, n in enumerate(names)]
    scope["DEFAULTS"] = defaults
    lines = [f"class {name}(Struct):", f"    __slots__ = __match_args__ = {(*names,)!r}", f"    def __init__(self, {', '.join(parameters)}):"]
    lines += [f"        object.__setattr__(self, {n!r}, {_held(t, n)})" for n, t in zip(names, types)]
    exec("\n".join(lines), scope)  # noqa: S102
    cls = scope[name]
    StructType(name, cls, None, None, lambda: tuple(Field(n, n, t) for n, t in zip(names, types)), least=0)  # type: ignore[arg-type]
    return cls


def _held(type_: Any, value: str) -> str:
    """What generated code stores."""
    if isinstance(type_, OptionalType):
        return f"None if {value} is None else {_held(type_.item, value)}"
    if isinstance(type_, (ArrayType, MapType)):
        function, inner = ("items", type_.item) if isinstance(type_, ArrayType) else ("entries", type_.value)
        if inner is DECIMAL and function == "items":
            return f"_creo.decimals({value}, '$')"
        held = _held(inner, "i")
        return f"_creo.{function}({value}, '$')" if held == "i" else f"_creo.{function}({value}, '$', lambda i: {held})"
    return {id(BYTES): f"_creo.blob({value}, '$')", id(DECIMAL): f"_creo.decimal({value})"}.get(id(type_), value)


def test_values_within_values_are_converted_alike() -> None:
    """Whatever is in an array or a map of arrays, maps, bytes, numbers and optional values."""
    leaves: list[Any] = [STRING, BYTES, DECIMAL]
    for _ in range(2):
        leaves += [kind for leaf in leaves for kind in (ArrayType(leaf, 16), OptionalType(leaf, 16), MapType(STRING, leaf, 16))]
    how: Counter[str] = Counter()
    for number, type_ in enumerate(leaves):
        cls = _class("Nested", type_, STRING)
        for seed in range(12):
            name = f"{number} {seed}"
            how[check_made(cls, lambda: Draw(name).arguments(cls, [type_, STRING]))] += 1  # noqa: B023 - called at once
    assert how["made"] > 100, how


def test_classes_of_any_size() -> None:
    for count in (1, 2, 63, 64, 65, 200):
        cls = _class("Wide", *[STRING] * count, defaults=("x",) * (count // 2))
        values = [str(i) for i in range(count)]
        assert check_made(cls, lambda: (values, {})) == ("made" if count <= 64 else "left")  # noqa: B023 - called at once
        made = cls(*values[: count - count // 2])
        assert made.f0 == "0" and getattr(made, f"f{count - 1}") == ("x" if count > 1 else "0")


def test_what_a_class_shows_is_what_was_generated() -> None:
    assert str(inspect.signature(Query)) == "(description: 'str', colour: 'Colour | None' = None, limit: 'int' = 100) -> 'None'"
    assert inspect.isfunction(Query.__init__)
    assert Query.__init__.__module__ == creo_types.__name__
    assert get_type_hints(MetaData.__init__)["timestamp"] is int
    assert type(Query) is type
    assert Query.__init__ is vars(Query)["__init__"].__wrapped__


def test_it_is_used() -> None:
    """Otherwise all of this would test Python alone."""
    for cls, arguments in ((MetaData, ("x", 1)), (Tree, ("x", [Tree("y", ())])), (EventStarted, ("x",)), (Query, ("x", Colour(0)))):
        assert check_made(cls, lambda: (list(arguments), {})) == "made"  # noqa: B023 - called at once
        assert not gc.is_tracked(cls(*arguments))
    assert check_made(Data, lambda: ([MetaData("x", 1), [1.0]], {})) == "left"


def test_copies_and_pickles() -> None:
    value = Small([{"a": "b"}], [sample.Label("x")], [sample.Sparse(1)])
    for again in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), copy.copy(value), value.replace(), value.__replace__()):
        assert again == value and repr(again) == repr(value)
    assert pickle.loads(pickle.dumps(Query)) is Query
    assert Query("x").replace(limit=3) == Query("x", None, 3)


def test_a_subclass() -> None:
    class More(MetaData):  # type: ignore[misc]
        def __init__(self, description: str) -> None:
            super().__init__(description, timestamp=7)
            self.__dict__["more"] = [self]

    class Same(MetaData):  # type: ignore[misc]
        __slots__ = ()

    made = More("x")
    assert (made.description, made.timestamp) == ("x", 7)
    assert gc.is_tracked(made)
    gone = weakref.ref(made)
    del made
    gc.collect()
    assert gone() is None
    assert (Same("x", 1).description, type(Same("x", 1))) == ("x", Same)
    assert Same("x", 1) != MetaData("x", 1)


def test_a_class_whose_function_is_replaced() -> None:
    with mock.patch.object(MetaData, "__init__", lambda self, *given: object.__setattr__(self, "description", given)):
        assert MetaData(1, 2, 3).description == (1, 2, 3)  # type: ignore[call-arg, arg-type, comparison-overlap]
    assert MetaData("x", 1).description == "x"
    assert check_made(MetaData, lambda: (["x", 1], {})) == "made"


def test_another_object_is_refused_as_by_python() -> None:
    constructor: Any = vars(MetaData)["__init__"]
    for wrong in (object(), Query("x"), MetaData):
        with pytest.raises(TypeError) as in_python:
            MetaData.__init__(wrong, "x", 1)  # type: ignore[arg-type]
        for call in (lambda: constructor(wrong, "x", 1), lambda: constructor(*(wrong,), **{"description": "x", "timestamp": 1})):  # noqa: B023 - called at once
            with pytest.raises(TypeError) as in_c:
                call()
            assert str(in_c.value) == str(in_python.value)
    with pytest.raises(TypeError):
        constructor()
    with pytest.raises(TypeError, match="made by creo_accelerator.constructor"):
        type(constructor)()


def test_what_is_no_description_is_not_used() -> None:
    """Calls then go to the function."""

    def function(*given: Any, **named: Any) -> tuple[Any, Any]:
        return given, named

    codec = codec_of(creo_binary.QUERY_TYPE)
    for wrong in (1, (), (1, -1, 0, {}), (codec, -1, 0), (codec, -1, 0, []), (codec, 0, 0, {}), (codec_of(STRING), -1, 0, {}), (codec, -1, 99, {}), (None, None, None, None)):
        constructor = creo_accelerator.constructor(function, lambda: wrong)  # noqa: B023 - called at once
        for _ in range(2):
            assert constructor(1, a=2) == ((1,), {"a": 2})
    for arguments in ((), (function,), (function, function, function)):
        with pytest.raises(TypeError):
            creo_accelerator.constructor(*arguments)


def test_an_object_that_is_made_again() -> None:
    value = MetaData("x" * 50, 1)
    constructor: Any = vars(MetaData)["__init__"]
    constructor(value, "y" * 50, 2)
    assert value == MetaData("y" * 50, 2)
    for wrong in ((), ("z",), ("z", 1, 2)):
        with pytest.raises(TypeError):
            constructor(value, *wrong)
    assert value == MetaData("y" * 50, 2)


def test_what_may_be_part_of_a_cycle_is_found_by_the_collector() -> None:
    class Holder(list):  # type: ignore[type-arg]
        """A list that can be referenced weakly."""

    def cycles() -> list[weakref.ref[Any]]:
        found = []
        for wrap in (lambda h: h, lambda h: {"a": h}, lambda h: (h,)):
            holder: Any = Holder()
            holder.append(MetaData(wrap(holder), 1))
            found.append(weakref.ref(holder))
        for make in (lambda h: Tree("x", [h]), lambda h: Tree("x", (h,)), lambda h: Tree("x", [Tree("y", [h])]), lambda h: EventStarted(h)):
            holder = Holder()
            holder.append(make(holder))
            found.append(weakref.ref(holder))
        entry: dict[Any, Any] = {}
        made = MetaData(entry, 1)  # type: ignore[arg-type]
        assert gc.is_tracked(made)
        holder = Holder()
        entry["a"] = holder
        holder += [made, entry]
        found.append(weakref.ref(holder))
        holder = Holder()
        holder.append(Small([{"a": holder}], [], []))  # type: ignore[dict-item]
        found.append(weakref.ref(holder))
        return found

    gone = cycles()
    gc.collect()
    assert [ref() for ref in gone] == [None] * len(gone)


def test_a_class_that_nobody_holds_is_gone() -> None:
    def make(used: bool) -> weakref.ref[Any]:
        cls = _class("Gone", STRING)
        if used:
            assert cls("x").f0 == "x"
        return weakref.ref(cls)

    for used in (False, True):
        gone = make(used)
        gc.collect()
        assert gone() is None


def test_a_type_that_cannot_be_described_yet() -> None:
    """Its package is being imported: objects are made by Python, and the codec is complete later."""

    class Early(Struct):
        __slots__ = ("name",)
        __match_args__ = ("name",)

        def __init__(self, name: str) -> None:
            object.__setattr__(self, "name", name)

    described: list[NamedType[Any]] = []

    def fields() -> tuple[Field, ...]:
        if not described:
            raise NameError("name 'LATE_TYPE' is not defined")
        return (Field("name", "name", STRING),)

    type_: Any = StructType("early", Early, None, None, fields, least=1)  # type: ignore[arg-type]
    assert Early("x").name == "x"
    described.append(type_)
    assert type_.from_bytes(b"\1y").name == "y"
    assert type_.to_bytes(Early("z")) == b"\1z"


def test_an_interrupted_description_is_an_interrupted_call() -> None:
    def fields() -> tuple[Field, ...]:
        raise KeyboardInterrupt

    cls = _class("Stopped", STRING)
    StructType("stopped", cls, None, None, fields, least=1)  # type: ignore[arg-type]
    assert cls("x").f0 == "x"

    class Stopped(Struct):
        __slots__ = ("n",)
        __match_args__ = ("n",)

        def __init__(self, n: int) -> None:
            object.__setattr__(self, "n", n)

    StructType("stopped", Stopped, None, None, fields, least=1)  # type: ignore[arg-type]
    with pytest.raises(KeyboardInterrupt):
        Stopped(1)
    assert Stopped(1).n == 1  # type: ignore[attr-defined]


def test_a_list_that_changes_while_it_is_taken() -> None:
    """Whatever runs meanwhile, nothing is fatal."""
    cls = _class("Nested", ArrayType(ArrayType(STRING, 16), 16))
    values: list[Any] = [["x"] * 20 for _ in range(200)]

    class Shortens:
        def __del__(self) -> None:
            del values[10:]

    threshold = gc.get_threshold()
    gc.set_threshold(1, 1, 1)
    try:
        for _ in range(20):
            cycle: list[Any] = [Shortens()]
            cycle.append(cycle)
            del cycle
            assert len(cls(values).f0) in (10, len(values), 200)
            values[:] = [["x"] * 20 for _ in range(200)]
    finally:
        gc.set_threshold(*threshold)


def test_errors_come_from_the_generated_function() -> None:
    with pytest.raises(CreoError, match=r"an array is expected, not int \(at \$\.children\)") as failure:
        Tree("x", 5)  # type: ignore[arg-type]
    assert failure.traceback[-1].name == "items"


def test_threads_make_the_first_objects_at_once() -> None:
    code = """
import sys, threading
sys.setswitchinterval(1e-6)
from sample import Everything, Query, Small, Label, Sparse, Tree, Gaps, Point, ShapeCircle, EventStarted
make = [lambda: Tree("a", [Tree("b", []), Tree("c", ())]), lambda: Small([{"a": "b"}], [Label("x")], [Sparse(1)]), lambda: Query("x", limit=5),
        lambda: Gaps([Point(1, 2)], [Query("y")], [], []), lambda: ShapeCircle(1.0), lambda: EventStarted("x")]
start, failed = threading.Barrier(8), []
def work():
    try:
        start.wait()
        first = [function() for function in make]
        for _ in range(300):
            assert [function() for function in make] == first
    except BaseException as failure:
        failed.append(failure)
        raise
threads = [threading.Thread(target=work) for _ in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
assert not failed
print("done")
"""
    assert _run(code, RUNTIME / "src", RUNTIME / "tests", BUILT) == "done"


def test_without_the_accelerator_a_class_is_as_generated() -> None:
    code = "import inspect; from sample import Query; print(inspect.isfunction(vars(Query)['__init__']))"
    assert _run(code, RUNTIME / "src", RUNTIME / "tests", BUILT, accelerator="0") == "True"
