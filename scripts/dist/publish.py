#!/usr/bin/env python3
"""Publishes the packages of dist/, which `make dist` made at the tag of the release. For a person with the rights.

    scripts/dist/publish.py --dry-run              says what is missing, and the commands that would run
    scripts/dist/publish.py                        to all registries
    scripts/dist/publish.py --only pypi,npm        to some
    scripts/dist/publish.py --maven ID::URL        where the artifacts for Maven go; ID is that of the credentials in Maven's settings

Each registry has its own client: twine, npm, dotnet and mvn. Addresses and credentials are those that the client is configured with. Maven signs with gpg.
Nothing goes out unless the commit has the tag vVERSION, `make release-check` finds nothing, and all packages have the sums of SHA256SUMS.
A registry refuses what it has already: after a failure, name those that are left with --only.
"""

from __future__ import annotations

import argparse
import pathlib
import shlex
import subprocess
import sys
from collections.abc import Iterator

import archives
import project
import release_check

REGISTRIES = ("pypi", "npm", "nuget", "maven")
SIGN = "org.apache.maven.plugins:maven-gpg-plugin:3.2.7:sign-and-deploy-file"


def missing(dist: pathlib.Path, root: pathlib.Path) -> Iterator[str]:
    """What keeps the packages from going out, a line each."""
    yield from release_check.missing(root)
    version = project.version(root)
    if f"v{version}" not in project.git("tag", "--points-at", "HEAD", root=root).split():
        yield f"the commit has no tag v{version}"
    if project.git("status", "--porcelain", "--untracked-files=no", root=root).strip():
        yield "there are changes that are not committed"
    listed = set()
    for line in (dist / "SHA256SUMS").read_text().splitlines():
        wanted, _, path = line.partition("  ")
        listed.add(path)
        file = dist / path
        if not file.is_file() or archives.sha256(file.read_bytes()) != wanted:
            yield f"{path} is not what make dist made"
        if version not in pathlib.PurePath(path).name:
            yield f"{path} is of another version than {version}"
    found = {str(path.relative_to(dist)) for path in dist.rglob("*") if path.is_file()}
    yield from (f"{path} is no package that make dist made" for path in sorted(found - listed - {"SHA256SUMS"}))


def commands(registry: str, dist: pathlib.Path, maven: str) -> list[list[str]]:
    """What publishes to a registry."""
    files = {folder: sorted(str(path) for path in (dist / folder).glob("*")) for folder in ("python", "npm", "nuget")}
    if registry == "pypi":
        return [["twine", "upload", *files["python"]]]
    if registry == "npm":
        # The platform's package comes first: the other one names it.
        ordered = sorted(files["npm"], key=lambda path: "linux-x64" not in path)
        return [["npm", "publish", "--access", "public", path] for path in ordered]
    if registry == "nuget":
        return [["dotnet", "nuget", "push", path] for path in files["nuget"]]
    identity, _, url = maven.partition("::")
    return [
        ["mvn", "--batch-mode", SIGN, f"-DrepositoryId={identity}", f"-Durl={url}", f"-DpomFile={pom}", *artifact(pom)]
        for pom in sorted((dist / "maven").rglob("*.pom"))
    ]


def artifact(pom: pathlib.Path) -> list[str]:
    """The files that go with a POM: a JAR with sources and documentation, or programs."""
    jar = pom.with_suffix(".jar")
    if jar.is_file():
        return [f"-Dfile={jar}", f"-Dsources={pom.with_suffix('')}-sources.jar", f"-Djavadoc={pom.with_suffix('')}-javadoc.jar"]
    programs = sorted(pom.parent.glob("*.exe"))
    words = [f"-Dfile={pom}", "-Dpackaging=pom"]
    if programs:
        classifiers = [path.stem.removeprefix(f"{pom.stem}-") for path in programs]
        words += [f"-Dfiles={','.join(map(str, programs))}", f"-Dclassifiers={','.join(classifiers)}", f"-Dtypes={','.join('exe' for _ in programs)}"]
    return words


def publish(arguments: argparse.Namespace) -> int:
    dist = arguments.dist.absolute()
    registries = [name for name in arguments.only.split(",") if name]
    unknown = [name for name in registries if name not in REGISTRIES]
    if unknown or not registries:
        raise project.DistError(f"--only takes {', '.join(REGISTRIES)}, and not {', '.join(unknown) or 'nothing'}")
    if "maven" in registries and "::" not in arguments.maven:
        raise project.DistError("--maven ID::URL says where the artifacts for Maven go; without Maven: --only pypi,npm,nuget")
    if not (dist / "SHA256SUMS").is_file():
        raise project.DistError(f"there are no packages in {dist}: make dist")
    wrong = list(missing(dist, arguments.root))
    for line in wrong:
        print(f"missing: {line}", file=sys.stderr)
    if wrong and not arguments.dry_run:
        raise project.DistError("nothing was published")
    for registry in registries:
        for command in commands(registry, dist, arguments.maven):
            print(f"$ {shlex.join(command)}", flush=True)
            if not arguments.dry_run:
                _run(command, registry)
    return 1 if wrong else 0


def _run(command: list[str], registry: str) -> None:
    try:
        code = subprocess.run(command, check=False).returncode
    except FileNotFoundError as error:
        raise project.DistError(f"there is no program {command[0]} on the PATH, which publishes to {registry}") from error
    if code:
        raise project.DistError(f"{command[0]} ended with {code}: what stands above this command is published, and nothing after it")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dist", type=pathlib.Path, default=project.ROOT / "dist", help="the folder of packages (dist)")
    parser.add_argument("--root", type=pathlib.Path, default=project.ROOT, help="the project's folder")
    parser.add_argument("--only", default=",".join(REGISTRIES), help="registries, separated by commas (all)")
    parser.add_argument("--maven", default="", help="ID::URL of a repository for Maven's artifacts")
    parser.add_argument("--dry-run", action="store_true", help="run nothing")
    try:
        return publish(parser.parse_args())
    except project.DistError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
