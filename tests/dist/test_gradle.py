"""The Gradle plugin, built and used by the Gradle that there is, without a network: Debian has 4.4."""

from __future__ import annotations

import pathlib
import re
import shutil
from collections.abc import Callable

import pytest
from conftest import DESCRIPTION, HAS_JAVA, run

# Gradle 4.4 knows no Java above 12, so its compiler is configured here.
BUILD = """buildscript { dependencies { classpath files('PLUGIN') } }
apply plugin: 'application'
apply plugin: 'creo.generate'
mainClassName = 'Main'
compileJava.options.compilerArgs += ['-source', '17', '-target', '17']
creo {
    executable = 'CREO'
    runtime = 'copy'
    wires = 'binary, json'
}
"""
MAIN = """import org.example.lab.Sample;
import org.example.lab.SampleText;

class Main {
    public static void main(String[] args) {
        System.out.println(new String(SampleText.toJson(new Sample("CO2", new double[] {1.0, -2.5})), java.nio.charset.StandardCharsets.UTF_8));
    }
}
"""

pytestmark = pytest.mark.skipif(not HAS_JAVA, reason="there is no Maven or no Gradle (Debian: maven, gradle)")


def gradle(folder: pathlib.Path, home: pathlib.Path, *words: str, fails: bool = False) -> str:
    return run(["gradle", "--offline", "--no-daemon", "--console=plain", *words], folder, fails=fails, environment={"GRADLE_USER_HOME": str(home)}).text


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return tmp_path_factory.mktemp("gradle")


@pytest.fixture(scope="module")
def plugin(package: Callable[[str], pathlib.Path], version: str) -> pathlib.Path:
    return package(f"maven/creo/creo-gradle-plugin/{version}/creo-gradle-plugin-{version}.jar")


@pytest.fixture
def project(plugin: pathlib.Path, creo: pathlib.Path, tmp_path: pathlib.Path) -> pathlib.Path:
    folder = tmp_path / "it's a $project"
    files = {
        "settings.gradle": "rootProject.name = 'lab'\n",
        "build.gradle": BUILD.replace("PLUGIN", str(plugin)).replace("CREO", str(creo)),
        "src/main/creo/lab.creo": DESCRIPTION,
        "src/main/java/Main.java": MAIN,
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def outcome(said: str, task: str = "generateCreo") -> str:
    """How a task ended: nothing is said of one that ran."""
    found = re.search(rf"^(?:> Task )?:{task}\b ?(.*)$", said, re.M)
    assert found, said
    return found[1]


def java(folder: pathlib.Path) -> dict[str, bytes]:
    generated = folder / "build/generated/sources/creo/main/java"
    return {str(path.relative_to(generated)): path.read_bytes() for path in generated.rglob("*.java")}


def test_a_project_generates_compiles_and_caches(project: pathlib.Path, home: pathlib.Path) -> None:
    said = gradle(project, home, "--build-cache", "run")
    assert '{"name":"CO2","values":[1,-2.5]}' in said and outcome(said) == ""
    made = java(project)
    assert outcome(gradle(project, home, "--build-cache", "compileJava")) == "UP-TO-DATE"
    # From another folder, too: nothing but what files hold counts.
    moved = project.with_name("elsewhere")
    shutil.copytree(project, moved, ignore=shutil.ignore_patterns("build", ".gradle"))
    assert outcome(gradle(moved, home, "--build-cache", "compileJava")) == "FROM-CACHE"
    assert java(moved) == made
    gradle(project, home, "clean")
    assert not java(project)


def test_imports_wsdls_and_removed_descriptions_count(project: pathlib.Path, creo: pathlib.Path, home: pathlib.Path, tmp_path: pathlib.Path) -> None:
    folder = project / "src/main/creo"
    (folder / "lab.creo").write_text(DESCRIPTION.replace("\n\nstruct", '\nimport "shared/units.creo";\n\nstruct', 1))
    (folder / "shared").mkdir()
    units = folder / "shared/units.creo"
    units.write_text('@PACKAGE("org.example.units")\nenum Unit { METRE, SECOND }\n')
    (tmp_path / "stock.creo").write_text('@PACKAGE("org.example.stock")\n@NAMESPACE("urn:stock")\n\ninterface Stock {\n    int count(String name);\n}\n')
    (project / "src/main/wsdl").mkdir()
    run([creo, "export", "wsdl", "stock.creo", "--out", project / "src/main/wsdl/stock.wsdl"], tmp_path)
    gradle(project, home, "compileJava")
    made = java(project)
    assert b"MINUTE" not in made["org/example/units/Unit.java"]
    assert any(name.startswith("stock/") for name in made)
    units.write_text('@PACKAGE("org.example.units")\nenum Unit { METRE, SECOND, MINUTE }\n')
    (project / "src/main/wsdl/stock.wsdl").unlink()
    assert outcome(gradle(project, home, "compileJava")) == ""
    made = java(project)
    assert b"MINUTE" in made["org/example/units/Unit.java"]
    assert not any(name.startswith("stock/") for name in made)


def test_mistakes_fail_the_build_and_leave_what_was_generated(project: pathlib.Path, home: pathlib.Path, old_creo: pathlib.Path, version: str) -> None:
    gradle(project, home, "generateCreo")
    made = java(project)
    description = project / "src/main/creo/lab.creo"
    description.write_text(DESCRIPTION.replace("String name;", "Strin name;", 1))
    said = gradle(project, home, "compileJava", fails=True)
    assert f"{description}:4:5: error: there is no type `Strin` here [unknown-type] (did you mean `String`?)\n" in said
    assert "creo found mistakes" in said and java(project) == made
    lists = (project / "build.gradle").read_text()
    for program, words in {str(old_creo): "says of its version: creo 0.0.9", "/nowhere/creo": "does not run", "/bin/true": "says of its version: "}.items():
        (project / "build.gradle").write_text(re.sub("executable = '.*'", f"executable = '{program}'", lists))
        said = gradle(project, home, "compileJava", fails=True)
        assert f"the program {program} {words}" in said and f"creo {version} or later is wanted" in said
        assert java(project) == made


def test_a_repository_has_the_plugin_by_its_id(project: pathlib.Path, packages: pathlib.Path, home: pathlib.Path, version: str) -> None:
    """From there come the plugin and the runtime."""
    repository = f"maven {{ url '{packages / 'maven'}' }}"
    (project / "settings.gradle").write_text(f"pluginManagement {{ repositories {{ {repository} }} }}\nrootProject.name = 'lab'\n")
    lists = (project / "build.gradle").read_text()
    lists = re.sub(r"^buildscript.*$", f"plugins {{ id 'creo.generate' version '{version}' }}", lists, count=1, flags=re.M)
    lists = lists.replace("apply plugin: 'creo.generate'\n", "").replace("runtime = 'copy'", "runtime = 'package'")
    (project / "build.gradle").write_text(f"{lists}repositories {{ {repository} }}\ndependencies {{ compile 'creo:creo-runtime:{version}' }}\n")
    assert '{"name":"CO2","values":[1,-2.5]}' in gradle(project, home, "run")
    assert not any("/runtime/" in name for name in java(project))
