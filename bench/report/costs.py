"""What serializing costs by type, array length and string length, as the paper on the cost of XML serialization asked: straight lines through what calibration measured,
what one more item of an array costs and what one more field of a composite does, and the paper's findings beside ours."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Iterable

from .measures import Measure, Results, Row
from .papers import Finding

EXPERIMENT = "cost-paper"
# The stacks of the paper first: of each its language, its wire of `creo calibrate`, and what people call it.
PAPERS = {("csharp", "xmlserializer"): ".NET XmlSerializer", ("java", "jaxb"): "Java JAXB"}
WAYS = {"serialize": "writing", "deserialize": "reading"}
# Arrays up to this length, as in the paper.
LONGEST = 1_000
# Calibration's workloads, by the methods of its description: arrays of each kind, and arrays of structs of as many fields of that kind.
ITEMS = {
    "booleans": "boolean", "shorts": "short", "chars": "char", "ints": "int", "longs": "long", "floats": "float", "doubles": "double", "strings": "String", "instants": "DateTime",
    "decimals": "Decimal", "blobs": "byte[]", "colours": "enum",
}  # fmt: skip
FIELDS = {
    "booleanFields": "boolean", "byteFields": "byte", "shortFields": "short", "charFields": "char", "intFields": "int", "longFields": "long", "floatFields": "float",
    "doubleFields": "double", "stringFields": "String", "instantFields": "DateTime", "decimalFields": "Decimal", "blobFields": "byte[]", "colourFields": "enum",
}  # fmt: skip
# How many fields the structs have.
COUNTS = {"byte[]": 4}
STRINGS, HUNDRED = "String", "100 String"

# The paper's findings. Where the lines of strings have their cut-off, in characters; reading has none.
CUTS = {("csharp", "serialize"): 256, ("java", "serialize"): 128, ("csharp", "deserialize"): None, ("java", "deserialize"): None}
# Whether an item of an array and a field of a composite cost the same; shown for integers and doubles.
SAME = {("csharp", "serialize"): True, ("csharp", "deserialize"): True, ("java", "serialize"): False, ("java", "deserialize"): True}
# Differences below a tenth are none (COST-26).
TENTH = 0.1
# Student's quantiles of 97.5 % for 1, 2, ... degrees of freedom.
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)


def workload(request: str) -> tuple[str, int] | None:
    """What a request of calibration is, by its name ("ints ints.v=100"): the workload and the length. None where it is part of no line."""
    method, *rest = request.split()
    if rest[-1:] == ["wide"]:
        return None
    lengths = dict(word.rsplit("=", 1) for word in rest)
    count = lengths.get(f"{method}.v")
    if count is None:
        return None
    if method == "strings" and f"{method}.v[]" in lengths:
        return (HUNDRED, mean(lengths[f"{method}.v[]"])) if count == "100" else None
    if method in ITEMS:
        return f"{ITEMS[method]}[]", int(count)
    if method in FIELDS:
        return f"{FIELDS[method]} fields", int(count)
    return {"ones": ("int field", int(count)), "text": (STRINGS, int(count))}.get(method)


def mean(length: str) -> int:
    """Of strings about as long as one another: `19..21`."""
    least, _, most = length.partition("..")
    return (int(least) + int(most or least)) // 2


@dataclass(frozen=True)
class Line:
    """Least squares without weights, as in the paper: nanoseconds for one more, and how well the line explains the times."""

    intercept: float
    slope: float
    # The reach of the slope's interval of 95 %.
    reach: float
    r2: float
    points: int


def line(points: Iterable[tuple[float, float]]) -> Line | None:
    """None of fewer than three lengths."""
    found = list(points)
    n = len(found)
    if len({x for x, _ in found}) < 3:
        return None
    mx, my = sum(x for x, _ in found) / n, sum(y for _, y in found) / n
    sxx = sum((x - mx) ** 2 for x, _ in found)
    slope = sum((x - mx) * (y - my) for x, y in found) / sxx
    intercept = my - slope * mx
    left = sum((y - intercept - slope * x) ** 2 for x, y in found)
    all_ = sum((y - my) ** 2 for _, y in found)
    return Line(intercept, slope, student(n - 2) * math.sqrt(left / (n - 2) / sxx), 1 - left / all_ if all_ else 1.0, n)


def student(freedom: int) -> float:
    """Beyond the table a curve that is right to one in a hundred."""
    return STUDENT[freedom - 1] if freedom <= len(STUDENT) else 1.96 + 2.4 / freedom


Stack = tuple[str, str]


def stacks(results: Results) -> list[Stack]:
    """Language and wire of all that was measured, the paper's first."""
    found = list(dict.fromkeys((m.language, m.peer) for m in results.of(EXPERIMENT)))
    return [stack for stack in PAPERS if stack in found] + [stack for stack in found if stack not in PAPERS]


def of_stack(results: Results, stack: Stack, way: str, work: str, longest: float = math.inf) -> list[Measure]:
    found = results.of(EXPERIMENT, language=stack[0], peer=stack[1], what=way, workload=work)
    return sorted((m for m in found if isinstance(m.size, int) and m.size <= longest), key=lambda m: m.size)


def line_of(results: Results, stack: Stack, way: str, work: str, longest: float = LONGEST) -> Line | None:
    return line((float(m.size), m.summary.median) for m in of_stack(results, stack, way, work, longest))


@dataclass(frozen=True)
class Pair:
    """What one more item of an array costs, and one more field of a composite, in nanoseconds, with the reach of either's interval."""

    item: float
    item_reach: float
    field: float
    field_reach: float

    @property
    def verdict(self) -> str:
        """The same: by less than a tenth. Otherwise distinguished only if they differ by more than the interval of their difference."""
        difference = abs(self.item - self.field)
        if difference <= TENTH * max(self.item, self.field):
            return "the same"
        return "not the same" if difference > math.hypot(self.item_reach, self.field_reach) else "not told apart"

    @property
    def factor(self) -> float:
        return self.field / self.item if self.item > 0 else math.inf


def pair(results: Results, stack: Stack, way: str, kind: str) -> Pair | None:
    """An item costs what the line of its arrays says. A field costs what a struct of several has more than a struct of none, for each of them; what the struct itself costs is known from structs
    of one and of eight integers."""
    items = line_of(results, stack, way, f"{kind}[]")
    one = line_of(results, stack, way, "int field")
    ints = line_of(results, stack, way, "int fields")
    several = line_of(results, stack, way, f"{kind} fields")
    if items is None or one is None or ints is None or several is None:
        return None
    count = COUNTS.get(kind, 8)
    if kind == "int":
        return Pair(items.slope, items.reach, (ints.slope - one.slope) / 7, math.hypot(ints.reach, one.reach) / 7)
    # The struct: one.slope - (ints.slope - one.slope) / 7.
    struct, reach = (8 * one.slope - ints.slope) / 7, math.hypot(8 * one.reach, ints.reach) / 7
    return Pair(items.slope, items.reach, (several.slope - struct) / count, math.hypot(several.reach, reach) / count)


def fit(results: Results, stack: Stack, way: str) -> Row | None:
    """What calibration's own fit says of a stack: the row without samples."""
    for row in results.rows.get(EXPERIMENT, []):
        if "fit" in row and (row["language"], row["peer"], row["what"]) == (*stack, way):
            found: Row = row["fit"]
            return found
    return None


def differ(profile: Row, one: str, other: str) -> bool | None:
    """COST-26 of a fit in a profile: whether two of its coefficients differ by more than the interval of their difference, and by more than a tenth. None if one is not there."""
    names = [each["feature"] for each in profile["coefficients"]]
    if one not in names or other not in names:
        return None
    i, j = names.index(one), names.index(other)
    a, b = (profile["coefficients"][at]["ns"] for at in (i, j))

    def covariance(x: int, y: int) -> float:
        high, low = max(x, y), min(x, y)
        return float(profile["covariance"][high * (high + 1) // 2 + low])

    variance = covariance(i, i) + covariance(j, j) - 2 * covariance(i, j)
    difference = abs(a - b)
    return bool(difference > student(profile["freedom"]) * math.sqrt(max(variance, 0)) and difference > TENTH * max(a, b))


def findings(results: Results) -> list[Finding]:
    """What the paper found, and whether it is so here. What was not measured says so."""
    return [finding for stack in PAPERS for finding in (*linear(results, stack), *cut_offs(results, stack), *steepness(results, stack), *composites(results, stack))]


def linear(results: Results, stack: Stack) -> list[Finding]:
    found = []
    for way, word in WAYS.items():
        lines = {kind: made for kind in ITEMS.values() if (made := line_of(results, stack, way, f"{kind}[]"))}
        ours, agrees = "not measured", None
        if lines:
            worst = min(lines, key=lambda kind: lines[kind].r2)
            agrees = lines[worst].r2 >= 0.99
            ours = f"R² {lines[worst].r2:.4f} or more, of {len(lines)} types; the least is that of {worst}"
        found.append(Finding("section 3", f"{PAPERS[stack]}, {word}: linear in the length of an array", "R² very close to 1", ours, agrees))
    return found


def cut_offs(results: Results, stack: Stack) -> list[Finding]:
    """Ours agrees with a place if its interval holds it, or misses it by less than a quarter: buffers are counted in bytes, and strings in characters."""
    found = []
    for way, word in WAYS.items():
        theirs = CUTS[stack[0], way]
        profile = fit(results, stack, way)
        ours, agrees = "not measured", None
        if profile is not None:
            cut = profile["cut"]
            ours = "none" if cut is None else f"at {cut['at']:.0f} ({cut['low']:.0f} to {cut['high']:.0f})"
            agrees = (cut is None) == (theirs is None) and (cut is None or theirs is None or cut["low"] / 1.25 <= theirs <= cut["high"] * 1.25)
        found.append(Finding("section 3", f"{PAPERS[stack]}, {word}: cut-off of strings, characters", "none" if theirs is None else f"at {theirs}", ours, agrees))
    return found


def steepness(results: Results, stack: Stack) -> list[Finding]:
    lines = [line_of(results, stack, way, HUNDRED, math.inf) for way in WAYS]
    ours, agrees = "not measured", None
    if lines[0] is not None and lines[1] is not None:
        writing, reading = (each.slope / 100 for each in lines if each is not None)
        ours, agrees = f"{reading:.2f} ns a character, writing {writing:.2f} ns", reading < writing
    return [Finding("section 3", f"{PAPERS[stack]}: reading strings is less steep than writing them", "less steep", ours, agrees)]


def composites(results: Results, stack: Stack) -> list[Finding]:
    found = []
    for way, word in WAYS.items():
        theirs = SAME[stack[0], way]
        pairs = {kind: made for kind in ("int", "double") if (made := pair(results, stack, way, kind))}
        ours, agrees = "not measured", None
        if pairs:
            ours = ", ".join(f"{kind}: {each.verdict} (a field {each.factor:.2f}× an item)" for kind, each in pairs.items())
            verdicts = {each.verdict for each in pairs.values()}
            agrees = None if verdicts == {"not told apart"} else ("not the same" not in verdicts) == theirs
        found.append(Finding("section 3.3", f"{PAPERS[stack]}, {word}: one more item and one more field cost", "the same" if theirs else "not the same", ours, agrees))
    return found


def verdict(results: Results) -> str:
    """The paper's finding in a sentence: for which stacks an item of an array and a field of a composite cost the same."""
    sides: dict[str, list[str]] = {"the same": [], "not the same": [], "not told apart": []}
    for stack in stacks(results):
        for way, word in WAYS.items():
            verdicts = [each.verdict for kind in ("int", "double") if (each := pair(results, stack, way, kind))]
            if verdicts:
                worst = next(side for side in ("not the same", "not told apart", "the same") if side in verdicts)
                sides[worst].append(f"{stack_name(stack)} {word}")
    texts = [f"{side}: {', '.join(names)}" for side, names in sides.items() if names]
    return "One more item of an array and one more field of a composite (integers and doubles) cost " + "; ".join(texts) + "." if texts else ""


def stack_name(stack: Stack) -> str:
    languages = {"java": "Java", "python": "Python", "c": "C", "csharp": "C#"}
    return PAPERS.get(stack) or f"Creo {stack[1]} in {languages.get(stack[0], stack[0])}"
