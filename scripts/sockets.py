"""Which files of tests open sockets: found in their text, so that no test must be registered, or can be forgotten.

    scripts/sockets.py                   prints them by runtime
"""

from __future__ import annotations

import pathlib
import re
import sys
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Tests:
    """The tests of a runtime."""

    folder: str
    # The files of tests and of what they share.
    files: str
    # The names of files with tests.
    test: re.Pattern[str]
    # What opens a socket.
    opens: re.Pattern[str]
    # How a file mentions others.
    mention: str = r"\b(?:{})\b"

    def with_sockets(self) -> list[pathlib.Path]:
        """The files with tests that open sockets, by themselves or through another file that they mention."""
        texts = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / self.folder).glob(self.files))}
        found = {path for path, text in texts.items() if self.opens.search(text)}
        while True:
            shared = "|".join(re.escape(path.stem) for path in sorted(found) if not self.test.search(path.stem))
            mentions = re.compile(self.mention.format(shared or "(?!)"))
            more = {path for path, text in texts.items() if mentions.search(text)} - found
            if not more:
                return sorted(path for path in found if self.test.search(path.stem))
            found |= more


JAVA_TEST = re.compile(r"Test$")
TESTS = {
    "java": Tests("runtimes/java/src/test/java", "**/*.java", JAVA_TEST, re.compile(r"\b(ServerSocket|Socket|SocketChannel|Server\.builder)\b")),
    "java-jms": Tests("runtimes/java-jms/src/test/java", "**/*.java", JAVA_TEST, re.compile(r"\b(EmbeddedBroker|ServerSocket|Socket|Server\.builder)\b")),
    "python": Tests("runtimes/python/tests", "*.py", re.compile(r"^test_"), re.compile(r"\bimport (socket|asyncio)\b|\bhttp\.server\b")),
    "c": Tests("runtimes/c/tests", "**/*.[ch]", re.compile(r"^test_"), re.compile(r"\b(socket|connect|accept)\("), r'"(?:.*/)?(?:{})\.h"'),
    "csharp": Tests("runtimes/csharp/tests", "*.cs", re.compile(r"Tests$"), re.compile(r"\b(TcpListener|TcpClient|Socket|NetworkStream)\b")),
}

if __name__ == "__main__":
    for name, tests in TESTS.items():
        print(f"{name}: {' '.join(path.stem for path in tests.with_sockets())}")
    sys.exit(0)
