"""The content of the page: a section for each experiment, with plots, tables of ratios, and the papers' figures next to ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from harness.report import size_name, times

from . import charts, conclusions, cost_section, messaging, papers
from .compare import MINE, TIE, amount, noise, overheads, ratio, tables
from .measures import EXPERIMENTS, LANGUAGES, MESSAGES, Measure, Results, Row, in_order
from .parts import Block, Cell, Section, Table, finding_table

WORKLOADS = {
    "numbers": "numbers: blocks of a double and a short",
    "strings": "strings of ten characters",
    "texts": "texts of 1 to 19 characters",
    "bytes": "bytes: one array",
    "reals": "reals: one array of doubles",
    "soap": "the five messages of the TDXML paper",
    "messages": "the five messages of the TDXML paper",
}
WHAT = {
    "serialize": "to serialize",
    "deserialize": "to deserialize",
    "response": "response time",
    "calls": "calls a second",
    "cpu": "processor time of a call",
    "cpu-service": "processor time of the service for a call",
    "cpu-client": "processor time of the client for a call",
    "latency": "median response time",
}
PLACEMENT = {"pinned": "both sides on one core", "free": "free to use every core"}


def ratio_table(measures: list[Measure], mine: str) -> Table:
    """Medians and ratios of one group: a row a peer, a column a size."""
    sizes = in_order(m.size for m in measures)
    peers = list(dict.fromkeys(m.peer for m in measures))
    at = {(m.peer, m.size): m for m in measures}
    rows = []
    for peer in sorted(peers, key=lambda name: name != mine):
        cells = [Cell(peer)]
        for size in sizes:
            found, own = at.get((peer, size)), at.get((mine, size))
            cells.append(Cell("") if found is None else value_cell(found, own))
        rows.append(cells)
    first = measures[0]
    return Table([WHAT.get(first.what, first.what), *map(size_name, sizes)], rows)


def value_cell(found: Measure, own: Measure | None) -> Cell:
    s = found.summary
    value = amount(s.median, found.unit) + (f" ±{s.spread:.0%}" if s.count > 1 else "")
    hover = f"median in {amount(s.least, found.unit)} to {amount(s.greatest, found.unit)}, {s.count} samples"
    if own is None or own is found:
        return Cell(value, "", hover)
    each = ratio(own, found)
    return Cell(f"{times(each.value)} ({value})", each.verdict, f"{times(each.low)} to {times(each.high)}; {hover}")


def wire(results: Results, targets: list[Row]) -> Section:
    blocks = []
    for language in LANGUAGES:
        for workload, title in WORKLOADS.items():
            found = results.of("wire", language=language, workload=workload)
            if found:
                goals, told = conclusions.goals(found, targets)
                chart = charts.by_size(found, "creo", "processor time of a call", goals=goals)
                blocks.append(Block(f"{LANGUAGES[language]}, {title}", chart, [ratio_table(each, "creo") for each in tables(found).values()], unfolded=not blocks, says=conclusions.conclusion(found, "creo") + told))
    note = "Objects in, bytes out, and back, in one process. Processor time of one call. The peers' rows say how many times as long as Creo they take."
    return Section("wire", "Serialization overhead", note, blocks)


def text(results: Results) -> Section:
    blocks = []
    for language in LANGUAGES:
        found = results.of("text", language=language)
        if found:
            chart = charts.by_message(found, "creo", "processor time of a call")
            says = conclusions.conclusion([m for m in found if not m.peer.endswith("-json")], "creo")
            blocks.append(Block(f"{LANGUAGES[language]}, {WORKLOADS['soap']}", chart, [ratio_table(each, "creo") for each in tables(found).values()], says=says))
    return Section("text", "Serialization of text: SOAP, tables, JSON", "As above, with messages of text. Rows that begin with creo- are Creo's other wires.", blocks)


def transmission(results: Results) -> Section:
    blocks = []
    for workload, peers in overheads(results).items():
        blocks.append(Block(WORKLOADS[workload], charts.overhead(peers, "creo"), [bytes_table("message", peers)], unfolded=workload == "numbers"))
    for workload in WORKLOADS:
        sent: dict[str, dict[int, int]] = {}
        for m in results.of("creo", language="java", workload=workload, what="response", placement="pinned", callers=1):
            if m.bytes is not None and m.peer != "creo-again":
                sent.setdefault(m.peer, {})[int(m.size)] = m.bytes
        if sent:
            title = f"calls in Java, all that the client sends, {WORKLOADS[workload]}"
            blocks.append(Block(title, charts.overhead(sent, "creo"), [bytes_table("request", sent)]))
    note = "Bytes of the message beside those of its payload, without the frame of a call; and what clients send for a call, headers included, where it was measured. Smallest first. Blue: larger than Creo's; orange: smaller."
    return Section("transmission", "Transmission overhead", note, blocks)


def bytes_table(what: str, peers: dict[str, dict[int, int]]) -> Table:
    """A row a peer, the smallest first."""
    sizes = [int(size) for size in in_order(size for of_peer in peers.values() for size in of_peer)]
    own = peers.get("creo", {})
    rows = []
    for peer, of_peer in sorted(peers.items(), key=lambda each: sum(each[1].values()) / sum(each[1])):
        cells = [Cell(peer)]
        for size in sizes:
            bytes_ = of_peer.get(size)
            if bytes_ is None:
                cells.append(Cell(""))
                continue
            mine = own.get(size, bytes_)
            verdict = "" if peer == "creo" else "ahead" if bytes_ > mine else "behind" if bytes_ < mine else "tie"
            cells.append(Cell(f"{bytes_:,} ({bytes_ / size:.3g}×)", verdict))
        rows.append(cells)
    return Table([f"bytes of the {what} (for a byte of payload)", *map(size_name, sizes)], rows)


def sizes(results: Results) -> Section:
    if not results.sizes:
        return Section("sizes", "Sizes of the five messages", "", [])
    forms = list(dict.fromkeys(row["form"] for row in results.sizes))
    bars = [
        {"group": row["message"], "name": row["form"], "value": row["bytes"], "shown": f"{row['bytes']:,}", "ours": not row["form"].startswith(("exi", "fast"))} for row in results.sizes
    ]
    chart = charts.bars(bars, "bytes", [m for m in MESSAGES if any(row["group"] == m for row in bars)], forms)
    note = "Bytes of a request's body. Brown: EXI and Fast Infoset, which Creo does not speak."
    return Section("sizes", "Sizes of the five messages", note, [Block("bytes in each form", chart, unfolded=True), Block("beside table 1 of the paper", None, [finding_table(papers.tdxml_sizes(results))])])


def creo(results: Results) -> Section:
    blocks = []
    for language in LANGUAGES:
        for workload, title in WORKLOADS.items():
            found = results.of("creo", language=language, workload=workload)
            sequential = [m for m in found if m.what == "response" and m.callers == 1]
            if sequential:
                chart = charts.by_size(sequential, "creo", "response time", facet="placement")
                shown = [m for m in found if m.callers == 1 and (m.what == "response" or m.what.startswith("cpu"))]
                blocks.append(Block(f"{LANGUAGES[language]}, {title}", chart, titled_tables(shown, "creo"), says=conclusions.conclusion(sequential, "creo")))
            parallel = [m for m in found if m.callers > 1]
            if parallel:
                blocks.append(Block(f"{LANGUAGES[language]}, {title}: many callers at once", None, titled_tables(parallel, "creo")))
    if results.measures and any(m.experiment == "creo" for m in results.measures):
        blocks.insert(0, Block("beside the paper", None, [finding_table(papers.creo_findings(results))], unfolded=True))
    refused = [row for row in results.cannot if row["experiment"] == "creo"]
    if refused:
        rows = [[Cell(str(row[key])) for key in ("language", "peer", "workload")] + [Cell(size_name(row["size"])), Cell(row["why"])] for row in refused]
        blocks.append(Block("what peers cannot do", None, [Table(["language", "peer", "workload", "size", "why"], rows)]))
    return Section("creo", "Response times", with_noise(results, "creo", "From the call to the answer, of four bytes, over the loopback; Java services, one client in each language."), blocks)


def titled_tables(measures: list[Measure], mine: str) -> list[Table]:
    found = []
    for (_, _, _, what, placement, callers), each in tables(measures).items():
        table = ratio_table(each, mine)
        table.head[0] = f"{WHAT.get(what, what)}, {PLACEMENT.get(placement, placement)}, {callers} caller{'s' * (callers > 1)}"
        found.append(table)
    return found


def with_noise(results: Results, experiment: str, note: str, what: str | None = None) -> str:
    """`what`: of these rows alone."""
    factor = noise(m for m in results.of(experiment) if what in (None, m.what))
    if factor is None:
        return note
    return f"{note} A program differs from itself by {factor:.2f}× in a quarter of the cells or more (A/A check): read smaller differences as none."


def soap(results: Results) -> Section:
    blocks = []
    for part, title, mine in (("services", "Services, one load generator", "creo"), ("clients", "Clients against Creo's service", "creo-java")):
        found = results.of("soap", workload=part)
        if found:
            chart = charts.by_callers([m for m in found if m.what == "calls"], mine, "calls a second")
            says = conclusions.conclusion([m for m in found if m.what == "calls"], mine) if part == "services" else ""
            blocks.append(Block(title, chart, titled_tables(found, mine), unfolded=part == "services", says=says))
    return Section("soap", "Calls over SOAP and HTTP", "Calls a second over the loopback: more is better. Blue: Creo makes more calls, or takes less time.", blocks)


def tdxml(results: Results) -> Section:
    found = results.of("tdxml")
    if not found:
        return Section("tdxml", "Table-driven XML", "", [])
    blocks = [
        Block("beside figure 5 of the paper: response times", None, [finding_table(papers.tdxml_latency(results))]),
        Block("beside table 2 of the paper: calls a second", None, [finding_table(papers.tdxml_calls(results))]),
        Block(
            "response times, one caller",
            charts.by_message([m for m in found if m.what == "response" and m.callers == 1], "soap", "response time", "placement"),
            titled_tables([m for m in found if m.callers == 1 and m.what == "response"], "soap"),
            unfolded=True,
        ),
        Block(
            "calls a second, many callers",
            charts.by_callers([m for m in found if m.what == "calls" and m.placement == "free"], "soap", "calls a second"),
            titled_tables([m for m in found if m.what == "calls" and m.callers > 1], "soap"),
        ),
        Block("processor time of a call", None, titled_tables([m for m in found if m.what.startswith("cpu-")], "soap")),
    ]
    note = "The same service and client in Java, message by message, in each form; CXF is the peer. Rows are compared with Creo's own SOAP: blue, SOAP is quicker; orange, the form is."
    return Section("tdxml", "Table-driven XML: calls", with_noise(results, "tdxml", note), blocks)


def messages(results: Results) -> Section:
    if not results.of("messaging"):
        return Section("messaging", "Messages of megabytes over HTTP and JMS", "", [])
    blocks = [Block("what the papers conclude, and what is seen today", None, [conclusion_table(results)], unfolded=True)]
    for figure, heading, workload in (
        ("figure 1 of the first paper, 3 of the second", "normal, over HTTP", "normal/http"),
        ("figure 2, and 4", "serialized, over HTTP", "serialized/http"),
        ("figure 6", "normal, over JMS", "normal/jms"),
        ("figure 7", "serialized, over JMS", "serialized/jms"),
    ):
        chart = charts.by_payload(messaging.parts(results, workload), "transaction", "time")
        if chart is not None:
            blocks.append(Block(f"{figure}: {heading}", chart, note="Server, client and broker: processor time, without the steps that are drawn by themselves."))
    for figure, workloads in (
        ("figure 3 of the first paper, 5 of the second: normal and serialized over HTTP", ["normal/http", "serialized/http"]),
        ("figure 8: normal and serialized over JMS", ["normal/jms", "serialized/jms"]),
        ("figure 9: both over both", ["normal/http", "serialized/http", "normal/jms", "serialized/jms"]),
        ("compressed, and by a broker that keeps nothing", ["normal/http", "gzip/http", "normal/jms", "gzip/jms", "normal/jms-volatile", "serialized/jms-volatile"]),
    ):
        chart = charts.by_payload(messaging.transactions(results, workloads), messaging.title(workloads[0]), "transaction")
        if chart is not None:
            blocks.append(Block(figure, chart, unfolded=figure.startswith("figure 9")))
    for transport, name in (("http", "HTTP"), ("jms", "JMS"), ("jms-volatile", "JMS, not persistent")):
        found = messaging.forms(results, transport)
        if found:
            table = ratio_table(found, "normal")
            table.head[0] = f"Creo over {name}: a form beside the normal message"
            blocks.append(Block(f"every form of Creo over {name}", charts.by_payload(found, "normal", "transaction"), [table]))
    blocks.append(Block("beside Apache CXF", None, [peer_table(results)]))
    size = messaging.largest(results)
    if size is not None:
        lines = messaging.overview(results, size)
        rows = [[Cell(messaging.PEERS[line.peer]), Cell(messaging.title(line.workload)), *(Cell(messaging.column(name, line.values.get(name))) for name in messaging.COLUMNS)] for line in lines]
        blocks.append(Block(f"all of it, at {size_name(size)}", None, [Table(["", "message", *messaging.COLUMNS.values()], rows)]))
    refused = messaging.cannot(results)
    if refused:
        rows = [[Cell(str(row["peer"])), Cell(messaging.title(row["workload"])), Cell(size_name(row["size"])), Cell(row["why"])] for row in refused]
        blocks.append(Block("what peers cannot do", None, [Table(["peer", "message", "payload", "why"], rows)]))
    note = "A client asks, a service makes the payload and sends it: the fields in XML (normal), the same compressed, a Java-serialized object (serialized), and Creo's other wires."
    return Section("messaging", "Messages of megabytes over HTTP and JMS", with_noise(results, "messaging", note, "response"), blocks)


def conclusion_table(results: Results) -> Table:
    rows = []
    for each in messaging.conclusions(results):
        row = [Cell(each.where), Cell(each.what), Cell(each.theirs)]
        for peer in messaging.PEERS:
            seen = each.seen.get(peer)
            if seen is None:
                row.append(Cell("not measured"))
                continue
            word = messaging.verdict(seen, each.where)
            row.append(Cell(f"{word}: {seen.text}" if word else seen.text, "" if seen.agrees is None else "ahead" if seen.agrees else "tie"))
        rows.append(row)
    return Table(["in the paper (A: the first, B: the second)", "what it says", "theirs", *(f"today: {name}" for name in messaging.PEERS.values())], rows)


def peer_table(results: Results) -> Table:
    """The transactions of the peer, and of Creo a second time, beside those of Creo."""
    found = results.of("messaging", what="response")
    sizes = in_order(m.size for m in found)
    at = {(m.peer, m.workload, m.size): m for m in found}
    rows = []
    for peer, workload in dict.fromkeys((m.peer, m.workload) for m in found if m.peer != "creo"):
        row = [Cell(messaging.PEERS.get(peer, peer)), Cell(messaging.title(workload))]
        for size in sizes:
            theirs = at.get((peer, workload, size))
            row.append(Cell("") if theirs is None else value_cell(theirs, at.get(("creo", workload, size))))
        rows.append(row)
    return Table(["transaction", "message", *map(size_name, sizes)], rows)


SECTIONS: dict[str, Callable[[Results], Section]] = {
    "creo": creo,
    "wire": lambda results: wire(results, []),
    "transmission": transmission,
    "tdxml": tdxml,
    "sizes": sizes,
    "text": text,
    "soap": soap,
    "messaging": messages,
    "cost-paper": cost_section.section,
}


def sections(results: Results, targets: list[Row]) -> Iterator[Section]:
    """Those with something to show."""
    for name, make in SECTIONS.items():
        made = wire(results, targets) if name == "wire" else make(results)
        if made.blocks:
            yield made


def not_measured(results: Results) -> list[str]:
    return [f"{name} (make {EXPERIMENTS[name]})" for name in results.missing]


__all__ = ["MINE", "TIE", "Block", "Cell", "Section", "Table", "not_measured", "sections"]
