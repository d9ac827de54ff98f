"""The pages that creo and the benchmarks write: read on a wide screen, on a phone and on paper, in the light and in the dark, nothing is cut off and the console is silent."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from browser import Browser

DESCRIPTION = """@PACKAGE("org.example.data")

struct MetaData { String description; long timestamp; }
struct Data { MetaData metadata; double[] samples; }
exception NotFound { String description; }
interface DataService {
    void storeData(Data[] data);
    Data retrieveDataWithANameThatIsLongerThanAnybodyWouldWriteIt(String description) throws NotFound;
}
"""
LONG = "retrieveDataWithANameThatIsLongerThanAnybodyWouldWriteIt"

# Width, and whether it is dark, or paper: A4, turned as the style asks for.
VIEWS = ((1280, False, ""), (390, False, ""), (390, True, ""), (1047, False, "print"))

PAGES = {
    "estimate": ["estimate", "data.creo", "--over", "Data.samples=1..10000", "--rate", "500"],
    "estimate-bytes": ["estimate", "data.creo", "--profile", "none", "--over", "Data.samples=0..1000"],
    "capacity": ["capacity", "data.creo", "--call", f"{LONG}=500/s", "--call", "storeData=20/s", "--work", f"{LONG}=exponential(2ms)", "--hosts", "2", "--goal", "50ms", "--sample", "2000", "--binding", "binary,json,soap,tdxml-record", "--target", "java,python"],
    "saturated": ["capacity", "data.creo", "--call", "storeData=5000/s", "--work", "storeData=2ms", "--sample", "1000", "--profile", "none"],
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("pages")
    (found / "data.creo").write_text(DESCRIPTION)
    for name, arguments in PAGES.items():
        subprocess.run([root / "target/debug/creo", *arguments, "--format", "html", "-o", f"{name}.html"], cwd=found, check=True, capture_output=True)
    return found


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("width", "dark", "media"), VIEWS)
def test_costs_are_read_everywhere(browser: Browser, folder: Path, name: str, width: int, dark: bool, media: str) -> None:
    browser.size(width, dark=dark, media=media)
    browser.open(folder / f"{name}.html")
    assert browser.console == []
    assert browser.wider() == []
    assert browser.run("document.querySelectorAll('dl dt').length") in range(3, 7)
    background = browser.run("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") != dark
    # Letters are no smaller than a reader can read, in the drawing as well.
    sizes = browser.run("""[...document.querySelectorAll('.plot text')].map(each => each.getBoundingClientRect().height)""")
    assert sizes and min(sizes) > 9, sizes
    assert browser.run("document.querySelectorAll('.plot').length") == browser.run("document.querySelectorAll('.plot .line[points]').length > 0 ? document.querySelectorAll('.plot').length : 0")
    lines = browser.run("[...document.querySelectorAll('.plot')].map(each => each.querySelectorAll('polyline').length)")
    assert all(1 <= count <= 5 for count in lines), lines


def test_every_plot_has_a_sentence_and_labels(browser: Browser, folder: Path) -> None:
    browser.size(1280)
    browser.open(folder / "estimate.html")
    texts = browser.run("[...document.querySelectorAll('.plot')].map(each => [each.previousElementSibling.textContent, each.querySelector('svg').textContent])")
    for sentence, labels in texts:
        assert " is the cheapest" in sentence, sentence
        assert "total time of a call" in labels and "length of Data.samples" in labels, labels
    browser.open(folder / "capacity.html")
    labels = browser.run("document.querySelector('.plot').textContent")
    for said in ("99 of 100 calls take at most", "calls a second", "the load: 520/s", "the goal: 50.0 ms", "java binary"):
        assert said in labels, labels


READY = """new Promise((found, failed) => {
    const end = Date.now() + 60000;
    const look = () => {
        const left = [...document.querySelectorAll('details[open] > [data-plot]')].filter(each => !each.querySelector('svg'));
        if (left.length === 0) found(document.querySelectorAll('[data-plot] svg').length); else if (Date.now() > end) failed(new Error(left.length + ' plots are not drawn')); else setTimeout(look, 100);
    };
    look();
})"""


@pytest.mark.parametrize(("width", "dark", "media"), VIEWS)
def test_the_report_is_read_everywhere(browser: Browser, root: Path, width: int, dark: bool, media: str) -> None:
    browser.size(width, dark=dark, media=media)
    browser.open(root / "bench/results/report.html")
    assert browser.run(READY) > 3
    assert browser.console == []
    assert browser.wider("table, td, th, svg.marks, h1, h2, h3, p, li") == []


def test_every_part_of_the_report_fits_a_phone_when_it_is_unfolded(browser: Browser, root: Path) -> None:
    browser.size(390)
    browser.open(root / "bench/results/report.html")
    browser.run("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    assert browser.run(READY) > 30
    assert browser.console == []
    assert browser.wider("table, td, th, svg.marks, h1, h2, h3, p, li") == []
    # Over each plot of time there is a sentence, or the note that tells what is drawn.
    silent = browser.run("""[...document.querySelectorAll('#wire ~ details, #creo ~ details')].filter(each => each.querySelector('[data-plot]') && !each.querySelector('p')).map(each => each.querySelector('summary').textContent)""")
    assert not [each for each in silent if each.startswith(("Java, ", "Python, ", "C, ", "C#, "))], silent


# Of the README's picture, shown as wide as a phone leaves it: what lies outside of it or over another text, how high its letters are, and its two colours.
PICTURE = """(() => {
    const svg = document.documentElement, frame = svg.viewBox.baseVal, texts = [...svg.querySelectorAll('text')], boxes = texts.map(each => each.getBBox());
    const meet = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height - 4 && b.y < a.y + a.height - 4;
    const cut = texts.filter((_, i) => boxes[i].x < 0 || boxes[i].x + boxes[i].width > frame.width || boxes[i].y + boxes[i].height > frame.height);
    const over = texts.filter((_, i) => boxes.some((other, k) => k < i && meet(boxes[i], other)));
    const letters = parseFloat(getComputedStyle(texts[0]).fontSize) * Math.min(1, 358 / frame.width);
    return {cut: cut.map(each => each.textContent), over: over.map(each => each.textContent), letters, texts: texts.length,
        ink: getComputedStyle(texts[0]).fill, paper: getComputedStyle(svg.querySelector('.paper')).fill};
})()"""


@pytest.mark.parametrize(("dark", "ink", "paper"), [(False, "rgb(26, 26, 26)", "rgb(255, 255, 255)"), (True, "rgb(232, 232, 234)", "rgb(23, 23, 26)")])
def test_the_picture_of_the_readme_is_read_on_a_phone(browser: Browser, root: Path, dark: bool, ink: str, paper: str) -> None:
    browser.size(390, dark=dark)
    browser.open(root / "bench/results/languages.svg")
    found = browser.run(PICTURE)
    assert (found["cut"], found["over"]) == ([], [])
    assert found["letters"] >= 9.5
    assert found["texts"] > 40
    assert (found["ink"], found["paper"]) == (ink, paper)
