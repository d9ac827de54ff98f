"""The functions that generated code uses for the text wires: JSON, XML, SOAP and tables."""

# isort: off
# fmt: off
from .._text import (
    ANY as ANY, ANY_ATTRIBUTE as ANY_ATTRIBUTE, ATTRIBUTE as ATTRIBUTE, HEADER as HEADER,
    INLINE as INLINE, TEXT as TEXT, TEXT_ATTRIBUTES as TEXT_ATTRIBUTES, TEXT_BASE64 as TEXT_BASE64,
    TEXT_BOOLEAN as TEXT_BOOLEAN, TEXT_BYTE as TEXT_BYTE, TEXT_CHAR as TEXT_CHAR,
    TEXT_DATE_TIME as TEXT_DATE_TIME, TEXT_DECIMAL as TEXT_DECIMAL, TEXT_DOUBLE as TEXT_DOUBLE,
    TEXT_FLOAT as TEXT_FLOAT, TEXT_HEX as TEXT_HEX, TEXT_INT as TEXT_INT, TEXT_LONG as TEXT_LONG,
    TEXT_QNAME as TEXT_QNAME, TEXT_RAW as TEXT_RAW, TEXT_SHORT as TEXT_SHORT,
    TEXT_STRING as TEXT_STRING, TEXT_TOKEN as TEXT_TOKEN, TextEntries as TextEntries,
    TextEnum as TextEnum, TextField as TextField, TextList as TextList, TextMessage as TextMessage,
    TextMethod as TextMethod, TextOptional as TextOptional, TextRecord as TextRecord,
    TextRepeated as TextRepeated, TextUnion as TextUnion, TextWrapped as TextWrapped,
)
