"""JSON in C: the codecs of the binary wire with the names of their fields.

They do the same as the functions of this package, or leave it to them.
"""

from __future__ import annotations

import threading
from json.encoder import encode_basestring as quote
from typing import TYPE_CHECKING, Any, Final, Protocol

from .._binary.schema import ACCELERATED, Later
from .._text import (
    TextEntries,
    TextEnum,
    TextField,
    TextGroup,
    TextList,
    TextOptional,
    TextRecord,
    TextRepeated,
    TextUnion,
    TextValue,
    TextWrapped,
)
from .._text.read import REFUSED, absent_json
from .write import in_order

if TYPE_CHECKING:
    from .._base import Limits
    from .._binary.schema import Fast

_NAMED: Final = "json-named"
#: How the accelerator handles an absent member.
_REFUSED, _NOTHING, _DEFAULT = range(3)
_LOCK: Final = threading.Lock()


class FastJson(Protocol):
    """As ``Fast``, for JSON."""

    def decode_json(self, document: bytes, limits: Limits, /) -> Any: ...
    def encode_json(self, value: Any, limits: Limits, /) -> Any: ...


def json_codec(fast: Fast | None, form: TextValue | TextGroup | None) -> FastJson | None:
    """The codec of a type in C with the names in ``form``; None if there is none."""
    if not ACCELERATED or fast is None or form is None:
        return None
    node: Any = fast.made() if isinstance(fast, Later) else fast
    with _LOCK:
        if isinstance(form, (TextRecord, TextUnion)) or not isinstance(form, TextGroup):
            _name(form)
        elif _NAMED not in form.compiled:
            # The parameters of a method.
            form.compiled[_NAMED] = True
            for field in form.fields:
                _name(field.value)
            node.name(*_members([(field, _REFUSED) for field in form.fields]))
    codec: FastJson = node
    return codec


def _name(form: Any) -> None:
    """Gives the codecs of all types in a form their names, once."""
    forms = [form]
    while forms:
        value = forms.pop()
        if isinstance(value, (TextOptional, TextRepeated, TextList)):
            forms.append(value.value)
        elif isinstance(value, TextWrapped):
            forms.append(value.item.value)
        elif isinstance(value, TextEntries):
            forms += [value.key.value, value.value.value]
        elif isinstance(value, (TextRecord, TextUnion, TextEnum)):
            forms += _name_type(value)


def _name_type(value: TextRecord | TextUnion | TextEnum) -> list[TextValue]:
    """Gives the codec of a type its names, but not the codecs of its fields."""
    from .._binary.accelerator import codec_of

    type_: Any = value.type
    form = value if type_.text is None else type_.text
    if _NAMED in form.compiled:
        return []
    form.compiled[_NAMED] = True
    node: Any = codec_of(type_)
    if type_.fast is None:
        # C cannot handle this class.
        return []
    if isinstance(value, TextEnum):
        constants = sorted(dict(type_.constants).items())
        node.name(tuple((quote(name), 0) for _, name in constants), tuple(range(len(constants))))
        return []
    if isinstance(value, TextUnion):
        node.name(*_members([(field, _REFUSED) for field in value.fields]))
    else:
        pairs = [(field, _absent(value, i)) for i, field in enumerate(value.fields)]
        node.name(_members(pairs)[0], tuple(in_order(value)))
    return [field.value for field in value.fields]


def _members(
    pairs: list[tuple[TextField, int]],
) -> tuple[tuple[tuple[str, int], ...], tuple[int, ...]]:
    return tuple((quote(field.name), absent) for field, absent in pairs), tuple(range(len(pairs)))


def _absent(record: TextRecord, i: int) -> int:
    found = absent_json(record, i)
    return _REFUSED if found is REFUSED else _NOTHING if found is None else _DEFAULT
