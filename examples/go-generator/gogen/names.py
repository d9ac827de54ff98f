"""Names: Go's casing, no reserved words, and no two alike in one scope. An exported name begins with a capital, so it is never a keyword."""

from __future__ import annotations

import re

KEYWORDS = frozenset(
    "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var".split()
)
#: Names that mean something to the go command.
NOT_PACKAGES = KEYWORDS | {"main", "internal", "vendor", "testdata", "documentation"}


class Scope:
    """The names of one package or type."""

    def __init__(self, *taken: str) -> None:
        self._taken = set(taken)

    def claim(self, wanted: str) -> str:
        """The name itself, or with the first number that makes it free."""
        name, number = wanted, 2
        while name in self._taken:
            name, number = f"{wanted}{number}", number + 1
        self._taken.add(name)
        return name


def exported(name: str) -> str:
    """``foo_bar`` as ``FooBar``."""
    joined = "".join(part[0].upper() + part[1:] for part in name.split("_") if part)
    return joined if joined[:1].isalpha() else f"X{joined}"


def constant(name: str) -> str:
    """``FOO_BAR`` as ``FooBar``, too."""
    return exported(name if any(c.islower() for c in name) else name.lower())


def package(name: str) -> str:
    """The last part of a package's name, as Go's packages are called."""
    short = re.sub("[^a-z0-9]", "", name.rpartition(".")[2].lower())
    if not short or short[0].isdigit() or short in NOT_PACKAGES:
        short = f"creo{short}"
    return short
