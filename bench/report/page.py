"""One HTML file that needs no network: styles, the drawing library, the plots' specifications and the tables."""

from __future__ import annotations

import base64
import gzip
import json
from html import escape
from typing import Any

from harness.report import size_name, times

from . import sections as parts
from .compare import Outcome, Ratio
from .measures import EXPERIMENTS, LANGUAGES, Results, Row
from .summary import Line, behind, cell_name, ten_lines

STYLE = """
body { font: 15px/1.5 sans-serif; max-width: 1180px; margin: 0 auto; padding: 1em 1.5em 4em; color: #1a1a1a; }
h1 { font-size: 1.7em; } h2 { margin-top: 2.2em; border-bottom: 1px solid #ccc; } h3 { margin: 1.4em 0 .3em; }
table { border-collapse: collapse; margin: .8em 0; font-size: 13px; } th, td { border: 1px solid #ddd; padding: .2em .55em; text-align: left; vertical-align: top; }
th { background: #f4f4f4; } details { margin: .5em 0; } summary { cursor: pointer; font-weight: 600; padding: .2em 0; }
.scroll { overflow-x: auto; } .ahead { background: #e2f3e4; } .behind { background: #fbe1df; } .tie { background: #f6f3dc; }
ol.lines li { margin: .25em 0; } ol.lines b { padding: 0 .3em; } .small { font-size: 13px; color: #555; } code { background: #f4f4f4; }
"""

# The drawing library and the specifications are packed: together they are a fifth of their size. A plot is drawn when its part is unfolded: a page of forty plots opens at once.
SCRIPT = """
async function unpacked(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), c => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}
async function start() {
  const library = document.createElement('script');
  library.textContent = await unpacked('library');
  document.head.append(library);
  const specs = JSON.parse(await unpacked('specs'));
  function draw(within) {
    for (const place of within.querySelectorAll('[data-plot]:empty')) {
      if (place.closest('details:not([open])')) continue;
      vegaEmbed(place, specs[place.dataset.plot], {actions: {export: true, source: false, compiled: false, editor: false}, renderer: 'svg'});
    }
  }
  for (const folded of document.querySelectorAll('details')) folded.addEventListener('toggle', () => draw(folded));
  draw(document);
}
start();
"""


def packed(text: str) -> str:
    """The same text gives the same."""
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


def cell(found: parts.Cell) -> str:
    kind = f' class="{found.verdict}"' if found.verdict else ""
    hover = f' title="{escape(found.hover)}"' if found.hover else ""
    return f"<td{kind}{hover}>{escape(found.text)}</td>"


def table(found: parts.Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in found.head)
    rows = "\n".join("<tr>" + "".join(map(cell, row)) + "</tr>" for row in found.rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table></div>'


class Page:
    def __init__(self) -> None:
        self.specs: list[Row] = []
        self.lines: list[str] = []

    def add(self, *lines: str) -> None:
        self.lines += lines

    def section(self, made: parts.Section) -> None:
        self.add(f'<h2 id="{made.name}">{escape(made.title)}</h2>', f"<p>{escape(made.note)}</p>")
        for block in made.blocks:
            self.add(f"<details{' open' * block.unfolded}><summary>{escape(block.title)}</summary>")
            if block.note:
                self.add(f"<p>{escape(block.note)}</p>")
            if block.chart is not None:
                self.add(f'<div class="scroll" data-plot="{len(self.specs)}"></div>')
                self.specs.append(block.chart)
            self.add(*map(table, block.tables), "</details>")

    def top(self, results: Results, outcomes: list[Outcome]) -> None:
        self.add("<h1>Creo beside its peers</h1>")
        missing = parts.not_measured(results)
        if missing:
            self.add(f"<p>Not measured: {escape(', '.join(missing))}.</p>")
        self.add('<h2 id="summary">Who wins what</h2>', '<ol class="lines">')
        self.add(*map(summary_line, ten_lines(results)))
        self.add("</ol>")
        short = [outcome for outcome in outcomes if outcome.missed]
        reached = sum(outcome.missed == () for outcome in outcomes)
        self.add('<h2 id="short">What falls short</h2>')
        self.add(f"<p>{reached} of {len(outcomes)} targets reached, {len(short)} missed, {len(outcomes) - reached - len(short)} not measured.</p>")
        if short:
            self.add("<ul>", *(f"<li>{escape(o.what)}: wanted {escape(o.wanted)}; {escape(o.verdict)}</li>" for o in short), "</ul>")
        self.add("<details><summary>all targets</summary>", table(outcome_table(outcomes)), "</details>")
        losses = behind(results)
        self.add(f"<details><summary>every cell in which a peer is better by more than a fifth ({len(losses)})</summary>", table(loss_table(losses)), "</details>")

    def bottom(self, results: Results) -> None:
        self.add('<h2 id="how">How it was measured</h2>', "<p>docs/measuring.md says how each experiment is built, warmed up and judged. The samples are in bench/results/*.json.</p>")
        for name, head in results.heads.items():
            machine = head["machine"]
            self.add(f"<h3>{escape(name)}: make {EXPERIMENTS[name]}</h3>")
            if machine:
                self.add(f"<p>{escape(', '.join(str(value) for value in machine.values()))}</p>".replace(f", {machine.get('cpus')}, ", f", {machine.get('cpus')} processors, "))
            runs = "".join(f"<li><code>{escape(run['command'])}</code>{load(run)}</li>" for run in head["runs"] if "command" in run)
            self.add(f'<ul class="small">{runs}</ul>', f'<p class="small">{escape(versions(head["versions"]))}</p>')

    def html(self, library: str) -> str:
        specs = json.dumps(self.specs, separators=(",", ":"), ensure_ascii=False)
        body = "\n".join(self.lines)
        return (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n'
            f"<title>Creo beside its peers</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n"
            f'<script type="text/plain" id="specs">{packed(specs)}</script>\n<script type="text/plain" id="library">{packed(library)}</script>\n'
            f"<script>{SCRIPT}</script>\n</body>\n</html>\n"
        )


def summary_line(found: Line) -> str:
    return f'<li><b class="{found.score}">{escape(found.what)}</b> {escape(found.text)}.</li>'


def load(run: Row) -> str:
    return f" (load before {escape(str(run['load_before']))}, after {escape(str(run['load_after']))})" if "load_before" in run else ""


def versions(found: dict[str, Any]) -> str:
    named = []
    for name, version in found.items():
        shown = ", ".join(f"{each} {number}" for each, number in version.items()) if isinstance(version, dict) else version
        named.append(f"{LANGUAGES.get(name, name)}: {shown}" if isinstance(version, dict) else f"{name} {shown}")
    return "; ".join(named)


def outcome_table(outcomes: list[Outcome]) -> parts.Table:
    rows = []
    for outcome in outcomes:
        verdict = "" if outcome.missed is None else "behind" if outcome.missed else "ahead"
        rows.append([parts.Cell(outcome.what), parts.Cell(outcome.wanted), parts.Cell(outcome.reached), parts.Cell(outcome.verdict, verdict)])
    return parts.Table(["what", "wanted", "reached", ""], rows)


def loss_table(losses: list[Ratio]) -> parts.Table:
    rows = [
        [parts.Cell(each.peer.experiment), parts.Cell(LANGUAGES.get(each.peer.language, each.peer.language)), parts.Cell(cell_name(each)), parts.Cell(each.peer.peer), parts.Cell(times(1 / each.value), "behind")]
        for each in losses
    ]
    return parts.Table(["experiment", "language", "cell", "peer", "as good as Creo"], rows)


def make(results: Results, outcomes: list[Outcome], library: str) -> str:
    page = Page()
    page.top(results, outcomes)
    for made in parts.sections(results):
        page.section(made)
    page.bottom(results)
    return page.html(library)


__all__ = ["Page", "make", "size_name"]
