"""What generated code for the text wires uses: JSON, XML, SOAP and tables."""

from .._text import (
    ANY as ANY,
)
from .._text import (
    ANY_ATTRIBUTE as ANY_ATTRIBUTE,
)
from .._text import (
    ATTRIBUTE as ATTRIBUTE,
)
from .._text import (
    HEADER as HEADER,
)
from .._text import (
    INLINE as INLINE,
)
from .._text import (
    TEXT as TEXT,
)
from .._text import (
    TEXT_ATTRIBUTES as TEXT_ATTRIBUTES,
)
from .._text import (
    TEXT_BASE64 as TEXT_BASE64,
)
from .._text import (
    TEXT_BOOLEAN as TEXT_BOOLEAN,
)
from .._text import (
    TEXT_BYTE as TEXT_BYTE,
)
from .._text import (
    TEXT_CHAR as TEXT_CHAR,
)
from .._text import (
    TEXT_DATE_TIME as TEXT_DATE_TIME,
)
from .._text import (
    TEXT_DECIMAL as TEXT_DECIMAL,
)
from .._text import (
    TEXT_DOUBLE as TEXT_DOUBLE,
)
from .._text import (
    TEXT_FLOAT as TEXT_FLOAT,
)
from .._text import (
    TEXT_HEX as TEXT_HEX,
)
from .._text import (
    TEXT_INT as TEXT_INT,
)
from .._text import (
    TEXT_LONG as TEXT_LONG,
)
from .._text import (
    TEXT_QNAME as TEXT_QNAME,
)
from .._text import (
    TEXT_RAW as TEXT_RAW,
)
from .._text import (
    TEXT_SHORT as TEXT_SHORT,
)
from .._text import (
    TEXT_STRING as TEXT_STRING,
)
from .._text import (
    TEXT_TOKEN as TEXT_TOKEN,
)
from .._text import (
    TextEntries as TextEntries,
)
from .._text import (
    TextEnum as TextEnum,
)
from .._text import (
    TextField as TextField,
)
from .._text import (
    TextList as TextList,
)
from .._text import (
    TextMessage as TextMessage,
)
from .._text import (
    TextMethod as TextMethod,
)
from .._text import (
    TextOptional as TextOptional,
)
from .._text import (
    TextRecord as TextRecord,
)
from .._text import (
    TextRepeated as TextRepeated,
)
from .._text import (
    TextUnion as TextUnion,
)
from .._text import (
    TextWrapped as TextWrapped,
)
