"""What several test files use."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for localhost, with its key, that signs itself."""
    path = tmp_path_factory.mktemp("tls") / "localhost.pem"
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
        "-subj /CN=localhost -addext subjectAltName=DNS:localhost"
    )
    subprocess.run(
        [*command.split(), "-keyout", str(path), "-out", str(path) + ".crt"],
        check=True,
        capture_output=True,
    )
    path.write_text(path.read_text() + Path(str(path) + ".crt").read_text())
    return path


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests call services on this machine, whatever its environment says of proxies."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says what of the tests did not run, in the words that the table of all suites knows."""
    if importlib.util.find_spec("proton") is None:
        terminalreporter.write_line("jms, not run: python-qpid-proton is not installed")
