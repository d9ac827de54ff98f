"""The plots: specifications of Vega-Lite, made by Altair. The page draws them with the library that it holds; pictures are drawn by the same from the same."""

from __future__ import annotations

import math
import statistics
from typing import Any, Iterable

import altair

from .compare import amount
from .measures import RATES, Measure, Row, in_order

WIDTH, HEIGHT = 420, 300
# Creo has the colour of the text in every plot, which makes it easy to find in light and dark mode.
OURS = "currentColor"
GOAL = "#888888"
# Colours that people with any sight tell apart (Okabe and Ito); lines differ in their dashes, points in their shapes as well.
COLOURS = ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
DASHES = ([1, 0], [8, 3], [2, 3], [10, 3, 2, 3], [5, 2], [1, 2])
SHAPES = ("square", "triangle-up", "diamond", "cross", "triangle-down", "circle")
# As many peers as one plot shows; the tables have all of them.
MOST = 5


def palette(peers: list[str], mine: str) -> tuple[altair.Scale, altair.Scale, altair.Scale]:
    """Colours, shapes and dashes."""
    others = [peer for peer in peers if peer not in (mine, "goal")]
    at = {peer: number % len(COLOURS) for number, peer in enumerate(others)}

    def each(own: Any, goal: Any, of: Any) -> altair.Scale:
        return altair.Scale(domain=peers, range=[own if peer == mine else of[at[peer]] if peer in at else goal for peer in peers])

    return each(OURS, GOAL, COLOURS), each("circle", "stroke", SHAPES), each([1, 0], [2, 4], DASHES)


def few(measures: Iterable[Measure], mine: str) -> list[Measure]:
    """Creo and the best of the others, for comparison. Repeated runs of the same program and prebuilt messages appear only in the tables."""
    found = [m for m in measures if not m.peer.endswith(("-again", "-prebuilt"))]
    times: dict[str, list[float]] = {}
    for m in found:
        if m.summary.median > 0:
            times.setdefault(m.peer, []).append(math.log(m.summary.median) * (-1 if m.what in RATES else 1))
    cells = max((len(each) for each in times.values()), default=0)
    # A peer with few cells is not compared with the others.
    whole = [peer for peer, each in times.items() if peer != mine and len(each) == cells] or [peer for peer in times if peer != mine]
    best = sorted(whole, key=lambda peer: statistics.mean(times[peer]))[:MOST]
    return [m for m in found if m.peer == mine or m.peer in best]


# The titles of the plots, in their order.
TITLES = {
    "serialize": "serialize",
    "deserialize": "deserialize",
    "pinned": "both sides on one core",
    "free": "free to use every core",
    "Creo": "Creo",
}
# Powers of ten only: more lines would hide the values.
TENS = [10**power for power in range(-1, 13)]
# Rates span less than a power of ten.
STEPS = [step * power for power in TENS for step in (1, 2, 5)]
DURATION = "datum.value >= 1e9 ? datum.value / 1e9 + ' s' : datum.value >= 1e6 ? datum.value / 1e6 + ' ms' : datum.value >= 1e3 ? datum.value / 1e3 + ' µs' : datum.value + ' ns'"
BYTES = "datum.value >= 1e6 ? datum.value / 1e6 + ' MB' : datum.value >= 1e3 ? datum.value / 1e3 + ' kB' : datum.value + ' B'"


def point(measure: Measure, facet: str) -> Row:
    s = measure.summary
    shown = f"{amount(s.median, measure.unit)}, quartiles {amount(s.low, measure.unit)} to {amount(s.high, measure.unit)}, {s.count} samples"
    return {"peer": measure.peer, "size": measure.size, "callers": measure.callers, facet: getattr(measure, facet), "value": rounded(s.median), "low": rounded(s.low), "high": rounded(s.high), "shown": shown}


def rounded(value: float) -> float:
    """To four digits: more than a plot can show."""
    return float(f"{value:.4g}")


def value_axis(title: str, unit: str, zero: bool = False) -> Any:
    axis = altair.Axis(values=TENS, labelExpr=DURATION) if unit == "ns" else altair.Axis(values=STEPS, format="~s") if unit else altair.Axis()
    return altair.Y("value:Q", title=title, axis=axis, scale=altair.Scale(type="linear", zero=zero) if not unit else altair.Scale(type="log", nice=False, padding=8))


def payload_axis() -> Any:
    return altair.X("size:Q", title="payload", scale=altair.Scale(type="log", padding=8), axis=altair.Axis(values=TENS, labelExpr=BYTES))


def values(points: list[Row], peers: list[str], mine: str, x: Any, y: Any, name: str) -> Any:
    """What every plot has in common: a colour and a shape a peer, the quartiles as a line, a legend that shows one peer alone when it is clicked, values that appear under the
    pointer."""
    colours, shapes, dashes = palette(peers, mine)
    chosen = altair.selection_point(fields=["peer"], bind="legend", name=name)
    legend = altair.Legend(title=None, symbolLimit=0, labelLimit=320, orient="bottom", columns=2)
    base = altair.Chart(altair.Data(values=points)).encode(
        x=x,
        color=altair.Color("peer:N", scale=colours, legend=legend),
        opacity=altair.condition(chosen, altair.value(1), altair.value(0.08)),
    )
    line = base.mark_line(strokeWidth=1.8).encode(y=y, strokeDash=altair.StrokeDash("peer:N", scale=dashes, legend=legend))
    spread = base.mark_rule().encode(y=altair.Y("low:Q"), y2="high:Q")
    dots = base.mark_point(filled=True, size=55).encode(
        y=y, shape=altair.Shape("peer:N", scale=shapes, legend=legend), tooltip=[altair.Tooltip("peer:N"), altair.Tooltip("size:N"), altair.Tooltip("shown:N", title="median")]
    )
    return altair.layer(line, spread, dots).add_params(chosen)


def by_size(measures: Iterable[Measure], mine: str, y_title: str, facet: str = "what", goals: Iterable[Measure] = ()) -> Row | None:
    """Payload on the horizontal axis, with both axes logarithmic, as in the paper's figures. Goals have a separate line."""
    points = [point(measure, facet) for measure in few(measures, mine)]
    points += [point(measure, facet) for measure in goals]
    return faceted(points, mine, payload_axis(), value_axis(y_title, "ns"), facet)


def by_payload(measures: Iterable[Measure], mine: str, y_title: str, facet: str = "placement") -> Row | None:
    """Payload and time on even axes, as the figures of the papers on messaging have them."""
    x = altair.X("size:Q", title="payload", scale=altair.Scale(zero=True), axis=altair.Axis(labelExpr=BYTES, tickCount=6))
    y = altair.Y("value:Q", title=y_title, scale=altair.Scale(zero=True), axis=altair.Axis(labelExpr=DURATION, tickCount=6))
    return faceted([point(measure, facet) for measure in measures], mine, x, y, facet)


def by_message(measures: Iterable[Measure], mine: str, y_title: str, facet: str = "what") -> Row | None:
    found = few(measures, mine)
    x = altair.X("size:N", title=None, sort=[str(size) for size in in_order(measure.size for measure in found)], axis=altair.Axis(labelAngle=0))
    return faceted([point(measure, facet) for measure in found], mine, x, value_axis(y_title, "ns"), facet)


def by_callers(measures: Iterable[Measure], mine: str, y_title: str) -> Row | None:
    points = [point(measure, "size") for measure in few(measures, mine)]
    x = altair.X("callers:Q", title="callers at once", scale=altair.Scale(type="log", base=2, padding=8), axis=altair.Axis(values=sorted({each["callers"] for each in points})))
    return faceted(points, mine, x, value_axis(y_title, "1/s"), "size")


def by_length(points: list[Row], mine: str, x_title: str, y_title: str) -> Row | None:
    """Both axes are linear."""
    x = altair.X("size:Q", title=x_title, scale=altair.Scale(domainMin=0))
    y = altair.Y("value:Q", title=y_title, axis=altair.Axis(labelExpr=DURATION), scale=altair.Scale(zero=True))
    return faceted(points, mine, x, y, "what")


def faceted(points: list[Row], mine: str, x: Any, y: Any, facet: str) -> Row | None:
    """A plot for each value; none where nothing was measured."""
    if not points:
        return None
    plots = []
    peers = list(dict.fromkeys(each["peer"] for each in points))
    known = [*TITLES, *in_order(each[facet] for each in points)]
    for at, value in enumerate(sorted({each[facet] for each in points}, key=known.index)):
        of_value = [{key: each[key] for key in each if key != facet or key == "size"} for each in points if each[facet] == value]
        plots.append(values(of_value, peers, mine, x, y, f"chosen{at}").properties(width=WIDTH, height=HEIGHT, title=TITLES.get(value, str(value))))
    return finished(altair.concat(*plots, columns=2).resolve_scale(color="shared", shape="shared", strokeDash="shared"))


def overhead(table: dict[str, dict[int, int]], mine: str) -> Row:
    """Bytes of the message for a byte of payload."""
    points = []
    smallest = sorted(table, key=lambda peer: sum(table[peer].values()) / sum(table[peer]))
    shown = {mine, *[peer for peer in smallest if peer != mine][:MOST]}
    for peer, sizes in table.items():
        if peer not in shown:
            continue
        for size, bytes_ in sizes.items():
            share = rounded(bytes_ / size)
            points.append({"peer": peer, "size": size, "value": share, "low": share, "high": share, "shown": f"{bytes_:,} bytes, {share:.3g}×"})
    y = value_axis("bytes of the message for a byte of payload", "")
    return finished(values(points, list(dict.fromkeys(each["peer"] for each in points)), mine, payload_axis(), y, "chosen").properties(width=WIDTH, height=HEIGHT))


def bars(rows: list[Row], title: str, groups: list[str], names: list[str], unit: str = "") -> Row:
    """Bars of {"group", "name", "value", "shown", "ours"}, one plot a group, with the value beside each. Names are in the order given; with a unit, the shortest bar is first."""
    plots = []
    for group in groups:
        of_group = [row for row in rows if row["group"] == group]
        if not of_group:
            continue
        most = max(row["value"] for row in of_group)
        base = altair.Chart(altair.Data(values=of_group), title=group)
        x = altair.X("value:Q", title=title, scale=altair.Scale(domain=[0, most * 1.15], nice=False), axis=altair.Axis(labelExpr=DURATION, tickCount=4) if unit == "ns" else altair.Axis(format="~s", tickCount=5))
        y = altair.Y("name:N", sort=[row["name"] for row in of_group] if unit else names, title=None, axis=altair.Axis(labelLimit=300))
        colour = altair.condition("datum.ours", altair.value("#0072b2"), altair.value("#b9a88a"))
        bar = base.mark_bar(height=11).encode(x=x, y=y, color=colour, tooltip=[altair.Tooltip("name:N"), altair.Tooltip("shown:N", title="value")])
        text = base.mark_text(align="left", dx=4, fontSize=10).encode(x=x, y=y, text="shown:N")
        plots.append((bar + text).properties(width=WIDTH, height=17 * len(of_group)))
    return finished(altair.concat(*plots, columns=2))


def finished(chart: Any) -> Row:
    spec: Row = chart.configure(font="sans-serif").configure_axis(gridColor="#e8e8e8", titleFontWeight="normal").configure_view(stroke="#cccccc").to_dict()
    return spec
