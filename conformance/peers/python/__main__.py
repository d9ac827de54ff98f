"""The Python peer of the conformance tests: ``python conformance/peers/python MODE ...``.

The generated packages and the runtime are found through ``PYTHONPATH``.
"""

from __future__ import annotations

import sys

import codec


def main(arguments: list[str]) -> int:
    if len(arguments) == 1 and arguments[0] in codec.MODES:
        codec.run(arguments[0])
        return 0
    if arguments == ["writer"]:
        import writer

        writer.run()
        return 0
    if arguments == ["probe"]:
        import probe

        probe.run()
        return 0
    if arguments == ["streams"]:
        import streams

        streams.run()
        return 0
    if arguments == ["retries"]:
        import retries

        retries.run()
        return 0
    if len(arguments) == 4 and arguments[0] == "client":
        import client

        client.run(arguments[1], int(arguments[2]), arguments[3])
        return 0
    if len(arguments) == 3 and arguments[0] == "client-soap":
        import soap

        soap.run(arguments[1], arguments[2])
        return 0
    if len(arguments) == 3 and arguments[0] in ("client-json", "client-tables", "client-tdxml"):
        import wires

        runs = {"json": wires.run_json, "tables": wires.run_tables, "tdxml": wires.run_tdxml}
        runs[arguments[0][7:]](arguments[1], arguments[2])
        return 0
    if len(arguments) == 4 and arguments[0] == "client-tdxml-tcp":
        import wires

        wires.run_tdxml_tcp(arguments[1], int(arguments[2]), arguments[3])
        return 0
    if len(arguments) == 5 and arguments[0] == "client-jms":
        import jms

        jms.run(arguments[1], arguments[2], int(arguments[3]), arguments[4])
        return 0
    if len(arguments) == 5 and arguments[0] == "client-soap-tls":
        import wires

        wires.run_soap_tls(*arguments[1:])
        return 0
    if len(arguments) == 6 and arguments[0] == "tls":
        import client

        host, port, vectors, certificates, plain_port = arguments[1:]
        client.run_tls(host, int(port), vectors, certificates, int(plain_port))
        return 0
    print(
        f"usage: {' | '.join(codec.MODES)} | writer | probe | streams | retries | client HOST PORT VECTORS | client-soap URL VECTORS | "
        "client-json URL VECTORS | client-tables URL VECTORS | client-tdxml URL VECTORS | "
        "client-tdxml-tcp HOST PORT VECTORS | client-soap-tls URL VECTORS CERTIFICATES PLAIN_URL | "
        "client-jms WIRE HOST PORT VECTORS | "
        "tls HOST PORT VECTORS CERTIFICATES PLAIN_PORT",
        file=sys.stderr,
    )
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
