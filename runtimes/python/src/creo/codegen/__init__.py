"""What generated code uses.

Not for use by hand: it may change with the number of the interface that ``require`` checks. What
code for the text wires uses is in ``codegen.text``.
"""

from collections.abc import (
    Iterable as Iterable,
)
from collections.abc import (
    Iterator as Iterator,
)
from collections.abc import (
    Sequence as Sequence,
)
from typing import TYPE_CHECKING

from .._base.instant import (
    DateTime as DateTime,
)
from .._base.parts import module_of
from .._base.version import (
    require as require,
)
from .._binary import (
    COUNT as COUNT,
)
from .._binary import (
    EMPTY_MAP as EMPTY_MAP,
)
from .._binary import (
    FLAG as FLAG,
)
from .._binary import (
    FLAG_BYTE as FLAG_BYTE,
)
from .._binary import (
    FLAGS as FLAGS,
)
from .._binary import (
    Bad as Bad,
)
from .._binary import (
    Blob as Blob,
)
from .._binary import (
    Reading as Reading,
)
from .._binary import (
    Writing as Writing,
)
from .._binary import (
    blob as blob,
)
from .._binary import (
    booleans as booleans,
)
from .._binary import (
    chars as chars,
)
from .._binary import (
    close_region as close_region,
)
from .._binary import (
    doubles as doubles,
)
from .._binary import (
    enter as enter,
)
from .._binary import (
    entries as entries,
)
from .._binary import (
    floats as floats,
)
from .._binary import (
    ints as ints,
)
from .._binary import (
    items as items,
)
from .._binary import (
    longs as longs,
)
from .._binary import (
    open_region as open_region,
)
from .._binary import (
    read_booleans as read_booleans,
)
from .._binary import (
    read_bytes as read_bytes,
)
from .._binary import (
    read_chars as read_chars,
)
from .._binary import (
    read_count as read_count,
)
from .._binary import (
    read_decimal as read_decimal,
)
from .._binary import (
    read_doubles as read_doubles,
)
from .._binary import (
    read_empty_items as read_empty_items,
)
from .._binary import (
    read_floats as read_floats,
)
from .._binary import (
    read_ints as read_ints,
)
from .._binary import (
    read_items as read_items,
)
from .._binary import (
    read_longs as read_longs,
)
from .._binary import (
    read_region as read_region,
)
from .._binary import (
    read_shorts as read_shorts,
)
from .._binary import (
    read_string as read_string,
)
from .._binary import (
    read_strings as read_strings,
)
from .._binary import (
    shorts as shorts,
)
from .._binary import (
    u32 as u32,
)
from .._binary import (
    write_array as write_array,
)
from .._binary import (
    write_chars as write_chars,
)
from .._binary import (
    write_decimal as write_decimal,
)
from .._binary import (
    write_strings as write_strings,
)
from .._binary.schema import (
    BOOLEAN as BOOLEAN,
)
from .._binary.schema import (
    BYTE as BYTE,
)
from .._binary.schema import (
    BYTES as BYTES,
)
from .._binary.schema import (
    CHAR as CHAR,
)
from .._binary.schema import (
    DATE_TIME as DATE_TIME,
)
from .._binary.schema import (
    DECIMAL as DECIMAL,
)
from .._binary.schema import (
    DOUBLE as DOUBLE,
)
from .._binary.schema import (
    FLOAT as FLOAT,
)
from .._binary.schema import (
    INT as INT,
)
from .._binary.schema import (
    LONG as LONG,
)
from .._binary.schema import (
    SHORT as SHORT,
)
from .._binary.schema import (
    STRING as STRING,
)
from .._binary.schema import (
    ArrayType as ArrayType,
)
from .._binary.schema import (
    EnumType as EnumType,
)
from .._binary.schema import (
    Field as Field,
)
from .._binary.schema import (
    MapType as MapType,
)
from .._binary.schema import (
    OptionalType as OptionalType,
)
from .._binary.schema import (
    Parameters as Parameters,
)
from .._binary.schema import (
    StructType as StructType,
)
from .._binary.schema import (
    UnionType as UnionType,
)
from .._binary.structarray import (
    Block as Block,
)
from .._binary.structarray import (
    StructArray as StructArray,
)
from .._binary.structarray import (
    read_checked_structs as read_checked_structs,
)
from .._binary.structarray import (
    read_structs as read_structs,
)
from .._binary.structarray import (
    structs as structs,
)
from .._binary.structarray import (
    write_structs as write_structs,
)
from .._binary.values import (
    SAME as SAME,
)
from .._binary.values import (
    Change as Change,
)
from .._binary.values import (
    DeclaredError as DeclaredError,
)
from .._binary.values import (
    ExtensibleEnum as ExtensibleEnum,
)
from .._binary.values import (
    Struct as Struct,
)
from .._binary.values import (
    UnionMember as UnionMember,
)
from .._binary.values import (
    UnknownMember as UnknownMember,
)
from .._binary.values import (
    deprecated as deprecated,
)
from .._binary.values import (
    opened as opened,
)
from .._binary.values import (
    setters as setters,
)
from .._buffer import (
    Array as Array,
)
from .._buffer import (
    Booleans as Booleans,
)
from .._buffer import (
    Floats as Floats,
)
from .._buffer import (
    Integers as Integers,
)
from .._call import (
    Interface as Interface,
)
from .._call import (
    Method as Method,
)
from .._call import (
    method as method,
)
from .._call import (
    void_method as void_method,
)
from .._call.client import (
    AsyncClient as AsyncClient,
)
from .._call.client import (
    Client as Client,
)

if TYPE_CHECKING:
    from .text import (
        ANY as ANY,
    )
    from .text import (
        ANY_ATTRIBUTE as ANY_ATTRIBUTE,
    )
    from .text import (
        ATTRIBUTE as ATTRIBUTE,
    )
    from .text import (
        HEADER as HEADER,
    )
    from .text import (
        INLINE as INLINE,
    )
    from .text import (
        TEXT as TEXT,
    )
    from .text import (
        TEXT_ATTRIBUTES as TEXT_ATTRIBUTES,
    )
    from .text import (
        TEXT_BASE64 as TEXT_BASE64,
    )
    from .text import (
        TEXT_BOOLEAN as TEXT_BOOLEAN,
    )
    from .text import (
        TEXT_BYTE as TEXT_BYTE,
    )
    from .text import (
        TEXT_CHAR as TEXT_CHAR,
    )
    from .text import (
        TEXT_DATE_TIME as TEXT_DATE_TIME,
    )
    from .text import (
        TEXT_DECIMAL as TEXT_DECIMAL,
    )
    from .text import (
        TEXT_DOUBLE as TEXT_DOUBLE,
    )
    from .text import (
        TEXT_FLOAT as TEXT_FLOAT,
    )
    from .text import (
        TEXT_HEX as TEXT_HEX,
    )
    from .text import (
        TEXT_INT as TEXT_INT,
    )
    from .text import (
        TEXT_LONG as TEXT_LONG,
    )
    from .text import (
        TEXT_QNAME as TEXT_QNAME,
    )
    from .text import (
        TEXT_RAW as TEXT_RAW,
    )
    from .text import (
        TEXT_SHORT as TEXT_SHORT,
    )
    from .text import (
        TEXT_STRING as TEXT_STRING,
    )
    from .text import (
        TEXT_TOKEN as TEXT_TOKEN,
    )
    from .text import (
        TextEntries as TextEntries,
    )
    from .text import (
        TextEnum as TextEnum,
    )
    from .text import (
        TextField as TextField,
    )
    from .text import (
        TextList as TextList,
    )
    from .text import (
        TextMessage as TextMessage,
    )
    from .text import (
        TextMethod as TextMethod,
    )
    from .text import (
        TextOptional as TextOptional,
    )
    from .text import (
        TextRecord as TextRecord,
    )
    from .text import (
        TextRepeated as TextRepeated,
    )
    from .text import (
        TextUnion as TextUnion,
    )
    from .text import (
        TextWrapped as TextWrapped,
    )

#: What code that was generated for interface 1 asks for here, and not of ``codegen.text``.
_TEXT_NAMES = frozenset(("ANY", "ANY_ATTRIBUTE", "ATTRIBUTE", "HEADER", "INLINE", "TEXT"))


def __getattr__(name: str) -> object:
    if name in _TEXT_NAMES or name.startswith(("TEXT_", "Text")):
        found: object = getattr(module_of("codegen.text"), name)
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
