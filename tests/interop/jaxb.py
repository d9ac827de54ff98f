"""JAXB bound to the schema that we export: it reads what we write, and what it writes of that we read as the same values. The driver of calibration does both
before it measures (COST-35), and the classes are those of JAXB's own compiler."""

from __future__ import annotations

import json

from harness import CREO, HERE, Failure, Harness, Part, folder, jars, program

# JAXB's compiler, javac, and a driver that warms up for half a second of processor time.
SECONDS = 900


def profile() -> str:
    """A profile in which a message costs a nanosecond: times do not matter here."""
    version = program([CREO, "--version"]).stdout.split()[-1]
    one = {"feature": "message", "ns": 1, "low": 1, "high": 1}
    fit = {"coefficients": [one], "covariance": [0], "residual": 0.1, "freedom": 9, "points": 10, "r2": 1, "medianError": 0, "highError": 0, "noise": 1, "lines": []}
    size = {"of": "soap", "intercept": 0, "slope": 1, "r2": 1, "points": 9, "rise": 9}
    wire = {"wire": "jaxb", "size": size, "serialize": fit, "deserialize": fit}
    targets = [{"target": "java", "version": "any", "reference": 1, "wires": [wire]}]
    return json.dumps({"format": 2, "creo": version, "date": "2026-11-22", "machine": {}, "quick": True, "targets": targets})


def values(harness: Harness, name: str) -> None:
    """Each request and each response; one that was not measured, or does not hold the same values, is a failure of the program."""
    path = folder("jaxb") / "profile.json"
    path.write_text(profile())
    command = [CREO, "estimate", HERE / "interop.creo", "--profile", path, "--verify", "--quick", "--binding", "jaxb", "--format", "csv"]
    done = program(command, SECONDS, environment={"CREO_JAXB": jars("ri")})
    if "java: measuring" not in done.stderr:
        raise Failure(f"nothing was measured: {done.stderr[-500:]}")
    harness.case(name)


def parts() -> dict[str, Part]:
    return {"jaxb/values": Part(values, ["java"])}
