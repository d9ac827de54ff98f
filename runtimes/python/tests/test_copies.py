"""Copies of the runtime: with some of its parts, under another name, several in one program.

Each is made in a folder of its own and used by another process, whose calls this one answers.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from fake import REQUEST, RESPONSE, Peer, frame, serve
from fake_http import answer, envelope, expect, receive
from layers import RUNTIME, ladder

SOURCE = RUNTIME / "src" / "creo"
TOTAL = bytes.fromhex("3ff8000000000000")  # 1.5
NUMBERS = "[1.0, 2.5]"
PYTHON = (sys.executable, "-I", "-B", "-W", "error", "-c")

#: How a client of each wire is made, with the part that brings it and what it is called.
CALLS = {
    "binary": ("tcp", "Client('127.0.0.1', port)"),
    "json": ("json", "Client.json(url)"),
    "soap": ("soap", "Client.soap(url)"),
    "tdxml": ("tdxml", "Client.tdxml(url)"),
}

#: What uses a copy: imports all its modules, writes and reads a value on each wire, and calls.
CHILD = """
import importlib, pathlib, sys

folder, runtime, sample, parts, port = sys.argv[1:]
parts, port, url = parts.split(","), int(port), f"http://127.0.0.1:{port}/DataService"
sys.path.insert(0, folder)
root = pathlib.Path(folder, *runtime.split("."))
for path in sorted(root.rglob("*.py")):
    names = [*runtime.split("."), *path.relative_to(root).with_suffix("").parts]
    if names[1:2] != ["jms"] and "jms" not in names and "_jms" not in names:
        importlib.import_module(".".join(names[:-1] if names[-1] == "__init__" else names))


def lacks(wire, use):
    try:
        use()
    except ImportError as error:
        assert str(error) == (
            f"this copy of the runtime was generated without the wire {wire}: "
            f"generate with `--wires {wire}`"
        ), error
    else:
        raise AssertionError(f"{wire} is in the copy")


if "call" in parts:
    made = importlib.import_module(sample)
    value = made.Data(made.MetaData("CO2", 1), [1.0, -2.5])
    assert made.Data.from_bytes(value.to_bytes()) == value
    for name, part, wire in [("json", "json", "json"), ("xml", "xml", "soap"), ("tdxml", "tdxml", "tdxml")]:
        write, read = getattr(value, f"to_{name}"), getattr(made.Data, f"from_{name}")
        if part in parts:
            assert read(write()) == value
        else:
            lacks(wire, write)
            lacks(wire, lambda: read(b""))
    for Client in (made.DataServiceClient, made.AsyncDataServiceClient):
        for wire, part, make in MAKE:
            if part not in parts:
                lacks(wire, lambda: eval(make))
    Client = made.DataServiceClient
    for wire, part, make in MAKE:
        if part in parts:
            with eval(make) as client:
                assert client.total(NUMBERS) == 1.5
    if "tcp" in parts and "tdxml" not in parts:
        lacks("tdxml", lambda: Client("127.0.0.1", port, wire="tdxml"))
    if "soap" in parts and "tdxml" not in parts:
        lacks("tdxml", lambda: Client.soap(url, tables="record"))
    error = importlib.import_module(runtime).CreoError
    try:
        made.Data.from_bytes(b"")
    except error as caught:
        assert caught.code == "malformed"
    else:
        raise AssertionError("no error")
others = [n for n in sys.modules if n.split(".")[0] == "creo" and not f"{n}.".startswith(f"{runtime}.")]
assert not others, others
print("used", runtime)
""".replace("MAKE", repr([(wire, *how) for wire, how in CALLS.items()])).replace("NUMBERS", NUMBERS)


def copy(folder: Path, files: list[str], runtime: str = "creo", sample: str = "sample") -> None:
    """Copies these files of the runtime, and the sample that uses it, to these packages."""
    for path in files:
        target = folder.joinpath(*runtime.split("."), path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((SOURCE / path).read_bytes())
    package = folder.joinpath(*sample.split("."))
    package.mkdir(parents=True)
    for source in (RUNTIME / "tests" / "sample").glob("*.py"):
        if source.name != "creo_text.py" or "_text/__init__.py" in files:
            text = re.sub(
                r"^from creo(?= import|\.)", f"from {runtime}", source.read_text(), flags=re.M
            )
            (package / source.name).write_text(text)


def use(folder: Path, parts: list[str], runtime: str = "creo", sample: str = "sample") -> None:
    """Uses a copy, and answers the calls of those wires that it has."""
    wires = [wire for wire, (part, _) in CALLS.items() if part in parts]
    with serve(*(ANSWERS[wire] for wire in wires)) as server:
        done = subprocess.run(
            [*PYTHON, CHILD, folder, runtime, sample, ",".join(parts), str(server.port)],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (done.returncode, done.stdout) == (0, f"used {runtime}\n"), done.stderr
        assert server.connections == len(wires)


def over_tcp(peer: Peer) -> None:
    peer.greet()
    peer.send(frame(RESPONSE, peer.expect(REQUEST).call, TOTAL))
    peer.until_end()


def over_http(peer: Peer, body: str, kind: str) -> None:
    expect(peer)
    peer.send(answer(body, kind=kind))
    receive(peer)


def by_json(peer: Peer) -> None:
    over_http(peer, "1.5", "application/json")


def by_soap(peer: Peer) -> None:
    result = "<totalResponse xmlns='urn:creo:sample'><result>1.5</result></totalResponse>"
    over_http(peer, envelope(result), "text/xml; charset=utf-8")


def by_tables(peer: Peer) -> None:
    table = '<Env xmlns="urn:creo:tdxml"><RT>\n[0]|1.5\n</RT></Env>'
    over_http(peer, table, "application/vnd.creo.tdxml")


ANSWERS = {"binary": over_tcp, "json": by_json, "soap": by_soap, "tdxml": by_tables}


@pytest.mark.parametrize(
    "parts", [*((part,) for part in ladder().parts), ("tcp", "json"), ("tcp", "json", "soap")]
)
def test_parts_work_without_those_above_them(tmp_path: Path, parts: tuple[str, ...]) -> None:
    copy(tmp_path, ladder().files(*parts))
    use(tmp_path, ladder().closure(*parts))


def test_a_copy_without_a_file_that_it_needs_fails(tmp_path: Path) -> None:
    copy(tmp_path, [path for path in ladder().files("tcp") if path != "_tcp/shared.py"])
    with pytest.raises(AssertionError, match=r"No module named 'creo\._tcp\.shared'"):
        use(tmp_path, ladder().closure("tcp"))


def test_the_runtime_works_within_another_package(tmp_path: Path) -> None:
    parts = list(ladder().parts)
    copy(tmp_path, ladder().files(*parts), "x.y._creo", "x.y.sample")
    use(tmp_path, parts, "x.y._creo", "x.y.sample")


def test_two_copies_in_one_program_never_meet(tmp_path: Path) -> None:
    """One has two wires, and is inside the package that it was generated for; the other is whole."""
    copy(tmp_path, ladder().files("tcp", "json"), "x.y._creo", "x.y.sample")
    copy(tmp_path, ladder().files(*ladder().parts))
    code = """
import sys

sys.path.insert(0, sys.argv[1])
import creo
import creo.json
import sample
import x.y._creo
import x.y._creo.json
from x.y import sample as own

port, url = int(sys.argv[2]), f"http://127.0.0.1:{sys.argv[2]}/DataService"
for made, runtime, other in ((sample, creo, x.y._creo), (own, x.y._creo, creo)):
    value = made.Data(made.MetaData("CO2", 1), [1.0, -2.5])
    assert made.Data.from_bytes(value.to_bytes()) == value
    assert made.Data.from_json(value.to_json()) == value
    assert isinstance(value, runtime.Struct) and not isinstance(value, other.Struct)
    with made.DataServiceClient("127.0.0.1", port) as client:
        assert client.total([1.0, 2.5]) == 1.5
    with made.DataServiceClient.over(runtime.json.JsonChannel(url)) as client:
        assert client.total([1.0, 2.5]) == 1.5
    assert type(client._channel) is runtime.json.JsonChannel is not other.json.JsonChannel
    try:
        made.Data.from_bytes(b"")
    except other.CreoError:
        raise AssertionError("the error of the other copy") from None
    except runtime.CreoError:
        pass
assert sample.Data.from_xml(sample.Data(sample.MetaData("CO2", 1), []).to_xml()).samples == []
try:
    own.DataServiceClient.soap(url)
except ImportError:
    print("used both")
"""
    with serve(over_tcp, by_json, over_tcp, by_json) as server:
        done = subprocess.run(
            [*PYTHON, code, tmp_path, str(server.port)],
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert (done.returncode, done.stdout) == (0, "used both\n"), done.stderr
