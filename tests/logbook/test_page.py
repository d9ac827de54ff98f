"""The page of the logbook in Chromium: at the width of a phone and of a screen, by keyboard alone, with hostile entries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import run as logbook
from browser import Browser
from calls import call, entry, serving, until, working

HOSTILE = "<img src=x onerror='window.hacked = 1'><script>window.hacked = 1</script>"
LONG = "x" * 3_000
PICTURES = logbook.WORK / "pictures"

# Controls that have no name for a screen reader, or are too small for a thumb.
POOR = """[...document.querySelectorAll("main select, main input, main button")].filter((each) =>
  each.labels.length === 0 && each.textContent.trim() === "" || each.getBoundingClientRect().height < 44).map((each) => each.outerHTML)"""
# The name of the program whose control has the focus, and that of the control.
FOCUS = """[document.activeElement.closest("form")?.querySelector("h3").textContent ?? "", document.activeElement.name || document.activeElement.textContent.trim()]"""
SHOWN = "[...document.querySelectorAll('#entries li')].map((each) => [...each.children].slice(1).map((part) => part.textContent))"


@pytest.fixture
def service(browser: Browser, tmp_path: Path, languages: list[str]) -> Iterator[logbook.Service]:
    with serving(f"jdbc:sqlite:{tmp_path / 'logbook.db'}") as found:
        yield found
        # A page that stays would complain that the service is gone, to the next test.
        browser.open("about:blank")


def shows(browser: Browser, *parts: str) -> None:
    """Waits for an entry: its level, program and text."""
    until(lambda: list(parts) in browser.run(SHOWN), f"the page shows {parts}")


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("dark", [False, True])
def test_the_page_fits_and_is_quiet(browser: Browser, service: logbook.Service, width: int, dark: bool) -> None:
    for program in ("python", "a program with a name that is long " + "y" * 60, HOSTILE):
        call(service.port, "setting", program=program, knownVersion=0, waitMillis=0)
    call(service.port, "write", entries=[entry("a", i, f"entry {i}", level=level) for i, level in enumerate(("DEBUG", "INFO", "WARNING", "ERROR"))])
    call(service.port, "write", entries=[entry("b", 0, HOSTILE, program=HOSTILE), entry("b", 1, LONG, program="y" * 100)])
    browser.size(width, dark=dark)
    browser.open(service.page)
    shows(browser, "info", "y" * 100, LONG)
    until(lambda: browser.run("forms.size") == 3, "the page shows the programs")
    # What comes later is shown, too, without a reload.
    call(service.port, "write", entries=[entry("c", 0, "later", level="WARNING")])
    shows(browser, "warning", "program", "later")
    shows(browser, "info", HOSTILE, HOSTILE)
    assert browser.run(r"[...document.querySelectorAll('#entries time')].every((each) => /^\d\d:\d\d:\d\d\.\d$/.test(each.textContent))")
    assert browser.run("window.hacked") is None
    assert browser.run("document.querySelectorAll('main img, main script').length") == 0
    assert browser.wider("h1, h2, h3, p, li, select, input, button, form, span, time") == []
    assert browser.run(POOR) == []
    assert browser.console == []
    PICTURES.mkdir(exist_ok=True)
    browser.picture(PICTURES / f"page-{width}-{'dark' if dark else 'light'}.png")


def test_a_level_changes_by_keyboard(browser: Browser, service: logbook.Service, languages: list[str]) -> None:
    browser.size(390)
    with working(["python"], service.port):
        until(lambda: call(service.port, "read", query={"program": "python"}), "python works")
        browser.open(service.page)
        until(lambda: browser.run("forms.size") == 1, "the page shows the program")
        assert not any(level == "debug" for level, *_ in browser.run(SHOWN))

        def tab_to(control: str) -> None:
            for _ in range(20):
                browser.press("Tab")
                # Where the focus is can be seen.
                assert browser.run("document.activeElement === document.body || getComputedStyle(document.activeElement).outlineWidth === '3px'")
                if browser.run(FOCUS) == ["python", control]:
                    return
            raise AssertionError(f"no way to {control}")

        tab_to("level")
        browser.press("ArrowUp")
        assert browser.run("document.activeElement.value") == "DEBUG"
        tab_to("Apply")
        browser.press("Enter")
        until(lambda: browser.run("document.querySelector('.outcome').textContent") == "Applied: level debug, a step each 1000 ms", "the page says that it is done")
        shows(browser, "info", "python", "new setting: level DEBUG, a step each 1000 ms")
        until(lambda: any(level == "debug" for level, *_ in browser.run(SHOWN)), "the program logs more")
        assert browser.console == []
        browser.picture(PICTURES / "keyboard.png")


def test_what_somebody_else_has_changed_is_said(browser: Browser, service: logbook.Service) -> None:
    known = call(service.port, "setting", program="p", knownVersion=0, waitMillis=0)
    browser.size(1280)
    browser.open(service.page)
    until(lambda: browser.run("forms.size") == 1, "the page shows the program")
    browser.run("document.querySelector('form').elements.level.value = 'ERROR'")
    call(service.port, "configure", setting={**known, "intervalMillis": 70})
    browser.run("document.querySelector('form').requestSubmit()")
    until(lambda: "Somebody else has changed it: level info, a step each 70 ms" in browser.run("document.querySelector('.outcome').textContent"), "the page says so")


def test_the_page_comes_back_after_the_service(browser: Browser, tmp_path: Path, languages: list[str]) -> None:
    database = f"jdbc:sqlite:{tmp_path / 'logbook.db'}"
    service = logbook.Service(database)
    try:
        call(service.port, "write", entries=[entry("a", 0, "before")])
        browser.size(1280)
        browser.open(service.page)
        shows(browser, "info", "program", "before")
        service.kill()
        until(lambda: "no answer" in browser.run("document.getElementById('state').textContent"), "the page says that there is no answer")
        service = logbook.Service(database, service.port, service.page_port)
        call(service.port, "write", entries=[entry("a", 1, "after")])
        shows(browser, "info", "program", "after")
        assert [text for *_, text in browser.run(SHOWN)] == ["before", "after"]
        browser.run("document.getElementById('pause').click()")
        assert browser.run("document.getElementById('state').textContent") == "paused"
    finally:
        browser.open("about:blank")
        service.stop()
