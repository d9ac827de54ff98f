"""Publishing: what must be in order before, and the commands that would run, with stand-ins for the registries' clients."""

from __future__ import annotations

import os
import pathlib
import shutil
import sys

import pytest
from conftest import ROOT, Ran, run
from test_release import CHANGES, FILES

PUBLISH = ROOT / "scripts/dist/publish.py"
FILES_OF_DIST = {
    "creo-{}-x86_64-linux.tar.gz",
    "python/creo-{}-py3-none-any.whl",
    "npm/creo-{}.tgz",
    "npm/creo-linux-x64-{}.tgz",
    "nuget/Creo.{}.nupkg",
    "maven/creo/creo-runtime/{0}/creo-runtime-{0}.pom",
    "maven/creo/creo-runtime/{0}/creo-runtime-{0}.jar",
    "maven/creo/creo-cli/{0}/creo-cli-{0}.pom",
    "maven/creo/creo-cli/{0}/creo-cli-{0}-linux-x86_64.exe",
    "maven/creo/generate/creo.generate.gradle.plugin/{0}/creo.generate.gradle.plugin-{0}.pom",
}


@pytest.fixture
def place(tmp_path: pathlib.Path, version: str) -> pathlib.Path:
    """A project that is ready, at its tag, with packages, and clients that only say how they are called."""
    root = tmp_path / "project"
    for path in FILES:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, root / path)
    (root / "CHANGELOG.md").write_text(CHANGES.format(version=version))
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "A release"], ["tag", f"v{version}"]):
        run([*git, *words], root)
    names = sorted(name.format(version) for name in FILES_OF_DIST)
    for name in names:
        (tmp_path / "dist" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "dist" / name).write_text(name)
    (tmp_path / "dist/SHA256SUMS").write_text(run(["sha256sum", *names], tmp_path / "dist").out)
    (tmp_path / "tools").mkdir()
    for client in ("twine", "npm", "dotnet", "mvn"):
        tool = tmp_path / "tools" / client
        tool.write_text(f'#!/bin/sh\necho {client} "$@" >>"{tmp_path}/called"\n[ ! -e "{tmp_path}/{client}-fails" ]\n')
        tool.chmod(0o755)
    return tmp_path


def publish(place: pathlib.Path, *words: str, fails: bool = False) -> Ran:
    command = [sys.executable, PUBLISH, "--dist", place / "dist", "--root", place / "project", *words]
    return run(command, place, fails=fails, environment={"PATH": f"{place}/tools{os.pathsep}{os.environ['PATH']}"})


def called(place: pathlib.Path) -> list[str]:
    file = place / "called"
    return file.read_text().replace(f"{place}/dist/", "").splitlines() if file.exists() else []


def test_each_registry_gets_its_packages(place: pathlib.Path, version: str) -> None:
    publish(place, "--maven", "central::https://example.org/m2", "--dry-run")
    assert called(place) == []
    publish(place, "--maven", "central::https://example.org/m2")
    lines = called(place)
    assert lines[:4] == [
        f"twine upload python/creo-{version}-py3-none-any.whl",
        f"npm publish --access public npm/creo-linux-x64-{version}.tgz",
        f"npm publish --access public npm/creo-{version}.tgz",
        f"dotnet nuget push nuget/Creo.{version}.nupkg",
    ]
    assert len(lines) == 7 and all("sign-and-deploy-file -DrepositoryId=central -Durl=https://example.org/m2 -DpomFile=maven/creo/" in line for line in lines[4:])
    program = next(line for line in lines if "creo-cli" in line)
    assert f"-Dpackaging=pom -Dfiles=maven/creo/creo-cli/{version}/creo-cli-{version}-linux-x86_64.exe -Dclassifiers=linux-x86_64 -Dtypes=exe" in program
    runtime = f"maven/creo/creo-runtime/{version}/creo-runtime-{version}"
    assert any(f"-Dfile={runtime}.jar -Dsources={runtime}-sources.jar -Djavadoc={runtime}-javadoc.jar" in line for line in lines)


def test_nothing_goes_out_unless_all_is_in_order(place: pathlib.Path, version: str) -> None:
    words = ("--only", "pypi,npm")
    wheel = place / f"dist/python/creo-{version}-py3-none-any.whl"
    wheel.write_text("other")
    (place / "dist/python/creo-9.9.9.whl").write_text("mine")
    (place / "project/CHANGELOG.md").write_text("# Changelog\n")
    run(["git", "tag", "-d", f"v{version}"], place / "project")
    said = publish(place, *words, fails=True).err
    for line in ("CHANGELOG.md: there is no entry", f"the commit has no tag v{version}", "not committed", f"{wheel.name} is not what", "creo-9.9.9.whl is no package", "nothing was published"):
        assert line in said
    assert called(place) == []
    # What would run is said all the same.
    assert "$ twine upload" in publish(place, *words, "--dry-run", fails=True).out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--only", "pypi,cpan"], "--only takes pypi, npm, nuget, maven, and not cpan"),
        (["--only", ""], "and not nothing"),
        ([], "--maven ID::URL says where"),
        (["--only", "npm", "--dist", "/nowhere"], "there are no packages in /nowhere: make dist"),
    ],
)
def test_what_is_wrong_is_said(words: list[str], said: str, place: pathlib.Path) -> None:
    ran = publish(place, *words, fails=True)
    assert said in ran.err and "Traceback" not in ran.err and called(place) == []


def test_a_client_that_fails_ends_it(place: pathlib.Path) -> None:
    (place / "npm-fails").touch()
    ran = publish(place, "--only", "pypi,npm,nuget", fails=True)
    assert "npm ended with 1" in ran.err and [line.split()[0] for line in called(place)] == ["twine", "npm"]
    (place / "tools/twine").unlink()
    if not shutil.which("twine"):
        assert "there is no program twine" in publish(place, "--only", "pypi", fails=True).err
