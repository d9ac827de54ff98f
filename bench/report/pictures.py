"""The pictures of the README and the docs: made of the same specifications as the page's plots, with fewer rows."""

from __future__ import annotations

from . import charts
from .measures import LANGUAGES, MESSAGES, Results, Row

# As many as the eye tells apart.
PEERS = ("creo", "raw", "thrift-binary", "thrift-compact", "grpc", "rmi", "rest", "soap-cxf", "protobuf", "fory", "avro", "serialization")
FORMS = {
    "soap": "SOAP", "tdxml-record-in-soap": "tables in SOAP", "tdxml-record": "tables alone", "json": "JSON", "binary": "binary", "exi-schema": "EXI, with the schema", "fast-infoset": "Fast Infoset",
}  # fmt: skip

# What the picture of all languages shows: records of short texts, of 10 kB, which is nobody's best case.
WORKLOAD, SIZE = "texts", 10_000
# Hand-written code without checks is a floor, not a peer; messages that were built before are no whole call.
APART = ("hand", "creo-borrow", "creo-view", "creo-columns", "protobuf-prebuilt", "protobuf-c-prebuilt", "reverse-endianness")


def by_language(results: Results) -> Row | None:
    """The time to write and read one message, in every language, peers and losses alike."""
    rows: list[Row] = []
    for language, title in LANGUAGES.items():
        found: dict[str, dict[str, float]] = {}
        for each in results.of("wire", language=language, workload=WORKLOAD, size=SIZE):
            if each.peer not in APART:
                found.setdefault(each.peer, {})[each.what] = each.summary.median
        whole = {peer: sum(ways.values()) for peer, ways in found.items() if len(ways) == 2}
        rows += [{"group": title, "name": peer, "value": charts.rounded(value), "shown": charts.amount(value, "ns"), "ours": peer == "creo"} for peer, value in sorted(whole.items(), key=lambda one: one[1])]
    if not rows:
        return None
    return charts.bars(rows, "processor time to write and read 10 kB", list(LANGUAGES.values()), list(dict.fromkeys(row["name"] for row in rows)), "ns")


def pictures(results: Results) -> dict[str, Row]:
    """By name; what was not measured has no picture. Response times if there are any, otherwise the time to serialize."""
    made: dict[str, Row] = {}
    calls = results.of("creo", language="java", workload="numbers", what="response", placement="pinned", callers=1)
    found = [m for m in calls or results.of("wire", language="java", workload="numbers") if m.peer in PEERS]
    chart = charts.by_size(found, "creo", "response time" if calls else "processor time of a call")
    if chart is not None:
        made["numbers"] = chart
    languages = by_language(results)
    if languages is not None:
        made["languages"] = languages
    if results.sizes:
        rows = [
            {"group": row["message"], "name": FORMS[row["form"]], "value": row["bytes"], "shown": f"{row['bytes']:,}", "ours": not row["form"].startswith(("exi", "fast"))}
            for row in results.sizes
            if row["form"] in FORMS
        ]
        made["sizes"] = charts.bars(rows, "bytes of a request", [m for m in MESSAGES if m in ("simple", "medium", "complex", "jpeg")], list(FORMS.values()))
    return made
