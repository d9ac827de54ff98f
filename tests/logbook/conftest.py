"""The logbook of examples/logbook, built once; its databases; and Chromium.

    pytest tests/logbook            everything: 100,000 entries on SQLite and on PostgreSQL, programs in every language, the page in Chromium
    pytest tests/logbook --short    fewer entries, on SQLite alone, without C# and without the page
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "examples" / "logbook"), str(ROOT / "tests" / "pages"), str(ROOT / "tests")]

from ports import free_ports  # noqa: E402

import run as logbook  # noqa: E402 (the folder is no package)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--short", action="store_true")
    parser.addoption("--without", default="", help="languages to leave out, separated by commas")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "database" in metafunc.fixturenames:
        sqlite = "break_connections" not in metafunc.fixturenames
        postgresql = not (sqlite and metafunc.config.getoption("--short"))
        metafunc.parametrize("database", ["sqlite"] * sqlite + ["postgresql"] * postgresql, indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--short"):
        gone = [item for item in items if {"browser", "break_connections"}.intersection(getattr(item, "fixturenames", ()))]
        config.hook.pytest_deselected(items=gone)
        items[:] = [item for item in items if item not in gone]


@pytest.fixture(scope="session")
def short(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--short"))


@pytest.fixture(scope="session")
def languages(request: pytest.FixtureRequest, short: bool) -> list[str]:
    """The languages whose programs run; they and the service are built."""
    without = request.config.getoption("--without").split(",") + (["csharp"] if short else [])
    chosen = [language for language in logbook.LANGUAGES if language not in without]
    logbook.build(chosen)
    return chosen


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """A PostgreSQL server in a separate folder, on a local port."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    assert found, "no PostgreSQL: scripts/logbook-setup.sh installs it"
    programs = found[-1].parent
    # It refuses to run as root.
    user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
    port = free_ports(1)[0]
    folder = Path(tempfile.mkdtemp(prefix="creo-logbook-"))
    password = secrets.token_hex(16)
    try:
        (folder / "password").write_text(password)
        if user:
            for path in (folder, folder / "password"):
                shutil.chown(path, "postgres", "postgres")
        make = [*user, programs / "initdb", "-D", folder / "data", "-U", "logbook", "-A", "scram-sha-256", f"--pwfile={folder / 'password'}", "--encoding=UTF8", "--locale=C"]
        subprocess.run([str(word) for word in make], cwd="/", check=True, capture_output=True, timeout=300)
        serve = [*user, programs / "postgres", "-D", folder / "data", "-p", port, "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen([str(word) for word in serve], cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            ready = [str(programs / "pg_isready"), "-h", "127.0.0.1", "-p", str(port), "-q"]
            end = time.monotonic() + 120
            while subprocess.run(ready, check=False).returncode != 0:
                assert server.poll() is None and time.monotonic() < end, (folder / "log").read_text()
                time.sleep(0.1)
            yield f"jdbc:postgresql://127.0.0.1:{port}/postgres?user=logbook&password={password}"
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(timeout=60)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database."""
    if request.param == "sqlite":
        return f"jdbc:sqlite:{tmp_path / 'logbook.db'}"
    # A separate schema.
    name = f"test_{secrets.token_hex(8)}"
    url: str = request.getfixturevalue("postgresql")
    psql(url, f"CREATE SCHEMA {name}")
    return f"{url}&currentSchema={name}"


def psql(url: str, statement: str) -> None:
    """Runs a statement in the database of a URL."""
    program = sorted(Path("/usr/lib/postgresql").glob("*/bin/psql"))[-1]
    port, password = url.split(":")[3].split("/")[0], url.split("password=")[1].split("&")[0]
    command = [str(program), "-h", "127.0.0.1", "-p", port, "-U", "logbook", "-d", "postgres", "-c", statement]
    subprocess.run(command, env={**os.environ, "PGPASSWORD": password}, check=True, capture_output=True)


@pytest.fixture
def break_connections() -> Callable[[str], None]:
    """Ends all connections to a database of PostgreSQL, as its restart would."""
    return lambda url: psql(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    from browser import Browser

    with Browser() as found:
        yield found
