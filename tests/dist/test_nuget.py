"""The NuGet packages: what is in them, and what their targets do under Mono's xbuild, with the project's own compiler of C#.

There is no SDK of .NET here, so neither `dotnet build` nor NuGet has seen the packages.
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
    <WriteLinesToFile File="arguments.txt" Lines="-out:bin/app.dll;-target:exe;-nullable;-warnaserror;@(Compile)" Overwrite="true" />
    <Exec Command="{ROOT}/scripts/dotnet/csc.sh @arguments.txt" Condition="'$(Only)' == ''" />
  </Target>
  <Target Name="Build" DependsOnTargets="CoreCompile" />
  <Target Name="Clean" />
  <Import Project="packages/build/Creo.Compiler.targets" />
  <Import Project="runtime/build/net8.0/Creo.targets" Condition="'$(CreoRuntime)' == 'package'" />
</Project>
"""
# A call, and every part of the runtime that it needs.
CALLS = """using System;
using Creo;
using Org.Example.Lab;

try
{
    using var lab = new LabClient("127.0.0.1", 1);
    lab.Find("CO2");
}
catch (CreoException e)
{
    Console.WriteLine(e.GetType().FullName);
}
Console.WriteLine(System.Text.Encoding.UTF8.GetString(SampleText.ToJson(new Sample { Name = "CO2", Values = [1.0, -2.5] })));
"""
RUNTIME = ROOT / "runtimes/csharp/src"
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


def check_package(name: str, version: str, archive: zipfile.ZipFile) -> dict[str, str | None]:
    """What NuGet asks of a package: a specification at the root, the kind of each file, the relation to the specification. Gives what the specification says."""
    spec = ElementTree.fromstring(archive.read(f"{name}.nuspec"))
    said = {element.tag.rpartition("}")[2]: element.text for element in spec.iter()}
    assert (said["id"], said["version"], said["license"], said["readme"]) == (name, version, "Apache-2.0", "README.md")
    relation = ElementTree.fromstring(archive.read("_rels/.rels"))[0]
    assert relation.get("Target") == f"/{name}.nuspec"
    types = ElementTree.fromstring(archive.read("[Content_Types].xml"))
    extensions = {element.get("Extension") for element in types}
    parts = {element.get("PartName") for element in types}
    for entry in archive.namelist():
        assert f"/{entry}" in parts or entry.rpartition(".")[2] in extensions or entry == "[Content_Types].xml", entry
    assert f'Version="{version}"'.encode() in archive.read("README.md")
    return said


def test_the_package_of_the_compiler_is_laid_out_as_nuget_wants(package: Find, version: str) -> None:
    with zipfile.ZipFile(package(f"nuget/Creo.Compiler.{version}.nupkg")) as archive:
        said = check_package("Creo.Compiler", version, archive)
        assert said["developmentDependency"] == "true"
        assert archive.getinfo("tools/linux-x64/creo").external_attr >> 16 == 0o100755
        assert set(archive.namelist()) == {
            "[Content_Types].xml", "_rels/.rels", "Creo.Compiler.nuspec", "LICENSE.txt", "THIRD-PARTY-LICENSES.txt", "README.md",
            "build/Creo.Compiler.targets", "build/creo.sh", "tools/linux-x64/creo",
        }  # fmt: skip


def test_the_package_of_the_runtime_holds_and_compiles_all_of_its_sources(package: Find, version: str) -> None:
    own = ElementTree.parse(RUNTIME / "Creo.csproj")
    assert (own.findtext(".//PackageId"), own.findtext(".//Version"), own.findtext(".//TargetFramework")) == ("Creo", version, "net8.0")
    sources = {f"src/{path.relative_to(RUNTIME)}" for path in RUNTIME.rglob("*.cs") if not {"bin", "obj"} & set(path.parts)}
    assert "src/Jms/JmsBroker.cs" in sources
    with zipfile.ZipFile(package(f"nuget/Creo.{version}.nupkg")) as archive:
        check_package("Creo", version, archive)
        assert b'<group targetFramework="net8.0" />' in archive.read("Creo.nuspec")
        assert set(archive.namelist()) == {
            "[Content_Types].xml", "_rels/.rels", "Creo.nuspec", "LICENSE.txt", "README.md", "build/net8.0/Creo.targets", "lib/net8.0/_._", *sources,
        }  # fmt: skip
        targets = ElementTree.fromstring(archive.read("build/net8.0/Creo.targets"))
        compiled = targets.find(f".//{{{XMLNS}}}Compile")
        assert compiled is not None
        assert {f.removeprefix("$(MSBuildThisFileDirectory)../../") for f in compiled.attrib["Include"].split(";")} == sources
        for source in sources:
            text = archive.read(source)
            assert text.startswith(b"// <auto-generated/>\n#nullable enable\n") and text.endswith((RUNTIME / source.removeprefix("src/")).read_bytes())


def test_the_runtime_compiles_whatever_the_project_says(package: Find, version: str, tmp_path: pathlib.Path) -> None:
    """Without nullable types, and with the namespaces that a project imports for all of its files."""
    with zipfile.ZipFile(package(f"nuget/Creo.{version}.nupkg")) as archive:
        archive.extractall(tmp_path)
    usings = ("System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http", "System.Threading", "System.Threading.Tasks")
    (tmp_path / "GlobalUsings.cs").write_text("".join(f"global using global::{name};\n" for name in usings))
    run([ROOT / "scripts/dotnet/csc.sh", "-out:runtime.dll", "-target:library", "-warnaserror", "-recurse:src/*.cs", "GlobalUsings.cs"], tmp_path)


@needs_xbuild
def test_a_project_compiles_the_runtime_with_generated_code(project: pathlib.Path, package: Find, version: str) -> None:
    with zipfile.ZipFile(package(f"nuget/Creo.{version}.nupkg")) as archive:
        archive.extractall(project / "runtime")
    (project / "Program.cs").write_text(CALLS)
    build(project, "/p:CreoRuntime=package")
    said = run([ROOT / "scripts/dotnet/run.sh", "bin/app.dll"], project).out
    assert said == 'Creo.CreoException\n{"name":"CO2","values":[1,-2.5]}\n'
    assert not list((project / "obj/creo").rglob("Limits.cs"))
    assert "Limits.cs" in (project / "compiled.txt").read_text()


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
