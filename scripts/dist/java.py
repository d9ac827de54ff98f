"""Artifacts for Maven repositories: the modules in Java, the plugins for Maven and Gradle, and the program, which the Maven plugin takes from there.

Each has what a public repository wants: sources, documentation, and a POM. They are laid out as a file repository, without its lists of versions.
"""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import tempfile

import project

GROUP = "creo"
MODULES = ("java", "java-jms-broker", "java-jms", "java-servlet", "java-opentelemetry", "java-wss")
FOLDERS = (*(f"runtimes/{module}" for module in MODULES), "integrations/build-plugins", "integrations/maven-plugin", "integrations/maven-cli", "integrations/gradle-plugin")
CLASSIFIER = "linux-x86_64"
KINDS = (".jar", ".pom", ".exe")
MAVEN = ("mvn", "--batch-mode", "--no-transfer-progress", "--quiet")
POM = """<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>{group}</groupId>
  <artifactId>{artifact}</artifactId>
  <version>{version}</version>
  <packaging>{packaging}</packaging>
  <name>{name}</name>
  <description>{description}</description>
  <url>https://creo.invalid</url>
  <licenses>
    <license>
      <name>{licence}</name>
      <url>https://www.apache.org/licenses/LICENSE-2.0.txt</url>
    </license>
  </licenses>
  <developers>
    <developer>
      <name>The Creo developers</name>
    </developer>
  </developers>
  <scm>
    <url>https://creo.invalid</url>
    <connection>scm:git:https://creo.invalid</connection>
  </scm>
{dependencies}</project>
"""
GRADLE_PLUGIN = "creo-gradle-plugin"
GRADLE_ID = "creo.generate"
# By this artifact, Gradle finds the plugin of `plugins { id 'creo.generate' }`.
MARKER = f"{GRADLE_ID}.gradle.plugin"


def artifacts(program: pathlib.Path) -> list[tuple[str, bytes]]:
    """All artifacts. Maven and Gradle build them, of the files that are under version control, in a folder of its own."""
    check()
    with tempfile.TemporaryDirectory(prefix="creo-java-") as name:
        work = pathlib.Path(name)
        for path in ("runtimes/pom.xml", *(f"{folder}/{file}" for folder in FOLDERS for file in project.tracked(folder))):
            (work / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(project.ROOT / path, work / path)
        repository = work / "repository"
        deploy = ["deploy", f"-DaltDeploymentRepository=dist::file://{repository}", "-Dmaven.test.skip=true", "-Dexec.skip=true"]
        _run([*MAVEN, "-pl", ",".join(MODULES), "-P", "release", *deploy], work / "runtimes")
        _run([*MAVEN, "-P", "release", *deploy], work / "integrations/maven-plugin")
        _run([*MAVEN, f"-Dcreo.{CLASSIFIER}={program.absolute()}", *deploy], work / "integrations/maven-cli")
        found = sorted(path for path in repository.rglob("*") if path.suffix in KINDS)
        made = [(str(path.relative_to(repository)), path.read_bytes()) for path in found]
        return sorted([*made, *_gradle(work / "integrations/gradle-plugin")])


def check() -> None:
    """Whether the programs are there.

    :raises DistError: if one is not.
    """
    for program, package in (("mvn", "maven"), ("gradle", "gradle")):
        if shutil.which(program) is None:
            raise project.DistError(f"there is no program {program} on the PATH (Debian: {package}); --without java makes the other packages")


def _gradle(folder: pathlib.Path) -> list[tuple[str, bytes]]:
    """The plugin for Gradle, and the marker that leads to it."""
    _run(["gradle", "--offline", "--no-daemon", "--console=plain", "--quiet", "jars"], folder)
    version = project.version()
    place = f"{GROUP}/{GRADLE_PLUGIN}/{version}"
    made = [(f"{place}/{path.name}", path.read_bytes()) for path in (folder / "build/libs").glob("*.jar")]
    description = "Generates Java services and clients from service descriptions and WSDLs, before compileJava."
    made.append((f"{place}/{GRADLE_PLUGIN}-{version}.pom", _pom(GROUP, GRADLE_PLUGIN, "jar", "Creo Gradle plugin", description, "")))
    dependency = (
        f"  <dependencies>\n    <dependency>\n      <groupId>{GROUP}</groupId>\n      <artifactId>{GRADLE_PLUGIN}</artifactId>\n"
        f"      <version>{version}</version>\n    </dependency>\n  </dependencies>\n"
    )
    marker = _pom(GRADLE_ID, MARKER, "pom", "Creo Gradle plugin by its id", f"Leads from the id {GRADLE_ID} to the plugin.", dependency)
    made.append((f"{GRADLE_ID.replace('.', '/')}/{MARKER}/{version}/{MARKER}-{version}.pom", marker))
    return made


def _pom(group: str, artifact: str, packaging: str, name: str, description: str, dependencies: str) -> bytes:
    return POM.format(
        group=group, artifact=artifact, version=project.version(), packaging=packaging, name=name, description=description, licence=project.LICENSE_ID,
        dependencies=dependencies,
    ).encode()  # fmt: skip


def _run(command: list[str], folder: pathlib.Path) -> None:
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise project.DistError(f"{command[0]} in {folder.name} ended with {done.returncode}:\n{done.stdout[-4000:]}")
