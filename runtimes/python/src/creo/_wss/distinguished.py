"""Names of issuers as texts (RFC 2253, RFC 4514)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cryptography import x509

if TYPE_CHECKING:
    Parsed = list[frozenset[tuple[str, str]]]

_WORDS: Final = {
    "2.5.4.3": "CN",
    "2.5.4.7": "L",
    "2.5.4.8": "ST",
    "2.5.4.10": "O",
    "2.5.4.11": "OU",
    "2.5.4.6": "C",
    "2.5.4.9": "STREET",
    "0.9.2342.19200300.100.1.25": "DC",
    "0.9.2342.19200300.100.1.1": "UID",
}
#: Words that are read besides, as other stacks write them.
_OTHERS: Final = {
    "S": "2.5.4.8",
    "E": "1.2.840.113549.1.9.1",
    "EMAIL": "1.2.840.113549.1.9.1",
    "EMAILADDRESS": "1.2.840.113549.1.9.1",
    "SERIALNUMBER": "2.5.4.5",
    "T": "2.5.4.12",
    "TITLE": "2.5.4.12",
    "SN": "2.5.4.4",
    "SURNAME": "2.5.4.4",
    "G": "2.5.4.42",
    "GN": "2.5.4.42",
    "GIVENNAME": "2.5.4.42",
    "DNQ": "2.5.4.46",
    "DNQUALIFIER": "2.5.4.46",
}
_OIDS: Final = {**_OTHERS, **{word: oid for oid, word in _WORDS.items()}}
_SPECIAL: Final = ',+"\\<>;='
_OID: Final = re.compile(r"(?:OID\.)?(\d+(?:\.\d+)+)")
_HEX: Final = frozenset("0123456789abcdefABCDEF")
#: The codecs of strings in DER, by their tags.
_STRINGS: Final = {12: "utf-8", 19: "ascii", 20: "latin-1", 22: "ascii", 30: "utf-16-be"}


def text_of(name: x509.Name) -> str:
    """A name as RFC 2253 writes it."""
    parts = [
        "+".join(sorted(_attribute(attribute) for attribute in part))
        for part in reversed(list(name.rdns))
    ]
    return ",".join(parts)


def _attribute(attribute: x509.NameAttribute[str | bytes]) -> str:
    oid = attribute.oid.dotted_string
    value = attribute.value
    if oid not in _WORDS or not isinstance(value, str):
        return f"{oid}=#{_der(attribute).hex()}"
    text = "".join(f"\\{c}" if c in _SPECIAL else c for c in value)
    if text.startswith(("#", " ")):
        text = f"\\{text}"
    if text.endswith(" ") and len(value) > 1:
        text = f"{text[:-1]}\\ "
    return f"{_WORDS[oid]}={text}"


def parsed_name(name: x509.Name) -> Parsed:
    """A name in the form by which it is compared."""
    return [
        frozenset((attribute.oid.dotted_string, _comparable(attribute)) for attribute in part)
        for part in reversed(list(name.rdns))
    ]


def _comparable(attribute: x509.NameAttribute[str | bytes]) -> str:
    value = attribute.value
    return _folded(value) if isinstance(value, str) else f"#{_der(attribute).hex()}"


def parse_text(text: str) -> Parsed:
    """A text in the form by which names are compared.

    :raises ValueError: if it is no name.
    """
    found: Parsed = []
    part: set[tuple[str, str]] = set()
    for pair, end in _pairs(text):
        word, equals, value = pair.partition("=")
        word = word.strip().upper()
        dotted = _OID.fullmatch(word)
        oid = dotted[1] if dotted else _OIDS.get(word)
        if not equals or oid is None:
            raise ValueError("an attribute without a known name")
        part.add((oid, _value(value.strip(" "), value)))
        if end != "+":
            found.append(frozenset(part))
            part = set()
    return found


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """The attributes of a text, each with the character that ends it."""
    begin, quoted, p = 0, False, 0
    while p < len(text):
        c = text[p]
        if c == "\\":
            p += 1
        elif c == '"':
            quoted = not quoted
        elif c in ",;+" and not quoted:
            yield text[begin:p], c
            begin = p + 1
        p += 1
    if quoted or p > len(text):
        raise ValueError("a text that ends within a quotation")
    yield text[begin:], ""


def _value(text: str, whole: str) -> str:
    if text.startswith("#"):
        return _of_der(bytes.fromhex(text[1:]))
    if len(text) > 1 and text[0] == text[-1] == '"':
        text = text[1:-1]
    elif text.endswith("\\") and whole.endswith(" "):
        text += " "  # an escaped space at the end
    out = bytearray()
    p = 0
    while p < len(text):
        c = text[p]
        if c != "\\":
            out += c.encode()
        elif text[p + 1 : p + 2] in _HEX and text[p + 2 : p + 3] in _HEX:
            out.append(int(text[p + 1 : p + 3], 16))
            p += 2
        else:
            out += text[p + 1 : p + 2].encode()
            p += 1
        p += 1
    return _folded(out.decode())


def _of_der(data: bytes) -> str:
    """A value that is written as its DER."""
    codec = _STRINGS.get(data[0]) if len(data) > 1 and data[1] == len(data) - 2 < 128 else None
    return f"#{data.hex()}" if codec is None else _folded(data[2:].decode(codec))


def _folded(text: str) -> str:
    """A text by which texts that differ in case and white space alone are equal."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _der(attribute: x509.NameAttribute[str | bytes]) -> bytes:
    """The DER of the value: in a name alone, it follows three headers and the type."""
    data = x509.Name([attribute]).public_bytes()
    for _ in range(3):
        data = data[_header(data) :]
    return data[_header(data) + _length(data) :]


def _header(data: bytes) -> int:
    return 2 if data[1] < 128 else 2 + (data[1] & 127)


def _length(data: bytes) -> int:
    return data[1] if data[1] < 128 else int.from_bytes(data[2 : _header(data)], "big")
