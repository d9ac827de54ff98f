"""What Go knows of each scalar: one row each. The runtime has a function ``get`` and ``write`` with the name of the row."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Scalar:
    #: The end of the names of the runtime's functions: ``getInt``, ``writeInt``.
    name: str
    #: The type in Go.
    go: str
    #: The package that the type needs.
    package: str = ""


SCALARS = {
    "boolean": Scalar("Boolean", "bool"),
    "byte": Scalar("Byte", "int8"),
    "short": Scalar("16", "int16"),
    "char": Scalar("16", "uint16"),
    "int": Scalar("Int", "int32"),
    "long": Scalar("Long", "int64"),
    "float": Scalar("Float", "float32"),
    "double": Scalar("Double", "float64"),
    "DateTime": Scalar("DateTime", "time.Time", "time"),
}

#: The kinds of the plan that are neither scalars nor made of others.
PLAIN = {
    "string": Scalar("String", "string"),
    "decimal": Scalar("Decimal", "CreoDecimal"),
    "bytes": Scalar("Bytes", "[]byte"),
}
