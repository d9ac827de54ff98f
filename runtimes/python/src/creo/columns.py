"""Arrays of structs of fixed size: views over the received bytes, and read by the column."""

from ._columns import StructArray

__all__ = ["StructArray"]
