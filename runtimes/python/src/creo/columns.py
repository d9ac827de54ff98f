"""Arrays of fixed-size structs: views of the received bytes, read by column."""

from ._columns import StructArray

__all__ = ["StructArray"]
