"""`python -m creo_build [FOLDER] [--check]`: generates what `creo.toml` names, or says what is out of date."""

from __future__ import annotations

import argparse
import sys

from . import CreoBuildError, generate


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m creo_build", description="Generates what creo.toml of a project names.")
    parser.add_argument("folder", nargs="?", default=".", help="where creo.toml is")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if anything is out of date")
    arguments = parser.parse_args()
    try:
        generate(arguments.folder, *(["--check"] if arguments.check else []))
    except CreoBuildError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
