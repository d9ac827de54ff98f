"""The bytes of a document as text: encodings, characters, the declaration (XML-40, XML-42)."""

from __future__ import annotations

import re
from typing import Final

from .._base import Limits, shown
from .._text.read import Problem, no_memory
from .scan import FORBIDDEN, S, Scanner

_DECLARATION: Final = re.compile(
    f"""<\\?xml{S}+version{S}*={S}*(?:"1\\.0"|'1\\.0')"""
    f"""(?:{S}+encoding{S}*={S}*(?:"([A-Za-z][A-Za-z0-9._-]*)"|'([A-Za-z][A-Za-z0-9._-]*)'))?"""
    f"""(?:{S}+standalone{S}*={S}*(?:"(?:yes|no)"|'(?:yes|no)'))?{S}*\\?>"""
)
#: XML-46: the names of encodings, and what Python calls them.
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
_CONTROLS: Final = bytes(n for n in range(32) if n not in (9, 10, 13))


def scanner(
    data: bytes, limits: Limits, charset: str | None = None, size: int | None = None
) -> Scanner:
    """Decodes a document and checks its characters (XML-40, XML-42).

    ``charset`` is what the transport says, if it says anything, and ``size`` the bytes of the body
    that holds the document, if that is not all of it.
    """
    memory = limits.memory - (len(data) if size is None else size)
    if memory < 0:
        raise no_memory(limits, 0)
    codec, mark = _encoding(data, charset)
    wide = codec.startswith(_WIDE)
    base = 0 if wide else mark
    data = data[mark:]
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        before = len(data[: error.start].decode(codec).encode())
        problem = Problem(f"this is no {_NAMES[codec]}", 0)
        problem.details = {"offset": str(base + before)}
        raise problem from None
    if wide or len(data.translate(None, _CONTROLS)) != len(data) or _has_last(text):
        found = FORBIDDEN.search(text)
        if found is not None:
            problem = Problem("XML does not allow this character", found.start())
            problem.details = {"offset": str(base + len(text[: found.start()].encode()))}
            raise problem
    made = Scanner(text, limits, base)
    made.memory = memory
    if text.startswith("<?xml") and text[5:6] in (" ", "\t", "\r", "\n"):
        declaration = _DECLARATION.match(text)
        if declaration is None:
            raise Problem("the declaration of XML is not right", 0)
        encoding = declaration[1] or declaration[2]
        if encoding and not charset:
            _check_declared(encoding, codec, mark)
        made.p = declaration.end()
    return made


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
    declaration = _DECLARATION.match(data[:_MAX_DECLARATION].decode("latin-1"))
    encoding = declaration and (declaration[1] or declaration[2])
    if not encoding:
        return "utf-8", 0
    codec = _codec(encoding)
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


def _has_last(text: str) -> bool:
    return "\ufffe" in text or "\uffff" in text
