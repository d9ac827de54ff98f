"""Makes the page of all results, and the pictures of the README."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import vl_convert

from . import languages, page, pictures
from .compare import outcomes
from .measures import load

BENCH = Path(__file__).resolve().parents[1]
# Of the specifications that Altair makes.
VEGA_LITE = "6.4"
LARGEST = 2_000_000


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench-report", description=__doc__)
    parser.add_argument("--results", type=Path, default=BENCH / "results", help="folder of the results; the page and the pictures go there, too (default: bench/results)")
    folder = parser.parse_args().results
    results = load(folder)
    if not results.heads:
        print(f"bench-report: no results in {folder}", file=sys.stderr)
        return 1
    targets = json.loads((BENCH / "targets.json").read_text())
    judged = outcomes(targets, results)
    html = page.make(results, judged, vl_convert.javascript_bundle(vl_version=VEGA_LITE), targets)
    if len(html.encode()) > LARGEST:
        print(f"bench-report: the page has {len(html.encode()):,} bytes, more than {LARGEST:,}", file=sys.stderr)
        return 1
    (folder / "report.html").write_text(html)
    for name, spec in pictures.pictures(results).items():
        (folder / f"{name}.svg").write_text(vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE))
    drawing = languages.svg(results.rows.get("workloads", []))
    if drawing:
        (folder / "languages.svg").write_text(drawing)
    missing = ", ".join(results.missing) or "nothing"
    print(f"bench-report: wrote {folder / 'report.html'} ({len(html.encode()):,} bytes); not measured: {missing}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
