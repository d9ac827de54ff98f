"""The page as a whole: what it says, and that it needs nothing else."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path

import vl_convert
from report import overhead, page, papers, pictures, summary
from report.__main__ import VEGA_LITE
from report.compare import outcomes
from report.measures import Results, load
from synthetic import call_row, wire_row, wire_rows, write


def measured(folder: Path) -> Results:
    write(folder, "wire", [*wire_rows(), *(wire_row("creo", 1000, [1], 1000, "bytes"), wire_row("<b>&", 1000, [2], 1000, "bytes"))])
    forms = ("soap", "tdxml-aggregated-in-soap", "tdxml-record-in-soap", "tdxml-record", "json", "binary", "exi-schema")
    write(folder, "sizes", [{"message": "medium", "form": form, "bytes": 1000 - 100 * at, "gzip": 1} for at, form in enumerate(forms)])
    write(folder, "creo", [call_row(peer, size, [[size * factor] * 3]) for peer, factor in (("creo", 1), ("grpc", 4)) for size in (100, 1000)])
    calls = [call_row(form, "medium", [[value]], workload="messages", placement=placement) for form, value in (("soap", 100), ("tdxml-aggregated-in-soap", 50)) for placement in ("pinned", "free")]
    write(folder, "tdxml", calls)
    return load(folder)


def packed(html: str, name: str) -> str:
    found = re.search(rf'id="{name}">([^<]*)<', html)
    assert found
    return gzip.decompress(base64.b64decode(found[1])).decode()


def test_the_page_needs_no_network_and_says_who_wins(tmp_path: Path) -> None:
    results = measured(tmp_path)
    html = page.make(results, outcomes([{"overhead": "numbers", "peers": "*"}], results), "/* the library */")
    assert not re.search(r"<(?:link|img|iframe)|\bsrc=|@import|url\(", html)
    assert "Not measured: text (make bench-wire), soap (make bench-soap), messaging (make bench-messaging), cost-paper (make bench-cost)." in html
    assert "1 of 1 targets reached, 0 missed, 0 not measured." in html
    assert "&lt;b&gt;&amp;" in html
    assert "<b>&" not in html
    assert packed(html, "library") == "/* the library */"
    specs = json.loads(packed(html, "specs"))
    assert len(specs) == html.count("data-plot=") > 3
    assert html == page.make(load(tmp_path), outcomes([{"overhead": "numbers", "peers": "*"}], results), "/* the library */")


def test_every_plot_is_a_plot(tmp_path: Path) -> None:
    results = measured(tmp_path)
    specs = json.loads(packed(page.make(results, [], ""), "specs"))
    for spec in [*specs, *pictures.pictures(results).values()]:
        svg = vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE)
        assert svg.count("<path") > 5


def test_the_lines_on_top_are_computed(tmp_path: Path) -> None:
    lines = {found.what: found for found in summary.ten_lines(measured(tmp_path))}
    assert len(lines) <= 10
    java = lines["Serialization, Java, numbers and texts"]
    assert java.text.startswith("ahead of the best peer in 0 of 2 cells, level in 1, behind in 1; 0.742× on average. Behind fory; furthest at numbers, 10 kB")
    assert lines["Response time on one core, Java"].score == "ahead"
    assert "in 2 of 3 cells" not in lines["Bytes on the wire"].text
    assert "tables in SOAP 20%" in lines["Tables and SOAP"].text


def test_the_papers_figures_stand_beside_ours(tmp_path: Path) -> None:
    results = measured(tmp_path)
    calls = {found.what: found for found in papers.tdxml_latency(results)}
    assert calls["medium: TDXML in SOAP, the paper's scheme"].ours == "50% sooner"
    assert calls["medium: TDXML in SOAP, the paper's scheme"].agrees is True
    assert calls["short: TDXML in SOAP, the paper's scheme"].ours == "not measured"
    found = {each.what: each for each in papers.tdxml_sizes(results)}
    assert (found["medium: TDXML in SOAP"].theirs, found["medium: TDXML in SOAP"].ours, found["medium: TDXML in SOAP"].agrees) == ("38% smaller", "10% smaller", False)
    figure2 = papers.creo_findings(results)[0]
    # The better Thrift protocol takes 4 and 9 times as long: 6 on average.
    assert (figure2.ours, figure2.agrees) == ("Java 6×", True)


def test_what_a_call_sends_is_a_table(tmp_path: Path) -> None:
    write(tmp_path, "creo", [call_row("creo", 100, [[5]], sent=123), call_row("grpc", 100, [[9]], sent=456), call_row("rmi", 100, [[9]])])
    html = page.make(load(tmp_path), [], "")
    assert "all that the client sends" in html
    assert '<td>creo</td><td>123 (1.23×)</td>' in html
    assert '<td>grpc</td><td class="ahead">456 (4.56×)</td>' in html


def test_nothing_measured_is_a_page_all_the_same() -> None:
    html = page.make(Results(), [], "")
    assert "0 of 0 targets reached" in html


def test_the_wires_page_has_the_bytes_too() -> None:
    lines = overhead.markdown(wire_rows(), [{"overhead": "numbers", "peers": "*"}, {"overhead": "reals", "peers": "*"}])
    assert "| numbers | 1 kB | 10 kB |" in lines
    # Smallest first, without floors.
    assert [line.split(" ")[1] for line in lines if "×" in line] == ["creo", "fory", "thrift-compact", "thrift-binary"]
    assert lines[-1].endswith("| reached |")
    assert overhead.markdown([], []) == []
