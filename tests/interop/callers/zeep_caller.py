"""zeep calls the Java service: every method, over SOAP 1.1 or 1.2.

    zeep_caller.py ADDRESS 1.1|1.2|addressing|token|digest

Prints `ok NAME` or `FAIL NAME: reason` for each case.
"""

import datetime
import decimal
import math
import sys
import time
import warnings

import zeep
import zeep.exceptions
import zeep.helpers
import zeep.wsa
import zeep.wsse.username
import zeep.wsse.utils
import zeep.xsd
from lxml import etree

warnings.simplefilter("error", zeep.exceptions.ZeepWarning)

NAMESPACE = "http://example.org/interop"
D = decimal.Decimal
UTC = datetime.timezone.utc


def plain(value):
    """What a value holds. To zeep, an element without content and one that is nil are the same: None. -0 is not 0."""
    if value is zeep.xsd.Nil or value in ("", b""):
        return None
    if isinstance(value, dict):
        parts = {name: plain(part) for name, part in value.items()}
        return {name: part for name, part in parts.items() if part is not None and part != []} or None
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, decimal.Decimal):
        return str(value)
    if isinstance(value, datetime.datetime):
        return value.astimezone(UTC)
    return value


def now(seconds):
    return (datetime.datetime.now(UTC) + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


class Cases:
    def __init__(self, address, version):
        token = None
        if version in ("token", "digest"):
            times = [zeep.wsse.utils.WSU("Created", now(0)), zeep.wsse.utils.WSU("Expires", now(60))]
            stamp = zeep.wsse.utils.WSU("Timestamp", *times) if version == "digest" else None
            token = zeep.wsse.username.UsernameToken("anna", "Geheimnis-\u00df", use_digest=version == "digest", timestamp_token=stamp)
        plugins = [zeep.wsa.WsAddressingPlugin()] if version == "addressing" else []
        client = zeep.Client(f"{address}?wsdl", settings=zeep.Settings(strict=True), wsse=token, plugins=plugins)
        client.transport.operation_timeout = 30
        self.client = client
        self.service = client.create_service(f"{{{NAMESPACE}}}EchoSoap{'12' if version == '1.2' else '11'}", address)

    def call(self, method, *values):
        return zeep.helpers.serialize_object(getattr(self.service, method)(*values), dict)

    def echo(self, method, value, expected=None):
        got = plain(self.call(method, value))
        wanted = plain(value if expected is None else expected)
        assert got == wanted, f"sent {wanted!r}, got {got!r}"

    def case_primitives(self):
        self.echo("primitives", PRIMITIVES)

    def case_primitives_extremes(self):
        self.echo("primitives", LEAST)
        self.echo("primitives", GREATEST)

    def case_arrays(self):
        self.echo("arrays", ARRAYS)

    def case_arrays_empty(self):
        self.echo("arrays", {"tinies": b""})

    def case_nested(self):
        self.echo("nested", NESTED)

    def case_optionals(self):
        self.echo("optionals", OPTIONALS)

    def case_optionals_none(self):
        self.echo("optionals", {})

    def case_shape(self):
        for shape in SHAPES:
            self.echo("shape", shape)

    def case_event(self):
        self.echo("event", {"started": "now"})
        self.echo("event", {"moved": {"x": 1.5, "y": -2.0}})
        self.echo("event", {"grown": GROWING})

    def case_growing(self):
        self.echo("growing", GROWING)

    def case_growing_defaults(self):
        since = datetime.datetime(2026, 11, 21, 10, 31, 56, 250000, UTC)
        self.echo("growing", {"name": "small"}, {"name": "small", "limit": 100, "since": since, "price": D("12.50")})

    def case_tree(self):
        self.echo("tree", TREE)

    def case_maps(self):
        self.echo("maps", MAPS)

    def case_words(self):
        self.echo("words", {"class": "c", "value": 7, "return": True, "type": "t", "item": "i"})

    def case_nothing(self):
        assert self.call("nothing", {}) is None

    def case_enums(self):
        self.echo("colour", "GREEN")
        self.echo("level", "ERROR")

    def case_text(self):
        for text in ["plain", " <&>\"' ]]> ", "tab\there, line\nhere", "caf\u00e9 \u4e2d\u6587 \U0001f600", "a" * 200_000]:
            self.echo("text", text)
        self.echo("text", "")

    def case_instant(self):
        self.echo("instant", datetime.datetime(1, 1, 1, tzinfo=UTC))
        self.echo("instant", datetime.datetime(9999, 12, 31, 23, 59, 59, 999999, UTC))
        self.echo("instant", datetime.datetime(2026, 11, 21, 23, 30, 0, 5000, datetime.timezone(datetime.timedelta(hours=-9, minutes=-30))))

    def case_amount(self):
        for text in ["0", "-1.50", "12345678901234567890.1230", "0.000000000000000000000000000001", "-99999999999999999999999999999999999999"]:
            self.echo("amount", D(text), D(text))

    def case_data(self):
        for data in [bytes(range(256)), b"\x00", bytes(i * 7 % 256 for i in range(300_000))]:
            self.echo("data", data)
        self.echo("data", b"")

    def case_doubles(self):
        # zeep writes `nan` and `inf`, which are no numbers of XML Schema.
        self.echo("doubles", [0.0, -0.0, 5e-324, 1.7976931348623157e308, 0.1, 1e21, -1.5e-7])
        self.echo("doubles", [i / 3 for i in range(10_000)])

    def case_points(self):
        self.echo("points", [{"x": 1.0, "y": 2.0}, {"x": -0.5, "y": 1e300}])

    def case_matrix(self):
        self.echo("matrix", [{"item": [1, 2, 3]}, {"item": []}, {"item": [-2147483648, 2147483647]}])

    def case_maybe(self):
        self.echo("maybe", "there")
        assert self.call("maybe") is None

    def case_counts(self):
        entries = [{"key": "a", "value": 1}, {"key": " b ", "value": -2}]
        self.echo("counts", {"entry": entries}, entries)  # zeep takes the element off that holds but one kind

    def case_several(self):
        got = self.call("several", 7, "text & more", [0.5, 1.25], {"x": 1.5, "y": -2.5}, None, "BLUE", True, -9, datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), D("1.50"))
        assert got == "7|text & more|1.75|1.5|-2.5|-|BLUE|true|-9|2026-01-02T03:04:05Z|1.50", got

    def case_answer(self):
        assert self.call("answer") == 42

    def case_ping(self):
        assert self.call("ping") is None

    def fault(self, kind):
        try:
            self.call("fail", kind)
        except zeep.exceptions.Fault as fault:
            return fault
        raise AssertionError("no fault")

    def detail(self, fault, name):
        element = fault.detail[0]
        assert element.tag == f"{{{NAMESPACE}}}{name}", element.tag
        return zeep.helpers.serialize_object(self.client.get_element(f"{{{NAMESPACE}}}{name}").parse(element, self.client.wsdl.types), dict)

    def case_fault_none(self):
        assert self.call("fail", "nothing") == "nothing"

    def case_fault_not_found(self):
        assert plain(self.detail(self.fault("not-found"), "NotFound")) == {"what": "what & where"}

    def case_fault_refused(self):
        at = [datetime.datetime(2026, 1, 1, tzinfo=UTC), datetime.datetime(2026, 11, 21, 10, 31, 56, 250000, UTC)]
        assert plain(self.detail(self.fault("refused"), "Refused")) == plain({"code": -5, "reason": "<no>", "colour": "RED", "at": at})

    def case_fault_undeclared(self):
        fault = self.fault("internal")
        assert fault.code.split(":")[-1] in ("Server", "Receiver"), fault.code
        text = fault.message + etree.tostring(fault.detail).decode()
        assert 'code="internal"' in text and "secret" not in text and "Exception" not in text, text

    def case_oneway(self):
        prefix = f"zeep {time.time_ns()} "
        self.call("note", prefix + "one")
        deadline = time.monotonic() + 20
        while plain(self.call("noted", prefix)) != [prefix + "one"]:
            assert time.monotonic() < deadline, "the note never arrived"


def several(count, value):
    return [value for _ in range(count)]


POINT = {"x": 0.1, "y": -1e-7}
PRIMITIVES = {
    "flag": True, "tiny": -5, "small": 300, "letter": 0x20AC, "number": -70000, "big": 1 << 40, "single": 0.15625, "real": 2.5e-300, "text": "some text",
    "instant": datetime.datetime(2026, 11, 21, 10, 31, 56, 250000, UTC), "amount": D("-12.3400"), "data": bytes(range(256)),
}  # fmt: skip
LEAST = {
    "flag": False, "tiny": -128, "small": -32768, "letter": 0, "number": -2147483648, "big": -(1 << 63), "single": -3.4028235e38, "real": -1.7976931348623157e308,
    "text": "-", "instant": datetime.datetime(1, 1, 1, tzinfo=UTC), "amount": D("-0.000001"), "data": b"\xff",
}  # fmt: skip
GREATEST = {
    "flag": True, "tiny": 127, "small": 32767, "letter": 65535, "number": 2147483647, "big": (1 << 63) - 1, "single": math.inf, "real": 5e-324,
    "text": "+", "instant": datetime.datetime(9999, 12, 31, 23, 59, 59, 999999, UTC), "amount": D("123456789012345678901234567890.5"), "data": b"\x00" * 1025,
}  # fmt: skip
SHAPES = [
    # A member that is 0, or empty, is lost in zeep's choices.
    {"point": POINT}, {"circle": -0.5}, {"sides": {"item": [3, 4, 5]}}, {"label": "round"}, {"colour": "BLUE"},
]  # fmt: skip
ARRAYS = {
    "flags": [True, False], "tinies": b"\x80\x00\x7f", "shorts": [-1, 2], "letters": [65, 65535], "ints": [1, -1, 0], "longs": [1 << 62], "floats": [0.5, math.inf],
    "doubles": [0.1, -1.5], "texts": ["one", " two ", "<3>"], "instants": [datetime.datetime(2000, 2, 29, tzinfo=UTC)], "amounts": [D("1.0"), D("-2.00")],
    "blobs": [b"\x01\x02", b"\x03"], "colours": ["RED", "RED", "BLUE"], "points": [POINT, {"x": 1.0, "y": 2.0}], "shapes": SHAPES[:4],
}  # fmt: skip
NESTED = {
    "matrix": [{"item": [1, 2]}, {"item": []}, {"item": [3]}],
    "cube": [{"item": [{"item": ["a", "b"]}, {"item": []}]}, {"item": [{"item": ["c"]}]}],
    "paths": [{"item": [POINT, POINT]}],
    "holes": ["a", zeep.xsd.Nil, "c"],
    "counts": [{"entry": [{"key": "k", "value": 1}]}],
}
OPTIONALS = {
    **PRIMITIVES, "ints": {"item": [1, 2]}, "colour": "RED", "point": POINT, "shape": {"circle": 2.0}, "counts": {"entry": [{"key": "x", "value": 5}]},
}  # fmt: skip
GROWING = {"name": "big", "colour": "GREEN", "limit": -1, "weights": [1.0, 2.5], "since": datetime.datetime(2027, 1, 1, tzinfo=UTC), "price": D("0.10")}
LEAF = {"name": "leaf", "named": {}}
TREE = {
    "name": "root", "children": [LEAF, {"name": "inner", "children": several(3, LEAF), "next": LEAF, "named": {}}], "next": LEAF,
    "named": {"entry": [{"key": "k", "value": LEAF}]},
}  # fmt: skip
MAPS = {
    "counts": {"entry": [{"key": "one", "value": 1}, {"key": "two", "value": 2}]},
    "names": {"entry": [{"key": -1, "value": "minus"}]},
    "weights": {"entry": [{"key": 1 << 50, "value": 0.5}]},
    "points": {"entry": [{"key": True, "value": POINT}, {"key": False, "value": POINT}]},
    "colours": {"entry": [{"key": "RED", "value": "BLUE"}]},
    "lists": {"entry": [{"key": "l", "value": {"item": [1, 2, 3]}}]},
    "maybe": {"entry": [{"key": "yes", "value": "v"}, {"key": "no"}]},
}


def main():
    cases = Cases(sys.argv[1], sys.argv[2])
    failed = False
    for name in [name for name in dir(cases) if name.startswith("case_")]:
        label = name[len("case_") :].replace("_", "-")
        try:
            getattr(cases, name)()
            print(f"ok {label}", flush=True)
        except Exception as error:
            failed = True
            print(f"FAIL {label}: {type(error).__name__}: {error}".replace("\n", " ")[:1000], flush=True)
    return 1 if failed else 0


sys.exit(main())
