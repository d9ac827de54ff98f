"""How the runtime finds the accelerator, and what it hands over."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import creo_accelerator
import sample
from creo._base import DEFAULT_LIMITS
from creo._binary.accelerator import codec_of
from creo._binary.schema import ArrayType, OptionalType
from generated import ROOT
from layers import ladder
from sample import Data, MetaData, Query, Tree, creo_binary
from test_copies import copy

RUNTIME = ROOT / "runtimes/python"
BUILT = ROOT / "build/accelerator"
DATA = Data(MetaData("CO2", 1), [1.0, -2.5])


def _run(code: str, *path: Path | str, accelerator: str | None = None, warnings: str = "error") -> str:
    """The output of a program that finds modules below these folders; the words of its error, if it fails."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    environment.pop("CREO_ACCELERATOR", None)
    if accelerator is not None:
        environment["CREO_ACCELERATOR"] = accelerator
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-B", "-W", warnings, "-c", code], capture_output=True, text=True, env=environment, timeout=120, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


USE = """
import creo
from sample import Data, MetaData
data = Data(MetaData("CO2", 1), [1.0, -2.5])
assert Data.from_bytes(data.to_bytes()) == data
print(creo.accelerated)
"""


@pytest.mark.parametrize(
    ("accelerator", "installed", "said"),
    [
        (None, True, "True"),
        ("1", True, "True"),
        ("0", True, "False"),
        (None, False, "False"),
        ("0", False, "False"),
        ("1", False, "ModuleNotFoundError: No module named 'creo_accelerator'"),
    ],
)
def test_it_is_used_where_it_is_installed_and_not_turned_off(accelerator: str | None, installed: bool, said: str) -> None:
    path = [RUNTIME / "src", RUNTIME / "tests", *([BUILT] if installed else [])]
    assert _run(USE, *path, accelerator=accelerator) == said


def test_another_interface_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "creo_accelerator.py").write_text("INTERFACE = 1\n")
    path = [tmp_path, RUNTIME / "src", RUNTIME / "tests"]
    problem = "creo-accelerator has interface 1, and the runtime works with 6: install the version of the runtime"
    assert _run(USE, *path, warnings="ignore") == "False"
    assert _run(USE, *path) == f"RuntimeWarning: {problem}; values are read and written in Python"
    assert _run(USE, *path, accelerator="1", warnings="ignore") == f"ImportError: {problem}"


def test_copies_of_the_runtime_have_classes_of_their_own(tmp_path: Path) -> None:
    """Two copies under other names in one program, both with the accelerator."""
    files = ladder().files("tcp", "columns")
    copy(tmp_path, files, "first.runtime", "one")
    copy(tmp_path, files, "second", "two")
    code = """
import one, two, first.runtime, second, sys
assert "creo" not in sys.modules
for made, runtime in [(one, first.runtime), (two, second)]:
    assert runtime.accelerated
    value = made.Data(made.MetaData("CO2", 1), [1.0, -2.5])
    again = made.Data.from_bytes(value.to_bytes())
    assert again == value and type(again) is made.Data and type(again.samples) is runtime.Array
    assert again._creo_type.fast.decode(value.to_bytes(), runtime.Limits()) == value
    try:
        made.Data.from_bytes(b"\\x01")
    except runtime.CreoError as error:
        assert error.code == "malformed", error
    else:
        raise AssertionError
assert one.Data.from_bytes(two.Data(two.MetaData("x", 2), []).to_bytes()) == one.Data(one.MetaData("x", 2), [])
print("used")
"""
    assert _run(code, tmp_path, BUILT) == "used"


def test_a_copy_without_columns_works(tmp_path: Path) -> None:
    copy(tmp_path, ladder().files("call"), "creo", "one")
    code = "import one, creo; v = one.Data(one.MetaData('x', 2), [1]); assert one.Data.from_bytes(v.to_bytes()) == v; print(creo.accelerated)"
    assert _run(code, tmp_path, BUILT) == "True"


def test_interpreters_each_have_their_own() -> None:
    """In an interpreter with its own lock the module is refused, and the runtime continues without it."""
    code = f"""
import sys
sys.path[:0] = {[str(RUNTIME / "src"), str(RUNTIME / "tests"), str(BUILT)]!r}
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
use = "import sys; sys.path[:] = " + repr(sys.path) + {USE!r}
exec({USE!r})
for kind in ("legacy", "isolated") if sys.version_info >= (3, 13) else (None,):
    for _ in range(3):
        made = interpreters.create() if kind is None else interpreters.create(kind)
        failed = interpreters.run_string(made, use)
        assert failed is None, failed
        interpreters.destroy(made)
exec({USE!r})
print("done")
"""
    assert _run(code, warnings="ignore").splitlines()[-1] == "done"


def test_threads_read_and_write_at_once() -> None:
    """Also while codecs are being created: those of recursive types exist before they are complete."""
    code = """
import sys, threading
sys.setswitchinterval(1e-6)
import creo
from sample import Everything, Query, Small, Label, Sparse, Tree, Gaps, Point
values = [Tree("a", [Tree("b", []), Tree("c", [])]), Small([{"a": "b"}], [Label("x")], [Sparse(1)]), Query("x"), Gaps([Point(1, 2)], [Query("y")], [], [])]
start, failed = threading.Barrier(8), []
def work():
    start.wait()
    try:
        for _ in range(300):
            for value in values:
                assert type(value).from_bytes(value.to_bytes()) == value
    except BaseException as failure:
        failed.append(failure)
        raise
threads = [threading.Thread(target=work) for _ in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
assert not failed and creo.accelerated
print("done")
"""
    assert _run(code, RUNTIME / "src", RUNTIME / "tests", BUILT) == "done"


def test_a_body_that_changes_while_it_is_written() -> None:
    """What Python code does meanwhile, here a thread, is never fatal."""
    values = [Tree(str(i), []) for i in range(200)]
    codec = codec_of(ArrayType(creo_binary.TREE_TYPE, 160))
    stop = threading.Event()

    def change() -> None:
        while not stop.is_set():
            values.append(values.pop(0))
            time.sleep(0)

    thread = threading.Thread(target=change)
    thread.start()
    for _ in range(2_000):
        codec.encode(tuple(values), DEFAULT_LIMITS)
    stop.set()
    thread.join()


def test_nothing_is_made_by_hand() -> None:
    codec = codec_of(creo_binary.TREE_TYPE)
    with pytest.raises(TypeError, match="made by creo_accelerator.node"):
        type(codec)()
    with pytest.raises(TypeError):
        object.__new__(type(codec))
    with pytest.raises(RuntimeError, match="a node is filled once"):
        codec.fill((), False)  # type: ignore[attr-defined]
    for arguments in [(), (1,), (1, "int"), (codec, "int", None, None, None, 0, 0, False, False, "", None, 0, (), {})]:
        with pytest.raises(TypeError):
            creo_accelerator.node(*arguments)
    with pytest.raises(AttributeError):
        creo_accelerator.context(object())


def test_a_class_that_c_cannot_look_into_is_left_to_python() -> None:
    from creo._binary.schema import INT, Field, StructType
    from creo.codegen import Struct

    class Odd(Struct):
        """Its attribute is not one of its slots."""

        __slots__ = ("_n",)
        __match_args__ = ("n",)

        def __init__(self, n: int) -> None:
            object.__setattr__(self, "_n", n)

        @property
        def n(self) -> int:
            return self._n  # type: ignore[attr-defined, no-any-return]

    def read(b: bytes, p: int, r: Any) -> tuple[Odd, int]:
        return Odd(int.from_bytes(b[p : p + 4], "big")), p + 4

    def write(w: Any, v: Odd) -> None:
        w.append(v.n.to_bytes(4, "big"))

    type_ = StructType("odd", Odd, read, write, lambda: (Field("n", "n", INT),), least=4)
    for _ in range(2):
        assert type_.to_bytes(Odd(5)) == b"\0\0\0\5"
        assert type_.from_bytes(b"\0\0\0\5") == Odd(5)
    # So is what holds it.
    assert codec_of(OptionalType(type_, 16)).decode(b"\1\0\0\0\5", DEFAULT_LIMITS) is NotImplemented


def test_what_is_no_failure_of_the_codec_is_raised() -> None:
    """A constructor that is interrupted, or for which there is no memory, is not asked again in Python."""
    from creo._binary.schema import INT, Field, StructType
    from creo.codegen import DeclaredError

    raised: list[type[BaseException]] = []

    class Stopped(DeclaredError):
        __match_args__ = ("n",)

        def __init__(self, n: int) -> None:
            raise raised[0]

    type_: Any = StructType("stopped", Stopped, None, None, lambda: (Field("n", "n", INT),), least=4)  # type: ignore[arg-type]
    codec = codec_of(type_)
    for failure in (KeyboardInterrupt, MemoryError, SystemExit):
        raised[:] = [failure]
        with pytest.raises(failure):
            codec.decode(b"\0\0\0\5", DEFAULT_LIMITS)
    raised[:] = [ValueError]
    assert codec.decode(b"\0\0\0\5", DEFAULT_LIMITS) is NotImplemented


def test_regions_that_end_early_within_one_another_are_read_once() -> None:
    """Fields that are missing are no reason to begin again: that would double the work with each level."""
    from creo._binary.schema import INT, Field, StructType
    from creo.codegen import Struct

    class Deep(Struct):
        __slots__ = ("inner", "n")
        __match_args__ = ("inner", "n")

        def __init__(self, inner: Deep | None = None, n: int = 5) -> None:
            object.__setattr__(self, "inner", inner)
            object.__setattr__(self, "n", n)

    fields = lambda: (Field("inner", "inner", OptionalType(type_, 100), True), Field("n", "n", INT, True))  # noqa: E731
    type_: Any = StructType("deep", Deep, None, None, fields, least=4, recursive=True, extensible=True)  # type: ignore[arg-type]
    body = b"\0\0\0\0"
    for _ in range(90):
        body = (len(body) + 1).to_bytes(4, "big") + b"\1" + body
    value: Any = codec_of(type_).decode(body, DEFAULT_LIMITS)
    depth = 0
    while value.inner is not None:
        assert value.n == 5
        value, depth = value.inner, depth + 1
    assert depth == 90


def test_large_parts_of_a_body_are_shared() -> None:
    body = sample.Everything.__name__.encode() * 3_000
    codec = codec_of(ArrayType(creo_binary.POINT_TYPE, 40))
    n = 1_000
    found: Any = codec.decode(bytes((n & 127 | 128, n >> 7)) + (body * 2)[: 16 * n], DEFAULT_LIMITS)
    assert isinstance(found.packed(), memoryview) and len(found) == n


def test_the_signature_of_defaults() -> None:
    """A region that ends early gives the constructor's defaults."""
    assert Query.from_bytes(b"\0\0\0\2\1x") == Query("x", None, 100)
    assert Query.from_bytes(b"\0\0\0\3\1x\0") == Query("x", None, 100)


def test_it_compiles_with_the_headers_of_this_python(tmp_path: Path) -> None:
    """This build is used with another version: that works both ways."""
    build = ROOT / "runtimes/python-accelerator/build.py"
    subprocess.run([sys.executable, str(build), str(tmp_path)], check=True)
    assert _run(USE, RUNTIME / "src", RUNTIME / "tests", tmp_path, accelerator="1") == "True"
