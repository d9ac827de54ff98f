"""The exports of a shared library of the runtime: names that begin with `creo_` and that a public
header declares."""

import pathlib
import re
import subprocess
import sys

INCLUDE = pathlib.Path(__file__).parent.parent / "include"


def exported(listing):
    """The names in the output of nm."""
    return [line.split()[-1] for line in listing.splitlines() if line.strip()]


def check(names, headers):
    declared = set(re.findall(r"\w+", headers))
    mistakes = [f"{name}: exported, but in no public header" for name in names if name not in declared]
    mistakes += [f"{name}: exported, but does not begin with creo_" for name in names if not name.startswith("creo_")]
    return mistakes or ([] if names else ["nothing is exported"])


def test_that_mistakes_are_found():
    assert check(exported("0000 T creo_call\n"), "bool creo_call(void);") == []
    assert check(exported("0000 T creo_call\n0000 R creo_table\n"), "bool creo_call(void);") == ["creo_table: exported, but in no public header"]
    assert check(exported("0000 T call\n"), "bool call(void);") == ["call: exported, but does not begin with creo_"]
    assert check([], "") == ["nothing is exported"]


def main(library):
    test_that_mistakes_are_found()
    listing = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    names = exported(listing)
    headers = "\n".join(path.read_text(encoding="utf-8") for path in INCLUDE.rglob("*.h"))
    mistakes = check(names, headers)
    for mistake in mistakes:
        print(mistake, file=sys.stderr)
    if not mistakes:
        print(f"exports: {len(names)} names OK")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
