"""The bytes of a document as UTF-8: encodings, the declaration (XML-40, XML-46).

The parser checks whether they are well-formed.
"""

from __future__ import annotations

import re
from typing import Final

from .._base import Limits, shown
from .._text.read import Problem, no_memory

_S: Final = "[ \t\r\n]"
_DECLARATION: Final = re.compile(
    (
        f"""<\\?xml{_S}+version{_S}*={_S}*(?:"1\\.0"|'1\\.0')"""
        f"""(?:{_S}+encoding{_S}*={_S}*(?:"([A-Za-z][A-Za-z0-9._-]*)"|'([A-Za-z][A-Za-z0-9._-]*)'))?"""
        f"""(?:{_S}+standalone{_S}*={_S}*(?:"(?:yes|no)"|'(?:yes|no)'))?{_S}*\\?>"""
    ).encode()
)
#: XML-46: the names of encodings, and Python's names for them.
_CODECS: Final = {
    "utf-8": "utf-8",
    "utf8": "utf-8",
    "utf-16": "utf-16",
    "utf-16be": "utf-16-be",
    "utf-16le": "utf-16-le",
    "us-ascii": "ascii",
    "ascii": "ascii",
    "iso-8859-1": "latin-1",
    "latin1": "latin-1",
    "windows-1252": "cp1252",
    "cp1252": "cp1252",
}
_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le"))
_NAMES: Final = {
    "utf-8": "UTF-8",
    "utf-16-be": "UTF-16",
    "utf-16-le": "UTF-16",
    "ascii": "US-ASCII",
    "latin-1": "ISO-8859-1",
    "cp1252": "windows-1252",
}
_WIDE: Final = "utf-16"
_MAX_DECLARATION: Final = 200


class Source:
    """A document as UTF-8 bytes, after its byte order mark and declaration."""

    __slots__ = ("base", "data", "lenient", "limits", "memory")

    def __init__(self, data: bytes, base: int, memory: int, limits: Limits) -> None:
        self.data = data
        self.base = base
        """Bytes before ``data`` (XML-44)."""
        self.memory = memory
        """The memory that the message may still take (LIM-18)."""
        self.limits = limits
        self.lenient = False
        """Whether it is read leniently (XML-50)."""

    def made(self, data: bytes, base: int, memory: int) -> Source:
        """Another form of the same document."""
        made = Source(data, base, memory, self.limits)
        made.lenient = self.lenient
        return made


def open_source(
    data: bytes, limits: Limits, charset: str | None = None, size: int | None = None
) -> Source:
    """The source of a document.

    ``charset`` comes from the transport, if it names one; ``size`` is that of the body with the
    document, if it has more.
    """
    memory = limits.memory - (len(data) if size is None else size)
    if memory < 0:
        raise no_memory(limits, 0)
    codec, mark = _encoding(data, charset)
    wide = codec.startswith(_WIDE)
    base = 0 if wide else mark
    data = data[mark:]
    if codec != "utf-8":
        try:
            data = data.decode(codec).encode()
        except UnicodeDecodeError as error:
            before = len(data[: error.start].decode(codec).encode())
            raise Problem(f"this is no {_NAMES[codec]}", base + before) from None
    if data.startswith(b"<?xml") and data[5:6] in (b" ", b"\t", b"\r", b"\n"):
        declaration = _DECLARATION.match(data)
        if declaration is None:
            raise Problem("the declaration of XML is not right", 0)
        encoding = declaration[1] or declaration[2]
        if encoding and not charset:
            _check_declared(encoding.decode(), codec, mark)
        base += declaration.end()
        data = data[declaration.end() :]
    return Source(data, base, memory, limits)


def _encoding(data: bytes, charset: str | None) -> tuple[str, int]:
    """The codec of a text, and the size of its byte order mark (XML-46)."""
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return codec, len(mark)
    if charset:
        codec = _codec(charset)
        if codec == _WIDE:
            codec = "utf-16-le" if data[:2] == b"<\0" else "utf-16-be"
        return codec, 0
    if data[:2] in (b"<\0", b"\0<"):
        return "utf-16-le" if data[:1] == b"<" else "utf-16-be", 0
    declaration = _DECLARATION.match(data[:_MAX_DECLARATION])
    encoding = declaration and (declaration[1] or declaration[2])
    if not encoding:
        return "utf-8", 0
    codec = _codec(encoding.decode())
    return "utf-8" if codec.startswith(_WIDE) else codec, 0


def _codec(name: str) -> str:
    codec = _CODECS.get(name.lower())
    if codec is None:
        raise Problem(f"the encoding {shown(name)} is not known", 0)
    return codec


def _check_declared(encoding: str, codec: str, mark: int) -> None:
    """Fails if a declaration contradicts the bytes."""
    declared = _codec(encoding)
    wide = codec.startswith(_WIDE)
    if declared.startswith(_WIDE) != wide or (mark and not wide and declared != codec):
        raise Problem(f"the text is not in the encoding that it declares: {shown(encoding)}", 0)
