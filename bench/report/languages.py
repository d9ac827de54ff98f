"""The README's picture: every language and its peers, including losses. It has one column of large text for phones, and separate colours for dark mode."""

from __future__ import annotations

import statistics
from html import escape
from typing import Any

from harness.report import duration

from .measures import LANGUAGES

Row = dict[str, Any]

# What it shows: nested data with texts of every length, a tenth of them not ASCII.
WORKLOAD = "orders-100"
WIRES = {"binary": "binary", "json": "JSON"}
# A message is built of the program's values and written; then it is read, and every field is looked at. So a peer that puts work off pays for it here.
WHOLE = ("build and encode", "decode and read")
# These differ only in the ownership of memory.
APART = ("creo-kept", "creo-borrow")
NAMES = {"creo": "Creo", "creo+accelerator": "Creo, accelerated", "protobuf-c++": "protobuf for C++", "system-text-json": "System.Text.Json", "data-contract-binary": "DataContractSerializer"}

WIDTH, LINE, TITLE, LABEL = 480, 18, 26, 176
STYLE = (
    "text{font:13px sans-serif;fill:#1a1a1a}.title{font-weight:bold}.paper{fill:#fff}.ours{fill:#0072b2}.peer{fill:#b9a88a}.mine{font-weight:bold}"
    "@media(prefers-color-scheme:dark){text{fill:#e8e8ea}.paper{fill:#17171a}.ours{fill:#56b4e9}.peer{fill:#8a7f6a}}"
)


def times(rows: list[Row], language: str, wire: str) -> list[tuple[str, float]]:
    """Peers with the time of the whole, the fastest first."""
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        if (row["language"], row["wire"], row["workload"]) == (language, wire, WORKLOAD) and row["peer"] not in APART and row["operation"] in WHOLE:
            found.setdefault(row["peer"], {})[row["operation"]] = statistics.median(row["ns"])
    return sorted(((peer, sum(each.values())) for peer, each in found.items() if len(each) == len(WHOLE)), key=lambda one: one[1])


def svg(rows: list[Row]) -> str:
    """Nothing, if nothing was measured."""
    parts: list[str] = []
    y = 8
    for language, title in LANGUAGES.items():
        for wire, shown in WIRES.items():
            found = times(rows, language, wire)
            if not found:
                continue
            parts.append(f'<text class="title" x="10" y="{y + 17}">{escape(title)}, {shown}</text>')
            y += TITLE
            longest = found[-1][1]
            for peer, value in found:
                ours = peer.startswith("creo")
                # The value is next to the bar, which leaves room for it.
                width = max(1.0, (WIDTH - LABEL - 80) * value / longest)
                parts.append(
                    f'<text{" class=" + chr(34) + "mine" + chr(34) if ours else ""} x="{LABEL - 8}" y="{y + 13}" text-anchor="end">{escape(NAMES.get(peer, peer))}</text>'
                    f'<rect class="{"ours" if ours else "peer"}" x="{LABEL}" y="{y + 3}" width="{width:.1f}" height="12"/>'
                    f'<text x="{LABEL + width + 6:.1f}" y="{y + 13}">{duration(value)}</text>'
                )
                y += LINE
            y += 8
    if not parts:
        return ""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y}" viewBox="0 0 {WIDTH} {y}" role="img">'
    return "\n".join([head, f"<style>{STYLE}</style>", f'<rect class="paper" width="{WIDTH}" height="{y}"/>', *parts, "</svg>"]) + "\n"
