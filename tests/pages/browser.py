"""Chromium without a window, driven through its pipe (the DevTools protocol, messages that end with a zero byte): nothing beside Debian's package is needed."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--hide-scrollbars", "--force-color-profile=srgb", "--remote-debugging-pipe", "--allow-file-access-from-files",
)  # fmt: skip
# Messages of a page that users should not see.
LOUD = ("error", "warning", "assert")


class Browser:
    """One page at a time. What its console says is kept until the next page opens."""

    def __init__(self) -> None:
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if program is None:
            raise RuntimeError("no chromium on PATH: scripts/docs-setup.sh installs it")
        self._profile = tempfile.TemporaryDirectory(prefix="creo-pages-", ignore_cleanup_errors=True)
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()

        # The browser reads from descriptor 3 and writes to 4, whatever numbers the pipes have here: first out of the way, then into place.
        def place() -> None:
            os.dup2(to_browser, 200, inheritable=False)
            os.dup2(from_browser, 201, inheritable=False)
            os.dup2(200, 3)
            os.dup2(201, 4)

        self._process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={self._profile.name}", "about:blank"],
            preexec_fn=place,
            close_fds=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._rest = b""
        self._number = 0
        self._events: list[dict[str, Any]] = []
        self.console: list[str] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session: str | None = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    _session: str | None = None

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._read)
        os.close(self._write)
        self._profile.cleanup()

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = os.read(self._read, 1 << 20)
            if not part:
                raise RuntimeError("chromium ended")
            self._rest += part
        message, self._rest = self._rest.split(b"\0", 1)
        found: dict[str, Any] = json.loads(message)
        return found

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            found = self._receive()
            if found.get("id") == self._number:
                if "error" in found:
                    raise RuntimeError(f"{method}: {found['error']}")
                result: dict[str, Any] = found.get("result", {})
                return result
            self._note(found)

    def _note(self, event: dict[str, Any]) -> None:
        name, what = event.get("method"), event.get("params", {})
        self._events.append(event)
        if name == "Runtime.consoleAPICalled" and what["type"] in LOUD:
            self.console.append(" ".join(str(each.get("value", each.get("description", ""))) for each in what["args"]))
        elif name == "Runtime.exceptionThrown":
            details = what["exceptionDetails"]
            self.console.append(details.get("exception", {}).get("description", details["text"]))
        elif name == "Log.entryAdded" and what["entry"]["level"] in LOUD:
            self.console.append(f"{what['entry']['text']} {what['entry'].get('url', '')}".strip())

    def _until(self, name: str) -> None:
        while not any(event.get("method") == name for event in self._events):
            self._note(self._receive())

    def size(self, width: int, height: int = 900, dark: bool = False, media: str = "") -> None:
        """The window of the next page; `media` is `print` for paper."""
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self._call("Emulation.setEmulatedMedia", media=media, features=features)

    def open(self, page: Path | str) -> None:
        """Returns when the page and all that it loads is there."""
        self._events, self.console = [], []
        self._call("Page.navigate", url=page.as_uri() if isinstance(page, Path) else page)
        self._until("Page.loadEventFired")

    def run(self, script: str) -> Any:
        """The value of a script of the page; of a promise what comes of it."""
        result = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    # Keys by name: their code in the protocol, and the text that they type.
    KEYS = {"Tab": (9, ""), "Enter": (13, "\r"), "ArrowUp": (38, ""), "ArrowDown": (40, "")}

    def press(self, key: str) -> None:
        """Presses a key and lets it go."""
        code, text = self.KEYS[key]
        which = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        self._call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **which, **({"text": text} if text else {}))
        self._call("Input.dispatchKeyEvent", type="keyUp", **which)

    def picture(self, path: Path, whole: bool = True) -> None:
        """The page as PNG."""
        found = self._call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(found["data"]))

    def pages(self, path: Path) -> None:
        """The page on paper, as PDF."""
        found = self._call("Page.printToPDF", preferCSSPageSize=True, paperWidth=8.27, paperHeight=11.69)
        path.write_bytes(base64.b64decode(found["data"]))

    # What is wider than the window: the page itself, and what is cut off within it.
    WIDER = """(() => {
      const width = document.documentElement.clientWidth, found = [];
      if (document.documentElement.scrollWidth > width) found.push('the page: ' + document.documentElement.scrollWidth);
      for (const each of document.querySelectorAll(%s)) {
        const box = each.getBoundingClientRect();
        if (box.width > 0 && (box.right > width + 1 || box.left < -1)) found.push(each.tagName + ' ' + (each.className.baseVal ?? each.className) + ': ' + Math.round(box.left) + '..' + Math.round(box.right) + ' ' + each.textContent.slice(0, 40));
      }
      return found.slice(0, 10);
    })()"""

    def wider(self, parts: str = "table, td, th, svg, dd, h1, h2, h3, p, li") -> list[str]:
        """What reaches beyond the window."""
        found: list[str] = self.run(self.WIDER % json.dumps(parts))
        return found
