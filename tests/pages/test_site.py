"""The site of the documentation: every page opens, no link is dead, nothing is wider than the window, the console is silent, and the search finds."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urldefrag, urljoin, urlparse

import pytest
from browser import Browser

WIDTHS = (390, 1280)

# The links, pictures and anchors of a page, as the browser has them.
LINKS = """[...document.querySelectorAll('main a[href], main img[src], nav a[href]')].map(each => each.href || each.src)"""
ANCHORS = """[...document.querySelectorAll('[id], a[name]')].map(each => each.id || each.name)"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes to the next page hangs up."""


@pytest.fixture(scope="module")
def site(root: Path) -> Path:
    done = subprocess.run([sys.executable, root / "scripts/docs.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return root / "build/docs/site"


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    server = Server(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def pages(site: Path) -> list[str]:
    found = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    # Internal files, and pages by other tools: the report has separate tests.
    return [page for page in found if page not in ("404.html", "toc.html") and not page.startswith("bench/results/report")]


def test_every_page_opens_at_every_width_and_no_link_is_dead(browser: Browser, site: Path, address: str) -> None:
    found = pages(site)
    assert len(found) > 60
    problems: list[str] = []
    anchors: dict[str, set[str]] = {}
    links: list[tuple[str, str]] = []
    for width in WIDTHS:
        browser.size(width)
        for page in found:
            browser.open(address + page)
            problems += [f"{page} at {width}: {said}" for said in browser.console]
            # Tables and listings scroll by themselves; the page does not.
            problems += [f"{page} at {width}: {wide}" for wide in browser.wider("h1, h2, h3, main > p, main > ul")]
            if width == WIDTHS[0]:
                anchors[page] = set(browser.run(ANCHORS))
                links += [(page, link) for link in browser.run(LINKS)]
    for page, link in links:
        if not link.startswith(address):
            assert urlparse(link).scheme in ("http", "https", "mailto"), f"{page}: {link}"
            continue
        target, anchor = urldefrag(unquote(urljoin(address + page, link)))
        path = target.removeprefix(address) or "index.html"
        if not (site / path).is_file():
            problems.append(f"{page}: {path} does not exist")
        elif anchor and path in anchors and anchor not in anchors[path]:
            problems.append(f"{page}: {path} has no #{anchor}")
    assert not problems, "\n".join(sorted(set(problems)))


def test_the_search_finds_without_a_network(browser: Browser, address: str) -> None:
    browser.size(1280)
    browser.open(f"{address}index.html?search=round-robin")
    browser.run("""new Promise((found, failed) => {
        const end = Date.now() + 20000;
        const look = () => document.querySelector('#mdbook-searchresults li, #searchresults li') ? found(1) : Date.now() > end ? failed(new Error('nothing is found')) : setTimeout(look, 50);
        look();
    })""")
    assert browser.run("document.querySelector('#mdbook-searchresults, #searchresults').textContent.includes('hosts')")
    assert browser.console == []
    own = browser.run("performance.getEntriesByType('resource').map(each => each.name)")
    assert all(name.startswith(address) for name in own), own


def test_a_link_that_leads_nowhere_is_an_error(root: Path, tmp_path: Path) -> None:
    script = f"""
import sys; sys.path.insert(0, {str(root / "scripts")!r})
import docs
site = docs.Site()
site.source = docs.Path({str(tmp_path)!r})
print(site.text("docs/guide.md", "[a](nowhere.md) `[b](nowhere.md)` [c](soap.md#top) [d](../examples/co2) [e](https://example.org/x.md)\\n```sh x.sh\\n[f](gone.md)\\n```"))
print(site.problems)
"""
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert "[c](soap.md#top)" in out and "[d](../examples/co2/index.md)" in out and "[e](https://example.org/x.md)" in out
    assert "```sh\n[f](gone.md)" in out
    assert "docs/guide.md: nowhere.md does not exist" in out and "gone.md does" not in out
