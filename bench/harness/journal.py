"""The measurements of a run so far: an interrupted run continues where it was."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Callable, Iterable, Protocol, Sequence, TypeVar

from .tools import name_of, say

Row = dict[str, Any]


class Part(Protocol):
    """A unit of measuring."""

    def key(self) -> list[Any]:
        """Distinguishes it from the other parts of a plan, as JSON."""
        ...

    def name(self) -> str:
        """For the bar."""
        ...


P = TypeVar("P", bound=Part)


class Journal:
    """The measured parts of a plan. Each plan has its own file, which runs of other plans do not touch."""

    def __init__(self, folder: Path, plan: object, fresh: bool) -> None:
        head = json.dumps({"plan": repr(plan)})
        self.path = path = folder / f"journal-{name_of(head)}.jsonl"
        self.parts: dict[str, list[Row]] = {}
        lines = path.read_text().splitlines() if path.exists() and not fresh else []
        kept = [head]
        for line in lines[1:] if lines and lines[0] == head else []:
            try:
                entry = json.loads(line)
            except ValueError:
                continue  # It was being written when the run was stopped: that part is measured again.
            self.parts[json.dumps(entry["part"])] = entry["rows"]
            kept.append(line)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in kept))

    def has(self, part: Part) -> bool:
        return json.dumps(part.key()) in self.parts

    def rows(self, part: Part) -> list[Row]:
        """What was measured of a part; nothing, if it was not yet."""
        return self.parts.get(json.dumps(part.key()), [])

    def add(self, part: Part, rows: list[Row]) -> None:
        self.parts[json.dumps(part.key())] = rows
        with self.path.open("a") as out:
            out.write(json.dumps({"part": part.key(), "rows": rows}) + "\n")

    def end(self) -> None:
        self.path.unlink()


def rows_of(parts: Iterable[Part], journal: Journal) -> list[Row]:
    """One row a cell of calls (see `results`), with a list of samples for each round. A cell that could be measured in one round only is kept, with what stopped it in another."""
    of_round = ("samples", "cannot", "sent", "received", "cold")
    cells: dict[str, Row] = {}
    for part in parts:
        for row in journal.rows(part):
            key = json.dumps([value for name, value in row.items() if name not in of_round])
            cell = cells.setdefault(key, {**{name: value for name, value in row.items() if name not in of_round}, "samples": []})
            if row["samples"]:
                cell["samples"].append(row["samples"])
            cell |= {name: row[name] for name in of_round[1:] if name in row}
    return list(cells.values())


def measure_parts(name: str, parts: Sequence[P], journal: Journal, measured: Callable[[P], list[Row]], reasons: Callable[[list[Row]], Iterable[str]] = lambda _: ()) -> None:
    """Measures the parts that the journal does not have, with a bar; says for which reasons some of a part could not be."""
    from tqdm import tqdm

    kept = sum(map(journal.has, parts))
    if kept:
        say(f"{name}: {kept} of {len(parts)} parts were measured by a run that was interrupted; --fresh would measure them again")
    with tqdm(total=len(parts), initial=kept, unit="part", dynamic_ncols=True) as bar:
        for part in parts:
            if journal.has(part):
                continue
            bar.set_description(part.name())
            rows = measured(part)
            for reason in reasons(rows):
                bar.write(f"{part.name()}{reason}", file=sys.stderr)
            journal.add(part, rows)
            bar.update()
