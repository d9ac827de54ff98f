"""The functions that generated code uses.

Not for direct use: it may change with the interface number that ``require`` checks. The functions
for arrays of structs are in ``codegen.columns``, those for streams in ``codegen.streams``, and
those for text wires in ``codegen.text``.
"""

# isort: off
# fmt: off
from collections.abc import Iterable as Iterable, Iterator as Iterator, Sequence as Sequence

from .._base.instant import DateTime as DateTime
from .._base import require as require
from .._binary import (
    Bad as Bad, Blob as Blob, COUNT as COUNT, EMPTY_MAP as EMPTY_MAP, FLAG as FLAG, FLAGS as FLAGS,
    FLAG_BYTE as FLAG_BYTE, Reading as Reading, Writing as Writing, blob as blob,
    booleans as booleans, chars as chars, close_region as close_region,
    decimal as decimal, decimals as decimals, doubles as doubles,
    enter as enter, entries as entries, floats as floats, ints as ints, items as items,
    longs as longs, open_region as open_region, read_booleans as read_booleans,
    read_bytes as read_bytes, read_chars as read_chars, read_count as read_count,
    read_decimal as read_decimal, read_doubles as read_doubles,
    read_empty_items as read_empty_items, read_floats as read_floats, read_ints as read_ints,
    read_items as read_items, read_longs as read_longs, read_region as read_region,
    read_shorts as read_shorts, read_string as read_string, read_strings as read_strings,
    shorts as shorts, u32 as u32, write_array as write_array, write_chars as write_chars,
    write_decimal as write_decimal, write_strings as write_strings,
)
from .._binary.schema import (
    ArrayType as ArrayType, BOOLEAN as BOOLEAN, BYTE as BYTE, BYTES as BYTES, CHAR as CHAR,
    DATE_TIME as DATE_TIME, DECIMAL as DECIMAL, DOUBLE as DOUBLE, EnumType as EnumType,
    FLOAT as FLOAT, Field as Field, INT as INT, LONG as LONG, MapType as MapType,
    OptionalType as OptionalType, Parameters as Parameters, SHORT as SHORT, STRING as STRING,
    StructType as StructType, UnionType as UnionType,
)
from .._binary.values import (
    Change as Change, DeclaredError as DeclaredError, ExtensibleEnum as ExtensibleEnum,
    SAME as SAME, Struct as Struct, UnionMember as UnionMember, UnknownMember as UnknownMember,
    deprecated as deprecated, opened as opened, setters as setters,
)
from .._buffer import Array as Array, Booleans as Booleans, Floats as Floats, Integers as Integers
from .._call import (
    Interface as Interface, Method as Method, method as method, void_method as void_method,
)
from .._call.client import AsyncClient as AsyncClient, Client as Client
