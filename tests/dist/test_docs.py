"""docs/install.md is true: each ```console block is run, against registries that serve the packages alone, and must give what the page prints.

Each section has a fresh folder with the files of the page's beginning, the packages as `dist`, and a fresh environment of Python.
"""

from __future__ import annotations

import base64
import hashlib
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import tarfile
import threading
from collections.abc import Iterator

import pytest
from conftest import ROOT
from environments import NEWEST, new_environment

PAGE = ROOT / "docs/install.md"
BLOCK = re.compile(r"^```(?P<language>\w+)(?: (?P<file>\S+))?\n(?P<text>.*?)^```$", re.M | re.S)
BEGINNING, *SECTIONS = re.split(r"^## ", PAGE.read_text(), flags=re.M)
WITH_COMMANDS = [section for section in SECTIONS if "```console" in section]


class Registry(http.server.BaseHTTPRequestHandler):
    """What a registry answers npm: the packages of a folder, and nothing else."""

    folder: pathlib.Path

    def do_GET(self) -> None:  # noqa: N802 # the name that is called
        name = self.path.strip("/")
        archive = self.folder / name
        if archive.suffix == ".tgz" and archive.is_file():
            return self.answer(200, archive.read_bytes())
        found = [path for path in self.folder.glob("*.tgz") if re.fullmatch(rf"{re.escape(name)}-[\d.]+\.tgz", path.name)]
        if not found:
            return self.answer(404, b"{}")
        versions = {}
        for path in found:
            with tarfile.open(path) as tar:
                member = tar.extractfile("package/package.json")
                assert member
                description = json.load(member)
            integrity = "sha512-" + base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()
            host, port = self.server.server_address[:2]
            dist = {"tarball": f"http://{host!s}:{port}/{path.name}", "integrity": integrity}
            versions[description["version"]] = {**description, "dist": dist}
        latest = {"name": name, "dist-tags": {"latest": max(versions)}, "versions": versions}
        return self.answer(200, json.dumps(latest).encode())

    def answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture(scope="module")
def registry(packages: pathlib.Path) -> Iterator[str]:
    Registry.folder = packages / "npm"
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def matches(page: list[str], real: list[str]) -> bool:
    """Whether the lines match the page, where `...` matches any."""
    if not page:
        return not real
    if page[0] == "...":
        return any(matches(page[1:], real[skipped:]) for skipped in range(len(real) + 1))
    pattern = ".*".join(re.escape(part) for part in page[0].split("..."))
    return bool(real) and re.fullmatch(pattern, real[0]) is not None and matches(page[1:], real[1:])


@pytest.mark.parametrize("section", WITH_COMMANDS, ids=lambda section: section.splitlines()[0])
def test_the_page_is_true(section: str, packages: pathlib.Path, registry: str, tmp_path: pathlib.Path) -> None:
    home, tools, place = (tmp_path / name for name in ("home", "tools", "place"))
    for folder in (home, tools, place):
        folder.mkdir()
    new_environment(NEWEST, tmp_path / "venv")
    # Packages are installed into a folder, beside the C library of the machine.
    root = tmp_path / "root"
    (root / "var/lib/dpkg/updates").mkdir(parents=True)
    (root / "var/lib/dpkg/info").mkdir()
    (root / "var/lib/dpkg/status").touch()
    dpkg = tools / "dpkg"
    dpkg.write_text(f'#!/bin/sh\nexec {shutil.which("dpkg")} --root={root} --force-depends --force-not-root "$@"\n')
    dpkg.chmod(0o755)
    (place / "dist").symlink_to(packages)
    environment = {
        "PATH": f"{tools}:{tmp_path}/venv/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        "HOME": str(home),
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": f"{packages}/python {ROOT}/build/dist-index",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_COMPILE": "0",
        "npm_config_registry": registry,
        "npm_config_cache": str(tmp_path / "cache"),
        "npm_config_update_notifier": "false",
        "npm_config_audit": "false",
    }
    commands = 0
    for block in BLOCK.finditer(BEGINNING + section):
        if block["file"]:
            path = place / block["file"]
            path.parent.mkdir(exist_ok=True)
            path.write_text(block["text"])
        if block["language"] != "console":
            continue
        for example in block["text"].removeprefix("$ ").split("\n$ "):
            command, _, expected = example.partition("\n")
            done = subprocess.run(["sh", "-c", f"exec 2>&1\n{command}"], cwd=place, env=environment, capture_output=True, text=True, check=False)
            real = done.stdout.rstrip().splitlines()
            assert done.returncode == 0, f"$ {command}\n{done.stdout}"
            assert matches(expected.rstrip().splitlines(), real), f"$ {command}\n--- on the page\n{expected}\n--- in truth\n{done.stdout}"
            commands += 1
    assert commands


def test_all_of_the_page_was_run() -> None:
    assert [section.splitlines()[0] for section in SECTIONS if section not in WITH_COMMANDS] == ["NuGet", "Containers", "Other machines", "What is supported", "Upgrade", "Licence", "From the sources"]
