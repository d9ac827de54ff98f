"""The npm packages, installed from their archives without a registry."""

from __future__ import annotations

import json
import pathlib
import shutil
from collections.abc import Callable

import pytest
from conftest import DESCRIPTION, run

Find = Callable[[str], pathlib.Path]


@pytest.fixture
def project(package: Find, version: str, tmp_path: pathlib.Path) -> pathlib.Path:
    """A project with both packages."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "package.json").write_text('{"name": "lab", "version": "1.0.0", "private": true}')
    (folder / "lab.creo").write_text(DESCRIPTION)
    archives = [package(f"npm/creo-linux-x64-{version}.tgz"), package(f"npm/creo-{version}.tgz")]
    run(["npm", "install", "--offline", "--no-audit", "--no-fund", "--cache", tmp_path / "cache", *archives], folder)
    return folder


def npx(folder: pathlib.Path, *words: str, fails: bool = False, **variables: str) -> str:
    return run(["npx", "--no-install", "creo", *words], folder, fails=fails, environment=variables).text


def test_npx_runs_the_program(project: pathlib.Path, version: str) -> None:
    assert npx(project, "--version") == f"creo {version}\n"
    assert "1 file OK" in npx(project, "check", "lab.creo")
    assert json.loads(npx(project, "export", "openapi", "lab.creo"))["openapi"] == "3.1.0"
    (project / "lab.creo").write_text("struct A { Nope n; }")
    script = project / "node_modules/creo/bin/creo.js"
    assert run(["sh", "-c", f"node {script} check lab.creo; test $? = 100"], project).code == 0


def test_a_missing_program_is_said(project: pathlib.Path, old_creo: pathlib.Path, version: str) -> None:
    assert npx(project, "--version", CREO_EXECUTABLE=str(old_creo)) == "creo 0.0.9\n"
    told = npx(project, "--version", fails=True, CREO_EXECUTABLE="/nowhere/creo")
    assert "/nowhere/creo does not run" in told and f"creo {version} is wanted" in told
    platform = project / "node_modules/creo-linux-x64"
    description = json.loads((platform / "package.json").read_text())
    assert (description["os"], description["cpu"]) == (["linux"], ["x64"])
    (platform / "package.json").write_text(json.dumps({**description, "version": "0.0.9"}))
    told = npx(project, "--version", fails=True)
    assert f"has version 0.0.9, and {version} is wanted" in told and f"npm install creo@{version}" in told
    shutil.rmtree(platform)
    told = npx(project, "--version", fails=True)
    assert "creo-linux-x64 is not installed" in told and f"npm install creo@{version}" in told


def test_npm_takes_the_package_without_its_platform(package: Find, version: str, tmp_path: pathlib.Path) -> None:
    """As on a machine for which there is none: the dependency is optional."""
    (tmp_path / "package.json").write_text('{"name": "lab", "version": "1.0.0", "private": true}')
    archive = package(f"npm/creo-{version}.tgz")
    run(["npm", "install", "--offline", "--omit=optional", "--no-audit", "--no-fund", "--cache", tmp_path / "cache", archive], tmp_path)
    assert "is not installed" in npx(tmp_path, "--version", fails=True)
