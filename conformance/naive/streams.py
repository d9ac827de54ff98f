#!/usr/bin/env python3
"""A naive client of `Streams`: a peer's mode `streams` (conformance/README.md), written straight from spec/transports/tcp.md, section 4.

It shares no code with any runtime. The tests use it to check the harness's own host: `creo-harness streams --peer "python3 conformance/naive/streams.py"`.
It has one thread, and reads from the connection only when it waits for an item, for credit or for the answer.

    streams.py streams      answers lines
"""

import collections
import json
import socket
import struct
import sys
import time

from ids import ROOT, Description

FIRST_CREDIT, WINDOW, MAX_CREDIT = 262_144, 1 << 20, 2**31 - 1
FULL = 65_536
CODES = (
    "malformed invalid-value too-large unknown-method deadline-exceeded cancelled unavailable overloaded unauthenticated "
    "permission-denied protocol-mismatch internal"
).split()
METHODS = Description((ROOT / "schemas" / f"{name}.creo").read_text(encoding="utf-8") for name in ("values", "other", "matrix")).ids()
IDS = {name: METHODS[f"conformance.matrix.Streams.{name}"] for name in ("ticks", "stopping", "sum", "first", "talk")}


class Failure(Exception):
    """The end of a call by an error, with its code."""


class Fatal(Failure):
    """An error after which the connection is closed."""


class Bytes:
    """The bytes of a body, read from the front."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        if self.at + size > len(self.data):
            raise Failure("malformed")
        self.at += size
        return self.data[self.at - size : self.at]

    def unpack(self, form):
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def count(self):
        number = 0
        for at in range(5):
            byte = self.take(1)[0]
            number |= (byte & 127) << 7 * at
            if byte < 128:
                if number > MAX_CREDIT or (byte == 0 and at):
                    break
                return number
        raise Failure("malformed")

    def text(self):
        try:
            return self.take(self.count()).decode("utf-8")
        except UnicodeDecodeError:
            raise Failure("malformed") from None

    def end(self):
        if self.at < len(self.data):
            raise Failure("malformed")


def count(number):
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + count(number >> 7)


def write_tick(index):
    text = f"tick {index}".encode()
    return struct.pack(">q", index) + count(len(text)) + text + struct.pack(">Bdd", 2, index, index + 0.5)


def read_tick(data):
    return data.unpack(">q"), data.text(), [data.unpack(">d") for _ in range(data.count())]


class Connection:
    """A connection to a host, and the number of its next call."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(b"CREO\x01\0\0\0")
        self.read = b""
        self.greeted = self.drains = False
        self.call = 0
        self.chain = None

    def send(self, kind, flags, call, rest=b""):
        try:
            self.socket.sendall(struct.pack(">IBBI", len(rest) + 6, kind, flags, call) + rest)
        except OSError:
            pass  # Reading says what happened.

    def fill(self, size, end):
        while len(self.read) < size:
            left = end - time.monotonic() if end else None
            if left is not None and left <= 0:
                raise Failure("deadline-exceeded")
            self.socket.settimeout(left)
            try:
                more = self.socket.recv(1 << 20)
            except TimeoutError:
                raise Failure("deadline-exceeded") from None
            except OSError:
                more = b""
            if not more:
                raise Fatal("unavailable")
            self.socket.settimeout(None)
            self.read += more
        taken, self.read = self.read[:size], self.read[size:]
        return taken

    def frame(self, end):
        """The next frame that is not a ping's business: kind, flags, call and rest. A chain comes as one frame."""
        if not self.greeted:
            if self.fill(8, end)[:5] != b"CREO\x01":
                raise Fatal("protocol-mismatch")
            self.greeted = True
        while True:
            # A frame is taken only when it is whole, so that a deadline within it loses nothing.
            while len(self.read) < 4 or len(self.read) < 4 + struct.unpack(">I", self.read[:4])[0]:
                self.read = self.fill(len(self.read) + 1, end) + self.read
            length = struct.unpack(">I", self.read[:4])[0]
            if length < 6:
                raise Fatal("malformed")
            kind, flags, call = struct.unpack(">BBI", self.read[4:10])
            rest = self.read[10 : 4 + length]
            self.read = self.read[4 + length :]
            defined = {2: 5, 3: 5, 4: 5, 5: 1, 6: 0, 7: 0, 8: 0, 9: 0, 10: 0, 11: 0}.get(kind, -1)
            if defined < 0 or flags & ~defined or (kind in (6, 7, 8, 9) and rest) or (kind == 11 and len(rest) != 4):
                raise Fatal("malformed")
            if (self.chain is not None) if kind in (2, 3, 4, 10, 11) else kind == 5 and (self.chain is None or self.chain[1] != call):
                raise Fatal("malformed")
            if kind == 7:
                self.send(8, 0, call)
            elif kind == 9:
                self.drains = True
            elif kind == 5:
                self.chain = (self.chain[0], call, self.chain[2] + rest)
                if not flags & 1:
                    (kind, call, rest), self.chain = self.chain, None
                    return kind, call, rest
            elif flags & 1:
                self.chain = (kind, call, rest)
            elif kind not in (6, 8):
                return kind, call, rest


class Call:
    def __init__(self, connection, line):
        self.connection, self.method = connection, line["method"]
        self.end = time.monotonic() + line["deadline"] / 1000 if line["deadline"] else None
        self.takes, self.gives = self.method in ("sum", "first", "talk"), self.method in ("ticks", "stopping", "talk")
        self.credit, self.left = FIRST_CREDIT, FIRST_CREDIT
        self.items, self.answer = collections.deque(), None
        connection.call += 1
        self.id = connection.call
        arguments = {"ticks": struct.pack(">q", line["count"]), "first": struct.pack(">i", 10), "sum": b"", "talk": b""}
        rest = arguments[self.method] if self.method != "stopping" else struct.pack(">i", line["count"])
        connection.send(1, 0, self.id, struct.pack(">QI", int(IDS[self.method], 16), line["deadline"]) + rest)

    def receive(self):
        """Reads one frame, which may be of another call."""
        kind, call, rest = self.connection.frame(self.end)
        if kind == 4 and call == 0:
            raise Fatal(CODES[rest[0] - 1])
        if call != self.id:
            return
        if kind == 10:
            if not self.gives or self.left <= 0:
                raise Fatal("malformed")
            self.left -= len(rest)
            data = Bytes(rest)
            number = data.count()
            if number > len(rest):
                raise Failure("malformed")
            items = [read_tick(data) if self.method != "stopping" else data.unpack(">q") for _ in range(number)]
            data.end()
            self.items += items
        elif kind == 11:
            more = struct.unpack(">I", rest)[0]
            self.credit += more
            if not 0 < more <= MAX_CREDIT or self.credit > MAX_CREDIT:
                raise Fatal("malformed")
        else:
            self.answer = kind, Bytes(rest)

    def next(self):
        """The next item, or None at the end."""
        while not self.items:
            if self.answer:
                return None
            if self.left <= WINDOW // 2:
                self.connection.send(11, 0, self.id, struct.pack(">I", WINDOW - self.left))
                self.left = WINDOW
            self.receive()
        return self.items.popleft()

    def write(self, items, end):
        """Sends items once there is credit; False: the call was answered before."""
        while self.credit <= 0 and not self.answer:
            self.receive()
        if self.answer:
            return False
        rest = count(len(items)) + b"".join(items)
        self.credit -= len(rest)
        self.connection.send(10, 8 if end else 0, self.id, rest)
        return True

    def outcome(self):
        """The word of the answer, and its result where that is not a stream."""
        kind, data = self.answer
        if kind == 4:
            return CODES[data.take(1)[0] - 1], 0
        if kind == 3:
            if self.method not in ("stopping", "first") or data.count() != 0:
                raise Failure("malformed")
            data.take(4)
        result = data.unpack(">q") if kind == 2 and not self.gives else 0
        data.end()
        return ("value" if kind == 2 else "declared"), result


def play(call, line, told):
    write = write_tick if call.method == "talk" else lambda index: struct.pack(">q", index)
    taken = read = 0

    def give(number):
        """Takes so many items of the source, and sends them."""
        batch = []
        nonlocal taken
        for _ in range(number):
            if taken == line["failAfter"]:
                told["taken"] = taken
                call.connection.send(6, 0, call.id)
                return "source"
            if taken == line["count"]:
                break
            batch.append(write(taken))
            taken += 1
        told["taken"] = taken
        return call.write(batch, taken == line["count"])

    more = call.takes
    while more is True and not line["lockstep"]:
        more = give((FULL - 5) // (8 if call.method != "talk" else 64))
        if more is True and taken == line["count"]:
            more = False
    while call.gives and more != "source":
        if line["lockstep"] and taken < line["count"] and (more := give(1)) == "source":
            break
        item = call.next()
        if item is None:
            break
        due = (read if call.method != "talk" else 2 * read, f"tick {read}", [read, read + 0.5])
        number = item if call.method == "stopping" else item[0]
        if item not in (due, read):
            call.connection.send(6, 0, call.id)
            return "wrong-value"
        read += 1
        told.update(items=read, sum=told["sum"] + number)
        if line["pause"]:
            time.sleep(line["pause"] / 1000)
        if read == line["take"]:
            call.connection.send(6, 0, call.id)
            return "closed"
    if more == "source":
        return "source"
    while not call.answer:
        call.receive()
    word, result = call.outcome()
    told["sum"] += result
    return word


def main():
    connection = None
    for text in sys.stdin:
        line = json.loads(text)
        told = {"items": 0, "sum": 0, "taken": 0}
        if line["fresh"] or connection is None or connection.drains:
            if connection:
                connection.socket.close()
            connection = Connection(line["port"])
        call = Call(connection, line)
        try:
            told["end"] = play(call, line, told)
        except Failure as failure:
            told["end"] = str(failure)
            if isinstance(failure, Fatal):
                connection.socket.close()
                connection = None
            elif not call.answer:
                connection.send(6, 0, call.id)
        print(json.dumps(told), flush=True)


main()
