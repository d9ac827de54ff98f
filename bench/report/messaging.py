"""Messages of megabytes over HTTP and JMS: the parts of a transaction, and what the papers conclude beside what is seen today. All of it computed; only figures and facts of
the papers stand here: "Effect of Serialized Messaging on Web Services Performance" (A) and its sequel with JMS (B)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from harness.report import size_name, times

from .compare import TIE, amount, mean
from .measures import Measure, Results, Row, Summary, in_order

PEERS = {"creo": "Creo", "cxf": "Apache CXF"}
FORMS = {"normal": "normal", "gzip": "normal, compressed", "serialized": "serialized", "tables": "tables", "binary": "binary"}
TRANSPORTS = {"http": "HTTP", "tcp": "TCP", "jms": "JMS", "jms-volatile": "JMS, not persistent"}
# Differences below these count as none: of shares, and of what does not depend on the payload when that is seventeen times as large.
SAME_SHARE = 0.005
CONSTANT = 2.0
# What "low" shall mean where a paper has no number.
LOW = 0.1


def title(workload: str) -> str:
    form, transport = workload.split("/")
    return f"{FORMS[form]} over {TRANSPORTS[transport]}"


class Cells:
    """Medians by peer, workload, what was measured and payload."""

    def __init__(self, results: Results) -> None:
        self.measures = {(m.peer, m.workload, m.what, int(m.size)): m for m in results.of("messaging")}
        self._received: dict[tuple[str, str, int], int] = {
            (row["peer"], row["workload"], row["size"]): row["received"] for row in results.rows.get("messaging", []) if row.get("received") and row["samples"]
        }

    def sizes(self, peer: str, *workloads: str) -> list[int]:
        """The payloads with which all of these were measured."""
        found = [{size for who, what, measured, size in self.measures if (who, what, measured) == (peer, workload, "response")} for workload in workloads]
        return sorted(set.intersection(*found))

    def median(self, peer: str, workload: str, what: str, size: int) -> float | None:
        found = self.measures.get((peer, workload, what, size))
        return found.summary.median if found else None

    def by_size(self, peer: str, workload: str, of: Callable[[int], float | None]) -> dict[int, float]:
        found = {size: of(size) for size in self.sizes(peer, workload)}
        return {size: value for size, value in found.items() if value is not None}

    def transaction(self, peer: str, workload: str) -> dict[int, float]:
        return self.by_size(peer, workload, lambda size: self.median(peer, workload, "response", size))

    def received(self, peer: str, workload: str) -> dict[int, float]:
        """Bytes that the client's connections received for a transaction."""
        return self.by_size(peer, workload, lambda size: self._received.get((peer, workload, size)))

    def step(self, peer: str, workload: str, what: str) -> dict[int, float]:
        return self.by_size(peer, workload, lambda size: self.median(peer, workload, what, size))

    def both_steps(self, peer: str, workload: str, of: str = "") -> dict[int, float]:
        """Serializing and deserializing together; of `cpu-`, their processor time."""
        there = self.step(peer, workload, f"{of}serialization")
        back = self.step(peer, workload, f"{of}deserialization")
        return {size: there[size] + back[size] for size in there if size in back}

    def spent(self, peer: str, workload: str) -> dict[int, float]:
        """Processor time of all programs for a transaction."""
        service, client, broker = (self.step(peer, workload, f"cpu-{name}") for name in ("service", "client", "broker"))
        return {size: service[size] + client[size] + broker.get(size, 0) for size in service if size in client}

    def side(self, peer: str, workload: str, side: str) -> dict[int, float]:
        """Processor time of the `server` or the `client` for a transaction, without the separately listed steps."""
        return {size: m.summary.median for size in self.sizes(peer, workload) if (m := self.part(peer, workload, side, size))}

    def part(self, peer: str, workload: str, name: str, size: int) -> Measure | None:
        """A line of the papers' figures: transaction, generation, serialization, deserialization, server, client, and the broker, of which they do not speak."""
        what, less = {
            "transaction": ("response", ()),
            "server": ("cpu-service", ("cpu-generation", *(("cpu-serialization",) if is_serialized(workload) else ()))),
            "client": ("cpu-client", ("cpu-deserialization",) if is_serialized(workload) else ()),
            "broker": ("cpu-broker", ()),
        }.get(name, (name, ()))
        found = self.measures.get((peer, workload, what, size))
        if found is None:
            return None
        apart = [self.median(peer, workload, each, size) for each in less]
        if None in apart:
            return None
        away = sum(each for each in apart if each is not None)
        s = found.summary
        return replace(found, peer=name, placement=PEERS.get(peer, peer), summary=Summary(*(max(0, value - away) for value in (s.median, s.low, s.high, s.least, s.greatest)), s.count))


def is_serialized(workload: str) -> bool:
    return workload.startswith("serialized/")


def parts(results: Results, workload: str) -> list[Measure]:
    """The lines of a figure of one workload, for each peer. Serializing is a part of the transaction only where an object was serialized."""
    cells = Cells(results)
    names = ("transaction", "client", "server", "broker", "generation", *(("serialization", "deserialization") if is_serialized(workload) else ()))
    found = [cells.part(peer, workload, name, size) for peer in PEERS for name in names for size in cells.sizes(peer, workload)]
    return [m for m in found if m is not None]


def transactions(results: Results, workloads: list[str], peers: tuple[str, ...] = tuple(PEERS)) -> list[Measure]:
    """The transactions of several workloads as lines of one figure, a plot for each peer."""
    return [replace(m, peer=title(m.workload), placement=PEERS[m.peer]) for peer in peers for workload in workloads for m in results.of("messaging", peer=peer, workload=workload, what="response")]


def forms(results: Results, transport: str) -> list[Measure]:
    """Creo's transactions in each form over one transport; HTTP carries no binary wire, so Creo's frames are shown for comparison."""
    found = [m for m in results.of("messaging", peer="creo", what="response") if m.workload.split("/")[1] in ((transport, "tcp") if transport == "http" else (transport,))]
    return [replace(m, peer=FORMS[m.workload.split("/")[0]] + (" over TCP" if m.workload.endswith("/tcp") else ""), placement=TRANSPORTS[transport]) for m in found]


# The conclusions of the papers.


@dataclass(frozen=True)
class Seen:
    """Today's observation on a conclusion; `agrees` is None if it is not a yes-or-no question."""

    text: str
    agrees: bool | None


@dataclass(frozen=True)
class Conclusion:
    where: str
    what: str
    theirs: str
    # By peer.
    seen: dict[str, Seen]


def shares(of: dict[int, float], whole: dict[int, float]) -> list[float]:
    return [of[size] / whole[size] for size in of if size in whole]


def percents(values: list[float]) -> str:
    low, high = f"{min(values):.0%}", f"{max(values):.0%}"
    return low if low == high else f"{low} to {high}"


def factors(values: list[float]) -> str:
    low, high = times(min(values)), times(max(values))
    return low if low == high else f"{low} to {high}"


def growth(values: dict[int, float]) -> tuple[float, float] | None:
    """By which factor something grows from the smallest payload to the largest, and by which the payload does; None of one payload."""
    sizes = sorted(values)
    return (values[sizes[-1]] / values[sizes[0]], sizes[-1] / sizes[0]) if len(sizes) > 1 and values[sizes[0]] else None


Judge = Callable[[Cells, str], Seen | None]


def share_of_steps(transport: str, most: float) -> Judge:
    def judge(cells: Cells, peer: str) -> Seen | None:
        workload = f"serialized/{transport}"
        found = shares(cells.both_steps(peer, workload), cells.transaction(peer, workload))
        spent = shares(cells.both_steps(peer, workload, "cpu-"), cells.spent(peer, workload))
        text = f"{percents(found)} of the transaction" + (f", {percents(spent)} of its processor time" if spent else "") if found else ""
        return Seen(text, sum(found) / len(found) < most + SAME_SHARE) if found else None

    return judge


def share_of_wire(cells: Cells, peer: str) -> Seen | None:
    """Of the normal message: what writing and reading its XML costs, which was measured without a transport."""
    found = shares(cells.both_steps(peer, "normal/http"), cells.transaction(peer, "normal/http"))
    return Seen(f"writing and reading the XML alone takes {percents(found)} as long as the transaction", max(found) < LOW) if found else None


def grows(of: Callable[[Cells, str], dict[int, float]], constant: bool) -> Judge:
    def judge(cells: Cells, peer: str) -> Seen | None:
        values = of(cells, peer)
        found = growth(values)
        if found is None:
            return None
        ends = " to ".join(amount(values[size], "ns") for size in (min(values), max(values)))
        return Seen(f"{ends}: {times(found[0])} for {times(found[1])} the payload", (found[0] < CONSTANT) == constant)

    return judge


def steps_compared(cells: Cells, peer: str, agrees: Callable[[float], bool]) -> Seen | None:
    of, back = cells.step(peer, "serialized/http", "serialization"), cells.step(peer, "serialized/http", "deserialization")
    found = shares(of, back)
    return Seen(f"serializing takes {factors(found)} as long as deserializing", agrees(mean(found))) if found else None


def longer(workload: str, than: str) -> Judge:
    """That the first takes longer than the second."""

    def judge(cells: Cells, peer: str) -> Seen | None:
        found = shares(cells.transaction(peer, workload), cells.transaction(peer, than))
        return Seen(f"takes {factors(found)} as long; {times(mean(found))} on average", mean(found) > TIE) if found else None

    return judge


def better_when_large(cells: Cells, peer: str) -> Seen | None:
    serialized, normal = cells.transaction(peer, "serialized/http"), cells.transaction(peer, "normal/http")
    both = {size: serialized[size] / normal[size] for size in serialized if size in normal}
    if len(both) < 2:
        return None
    small, large = min(both), max(both)
    return Seen(f"{times(both[small])} as long as normal at {size_name(small)}, {times(both[large])} at {size_name(large)}", both[large] * TIE < both[small])


def client_dominates(workload: str) -> Judge:
    def judge(cells: Cells, peer: str) -> Seen | None:
        client, server = cells.side(peer, workload, "client"), cells.side(peer, workload, "server")
        found = [client[size] / (client[size] + server[size]) for size in client if size in server and client[size] + server[size] > 0]
        return Seen(f"the client has {percents(found)} of both sides' processor time", sum(found) / len(found) > 0.5) if found else None

    return judge


def jms_is_faster(form: str, transport: str) -> Judge:
    def judge(cells: Cells, peer: str) -> Seen | None:
        found = shares(cells.transaction(peer, f"{form}/http"), cells.transaction(peer, f"{form}/{transport}"))
        return Seen(f"HTTP takes {factors(found)} as long as JMS; {times(mean(found))} on average", mean(found) > TIE) if found else None

    return judge


def order_of_four(cells: Cells, peer: str) -> Seen | None:
    four = ("normal/http", "serialized/http", "normal/jms", "serialized/jms")
    sizes = cells.sizes(peer, *four)
    if not sizes:
        return None
    taken = {workload: mean(cells.transaction(peer, workload)[size] for size in sizes) for workload in four}
    ordered = sorted(four, key=lambda workload: taken[workload])
    return Seen("from the quickest: " + ", ".join(f"{title(each)}" for each in ordered), (ordered[0], ordered[-1]) == ("normal/jms", "serialized/http"))


def server_rests(cells: Cells, peer: str) -> Seen | None:
    found = shares(cells.side(peer, "normal/jms", "server"), cells.side(peer, "normal/http", "server"))
    return Seen(f"the server takes {factors(found)} the processor time that it takes for HTTP", mean(found) < 1 / TIE) if found else None


def compression_beats_serialization(cells: Cells, peer: str) -> Seen | None:
    packed, serialized = cells.transaction(peer, "gzip/http"), cells.transaction(peer, "serialized/http")
    found = shares(packed, serialized)
    bytes_ = shares(cells.received(peer, "gzip/http"), cells.received(peer, "serialized/http"))
    if not found or not bytes_:
        return None
    return Seen(f"compressed takes {factors(found)} as long as serialized, with {percents(bytes_)} of its bytes", mean(found) < 1 / TIE)


def break_even(cells: Cells, peer: str, other: str) -> list[float]:
    """At each payload, the speed of a network in Mbit/s below which the bytes that compression saves against the other form are worth its time; infinite where it takes no more time."""
    packed, plain = cells.transaction(peer, "gzip/http"), cells.transaction(peer, f"{other}/http")
    small, large = cells.received(peer, "gzip/http"), cells.received(peer, f"{other}/http")
    found = []
    for size in packed:
        if size in plain and size in small and size in large:
            longer_by = packed[size] - plain[size]
            found.append((large[size] - small[size]) * 8e3 / longer_by if longer_by > 0 else float("inf"))
    return found


def compression_pays(cells: Cells, peer: str) -> Seen | None:
    found = break_even(cells, peer, "normal")
    slower = shares(cells.transaction(peer, "gzip/http"), cells.transaction(peer, "normal/http"))
    bytes_ = shares(cells.received(peer, "gzip/http"), cells.received(peer, "normal/http"))
    if not found:
        return None
    known = [value for value in found if value != float("inf")]
    below = "on every network" if not known else f"on a network below {min(known):,.0f} Mbit/s" if len(known) == 1 or f"{min(known):.0f}" == f"{max(known):.0f}" else (
        f"on a network below {min(known):,.0f} to {max(known):,.0f} Mbit/s")  # fmt: skip
    return Seen(f"takes {factors(slower)} as long as uncompressed here, with {percents(bytes_)} of the bytes; pays {below}", mean(slower) < 1 / TIE)


def saves_bytes(cells: Cells, peer: str) -> Seen | None:
    found = shares(cells.received(peer, "serialized/http"), cells.received(peer, "normal/http"))
    return Seen(f"{percents(found)} of the normal message's bytes", max(found) < 1) if found else None


def today(workload: str, milliseconds: float) -> Judge:
    def judge(cells: Cells, peer: str) -> Seen | None:
        found = cells.transaction(peer, workload)
        if not found:
            return None
        size = max(found)
        return Seen(f"{amount(found[size], 'ns')} at {size_name(size)}" + (f": {times(milliseconds * 1e6 / found[size])} as fast" if size == LARGEST else ""), None)

    return judge


LARGEST = 22_200_000

CONCLUSIONS: tuple[tuple[str, str, str, Judge], ...] = (
    ("A, figure 2", "serializing and deserializing take 2 to 3 % of the transaction (HTTP)", "2% to 3%", share_of_steps("http", 0.03)),
    ("B, figure 7", f"over JMS both are low (read as: below {LOW:.0%})", "low", share_of_steps("jms", LOW)),
    ("A, conclusion", "the normal message needs no conversion, and has no such cost", "none", share_of_wire),
    ("A, abstract", "serializing and deserializing cost the same whatever the payload", "constant", grows(lambda cells, peer: cells.both_steps(peer, "serialized/http"), True)),
    ("A, conclusion", "both cost the same", "1×", lambda cells, peer: steps_compared(cells, peer, lambda ratio: 1 / TIE <= ratio <= TIE)),
    ("B, conclusion", "serializing costs more than deserializing", "more", lambda cells, peer: steps_compared(cells, peer, lambda ratio: ratio > TIE)),
    ("A, figure 3; B, figure 5", "the serialized message takes longer than the normal one (HTTP)", "1.55×; 2.39× at 22.2 MB", longer("serialized/http", "normal/http")),
    ("B, figure 8", "the same over JMS", "longer but for a few points; 0.87× at 22.2 MB", longer("serialized/jms", "normal/jms")),
    ("A, abstract", "serializing is worth more with large payloads than with small ones", "0.90× at 1.3 MB, 2.39× at 22.2 MB", better_when_large),
    ("A, figures 1 and 2", "generating the payload takes the same time throughout", "2 to 20.7 ms", grows(lambda cells, peer: cells.step(peer, "normal/http", "generation"), True)),
    ("B, conclusion", "generating takes longer the larger the payload is", "rises", grows(lambda cells, peer: cells.step(peer, "normal/http", "generation"), False)),
    ("A, figure 1; B, figure 3", "the client takes the most of the transaction: normal, HTTP", "67% at 22.2 MB", client_dominates("normal/http")),
    ("A, figure 2; B, figure 4", "the same: serialized, HTTP", "70%", client_dominates("serialized/http")),
    ("B, figure 6", "the same: normal, JMS", "the server takes less", client_dominates("normal/jms")),
    ("B, figure 7", "the same: serialized, JMS", "the server takes less", client_dominates("serialized/jms")),
    ("B, conclusion", "JMS is faster than HTTP: normal", "1.46× at 22.2 MB", jms_is_faster("normal", "jms")),
    ("B, conclusion", "JMS is faster than HTTP: serialized, whatever the payload", "4.01× at 22.2 MB", jms_is_faster("serialized", "jms")),
    ("(ours)", "the same with a broker that keeps nothing: normal", "", jms_is_faster("normal", "jms-volatile")),
    ("(ours)", "the same with a broker that keeps nothing: serialized", "", jms_is_faster("serialized", "jms-volatile")),
    ("B, figure 9", "normal over JMS is the quickest of the four, serialized over HTTP the slowest", "as said", order_of_four),
    ("B, section 4.4", "the server has less to do with JMS, which connects once", "less", server_rests),
    ("A, conclusion", "compressing the normal message is better than serializing", "might be", compression_beats_serialization),
    ("(ours)", "compressing the normal message pays", "", compression_pays),
    ("A, introduction", "serialized messages need less of the network", "less", saves_bytes),
    ("A, figure 1", "the largest transaction: normal, HTTP", "1841 ms", today("normal/http", 1841)),
    ("A, figure 2", "serialized, HTTP", "4391 ms", today("serialized/http", 4391)),
    ("B, figure 6", "normal, JMS", "1261 ms", today("normal/jms", 1261.1)),
    ("B, figure 7", "serialized, JMS", "1095 ms", today("serialized/jms", 1095)),
)


def conclusions(results: Results) -> list[Conclusion]:
    cells = Cells(results)
    found = []
    for where, what, theirs, judge in CONCLUSIONS:
        seen = {peer: judge(cells, peer) for peer in PEERS}
        found.append(Conclusion(where, what, theirs, {peer: each for peer, each in seen.items() if each is not None}))
    return found


def verdict(seen: Seen, where: str) -> str:
    """The first word for the reader; for our questions, whether it holds."""
    if seen.agrees is None:
        return ""
    if where == "(ours)":
        return "yes" if seen.agrees else "no"
    return "agrees" if seen.agrees else "differs"


@dataclass(frozen=True)
class Line:
    """One form over one transport, at one payload."""

    peer: str
    workload: str
    # By column.
    values: dict[str, float]


COLUMNS = {
    "transaction": "transaction", "serialization": "serialize", "deserialization": "deserialize", "generation": "generate", "server": "server", "client": "client", "broker": "broker",
    "received": "bytes received",
}  # fmt: skip


def overview(results: Results, size: int) -> list[Line]:
    """All that was measured with one payload, the quickest first within a peer."""
    cells = Cells(results)
    made = []
    for peer in PEERS:
        workloads = dict.fromkeys(workload for who, workload, what, of in cells.measures if (who, what, of) == (peer, "response", size))
        for workload in workloads:
            values = {name: m.summary.median for name in COLUMNS if (m := cells.part(peer, workload, name, size))}
            received = cells.received(peer, workload).get(size)
            made.append(Line(peer, workload, values | ({"received": received} if received else {})))
    return sorted(made, key=lambda line: (list(PEERS).index(line.peer), line.values["transaction"]))


def column(name: str, value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if name == "received" else amount(value, "ns")


def largest(results: Results) -> int | None:
    sizes = in_order(m.size for m in results.of("messaging", what="response"))
    return int(sizes[-1]) if sizes else None


def cannot(results: Results) -> list[Row]:
    return [row for row in results.cannot if row["experiment"] == "messaging"]
