"""The service that is attacked, and the legitimate client beside the attack: built, started, asked and stopped."""

from __future__ import annotations

import json
import os
import pathlib
import queue
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

import wire

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = pathlib.Path(os.environ.get("CREO_ATTACK_BUILD", ROOT / "build" / "attack"))
CREO = pathlib.Path(os.environ.get("CREO", ROOT / "target" / "debug" / "creo"))
# Far above what anything takes: what hangs is a failure.
BUILD_SECONDS = 300
START_SECONDS = 60
STOP_SECONDS = 60
LEGITIMATE_SECONDS = 120
HOST = "127.0.0.1"
PLAIN = ("tcp-kept", "tcp-fresh", "http-kept", "http-fresh")
SECURE = ("tls-kept", "tls-fresh", "https-kept", "https-fresh")


class Failure(Exception):
    """An attack has succeeded, or could not be made."""


@dataclass(frozen=True)
class Options:
    """How a service is started. Cases of the same options follow each other on one service."""

    heap: str = "512m"
    limits: tuple[tuple[str, int], ...] = ()
    tls: bool = False
    # Separate ports for TCP and HTTP, instead of one for both.
    split: bool = False
    # The max number of the process's file descriptors; 0 for the machine's limit.
    files: int = 0


def run(command: Sequence[str | pathlib.Path]) -> str:
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, cwd=WORK, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=BUILD_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failure(f"{' '.join(words)[:200]}: {error}") from None
    if done.returncode != 0:
        raise Failure(f"exit code {done.returncode}: {' '.join(words)[:200]}: {(done.stdout + done.stderr)[-1500:]}")
    return done.stdout


class Build:
    """The service's classes, the ids of its methods, and a certificate for it."""

    def __init__(self, jdk: pathlib.Path | None) -> None:
        self.java = str(jdk / "bin" / "java") if jdk else "java"
        shutil.rmtree(WORK, ignore_errors=True)
        (WORK / "logs").mkdir(parents=True)
        self.model = WORK / "model.json"
        self.model.write_text(run([CREO, "model", HERE / "victim.creo"]))
        wire.load_methods(self.model)
        run([CREO, "generate", "--quiet", HERE / "victim.creo", "--target", "java", "--wires", "all", "--out", WORK / "generated"])
        files = [file for folder in (WORK / "generated" / "java", HERE / "java") for file in sorted(folder.rglob("*.java")) if file.name != "module-info.java"]
        listing = WORK / "sources.list"
        listing.write_text("".join(f'"{file}"\n' for file in files))
        # One file, which is open from the beginning: a service that has run out of descriptors can still load classes.
        self.classes = WORK / "service.jar"
        run(["javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "--release", "17", "-encoding", "UTF-8", "-proc:none", "-d", WORK / "classes", f"@{listing}"])
        run(["jar", "--create", "--file", self.classes, "-C", WORK / "classes", "."])
        self.keystore, self.certificate = WORK / "service.p12", WORK / "service.pem"
        keytool = ["keytool", "-storetype", "PKCS12", "-storepass", "attack", "-alias", "service", "-keystore", self.keystore]
        run([*keytool, "-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=localhost", "-ext", "san=dns:localhost,ip:127.0.0.1", "-validity", "2"])
        run([*keytool, "-exportcert", "-rfc", "-file", self.certificate])


class Service:
    """A process of the service. Its log is read by records: a line that begins with a level, and the lines that follow it."""

    started = 0

    def __init__(self, build: Build, options: Options, jvm: Sequence[str] = ("-XX:TieredStopAtLevel=1",)) -> None:
        Service.started += 1
        self.build, self.options = build, options
        self.log = WORK / "logs" / f"service-{Service.started}.log"
        self.seen = 0
        arguments = [f"{name}={value}" for name, value in options.limits]
        if options.split:
            arguments.append("split=true")
        if options.tls:
            arguments.append(f"keystore={build.keystore}")
        command = [build.java, f"-Xmx{options.heap}", *jvm, "-Duser.language=en", f"-Djava.util.logging.config.file={HERE / 'logging.properties'}", "-cp", str(build.classes), "AttackedService", *arguments]
        if options.files:
            # The JVM would raise the limit to the machine's.
            command = ["prlimit", f"--nofile={options.files}:{options.files}", *command]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, cwd=WORK, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        assert self.process.stdout is not None
        first: queue.Queue[bytes] = queue.Queue()
        read = self.process.stdout.readline
        threading.Thread(target=lambda: first.put(read()), daemon=True).start()
        try:
            self.ports: dict[str, int] = json.loads(first.get(timeout=START_SECONDS))
        except (queue.Empty, ValueError):
            self.kill()
            raise Failure(f"the service did not start: {self.log.read_text(errors='replace')[-1500:]}") from None

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._close()

    def stop(self) -> int:
        """Asks it to end by the signal that service managers send; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Failure(f"the service did not end within {STOP_SECONDS} s of its signal") from None
        finally:
            self._close()

    def _close(self) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.stdout.close()

    def control(self, method: str, body: bytes = b"") -> bytes:
        """Calls a method of Control on a separate connection."""
        try:
            with socket.create_connection((HOST, self.ports["tcp"]), timeout=START_SECONDS) as connection:
                connection.sendall(wire.PREAMBLE + wire.request(method, body))
                stream = wire.Stream(connection, START_SECONDS)
                stream.preamble()
                answer = stream.answer()
        except (OSError, wire.Closed) as error:
            raise Failure(f"the service does not say {method}: {type(error).__name__}: {error}") from None
        if answer.kind != wire.RESPONSE:
            raise Failure(f"{method}: {answer.error} {answer.rest[:200]!r}")
        return answer.rest

    def used_heap(self) -> int:
        return int.from_bytes(self.control("usedHeap"), "big")

    def heard(self, mark: str) -> int:
        return int.from_bytes(self.control("heard", wire.text(mark)), "big")

    def held(self, gate: str) -> int:
        return int.from_bytes(self.control("held", wire.text(gate)), "big")

    def open(self, gate: str) -> None:
        self.control("open", wire.text(gate))

    def new_records(self) -> list[str]:
        """The records of the log since the last look, the beginnings of stray text among them."""
        with self.log.open("rb") as log:
            log.seek(self.seen)
            new = log.read()
            self.seen += len(new)
        records: list[str] = []
        for line in new.decode("utf-8", "replace").splitlines():
            if not line:
                continue  # After the trace of an exception.
            if RECORD.match(line) or not records or not CONTINUATION.match(line):
                records.append(line)
            else:
                records[-1] += "\n" + line
        return records


RECORD = re.compile(r"(SEVERE|WARNING|INFO|CONFIG|FINE|FINER|FINEST) [\w.$-]+: ")
# A stack trace, with its causes.
CONTINUATION = re.compile(r"\tat |\t\.\.\. |Caused by: |\tSuppressed: |(?:[a-z]\w*\.)+[A-Z][\w$.]*(?:: |$)|\t*\[CIRCULAR|AttackedVictim\$HostileException$")


class Legitimate:
    """The client during the attack, in a separate process. All its calls must be answered correctly."""

    def __init__(self, service: Service, kinds: Sequence[str]) -> None:
        self.kinds = kinds
        certificate = str(service.build.certificate) if set(kinds) & set(SECURE) else ""
        command = [sys.executable, str(HERE / "legitimate.py"), str(service.build.model), json.dumps(service.ports), ",".join(kinds), certificate]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines: queue.Queue[str] = queue.Queue()
        self.failures: list[str] = []
        self.calls = 0
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("FAILED"):
                self.failures.append(line.strip())
            self.lines.put(line.strip())
        self.lines.put("FAILED the client has ended")

    def __enter__(self) -> Legitimate:
        # Its kept connections are there before the attack begins.
        self.go_on(2)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            self._say("end")
            counts = self._await("{")
            self.calls = sum(json.loads(counts).values())
            self.process.wait(timeout=STOP_SECONDS)
        except Failure:
            if kind is None:
                raise
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            assert self.process.stdin is not None and self.process.stdout is not None
            self.process.stdin.close()
            self.reader.join()
            self.process.stdout.close()

    def check(self) -> None:
        if self.failures:
            raise Failure(f"a legitimate client was not served: {'; '.join(self.failures[:3])}")

    def go_on(self, calls: int = 25) -> None:
        """Returns when this many calls of each kind, all started after this, were answered correctly."""
        self._say(f"go {calls}")
        self._await("gone")

    def _say(self, line: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Failure("the legitimate client has ended") from None

    def _await(self, begin: str) -> str:
        while True:
            self.check()
            try:
                line = self.lines.get(timeout=LEGITIMATE_SECONDS)
            except queue.Empty:
                raise Failure(f"the legitimate client did not go on within {LEGITIMATE_SECONDS} s") from None
            if line.startswith(begin):
                return line


@dataclass
class Connections:
    """The connections of an attacker, which end with the case."""

    all: list[socket.socket] = field(default_factory=list)

    def close(self) -> None:
        for connection in self.all:
            connection.close()
        self.all.clear()
