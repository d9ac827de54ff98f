#!/usr/bin/env python3
"""Builds with Maven against a file repository that has nothing but what this script put there, and ends with the line `N passed, N failed`.

Libraries of others are fetched at the first run, into build/maven/local; from then on Maven runs offline. `--fresh` forgets them.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import traceback
import urllib.error
import urllib.request
from typing import Callable

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from ports import free_ports  # noqa: E402 # it is found by the line before

BUILD = ROOT / "build" / "maven"
LOCAL = BUILD / "local"
REPOSITORY = BUILD / "repository"
WORK = BUILD / "work"
CREO = ROOT / "target" / "debug" / "creo"
VERSION = "0.1.0"
POMS = ["runtimes/java/pom.xml", "runtimes/java-servlet/pom.xml", "integrations/maven-plugin/pom.xml", "integrations/maven-cli/pom.xml", "tests/maven/project/pom.xml", "examples/spring/pom.xml"]

SETTINGS = f"""<settings>
  <localRepository>{LOCAL}</localRepository>
  <profiles>
    <profile>
      <id>creo</id>
      <repositories><repository><id>creo-test</id><url>file://{REPOSITORY}</url></repository></repositories>
      <pluginRepositories><pluginRepository><id>creo-test</id><url>file://{REPOSITORY}</url></pluginRepository></pluginRepositories>
    </profile>
  </profiles>
  <activeProfiles><activeProfile>creo</activeProfile></activeProfiles>
</settings>
"""

offline = True


def maven(folder: pathlib.Path, *arguments: str, code: int = 0) -> str:
    """Runs Maven; fails with its output unless it ends with the code."""
    command = ["mvn", "--batch-mode", "--no-transfer-progress", "-s", str(BUILD / "settings.xml"), "-Dstyle.color=never", *(["-o", "-Daether.offline.protocols=file"] if offline else []), *arguments]
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if (done.returncode != 0) != (code != 0):
        raise AssertionError(f"{' '.join(command)} in {folder} ended with {done.returncode}:\n{done.stdout[-6000:]}")
    return done.stdout


def publish() -> None:
    """Puts the project's own artifacts into the file repository, and lets the local one forget them. `deploy` refuses to work offline; the layout is the same."""
    for folder in (REPOSITORY, LOCAL / "creo"):
        shutil.rmtree(folder, ignore_errors=True)
    binary = BUILD / "creo"
    subprocess.run(["strip", "-o", str(binary), str(CREO)], check=True)
    maven(ROOT / "runtimes", "-pl", "java,java-servlet", "-P", "release", "install", "-Dmaven.test.skip=true", "-Dexec.skip=true")
    maven(ROOT / "integrations/maven-plugin", "-P", "release", "install")
    maven(ROOT / "integrations/maven-cli", "install", f"-Dcreo.linux-x86_64={binary}")
    # Maven may have made it for what it noted of it.
    REPOSITORY.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(REPOSITORY / "creo", ignore_errors=True)
    (LOCAL / "creo").rename(REPOSITORY / "creo")


def copy(source: str, name: str) -> pathlib.Path:
    target = WORK / name
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / source, target, ignore=shutil.ignore_patterns("target"))
    return target


def has(text: str, *parts: str) -> None:
    for part in parts:
        assert part in text, f"{part!r} is not in:\n{text[-4000:]}"


def snapshot(folder: pathlib.Path) -> dict[str, tuple[int, bytes]]:
    return {str(file.relative_to(folder)): (file.stat().st_mtime_ns, file.read_bytes()) for file in sorted(folder.rglob("*")) if file.is_file()}


def generated(project: pathlib.Path) -> pathlib.Path:
    return project / "target/generated-sources/creo/java"


def test_artifacts_are_what_a_public_repository_wants() -> None:
    for name in ("creo-runtime", "creo-servlet", "creo-maven-plugin"):
        folder = REPOSITORY / "creo" / name / VERSION
        for suffix in (".jar", "-sources.jar", "-javadoc.jar", ".pom"):
            assert (folder / f"{name}-{VERSION}{suffix}").is_file(), f"{name}{suffix}"
        pom = (folder / f"{name}-{VERSION}.pom").read_text(encoding="utf-8")
        has(pom, "<name>", "<description>", "<url>", "<license>", "<developers>", "<scm>")
    assert (REPOSITORY / "creo/creo-cli" / VERSION / f"creo-cli-{VERSION}-linux-x86_64.exe").is_file()


def test_two_descriptions_a_wsdl_and_a_unit_test() -> None:
    project = copy("tests/maven/project", "lab")
    has(maven(project, "verify"), "Tests run: 1, Failures: 0, Errors: 0", "of 4 descriptions")
    before = snapshot(generated(project))
    assert "org/example/lab/Sample.java" in before and "example/price/Prices.java" in before, sorted(before)
    has(maven(project, "compile"), "creo: nothing has changed")
    # A comment changes nothing that is generated but the description that the service hands out, and so no other file.
    lab = project / "src/main/creo/lab.creo"
    lab.write_text(lab.read_text() + "// Nothing.\n")
    has(maven(project, "compile"), "creo: generated")
    after = snapshot(generated(project))
    assert after.keys() == before.keys()
    changed = [name for name in after if after[name] != before[name]]
    assert changed and all(name.endswith("Description.java") or name.startswith(".creo-manifest") for name in changed), changed
    assert "example/price/PricesDescription.java" not in changed
    has(maven(project, "compile"), "creo: nothing has changed")
    # What one description imports, and what a WSDL includes, counts too.
    for name in ("creo/types.creo", "wsdl/price.xsd"):
        file = project / "src/main" / name
        file.write_text(file.read_text() + "\n")
        has(maven(project, "compile"), "creo: generated")


def test_options_and_descriptions_that_go_away() -> None:
    project = copy("tests/maven/project", "changes")
    maven(project, "generate-sources")
    assert (generated(project) / "org/example/lab/LabEndpoint.java").is_file()
    maven(project, "generate-sources", "-Dcreo.sides=client")
    assert not (generated(project) / "org/example/lab/LabEndpoint.java").exists()
    assert (generated(project) / "org/example/lab/LabClient.java").is_file()
    (project / "src/main/creo/archive.creo").unlink()
    maven(project, "generate-sources", "-Dcreo.sides=client")
    assert not (generated(project) / "org/example/lab/ArchiveClient.java").exists()
    assert (generated(project) / "org/example/lab/Sample.java").is_file()
    maven(project, "generate-sources", "-Dcreo.sides=client", "-Dcreo.runtime=copy", "-Dcreo.wires=binary", "-Dcreo.runtimePackage=org.example.lab.creo")
    assert (generated(project) / "org/example/lab/creo/CreoException.java").is_file()


def test_a_mistake_is_told_as_the_compiler_tells_it() -> None:
    project = copy("tests/maven/project", "mistake")
    maven(project, "generate-sources")
    before = snapshot(generated(project))
    lab = project / "src/main/creo/lab.creo"
    good = lab.read_text()
    lab.write_text(good.replace("Sample measure", "Sampel measure"))
    for _ in range(2):
        has(maven(project, "compile", code=1), f"[ERROR] {lab}:[6,5] there is no type `Sampel` here", "(unknown-type); did you mean `Sample`?", "creo found 1 error")
        assert snapshot(generated(project)) == before
    lab.write_text(good)
    wsdl = project / "src/main/wsdl/price.wsdl"
    text = wsdl.read_text()
    wsdl.write_text(text.replace("</definitions>", ""))
    output = maven(project, "compile", code=1)
    assert re.search(rf"\[ERROR\] {re.escape(str(wsdl))}:\[\d+,\d+\] ", output), output[-3000:]
    assert snapshot(generated(project)) == before
    wsdl.write_text(text)
    maven(project, "compile")
    assert snapshot(generated(project)) == before


def test_a_program_that_is_missing_or_too_old() -> None:
    project = copy("tests/maven/project", "program")
    missing = project / "no-creo"
    has(maven(project, "compile", f"-Dcreo.executable={missing}", code=1), f"{missing}, which does not exist; install creo {VERSION}")
    old = project / "old-creo"
    old.write_text("#!/bin/sh\necho creo 0.0.9\n")
    old.chmod(0o755)
    has(maven(project, "compile", f"-Dcreo.executable={old}", code=1), f"creo 0.0.9; this plugin needs creo {VERSION} or later; install creo {VERSION}")
    has(maven(project, "compile", f"-Dcreo.executable={CREO}"), "creo: generated")
    away = BUILD / "away"
    shutil.rmtree(away, ignore_errors=True)
    shutil.rmtree(LOCAL / "creo/creo-cli", ignore_errors=True)
    (REPOSITORY / "creo/creo-cli").rename(away)
    try:
        has(maven(project, "clean", "compile", code=1), f"there is no creo {VERSION} for linux-x86_64 in the repositories", "-Dcreo.executable=/path/to/creo")
    finally:
        away.rename(REPOSITORY / "creo/creo-cli")
        shutil.rmtree(LOCAL / "creo/creo-cli", ignore_errors=True)
    maven(project, "compile")


def ask(url: str, body: str | None = None, user: str | None = "ann") -> tuple[int, str]:
    request = urllib.request.Request(url, None if body is None else body.encode(), {} if body is None else {"Content-Type": "application/json"})
    if user:
        request.add_header("Authorization", basic(user))
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def basic(user: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:secret".encode()).decode()


def test_a_spring_boot_application_gets_a_service() -> None:
    project = copy("examples/spring", "spring")
    maven(project, "package")
    port = free_ports(1)[0]
    log = BUILD / "spring.log"
    with log.open("wb") as out:
        shop = subprocess.Popen(["java", "-Xmx256m", "-jar", str(project / "target/shop-1.0.0.jar"), f"--server.port={port}"], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
    try:
        until = time.monotonic() + 120
        while b"Started ShopApplication" not in log.read_bytes():
            assert shop.poll() is None and time.monotonic() < until, log.read_text(errors="replace")[-4000:]
            time.sleep(0.2)
        call_shop(f"http://127.0.0.1:{port}", project)
    finally:
        shop.send_signal(signal.SIGTERM)
        shop.wait(60)


def call_shop(base: str, project: pathlib.Path) -> None:
    stock = f"{base}/creo/Stock"
    assert ask(f"{base}/articles/tea") == (200, "tea: 12")
    assert ask(f"{stock}/find", '{"name":"tea"}', user=None)[0] == 401
    assert ask(f"{stock}/find", '{"name":"tea"}') == (200, '{"name":"tea","count":12}')
    status, problem = ask(f"{stock}/find", '{"name":"gold"}')
    assert status == 422 and "gold" in problem, problem
    status, problem = ask(f"{stock}/take", '{"name":"tea","count":1}', user="bob")
    assert status == 403 and json.loads(problem)["detail"], problem
    curl = subprocess.run(["curl", "-sS", "-u", "ann:secret", "-H", "Content-Type: application/json", "-d", '{"name":"tea","count":2}', f"{stock}/take"], capture_output=True, text=True, check=True)
    assert curl.stdout == '"ann"', curl.stdout
    assert f'location="{stock}"' in ask(f"{stock}?wsdl")[1]
    assert json.loads(ask(f"{stock}?openapi")[1])["openapi"].startswith("3.1")
    assert ask(f"{base}/creo/health") == (200, '{"status":"UP"}')

    client = WORK / "client"
    shutil.rmtree(client, ignore_errors=True)
    subprocess.run([str(CREO), "-q", "generate", str(project / "src/main/creo/stock.creo"), "--target", "python", "--out", str(client)], check=True)
    python = subprocess.run([sys.executable, str(project / "client/client.py"), stock, "ann", "secret"], env={**os.environ, "PYTHONPATH": str(client / "python")}, capture_output=True, text=True, check=False)
    assert python.stdout == "tea: 10\ntaken by ann\nno gold\n", python.stdout + python.stderr

    assert ask(f"{base}/articles/tea") == (200, "tea: 7")
    taken = json.loads(ask(f"{base}/actuator/metrics/shop.taken")[1])
    assert taken["measurements"][0]["value"] == 5.0, taken
    requests = json.loads(ask(f"{base}/actuator/metrics/http.server.requests?tag=method:POST")[1])
    assert requests["measurements"][0]["value"] >= 6, requests


TESTS: list[Callable[[], None]] = [value for name, value in list(globals().items()) if name.startswith("test_")]


def run_all() -> tuple[int, list[str]]:
    passed, failed = 0, []
    for test in TESTS:
        begin = time.monotonic()
        try:
            test()
            passed += 1
            print(f"ok      {test.__name__} ({time.monotonic() - begin:.0f} s)", flush=True)
        except Exception:  # a test that fails in any way must not hide the others
            failed.append(test.__name__)
            print(f"FAILED  {test.__name__}\n{traceback.format_exc()}", flush=True)
    return passed, failed


def main() -> int:
    global offline
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fresh", action="store_true", help="fetch the libraries of others again")
    arguments = parser.parse_args()
    BUILD.mkdir(parents=True, exist_ok=True)
    (BUILD / "settings.xml").write_text(SETTINGS)
    stamp = hashlib.sha256(b"".join((ROOT / pom).read_bytes() for pom in POMS)).hexdigest()
    ready = BUILD / ".ready"
    if arguments.fresh:
        shutil.rmtree(LOCAL, ignore_errors=True)
    if arguments.fresh or not ready.is_file() or ready.read_text() != stamp:
        print("fetching what Maven needs", flush=True)
        offline = False
        begin = time.monotonic()
        try:
            publish()
            maven(copy("tests/maven/project", "fetch"), "clean", "verify")
            maven(copy("examples/spring", "fetch"), "package")
            ready.write_text(stamp)
        except (AssertionError, subprocess.SubprocessError) as error:
            print(f"{error}\n0 passed, 1 failed")
            return 1
        finally:
            offline = True
        print(f"fetched in {time.monotonic() - begin:.0f} s", flush=True)
    else:
        try:
            publish()
        except (AssertionError, subprocess.SubprocessError) as error:
            print(f"{error}\n0 passed, 1 failed")
            return 1
    passed, failed = run_all()
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
