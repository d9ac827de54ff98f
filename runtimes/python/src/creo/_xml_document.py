"""The bytes of a document as text: encodings, characters, the declaration (XML-40, XML-42)."""

from __future__ import annotations

import re
from typing import Final

from ._errors import shown
from ._limits import Limits
from ._xml_scan import FORBIDDEN, S, Scanner
from ._xml_scope import Problem, no_memory

_DECLARATION: Final = re.compile(
    f"""<\\?xml{S}+version{S}*={S}*(?:"1\\.0"|'1\\.0')"""
    f"""(?:{S}+encoding{S}*={S}*(?:"([A-Za-z][A-Za-z0-9._-]*)"|'([A-Za-z][A-Za-z0-9._-]*)'))?"""
    f"""(?:{S}+standalone{S}*={S}*(?:"(?:yes|no)"|'(?:yes|no)'))?{S}*\\?>"""
)
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
    base = 0
    wide = data[:2] in (b"\xfe\xff", b"\xff\xfe")
    said = (charset or "").lower()
    if said and said not in ("utf-8", "utf8", "utf-16", "utf-16le", "utf-16be"):
        raise Problem(f"the encoding {shown(said)} is not read", 0)
    if said.startswith("utf-16") or (wide and not said):
        order = said if said in ("utf-16le", "utf-16be") else "utf-16" if wide else "utf-16be"
        wide = True
    else:
        order = "utf-8"
        wide = False
        if data[:3] == b"\xef\xbb\xbf":
            base, data = 3, data[3:]
    try:
        text = data.decode(order)
    except UnicodeDecodeError as error:
        start = error.start
        if wide:
            text = data.decode(order, "replace")
            start = min(start // 2, len(text))
            raise Problem("this is no UTF-16", start) from None
        problem = Problem("this is no UTF-8", 0)
        problem.details = {"offset": str(base + start)}
        raise problem from None
    if order in ("utf-16le", "utf-16be"):
        text = text[1:] if text.startswith("\ufeff") else text
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
        encoding = (declaration[1] or declaration[2] or "").lower()
        if encoding and encoding != ("utf-16" if wide else "utf-8"):
            raise Problem(f"the text is not in the encoding that it declares: {encoding}", 0)
        made.p = declaration.end()
    return made


def _has_last(text: str) -> bool:
    return "\ufffe" in text or "\uffff" in text
