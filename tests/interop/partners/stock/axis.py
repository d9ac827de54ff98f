"""The service of tests/import/encoded/in.wsdl as Apache Axis 1 answers: values that refer to one another, sparse arrays, other names. It ends with its input.

Each request must be as SOAP-31 says, byte for byte: REQUESTS has one of each method, and another one is a fault that shows both.
"""

from __future__ import annotations

import json
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from xml.sax.saxutils import escape

OPEN = (
    '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:n1="http://schemas.xmlsoap.org/soap/encoding/" '
    'xmlns:n2="http://www.w3.org/2001/XMLSchema" xmlns:n3="urn:example:stock" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soap:Body>'
)
STYLE = ' soap:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"'
CLOSE = "</soap:Body></soap:Envelope>"


def request(method: str, *parts: str) -> str:
    return f"{OPEN}<n3:{method}{STYLE}>{''.join(parts)}</n3:{method}>{CLOSE}"


def text(name: str, value: str, kind: str = "string") -> str:
    return f'<{name} xsi:type="n2:{kind}">{value}</{name}>'


def array(name: str, kind: str, *items: str) -> str:
    return f'<{name} xsi:type="n1:Array" n1:arrayType="{kind}[{len(items)}]">{"".join(items)}</{name}>'


def size(name: str, width: str, height: str) -> str:
    return f'<{name} xsi:type="n3:Size">{text("width", width, "double")}{text("height", height, "double")}</{name}>'


FULL = (
    '<item xsi:type="n3:Item">',
    text("sku", "x &amp; y"), '<kind xsi:type="n3:Kind">loose</kind>', text("price", "1.50", "decimal"), text("since", "2026-11-27", "date"),
    text("checked", "2026-11-27T10:00:00Z", "dateTime"), text("picture", "AP8=", "base64Binary"), text("note", "a note"),
    array("sizes", "n3:Size", size("item", "1", "2"), size("item", "3.5", "-0.5")), array("tags", "n2:string", text("item", "a"), text("item", "&lt;b&gt;")), "</item>",
)  # fmt: skip
LEAST = (
    '<item xsi:type="n3:Item">',
    text("sku", "least"), '<kind xsi:type="n3:Kind">packed-up</kind>', text("price", "0", "decimal"), text("since", "0001-01-01", "date"),
    text("checked", "0001-01-01T00:00:00Z", "dateTime"), text("picture", "", "base64Binary"), '<note xsi:nil="true"></note>', "</item>",
)  # fmt: skip

ANYTHING = '<value xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xsi:type="xsd:int">42</value>'

REQUESTS = {
    "count": [request("count", array("skus", "n2:string", text("item", "a"), text("item", "bcd"))), request("count", array("skus", "n2:string")), request("count")],
    "find": [request("find", '<kind xsi:type="n3:Kind">packed-up</kind>', text("limit", limit, "int")) for limit in "02"],
    "describe": [request("describe", text("sku", sku)) for sku in ("q", "unknown", "broken")],
    "store": [request("store", *FULL), request("store", *LEAST)],
    "move": [request("move", text("sku", "abc"), text("day", "2026-11-27", "date"))],
    "sum": [request("sum", array("rows", "n2:int[]", array("item", "n2:int", text("item", "1", "int"), text("item", "2", "int")), array("item", "n2:int", text("item", "3", "int"))))],
    "properties": [request("properties", text("sku", "q"))],
    "anything": [request("anything", ANYTHING)],
    "ping": [request("ping")],
    "forget": [request("forget", text("sku", "q"))],
}

HEAD = (
    '<?xml version="1.0" encoding="utf-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsd="http://www.w3.org/2001/XMLSchema" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soapenv:Body>'
)
TAIL = "</soapenv:Body></soapenv:Envelope>"
ENC = ' xmlns:soapenc="http://schemas.xmlsoap.org/soap/encoding/"'
IN = ' soapenv:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"'


def item(number: int, sku: str, root: str) -> str:
    """An item that others refer to; it refers to its sizes itself."""
    return (
        f'<multiRef id="id{number}" soapenc:root="{root}"{IN} xsi:type="ns2:Item"{ENC} xmlns:ns2="urn:example:stock"><sku xsi:type="soapenc:string">{sku}</sku>'
        '<kind xsi:type="ns2:Kind">packed-up</kind><price xsi:type="xsd:decimal">12.50</price><since xsi:type="xsd:date">2020-02-29</since>'
        '<checked xsi:type="xsd:dateTime">2026-01-02T03:04:05.000Z</checked><picture href="#bytes"/><note xsi:type="xsd:string" xsi:nil="true"/>'
        '<size href="#size"/><sizes xsi:type="soapenc:Array" soapenc:arrayType="ns2:Size[2]"><sizes href="#small"/><sizes href="#large"/></sizes>'
        '<tags xsi:type="soapenc:Array" soapenc:arrayType="soapenc:string[2]"><tags xsi:type="soapenc:string">a&lt;b</tags><tags xsi:type="soapenc:string"></tags></tags></multiRef>'
    )


def multi(name: str, width: str, height: str) -> str:
    return (
        f'<multiRef id="{name}" soapenc:root="0"{IN} xsi:type="ns9:Size"{ENC} xmlns:ns9="urn:example:stock"><width xsi:type="xsd:double">{width}</width>'
        f'<height href="#{name}-height"/></multiRef><multiRef id="{name}-height" soapenc:root="0"{IN} xsi:type="xsd:double"{ENC}>{height}</multiRef>'
    )


SHARED = multi("size", "1.5", "2.0") + multi("small", "1.0", "2.0") + multi("large", "3.0", "4.0") + f'<multiRef id="bytes" xsi:type="soapenc:base64" soapenc:root="0"{ENC}>AAEC</multiRef>'


def response(method: str, *parts: str, behind: str = "") -> str:
    return f'{HEAD}<ns1:{method}Response{IN} xmlns:ns1="urn:example:stock">{"".join(parts)}</ns1:{method}Response>{behind}{TAIL}'


def answer(method: str, number: int) -> str:
    if method == "count":
        if number == 0:
            # An offset, a position, and an item by reference.
            return response("count", f'<countReturn soapenc:arrayType="xsd:int[2]" xsi:type="soapenc:Array"{ENC}><x>1</x><y href="#three"/></countReturn>', behind=f'<multiRef id="three"{ENC}>3</multiRef>')
        return response("count", f'<countReturn soapenc:arrayType="xsd:int[0]" xsi:type="soapenc:Array"{ENC}/>' if number == 1 else '<countReturn xsi:nil="1"/>')
    if method == "find":
        refs = "".join(f'<item href="#id{each}"/>' for each in range(2 * number))
        found = f'<findReturn xsi:type="soapenc:Array" soapenc:arrayType="ns2:Item[{2 * number}]"{ENC} xmlns:ns2="urn:example:stock">{refs}</findReturn>'
        return response("find", found, behind="".join(item(each, f"packed-up-{each + 1}", "0") for each in range(2 * number)) + SHARED)
    if method == "describe":
        return response("describe", '<describeReturn href="#id0"/>', behind=item(0, "q", "0") + SHARED)
    if method == "store":
        return response("store")
    if method == "move":
        return response("move", '<moved xsi:type="xsd:int">3</moved><left href="#left"/>', behind=f'<multiRef id="left" xsi:type="xsd:int"{ENC}>2026</multiRef>')
    if method == "sum":
        return response("sum", '<s-gensym3 xsi:type="xsd:double">6.0</s-gensym3>')
    if method == "properties":
        pairs = (("colour", "string", "red"), ("weight", "int", "3"))
        items = "".join(f'<item><key xsi:type="xsd:string">{key}</key><value xsi:type="xsd:{kind}">{value}</value></item>' for key, kind, value in pairs)
        return response("properties", f'<propertiesReturn xsi:type="ns2:Map" xmlns:ns2="http://xml.apache.org/xml-soap">{items}</propertiesReturn>')
    if method == "anything":
        return response("anything", '<value xsi:type="xsd:int">42</value>')
    return response(method)


def fault(string: str, detail: str = "", behind: str = "") -> str:
    return (
        f'{HEAD}<soapenv:Fault><faultcode>soapenv:Server.userException</faultcode><faultstring>{escape(string)}</faultstring>'
        f"<detail>{detail}<ns3:hostname xmlns:ns3=\"http://xml.apache.org/axis/\">here</ns3:hostname></detail></soapenv:Fault>{behind}{TAIL}"
    )


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        status, text = self.answered(body)
        self.send_response(status)
        content = text.encode()
        self.send_header("Content-Type", "text/xml;charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def answered(self, body: str) -> tuple[int, str]:
        found = re.search(r"<n3:(\w+)", body)
        method = found[1] if found else ""
        known = REQUESTS.get(method, [])
        if body not in known:
            return 500, fault(f"expected one of {known}, but got {body}")
        if self.headers["SOAPAction"] != f'"urn:example:stock#{method}"' or not self.headers["Content-Type"].startswith("text/xml"):
            return 500, fault(f"wrong headers: {self.headers.items()}")
        number = known.index(body)
        if method == "describe" and number == 1:
            behind = f'<multiRef id="id0" soapenc:root="0" xsi:type="ns5:UnknownSku"{ENC} xmlns:ns5="urn:example:stock"><sku xsi:type="xsd:string">unknown</sku></multiRef>'
            return 500, fault("no such sku", '<ns1:unknownSku href="#id0" xmlns:ns1="urn:example:stock"/>', behind)
        if method == "describe" and number == 2:
            return 500, fault("it broke")
        return 200, answer(method, number)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(json.dumps({"address": f"http://127.0.0.1:{server.server_port}/"}), flush=True)
sys.stdin.read()
