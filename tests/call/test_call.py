"""`creo call` against a service that Java code of `creo generate` serves, on every wire."""

from __future__ import annotations

import json
import pathlib
import re
import shutil
import subprocess
import urllib.request

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CREO = ROOT / "target/debug/creo"
LAB = HERE / "lab.creo"
ORDERS = HERE / "xml.creo"
WORK = ROOT / "build/call"

EVERYTHING = {
    "yes": True,
    "small": -128,
    "medium": 32767,
    "letter": "é",
    "number": -2147483648,
    "large": "9223372036854775807",
    "near": 0.1,
    "exact": -1.5e-300,
    "text": 'a < b & "c" \n\t\r ]]> \U0001f600',
    "price": "-1.50",
    "bytes": "AAECAw==",
    "at": "2026-11-27T13:52:01.250Z",
    "quality": "CHECKED",
    "shape": {"sides": [3, 4, 5]},
    "samples": [{"at": "1969-12-31T23:59:59.500Z", "value": "NaN", "quality": "RAW"}, {"at": "2026-01-01T00:00:00Z", "value": "-Infinity", "quality": "CHECKED"}],
    "names": ["", " b "],
    "counts": {"a": 1, "": -1},
    "found": {"1": None, "-2": {"at": "2026-01-01T00:00:00Z", "value": 1e21, "quality": "RAW"}},
}

ORDER = {
    "id": 7,
    "price": {"currency": "EUR", "amount": "1.50"},
    "payment": {"transfer": {"account": "DE1", "parts": [1, -2, 3]}},
    "items": [{"base": {"label": "a"}}, {"special": {"label": "b", "code": "q80="}}],
    "kind": "{urn:kinds}big",
    "extra": '<x xmlns="urn:x"><y a="1&amp;">t</y></x>',
}


class Ran:
    def __init__(self, done: subprocess.CompletedProcess[bytes]) -> None:
        self.code, self.out, self.err = done.returncode, done.stdout.decode(), done.stderr.decode()

    def exits(self, code: int) -> Ran:
        assert self.code == code, f"{self.code}\n{self.out}{self.err}"
        assert "\x1b" not in self.out + self.err
        return self

    @property
    def json(self) -> object:
        return json.loads(self.out)


def creo(*arguments: object, stdin: bytes = b"") -> Ran:
    return Ran(subprocess.run([CREO, *map(str, arguments)], input=stdin, capture_output=True, cwd=WORK, timeout=120, check=False))


class Service:
    """The Java service, which ends with its standard input."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(["java", "-cp", WORK / "classes", "CallService", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())
        self.tcp, self.http = f"127.0.0.1:{self.port}", f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        self.process.communicate()
        assert self.process.returncode == 0


@pytest.fixture(scope="session")
def compiled() -> None:
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    creo("generate", LAB, ORDERS, "--target", "java", "--wires", "all", "--out", WORK / "generated").exits(0)
    sources = [HERE / "java/CallService.java", *sorted((WORK / "generated/java").rglob("*.java"))]
    (WORK / "sources").write_text("".join(f'"{path}"\n' for path in sources))
    subprocess.run(["javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-nowarn", "-d", WORK / "classes", f"@{WORK / 'sources'}"], check=True)


@pytest.fixture(scope="session")
def service(compiled: None):
    started = Service()
    yield started
    started.close()


@pytest.fixture(scope="session")
def open_service(compiled: None):
    """One that tells what it serves."""
    started = Service("reflection")
    yield started
    started.close()


WIRES = ["binary", "json", "soap"]


class Caller:
    """Calls the service on one wire."""

    def __init__(self, service: Service, wire: str) -> None:
        self.wire = wire
        self.target = service.tcp if wire == "binary" else service.http

    def __call__(self, method: str, request: object = None, *options: object, description: pathlib.Path = LAB, stdin: bytes = b"") -> Ran:
        text = request if isinstance(request, str) else json.dumps(request or {})
        return creo("call", self.target, method, text, "--description", description, "--wire", self.wire, *options, stdin=stdin)


@pytest.fixture(params=WIRES)
def call(request: pytest.FixtureRequest, service: Service) -> Caller:
    return Caller(service, request.param)


def test_a_value_of_every_type_comes_back(call: Caller) -> None:
    assert call("Lab.echo", {"value": EVERYTHING}).exits(0).json == EVERYTHING


def test_xml_of_a_partner_on_every_wire(call: Caller) -> None:
    assert call("place", {"token": "t", "order": ORDER}, description=ORDERS).exits(0).json == ORDER
    other = {"id": 1, "price": {"currency": "", "amount": "0"}, "payment": {"card": {"number": "1 2"}}, "items": [], "kind": "local"}
    assert call("Orders.place", {"order": other}, description=ORDERS).exits(0).json == other
    ran = call("place", {"token": "t<1>", "order": dict(ORDER, id=-1)}, description=ORDERS).exits(3)
    assert ran.err == 'exception: {"Refused":{"why":"token t<1>"}}\n'


def test_results_of_each_kind(call: Caller) -> None:
    assert call("length", {"text": "four"}).exits(0).out == "4\n"
    assert call("call.lab.Lab.find", {"text": "x"}).exits(0).out == '"x"\n'
    assert call("find").exits(0).out == "null\n"
    assert call("nothing").exits(0).out == ""
    assert call("series", {"count": 3}).exits(0).json == [0, 0.5, 1]


def test_a_oneway_call_is_taken(call: Caller) -> None:
    assert call("touch", {"text": f"by {call.wire}"}).exits(0).out == ""
    assert f"by {call.wire}" in call("touched").exits(0).json


def test_declared_exceptions_have_a_code_of_their_own(call: Caller) -> None:
    ran = call("length", {"text": ""}).exits(3)
    assert (ran.out, ran.err) == ("", 'exception: {"Missing":{"what":"a text"}}\n')
    ran = call("length", {"text": "wrong"}, "--error-format", "json").exits(3)
    assert "\u202e" not in ran.err
    assert json.loads(ran.err) == {"severity": "exception", "exception": {"Wrong": {"why": "it is \u202ewrong", "where": [1, 2]}}}


def test_a_failed_method_says_no_more_than_its_reference(call: Caller) -> None:
    ran = call("length", {"text": "broken"}).exits(1)
    assert "error[internal]: the service says: the service failed" in ran.err and "secret" not in ran.err


def test_a_request_that_does_not_fit_names_its_place(call: Caller) -> None:
    wrong = dict(EVERYTHING, samples=[{"at": "2026-01-01T00:00:00Z", "value": "x", "quality": "RAW"}])
    assert "(at $.value.samples[0].value)" in call("echo", {"value": wrong}).exits(1).err
    assert "$.text" in call("length", {"text": 1}).exits(1).err
    assert "error[invalid-value]" in call("length", {}).exits(1).err
    ran = call("length", '{"text": }').exits(1)
    assert "line 1 column 10" in ran.err and "error[invalid-value]" in ran.err


def test_requests_from_a_file_and_from_standard_input(call: Caller) -> None:
    (WORK / "request.json").write_text('{"text": "from a file"}')
    assert call("find", "@request.json").exits(0).json == "from a file"
    assert call("find", "-", stdin=b'{"text": "from a pipe"}').exits(0).json == "from a pipe"
    assert "cannot read" in call("find", "@none.json").exits(1).err


def test_a_call_ends_with_its_deadline(call: Caller) -> None:
    assert "error[deadline-exceeded]" in call("slow", {"milliseconds": 60_000}, "--deadline", "0.3").exits(1).err


def test_metadata_arrives(call: Caller) -> None:
    assert call("metadata", {"key": "x"}, "--metadata", "x=a b=c").exits(0).json == "a b=c"
    assert "no key of metadata" in call("metadata", {"key": "x"}, "--metadata", "X y=1").exits(1).err


def test_an_unknown_method_is_explained(call: Caller) -> None:
    other = WORK / "other.creo"
    other.write_text('@PACKAGE("call.lab")\ninterface Lab { long length(String other); int more(); }\n')
    ran = call("more", description=other).exits(1)
    assert "error[unknown-method]" in ran.err
    if call.wire == "binary":
        assert "it was generated from another description of the interface" in ran.err
    assert "the description has no method" in call("none").exits(1).err


def test_what_was_sent_and_received_is_shown(service: Service) -> None:
    ran = Caller(service, "binary")("length", {"text": "four"}, "-v").exits(0)
    assert re.search(r"04 +text: count of bytes = 4", ran.err) and "\n< preamble" in ran.err and "$result" in ran.err
    ran = Caller(service, "json")("length", {"text": "four"}, "-v", "--header", "X-Seen: yes").exits(0)
    assert "> POST /Lab/length HTTP/1.1" in ran.err and "> X-Seen: yes" in ran.err and "< HTTP/1.1 200" in ran.err
    ran = Caller(service, "soap")("length", {"text": "four"}, "-v").exits(0)
    assert '> SOAPAction: "urn:creo:call.lab:Lab/length"' in ran.err and "> <soap:Envelope" in ran.err and "< <soap:Envelope" in ran.err
    assert "fields of HTTP" in Caller(service, "binary")("nothing", None, "--header", "X: y").exits(1).err


def test_wires_and_addresses_that_do_not_fit(service: Service) -> None:
    ends = [
        (service.http, "binary", "the binary wire does not go over HTTP"),
        (service.tcp, "json", "over HTTP alone"),
        (service.tcp, "tdxml", "does not speak the wire tdxml"),
        ("ftp://localhost:1", "json", "ftp is no scheme"),
        ("localhost", "binary", "host:port"),
        ("127.0.0.1:1", "binary", "error[unavailable]: cannot reach 127.0.0.1:1"),
    ]
    for target, wire, message in ends:
        assert message in creo("call", target, "nothing", "--description", LAB, "--wire", wire).exits(1).err
    # The usual wire is that of the address.
    for target in (service.http, service.tcp, f"{service.http}/Lab"):
        assert creo("call", target, "length", '{"text": "abc"}', "-d", LAB).exits(0).json == 3
    assert "404" in creo("call", f"{service.http}/Other", "nothing", "-d", LAB).exits(1).err


def test_the_wsdl_of_the_service_is_a_description(service: Service) -> None:
    for name, query in [("lab", "Lab"), ("orders", "Orders")]:
        with urllib.request.urlopen(f"{service.http}/{query}?wsdl") as answer:
            (WORK / f"{name}.wsdl").write_bytes(answer.read())
    # The usual wire of a WSDL is SOAP.
    assert creo("call", service.http, "length", '{"text": "abc"}', "-d", "lab.wsdl").exits(0).json == 3
    # An import calls the text of an element its value.
    price = {"currency": "EUR", "value": "1.50"}
    ran = creo("call", service.http, "convert", json.dumps({"price": price}), "-d", "orders.wsdl", "-v").exits(0)
    assert ran.json == price
    for number, receipt in [(7, {"Number": 7, "Remark": "noted"}), (0, {"Number": 0, "left": 3})]:
        assert creo("call", service.http, "confirm", f'{{"number": {number}}}', "-d", "orders.wsdl").exits(0).json == receipt
    assert 'application/soap+xml; charset=utf-8; action="http://partner.example/orders/Orders/convert"' in ran.err


def test_every_host_tells_its_health(service: Service) -> None:
    ran = creo("call", service.tcp, "creo.health.Health.check").exits(0)
    assert ran.out == '{"call.lab.Lab":"serving","call.lab.Live":"serving","call.partner.Orders":"serving"}\n'
    assert "binary wire alone" in creo("call", service.http, "creo.health.Health.check").exits(1).err
    with urllib.request.urlopen(f"{service.http}/healthz") as answer:
        assert (answer.status, json.load(answer)) == (200, {"status": "serving"})


def test_a_host_lists_its_methods_if_it_is_told_to(service: Service, open_service: Service) -> None:
    models = [json.loads(creo("model", path).exits(0).out) for path in (LAB, ORDERS)]
    ran = creo("list", open_service.tcp).exits(0)
    for model in models:
        for interface in model["interfaces"]:
            assert f"{model['packages'][0]['name']}.{interface['name']} {interface['fingerprint']}\n" in ran.out
            for method in interface["methods"]:
                assert f"  {method['name']} {method['id']}\n" in ran.out
    assert ran.out.startswith("call.lab.Lab ") and "creo." not in ran.out
    listed = creo("list", open_service.tcp, "--format", "json").exits(0).json
    assert [interface["name"] for interface in listed["interfaces"]] == ["call.lab.Lab", "call.lab.Live", "call.partner.Orders"]
    assert {"name": "length", "id": models[0]["interfaces"][0]["methods"][1]["id"]} in listed["interfaces"][0]["methods"]
    assert "call.lab.Lab" in creo("call", open_service.tcp, "creo.reflection.Reflection.interfaces").exits(0).json
    ran = creo("list", service.tcp).exits(1)
    assert "reflection is not switched on" in ran.err and "it serves call.lab.Lab, call.lab.Live, call.partner.Orders" in ran.err
    ran = creo("call", service.tcp, "Lab.length", '{"text": "x"}').exits(1)
    assert "reflection is not switched on" in ran.err and "--description FILE" in ran.err


def test_a_host_with_reflection_is_called_without_a_file(open_service: Service) -> None:
    price = {"currency": "EUR", "amount": "1.50"}
    for target in (open_service.tcp, open_service.http, f"{open_service.http}/Lab"):
        assert creo("call", target, "Lab.length", '{"text": "four"}').exits(0).json == 4
        assert creo("call", target, "call.lab.Lab.length", '{"text": "four"}').exits(0).json == 4
    ran = creo("call", open_service.http, "convert", json.dumps({"price": price}), "-v").exits(0)
    assert ran.json == price and "<soap:Envelope" in ran.err
    assert "the host has no method" in creo("call", open_service.tcp, "nowhere").exits(1).err


def test_the_descriptions_of_a_host_are_saved(open_service: Service) -> None:
    folder = WORK / "saved"
    ran = creo("list", open_service.tcp, "--save", folder).exits(0)
    assert sorted(ran.out.splitlines()) == sorted(str(folder / name) for name in ("lab.creo", "xml.creo"))
    assert (folder / "lab.creo").read_bytes() == LAB.read_bytes() and (folder / "xml.creo").read_bytes() == ORDERS.read_bytes()
    creo("check", folder / "lab.creo", folder / "xml.creo").exits(0)
    assert "is there already" in creo("list", open_service.tcp, "--save", folder).exits(1).err


def test_descriptions_with_mistakes(service: Service) -> None:
    (WORK / "wrong.creo").write_text("interface {}")
    creo("call", service.tcp, "x", "-d", "wrong.creo").exits(100)
    assert "cannot read none.creo" in creo("call", service.tcp, "x", "-d", "none.creo").exits(1).err
