"""Copies of the runtime: with some of its parts, under another name, several in one program.

Each is made in a folder of its own and used by another process, whose calls this one answers.
``sample`` has the structs of that program, too.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from fake import CREDIT, ITEMS, REQUEST, RESPONSE, Peer, Script, frame, serve
from fake_http import answer, envelope, expect, receive
from layers import RUNTIME, ladder
from sample import Data, MetaData
from streaming import longs

SOURCE = RUNTIME / "src" / "creo"
#: Program 1 of the paper: two structs, and an interface.
PROGRAM = RUNTIME.parent.parent / "tests/golden/paper_program/out/python/packagename"
#: An interface with streams.
FLOW = RUNTIME / "tests" / "flow"

#: What uses a copy: imports all its modules, writes and reads a value on each wire, and calls.
CHILD = """
import asyncio, importlib, pathlib, sys

folder, runtime, program, parts, port = sys.argv[1:]
parts, port, url = parts.split(","), int(port), f"http://127.0.0.1:{port}/DataService"
sys.path.insert(0, folder)
root = pathlib.Path(folder, *runtime.split("."))
for path in sorted(root.rglob("*.py")):
    names = [*runtime.split("."), *path.relative_to(root).with_suffix("").parts]
    if names[1:2] != ["jms"] and "jms" not in names and "_jms" not in names:
        importlib.import_module(".".join(names[:-1] if names[-1] == "__init__" else names))


def lacks(what, use):
    try:
        use()
    except ImportError as error:
        assert str(error) == f"this copy of the runtime was generated without {what}", error
    else:
        raise AssertionError(f"{what} is in the copy")


def wire(name):
    return f"the wire {name}: generate with `--wires {name}`"


async def call(client):
    async with client:
        return await client.retrieve_data("CO2")


if "call" in parts:
    made = importlib.import_module(program)
    Client, AsyncClient = made.DataServiceClient, made.AsyncDataServiceClient
    value = made.Data(made.MetaData("CO2", 1), [1.0, -2.5])
    assert made.Data.from_bytes(value.to_bytes()) == value
    for name, part, needed in [("json", "json", "json"), ("xml", "xml", "soap"), ("tdxml", "tdxml", "tdxml")]:
        write, read = getattr(value, f"to_{name}"), getattr(made.Data, f"from_{name}")
        if part in parts:
            assert read(write()) == value
        else:
            lacks(wire(needed), write)
            lacks(wire(needed), lambda: read(b""))
    if "tcp" not in parts:
        lacks(wire("binary"), lambda: Client("127.0.0.1", port))
    else:
        with Client("127.0.0.1", port) as client:
            assert client.retrieve_data("CO2") == value
        if "tdxml" not in parts:
            lacks(wire("tdxml"), lambda: Client("127.0.0.1", port, wire="tdxml"))
    if "aio" not in parts:
        lacks("the part aio", lambda: AsyncClient("127.0.0.1", port))
    else:
        assert asyncio.run(call(AsyncClient("127.0.0.1", port))) == value
    for name in ("json", "soap", "tdxml"):
        if name not in parts:
            lacks(wire(name), lambda: getattr(Client, name)(url))
            lacks(wire(name), lambda: getattr(AsyncClient, name)(url))
        else:
            with getattr(Client, name)(url) as client:
                assert client.retrieve_data("CO2") == value
            assert asyncio.run(call(getattr(AsyncClient, name)(url))) == value
    if "soap" in parts and "tdxml" not in parts:
        lacks(wire("tdxml"), lambda: Client.soap(url, tables="record"))
    if "columns" not in parts:
        assert not hasattr(made.Data, "from_columns")
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
"""


def copy(
    folder: Path,
    files: list[str],
    runtime: str = "creo",
    program: str = "program",
    source: Path = PROGRAM,
) -> None:
    """Copies these files of the runtime, and the program that uses it, to these packages."""
    for path in files:
        target = folder.joinpath(*runtime.split("."), path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((SOURCE / path).read_bytes())
    package = folder.joinpath(*program.split("."))
    package.mkdir(parents=True)
    for module in source.glob("*.py"):
        if module.name != "creo_text.py" or "_text/__init__.py" in files:
            text = re.sub(
                r"^from creo(?= import|\.)", f"from {runtime}", module.read_text(), flags=re.M
            )
            (package / module.name).write_text(text)


def use(folder: Path, parts: list[str], runtime: str = "creo", program: str = "program") -> None:
    """Uses a copy, and answers the calls of those parts that it has."""
    answers = [answer for part in parts for answer in ANSWERS.get(part, ())]
    run(folder, CHILD, [runtime, program, ",".join(parts)], answers, f"used {runtime}\n")


def run(
    folder: Path, code: str, arguments: list[str], answers: Sequence[Script], output: str
) -> None:
    """Runs code that knows nothing but a folder and a server, which plays a script a connection."""
    with serve(*answers) as server:
        done = subprocess.run(
            [
                sys.executable,
                "-I",
                "-B",
                "-W",
                "error",
                "-c",
                code,
                str(folder),
                *arguments,
                str(server.port),
            ],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (done.returncode, done.stdout) == (0, output), done.stderr
        assert server.connections == len(answers)


def over_tcp(peer: Peer) -> None:
    peer.greet()
    peer.send(
        frame(RESPONSE, peer.expect(REQUEST).call, Data(MetaData("CO2", 1), [1.0, -2.5]).to_bytes())
    )
    peer.until_end()


def over_http(body: str, kind: str) -> Script:
    def script(peer: Peer) -> None:
        expect(peer)
        peer.send(answer(body, kind=kind))
        receive(peer)

    return script


by_json = over_http(
    '{"metadata":{"description":"CO2","timestamp":1},"samples":[1,-2.5]}', "application/json"
)
by_soap = over_http(
    envelope(
        "<retrieveDataResponse xmlns='urn:creo:packagename'><result>"
        "<metadata><description>CO2</description><timestamp>1</timestamp></metadata>"
        "<samples>1</samples><samples>-2.5</samples></result></retrieveDataResponse>"
    ),
    "text/xml; charset=utf-8",
)
by_tables = over_http(
    '<Env xmlns="urn:creo:tdxml"><RT>\n[0][0][0]|CO2|1\n[0][0][1]|1|-2.5\n</RT></Env>',
    "application/vnd.creo.tdxml",
)
#: What is answered to the calls of a copy that has a part, in order.
ANSWERS = {
    "tcp": (over_tcp,),
    "aio": (over_tcp,),
    "json": (by_json, by_json),
    "soap": (by_soap, by_soap),
    "tdxml": (by_tables, by_tables),
}


@pytest.mark.parametrize(
    "parts", [*((part,) for part in ladder().parts), ("tcp", "json"), ("aio", "json", "soap")]
)
def test_parts_work_without_those_above_them(tmp_path: Path, parts: tuple[str, ...]) -> None:
    copy(tmp_path, ladder().files(*parts))
    use(tmp_path, ladder().closure(*parts))


#: What uses a copy with streams, and with several addresses if it has ``balance``.
STREAMS = """
import asyncio, sys

folder, parts, port = sys.argv[1:]
parts, port = parts.split(","), int(port)
sys.path.insert(0, folder)
import creo.streams
import program


async def read(client):
    async with client, client.numbers(2) as numbers:
        assert isinstance(numbers, creo.streams.AsyncItemStream)
        assert [number async for number in numbers] == [1, 2]


def fails(code, use):
    try:
        use()
    except creo.CreoError as error:
        assert error.code == code, error
    else:
        raise AssertionError("no error")


if "tcp+streams" in parts:
    with program.FlowClient("127.0.0.1", port) as client, client.numbers(2) as numbers:
        assert isinstance(numbers, creo.streams.ItemStream)
        assert list(numbers) == [1, 2]
if "aio+streams" in parts:
    asyncio.run(read(program.AsyncFlowClient("127.0.0.1", port)))
if "balance+streams" in parts:
    from creo.balance import BalancedChannel
    from creo.tcp import Channel

    with BalancedChannel(["127.0.0.1"], lambda host: Channel(host, port)) as channel:
        assert list(program.FlowClient.over(channel).numbers(2)) == [1, 2]
if "json+streams" in parts:
    with program.FlowClient.json(f"http://127.0.0.1:{port}/") as client:
        assert list(client.numbers(2)) == [1, 2]
        fails("unknown-method", lambda: client.points([]))
print("used")
"""


def two_numbers(peer: Peer) -> None:
    peer.greet()
    call = peer.expect(REQUEST).call
    peer.send(frame(ITEMS, call, longs(1, 2)), frame(RESPONSE, call))
    peer.until_end()


def two_lines(peer: Peer) -> None:
    expect(peer)
    lines = '{"item":"1"}\n{"item":"2"}\n{"end":true}\n'
    peer.send(answer(lines, kind="application/x-ndjson"))
    receive(peer)


@pytest.mark.parametrize(
    ("parts", "connections"),
    [
        (("tcp+streams", "columns"), 1),
        (("aio+streams", "columns"), 2),
        (("tcp+streams", "balance+streams", "columns"), 2),
        (("json+streams",), 1),
    ],
)
def test_parts_for_streams_work_without_those_above_them(
    tmp_path: Path, parts: tuple[str, ...], connections: int
) -> None:
    copy(tmp_path, ladder().files(*parts), source=FLOW)
    closure = ",".join(ladder().closure(*parts))
    script = two_lines if "json+streams" in parts else two_numbers
    run(tmp_path, STREAMS, [closure], [script] * connections, "used\n")


def test_items_end_a_connection_of_a_copy_without_streams(tmp_path: Path) -> None:
    """TCP-33: also where nothing handles streams. Credit is ignored."""

    def script(peer: Peer) -> None:
        peer.greet()
        call = peer.expect(REQUEST).call
        peer.send(frame(CREDIT, call, b"\0\0\0\1"), frame(ITEMS, call, longs(1, 2)))
        peer.until_end()

    code = """
import asyncio, sys

folder, port = sys.argv[1:]
sys.path.insert(0, folder)
import creo
import program


async def call(client):
    async with client:
        await client.retrieve_data("CO2")


for make in (program.DataServiceClient, program.AsyncDataServiceClient):
    client = make("127.0.0.1", int(port))
    try:
        if make is program.DataServiceClient:
            client.retrieve_data("CO2")
        else:
            asyncio.run(call(client))
    except creo.CreoError as error:
        assert error.code == "malformed", error
        assert error.message == "the server sent items of a call without streams", error
    else:
        raise AssertionError("no error")
print("used")
"""
    copy(tmp_path, ladder().files("aio"))
    run(tmp_path, code, [], [script, script], "used\n")


def test_a_copy_without_a_file_that_it_needs_fails(tmp_path: Path) -> None:
    copy(tmp_path, [path for path in ladder().files("tcp") if path != "_tcp/connection.py"])
    with pytest.raises(AssertionError, match=r"No module named 'creo\._tcp\.connection'"):
        use(tmp_path, ladder().closure("tcp"))


def test_the_runtime_works_within_another_package(tmp_path: Path) -> None:
    parts = list(ladder().parts)
    copy(tmp_path, ladder().files(*parts), "x.y._creo", "x.y.program")
    use(tmp_path, parts, "x.y._creo", "x.y.program")


def test_two_copies_in_one_program_never_meet(tmp_path: Path) -> None:
    """One has two wires, and is inside the package that it was generated for; the other is whole."""
    copy(tmp_path, ladder().files("tcp", "json"), "x.y._creo", "x.y.program")
    copy(tmp_path, ladder().files(*ladder().parts))
    code = """
import sys

sys.path.insert(0, sys.argv[1])
import creo
import creo.json
import program
import x.y._creo
import x.y._creo.json
from x.y import program as own

port, url = int(sys.argv[2]), f"http://127.0.0.1:{sys.argv[2]}/DataService"
for made, runtime, other in ((program, creo, x.y._creo), (own, x.y._creo, creo)):
    value = made.Data(made.MetaData("CO2", 1), [1.0, -2.5])
    assert made.Data.from_bytes(value.to_bytes()) == value
    assert made.Data.from_json(value.to_json()) == value
    assert isinstance(value, runtime.Struct) and not isinstance(value, other.Struct)
    with made.DataServiceClient("127.0.0.1", port) as client:
        assert client.retrieve_data("CO2") == value
    with made.DataServiceClient.over(runtime.json.JsonChannel(url)) as client:
        assert client.retrieve_data("CO2") == value
    assert type(client._channel) is runtime.json.JsonChannel is not other.json.JsonChannel
    try:
        made.Data.from_bytes(b"")
    except other.CreoError:
        raise AssertionError("the error of the other copy") from None
    except runtime.CreoError:
        pass
assert program.Data.from_xml(program.Data(program.MetaData("CO2", 1), []).to_xml()).samples == []
try:
    own.DataServiceClient.soap(url)
except ImportError:
    print("used both")
"""
    run(tmp_path, code, [], [over_tcp, by_json, over_tcp, by_json], "used both\n")
