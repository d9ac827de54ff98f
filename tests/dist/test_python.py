"""The Python packages, installed from their folder alone: the compiler, the runtime, and projects that generate when they are built."""

from __future__ import annotations

import pathlib
import zipfile
from collections.abc import Callable

import pytest
from conftest import DESCRIPTION, ROOT, project, run
from environments import NEWEST, OLDEST, new_environment

import wheels

Find = Callable[[str], pathlib.Path]
PYTHONS = {"oldest": OLDEST, "newest": NEWEST}
TOOLS = ROOT / "build/dist-index"
CONFIG = '[[generate]]\ndescriptions = ["lab.creo"]\ntargets = ["python"]\nout = "generated"\nruntime = "package"\n'
SETUPTOOLS = """[build-system]
requires = ["setuptools>=64", "creo-compiler"]
build-backend = "creo_build.setuptools"

[project]
name = "lab-client"
version = "1.0"
dependencies = ["creo"]

[tool.setuptools.packages.find]
where = ["generated/python"]
"""
HATCH = """[build-system]
requires = ["hatchling", "creo-compiler"]
build-backend = "hatchling.build"

[project]
name = "lab-client"
version = "1.0"
dependencies = ["creo"]

[tool.hatch.build.hooks.creo]

[tool.hatch.build.targets.wheel]
only-include = ["generated/python/org"]
sources = ["generated/python"]
"""
BACKENDS = {"setuptools": SETUPTOOLS, "hatch": HATCH}
USE = "from org.example.lab import Sample; s = Sample('x', [1.0]); assert Sample.from_bytes(s.to_bytes()) == s; import creo; print(creo.__file__)"


@pytest.fixture(params=PYTHONS)
def venv(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> pathlib.Path:
    """A fresh environment, by its folder of programs."""
    return new_environment(PYTHONS[request.param], tmp_path / "venv")


def install(venv: pathlib.Path, packages: pathlib.Path, *words: str | pathlib.Path, fails: bool = False, **variables: str) -> str:
    links = ["--find-links", packages / "python", "--find-links", TOOLS]
    return run([venv / "python", "-m", "pip", "install", "--quiet", "--no-index", *links, *words], venv.parent, fails=fails, environment=variables).text


def a_project(folder: pathlib.Path, backend: str) -> pathlib.Path:
    folder.mkdir()
    for name, text in {"lab.creo": DESCRIPTION, "creo.toml": CONFIG, "pyproject.toml": BACKENDS[backend]}.items():
        (folder / name).write_text(text)
    return folder


def test_the_compiler_and_the_runtime_install(venv: pathlib.Path, packages: pathlib.Path, version: str, tmp_path: pathlib.Path) -> None:
    install(venv, packages, "creo-compiler", "creo")
    assert run([venv / "creo", "--version"], tmp_path).out == f"creo {version}\n"
    (tmp_path / "lab.creo").write_text(DESCRIPTION)
    run([venv / "creo", "generate", "lab.creo", "--target", "python", "--runtime", "package", "--out", "out"], tmp_path)
    assert not (tmp_path / "out/python/creo").exists()
    used = run([venv / "python", "-c", USE], tmp_path, environment={"PYTHONPATH": str(tmp_path / "out/python")}).out
    assert str(tmp_path / "venv") in used
    said = run([venv / "python", "-m", "pip", "check"], tmp_path).out
    assert "No broken requirements" in said
    run([venv / "python", "-m", "pip", "uninstall", "--quiet", "--yes", "creo-compiler", "creo"], tmp_path)
    assert not (venv / "creo").exists()


def test_the_runtime_installs_from_its_sources(venv: pathlib.Path, packages: pathlib.Path, version: str) -> None:
    install(venv, packages, "--no-binary", "creo", "creo")
    code = "import creo, importlib.metadata as m; from creo.tcp import Channel; print(m.version('creo'))"
    assert run([venv / "python", "-c", code], venv.parent).out == f"{version}\n"


def test_the_accelerator_installs_with_the_runtime(venv: pathlib.Path, packages: pathlib.Path, tmp_path: pathlib.Path) -> None:
    install(venv, packages, "creo-compiler", "creo[accelerator]")
    (tmp_path / "lab.creo").write_text(DESCRIPTION)
    for runtime in ("package", "copy"):
        run([venv / "creo", "generate", "lab.creo", "--target", "python", "--runtime", runtime, "--out", runtime], tmp_path)
        code = f"{USE}; assert creo.accelerated"
        used = run([venv / "python", "-W", "error", "-c", code], tmp_path, environment={"PYTHONPATH": str(tmp_path / runtime / "python")}).out
        assert (str(tmp_path / "venv") in used.splitlines()[-1]) == (runtime == "package")
    run([venv / "python", "-m", "pip", "check"], tmp_path)


def test_the_accelerator_needs_no_more_than_its_tag_says(package: Find, version: str, tmp_path: pathlib.Path) -> None:
    wheel = package("python/creo_accelerator-*.whl")
    assert wheel.name == f"creo_accelerator-{version}-cp39-abi3-manylinux_2_17_x86_64.whl"
    with zipfile.ZipFile(wheel) as archive:
        archive.extract("creo_accelerator/_codec.abi3.so", tmp_path)
        assert f"creo_accelerator-{version}.dist-info/licenses/LICENSE" in archive.namelist()
    wheels.check_libraries(tmp_path / "creo_accelerator/_codec.abi3.so")
    (tmp_path / "new.c").write_text("#include <sys/random.h>\nint f(void) { return (int)getrandom(0, 0, 0); }\n")
    (tmp_path / "other.c").write_text("#include <math.h>\ndouble f(double x) { return sin(x); }\n")
    for name, words, said in [("new", [], "getrandom needs glibc 2.25"), ("other", ["-lm"], "other.so needs libm.so.6")]:
        run(["cc", "-shared", "-fPIC", f"{name}.c", *words, "-o", f"{name}.so"], tmp_path)
        with pytest.raises(project.DistError, match=said):
            wheels.check_libraries(tmp_path / f"{name}.so")


@pytest.mark.parametrize("backend", BACKENDS)
def test_projects_generate_when_they_are_built(venv: pathlib.Path, packages: pathlib.Path, tmp_path: pathlib.Path, backend: str) -> None:
    install(venv, packages, a_project(tmp_path / "project", backend))
    run([venv / "python", "-c", USE], tmp_path)


def test_mistakes_fail_the_build_and_leave_what_was_generated(venv: pathlib.Path, packages: pathlib.Path, tmp_path: pathlib.Path) -> None:
    folder = a_project(tmp_path / "project", "setuptools")
    install(venv, packages, folder)
    generated = sorted(path for path in (folder / "generated").rglob("*.py"))
    before = [path.read_bytes() for path in generated]
    (folder / "lab.creo").write_text(DESCRIPTION.replace("String name;", "Strin name;", 1))
    said = install(venv, packages, folder, fails=True)
    assert "error[unknown-type]" in said and "lab.creo:4:5" in said and "Traceback" not in said
    assert [path.read_bytes() for path in generated] == before
    (folder / "creo.toml").unlink()
    assert "creo.toml, which says what to generate" in install(venv, packages, folder, fails=True)


def test_the_module_generates_and_checks(packages: pathlib.Path, old_creo: pathlib.Path, version: str, tmp_path: pathlib.Path) -> None:
    venv = new_environment(NEWEST, tmp_path / "venv")
    install(venv, packages, "creo-compiler")
    folder = a_project(tmp_path / "project", "setuptools")
    module = [venv / "python", "-m", "creo_build"]
    assert "missing: generated/python" in run([*module, "--check", folder], tmp_path, fails=True).err
    run([*module, folder], tmp_path)
    run([*module, "--check"], folder)
    for program, said in [
        (old_creo, "is creo 0.0.9"),
        (pathlib.Path("/nowhere/creo"), "does not run"),
        (pathlib.Path("/bin/true"), "is not creo"),
    ]:
        told = run(module, folder, fails=True, environment={"CREO_EXECUTABLE": str(program)}).err
        assert said in told and f"pip install creo-compiler=={version}" in told and "Traceback" not in told
    (venv / "creo").unlink()
    told = run(module, folder, fails=True, environment={"PATH": "/nowhere"}).err
    assert "there is no program creo" in told and f"pip install creo-compiler=={version}" in told


def test_wheels_are_what_their_names_say(package: Find, version: str) -> None:
    with zipfile.ZipFile(package("python/creo_compiler-*.whl")) as wheel:
        names = wheel.namelist()
        program = wheel.getinfo(f"creo_compiler-{version}.data/scripts/creo")
        assert program.external_attr >> 16 == 0o100755
        told = wheel.read(f"creo_compiler-{version}.dist-info/WHEEL").decode()
        assert "Tag: py3-none-manylinux_2_17_x86_64\nTag: py3-none-musllinux_1_1_x86_64\n" in told
        assert "Root-Is-Purelib: false" in told
    assert names[-1] == f"creo_compiler-{version}.dist-info/RECORD"
    with zipfile.ZipFile(package("python/creo-*.whl")) as wheel:
        found = {name.removeprefix("creo/") for name in wheel.namelist() if name.startswith("creo/")}
        metadata = wheel.read(f"creo-{version}.dist-info/METADATA").decode()
    source = ROOT / "runtimes/python/src/creo"
    assert found == {str(path.relative_to(source)) for path in source.rglob("*") if path.suffix in (".py", ".pyi", ".typed")}
    assert "Provides-Extra: jms\n" in metadata and "Extra: test" not in metadata
