"""make bench-sizes: how many bytes the five messages of the TDXML paper have in each form. See docs/measuring.md."""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

from harness import machine, results
from harness.languages import Java, pom
from harness.report import MESSAGES
from harness.tools import BENCH, BUILD, Failed, run, say

Row = dict[str, Any]

# In the order of the table. The paper's figure 1 (its table 1) is that of TDXML within SOAP; what it calls MIME is a package.
FORMS = {
    "soap": "SOAP",
    "soap-mtom": "SOAP with MTOM",
    "tdxml-aggregated-in-soap": "TDXML in SOAP, aggregated scheme",
    "tdxml-record-in-soap": "TDXML in SOAP, record scheme",
    "tdxml-record-in-soap-mime": "TDXML in SOAP, record scheme, package",
    "tdxml-record": "TDXML alone, record scheme",
    "tdxml-record-mime": "TDXML alone, record scheme, package",
    "json": "JSON",
    "binary": "binary",
    "exi": "EXI of SOAP, without a schema",
    "exi-schema": "EXI of SOAP, with the schema",
    "fast-infoset": "Fast Infoset of SOAP",
}
# The paper's losses and savings in SOAP.
PAPER = {"short": "12.5 % larger", "simple": "24 % smaller", "medium": "38 % smaller", "complex": "43 % smaller", "jpeg": "26 % smaller, without SOAP"}


def schema() -> str:
    """The schema of the messages, taken out of the WSDL that is exported."""
    wsdl = run([BENCH.parent / "target" / "debug" / "creo", "export", "wsdl", BENCH / "messages.creo"], capture=True)
    found = re.search(r"<xs:schema.*?</xs:schema>", wsdl, re.S)
    if found is None:
        raise Failed("the WSDL holds no schema")
    path = BUILD / "messages.xsd"
    # Prefixes are declared on the root of the WSDL.
    declared = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in re.findall(r'xmlns:(\w+)="([^"]*)"', wsdl[: wsdl.index(found[0])]) if f"xmlns:{prefix}=" not in found[0])
    path.write_text(found[0].replace("<xs:schema", f"<xs:schema {declared}", 1))
    return str(path)


def percent(share: float) -> str:
    return f"{abs(share):.1%} {'smaller' if share >= 0 else 'larger'}"


def page(result: Row) -> str:
    sizes = {(row["message"], row["form"]): row for row in result["rows"]}
    lines = [
        "# Sizes of messages",
        "",
        "Bytes of a request's body, and in brackets those of its gzip. Headers of HTTP are not counted. The same values in every form; EXI and Fast Infoset hold the envelope",
        "of the first row. A package holds byte strings as parts; a message that has none of 1,024 bytes is not packaged.",
        "",
        f"Taken by `{result['command']}` with " + ", ".join(f"{name} {version}" for name, version in result["versions"].items()) + ".",
        "",
        "| form | " + " | ".join(MESSAGES) + " |",
        "|---" * (len(MESSAGES) + 1) + "|",
    ]
    for form, title in FORMS.items():
        cells = [f"{sizes[message, form]['bytes']:,} ({sizes[message, form]['gzip']:,})" for message in MESSAGES]
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    lines += ["", "Against SOAP, plain:", "", "| form | " + " | ".join(MESSAGES) + " |", "|---" * (len(MESSAGES) + 1) + "|"]
    for form in list(FORMS)[1:]:
        cells = [percent(1 - sizes[message, form]["bytes"] / sizes[message, "soap"]["bytes"]) for message in MESSAGES]
        lines.append(f"| {FORMS[form]} | " + " | ".join(cells) + " |")
    lines += ["", "## Targets", "", "| message | form | the paper | wanted | reached | |", "|---|---|---|---|---|---|"]
    for target in json.loads((BENCH / "targets.json").read_text()):
        if "sizes" not in target:
            continue
        message = target["message"]
        share = 1 - sizes[message, target["sizes"]]["bytes"] / sizes[message, "soap"]["bytes"]
        wanted = "not larger" if target["smaller"] == 0 else f"{target['smaller']:.0%} smaller"
        verdict = "reached" if round(share, 3) >= target["smaller"] else "**falls short**"
        lines.append(f"| {message} | {FORMS[target['sizes']]} | {PAPER[message]} | {wanted} | {percent(share)} | {verdict} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench-sizes", description=__doc__)
    parser.add_argument("--results", type=Path, default=BENCH / "results", help="folder for sizes.json and sizes.md (default: bench/results)")
    folder: Path = parser.parse_args().results
    try:
        say("java: building")
        Java().build(text=True)
        out = run(["java", "-cp", f"{BUILD}/java/target/classes:{BUILD}/java/lib/*", "creo.bench.messages.Sizes", schema()], capture=True)
    except Failed as failed:
        say(f"bench-sizes: {failed}")
        return 1
    result = {
        "machine": machine.describe(),
        "command": "make bench-sizes",
        "versions": {"JDK": machine.first_line("java", "-version"), "exificient": pom("exificient"), "FastInfoset": pom("fastinfoset")},
        "rows": [json.loads(line) for line in out.splitlines()],
    }
    results.write(folder / "sizes.json", result)
    text = page(result)
    (folder / "sizes.md").write_text(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
