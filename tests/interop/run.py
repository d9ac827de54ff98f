#!/usr/bin/env python3
"""SOAP and JSON with other people's stacks, SOAP both ways; ends with the line `N passed, N failed`.

    run.py                        everything
    run.py --only zeep            the parts whose name holds this
    run.py --without csharp       without what needs C#; the closing line says what did not run
    run.py --list                 the names of the parts

Others call us: zeep, node-soap, gSOAP, CXF and the reference implementation of JAX-WS import the WSDL that the running Java service gives, and call every
method; so does a client that openapi-python-client makes of its OpenAPI document. We call others: the WSDL of services by CXF, the RI and gSOAP is imported, and clients in every
language call them. With CXF also over JMS, both ways. Answers with several elements in the body (`receipts`): zeep, CXF and gSOAP call, CXF and gSOAP serve. JAXB is bound to our
schema. Peers come from setup.sh beside this file.
"""

from __future__ import annotations

import argparse
import shutil
import sys

import callers
import jaxb
import jms
import partners
from harness import WORK, Harness


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--without", default="")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    without = [word for word in arguments.without.split(",") if word]

    parts = {**callers.parts(), **partners.parts(), **jms.parts(), **jaxb.parts()}
    if arguments.list:
        print("\n".join(parts))
        return 0
    wanted = {name: part for name, part in parts.items() if arguments.only in name}
    if not wanted:
        parser.error(f"no part has {arguments.only!r} in its name")
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)

    with Harness(without) as harness:
        for name, part in wanted.items():
            harness.run(name, part)
        return harness.close_with_counts()


if __name__ == "__main__":
    sys.exit(main())
