"""A client of the benchmark of streams, controlled by its input, one command a line:

    doubles read|write BLOCKS LENGTH
    structs read|write COUNT

It answers each with the nanoseconds of the call and what its reader added up, or with `cannot` and the reason.

    streams.py PEER PORT
"""

from __future__ import annotations

import socket
import struct
import sys
import time
import traceback
from array import array
from itertools import repeat
from typing import Any, Callable, Iterable

START = 1_700_000_000_000


def block_of(length: int) -> array[float]:
    return array("d", (i * 0.5 + 1 for i in range(length)))


def signed(total: int) -> int:
    """The sum as a long of the other languages, which wraps around."""
    return (total + (1 << 63)) % (1 << 64) - (1 << 63)


class Blocks:
    """What blocks add up to. Adding up numbers in Python would take longer than any stream: of each block the ends are looked at, and all blocks are equal."""

    def __init__(self, length: int) -> None:
        expected = block_of(length)
        self._ends, self._last, self._count, self._length = (expected[0], expected[-1]), expected, 0, length

    def add(self, block: Any) -> None:
        if len(block) != self._length or (block[0], block[-1]) != self._ends:
            raise AssertionError("another block than was expected")
        self._last = block
        self._count += 1

    def sum(self) -> int:
        return signed(self._count * sum(memoryview(array("d", self._last)).cast("B").cast("Q")))


def sum_of_readings(readings: Iterable[Any]) -> int:
    whole, values = 0, 0.0
    for each in readings:
        whole += each.time + each.flags
        values += each.value
    return signed(whole + int(2 * values))


class Creo:
    """Creo's client over TCP, at its defaults; whether it has the accelerator is decided by the environment."""

    def __init__(self, port: int) -> None:
        from bench.streams import Reading, StreamingClient
        from creo import Array

        self._reading, self._array = Reading, Array
        self._client = StreamingClient("127.0.0.1", port)

    def read_blocks(self, count: int, length: int) -> int:
        found = Blocks(length)
        for block in self._client.blocks(count, length):
            found.add(block.view)
        return found.sum()

    def write_blocks(self, count: int, length: int) -> int:
        return self._client.put_blocks(repeat(self._array("d", block_of(length)), count))

    def read_readings(self, count: int) -> int:
        return sum_of_readings(self._client.readings(count))

    def write_readings(self, count: int) -> int:
        reading = self._reading
        return self._client.put_readings(reading(START + i, i % 1000 * 0.5, i & 7) for i in range(count))


class Bare:
    """A bare socket, as BarePeer.java has it. Doubles are swapped in the array that was read, which touches all bytes."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _fill(self, view: memoryview) -> None:
        at = 0
        while at < len(view):
            got = self._socket.recv_into(view[at:])
            if not got:
                raise EOFError("the service closed the connection")
            at += got

    def read_blocks(self, count: int, length: int) -> int:
        self._socket.sendall(struct.pack(">cqi", b"r", count, length))
        found, block = Blocks(length), block_of(length)
        view = memoryview(block).cast("B")
        for _ in range(count):
            self._fill(view)
            block.byteswap()
            found.add(block)
        return found.sum()

    def write_blocks(self, count: int, length: int) -> int:
        self._socket.sendall(struct.pack(">cqi", b"w", count, length))
        block = block_of(length)
        block.byteswap()
        for _ in range(count):
            self._socket.sendall(block)
        answer = bytearray(8)
        self._fill(memoryview(answer))
        return int.from_bytes(answer, "big", signed=True)


class Grpc:
    """grpcio: its blocking streams."""

    def __init__(self, port: int) -> None:
        import grpc
        import streams_pb2

        self._messages = streams_pb2
        channel = grpc.insecure_channel(f"127.0.0.1:{port}")
        count, reading = streams_pb2.Count, streams_pb2.Reading
        service = "/streams_proto.Streaming/"
        self._readings = channel.unary_stream(f"{service}Readings", request_serializer=count.SerializeToString, response_deserializer=reading.FromString)
        self._put_readings = channel.stream_unary(f"{service}PutReadings", request_serializer=reading.SerializeToString, response_deserializer=count.FromString)

    def read_readings(self, count: int) -> int:
        return sum_of_readings(self._readings(self._messages.Count(count=count)))

    def write_readings(self, count: int) -> int:
        reading = self._messages.Reading
        answer: int = self._put_readings(reading(time=START + i, value=i % 1000 * 0.5, flags=i & 7) for i in range(count)).count
        return answer


PEERS: dict[str, Callable[[int], Any]] = {"creo": Creo, "bare": Bare, "grpc": Grpc}


def obey(client: Any, words: list[str]) -> str:
    workload, direction, *numbers = words
    method = getattr(client, f"{direction}_{'blocks' if workload == 'doubles' else 'readings'}")
    try:
        start = time.perf_counter_ns()
        total = method(*map(int, numbers))
        return f"{time.perf_counter_ns() - start} {total}"
    except Exception as problem:  # whatever a peer throws is its answer; the whole of it is in the log
        traceback.print_exc()
        return f"cannot {type(problem).__name__}: {problem}".splitlines()[0]


def main() -> None:
    client = PEERS[sys.argv[1]](int(sys.argv[2]))
    print("ready", flush=True)
    for line in sys.stdin:
        print(obey(client, line.split()), flush=True)


if __name__ == "__main__":
    main()
