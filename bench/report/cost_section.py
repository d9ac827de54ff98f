"""The cost of XML serialization: its tables and plots for the page, and the same tables as cost-paper.md."""

from __future__ import annotations

import math

from . import charts, costs
from .compare import amount
from .costs import HUNDRED, ITEMS, PAPERS, STRINGS, WAYS, Pair, Stack
from .measures import Results, Row
from .parts import Block, Cell, Section, Table, finding_table

NOTE = (
    "Processor time of one warm thread, from objects to bytes in memory and back, by `creo calibrate`: each point is the lower quartile of its slices, at one rate of the clock, and of two processes the less. The paper measured .NET and Java in 2006 on a Pentium 4, and wrote to a "
    "network. JAXB and XmlSerializer write the element that stands in the body of Creo's SOAP message; Creo's soap has its envelope, too."
)
# In the plots by length: the types of the paper's examples, and some that cost otherwise.
SHOWN = ("int", "double", "String", "boolean", "DateTime")


def section(results: Results) -> Section:
    blocks = []
    if results.of(costs.EXPERIMENT):
        titled = tables(results)
        first = titled[0]
        blocks.append(Block(first[0], None, [first[2]], first[1], unfolded=True))
        blocks += plots(results)
        blocks += [Block(title, None, [table], note) for title, note, table in titled[1:]]
    return Section(costs.EXPERIMENT, "The cost of XML serialization", NOTE.replace("`", ""), blocks)


def tables(results: Results) -> list[tuple[str, str, Table]]:
    """Each with its title and what to know of it."""
    return [
        ("beside the paper", costs.verdict(results), finding_table(costs.findings(results))),
        ("arrays: one more item", f"Nanoseconds for one more item, from arrays of 1 to {costs.LONGEST:,}; R² of the line.", array_table(results)),
        (
            "strings: one more character",
            "Nanoseconds for a character of one string (1 to 100,000 characters) and of a hundred in an array, with R²; the cut-off is where two lines explain the hundred better than one (COST-22).",
            string_table(results),
        ),
        (
            "one more item of an array, one more field of a composite",
            "Nanoseconds: item, field, field for item. The same: they differ by less than a tenth. Not told apart: by more than a tenth, and by less than the intervals. In brackets what the coefficients of calibration's own fit say "
            "(COST-26), which leaves out tags and digits.",
            pair_table(results),
        ),
        ("how well calibration's fit holds", "Of all messages that calibration measured: R², and the median and ninetieth percentile of relative errors.", fit_table(results)),
    ]


def rows_of(results: Results) -> list[tuple[Stack, str, str]]:
    return [(stack, way, f"{costs.stack_name(stack)}, {word}") for stack in costs.stacks(results) for way, word in WAYS.items()]


def array_table(results: Results) -> Table:
    kinds = list(ITEMS.values())
    rows = []
    for stack, way, name in rows_of(results):
        lines = [costs.line_of(results, stack, way, f"{kind}[]") for kind in kinds]
        cells = [Cell("") if made is None else Cell(f"{made.slope:.3g} ({made.r2:.3f})", hover=f"{made.points} lengths, from {amount(made.intercept, 'ns')}") for made in lines]
        rows.append([Cell(name), *cells])
    return Table(["", *kinds], rows)


def string_table(results: Results) -> Table:
    rows = []
    for stack, way, name in rows_of(results):
        cells = []
        for work, count in ((STRINGS, 1), (HUNDRED, 100)):
            made = costs.line_of(results, stack, way, work, math.inf)
            cells.append(Cell("") if made is None else Cell(f"{made.slope / count:.3g} ({made.r2:.3f})"))
        profile = costs.fit(results, stack, way)
        cut = profile and profile["cut"]
        cells.append(Cell("" if profile is None else "none" if cut is None else f"{cut['at']:.0f} ({cut['low']:.0f} to {cut['high']:.0f})"))
        theirs = costs.CUTS.get((stack[0], way)) if stack in PAPERS else None
        cells.append(Cell("" if stack not in PAPERS else "none" if theirs is None else str(theirs)))
        rows.append([Cell(name), *cells])
    return Table(["", "one string", "of a hundred", "cut-off", "in the paper"], rows)


def pair_table(results: Results) -> Table:
    kinds = list(dict.fromkeys(["int", "double", *ITEMS.values()]))
    rows = []
    for stack, way, name in rows_of(results):
        profile = costs.fit(results, stack, way)
        differ: Row = profile["differ"] if profile else {}
        rows.append([Cell(name), *(pair_cell(costs.pair(results, stack, way, kind), differ.get(PROFILE.get(kind, kind))) for kind in kinds)])
    return Table(["", *kinds], rows)


# A type's name in a profile.
PROFILE = {"byte[]": "bytes"}


def pair_cell(found: Pair | None, differ: bool | None) -> Cell:
    if found is None:
        return Cell("")
    fitted = "" if differ is None else f" ({'not the same' if differ else 'the same'})"
    factor = "" if math.isinf(found.factor) else f", {found.factor:.2f}×"
    return Cell(f"{found.item:.3g}, {found.field:.3g}{factor}: {found.verdict}{fitted}", "tie" if found.verdict == "not the same" else "", f"± {found.item_reach:.2g}, ± {found.field_reach:.2g}")


def fit_table(results: Results) -> Table:
    rows = []
    for stack, way, name in rows_of(results):
        found = costs.fit(results, stack, way)
        if found is not None:
            rows.append([Cell(name), Cell(f"{found['r2']:.4f}"), Cell(f"{found['medianError']:.1%}"), Cell(f"{found['highError']:.1%}"), Cell(str(found["points"]))])
    return Table(["", "R²", "median", "90th percentile", "messages"], rows)


def plots(results: Results) -> list[Block]:
    blocks = []
    for stack in costs.stacks(results):
        if stack in PAPERS:
            points = [point(f"{kind}[]", m.size, way, m.summary.median) for way in WAYS for kind in SHOWN for m in costs.of_stack(results, stack, way, f"{kind}[]", costs.LONGEST)]
            chart = charts.by_length(points, "", "items of the array", "processor time")
            blocks.append(Block(f"{costs.stack_name(stack)}: arrays by length", chart, unfolded=True))
    for title, work, axis in (("a hundred strings by their length, all stacks", HUNDRED, "characters of each string"), ("int[] by length, all stacks", "int[]", "items of the array"), ("double[] by length, all stacks", "double[]", "items of the array")):
        points = [
            point(costs.stack_name(stack), m.size, way, m.summary.median) for way in WAYS for stack in costs.stacks(results) for m in costs.of_stack(results, stack, way, work, 10 * costs.LONGEST if work == HUNDRED else costs.LONGEST)
        ]
        blocks.append(Block(title, charts.by_length(points, "", axis, "processor time"), unfolded=work == HUNDRED))
    return blocks


def point(peer: str, size: object, way: str, value: float) -> Row:
    rounded = charts.rounded(value)
    return {"peer": peer, "size": size, "what": way, "value": rounded, "low": rounded, "high": rounded, "shown": amount(value, "ns")}


def markdown(results: Results) -> str:
    head = results.heads[costs.EXPERIMENT]
    run = head["runs"][0]
    lines = [
        "# The cost of XML serialization",
        "",
        f"By `{run['command']}`, load before {run['load_before']}, after {run['load_after']}; " + ", ".join(f"{name} {value}" for name, value in head["machine"].items()) + ".",
        *(f"{name}: {version}." for name, version in head["versions"].items()),
        "",
        NOTE,
        "The paper is the one on the cost of XML serialization in .NET and Java; its text names no library of Java.",
    ]
    for title, note, table in tables(results):
        lines += ["", f"## {title[0].upper()}{title[1:]}", ""] + ([note, ""] if note else [])
        lines += ["| " + " | ".join(table.head) + " |", "|---" * len(table.head) + "|"]
        lines += ["| " + " | ".join(cell.text for cell in row) + " |" for row in table.rows]
    return "\n".join(lines) + "\n"
