"""A client of the response time benchmark, which is told by its input what to do, a line each:

    prepare KIND SIZE                 makes a request and sends it once: `ok`
    run CALLERS NANOSECONDS LEAST     calls so long, each caller at least so often: `CALLS NANOSECONDS` and nine quantiles of the times of single calls

What cannot be done is answered with `cannot` and the reason.

    response.py PEER ADDRESS
"""

from __future__ import annotations

import sys
import threading
import time
import traceback
from typing import Any, Callable

import clients

QUANTILES = 9


class Caller:
    def __init__(self, make: Callable[[str], clients.Client], address: str) -> None:
        self._make, self._address = make, address
        self._clients: list[clients.Client] = []
        self._kind, self._count, self._request = "", 0, None

    def prepare(self, kind: str, size: int) -> str:
        self._request = None
        self._kind, self._count = kind, size // (1 if kind == "bytes" else 10)
        self._request = self._client(0).prepare(kind, self._count)
        self._checked(self._client(0).method(kind)(self._request))
        return "ok"

    def _client(self, index: int) -> clients.Client:
        while len(self._clients) <= index:
            self._clients.append(self._make(self._address))
        return self._clients[index]

    def _checked(self, answer: int) -> None:
        if answer != self._count:
            raise AssertionError(f"the service got {answer} items instead of {self._count}")

    def run(self, callers: int, nanoseconds: int, least: int) -> str:
        methods = [self._client(index).method(self._kind) for index in range(callers)]
        start = time.perf_counter_ns()
        end = start + nanoseconds
        if callers == 1:
            times = [self._loop(methods[0], end, least)]
        else:
            times = self._parallel(methods, end, least)
        elapsed = time.perf_counter_ns() - start
        ordered = sorted(each for of_caller in times for each in of_caller)
        shown = min(QUANTILES, len(ordered))
        thinned = (ordered[(2 * i + 1) * len(ordered) // (2 * shown)] for i in range(shown))
        return f"{len(ordered)} {elapsed} {','.join(map(str, thinned))}"

    def _parallel(self, methods: list[Callable[[Any], int]], end: int, least: int) -> list[list[int]]:
        times: list[list[int]] = []
        problems: list[Exception] = []

        def work(method: Callable[[Any], int]) -> None:
            try:
                times.append(self._loop(method, end, least))
            except Exception as problem:  # Reported to the caller below.
                problems.append(problem)

        threads = [threading.Thread(target=work, args=(method,)) for method in methods]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if problems:
            raise problems[0]
        return times

    def _loop(self, method: Callable[[Any], int], end: int, least: int) -> list[int]:
        times: list[int] = []
        clock, request, wanted = time.perf_counter_ns, self._request, self._count
        before = clock()
        while before < end or len(times) < least:
            if method(request) != wanted:
                raise AssertionError("the service got another number of items")
            now = clock()
            times.append(now - before)
            before = now
        return times


def main() -> None:
    caller = Caller(clients.PEERS[sys.argv[1]], sys.argv[2])
    print("ready", flush=True)
    for line in sys.stdin:
        words = line.split()
        try:
            if words[0] == "prepare":
                answer = caller.prepare(words[1], int(words[2]))
            else:
                answer = caller.run(int(words[1]), int(words[2]), int(words[3]))
        except Exception as problem:  # Whatever a peer raises is its answer; the whole of it is in the log.
            traceback.print_exc()
            answer = "cannot " + " ".join(f"{type(problem).__name__}: {problem}".split())[:160]
        print(answer, flush=True)


if __name__ == "__main__":
    main()
