"""The archives of a release: what is in them, their sums, and that the same commit gives the same bytes."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Callable

import pytest
from conftest import ROOT, run

Find = Callable[[str], pathlib.Path]


def test_sums_are_of_all_files(packages: pathlib.Path) -> None:
    listed = dict(reversed(line.split("  ")) for line in (packages / "SHA256SUMS").read_text().splitlines())
    found = {
        str(path.relative_to(packages)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in packages.rglob("*")
        if path.is_file() and path.name != "SHA256SUMS"
    }
    assert listed == found
    run(["sha256sum", "--check", "--strict", "SHA256SUMS"], packages)


def test_the_archive_holds_the_program_and_its_licences(package: Find, version: str) -> None:
    with tarfile.open(package("creo-*-linux.tar.gz")) as tar:
        members = {member.name.partition("/")[2]: member for member in tar.getmembers()}
        notices = tar.extractfile(members["THIRD-PARTY-LICENSES.txt"])
        assert notices and b"\nserde_json " in notices.read()
    assert set(members) == {
        "creo", "LICENSE", "README.md", "THIRD-PARTY-LICENSES.txt", "completions/creo.bash", "completions/_creo", "completions/creo.fish",
    }  # fmt: skip
    assert members["creo"].mode == 0o755
    assert {(m.uid, m.gid, m.uname, m.gname) for m in members.values()} == {(0, 0, "", "")}
    assert len({m.mtime for m in members.values()}) == 1


def test_the_program_runs(creo: pathlib.Path, version: str, tmp_path: pathlib.Path) -> None:
    assert run([creo, "--version"], tmp_path).out == f"creo {version}\n"


def test_the_bill_of_materials_lists_what_cargo_lock_holds(package: Find, version: str) -> None:
    bill = json.loads(package("creo-*.cdx.json").read_text())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", bill["serialNumber"])
    assert bill["metadata"]["component"]["version"] == version
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    sums = {f"pkg:cargo/{entry['name']}@{entry['version']}": entry.get("checksum") for entry in lock}
    crates = [component for component in bill["components"] if component.get("purl")]
    assert len(crates) > 50
    for component in crates:
        assert component["licenses"][0]["expression"] != "NOASSERTION", component["name"]
        wanted = sums[component["purl"]]
        assert component.get("hashes", [{"content": None}])[0]["content"] == wanted, component["name"]
    references = {component["bom-ref"] for component in bill["components"]} | {bill["metadata"]["component"]["bom-ref"]}
    assert all({entry["ref"], *entry["dependsOn"]} <= references for entry in bill["dependencies"])
    names = {component["name"] for component in crates}
    assert {"clap", "serde_json", "creo-gen-java"} <= names
    assert not {"proptest", "creo-harness"} & names  # of tests alone


def test_the_same_commit_gives_the_same_bytes(packages: pathlib.Path, creo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Whatever the time, the zone, the language, the mask of modes and the folder for temporary files are. What Maven and Gradle build is compared by
    `make dist-test`."""
    if os.environ.get("CREO_DIST"):
        pytest.skip("packages from elsewhere may be of another commit")
    (tmp_path / "elsewhere").mkdir()
    variables = {"TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8", "TMPDIR": str(tmp_path / "elsewhere"), "PYTHONHASHSEED": "7"}
    make = [sys.executable, ROOT / "scripts/dist/make.py", "--program", creo, "--fast", "--without", "java", "--out", tmp_path / "again"]
    run(["sh", "-c", 'umask 077; exec "$0" "$@"', *make], tmp_path, environment=variables)
    before, again = ({line for line in (folder / "SHA256SUMS").read_text().splitlines() if "  maven/" not in line} for folder in (packages, tmp_path / "again"))
    assert before == again


@pytest.mark.parametrize(
    ("arguments", "variables", "said"),
    [
        (["--program", "/nowhere/creo"], {}, "no program /nowhere/creo"),
        (["--program", "/bin/true", "--out", "{full}"], {}, "holds something else than packages"),
        (["--program", "/bin/true"], {"SOURCE_DATE_EPOCH": "soon"}, "SOURCE_DATE_EPOCH is no count of seconds"),
    ],
)
def test_what_is_wrong_is_said(arguments: list[str], variables: dict[str, str], said: str, tmp_path: pathlib.Path) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine.txt").write_text("mine")
    words = ["--out", str(tmp_path / "out"), *(word.format(full=full) for word in arguments)]
    ran = run([sys.executable, ROOT / "scripts/dist/make.py", *words], tmp_path, fails=True, environment=variables)
    assert said in ran.err and "Traceback" not in ran.err
    assert (full / "mine.txt").read_text() == "mine"


def test_a_missing_program_is_said_before_anything_is_compiled(tmp_path: pathlib.Path) -> None:
    git = shutil.which("git")
    assert git is not None
    (tmp_path / "path").mkdir()
    (tmp_path / "path" / "git").symlink_to(git)
    ran = run([sys.executable, ROOT / "scripts/dist/make.py", "--out", tmp_path / "out"], tmp_path, fails=True, environment={"PATH": str(tmp_path / "path")})
    assert "there is no program mvn on the PATH (Debian: maven)" in ran.err and "Traceback" not in ran.err


def test_the_program_of_a_release_is_static_and_small(creo: pathlib.Path) -> None:
    """Of the debug program this says what is wrong with it; a release passes."""
    told = subprocess.run(["readelf", "--wide", "--program-headers", str(creo)], capture_output=True, text=True, check=True).stdout
    check = "import binary, pathlib, sys; binary.check(pathlib.Path(sys.argv[1]))"
    ran = run([sys.executable, "-c", check, creo], ROOT / "scripts/dist", fails="INTERP" in told)
    if "INTERP" in told:
        assert "no more than" in ran.err or "it is not static" in ran.err
