"""The pictures of the README and the docs: made of the same specifications as the page's plots, with fewer rows."""

from __future__ import annotations

from . import charts
from .measures import MESSAGES, Results, Row

# As many as the eye can distinguish.
PEERS = ("creo", "raw", "thrift-binary", "thrift-compact", "grpc", "rmi", "rest", "soap-cxf", "protobuf", "fory", "avro", "serialization")
FORMS = {
    "soap": "SOAP", "tdxml-record-in-soap": "tables in SOAP", "tdxml-record": "tables alone", "json": "JSON", "binary": "binary", "exi-schema": "EXI, with the schema", "fast-infoset": "Fast Infoset",
}  # fmt: skip

def pictures(results: Results) -> dict[str, Row]:
    """By name; what was not measured has no picture. Response times if there are any, otherwise the time to serialize."""
    made: dict[str, Row] = {}
    calls = results.of("creo", language="java", workload="numbers", what="response", placement="pinned", callers=1)
    found = [m for m in calls or results.of("wire", language="java", workload="numbers") if m.peer in PEERS]
    chart = charts.by_size(found, "creo", "response time" if calls else "processor time of a call")
    if chart is not None:
        made["numbers"] = chart
    if results.sizes:
        rows = [
            {"group": row["message"], "name": FORMS[row["form"]], "value": row["bytes"], "shown": f"{row['bytes']:,}", "ours": not row["form"].startswith(("exi", "fast"))}
            for row in results.sizes
            if row["form"] in FORMS
        ]
        made["sizes"] = charts.bars(rows, "bytes of a request", [m for m in MESSAGES if m in ("simple", "medium", "complex", "jpeg")], list(FORMS.values()))
    return made
