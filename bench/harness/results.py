"""The files of results: one JSON object each with one row per line, which makes results easy to compare.

The rows of calls (creo.json, tdxml.json) all have this shape:

    {"language", "peer", "workload", "size", "placement", "callers", "what", "unit", "samples": [[of round 1, ...], [of round 2, ...]]}

`size` is the payload in bytes or the name of a message; `placement` is `pinned` (both sides on one core) or `free`; `what` is `response`, `calls`, or `cpu-service` and
`cpu-client`: processor time for a call. A round's samples may be thinned to evenly spaced quantiles.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .report import LANGUAGES, TEXTS, WORKLOADS, Size, in_order

Row = dict[str, Any]


def dump(result: Row) -> str:
    head = json.dumps({key: value for key, value in result.items() if key != "rows"}, indent=1, ensure_ascii=False)
    rows = ",\n".join("  " + json.dumps(row) for row in result["rows"])
    return f'{head[:-2]},\n "rows": [\n{rows}\n ]\n}}\n'


def write(path: Path, result: Row) -> None:
    """Whole or not at all: a run that is stopped leaves the old file as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text(dump(result))
    fresh.replace(path)


def merged(old: Row, new: Row) -> Row:
    """The new result, with the old rows of what was not measured now. All peers of a cell are kept or replaced together: a ratio never crosses two runs."""

    def table(row: Row) -> tuple[str, str, Size]:
        return row["language"], row["workload"], row["size"]

    replaced = {table(row) for row in new["rows"]}
    languages, workloads = list(LANGUAGES), [*WORKLOADS, *TEXTS]
    rows = [row for row in old["rows"] if table(row) not in replaced] + new["rows"]
    sizes = in_order(row["size"] for row in rows)
    versions = {**old["versions"], **new["versions"]}
    return {
        **new,
        "runs": [*old["runs"], *new["runs"]],
        "versions": {name: versions[name] for name in languages if name in versions},
        "rows": sorted(rows, key=lambda row: (languages.index(row["language"]), workloads.index(row["workload"]), sizes.index(row["size"]))),
    }
