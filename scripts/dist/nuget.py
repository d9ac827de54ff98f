"""The NuGet package of the compiler: the program, and what MSBuild imports to generate before it compiles."""

from __future__ import annotations

import pathlib
from xml.sax.saxutils import escape

import archives
import project
from archives import Entry

FOLDER = "integrations/nuget"
ID = "Creo.Compiler"
# NuGet imports build/ID.targets into each project that refers to the package.
FILES = {f"build/{ID}.targets": f"{ID}.targets", "build/creo.sh": "creo.sh", "README.md": "README.md"}
PROGRAM = "tools/linux-x64/creo"
NUSPEC = """<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd">
  <metadata minClientVersion="4.3">
    <id>{id}</id>
    <version>{version}</version>
    <authors>The Creo authors</authors>
    <description>{summary}</description>
    <license type="expression">{licence}</license>
    <readme>README.md</readme>
    <developmentDependency>true</developmentDependency>
  </metadata>
</package>
"""
RELATIONS = """<?xml version="1.0" encoding="utf-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Type="http://schemas.microsoft.com/packaging/2010/07/manifest" Target="/{id}.nuspec" Id="R1" />
</Relationships>
"""
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"


def compiler(program: pathlib.Path, notices: bytes) -> tuple[str, bytes]:
    spec = NUSPEC.format(id=ID, version=project.version(), summary=escape(project.SUMMARY), licence=project.LICENSE_ID)
    entries = archives.files({
        f"{ID}.nuspec": spec.encode(),
        "LICENSE.txt": project.read("LICENSE"),
        "THIRD-PARTY-LICENSES.txt": notices,
        **{path: project.text(f"{FOLDER}/{name}") for path, name in FILES.items()},
    })
    entries[PROGRAM] = Entry(program.read_bytes(), executable=True)
    package = {"[Content_Types].xml": _types([*entries]), "_rels/.rels": RELATIONS.format(id=ID).encode()}
    ordered = [*archives.files(package).items(), *sorted(entries.items())]
    return f"{ID}.{project.version()}.nupkg", archives.zip_file(ordered)


def _types(paths: list[str]) -> bytes:
    """What each file is (OPC, ECMA-376 part 2): by the end of its name, or, where it has none, by its name."""
    ends = {path.rpartition("/")[2].rpartition(".") for path in paths}
    extensions = sorted({end for _, dot, end in ends if dot} | {"rels"})
    kinds = [("rels", "application/vnd.openxmlformats-package.relationships+xml")]
    kinds += [(extension, "application/octet") for extension in extensions if extension != "rels"]
    lines = [f'  <Default Extension="{extension}" ContentType="{kind}" />\n' for extension, kind in kinds]
    lines += [f'  <Override PartName="/{path}" ContentType="application/octet" />\n' for path in sorted(paths) if "." not in path.rpartition("/")[2]]
    return f'<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="{TYPES}">\n{"".join(lines)}</Types>\n'.encode()
