"""Descriptions for the text wires (``docs/adr/0009-one-text-pair.md``): names, positions and forms.

Generated code consists of these constants, which describe the structure of values. Each text wire
makes its reading and writing functions from them once. The types of ``_binary.schema`` have the
classes and attributes.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Callable, Final

from .._binary.schema import UnionType

if TYPE_CHECKING:
    from .._binary.schema import EnumType, Field, NamedType, StructType

# The position of a field.
ELEMENT: Final = 0
ATTRIBUTE: Final = 1
TEXT: Final = 2
INLINE: Final = 3
ANY: Final = 4
ANY_ATTRIBUTE: Final = 5
HEADER: Final = 6


class TextValue:
    """The form of a value."""

    __slots__ = ()


class TextScalar(TextValue):
    """A primitive, or bytes; ``code`` is that of an ``Array`` of such items, if any."""

    __slots__ = ("code", "word")

    def __init__(self, word: str, code: str = "") -> None:
        self.word = word
        self.code = code


TEXT_BOOLEAN: Final = TextScalar("boolean", "?")
TEXT_BYTE: Final = TextScalar("byte")
TEXT_SHORT: Final = TextScalar("short", "h")
TEXT_CHAR: Final = TextScalar("char", "H")
TEXT_INT: Final = TextScalar("int", "i")
TEXT_LONG: Final = TextScalar("long", "q")
TEXT_FLOAT: Final = TextScalar("float", "f")
TEXT_DOUBLE: Final = TextScalar("double", "d")
TEXT_STRING: Final = TextScalar("String")
TEXT_DATE_TIME: Final = TextScalar("DateTime")
TEXT_DECIMAL: Final = TextScalar("Decimal")
#: A ``String`` read without surrounding white space (XML-38).
TEXT_TOKEN: Final = TextScalar("token")
#: A ``String`` with a qualified name, ``{uri}local`` or ``local`` (XML-48).
TEXT_QNAME: Final = TextScalar("qname")
TEXT_BASE64: Final = TextScalar("byte[]")
TEXT_HEX: Final = TextScalar("hex")


class TextRaw(TextValue):
    """A ``String`` with one complete element (XML-36)."""

    __slots__ = ()


class TextAttributes(TextValue):
    """A ``Map<String, String>`` of undeclared attributes (XML-36)."""

    __slots__ = ()

    charge: Final = 64 + 32 + 32
    """The charge for each entry (LIM-18)."""


TEXT_RAW: Final = TextRaw()
TEXT_ATTRIBUTES: Final = TextAttributes()


class TextOptional(TextValue):
    """``T?``; a present value has its charge (LIM-18)."""

    __slots__ = ("charge", "value")

    def __init__(self, value: TextValue, charge: int) -> None:
        self.value = value
        self.charge = charge


class TextRepeated(TextValue):
    """``T[]``: an element for each item, with the field's name; each has its charge (LIM-18)."""

    __slots__ = ("charge", "nillable", "value")

    def __init__(self, value: TextValue, charge: int, nillable: bool = False) -> None:
        self.value = value
        self.charge = charge
        self.nillable = nillable


class TextWrapped(TextValue):
    """``T[]`` in a wrapper element with an element for each item."""

    __slots__ = ("charge", "item")

    def __init__(self, item: TextField, charge: int) -> None:
        self.item = item
        self.charge = charge


class TextList(TextValue):
    """``T[]`` in one text."""

    __slots__ = ("charge", "value")

    def __init__(self, value: TextValue, charge: int) -> None:
        self.value = value
        self.charge = charge


class TextEntries(TextValue):
    """``Map<K, V>``; each entry has its charge (LIM-18)."""

    __slots__ = ("charge", "key", "value")

    def __init__(self, key: TextField, value: TextField, charge: int) -> None:
        self.key = key
        self.value = value
        self.charge = charge


def is_named(value: TextValue) -> bool:
    """Whether it is a qualified name or a list of them (XML-48)."""
    if isinstance(value, (TextList, TextOptional)):
        return is_named(value.value)
    return isinstance(value, TextScalar) and value.word == "qname"


def text_charge(value: TextValue) -> tuple[int, int]:
    """The charges for a value of one text (LIM-18): if present, and for each item."""
    own = 0
    if isinstance(value, TextOptional):
        own, value = value.charge, value.value
    return own, value.charge if isinstance(value, TextList) else 0


class TextField:
    """A field, parameter, member or item: its names, position and form."""

    __slots__ = ("local", "name", "namespace", "nillable", "place", "schema", "value")

    def __init__(
        self,
        name: str,
        namespace: str,
        value: TextValue,
        *,
        local: str | None = None,
        place: int = ELEMENT,
        nillable: bool = False,
        schema: str = "",
    ) -> None:
        self.name = name
        """The declared name."""
        self.local = name if local is None else local
        self.namespace = namespace
        """The URI; empty for none."""
        self.value = value
        self.place = place
        self.nillable = nillable
        self.schema = schema
        """The XML Schema type of its text for SOAP encoding, if it is not the usual one."""

    def with_value(self, value: TextValue, nillable: bool = False) -> TextField:
        """A field with the same names for another value: an item, or the value of an optional."""
        return TextField(
            self.name, self.namespace, value,
            local=self.local, place=self.place, nillable=nillable, schema=self.schema,
        )  # fmt: skip


#: The elements that begin a field, for inline fields: local name, namespace, index.
Starts = tuple[tuple[str, str, int], ...]


class TextGroup:
    """The fields of a struct, an exception, a method's parameters or result."""

    __slots__ = ("_fields", "_made", "_starts", "compiled", "namespaces", "xsi")

    def __init__(
        self,
        fields: Callable[[], tuple[TextField, ...]],
        namespaces: tuple[str, ...],
        xsi: bool,
        starts: Starts | None,
    ) -> None:
        self._fields = fields
        self._made: tuple[TextField, ...] | None = None
        self._starts = starts
        self.namespaces = namespaces
        """All namespaces that it may need, sorted (XML-2)."""
        self.xsi = xsi
        self.compiled: dict[object, Any] = {}
        """The wires' forms of it."""

    @property
    def fields(self) -> tuple[TextField, ...]:
        """The fields, in declared order."""
        if self._made is None:
            self._made = self._fields()
        return self._made

    @property
    def starts(self) -> Starts:
        """Each element name that begins a field, and the field's index."""
        if self._starts is None:
            self._starts = tuple(
                (field.local, field.namespace, index)
                for index, field in enumerate(self.fields)
                if field.place == ELEMENT
            )
        return self._starts


class TextRecord(TextGroup, TextValue):
    """A struct or exception."""

    __slots__ = ("local", "namespace", "type")

    def __init__(
        self,
        type_: StructType[Any],
        namespace: str,
        local: str,
        fields: Callable[[], tuple[TextField, ...]],
        *,
        namespaces: tuple[str, ...] = (),
        xsi: bool = False,
        starts: Starts | None = None,
    ) -> None:
        super().__init__(fields, namespaces, xsi, starts)
        self.type = type_
        self.namespace = namespace
        self.local = local
        type_.text = self

    @property
    def declared(self) -> tuple[Field, ...]:
        """The same fields for the binary wire."""
        return self.type.fields


class TextUnion(TextGroup, TextValue):
    """A union; a ``derived`` one is identified by ``xsi:type``, by its types' names (XML-37).

    Each member has its charge (LIM-18).
    """

    __slots__ = ("base", "charges", "derived", "local", "namespace", "type")

    def __init__(
        self,
        type_: UnionType[Any],
        namespace: str,
        local: str,
        members: Callable[[], tuple[TextField, ...]],
        *,
        namespaces: tuple[str, ...] = (),
        xsi: bool = False,
        charges: tuple[int, ...],
        starts: Starts | None = None,
        derived: bool = False,
        base: int = -1,
    ) -> None:
        super().__init__(members, namespaces, xsi, starts)
        self.type = type_
        self.namespace = namespace
        self.local = local
        self.charges = charges
        self.derived = derived
        self.base = base
        type_.text = self


class TextEnum(TextValue):
    """An enum: the text of each number."""

    __slots__ = ("compiled", "local", "namespace", "texts", "type")

    def __init__(
        self,
        type_: EnumType[Any],
        namespace: str,
        local: str,
        texts: Mapping[int, str] | None = None,
    ) -> None:
        self.type = type_
        self.namespace = namespace
        self.local = local
        self.texts: Mapping[int, str] = type_.constants if texts is None else texts
        self.compiled: dict[object, Any] = {}
        type_.text = self

    @property
    def namespaces(self) -> tuple[str, ...]:
        """The namespaces of a standalone value."""
        return (self.namespace,) if self.namespace else ()

    @property
    def xsi(self) -> bool:
        """Whether a standalone value may need it."""
        return False


class TextMessage(TextGroup):
    """A request or response: its element, and the parameters or the one field ``result``."""

    __slots__ = ("bare", "local", "namespace")

    def __init__(
        self,
        namespace: str,
        local: str,
        fields: Callable[[], tuple[TextField, ...]],
        *,
        namespaces: tuple[str, ...] = (),
        xsi: bool = False,
        starts: Starts | None = None,
        bare: bool = False,
    ) -> None:
        super().__init__(fields, namespaces, xsi, starts)
        self.namespace = namespace
        self.local = local
        self.bare = bare


class TextMethod:
    """A method on the text wires; ``response`` is None for a oneway method.

    ``version`` is the SOAP version that clients use by default (SOAP-24); ``encoded`` methods have
    messages of SOAP encoding (SOAP-30); those with ``addressing`` have WS-Addressing blocks by
    default (SOAP-40). ``soap_response`` is the response on the soap wire, if its parts are the
    fields of the result (SOAP-26, SOAP-100). ``item``, of a method with one stream, has an item as
    its only field (HTTP-30); if the stream is the result, there is no ``response``.
    """

    __slots__ = (
        "action", "addressing", "encoded", "item", "request", "response", "soap_response", "throws",
        "version",
    )  # fmt: skip

    def __init__(
        self,
        action: str,
        request: TextMessage,
        response: TextMessage | None,
        throws: Callable[[], tuple[TextRecord, ...]] = tuple,
        *,
        version: str = "1.1",
        encoded: bool = False,
        addressing: bool = False,
        item: TextMessage | None = None,
        soap_response: TextMessage | None = None,
    ) -> None:
        self.action = action
        self.addressing = addressing
        self.item = item
        self.encoded = encoded
        self.request = request
        self.response = response
        self.soap_response = soap_response
        self.throws = throws
        self.version = version


def description(type_: NamedType[Any]) -> TextRecord | TextUnion | TextEnum:
    """The text wires' description of a type; its module is imported on first use."""
    if type_.text is None:
        kind: Any = type_.classes[0] if isinstance(type_, UnionType) else type_.cls
        package = str(kind.__module__).rpartition(".")[0]
        importlib.import_module(f"{package}.creo_text")
    found = type_.text
    if not isinstance(found, (TextRecord, TextUnion, TextEnum)):
        raise TypeError(f"{type_.name} has no form on the text wires")
    return found
