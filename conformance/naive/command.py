"""The command line of the naive writers of XML and JSON."""

import json
import sys

from checks import Failures, closing
from encode import ROOT, Schema, conformance_schema


def check(member, write):
    schema, failures, checked = conformance_schema(), Failures(), 0
    for path in sorted((ROOT / "vectors" / member).glob("*.json")):
        for vector in json.loads(path.read_text(encoding="utf-8"))["vectors"]:
            checked += 1
            try:
                written = write(schema, vector["type"], vector["value"])
            except Exception as defect:
                written = f"{type(defect).__name__}: {defect}"
            if written != (vector["encoded"] if "encoded" in vector else vector[member]):
                failures.append(f"{path.name} {vector['id']}: {written}")
    return closing(checked, failures)


def lines(files, member, write, refusal, allowed):
    schema = Schema(open(file, encoding="utf-8").read() for file in files)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            written = write(schema, asked["type"], asked["value"])
            answer = {member: written} if allowed(written) else {"error": "invalid-value"}
        except refusal:
            answer = {"error": "invalid-value"}
        print(json.dumps(answer), flush=True)


def main(doc, member, write, refusal, allowed=lambda written: True):
    """`member`: the wire, as the folder of its vectors and the member of its lines are called; `refusal`: raised for what it cannot hold."""
    if sys.argv[1:2] == ["--lines"]:
        sys.exit(lines(sys.argv[2:], member, write, refusal, allowed))
    if sys.argv[1:] == ["--check"]:
        sys.exit(check(member, write))
    if len(sys.argv) != 3:
        sys.exit(doc)
    print(write(conformance_schema(), sys.argv[1], json.loads(sys.argv[2])))
