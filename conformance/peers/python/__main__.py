"""The Python peer of the conformance tests: ``python conformance/peers/python codec|client ...``.

The generated packages and the framework are found through ``PYTHONPATH``.
"""

from __future__ import annotations

import sys

import codec


def main(arguments: list[str]) -> int:
    if arguments == ["codec"]:
        codec.run()
        return 0
    if len(arguments) == 4 and arguments[0] == "client":
        import client

        client.run(arguments[1], int(arguments[2]), arguments[3])
        return 0
    print("usage: codec | client HOST PORT VECTORS", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
