"""The soap wire (``spec/wires/soap.md``): requests, and what answers mean. No transport."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Callable, Final, Generic, NamedTuple, NoReturn, TypeVar, cast

from ._binary import (
    FAILURES,
    blob,
    booleans,
    chars,
    doubles,
    entries,
    floats,
    ints,
    items,
    longs,
    shorts,
)
from ._errors import CreoError, ErrorCode
from ._http import media_type
from ._mime import charset_of, quoted, read_package, write_package
from ._schema import check_size
from ._soap_fault import FaultReader
from ._structarray import structs
from ._text import (
    HEADER,
    TextEntries,
    TextList,
    TextMessage,
    TextMethod,
    TextOptional,
    TextRecord,
    TextRepeated,
    TextScalar,
    TextValue,
    TextWrapped,
)
from ._xml import explain_written, too_nested
from ._xml_document import scanner
from ._xml_forms import Form, XmlWriting
from ._xml_read import READERS
from ._xml_scan import Scanner, error_of
from ._xml_scope import Problem, Tag
from ._xml_write import declarations, dialect

if TYPE_CHECKING:
    from ._calls import Method
    from ._limits import Limits

R = TypeVar("R")

SOAP_11: Final = "http://schemas.xmlsoap.org/soap/envelope/"
SOAP_12: Final = "http://www.w3.org/2003/05/soap-envelope"
VERSIONS: Final = {"1.1": SOAP_11, "1.2": SOAP_12}
MEDIA_TYPES: Final = {"1.1": "text/xml", "1.2": "application/soap+xml"}

_ENCODING: Final = "http://schemas.xmlsoap.org/soap/encoding/"
#: Who a header block is for, if it is for this receiver (SOAP-4).
_RECEIVERS: Final = (
    "",
    "http://schemas.xmlsoap.org/soap/actor/next",
    "http://www.w3.org/2003/05/soap-envelope/role/next",
    "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver",
)


class Request(NamedTuple):
    """What goes out for a call."""

    headers: dict[str, str]
    body: list[bytes]


# What calls take, made what values hold

_Hold = Callable[[Any, str], Any]
_BULK: Final[dict[str, _Hold]] = {
    "?": booleans, "h": shorts, "i": ints, "q": longs, "f": floats, "d": doubles, "H": chars
}  # fmt: skip


def _hold(value: TextValue) -> _Hold | None:
    """As the generated codecs of the binary wire do; None if nothing is to be made."""
    if isinstance(value, TextScalar):
        return blob if value.word in ("byte[]", "hex") else None
    if isinstance(value, TextOptional):
        held = _hold(value.value)
        return None if held is None else lambda v, p: None if v is None else held(v, p)
    if isinstance(value, TextEntries):
        inner = _hold(value.value.value)
        if inner is None:
            return entries
        return lambda v, p: entries(v, p, lambda item: inner(item, p))
    if isinstance(value, TextWrapped):
        return _hold_items(value.item.value)
    if isinstance(value, (TextRepeated, TextList)):
        return _hold_items(value.value)
    return None


def _hold_items(item: TextValue) -> _Hold:
    if isinstance(item, TextScalar) and item.code:
        return _BULK[item.code]
    if isinstance(item, TextRecord) and getattr(item.type.cls, "_creo_block", None) is not None:
        cls = item.type.cls
        return lambda v, p: structs(v, p, cls)
    inner = _hold(item)
    if inner is None:
        return items
    return lambda v, p: items(v, p, lambda element: inner(element, p))


# Requests


class Writer:
    """Writes the requests of a method in one version of SOAP."""

    def __init__(self, message: TextMessage, version: str) -> None:
        self._message = message
        fields = message.fields
        self._holds = [_hold(field.value) for field in fields]
        used = dialect(message.namespaces)
        self._forms: list[Form] = [used.field(field).form() for field in fields]
        self._headers = [i for i, field in enumerate(fields) if field.place == HEADER]
        self._parameters = [i for i, field in enumerate(fields) if field.place != HEADER]
        declared = declarations(message.namespaces, message.xsi)
        self._open = f'<soap:Envelope xmlns:soap="{VERSIONS[version]}"{declared}>'
        tag = "" if message.bare else used.tag(message.local, message.namespace)
        self._head = f"<{tag}>" if tag else ""
        self._tail = f"</{tag}>" if tag else ""

    def write(self, arguments: Sequence[Any], limits: Limits, parts: list[bytes] | None) -> bytes:
        """The envelope; bytes that become parts are added to ``parts``, if that is there."""
        message = self._message
        values = [
            value if hold is None else hold(value, f"$.{field.name}")
            for hold, field, value in zip(self._holds, message.fields, arguments)
        ]
        w = XmlWriting(limits.max_depth, parts)
        texts: list[str] = []
        try:
            for form, value in zip(self._forms, values):
                text = form(value, w)
                if not text.isascii():
                    text.encode()
                texts.append(text)
        except FAILURES as failure:
            field, value = message.fields[len(texts)], values[len(texts)]
            raise explain_written(
                field, message.namespaces, value, limits, f"$.{field.name}"
            ) from failure
        header = "".join([texts[i] for i in self._headers])
        if header:
            header = f"<soap:Header>{header}</soap:Header>"
        body = "".join([texts[i] for i in self._parameters])
        text = (
            f"{self._open}{header}<soap:Body>{self._head}{body}{self._tail}"
            "</soap:Body></soap:Envelope>"
        )
        return text.encode()


class Operation(Generic[R]):
    """A method in one version of SOAP."""

    def __init__(self, method: Method[Any, R], version: str) -> None:
        texts = method.interface.texts()
        self._text: TextMethod = texts[method.name]
        self._version = version
        self._writer = Writer(self._text.request, version)
        self._throws = self._text.throws()

    def request(self, arguments: Any, limits: Limits, *, mtom: bool) -> Request:
        """The body of a call and what the transport says with it."""
        parts: list[bytes] | None = [] if mtom else None
        envelope = self._writer.write(arguments, limits, parts)
        kind, action = MEDIA_TYPES[self._version], self._text.action
        is_12 = self._version == "1.2"
        headers: dict[str, str] = {}
        body = [envelope]
        if parts is not None:
            full, body = write_package(envelope, parts, kind, action if is_12 else None)
            headers["Content-Type"] = full
        else:
            told = f'; action="{quoted(action)}"' if is_12 else ""
            headers["Content-Type"] = f"{kind}; charset=utf-8{told}"
        if not is_12:
            headers["SOAPAction"] = f'"{quoted(action)}"'
        check_size(sum(map(len, body)), limits)
        return Request(headers, body)

    def result(self, body: bytes, content_type: str, limits: Limits, peer: str) -> R:
        """What an answer says: the result, or what it raises."""
        kind, parameters = media_type(content_type)
        charset = parameters.get("charset")
        parts: dict[str, bytes] | None = None
        if kind == "multipart/related":
            root, parts = read_package(body, parameters, limits)
            body, charset = root.data, charset_of(root)
        x: Scanner | None = None
        place = "$result"
        try:
            x = scanner(body, limits, charset)
            x.parts = parts
            value = self._envelope(x, limits, peer)
            if parts is not None and len(x.used) != len(parts):
                raise Problem("a part of the package is not used", len(x.s))
        except Problem as problem:
            if problem.path and problem.path[-1] in (".result", "$exception"):
                place = "$exception" if problem.path.pop() == "$exception" else place
            raise error_of(problem, x, place) from None
        except RecursionError:
            raise too_nested(limits) from None
        if isinstance(value, _Failure):
            raise value.raised
        return cast("R", value)

    def _envelope(self, x: Scanner, limits: Limits, peer: str) -> Any:
        envelope = x.root()
        uri, local = envelope.key
        if local != "Envelope" or uri not in (SOAP_11, SOAP_12):
            message = f"an envelope of SOAP is expected, not {local} of {uri!r:.200}"
            raise CreoError(ErrorCode.PROTOCOL_MISMATCH, message, details={"peer": peer})
        part = None if envelope.empty else x.next()
        if part is not None and part.key == (uri, "Header"):
            self._headers(x, part, uri, peer)
            part = x.next()
        if part is None or part.key != (uri, "Body"):
            raise Problem("a Body is expected", envelope.p if part is None else part.p)
        for key, value in part.attributes:
            if key[1] == "encodingStyle" and value.strip().startswith(_ENCODING):
                raise Problem("the encoding of SOAP is not read", part.p)
        value = self._body(x, part, uri, limits, peer)
        x.end(part)
        x.end(envelope)
        x.finish()
        return value

    def _headers(self, x: Scanner, header: Tag, uri: str, peer: str) -> None:
        while not header.empty:
            block = x.next()
            if block is None:
                break
            said = dict(block.attributes)
            role = said.get((uri, "actor" if uri == SOAP_11 else "role"), "").strip()
            must = said.get((uri, "mustUnderstand"), "").strip()
            if must in ("1", "true") and role in _RECEIVERS:
                message = f"the answer has a header that is to be understood: {block.raw}"
                raise CreoError(ErrorCode.PROTOCOL_MISMATCH, message, details={"peer": peer})
            x.skip(block)
        x.end(header)

    def _body(self, x: Scanner, body: Tag, uri: str, limits: Limits, peer: str) -> Any:
        response = self._text.response
        element = None if body.empty else x.next()
        if element is not None and element.key == (uri, "Fault"):
            return _Failure(FaultReader(x, self._throws, limits, peer).read(element))
        if response is None:
            if element is not None:
                x.skip(element)
            return None
        fields = response.fields
        if response.bare and not fields:
            if element is not None:
                raise Problem(f"the body is empty, but holds {element.raw}", element.p)
            return None
        if response.bare and element is None:
            return READERS.group(response).missing(x, body.p)[0]
        wanted = (response.namespace, response.local)
        if element is None or element.key != wanted:
            self._unexpected(wanted, element, body)
        if not response.bare:
            values = READERS.group(response).values(x, element)
            return values[0] if values else None
        value = READERS.field(fields[0])(x, element)
        following = x.next()
        if following is not None:
            raise Problem(f"a second element in the body: {following.raw}", following.p)
        return value

    def _unexpected(self, wanted: tuple[str, str], element: Tag | None, body: Tag) -> NoReturn:
        found = "nothing" if element is None else f"{element.key[1]} of {element.key[0]!r:.200}"
        message = f"the element {wanted[1]} of {wanted[0]!r} is expected, not {found}"
        raise Problem(message, body.p if element is None else element.p)


class _Failure:
    """What a fault says."""

    __slots__ = ("raised",)

    def __init__(self, raised: BaseException) -> None:
        self.raised = raised
