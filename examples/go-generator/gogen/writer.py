"""Writes lines. Only ``block`` and ``switch`` change the depth."""

from __future__ import annotations

from collections.abc import Callable

#: The label of a case, and what prints its body.
Case = tuple[str, Callable[[], None]]


class Writer:
    def __init__(self) -> None:
        self._lines: list[str] = []
        self._depth = 0

    def line(self, text: str = "") -> None:
        """A line, or several: the depth of the first is that of all."""
        for one in text.split("\n"):
            self._lines.append("\t" * self._depth + one if one else "")

    def lines(self, texts: list[str]) -> None:
        for text in texts:
            self.line(text)

    def block(self, opening: str, body: Callable[[], None], closing: str | None = "}") -> None:
        self.line(opening)
        self._depth += 1
        body()
        self._depth -= 1
        if closing is not None:
            self.line(closing)

    def switch(self, opening: str, cases: list[Case]) -> None:
        self.line(opening)
        for label, body in cases:
            self.block(label, body, None)
        self.line("}")

    def columns(self, rows: list[tuple[list[str], list[str]]]) -> None:
        """Rows of cells, each with its comment, aligned as gofmt does it: a comment begins another section."""
        section: list[list[str]] = []
        for comment, cells in rows:
            if comment:
                self._aligned(section)
                section = []
                self.lines(comment)
            section.append(cells)
        self._aligned(section)

    def _aligned(self, rows: list[list[str]]) -> None:
        widths = [max(len(cell) for cell in column) for column in zip(*rows)]
        for cells in rows:
            padded = [cell.ljust(width) for cell, width in zip(cells, widths)]
            self.line(" ".join(padded).rstrip())

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self._lines)
