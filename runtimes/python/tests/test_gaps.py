"""Arrays with missing items on the text wires: present items are read and written in bulk, with the
same result as one by one."""

from __future__ import annotations

import math
from typing import Any, Callable, Final

import pytest

from creo import CreoError
from sample import Colour, Gaps, Point, Query

#: Arrays of this length are written by the column, others item by item.
COUNT: Final = 5
POINTS: Final = [Point(float(i), -i / 8) for i in range(COUNT)]
#: The second is read otherwise than the first, since its last field is missing.
QUERIES: Final = [Query(f"<{i}|~>", None if i & 1 else Colour.GREEN, i) for i in range(COUNT)]
NUMBERS: Final = [0.5, math.inf, -0.0, 4.0, 1e300]
TEXTS: Final = ["", "~", "a&b", "\\n", "null"]
PATTERNS: Final = range(1 << COUNT)

Wire = tuple[Callable[[Gaps], bytes], Callable[[bytes], Gaps]]

WIRES: Final[dict[str, Wire]] = {
    "xml": (lambda v: v.to_xml(), Gaps.from_xml),
    "json": (lambda v: v.to_json(), Gaps.from_json),
    "record": (lambda v: v.to_tdxml(scheme="record"), Gaps.from_tdxml),
    "aggregated": (lambda v: v.to_tdxml(scheme="aggregated"), Gaps.from_tdxml),
}


def some(values: list[Any], pattern: int) -> list[Any]:
    return [value if pattern >> i & 1 else None for i, value in enumerate(values)]


def gaps(pattern: int) -> Gaps:
    arrays: list[list[Any]] = [POINTS, QUERIES, NUMBERS, TEXTS]
    return Gaps(*[some(values, pattern) for values in arrays])


@pytest.mark.parametrize("wire", WIRES)
def test_what_is_written_is_read(wire: str) -> None:
    write, read = WIRES[wire]
    for pattern in PATTERNS:
        value = gaps(pattern)
        assert read(write(value)) == value, pattern


@pytest.mark.parametrize("name", ["points", "queries", "numbers", "texts"])
def test_items_are_written_as_single_ones_are(name: str) -> None:
    empty = Gaps([], [], [], [])
    for pattern in PATTERNS:
        items: list[Any] = getattr(gaps(pattern), name)
        alone = [empty.replace(**{name: [item]}) for item in items]
        whole = empty.replace(**{name: items})

        head, tail = empty.to_xml().split(b"></")[0] + b">", b"</n1:Gaps>"
        inner = [value.to_xml().removeprefix(head).removesuffix(tail) for value in alone]
        assert whole.to_xml() == head + b"".join(inner) + tail

        head, tail = empty.to_json().split(f'"{name}":['.encode())
        head += f'"{name}":['.encode()
        inner = [value.to_json().removeprefix(head).removesuffix(tail) for value in alone]
        assert whole.to_json() == head + b",".join(inner) + tail

        if name in ("points", "queries"):
            for scheme in ("record", "aggregated"):
                index = f"[0][{0 if name == 'points' else 1}]"
                rows = [
                    row.replace(f"{index}0", f"{index}{i}", 1)
                    for i, value in enumerate(alone)
                    for row in value.to_tdxml(scheme=scheme).decode().split("\n")[1:-1]
                    if row.startswith(index)
                ]
                found = whole.to_tdxml(scheme=scheme).decode().split("\n")[1:-1]
                assert [row for row in found if row.startswith(index)] == rows


@pytest.mark.parametrize("wire", WIRES)
def test_a_wrong_item_behind_missing_ones_is_named(wire: str) -> None:
    write, read = WIRES[wire]
    wrong = Gaps([None, POINTS[0], None, None, Point("x", 1)], [], [], [])  # type: ignore[arg-type]
    with pytest.raises(CreoError) as caught:
        write(wrong)
    assert "$.points[4].x" in str(caught.value)
    right = write(Gaps([None, POINTS[0], None, None, Point(12345, 1)], [], [], []))
    with pytest.raises(CreoError) as caught:
        read(right.replace(b"12345", b"12x45"))
    where = "$.points[4].x" if wire != "json" else "byte"
    assert where in str(caught.value), str(caught.value)


def test_numbers_that_are_strings_stand_beside_missing_ones() -> None:
    text = b'{"points":[],"queries":[],"numbers":[null,"NaN",1,null,"-Infinity"],"texts":[]}'
    found = Gaps.from_json(text).numbers
    assert [found[i] for i in (0, 2, 3, 4)] == [None, 1.0, None, -math.inf]
    assert math.isnan(found[1] or 0)


@pytest.mark.parametrize("rows", ["[0]~", "[0]0~\n[0]0~", "[0]1~", "[0]0|~|~", "[0]0|1|2\n[0]0~"])
def test_rows_that_are_nothing_in_a_wrong_place(rows: str) -> None:
    own = rows.replace("[0]", "[0][0]")
    with pytest.raises(CreoError):
        Gaps.from_tdxml(f'<Env xmlns="urn:creo:tdxml" of="sample.Gaps"><RT>\n{own}\n</RT></Env>')
