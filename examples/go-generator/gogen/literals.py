"""Literals and comments: the only places where text of a description goes into Go."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from typing import Any

_EPOCH = datetime.datetime(1970, 1, 1)
_NOT_FINITE = {"NaN": "math.NaN()", "Infinity": "math.Inf(1)", "-Infinity": "math.Inf(-1)"}


def string(text: str) -> str:
    def escape(c: str) -> str:
        if c in '"\\':
            return f"\\{c}"
        if " " <= c <= "~":
            return c
        return f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}"

    return '"' + "".join(map(escape, text)) + '"'


def default(value: dict[str, Any], go_type: str, constants: dict[str, str]) -> str:
    """A declared default as an expression; empty if it is Go's zero value."""
    text: Any = value.get("value")
    made: dict[str, Callable[[], str]] = {
        "empty": lambda: "",
        "boolean": lambda: "true" if text else "",
        "integer": lambda: text,
        "number": lambda: number(text, go_type),
        "string": lambda: string(text),
        "char": lambda: str(text if isinstance(text, int) else ord(text)),
        "constant": lambda: constants[text],
        "datetime": lambda: _instant(text),
        "decimal": lambda: f"CreoDecimal{{{string(text)}}}",
    }
    return made[value["kind"]]()


def _instant(text: str) -> str:
    moment, _, fraction = text.rstrip("Z").partition(".")
    seconds = (datetime.datetime.fromisoformat(moment) - _EPOCH) // datetime.timedelta(seconds=1)
    return f"instant({seconds}, {int(fraction.ljust(9, '0') or 0)})"


def number(text: str, go_type: str) -> str:
    """A floating-point number. A constant of Go has no negative zero, and none that is not finite."""
    if text in _NOT_FINITE:
        made = _NOT_FINITE[text]
    elif float(text) == 0 and text.startswith("-"):
        made = "math.Copysign(0, -1)"
    else:
        return text
    return made if go_type == "float64" else f"{go_type}({made})"


_SAFE_LINE = re.compile(r"[A-Za-z(\"'].*")


def comment(doc: str, deprecated: str | bool | None) -> list[str]:
    """A documentation comment that gofmt leaves as it is. It takes some lines for lists, code, headings or links, so a text that has
    one of these is quoted: each line begins with ``|``."""
    lines = [clean(line) for line in doc.split("\n")] if doc else []
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    if not _is_plain(lines):
        lines = [f"| {line}".rstrip() for line in lines]
    if deprecated is not None and deprecated is not False:
        reason = " ".join(clean(deprecated).split()) if isinstance(deprecated, str) else ""
        lines += [""] if lines else []
        lines.append(f"Deprecated: {reason or 'Do not use.'}")
    return [f"// {line}".rstrip() for line in lines]


def clean(line: str) -> str:
    """A line of a comment, without what Go refuses in a source file, or reads as the end of a line, and without the quotes that gofmt would change."""
    shown = "".join(c if c == "\t" or c.isprintable() else " " for c in line)
    return shown.replace("``", "\u201c").replace("''", "\u201d").replace("\t", "    ").rstrip()


def _is_plain(lines: list[str]) -> bool:
    """Lines of text alone; a paragraph of one line, which may look like a heading, ends as a sentence does."""
    texts = [line for line in lines if line]
    return all(_SAFE_LINE.match(line) for line in texts) and (
        len(texts) == len(lines) or all(line[-1] in ".!?:" for line in texts)
    )
