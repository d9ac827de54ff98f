"""The NuGet package of the compiler: what is in it, and what its targets do under Mono's xbuild, with the project's own compiler of C#.

There is no SDK of .NET here, so neither `dotnet build` nor NuGet has seen the package.
"""

from __future__ import annotations

import pathlib
import shutil
import zipfile
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from conftest import DESCRIPTION, ROOT, run

Find = Callable[[str], pathlib.Path]
XMLNS = "http://schemas.microsoft.com/developer/msbuild/2003"
PROGRAM = """using System;
using Org.Example.Lab;

Console.WriteLine(System.Text.Encoding.UTF8.GetString(SampleText.ToJson(new Sample { Name = "CO2", Values = [1.0, -2.5] })));
"""
# CoreCompile, before which the package generates, replaces that of the SDK.
PROJECT = f"""<Project DefaultTargets="Build" xmlns="{XMLNS}">
  <PropertyGroup><IntermediateOutputPath>obj/</IntermediateOutputPath></PropertyGroup>
  <ItemGroup>
    <Compile Include="Program.cs" />
    <CreoFile Include="*.creo" />
  </ItemGroup>
  <Target Name="CoreCompile">
    <WriteLinesToFile File="compiled.txt" Lines="@(Compile)" Overwrite="true" />
    <Exec Command="{ROOT}/scripts/dotnet/csc.sh -out:bin/app.dll -target:exe -nullable -warnaserror @(Compile, ' ')" Condition="'$(Only)' == ''" />
  </Target>
  <Target Name="Build" DependsOnTargets="CoreCompile" />
  <Target Name="Clean" />
  <Import Project="packages/build/Creo.Compiler.targets" />
</Project>
"""
needs_xbuild = pytest.mark.skipif(not shutil.which("xbuild"), reason="there is no xbuild (Debian: mono-xbuild)")


@pytest.fixture
def project(package: Find, tmp_path: pathlib.Path) -> pathlib.Path:
    """A project that refers to the package, as NuGet unpacks it."""
    folder = tmp_path / "it's a $project"
    folder.mkdir()
    with zipfile.ZipFile(package("nuget/Creo.Compiler.*.nupkg")) as archive:
        archive.extractall(folder / "packages")
    for name, text in {"app.proj": PROJECT, "Program.cs": PROGRAM, "lab.creo": DESCRIPTION}.items():
        (folder / name).write_text(text)
    return folder


def build(folder: pathlib.Path, *words: str, fails: bool = False) -> str:
    return run(["xbuild", "/nologo", "/verbosity:minimal", *words, "app.proj"], folder, fails=fails).text


def test_the_package_is_laid_out_as_nuget_wants(package: Find, version: str) -> None:
    with zipfile.ZipFile(package(f"nuget/Creo.Compiler.{version}.nupkg")) as archive:
        texts = {name: archive.read(name) for name in archive.namelist() if name != "tools/linux-x64/creo"}
        assert archive.getinfo("tools/linux-x64/creo").external_attr >> 16 == 0o100755
    assert set(texts) == {
        "[Content_Types].xml", "_rels/.rels", "Creo.Compiler.nuspec", "LICENSE.txt", "THIRD-PARTY-LICENSES.txt", "README.md",
        "build/Creo.Compiler.targets", "build/creo.sh",
    }  # fmt: skip
    spec = ElementTree.fromstring(texts["Creo.Compiler.nuspec"])
    said = {element.tag.rpartition("}")[2]: element.text for element in spec.iter()}
    assert (said["id"], said["version"], said["developmentDependency"]) == ("Creo.Compiler", version, "true")
    relation = ElementTree.fromstring(texts["_rels/.rels"])[0]
    assert relation.get("Target") == "/Creo.Compiler.nuspec"
    types = ElementTree.fromstring(texts["[Content_Types].xml"])
    extensions = {element.get("Extension") for element in types}
    parts = {element.get("PartName") for element in types}
    for name in [*texts, "tools/linux-x64/creo"]:
        assert f"/{name}" in parts or name.rpartition(".")[2] in extensions or name == "[Content_Types].xml", name
    assert f'Version="{version}"'.encode() in texts["README.md"]


@needs_xbuild
def test_a_project_generates_before_it_compiles(project: pathlib.Path) -> None:
    build(project)
    assert run([ROOT / "scripts/dotnet/run.sh", "bin/app.dll"], project).out == '{"name":"CO2","values":[1,-2.5]}\n'
    compiled = (project / "compiled.txt").read_text().splitlines()
    generated = sorted(str(path.relative_to(project)) for path in (project / "obj/creo").rglob("*.cs"))
    assert sorted(compiled) == sorted(["Program.cs", *generated])


@needs_xbuild
def test_unchanged_files_stay_and_changes_of_imports_count(project: pathlib.Path) -> None:
    (project / "lab.creo").write_text(DESCRIPTION.replace("\n\nstruct", '\nimport "shared/units.creo";\n\nstruct', 1))
    units = project / "shared/units.creo"
    units.parent.mkdir()
    units.write_text('@PACKAGE("org.example.units")\nenum Unit { METRE, SECOND }\n')
    build(project, "/p:Only=generate")
    files = {path: path.stat().st_mtime_ns for path in (project / "obj/creo").rglob("*.cs")}
    build(project, "/p:Only=generate")
    assert files == {path: path.stat().st_mtime_ns for path in (project / "obj/creo").rglob("*.cs")}
    units.write_text('@PACKAGE("org.example.units")\nenum Unit { METRE, SECOND, MINUTE }\n')
    build(project, "/p:Only=generate")
    assert any("Minute" in path.read_text() for path in files)
    build(project, "/t:Clean")
    assert not (project / "obj/creo").exists()


@needs_xbuild
def test_settings_are_options(project: pathlib.Path) -> None:
    build(project, "/p:Only=generate", "/p:CreoWires=binary", "/p:CreoRuntimePackage=org.example.lab.creo", "/p:CreoOutput=made here/")
    text = "".join(path.read_text() for path in (project / "made here/csharp").rglob("*.cs"))
    assert "namespace Org.Example.Lab.Creo" in text and "ToJson" not in text and "ToBytes" in text


@needs_xbuild
def test_mistakes_are_said_as_msbuild_reads_them(project: pathlib.Path) -> None:
    build(project, "/p:Only=generate")
    before = {path: path.read_bytes() for path in (project / "obj/creo").rglob("*.cs")}
    (project / "lab.creo").write_text(DESCRIPTION.replace("String name;", "Strin name;", 1))
    said = build(project, fails=True)
    assert f"{project}/lab.creo(4,5): error unknown-type: there is no type `Strin` here (did you mean `String`?)\n" in said
    assert before == {path: path.read_bytes() for path in (project / "obj/creo").rglob("*.cs")}


@needs_xbuild
def test_a_wrong_program_is_said(project: pathlib.Path, old_creo: pathlib.Path, version: str) -> None:
    broken = old_creo.with_name("broken")
    broken.write_text("not a program")
    broken.chmod(0o755)
    programs = {old_creo: "is creo 0.0.9", pathlib.Path("/nowhere/creo"): "there is no program /nowhere/creo", pathlib.Path("/bin/true"): "is not creo"}
    for program, words in {**programs, broken: "does not run here"}.items():
        said = build(project, f"/p:CreoExecutable={program}", fails=True)
        assert "creo: error: " in said and words in said and f"creo {version} or later" in said
    # A package that lost the mode of its program.
    (project / "packages/tools/linux-x64/creo").chmod(0o644)
    build(project, "/p:Only=generate")


@needs_xbuild
def test_the_usual_targets_compile_what_was_generated(project: pathlib.Path) -> None:
    """Microsoft.CSharp.targets, with a compiler that only records its arguments: Mono's does not know C# 12."""
    compiler = project / "csc"
    compiler.write_text('#!/bin/sh\nfor word; do case $word in @*) cat "${word#@}" ;; esac; done >told.txt\n: >obj/Debug/app.exe\n')
    compiler.chmod(0o755)
    (project / "app.proj").write_text(f"""<Project DefaultTargets="Build" ToolsVersion="14.0" xmlns="{XMLNS}">
  <PropertyGroup>
    <OutputType>Exe</OutputType><AssemblyName>app</AssemblyName><OutputPath>bin/</OutputPath>
    <CscToolPath>.</CscToolPath><CscToolExe>csc</CscToolExe>
    <TargetFrameworkVersion>v4.5</TargetFrameworkVersion>
  </PropertyGroup>
  <ItemGroup><Compile Include="Program.cs" /><CreoFile Include="lab.creo" /></ItemGroup>
  <Import Project="$(MSBuildBinPath)/Microsoft.CSharp.targets" />
  <Import Project="packages/build/Creo.Compiler.targets" />
</Project>
""")
    build(project)
    told = (project / "told.txt").read_text()
    assert "obj/Debug/creo/csharp/Org.Example.Lab/Sample.cs" in told.replace("\\", "/") and "Program.cs" in told
