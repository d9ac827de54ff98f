"""What calibration measured, as rows of results: JAXB's archives by Maven, `creo calibrate`, its profile and its points."""

from __future__ import annotations

import csv
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterable

from report import costs

from .tools import BENCH, BUILD, ROOT, Failed, ensure, run, say

Row = dict[str, Any]
HERE = BUILD / "cost"
CREO = ROOT / "target" / "debug" / "creo"
# The stacks of the paper, and Creo's own wires beside them.
FOREIGN = {"java": "jaxb", "csharp": "xmlserializer"}
WIRES = ("binary", "soap", "tdxml-record", "tdxml-aggregated", "json")
PEERS = (*FOREIGN.values(), *WIRES)
# The two languages of the paper; the others have no stack of XML to calibrate, and are measured when asked for.
LANGUAGES = ("java", "csharp")
ALL = ("java", "python", "c", "csharp")


@dataclass(frozen=True)
class Plan:
    languages: tuple[str, ...]
    peers: tuple[str, ...]
    quick: bool


def plan(languages: Iterable[str], peers: list[str], quick: bool) -> Plan:
    unknown = [name for name in peers if name not in PEERS]
    if unknown:
        raise Failed(f"no such peer: {', '.join(unknown)}; there are {', '.join(PEERS)}")
    # In a quick run one wire is enough: the one that is closest to the stacks.
    usual = (*FOREIGN.values(), "soap") if quick else PEERS
    return Plan(tuple(languages) or LANGUAGES, tuple(name for name in PEERS if name in (peers or usual)), quick)


def environment(language: str, wires: list[str]) -> dict[str, str]:
    """What `creo calibrate` needs to find: JAXB, and where there is no SDK of .NET the compiler that the project's own tests use."""
    found = {}
    if "jaxb" in wires:
        ensure("java")
        say("cost: gathering JAXB")
        run(["mvn", "-q", "-B", "-f", BENCH / "cost", "package"], capture=True)
        found["CREO_JAXB"] = f"{HERE / 'lib'}/*"
    if language == "csharp":
        scripts = ROOT / "scripts" / "dotnet"
        run([scripts / "setup.sh"], capture=True)
        found |= {name: os.environ.get(name, str(path)) for name, path in (("CREO_DOTNET", ROOT / "build" / "tools" / "dotnet" / "dotnet"), ("CREO_CSC", scripts / "csc.sh"))}
    return found


def calibrate(chosen: Plan) -> tuple[Row, list[Row]]:
    """The profile, and the points of its lines."""
    run(["cargo", "build", "--quiet", "--locked", "-p", "creo-cli"])
    HERE.mkdir(parents=True, exist_ok=True)
    profile, points = HERE / "profile.json", HERE / "points.csv"
    quick = ["--quick"] if chosen.quick else []
    # One language after the other: a wire that a language does not have is no wire of its run.
    made: Row = {}
    rows: list[Row] = []
    for language in chosen.languages:
        wires = [peer for peer in chosen.peers if peer in WIRES or FOREIGN.get(language) == peer]
        if not wires:
            say(f"cost: {language} has none of {', '.join(chosen.peers)}: not measured")
            continue
        command = [CREO, "calibrate", *quick, "--target", language, "--wire", ",".join(wires), "--residuals", points, "-o", profile]
        run(command, environment=environment(language, wires))
        found = json.loads(profile.read_text())
        made.setdefault("targets", []).extend(found["targets"])
        with points.open(newline="") as lines:
            rows += point_rows(csv.DictReader(lines))
    if not made:
        raise Failed("nothing to measure")
    return made, rows


def point_rows(points: Iterable[dict[str, str]]) -> list[Row]:
    """The points that lie on a line, in the common shape; a length that was measured with several values has several samples."""
    rows: dict[tuple[object, ...], Row] = {}
    for each in points:
        found = costs.workload(each["request"])
        if found is None:
            continue
        work, size = found
        row: Row = {
            "language": each["target"], "peer": each["wire"], "workload": work, "size": size, "placement": "free", "callers": 1, "what": each["way"], "unit": "ns", "sent": int(each["bytes"]), "samples": [[]],
        }  # fmt: skip
        key = (each["target"], each["wire"], work, size, each["way"])
        rows.setdefault(key, row)["samples"][0].append(round(float(each["measured_ns"]), 2))
    return list(rows.values())


def fit_rows(profile: Row) -> list[Row]:
    """Of each stack and way what calibration's fit says."""
    rows = []
    for target in profile["targets"]:
        for wire in target["wires"]:
            for way in costs.WAYS:
                fit = wire[way]
                kinds = [each["feature"].removeprefix("field.") for each in fit["coefficients"] if each["feature"].startswith("field.")]
                judged = {kind: costs.differ(fit, f"field.{kind}", f"item.{kind}") for kind in kinds}
                said = {
                    "r2": fit["r2"], "medianError": fit["medianError"], "highError": fit["highError"], "points": fit["points"], "noise": fit["noise"], "cut": fit.get("cut"),
                    "differ": {kind: found for kind, found in judged.items() if found is not None},
                    "coefficients": {each["feature"]: [each["ns"], each["low"], each["high"]] for each in fit["coefficients"]},
                }  # fmt: skip
                rows.append({"language": target["target"], "peer": wire["wire"], "what": way, "fit": said})
    return rows


def versions(profile: Row) -> dict[str, str]:
    return {target["target"]: target["version"] for target in profile["targets"]}


def kept(folder: Path) -> Path:
    return folder / f"{costs.EXPERIMENT}.json"
