"""The wire benchmark in Python, under pyperf: one round over the chosen cells.

    wire.py --workloads numbers,strings --sizes 100,1000 --peers creo,msgpack --round 0 [pyperf's options]
    wire.py --check ...        only checks the round trips and prints a JSON line for each cell: its bytes and their CRC-32

The sizes of the workload `soap` are the names of its messages. Each cell runs in processes of its own. Round N starts with the Nth peer, so that a slow minute of the machine falls on another one.
"""

from __future__ import annotations

import json
import time
import zlib
from typing import Any

import pyperf


def peers_of(workload: str) -> dict[str, Any]:
    """The peers of a workload. Peers of text wires have different generated code, so only one of the two is imported."""
    if workload == "soap":
        import soap_peers

        return soap_peers.PEERS
    import peers

    return {name: peer for name, peer in peers.PEERS.items() if workload == "numbers" or name not in peers.ONLY_NUMBERS}


OPTIONS = ("workloads", "sizes", "peers", "round")


def cells(args: Any) -> list[tuple[str, int | str, str]]:
    made = []
    for workload in args.workloads.split(","):
        known = peers_of(workload)
        names = args.peers.split(",") if args.peers else list(known)
        turn = args.round % len(names)
        made += [
            (workload, size if workload == "soap" else int(size), peer)
            for size in args.sizes.split(",")
            for peer in names[turn:] + names[:turn]
            if peer in known
        ]
    return made


def check(args: Any) -> None:
    for workload, size, peer in cells(args):
        message = peers_of(workload)[peer](workload, size).bytes
        print(json.dumps({"workload": workload, "size": size, "peer": peer, "bytes": len(message), "crc": zlib.crc32(message)}))


made: dict[tuple[str, int | str, str], Any] = {}


def timed(loops: int, cell: tuple[str, int | str, str], operation: str) -> float:
    """The processor seconds of this thread for this many calls. Creates the case on first use, so a process has only one."""
    if cell not in made:
        made[cell] = peers_of(cell[0])[cell[2]](cell[0], cell[1])
    function = getattr(made[cell], operation)
    turns = range(loops)
    start = time.thread_time()
    for _ in turns:
        function()
    return time.thread_time() - start


def main() -> None:
    def pass_on(command: list[str], args: Any) -> None:
        for option in OPTIONS:
            command.extend((f"--{option}", str(getattr(args, option))))

    runner = pyperf.Runner(add_cmdline_args=pass_on)
    runner.argparser.add_argument("--workloads", default="numbers,strings,texts,bytes,reals")
    runner.argparser.add_argument("--sizes", default="1000")
    runner.argparser.add_argument("--peers", default="")
    runner.argparser.add_argument("--round", type=int, default=0)
    runner.argparser.add_argument("--check", action="store_true")
    args = runner.parse_args()
    if args.check:
        check(args)
        return
    for cell in cells(args):
        for operation in ("serialize", "deserialize"):
            runner.bench_time_func("/".join((cell[0], str(cell[1]), cell[2], operation)), timed, cell, operation)


if __name__ == "__main__":
    main()
