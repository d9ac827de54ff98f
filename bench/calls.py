"""make bench-calls: calls a second of `Order get(long)` by Python clients, Creo's beside gRPC's, of one caller and of several. See docs/measuring.md."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from harness import machine, results
from harness.languages import protoc
from harness.report import Figure
from harness.response import Cannot, Program
from harness.response_build import HERE as LOGS
from harness.tools import BENCH, BUILD, JAVAC, ROOT, Failed, ensure, fresh, generate, run, say

Row = results.Row
SOURCES = BENCH / "orders"
HERE = BUILD / "calls"
GRPC = BENCH / "streams"
PEERS = ("creo", "creo+accelerator", "grpc")
KINDS = {"threads": "blocking calls", "tasks": "asyncio"}
# Far above what anything takes: what hangs is a failure.
PATIENCE = 120


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench-calls", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10, help="how often each cell is measured (default: 10)")
    parser.add_argument("--calls", type=int, default=5_000, help="calls of a cell in a round (default: 5000)")
    parser.add_argument("--callers", type=int, action="append", help="threads or tasks that call at once; may be repeated (default: 1 and 16)")
    parser.add_argument("--core", type=int, default=0, help="the core on which services and clients run (default: 0); -1: all of them, where the time that an idle core takes to wake up counts, too")
    parser.add_argument("--without-grpc", action="store_true", help="measure Creo alone, with no package of another")
    parser.add_argument("--results", type=Path, default=BENCH / "results", help="folder for calls.json and calls.md (default: bench/results)")
    parser.add_argument("--report", action="store_true", help="measure nothing: write calls.md again from calls.json")
    return parser.parse_args()


def python_of(peer: str) -> Path:
    """The same interpreter for all; gRPC's is in an environment that has it."""
    return HERE / "venv" / "bin" / "python" if peer == "grpc" else Path(sys.executable)


def build(grpc: bool) -> None:
    """The services, and what the clients import."""
    fresh(HERE)
    LOGS.mkdir(parents=True, exist_ok=True)
    generate("python", "orders")
    sources = [*generate("java", "orders").rglob("*.java"), SOURCES / "java" / "Shop.java"]
    if grpc:
        ensure("python")
        run(["mvn", "-q", "-B", "-f", GRPC / "grpc", "package", f"-Dbench.build={HERE / 'grpc'}"], capture=True)
        for language in ("java", "python"):
            protoc(f"{language}_out", fresh(HERE / "gen" / language), "workloads")
        sources += [*(HERE / "gen" / "java").rglob("*.java"), SOURCES / "java" / "GrpcShop.java"]
        run([sys.executable, "-m", "venv", HERE / "venv"])
        run([python_of("grpc"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", GRPC / "python" / "requirements.txt"])
    listed = fresh(HERE / "classes").parent / "sources.txt"
    listed.write_text("\n".join(str(path) for path in sources if path.name != "module-info.java"))
    run([*JAVAC, "-nowarn", "-proc:none", "-cp", f"{HERE}/grpc/lib/*", "-d", HERE / "classes", f"@{listed}"], capture=True)


def service(peer: str) -> Program:
    name = "GrpcShop" if peer == "grpc" else "Shop"
    return Program(f"calls-{peer}-service", ["java", "-Xms512m", "-Xmx512m", "-cp", f"{HERE}/classes:{HERE}/grpc/lib/*", f"bench.orders.programs.{name}"])


def client(peer: str, port: str) -> Program:
    folders = (BUILD / "creo" / "python-orders" / "python", HERE / "gen" / "python", ROOT / "build" / "accelerator")
    environment = {"PYTHONPATH": os.pathsep.join(map(str, folders)), "CREO_ACCELERATOR": "1" if peer == "creo+accelerator" else "0"}
    return Program(f"calls-{peer}", [python_of(peer), SOURCES / "python" / "orders.py", "grpc" if peer == "grpc" else "creo", port], environment)


def measure(options: argparse.Namespace) -> Row:
    peers = [peer for peer in PEERS if peer != "grpc" or not options.without_grpc]
    build("grpc" in peers)
    callers = options.callers or [1, 16]
    cells = [(peer, kind, count) for kind in KINDS for count in callers for peer in peers]
    rows: dict[tuple[str, str, int], Row] = {cell: {**dict(zip(("peer", "kind", "callers"), cell)), "calls": [], "cpu": []} for cell in cells}
    if options.core >= 0:
        os.sched_setaffinity(0, {options.core})
    before, programs, clients = machine.load(), [], {}
    try:
        for peer in peers:
            programs.append(service(peer))
            clients[peer] = client(peer, programs[-1].line(PATIENCE))
            programs.append(clients[peer])
            clients[peer].line(PATIENCE)
        for turn in range(options.rounds + 1):
            # Another one is first in each round. The first round warms up.
            start = turn % len(cells)
            for peer, kind, count in cells[start:] + cells[:start]:
                spent = clients[peer].processor_time()
                nanoseconds = int(clients[peer].ask(f"{kind} {count} {options.calls}", PATIENCE))
                spent = clients[peer].processor_time() - spent
                if turn:
                    rows[peer, kind, count]["calls"].append(round(options.calls / nanoseconds * 1e9, 1))
                    rows[peer, kind, count]["cpu"].append(round(spent / options.calls * 1e6, 2))
            say(f"calls: round {turn} of {options.rounds}")
    finally:
        for program in reversed(programs):
            program.stop()
    result = {
        "experiment": "calls",
        "machine": machine.describe(),
        "core": options.core,
        "runs": [{"command": machine.command("bench-calls"), "load_before": before, "load_after": machine.load()}],
        "versions": versions("grpc" in peers),
        "rows": list(rows.values()),
    }
    results.write(options.results / "calls.json", result)
    return result


def versions(grpc: bool) -> dict[str, str]:
    found = {"JDK": machine.first_line("java", "-version"), "Python": machine.first_line(sys.executable, "--version").removeprefix("Python ")}
    if grpc:
        found["gRPC for Java"] = (GRPC / "grpc" / "pom.xml").read_text().split("<grpc.version>")[1].split("<")[0]
        found |= dict(line.split("==") for line in (GRPC / "python" / "requirements.txt").read_text().split())
    return found


def ratio(rows: dict[tuple[str, str, int], Row], mine: tuple[str, str, int], other: tuple[str, str, int]) -> Figure | None:
    """How many times the calls a second of another cell, round by round; None if it was not measured."""
    if other not in rows or mine not in rows:
        return None
    return Figure.of([own / others for own, others in zip(rows[mine]["calls"], rows[other]["calls"])])


def shown(figure: Figure | None, places: int = 2) -> str:
    return "" if figure is None else f"{figure.median:.{places}f}× ±{(figure.high - figure.low) / 2:.{places}f}"


def verdicts(rows: dict[tuple[str, str, int], Row]) -> list[str]:
    """What was reached of the targets, which are of blocking calls with the accelerator."""
    lines = []
    for target in json.loads((BENCH / "targets.json").read_text()):
        if "orders" not in target:
            continue
        count, goal = target["callers"], target["at_least"]
        other = ("grpc", "threads", count) if target["orders"] == "grpc" else ("creo+accelerator", "threads", 1)
        found = ratio(rows, ("creo+accelerator", "threads", count), other)
        if found is not None:
            of = "gRPC's" if target["orders"] == "grpc" else "those of one"
            lines.append(f"- {threads(count)} with the accelerator: {shown(found)} the calls of {of}, wanted {goal}×: {'reached' if found.median >= goal else '**falls short**'}")
    return lines


def threads(count: int) -> str:
    return f"{count} thread{'s' * (count != 1)}"


def markdown(result: Row) -> str:
    rows = {(row["peer"], row["kind"], row["callers"]): row for row in result["rows"]}
    taken = result["machine"]
    pinned = "All programs are pinned to one core. " if result["core"] >= 0 else ""
    lines = [
        "# Calls from Python",
        "",
        "`Order get(long)`: an order of five items and two tags by its number, of a Java service that makes it anew for each call; the client looks at every item. All callers share one client.",
        f"{pinned}Each cell is measured once in each round, another one first. Figures are medians of the rounds, ratios medians of those of a round, with half the distance between the quartiles.",
        "",
        f"Taken on {taken['processor']}, {taken['cpus']} CPUs, {taken['memory']}, {taken['kernel']}.",
        "",
        *(f"- `{run['command']}` (load before {run['load_before']}, after {run['load_after']})" for run in result["runs"]),
        "- " + ", ".join(f"{name} {version}" for name, version in result["versions"].items()),
        "",
        *verdicts(rows),
        "",
        "| | callers | client | calls/s | beside gRPC | beside one caller | client's CPU for a call, µs |",
        "|---|---:|---|---:|---:|---:|---:|",
    ]
    for (peer, kind, count), row in rows.items():
        figure = Figure.of(row["calls"])
        beside = ratio(rows, (peer, kind, count), ("grpc", kind, count)) if peer != "grpc" else None
        alone = ratio(rows, (peer, kind, count), (peer, kind, 1)) if count > 1 else None
        lines.append(f"| {KINDS[kind]} | {count} | {peer} | {figure.median:,.0f} ±{(figure.high - figure.low) / 2 / figure.median:.0%} | {shown(beside)} | {shown(alone)} | {Figure.of(row['cpu']).median:.0f} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    options = arguments()
    page = options.results / "calls.md"
    try:
        result = json.loads((options.results / "calls.json").read_text()) if options.report else measure(options)
    except (Failed, Cannot, OSError) as problem:
        say(f"bench-calls: {problem}")
        return 1
    text = markdown(result)
    page.write_text(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
