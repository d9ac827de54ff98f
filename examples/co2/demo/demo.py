"""make demo: builds the CO2 example, starts its Java service, runs every client against it, and shows the sizes and times.

clients.json lists the clients: a row for each language, with its bindings. Exit code 0 only if all of them ran over all of these and received what
they stored.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator

from counter import Counter

EXAMPLE = Path(__file__).resolve().parents[1]
ROOT = EXAMPLE.parents[1]
BUILD = ROOT / "build" / "demo"
GENERATED = BUILD / "generated"
DATA = EXAMPLE / "data" / "co2.csv"
DESCRIPTION = EXAMPLE / "co2.creo"
CREO = ROOT / "target" / "debug" / "creo"
# The libraries of the package creo.jms in Java, from scripts/java-jms.sh.
JMS = str(ROOT / "build" / "jms" / "*")

# How often a client stores and retrieves the series for the time of a call; the first half warms up.
REPEATS = {"binary+tcp": 2000, "binary+jms": 1000}
REPEATS_OF_OTHERS = 300
# Far above what anything here takes: a client that hangs is a failure, not a hang of the demo.
PATIENCE = 300


class Failed(Exception):
    """A step that did not work."""


@dataclass
class Result:
    """What came of one client over one binding."""

    row: dict[str, Any]
    binding: str
    problem: str = ""
    calls: int = 0
    sent: bytes = b""
    received: bytes = b""
    store: float = 0.0
    retrieve: float = 0.0


def say(text: str) -> None:
    print(text, flush=True)


def fill(word: str) -> str:
    return word.format(root=ROOT, example=EXAMPLE, build=BUILD, generated=GENERATED)


def run(command: list[str], *, environment: dict[str, str] | None = None, stdin: str | None = None) -> str:
    """Runs a program to its end; what it printed, or why it failed."""
    result = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        input=stdin if stdin is not None else "",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if result.returncode != 0:
        said = (result.stderr.strip() or result.stdout.strip()).splitlines()
        raise Failed(f"{Path(command[0]).name} failed with exit code {result.returncode}" + (": " + "\n  ".join(said[-15:]) if said else ""))
    return result.stdout


def build(rows: list[dict[str, Any]]) -> list[Result]:
    """Generates and compiles everything; a client that does not compile has its problem in its result."""
    targets = sorted({"java", *(row["target"] for row in rows)})
    say(f"generating {', '.join(targets)} from {DESCRIPTION.relative_to(ROOT)}")
    # The broker is a module of Java alone.
    for some, modules in ((["java"], "jms,jms-broker"), ([target for target in targets if target != "java"], "jms")):
        if some:
            run([str(CREO), "generate", "--quiet", "--prune", "--target", ",".join(some), "--with", modules, "--out", str(GENERATED), str(DESCRIPTION)])
    say("compiling the service and the clients")
    java = [str(path) for folder in (GENERATED / "java", EXAMPLE / "java", EXAMPLE / "jms") for path in sorted(folder.rglob("*.java")) if path.name != "module-info.java"]
    run(["javac", "--release", "17", "-cp", JMS, "-d", str(BUILD / "java"), *java])
    results = []
    for row in rows:
        problem = ""
        try:
            for command in row["build"]:
                run([fill(word) for word in command])
        except (Failed, OSError, subprocess.TimeoutExpired) as failure:
            problem = f"did not build: {failure}"
        results += [Result(row, binding, problem) for binding in row["bindings"]]
    # By binding, so the same calls are adjacent.
    return sorted(results, key=lambda result: result.binding)


def call(result: Result, ports: dict[str, int], first_of_binding: bool) -> None:
    """
    Runs one client twice: through a counter of bytes, and directly for the time of a call. The first of a binding runs once more before, for the
    service, and the broker in it: else it would be measured with what they do for the first time.
    """
    command = [fill(word) for word in result.row["run"]]
    environment = {name: fill(value) for name, value in result.row.get("environment", {}).items()}
    transport = result.binding.split("+")[1]
    counter = Counter(("127.0.0.1", ports[transport]))
    try:
        first = run([*command, result.binding, f"127.0.0.1:{counter.port}", str(DATA), "0"], environment=environment)
    finally:
        counter.close()
    result.sent, result.received = bytes(counter.sent), bytes(counter.received)
    say("".join(f"  {line}\n" for line in first.splitlines()[:-1]).rstrip())
    repeats = REPEATS.get(result.binding, REPEATS_OF_OTHERS)
    measure = [*command, result.binding, f"127.0.0.1:{ports[transport]}", str(DATA), str(repeats)]
    if first_of_binding:
        run(measure, environment=environment)
    said = json.loads(run(measure, environment=environment).splitlines()[-1])
    result.calls, result.store, result.retrieve = said["calls"], said["storeMicroseconds"], said["retrieveMicroseconds"]


def frames(stream: bytes) -> Iterator[bytes]:
    """The frames of one direction of a connection, after its preamble (spec/transports/tcp.md)."""
    at = 8
    while at + 4 <= len(stream):
        end = at + 4 + int.from_bytes(stream[at : at + 4], "big")
        yield stream[at:end]
        at = end


def show_message(results: list[Result]) -> None:
    """The smallest request that a client really sent, byte by byte."""
    for result in results:
        if result.binding != "binary+tcp":
            continue
        # 22 bytes of frame, then the body: that of `find` is the longest of the small ones.
        small = [frame for frame in frames(result.sent) if len(frame) < 200]
        if small:
            message = max(small, key=len)
            say(f"\nA request as the {result.row['language']} client sent it, by `creo inspect --frame`:\n")
            say(run([str(CREO), "inspect", str(DESCRIPTION), "--frame", "--hex", message.hex()]).rstrip())
            return


def table(results: list[Result]) -> None:
    head = ("language", "binding", "calls", "bytes out", "bytes in", "store", "retrieve")
    lines = [
        (
            result.row["language"],
            result.binding,
            f"{result.calls:,}",
            f"{len(result.sent):,}",
            f"{len(result.received):,}",
            f"{result.store:,.0f} µs",
            f"{result.retrieve:,.0f} µs",
        )
        for result in results
        if not result.problem
    ]
    widths = [max(len(line[i]) for line in (head, *lines)) for i in range(len(head))]
    say("")
    for line in (head, tuple("-" * width for width in widths), *lines):
        say("  ".join(text.ljust(width) if i < 2 else text.rjust(width) for i, (text, width) in enumerate(zip(line, widths))))
    say(
        "\nBytes: of the four calls store, retrieve, find and one that fails as declared, frames, headers and, over JMS, all that client and broker say to each other\n"
        "included. Times: the median of a call with all 2,225 samples, on one warm connection over loopback, encoding and decoding on both sides included; over JMS\n"
        "with persistent messages, at a broker that keeps them in memory."
    )


def start_service() -> tuple[subprocess.Popen[str], dict[str, int]]:
    service = subprocess.Popen(
        ["java", "-cp", f"{BUILD / 'java'}{os.pathsep}{JMS}", "org.example.app.QueueService"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert service.stdout is not None
    line = service.stdout.readline()
    ports = {transport: int(port) for transport, port in re.findall(r"(tcp|http|jms)://[^:]+:(\d+)", line)}
    if len(ports) < 3:
        service.kill()
        raise Failed(f"the service did not start: {line.strip() or 'it said nothing'}")
    say(line.strip())
    return service, ports


def chosen(languages: list[str]) -> list[dict[str, Any]]:
    """The rows of these languages."""
    rows: list[dict[str, Any]] = json.loads((EXAMPLE / "demo" / "clients.json").read_text())
    targets = [row["target"] for row in rows]
    unknown = [name for name in languages if name not in targets]
    if unknown or not languages:
        raise Failed(f"there is no client in {', '.join(unknown) or 'no language'}; choose from {','.join(targets)}")
    return [row for row in rows if row["target"] in languages]


def main() -> int:
    try:
        rows = chosen(sys.argv[1].split(",") if len(sys.argv) > 1 else ["java", "python", "c", "csharp"])
        results = build(rows)
        service, ports = start_service()
    except (Failed, OSError, subprocess.TimeoutExpired) as problem:
        say(f"demo: {problem}")
        return 1
    try:
        warm: set[str] = set()
        for result in results:
            if not result.problem:
                say(f"\n{result.row['language']} client, {result.binding}")
                try:
                    call(result, ports, result.binding not in warm)
                    warm.add(result.binding)
                except (Failed, OSError, ValueError, KeyError, IndexError, subprocess.TimeoutExpired) as problem:
                    result.problem = str(problem)
                    say(f"  {problem}")
    finally:
        # The service stops when its input ends.
        service.stdin.close()
        try:
            service.wait(timeout=30)
        except subprocess.TimeoutExpired:
            service.kill()
    try:
        show_message(results)
    except (Failed, OSError) as problem:
        say(f"demo: {problem}")
        return 1
    table(results)
    wrong = [result for result in results if result.problem]
    for result in wrong:
        say(f"\nDid not run: {result.row['language']} over {result.binding}: {result.problem}")
    say("\nAll clients got back what they stored." if not wrong else f"\n{len(wrong)} of {len(results)} clients did not.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
