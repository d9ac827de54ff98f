"""The rows of a table, and the document around them (TDX-1 to TDX-15)."""

from __future__ import annotations

import re
from itertools import repeat
from typing import Any, Final, NoReturn
from unicodedata import category

from .._base import Limits, shown
from .._text.read import Parts, Problem, beyond, no_memory
from .._xml.leaf import Kids
from .._xml.scope import BASE, Scope
from .._xml.tree import Tree, refuse_attributes, split
from .shape import NAMESPACE

#: A column, or the replacement for columns.
Row = list[Any]
#: An index for comparison: an element as 1, number, occurrence (-1 for none); an attribute as 0.
Index = tuple[int, ...]

_SHOWN: Final = 100
#: The elements of a document that are open at once.
_LEVELS: Final = 2
_NUMBER: Final = "(?:0|[1-9][0-9]{0,9})"
_INDEX: Final = re.compile(f"(?:\\[{_NUMBER}\\](?:{_NUMBER})?)+(?:\\({_NUMBER}\\))?")
_STEP: Final = re.compile("\\[([0-9]+)\\]([0-9]*)|\\(([0-9]+)\\)")
_MAX_INDEX: Final = (1 << 31) - 1
_COLUMN: Final = re.compile(r"\\(.?)", re.DOTALL)
_ESCAPES: Final = {
    "n": "\n", "r": "\r", "|": "|", "\\": "\\", "a": "&", "l": "<", "g": ">", "~": "~"
}  # fmt: skip
_NAMES: Final = {
    "CT": "CT", "ContentTable": "CT", "RT": "RT", "RecordTable": "RT", "UT": "UT",
    "UpdateTable": "UT",
}  # fmt: skip

#: The scope of a document: the paper's prefix needs no declaration (TDX-1).
TABLES_SCOPE: Final = Scope(None, {**BASE.own, "TDXML": NAMESPACE})
TABLES_SCOPE.count = 0


class Broken(str):
    """A column with invalid text, which is reported when it is read."""


class PartName(str):
    """A column that may name a part of the multipart (TDX-25)."""


class Mark:
    """The replacement for columns in a row: ``~``, or ``-`` in an update."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


NIL: Final = Mark("~")
GONE: Final = Mark("-")


class Stray(Problem):
    """A row that is not allowed at its position; the path is that of its index."""


class Table:
    """The rows of a table, read one after the other."""

    __slots__ = (
        "_memory",
        "_text",
        "allowed",
        "gone",
        "heads",
        "i",
        "levels",
        "limits",
        "marked",
        "memory",
        "numbers",
        "parts",
        "rows",
        "simple",
        "used",
    )  # fmt: skip

    def __init__(
        self,
        text: str,
        limits: Limits,
        parts: Parts | None = None,
        *,
        memory: int | None = None,
        update: bool = False,
    ) -> None:
        """``memory`` is what the message may still take, if not the full limit."""
        self._text = text
        self._memory = limits.memory if memory is None else memory
        self.memory = self._memory
        self.limits = limits
        self.parts = parts
        self.used: set[str] = set()
        self.levels = limits.max_depth
        self.allowed = limits.max_xml_depth
        self.gone = update
        self.simple = True
        """Whether all columns are plain texts or None; a row may still be ``NIL``."""
        self.numbers: list[int] | None = None
        """The numbers of the rows, if they are not consecutive."""
        self.marked = "~" in text
        """Whether columns may be ``~``, which is None."""
        if "\\" in text:
            # These escapes are plain characters, unless a backslash is escaped.
            plain = text.replace("\\a", "&").replace("\\g", ">").replace("\\l", "<")
            text = text if "\\" in plain else plain
        lines = _lines(text)
        if "" in lines:
            lines = self._numbered(lines)
        self.rows: list[Row]
        if update or parts is not None:
            self.rows = list(map(self._split, lines))
        elif self.marked or "\\" in text:
            split = self._split
            self.rows = [
                split(line) if "~" in line or "\\" in line else line.split("|") for line in lines
            ]
        else:
            self.rows = list(map(str.split, lines, repeat("|")))
        self.heads: list[str] = [row[0] for row in self.rows]
        self.heads.append("")
        self.i = 0
        """The row to be read next."""

    def _split(self, line: str) -> Row:
        parts: Row = []
        if "\\" in line:
            # XML allows neither of these two characters.
            hidden = line.replace("\\\\", "\0").replace("\\|", "\1")
            parts += hidden.split("|")
            parts[1:] = [self._unescaped(part) for part in parts[1:]]
        else:
            parts += line.split("|")
            if "~" in line:
                parts[1:] = [self._column(part) for part in parts[1:]]
        head: str = parts[0]
        if len(parts) == 1 and head[-1:] == "~":
            return [head[:-1], NIL]
        if len(parts) == 1 and self.gone and head[-1:] == "-":
            return [head[:-1], GONE]
        if self.parts is not None:
            self.simple = False
            parts[1:] = [_part_name(part) for part in parts[1:]]
        return parts

    def _column(self, text: str) -> str | None:
        if text[:1] != "~":
            return text
        if text == "~":
            return None
        self.simple = False
        return Broken("a value does not begin with `~`")

    def _unescaped(self, text: str) -> str | None:
        if "\0" in text or "\1" in text or "\\" in text:
            if text[:1] == "~":
                return self._column(text)
            text = text.replace("\0", "\\\\").replace("\1", "\\|")
            try:
                return _COLUMN.sub(_unescape, text)
            except KeyError as wrong:
                self.simple = False
                behind = str(wrong.args[0])
                what = f"`\\{shown(behind)}` is no escape" if behind else "nothing comes after `\\`"
                return Broken(what)
        return self._column(text)

    def charge(self, size: int) -> None:
        """Charges the message (LIM-18)."""
        self.memory -= size
        if self.memory < 0:
            raise no_memory(self.limits, self.i)

    def check_depth(self) -> None:
        """Enforces LIM-20."""
        if len(max(self.heads, key=len)) <= 3 * self.allowed:
            return
        for i, head in enumerate(self.heads):
            if head.count("[") > self.allowed:
                message = f"an index has more than {self.allowed} elements"
                raise beyond("maxXmlDepth", self.allowed, message, i)

    # Order

    def _numbered(self, lines: list[str]) -> list[str]:
        """The lines with rows, without leading white space; keeps their numbers."""
        numbers = self.numbers or range(1, len(lines) + 1)
        given = [(i, line.lstrip(" \t")) for i, line in zip(numbers, lines)]
        given = [(i, line) for i, line in given if line]
        self.numbers = [i for i, _ in given]
        return [line for _, line in given]

    def sort(self) -> bool:
        """Sorts the rows by schema order; returns whether anything changed (TDX-13)."""
        stripped = self._strip()
        keys = [self._key(i) for i in range(len(self.rows))]
        order = sorted(range(len(keys)), key=keys.__getitem__)
        for one, other in zip(order, order[1:]):
            if keys[one] == keys[other]:
                first, second = sorted((one, other))
                message = f"an index occurs twice, in {self.named(first)} and"
                raise Stray(message, second)
        if order == list(range(len(keys))):
            return stripped
        self.rows = [self.rows[i] for i in order]
        self.heads = [self.heads[i] for i in order] + [""]
        numbers = self.numbers or list(range(1, len(order) + 1))
        self.numbers = [numbers[i] for i in order]
        self.restart()
        return True

    def _strip(self) -> bool:
        """Removes white space before indices, and blank rows; returns whether there was any."""
        heads = self.heads
        if not any(head[:1] in (" ", "\t") for head in heads[:-1]):
            return False
        kept = [i for i, row in enumerate(self.rows) if len(row) > 1 or heads[i].strip(" \t")]
        numbers = self.numbers or list(range(1, len(heads)))
        self.numbers = [numbers[i] for i in kept]
        self.rows = [self.rows[i] for i in kept]
        for row in self.rows:
            row[0] = row[0].lstrip(" \t")
        self.heads = [row[0] for row in self.rows] + [""]
        self.restart()
        return True

    def restart(self) -> None:
        """Starts over at the first row."""
        self.i = 0
        self.levels = self.limits.max_depth
        self.memory = self._memory
        self.used = set()

    def _key(self, i: int) -> Index:
        key = index_key(self.heads[i])
        if key is None:
            raise Stray("this is no index", i)
        return key

    def texts(self) -> list[str]:
        """The original rows, in their current order."""
        lines = _lines(self._text)
        return [lines[number - 1].lstrip(" \t") for number in self.row_numbers()]

    def row_numbers(self) -> list[int]:
        """The numbers of the rows, in their current order."""
        return self.numbers or list(range(1, len(self.heads)))

    # Errors

    def named(self, i: int) -> str:
        """The name of a row in an error (TDX-15)."""
        number = self.numbers[i] if self.numbers is not None else i + 1
        return shown_row(number, _lines(self._text)[number - 1].lstrip(" \t"))

    def explained(self, problem: Problem) -> str:
        """A message that names the row."""
        i = min(problem.p, len(self.rows) - 1)
        if i < 0:
            return f"{problem.message}: the table is empty"
        between = " " if problem.message.endswith(" and") else ", "
        return f"{problem.message}{between}{self.named(i)}"

    def unexpected(self, i: int | None = None) -> NoReturn:
        """The error for a row that was not read."""
        raise Stray("this row is not allowed here", self.i if i is None else i)

    # Unknown elements

    def skip(self, index: str, last: Index) -> Index:
        """Skips the current row and all beneath it, which must be valid rows (TDX-26).

        ``last`` is the row skipped before; the result is the last of these.
        """
        heads = self.heads
        while heads[self.i].startswith(index):
            key = self._key(self.i)
            if key <= last:
                self.unexpected()
            for column in self.rows[self.i][1:]:
                if column.__class__ is Broken:
                    raise Stray(str(column), self.i)
            last = key
            self.i += 1
        return last


def shown_row(number: int, line: str) -> str:
    """The text of a row in an error."""
    cut = "".join([c if category(c) == "Zs" else shown(c) for c in line[:_SHOWN]])
    more = "..." if len(line) > _SHOWN else ""
    return f"row {number}: {cut}{more}"


def _part_name(text: str | None) -> str | None:
    return text if text is None or not text.startswith("cid:") else PartName(text)


def _lines(text: str) -> list[str]:
    """The rows of a table's text, including empty ones."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    if len(lines) > 1 and not lines[0].strip(" \t"):
        del lines[0]
    if not lines[-1]:
        lines.pop()
    return lines


def _unescape(match: re.Match[str]) -> str:
    return _ESCAPES[match[1]]


def index_key(text: str) -> Index | None:
    """An index as numbers, by which rows are sorted; None if invalid."""
    if _INDEX.fullmatch(text) is None:
        return None
    key: list[int] = []
    for number, occurrence, attribute in _STEP.findall(text):
        if attribute:
            key += (0, int(attribute))
        else:
            key += (1, int(number), int(occurrence) if occurrence else -1)
    return None if max(key) > _MAX_INDEX else tuple(key)


def steps(text: str) -> list[tuple[str, str, str]]:
    """Number, occurrence and attribute number of each step of an index."""
    return _STEP.findall(text)


# The surrounding document


class Document:
    """The content of an ``Env``."""

    __slots__ = ("kind", "memory", "of", "schema", "text")

    def __init__(
        self, of: str | None, schema: str | None, kind: str, text: str, memory: int
    ) -> None:
        self.of = of
        """The name of its content (TDX-3)."""
        self.schema = schema
        self.kind = kind
        """``CT``, ``RT`` or ``UT``."""
        self.text = text
        self.memory = memory
        """The memory that the message may still take."""


def is_document(e: Any) -> bool:
    """Whether an element is a table document."""
    return split(e.tag) in ((NAMESPACE, "Env"), (NAMESPACE, "Envelope"))


def read_document(x: Tree, e: Any) -> Document:
    """Reads an ``Env`` to its end."""
    if not is_document(e):
        message = f"the element Env of {NAMESPACE!r} is expected, not {shown(x.name(e))}"
        raise Problem(message, x.at(e))
    refuse_attributes(x, e, "of")
    x.enter(_LEVELS)
    parts = Kids(x.children(e))
    part = parts.next()
    schema: str | None = None
    if part is not None and split(part.tag) in ((NAMESPACE, "DS"), (NAMESPACE, "DataSchema")):
        refuse_attributes(x, part)
        schema = x.text(part)
        part = parts.next()
    uri, local = ("", "") if part is None else split(part.tag)
    if part is None or uri != NAMESPACE or local not in _NAMES:
        found = "nothing" if part is None else shown(x.name(part))
        raise Problem(f"a table is expected, not {found}", x.at(e if part is None else part))
    refuse_attributes(x, part)
    text = x.text(part)
    more = parts.next()
    if more is not None:
        raise Problem(f"an element follows the table: {x.name(more)}", x.at(more))
    return Document(e.get("of"), schema, _NAMES[local], text, x.memory)
