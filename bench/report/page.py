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
:root { color-scheme: light dark; --ink: #1a1a1a; --soft: #555; --paper: #fff; --rule: #d9d9d9; --head: #f4f4f4; --ahead: #d8e8f6; --behind: #fbdcc4; --tie: #f2eedb; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8ea; --soft: #a8a8ae; --paper: #17171a; --rule: #3b3b40; --head: #242428; --ahead: #12395a; --behind: #5c2f10; --tie: #3a371f; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 1220px; margin: 0 auto; padding: 1em 1em 4em; color: var(--ink); background: var(--paper); overflow-wrap: anywhere; }
h1 { font-size: 1.7em; } h2 { margin-top: 2.2em; border-bottom: 1px solid var(--rule); } h3 { margin: 1.4em 0 .3em; }
table { border-collapse: collapse; margin: .8em 0; font-size: 13px; width: 100%; } th, td { border: 1px solid var(--rule); padding: .2em .45em; text-align: left; vertical-align: top; overflow-wrap: normal; }
th { background: var(--head); } details { margin: .5em 0; } summary { cursor: pointer; font-weight: 600; padding: .2em 0; }
.ahead { background: var(--ahead); } .behind { background: var(--behind); } .tie { background: var(--tie); } .says { margin: .3em 0; max-width: 60em; }
ol.lines { padding-left: 1.4em; } ol.lines li { margin: .35em 0; } ol.lines b { padding: 0 .3em; } .small { font-size: 13px; color: var(--soft); } code { background: var(--head); }
[data-plot] { margin: .8em 0; color: var(--ink); } .vega-embed { max-width: 100%; } .vega-embed svg { color: var(--ink); }
@media screen and (max-width: 60rem) {
  table, tbody, tr, td { display: block; } thead { display: none; } table { font-size: 15px; }
  tr { border: 1px solid var(--rule); border-radius: 6px; margin: .7em 0; padding: .3em .6em; }
  td { border: 0; padding: .12em .2em; display: flex; justify-content: space-between; gap: 1em; text-align: right; overflow-wrap: anywhere; } td:empty { display: none; }
  td::before { content: attr(data-label); color: var(--soft); text-align: left; flex: 0 1 45%; }
}
@media print {
  @page { size: landscape; }
  :root { color-scheme: light; --ink: #000; --soft: #444; --paper: #fff; --rule: #bbb; --head: #eee; --ahead: #d8e8f6; --behind: #fbdcc4; --tie: #f2eedb; }
  body { padding: 0; font-size: 10pt; } table { font-size: 7.5pt; } tr, [data-plot] { break-inside: avoid; } .vega-actions, .vega-embed summary { display: none; }
}
"""

# The drawing library and the specifications are packed: together they are a fifth of their size. A plot is drawn when its part is unfolded: a page of forty plots opens at once.
SCRIPT = """
async function unpacked(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), c => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}
// On a narrow screen each row is a card, in which each cell has its column's name.
for (const table of document.querySelectorAll('table')) {
  const names = [...table.querySelectorAll('th')].map(each => each.textContent);
  for (const row of table.tBodies[0].rows) [...row.cells].forEach((each, at) => { each.dataset.label = names[at] ?? ''; });
}
async function start() {
  const library = document.createElement('script');
  library.textContent = await unpacked('library');
  document.head.append(library);
  const specs = JSON.parse(await unpacked('specs'));
  const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue('--ink').trim(), rule = style.getPropertyValue('--rule').trim();
  const config = {
    background: 'transparent', font: 'system-ui, sans-serif', title: {color: ink}, view: {stroke: rule},
    axis: {labelColor: ink, titleColor: ink, gridColor: rule, domainColor: rule, tickColor: rule, labelFontSize: 12, titleFontSize: 13}, legend: {labelColor: ink, titleColor: ink, labelFontSize: 13}, text: {color: ink},
  };
  // Two plots beside each other where there is room, otherwise below each other and as wide as the page.
  function fitted(spec, width) {
    const narrow = width < 1150, room = Math.min(420, width - (narrow ? 140 : 40));
    const walk = (each) => {
      if (Array.isArray(each)) return each.forEach(walk);
      if (!each || typeof each !== 'object') return;
      if (narrow && each.concat) each.columns = 1;
      if (narrow && typeof each.width === 'number') each.width = each.layer && each.layer[0].mark.type === 'bar' ? Math.max(100, width - 230) : room;
      if (narrow && each.axis && each.axis.labelLimit) each.axis.labelLimit = 120;
      if (narrow && each.legend && each.legend.columns) { each.legend.columns = width < 600 ? 1 : 2; each.legend.labelLimit = width - 60; }
      for (const [key, value] of Object.entries(each)) if (key !== 'data' && key !== 'datasets') walk(value);
    };
    walk(spec);
    // The settings of a specification are weaker than those of the page.
    spec.config = config;
    return spec;
  }
  function draw(within) {
    for (const place of within.querySelectorAll('[data-plot]:empty')) {
      if (place.closest('details:not([open])')) continue;
      const spec = fitted(specs[place.dataset.plot], place.clientWidth);
      vegaEmbed(place, spec, {actions: false, renderer: 'svg'});
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
    return f'<table><thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table>'


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
            if block.says:
                self.add(f'<p class="says">{escape(block.says)}</p>')
            if block.chart is not None:
                self.add(f'<div data-plot="{len(self.specs)}"></div>')
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
            self.add("<ul>", *(f"<li>{escape(o.what)}: {escape(o.wanted)} is the goal; {escape(o.verdict)}</li>" for o in short), "</ul>")
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
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width,initial-scale=1">\n'
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
    return parts.Table(["what", "goal", "reached", "verdict"], rows)


def loss_table(losses: list[Ratio]) -> parts.Table:
    rows = [
        [parts.Cell(each.peer.experiment), parts.Cell(LANGUAGES.get(each.peer.language, each.peer.language)), parts.Cell(cell_name(each)), parts.Cell(each.peer.peer), parts.Cell(times(1 / each.value), "behind")]
        for each in losses
    ]
    return parts.Table(["experiment", "language", "cell", "peer", "as good as Creo"], rows)


def make(results: Results, outcomes: list[Outcome], library: str, targets: list[Row] | None = None) -> str:
    page = Page()
    page.top(results, outcomes)
    for made in parts.sections(results, targets or []):
        page.section(made)
    page.bottom(results)
    return page.html(library)


__all__ = ["Page", "make", "size_name"]
