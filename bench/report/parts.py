"""The parts of a section of the page."""

from __future__ import annotations

from dataclasses import dataclass, field

from .measures import Row
from .papers import Finding


@dataclass(frozen=True)
class Cell:
    text: str
    # ahead, tie or behind: Creo compared with this peer; or empty.
    verdict: str = ""
    hover: str = ""


@dataclass(frozen=True)
class Table:
    head: list[str]
    rows: list[list[Cell]]


@dataclass(frozen=True)
class Block:
    """A part that is folded until it is wanted."""

    title: str
    chart: Row | None = None
    tables: list[Table] = field(default_factory=list)
    note: str = ""
    unfolded: bool = False
    # A sentence about the plot and the tables.
    says: str = ""


@dataclass(frozen=True)
class Section:
    name: str
    title: str
    note: str
    blocks: list[Block]


def finding_table(findings: list[Finding]) -> Table:
    rows = [
        [Cell(f.where), Cell(f.what), Cell(f.theirs), Cell(f.ours), Cell("" if f.agrees is None else "agrees" if f.agrees else "differs", "" if f.agrees is None else "ahead" if f.agrees else "tie")]
        for f in findings
    ]
    return Table(["in the paper", "what", "theirs", "ours", ""], rows)
