"""The carrier's side, as a partner has it: hand-written SOAP, which knows nothing of Creo.

carrier.py serve            serves on a free port, prints its address, and ends with its input
carrier.py call URL NUMBER  asks a service with the carrier's interface where a parcel is
"""

from __future__ import annotations

import sys
import threading
import urllib.error
import urllib.request
import xml.etree.ElementTree as ET
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from xml.sax.saxutils import escape

ENVELOPE = "{http://schemas.xmlsoap.org/soap/envelope/}"
NAMESPACE = "http://carrier.example/parcels"
C = f"{{{NAMESPACE}}}"

parcels: dict[str, str] = {}


def envelope(body: str) -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/" '
        f'xmlns:ns1="{NAMESPACE}"><SOAP-ENV:Body>{body}</SOAP-ENV:Body></SOAP-ENV:Envelope>'
    ).encode()


def book(request: ET.Element) -> str:
    number = f"P-{len(parcels) + 1:04}"
    parcels[number] = request.findtext(f"{C}from/{C}city", "")
    kilograms = sum(float(each.text or 0) for each in request.iterfind(f"{C}parcel/{C}kilograms"))
    return f"<ns1:bookResponse><ns1:number>{number}</ns1:number><ns1:price>{kilograms * 2 + 5:.2f}</ns1:price><ns1:arrives>2026-12-01</ns1:arrives></ns1:bookResponse>"


def track(request: ET.Element) -> str | None:
    city = parcels.get(request.findtext(f"{C}number", ""))
    if city is None:
        return None
    event = f"<ns1:at>2026-11-27T08:30:00+01:00</ns1:at><ns1:place>{escape(city)}</ns1:place><ns1:state>in-transit</ns1:state>"
    return f"<ns1:trackResponse><ns1:event>{event}</ns1:event></ns1:trackResponse>"


def unknown(number: str) -> str:
    return (
        "<SOAP-ENV:Fault><faultcode>SOAP-ENV:Client</faultcode><faultstring>no such parcel</faultstring>"
        f"<detail><ns1:UnknownParcel><ns1:number>{escape(number)}</ns1:number></ns1:UnknownParcel></detail></SOAP-ENV:Fault>"
    )


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = ET.fromstring(self.rfile.read(int(self.headers["Content-Length"])))
        call = request.find(f"{ENVELOPE}Body")[0]  # type: ignore[index]
        answer = {f"{C}book": book, f"{C}track": track}[call.tag](call)
        body = envelope(answer or unknown(call.findtext(f"{C}number", "")))
        self.send_response(200 if answer else 500)
        self.send_header("Content-Type", "text/xml; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


def serve() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}/parcels", flush=True)
    sys.stdin.read()


def call(url: str, number: str) -> None:
    body = envelope(f"<ns1:track><ns1:number>{escape(number)}</ns1:number></ns1:track>")
    request = urllib.request.Request(url, body, {"Content-Type": "text/xml; charset=utf-8", "SOAPAction": f'"{NAMESPACE}/track"'})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            root = ET.fromstring(response.read())
        for event in root.iter(f"{C}event"):
            print(f"{number}: {event.findtext(f'{C}state')} in {event.findtext(f'{C}place')}")
    except urllib.error.HTTPError as error:
        fault = ET.fromstring(error.read())
        missing = fault.findtext(f".//{C}UnknownParcel/{C}number")
        print(f"unknown parcel {missing}" if missing else f"fault: {fault.findtext('.//faultstring')}")


if __name__ == "__main__":
    serve() if sys.argv[1] == "serve" else call(*sys.argv[2:])
