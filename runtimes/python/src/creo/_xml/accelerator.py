"""XML in C: the codecs of the binary wire with the forms that their parts have in XML.

They do the same as the functions of this package, or leave it to them.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final, Protocol

from .._binary.accelerator import codec_of, new_node, structs
from .._binary.schema import Later
from .._text import (
    ATTRIBUTE,
    ELEMENT,
    HEADER,
    INLINE,
    TEXT,
    TextEntries,
    TextEnum,
    TextField,
    TextList,
    TextMessage,
    TextOptional,
    TextRecord,
    TextRepeated,
    TextScalar,
    TextUnion,
    TextValue,
    TextWrapped,
    is_named,
)
from .._text.read import MISSING, REFUSED
from .read import READERS
from .write import declarations

if TYPE_CHECKING:
    from .._base import Limits

_SHAPED: Final = "xml-shaped"
_ROOT: Final = "xml-root"
#: How the accelerator handles an absent part.
_REFUSED, _VALUE, _DEFAULT = range(3)
#: The places of parts that C reads, and those that it writes.
_READ: Final = (ELEMENT, ATTRIBUTE, TEXT)
_WRITTEN: Final = (*_READ, INLINE)
_REQUESTS: Final = (ELEMENT, INLINE, HEADER)
#: For unions that are not derived (XML-37).
_NOT_DERIVED: Final = -2
_LOCK: Final = threading.Lock()
#: Nodes of texts, by word.
_SCALARS: Final[dict[str, Any]] = {}

#: A part: its form, its local name and namespace, its place, what it is if absent, and whether null
#: is written as an element: as the part, and as one of its items.
_Part = tuple[object, str, str, int, int, object, bool, bool]


class FastXml(Protocol):
    """As ``Fast``, for XML and tables: a value alone, a request, and the result in a response.

    ``blocks`` begin a SOAP request's header; ``head`` and ``tail`` are around the rows of a table.
    A message with a byte string of at least ``part_from`` bytes is left to Python, which makes a
    part of it (SOAP-21); -1 for none.
    """

    def encode_xml(self, value: Any, limits: Limits, /) -> Any: ...
    def decode_xml(self, document: bytes, limits: Limits, /) -> Any: ...
    def encode_soap(
        self, arguments: Any, limits: Limits, blocks: str, part_from: int, /
    ) -> Any: ...
    def decode_soap(self, body: bytes, limits: Limits, /) -> Any: ...
    def encode_table(
        self, value: Any, is_record: bool, limits: Limits, part_from: int, head: str, tail: str, /
    ) -> Any: ...
    def decode_table(self, rows: str, is_record: bool, memory: int, limits: Limits, /) -> Any: ...


def xml_codec(form: TextRecord | TextUnion | TextEnum) -> FastXml | None:
    """The codec of a type in C for values alone; None if there is none."""
    with _LOCK:
        shaping = _Shaping()
        codec: Any = shaping.element(form)
        shaping.finish()
        if codec is not None and _ROOT not in form.compiled:
            form.compiled[_ROOT] = True
            _root(codec, form.namespaces, declarations(form.namespaces, form.xsi), "", "")
    made: FastXml | None = codec
    return made


def response_codec(message: TextMessage) -> FastXml | None:
    """The codec in C of responses; None if there is none."""
    fields = message.fields
    if len(fields) > 1 or (message.bare and not fields):
        return None
    codec: FastXml | None = _message(message, (ELEMENT,))
    return codec


def table_codec(message: TextMessage) -> FastXml | None:
    """The codec in C of requests as tables; None if there is none."""
    codec: FastXml | None = _message(message, _REQUESTS)
    return codec


def request_codec(message: TextMessage, start: str, before: str, after: str) -> FastXml | None:
    """The codec in C of SOAP requests; None if there is none.

    Their texts are ``start``, which the header follows, ``before`` the fields, and ``after`` them.
    """
    made = _message(message, _REQUESTS)
    if made is not None:
        _root(made, message.namespaces, start, before, after)
    codec: FastXml | None = made
    return codec


def _message(message: TextMessage, places: tuple[int, ...]) -> Any:
    """The node of a message; None if fields have other places, or forms that C does not know."""
    fields = message.fields
    if any(field.place not in places for field in fields):
        return None
    with _LOCK:
        shaping = _Shaping()
        forms = [shaping.field(field) for field in fields]
        shaping.finish()
    if None in forms:
        return None
    made = new_node("parameters")
    made.fill(
        tuple((form, field.name, False, None, 0) for form, field in zip(forms, fields)), False
    )
    absents = READERS.group(message).absents
    parts = [_part(field, form, absent) for field, form, absent in zip(fields, forms, absents)]
    made.shape((*parts, _name(message.local, message.namespace)), message.bare)
    return made


def _root(node: Any, namespaces: tuple[str, ...], start: str, before: str, after: str) -> None:
    """Tells a node what is around its values, and the namespaces with prefixes (XML-2)."""
    node.root(namespaces, start.encode(), before.encode(), after.encode())


def _name(local: str, namespace: str) -> _Part:
    return (None, local, namespace, ELEMENT, _REFUSED, None, False, False)


def _part(field: TextField, form: object, absent: object) -> _Part:
    how = _REFUSED if absent is REFUSED else _DEFAULT if absent is MISSING else _VALUE
    value = absent if how == _VALUE else None
    inner = field.value.value if isinstance(field.value, TextOptional) else field.value
    items = isinstance(inner, TextRepeated) and inner.nillable
    return (
        form, field.local, field.namespace, field.place, how, value, field.nillable, items
    )  # fmt: skip


class _Shaping:
    """Gives nodes their shapes. Types may be recursive, so named types get theirs at the end."""

    def __init__(self) -> None:
        self._left: list[TextRecord | TextUnion | TextEnum] = []

    def finish(self) -> None:
        """Gives the nodes of all named types that were found their shapes."""
        while self._left:
            value = self._left.pop()
            if isinstance(value, TextEnum):
                self._enum(value)
            else:
                self._group(value)

    def field(self, field: TextField) -> Any:
        """The node for a field's elements, attribute or text; None if C does not know them."""
        value = field.value
        if isinstance(value, TextOptional):
            item = self.field(field.with_value(value.value))
            alone = item is not None and not isinstance(value.value, (TextOptional, TextRepeated))
            return new_node("optional", item=item, charge=value.charge) if alone else None
        if isinstance(value, TextRepeated):
            return self._items("repeated", self.field(field.with_value(value.value)), value)
        return self.element(value)

    def element(self, value: TextValue) -> Any:
        """The node for one element or text; None if C does not know it."""
        if is_named(value):
            return None
        if isinstance(value, TextScalar):
            return _scalar(value.word)
        if isinstance(value, TextList):
            return self._items("list", self.element(value.value), value)
        if isinstance(value, TextWrapped):
            item = value.item
            if item.place != ELEMENT:
                return None
            each = item.with_value(TextRepeated(item.value, value.charge, item.nillable))
            inner = self.field(each)
            if inner is None:
                return None
            made = new_node("wrapped")
            made.shape((_part(each, inner, REFUSED),), False)
            return made
        if isinstance(value, TextEntries):
            return self._entries(value)
        if isinstance(value, (TextRecord, TextUnion, TextEnum)):
            return self._named(value)
        return None

    def _items(self, kind: str, item: Any, value: TextRepeated | TextList) -> Any:
        inner = value.value
        if item is None or isinstance(inner, TextRepeated):
            return None
        code, hold = "", None
        if isinstance(inner, TextScalar) and inner.code:
            if inner.code == "H":
                hold = new_node("chars", item=item)
            else:
                code = inner.code
        elif isinstance(inner, TextRecord):
            block = getattr(inner.type.cls, "_creo_block", None)
            if block is not None:
                hold = structs(codec_of(inner.type), 0, block)
        return new_node(kind, item=item, key=hold, charge=value.charge, code=code)

    def _entries(self, value: TextEntries) -> Any:
        fields = (value.key, value.value)
        forms = [self.field(field) for field in fields]
        # The items of an array as a value stand in a wrapper.
        elements = all(field.place == ELEMENT for field in fields)
        if None in forms or not elements or isinstance(value.value.value, TextRepeated):
            return None
        made = new_node("map", item=forms[1], key=forms[0], charge=value.charge)
        nothing = isinstance(value.value.value, TextOptional)
        parts = (
            _part(value.key, forms[0], REFUSED),
            _part(value.value, forms[1], None if nothing else REFUSED),
            _name("entry", value.key.namespace),
        )
        made.shape(parts, False)
        return made

    def _named(self, value: TextRecord | TextUnion | TextEnum) -> Any:
        type_: Any = value.type
        made = type_.fast
        if made is None or isinstance(made, Later):
            made = codec_of(type_)
        if type_.fast is None:
            # C cannot handle this class.
            return None
        form = value if type_.text is None else type_.text
        if _SHAPED not in form.compiled:
            form.compiled[_SHAPED] = True
            self._left.append(form)
        return made

    def _enum(self, value: TextEnum) -> None:
        numbers = sorted(dict(value.type.constants))
        if set(numbers) != set(value.texts):
            return
        names = [_name(value.texts[number], "") for number in numbers]
        codec: Any = codec_of(value.type)
        codec.shape((*names, _name(value.local, value.namespace)), False)

    def _group(self, value: TextRecord | TextUnion) -> None:
        """Without a shape, a node leaves everything to Python."""
        fields = value.fields
        if any(field.place not in _WRITTEN for field in fields):
            return
        base, readable = _NOT_DERIVED, all(field.place in _READ for field in fields)
        if isinstance(value, TextUnion):
            base = value.base if value.derived else _NOT_DERIVED
            items = any(isinstance(field.value, TextRepeated) for field in fields)
            readable = readable and not value.derived and not items
        forms = [self.field(field) for field in fields]
        absents: list[Any] = READERS.group(value).absents
        parts = [_part(field, form, absent) for field, form, absent in zip(fields, forms, absents)]
        codec: Any = codec_of(value.type)
        codec.shape((*parts, _name(value.local, value.namespace)), False, readable, base)


def _scalar(word: str) -> Any:
    made = _SCALARS.get(word)
    if made is None:
        made = _SCALARS[word] = new_node("bytes" if word == "byte[]" else word)
    return made
