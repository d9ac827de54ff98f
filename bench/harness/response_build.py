"""Builds the services and clients of the response time benchmark below build/bench/response."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Callable, Iterable

from . import machine
from .languages import protoc, thrift
from .tools import BENCH, BUILD, PEERS, ROOT, ensure, fresh, generate, run, say

HERE = BUILD / "response"
SOURCES = BENCH / "response"
JAVA = SOURCES / "java"
# The interface as the SOAP peers begin with it.
WSDL = HERE / "response.wsdl"
DOTNET = ROOT / "scripts" / "dotnet"


def java_peers() -> None:
    """All Java peers except those that need separate class paths."""
    ensure("java")
    folder = HERE / "peers"
    sources = fresh(folder / "gen")
    thrift("java:generated_annotations=suppress", sources, "response")
    service = sources / "creo" / "bench" / "gen" / "thrift" / "Response.java"
    service.write_text(fitted(service.read_text()))
    protoc("java_out", sources, "response")
    creo = generate("java", "response")
    shutil.copytree(creo, sources, dirs_exist_ok=True, ignore=shutil.ignore_patterns("module-info.java"))
    fresh(folder / "target")
    run(["mvn", "-q", "-B", "-f", JAVA / "peers", "package"], capture=True)


def fitted(service: str) -> str:
    """Thrift's service for the library of today, whose functions name their results, too: Debian's compiler is older. Its asynchronous half goes."""
    start, end = service.index("  public static class AsyncProcessor"), service.index("  public static class putNumbers_args")
    head, tail = service[:start], service[end:]
    head = head.replace("ProcessFunction<I, ? extends org.apache.thrift.TBase>", "ProcessFunction<I, ? extends org.apache.thrift.TBase, ? extends org.apache.thrift.TBase>")
    head = head.replace("ProcessFunction<I, ? extends  org.apache.thrift.TBase>", "ProcessFunction<I, ? extends org.apache.thrift.TBase, ? extends org.apache.thrift.TBase>")
    head = re.sub(r"ProcessFunction<I, (\w+)_args>", r"ProcessFunction<I, \1_args, \1_result>", head)
    head = head.replace("protected boolean isOneway", "public boolean isOneway")
    head = re.sub(
        r"      public (\w+)_args getEmptyArgsInstance\(\) \{",
        r"      public \1_result getEmptyResultInstance() {\n        return new \1_result();\n      }\n\n      @Override\n\g<0>",
        head,
    )
    return head + tail


def environment() -> Path:
    """The Python environment of the Python peers, and of this program; returns its interpreter."""
    folder = HERE / "venv"
    interpreter, stamp = folder / "bin" / "python", folder / "requirements.txt"
    requirements = SOURCES / "python" / "requirements.txt"
    if not stamp.exists() or stamp.read_text() != requirements.read_text():
        say("python: making the environment")
        run([sys.executable, "-m", "venv", "--clear", folder])
        run([interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements])
        stamp.write_text(requirements.read_text())
    return interpreter


def java_cxf() -> None:
    soap("cxf")


def java_axis2() -> None:
    soap("axis2")


def soap(name: str) -> None:
    """A SOAP peer with a separate class path, from Creo's WSDL."""
    ensure("java")
    run(["cargo", "run", "--quiet", "-p", "creo-cli", "--", "export", "wsdl", BENCH / "response.creo", "--soap11", "--quiet", "--out", WSDL])
    fresh(HERE / name)
    run(["mvn", "-q", "-B", "-f", JAVA / name, "package"], capture=True)


def python() -> None:
    ensure("python")
    sources = fresh(HERE / "python" / "gen")
    thrift("py:slots", sources, "response")
    protoc("python_out", sources, "response")
    generate("python", "response")


def c() -> None:
    ensure("c")
    ensure("grpc")
    sources = fresh(HERE / "c" / "gen")
    thrift("c_glib", sources, "response")
    # gRPC for C++ is Debian's, and so is its compiler.
    plugin = shutil.which("grpc_cpp_plugin")
    run(["protoc", f"--cpp_out={sources}", f"--grpc_out={sources}", f"--plugin=protoc-gen-grpc={plugin}", "-I", PEERS, "response.proto"], capture=True)
    creo = generate("c", "response")
    (HERE / "c" / "response").unlink(missing_ok=True)
    run(["make", "-s", "-C", SOURCES / "c", f"BUILD={HERE / 'c'}", f"CREO={creo}"])


def csharp() -> None:
    creo = generate("csharp", "response")
    folder = fresh(HERE / "csharp")
    run([DOTNET / "csc.sh", f"-out:{folder}/response.dll", "-target:exe", "-nullable", *(SOURCES / "csharp").glob("*.cs"), f"-recurse:{creo}/*.cs"])


def build(names: Iterable[str]) -> None:
    """The requirements of the peers, each once."""
    HERE.mkdir(parents=True, exist_ok=True)
    ensure("response")
    for name in dict.fromkeys(names):
        say(f"building {name.replace('_', ' ')}")
        BUILDERS[name]()


BUILDERS: dict[str, Callable[[], None]] = {"java_peers": java_peers, "java_cxf": java_cxf, "java_axis2": java_axis2, "python": python, "c": c, "csharp": csharp}


def pinned(path: str, key: str) -> str:
    return (JAVA / path / "pom.xml").read_text().split(f"<{key}.version>")[1].split("<")[0]


def versions(languages: Iterable[str]) -> dict[str, dict[str, str]]:
    """Versions of what takes part, by language."""
    made: dict[str, dict[str, str]] = {}
    for language in LANGUAGES:
        if language in languages:
            made[language] = VERSIONS[language]()
    return made


def _java_versions() -> dict[str, str]:
    found = {"JDK": machine.first_line("java", "-version"), "thrift": f"{pinned('peers', 'thrift')}, code by {machine.first_line('thrift', '-version')}"}
    names = {"grpc": "grpc", "protobuf": "protobuf-java", "jetty": "Jetty", "jackson": "Jackson", "fory": "Fory", "avro": "Avro", "msgpack": "msgpack-core"}
    found |= {name: pinned("peers", key) for key, name in names.items()}
    return found | {"CXF": f"{pinned('cxf', 'cxf')} on its Jetty", "Axis2": f"{pinned('axis2', 'axis2')} on its own server"}


def _python_versions() -> dict[str, str]:
    listed = dict(line.split("==") for line in (SOURCES / "python" / "requirements.txt").read_text().split())
    return {"interpreter": machine.first_line(str(HERE / "venv" / "bin" / "python"), "--version")} | {name: version for name, version in listed.items() if name != "tqdm"}


def _c_versions() -> dict[str, str]:
    def package(name: str) -> str:
        return run(["dpkg-query", "-W", "-f", "${Version}", name], capture=True)

    compiler = machine.first_line("cc", "--version") + ", -O3"
    return {"compiler": compiler, "thrift": package("libthrift-c-glib-dev"), "gRPC for C++": package("libgrpc++-dev"), "protobuf": package("libprotobuf-dev")}


def _csharp_versions() -> dict[str, str]:
    return {".NET": machine.first_line(str(DOTNET / "run.sh"), str(HERE / "csharp" / "response.dll"), "--version")}


LANGUAGES = ("java", "python", "c", "csharp")
VERSIONS: dict[str, Callable[[], dict[str, str]]] = {"java": _java_versions, "python": _python_versions, "c": _c_versions, "csharp": _csharp_versions}
