"""The artifacts for Maven repositories: what is in them, and a build that finds them in a file repository. `tests/maven` tries the plugin in full."""

from __future__ import annotations

import hashlib
import os
import pathlib
import zipfile
from xml.etree import ElementTree

import pytest
from conftest import DESCRIPTION, HAS_JAVA, ROOT, run

XMLNS = "{http://maven.apache.org/POM/4.0.0}"
JARS = ("creo-runtime", "creo-jms", "creo-jms-broker", "creo-servlet", "creo-opentelemetry", "creo-wss", "creo-maven-plugin", "creo-gradle-plugin")

pytestmark = pytest.mark.skipif(not HAS_JAVA, reason="there is no Maven or no Gradle (Debian: maven, gradle)")


def test_the_repository_holds_all_artifacts(packages: pathlib.Path, version: str) -> None:
    wanted = {f"creo/{name}/{version}/{name}-{version}{end}" for name in JARS for end in (".jar", "-sources.jar", "-javadoc.jar", ".pom")}
    wanted |= {f"creo/creo-cli/{version}/creo-cli-{version}{end}" for end in (".pom", "-linux-x86_64.exe")}
    wanted.add(f"creo/generate/creo.generate.gradle.plugin/{version}/creo.generate.gradle.plugin-{version}.pom")
    folder = packages / "maven"
    assert {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} == wanted


def test_each_pom_says_what_a_public_repository_asks_for(packages: pathlib.Path, version: str) -> None:
    poms = list((packages / "maven").rglob("*.pom"))
    assert len(poms) == len(JARS) + 2
    for path in poms:
        pom = ElementTree.parse(path).getroot()
        for name in ("groupId", "artifactId", "name", "description", "url", "licenses/license/name", "developers/developer/name", "scm/url", "scm/connection"):
            assert pom.findtext("/".join(f"{XMLNS}{part}" for part in name.split("/"))), f"{path.name}: {name}"
        assert pom.findtext(f"{XMLNS}version") == version and path.name == f"{pom.findtext(f'{XMLNS}artifactId')}-{version}.pom"


def test_jars_have_sources_and_documentation_of_their_classes(packages: pathlib.Path, version: str) -> None:
    for name in JARS:
        folder = packages / "maven/creo" / name / version
        found = {}
        for end in ("", "-sources", "-javadoc"):
            with zipfile.ZipFile(folder / f"{name}-{version}{end}.jar") as jar:
                found[end] = set(jar.namelist())
                # Not the time of the build.
                assert {info.date_time[0] for info in jar.infolist()} <= {1980, 2026}
        classes = {entry.removesuffix(".class") for entry in found[""] if entry.endswith(".class") and "$" not in entry}
        # A file may have a second class of its own.
        sources = {entry.removesuffix(".java") for entry in found["-sources"] if entry.endswith(".java")}
        assert sources - {entry for entry in sources if entry.endswith("package-info")} <= classes and len(sources) * 2 > len(classes) > 0, name
        assert "index.html" in found["-javadoc"]
    for name in ("creo-maven-plugin", "creo-gradle-plugin"):
        with zipfile.ZipFile(packages / f"maven/creo/{name}/{version}/{name}-{version}-sources.jar") as jar:
            shared = jar.read("creo/build/Program.java")
        assert shared == (ROOT / "integrations/build-plugins/java/creo/build/Program.java").read_bytes()


def test_the_program_is_the_same_as_in_the_archive(packages: pathlib.Path, creo: pathlib.Path, version: str) -> None:
    artifact = packages / f"maven/creo/creo-cli/{version}/creo-cli-{version}-linux-x86_64.exe"
    assert hashlib.sha256(artifact.read_bytes()).digest() == hashlib.sha256(creo.read_bytes()).digest()


def test_a_project_is_built_from_the_repository(packages: pathlib.Path, tmp_path: pathlib.Path, version: str) -> None:
    """The plugin, the program and the runtime come from there. What others publish was fetched when the packages were built."""
    local = tmp_path / "local"
    local.mkdir()
    for folder in pathlib.Path(os.environ.get("HOME", "/root"), ".m2/repository").iterdir():
        if folder.name != "creo":
            (local / folder.name).symlink_to(folder)
    project = ElementTree.parse(ROOT / "tests/maven/project/pom.xml")
    assert project.findtext(f".//{XMLNS}creo.version") == version
    (tmp_path / "src/main/creo").mkdir(parents=True)
    (tmp_path / "src/main/creo/lab.creo").write_text(DESCRIPTION)
    (tmp_path / "pom.xml").write_text(POM.format(version=version, repository=f"file://{packages / 'maven'}"))
    said = run(["mvn", "--batch-mode", "--no-transfer-progress", f"-Dmaven.repo.local={local}", "compile"], tmp_path).out
    assert "creo: generated" in said
    assert (tmp_path / "target/classes/org/example/lab/LabClient.class").is_file()


POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.example</groupId>
  <artifactId>lab-client</artifactId>
  <version>1.0</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <repositories><repository><id>dist</id><url>{repository}</url></repository></repositories>
  <pluginRepositories><pluginRepository><id>dist</id><url>{repository}</url></pluginRepository></pluginRepositories>
  <dependencies>
    <dependency><groupId>creo</groupId><artifactId>creo-runtime</artifactId><version>{version}</version></dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId><artifactId>maven-compiler-plugin</artifactId><version>3.14.0</version>
      </plugin>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version>
      </plugin>
      <plugin>
        <groupId>creo</groupId><artifactId>creo-maven-plugin</artifactId><version>{version}</version>
        <executions><execution><goals><goal>generate</goal></goals></execution></executions>
      </plugin>
    </plugins>
  </build>
</project>
"""
