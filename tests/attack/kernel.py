"""The kernel's data on a process and its connections."""

from __future__ import annotations

import fcntl
import os
import pathlib
import socket
import struct
import termios
from dataclasses import dataclass

ESTABLISHED = 1


@dataclass(frozen=True)
class Connection:
    """A connection as the service has it: the client's address, and the bytes that were not acknowledged, and not read."""

    client: tuple[str, int]
    state: int
    unsent: int
    unread: int


def connections(port: int) -> dict[tuple[str, int], Connection]:
    """The connections of a service at its port."""
    found = {}
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in pathlib.Path(table).read_text().splitlines()[1:]:
            _, local, remote, state, queues, *_ = line.split()
            if int(local.rsplit(":", 1)[1], 16) != port:
                continue
            address, remote_port = remote.split(":")
            # The last four bytes of an address, which is printed as words of the machine's order.
            client = (".".join(str(byte) for byte in bytes.fromhex(address[-8:])[::-1]), int(remote_port, 16))
            unsent, unread = (int(n, 16) for n in queues.split(":"))
            if client[1]:
                found[client] = Connection(client, int(state, 16), unsent, unread)
    return found


def unread(connection: socket.socket) -> int:
    """Bytes that have arrived at a connection of our own, and were not read."""
    return int(struct.unpack("i", fcntl.ioctl(connection, termios.FIONREAD, b"\0" * 4))[0])


def threads(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/task"))


def open_files(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def processor_seconds(pid: int) -> float:
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_megabytes(pid: int) -> int:
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) // 1024
    return 0
