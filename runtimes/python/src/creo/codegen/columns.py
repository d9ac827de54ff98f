"""The functions that generated code uses for arrays of fixed-size structs."""

# isort: off
# fmt: off
from .._columns import (
    Block as Block, FixedStruct as FixedStruct, StructArray as StructArray,
    read_checked_structs as read_checked_structs, read_structs as read_structs,
    structs as structs, write_structs as write_structs,
)
