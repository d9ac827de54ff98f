"""The files of results: one JSON object each, one row a line, so that two results can be compared by eye.

The rows of calls (creo.json, tdxml.json) all have this shape:

    {"language", "peer", "workload", "size", "placement", "callers", "what", "unit", "samples": [[of round 1, ...], [of round 2, ...]]}

`size` is the payload in bytes or the name of a message; `placement` is `pinned` (both sides on one core) or `free`; `what` is `response`, `calls`, or `cpu-service` and
`cpu-client`: processor time for a call. A round's samples may be thinned to evenly spaced quantiles.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

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
