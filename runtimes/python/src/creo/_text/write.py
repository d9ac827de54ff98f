"""Values as texts for any wire: templates filled in for one value or many at a time.

A struct is one template with a list of functions for its values; those of nested structs are
included. Arrays are filled in by column.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
from operator import attrgetter
from typing import Any, Callable, Final

from .._binary import Bad
from .._buffer import Array
from .._columns import StructArray
from . import lexical
from .columns import date_time_texts, decimal_texts


class TextWriting:
    """The state of a message being written."""

    __slots__ = ("depth", "missing", "own", "parts")

    def __init__(self, depth: int, parts: list[bytes] | None = None) -> None:
        self.depth = depth
        """Remaining levels of recursive types (BIN-13)."""
        self.parts = parts
        """The parts of a multipart (SOAP-21); None for none."""
        self.own: dict[str, str] = {}
        """The prefixes that the current element declares for names (XML-48)."""
        self.missing = ""
        """Their declarations that are still to be written."""


#: For forms that need no state.
NO_STATE: Final = TextWriting(0)
#: Writes a value.
Form = Callable[[Any, TextWriting], str]
#: Writes many values of one type.
Forms = Callable[[Sequence[Any], TextWriting], Sequence[str]]

#: Larger nested structs are filled in separately.
MAX_LEAVES: Final = 40
#: SOAP-21: smaller byte strings stay inline.
MIN_PART: Final = 1_024
#: Arrays of at least this length are written column by column.
COLUMNS_FROM: Final = 4


def all_doubles(values: Sequence[Any], w: TextWriting) -> Sequence[str]:
    """The texts of many doubles."""
    if set(map(type, values)) <= {float}:
        return lexical.double_texts(list(values))
    return list(map(lexical.format_double, values))


def all_whole(word: str, form: Callable[..., str]) -> Forms:
    """The texts of many whole numbers of one type."""
    least, most = lexical.RANGES[word]

    def forms(values: Sequence[Any], w: TextWriting) -> Sequence[str]:
        if set(map(type, values)) == {int} and least <= min(values) and max(values) <= most:
            return list(map(str, values))
        return list(map(form, values))

    return forms


#: For functions that write one value, those that write many.
MANY: Final[dict[Any, Forms]] = {
    lexical.format_double: all_doubles,
    lexical.format_byte: all_whole("byte", lexical.format_byte),
    lexical.format_short: all_whole("short", lexical.format_short),
    lexical.format_int: all_whole("int", lexical.format_int),
    lexical.format_long: all_whole("long", lexical.format_long),
    lexical.format_date_time: lambda values, w: date_time_texts(values),
    lexical.format_decimal: lambda values, w: decimal_texts(values),
}


def many(form: Form) -> Forms:
    """The function that writes many values for one that writes a single value."""
    return MANY.get(form) or _each(form)


def _each(form: Form) -> Forms:
    return lambda values, w: [form(value, w) for value in values]


class Piece:
    """A template and its values: paths of attributes, and the functions for their values.

    The empty path is the value itself.
    """

    __slots__ = ("leaves", "template")

    def __init__(self, template: str, leaves: list[tuple[str, Form]]) -> None:
        self.template = template
        self.leaves = leaves

    def below(self, name: str) -> list[tuple[str, Form]]:
        """The same for the object that has the value."""
        return [(f"{name}.{path}" if path else name, form) for path, form in self.leaves]

    def form(self) -> Form:
        """The function that fills in one value."""
        template, leaves = self.template, self.leaves
        if not leaves:
            text = template % ()
            return lambda v, w: text
        if len(leaves) == 1 and not leaves[0][0]:
            only = leaves[0][1]
            return only if template == "%s" else lambda v, w: template % only(v, w)
        get = attrgetter(*[path for path, _ in leaves])
        forms = [form for _, form in leaves]
        if len(leaves) == 1:
            alone = forms[0]
            return lambda v, w: template % alone(get(v), w)
        return lambda v, w: template % tuple([f(x, w) for f, x in zip(forms, get(v))])

    def forms(self) -> Forms:
        """The function that fills in many values."""
        template, leaves = self.template, self.leaves
        all_forms = [many(form) for _, form in leaves]
        if not leaves:
            text = template % ()
            return lambda values, w: [text] * len(values)
        if len(leaves) == 1:
            path, single = leaves[0][0], all_forms[0]
            if not path:
                return lambda values, w: [template % text for text in single(values, w)]
            get_one = attrgetter(path)
            return lambda values, w: [template % t for t in single(list(map(get_one, values)), w)]
        get = attrgetter(*[path for path, _ in leaves])

        def fill(values: Sequence[Any], w: TextWriting) -> Sequence[str]:
            columns = zip(*map(get, values))
            texts = [forms(column, w) for forms, column in zip(all_forms, columns)]
            return list(map(template.__mod__, zip(*texts)))

        return fill


def in_a_row(pieces: Sequence[Piece]) -> tuple[str, list[Form]]:
    """One template for as many values as there are pieces, and their functions."""
    template, forms = "", list[Form]()
    for piece in pieces:
        alone = len(piece.leaves) == 1 and not piece.leaves[0][0]
        template += piece.template if alone else "%s"
        forms.append(piece.leaves[0][1] if alone else piece.form())
    return template, forms


def joined(piece: Piece, between: str = "", nothing: str | None = None) -> Form:
    """Items in sequence; ``nothing`` replaces None, if that is possible."""
    form, forms = piece.form(), piece.forms()
    if nothing is not None:
        form, forms = or_else(form, nothing), _all_or_else(forms, nothing)

    def write(values: Any, w: TextWriting) -> str:
        if values.__class__ is StructArray:
            values = list(values)
        if isinstance(values, (str, bytes)):
            raise Bad
        if len(values) < COLUMNS_FROM:
            return between.join([form(v, w) for v in values])
        return between.join(forms(values, w))

    def write_many(arrays: Sequence[Any], w: TextWriting) -> Sequence[str]:
        # Keeps parts in the order of the arrays.
        if w.parts is not None or set(map(type, arrays)) != {tuple}:
            return [write(values, w) for values in arrays]
        every = list(chain.from_iterable(arrays))
        texts = iter(forms(every, w) if every else ())
        return [between.join(islice(texts, size)) for size in map(len, arrays)]

    MANY[write] = write_many
    return write


def or_else(form: Form, nothing: str) -> Form:
    """Writes a value that may be None."""
    return lambda v, w: nothing if v is None else form(v, w)


def _all_or_else(forms: Forms, nothing: str) -> Forms:
    def fill(values: Sequence[Any], w: TextWriting) -> Sequence[str]:
        given = [value for value in values if value is not None]
        if len(given) == len(values):
            return forms(given, w)
        texts = iter(forms(given, w)) if given else iter(())
        return [nothing if value is None else next(texts) for value in values]

    return fill


def is_packed(values: Any) -> bool:
    """Whether these are the numbers of an ``Array``, or the units of a ``char[]``."""
    return isinstance(values, (Array, str))
