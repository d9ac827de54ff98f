"""`creo call` of a partner's SOAP service, whose answers do not follow its description."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator

import pytest
from test_call import LAB, WORK, Ran, creo

ANSWER = (
    '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:l="urn:creo:call.lab"><s:Header>'
    '<w:Security xmlns:w="urn:w"><w:Password Type="hunter2">hunter2</w:Password></w:Security></s:Header><s:Body><l:lengthResponse>'
    "<l:note/>so <l:result> 4 </l:result></l:lengthResponse></s:Body></s:Envelope>"
)


class Partner(http.server.BaseHTTPRequestHandler):
    """Answers each request alike."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/xml; charset=utf-8")
        self.send_header("Set-Cookie", "session=hunter2")
        self.send_header("Content-Length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER.encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def partner() -> Iterator[str]:
    WORK.mkdir(parents=True, exist_ok=True)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Partner) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def length(target: str, *options: str) -> Ran:
    return creo("call", target, "length", '{"text": "four"}', "-d", LAB, *options)


def test_a_lenient_call_reads_what_a_strict_one_refuses(partner: str) -> None:
    err = length(partner, "--wire", "soap").exits(1).err
    assert err.startswith("error[malformed]: text is within ") and "(lenient reading would skip it) (at $result)" in err
    assert length(partner, "--wire", "soap", "--lenient").exits(0).out == "4\n"


def test_other_wires_are_read_strictly(partner: str) -> None:
    for target, wire in [(partner, "json"), (partner.removeprefix("http://"), "binary")]:
        err = length(target, "--wire", wire, "--lenient").exits(1).err
        assert "--lenient is for answers of the wire soap" in err and "--wire soap" in err


def test_credentials_are_not_shown(partner: str) -> None:
    options = ["--user", "me:hunter2", "--metadata", "my-token=hunter2", "--header", "X-Seen: yes"]
    err = length(partner, "--wire", "soap", "--lenient", "-v", *options).exits(0).err
    assert "> Authorization: ***\n" in err and "> Creo-Meta-my-token: ***\n" in err and "> X-Seen: yes\n" in err
    assert "< Set-Cookie: ***\n" in err and '<w:Password Type="***">***</w:Password>' in err and "<l:note/>so " in err
    assert "hunter2" not in err and "bWU6aHVudGVyMg" not in err
    err = length(partner, "--wire", "json", "-v", "--header", "Authorization: hunter2").exits(1).err
    assert "> Authorization: ***\n" in err and "< Set-Cookie: ***\n" in err
