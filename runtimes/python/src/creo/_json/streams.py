"""Streams on the json wire (HTTP-30 to HTTP-38): what both kinds of client share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Final, Generic, TypeVar, cast

from .._base import CreoError, ErrorCode, too_large
from .._binary import FAILURES
from .._binary.schema import check_size
from .._call import Answer, with_peer
from .._call.source import EMPTY
from .._call.streams import no_streams as no_streams  # for the channel, which finds it here
from .._http import Response, media_type, status_error
from .._http.channel import Request
from .._text.arguments import Arguments
from .._text.explain import TextWalk
from .._text.write import TextWriting
from . import attempt_json, read_value
from .accelerator import json_codec
from .calls import PROBLEM, JsonOperation
from .read import READERS
from .write import FORMS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .._base import Limits
    from .._binary import Part
    from .._call import CallOptions
    from .._call.source import Source
    from .._call.streams import StreamMethod
    from .._http import Url
    from .._text import TextMethod

R = TypeVar("R")
T = TypeVar("T")

MEDIA_TYPE: Final = "application/x-ndjson"
_LAST: Final = b'{"end":true}\n'
_PLACE: Final = "$items"
_ITEM: Final = b'"item"'
_END: Final = b'"end"'
_ERROR: Final = b'"error"'
_SPACE: Final = b" \t\r"


class JsonStreams(JsonOperation[R], Generic[R, T]):
    """A method with one stream on the json wire."""

    def __init__(self, method: StreamMethod[Any, R, T]) -> None:
        """:raises CreoError: ``unknown-method`` if the wire does not carry it (CALL-47)."""
        text: TextMethod | None = method.interface.texts().get(method.name)
        if text is None or text.item is None:
            raise no_streams(method)
        super().__init__(method)
        self.reads = method.reads
        self._item = text.item
        value = text.item.fields[0].value
        self._item_value = value
        self._item_reader = READERS.value(value)
        self._item_form = FORMS.value(value).form()
        self._held = Arguments(text.item).held
        self._fast_item = json_codec(method.fast_item, value)

    def begin(self, arguments: Any, url: Url, limits: Limits) -> Request:
        """The head of a call and its message, which is the first line if lines follow."""
        request = self.request(arguments, url, limits)
        if self.reads:
            return request
        return Request(request.target, {"Content-Type": MEDIA_TYPE}, [*request.body, b"\n"])

    def result(self, response: Response, url: Url, limits: Limits) -> R:
        """The result of an answer that is no stream, or raises its error."""
        if self.reads and media_type(response.header("content-type"))[0] != PROBLEM:
            raise status_error(response, url)
        return super().result(response, url, limits)

    def encode_items(self, items: Any, limits: Limits) -> list[bytes]:
        """The lines of items; of none, the content of a frame without items."""
        lines: list[str] = []
        for item in items:
            (held,) = self._held((item,))
            try:
                written = self._item_form(held, TextWriting(limits.max_depth))
                written.encode()
            except FAILURES as failure:
                walk = TextWalk(limits, attempt_json(limits))
                field = self._item.fields[0]
                raise walk.explain(field, held, _PLACE) from failure
            check_size(len(written), limits)
            lines.append(f'{{"item":{written}}}\n')
        return ["".join(lines).encode()] if lines else [EMPTY]

    def decode_item(self, document: bytes, index: int, limits: Limits) -> T:
        """The item of a line, before which ``index`` others came."""
        if self._fast_item is not None:
            found = self._fast_item.decode_json(document, limits)
            if found is not NotImplemented:
                return cast("T", found)
        place = f"{_PLACE}[{index}]"
        found = read_value(self._item_reader, self._item_value, document, limits, place)
        return cast("T", found)


def chunk(content: Iterable[Part], last: bool) -> bytes:
    """Lines as a chunk of a request's body; if they are the last, with the end of the stream."""
    lines = b"".join([part for part in content if part is not EMPTY])
    if last:
        lines += _LAST
    if not lines:
        return b""
    end = b"\r\n0\r\n\r\n" if last else b"\r\n"
    return b"%x\r\n%b%b" % (len(lines), lines, end)


def first_chunk(body: list[bytes]) -> bytes:
    """The message of a request, to which further chunks are added."""
    message = b"".join(body)
    return b"%x\r\n%b\r\n" % (len(message), message)


def _member(line: bytes) -> tuple[bytes, bytes]:
    """The name of the only member of a line, in quotes, and its value.

    A line of white space has neither. Names have no escapes (HTTP-30).

    :raises CreoError: ``malformed``.
    """
    line = line.strip(_SPACE)
    if not line:
        return b"", b""
    if line.startswith(b"{") and line.endswith(b"}"):
        name, _, value = line[1:-1].partition(b":")
        name, value = name.strip(_SPACE), value.strip(_SPACE)
        if value == b"true" if name == _END else value and name in (_ITEM, _ERROR):
            return name, value
    message = "a line that is neither an item, an end nor an error"
    raise CreoError(ErrorCode.MALFORMED, message, place=_PLACE)


class Lines(Response, Generic[R, T]):
    """An answer being received; if it is a stream, its lines are taken as they come."""

    def __init__(
        self,
        operation: JsonStreams[R, T],
        limits: Limits,
        url: Url,
        options: CallOptions,
        noted: Callable[[Response], None],
        answered: Callable[[Response], R],
    ) -> None:
        """``noted`` is told that the head has come.

        ``answered`` gives the result of an answer that is no stream.
        """
        super().__init__(limits, url.peer)
        self._operation = operation
        self._url = url
        self._watch = options.watch
        self._noted = noted
        self._answered = answered
        self._streamed: bool | None = None
        self._rest: list[bytes] = []
        self._rest_size = 0
        self._count = 0
        self._failure: CreoError | None = None
        """What ends the stream after the items before it."""
        self._end: bytes | None = None
        """The last line: what it has as the error, or nothing."""

    def _framing(self) -> None:
        self._noted(self)
        super()._framing()

    def _check_size(self, size: int) -> None:
        if not self._is_stream():
            super()._check_size(size)

    def _is_stream(self) -> bool:
        if self._streamed is None:
            kind, parameters = media_type(self.header("content-type"))
            self._streamed = (
                self._operation.reads
                and self.status == 200
                and kind == MEDIA_TYPE
                and parameters.get("charset", "utf-8").lower() == "utf-8"
                and not self._zipped
            )
        return self._streamed

    @property
    def complete(self) -> bool:
        """Whether nothing more is to be read."""
        return self._end is not None or self.done

    def take(self) -> list[T]:
        """The items that came since the last time.

        :raises CreoError: a line is ``malformed`` or ``too-large``; the items before it were given.
        """
        if self._failure is not None:
            raise self._failure
        if not self._body or not self._is_stream():
            return []
        *lines, rest = b"".join(self._body).split(b"\n")
        self._body.clear()
        if lines:
            # A line is joined once, however many parts it came in.
            lines[0] = b"".join((*self._rest, lines[0]))
            self._rest.clear()
            self._rest_size = 0
        self._rest.append(rest)
        self._rest_size += len(rest)
        items: list[T] = []
        try:
            for line in lines:
                if self._end is not None:
                    break
                self._check_line(len(line))
                name, value = _member(line)
                if name == _ITEM:
                    index = self._count + len(items)
                    items.append(self._operation.decode_item(value, index, self._limits))
                elif name:
                    self._end = value if name == _ERROR else b""
            if self._end is None:
                self._check_line(self._rest_size)
        except CreoError as failure:
            if not items:
                raise
            self._failure = failure
        self._count += len(items)
        return items

    def _check_line(self, size: int) -> None:
        allowed = self._limits.max_body
        if size > allowed:
            message = f"a line of more than {allowed} bytes"
            raise too_large("maxMessageSize", allowed, message, place=_PLACE)

    def finish(self) -> R:
        """The result, once the answer is complete; raises what it says instead."""
        if not self._is_stream():
            return self._answered(self)
        try:
            metadata = self.metadata()
        except CreoError as error:
            raise with_peer(error, self._url.peer) from None
        if self._watch is not None:
            self._watch.answered(Answer(metadata, self.status, self.fields))
        if self._end is None:
            message = f"the answer of {self._url.text} was cut: it has no last line"
            raise self._error(ErrorCode.UNAVAILABLE, message)
        if self._end:
            raise self._operation.problem(self._end, self, self._url, self._limits)
        return cast("R", None)


def sender(source: Source, operation: JsonStreams[Any, Any]) -> Source:
    """The source, which gives its items as lines."""
    source.encode = cast("Callable[[Any, Limits], list[Any]]", operation.encode_items)
    return source
