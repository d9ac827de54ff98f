"""`make release-check`: what it finds, in copies of the project in which one thing is wrong."""

from __future__ import annotations

import pathlib
import re
import shutil
import sys

import project
import pytest
import release_check
from conftest import ROOT, run
from release_check import HANDSHAKES, PLACES

FILES = sorted({place.path for place in PLACES} | {path for h in HANDSHAKES for path, _ in (h.generator, h.runtime)} | {"Cargo.toml"})
CHANGES = "# Changelog\n\n## Unreleased\n\n## {version} (2026-11-30)\n\n- A change.\n\n## 0.0.1 (2026-01-01)\n\n- Another.\n"


@pytest.fixture
def ready(tmp_path: pathlib.Path, version: str) -> pathlib.Path:
    """The files that are looked at, with a changelog as it is when a version goes out."""
    for path in FILES:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    (tmp_path / "CHANGELOG.md").write_text(CHANGES.format(version=version))
    return tmp_path


def missing(root: pathlib.Path) -> list[str]:
    return list(release_check.missing(root))


def test_the_project_lacks_nothing_but_what_is_written_for_a_release() -> None:
    assert [line for line in missing(ROOT) if not line.startswith("CHANGELOG.md: ")] == []


def test_no_place_is_forgotten(version: str) -> None:
    """Each file that goes out and says the version is a place, or is read from one that is."""
    said = project.git("grep", "-l", "-F", version, "--", "integrations", "runtimes/**/pom.xml", "runtimes/pom.xml", "examples/**/pom.xml", "docs", "spec").split()
    assert len(said) > 10 and set(said) <= {place.path for place in PLACES}


def test_nothing_is_missing_when_all_is_said(ready: pathlib.Path, version: str) -> None:
    assert missing(ready) == []
    ran = run([sys.executable, ROOT / "scripts/dist/release_check.py", "--root", ready], ready)
    assert ran.out == f"{version}: nothing is missing\n"


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.path)
def test_another_version_is_found_in_each_place(place: release_check.Place, ready: pathlib.Path) -> None:
    path = ready / place.path
    text = path.read_text()
    match = place.expression.search(text)
    assert match
    path.write_text(text[: match.start("version")] + "9.8.7" + text[match.end("version") :])
    assert [line.split(":")[0] for line in missing(ready)] == [place.path]
    assert "it says 9.8.7" in missing(ready)[0]
    path.unlink()
    assert any(line.startswith(f"{place.path}: it names no version") for line in missing(ready))


@pytest.mark.parametrize("handshake", HANDSHAKES, ids=lambda handshake: handshake.language)
def test_generated_code_must_fit_its_runtime(handshake: release_check.Handshake, ready: pathlib.Path) -> None:
    path, pattern = handshake.runtime
    text = (ready / path).read_text()
    match = re.search(pattern, text, re.M)
    assert match
    (ready / path).write_text(text[: match.start(1)] + re.sub(r"\d+$", "77", match[1]) + text[match.end(1) :])
    found = missing(ready)
    assert len(found) == 1 and found[0].startswith(f"{handshake.language}: ") and "77" in found[0]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ("# Changelog\n\n## Unreleased\n", "there is no entry"),
        ("# Changelog\n\n## {version}\n\n- A change.\n", "there is no entry"),
        ("# Changelog\n\n## {version} (2026-11-30)\n\n## 0.0.1 (2026-01-01)\n\n- Another.\n", "is empty"),
        ("# Changelog\n\n## Unreleased\n\n- Later.\n\n## {version} (2026-11-30)\n\n- A change.\n", "which belong to a version"),
    ],
)
def test_the_changelog_has_an_entry(changes: str, said: str, ready: pathlib.Path, version: str) -> None:
    (ready / "CHANGELOG.md").write_text(changes.format(version=version))
    found = missing(ready)
    assert len(found) == 1 and said in found[0]


def test_one_version_is_written_everywhere(ready: pathlib.Path) -> None:
    cargo = ready / "Cargo.toml"
    cargo.write_text(re.sub(r'(?<=\nversion = ")[\d.]+', "3.4.5", cargo.read_text(), count=1))
    (ready / "CHANGELOG.md").write_text(CHANGES.format(version="3.4.5"))
    assert {line.split(":")[0] for line in missing(ready)} == {place.path for place in PLACES}
    ran = run([sys.executable, ROOT / "scripts/dist/release_check.py", "--root", ready, "--write"], ready)
    assert ran.out.endswith("3.4.5: nothing is missing\n")
    cargo.write_text("[workspace.package]\n")
    ran = run([sys.executable, ROOT / "scripts/dist/release_check.py", "--root", ready], ready, fails=True)
    assert "Cargo.toml names no version" in ran.err
