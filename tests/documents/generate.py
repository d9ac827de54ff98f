"""Random well-formed documents. The same random numbers give the same text."""

from __future__ import annotations

import random

NAMES = ["a", "b", "item", "p:a", "p:item", "q:x", "SET", "TEXT", "text", "\u00e9l", "row", "name", "value"]
WORDS = ["x", "text", "|", "\\", "~", "~~", "\\n", "&lt;", "&amp;", "&gt;", "]]&gt;", "\u00e9", "\U0001f600", "&#13;", "&#10;", "&#9;", "'", '"', "[0][0]0|", "&e;", "1.5"]
SPACES = [" ", "\n", "\n  ", "\n\n", "\t", "   ", "\n      "]


class Writer:
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.indented = chance.random() < 0.5
        self.unit = chance.choice(["  ", "\t", "    ", ""])
        self.mess = chance.choice([0.0, 0.02, 0.3])
        self.names = chance.sample(NAMES, chance.randint(2, len(NAMES)))
        self.left = chance.randint(1, 120)

    def maybe(self, probability: float) -> bool:
        return self.chance.random() < probability

    def words(self) -> str:
        return "".join(self.chance.choice(WORDS) + self.chance.choice(["", " ", "\n"]) for _ in range(self.chance.randint(0, 4)))

    def text(self) -> str:
        kind = self.chance.random()
        if kind < 0.6:
            return self.words()
        if kind < 0.7:
            return f"<![CDATA[{self.chance.choice(['', '<x>', ']]', ' ', '&e;'])}]]>"
        if kind < 0.85:
            return self.chance.choice(SPACES)
        return self.words() + self.chance.choice(SPACES)

    def other(self) -> str:
        if self.maybe(0.5):
            return f"<!--{self.chance.choice(['', 'c', ' - ', '~', 'a|b', chr(10)])}-->"
        return f"<?{self.chance.choice(['p', 'q-r', 'php'])}{self.chance.choice(['', ' data', ' a=|~', '  two  '])}?>"

    def attributes(self) -> str:
        names = self.chance.sample(["k", "id", "p:k", "xml:lang", "OF", "q:z", "type"], self.chance.choice([0, 0, 0, 1, 2, 4]))
        parts = [f'{name}="{self.value()}"' for name in names]
        if self.maybe(0.08):
            parts.append('xmlns:q="urn:other"')
        if self.maybe(0.08):
            parts.append(f'xmlns="{self.chance.choice(["", "urn:d", "urn:e"])}"')
        self.chance.shuffle(parts)
        return "".join(self.chance.choice([" ", "\n", "  "]) + part for part in parts)

    def value(self) -> str:
        return self.chance.choice(["x", "x", self.words().replace('"', "&quot;"), "", " s ", "\n", "~"])

    def element(self, depth: int) -> str:
        self.left -= 1
        name = self.chance.choice(self.names)
        tag = name + self.attributes()
        if self.left <= 0 or depth > 8 or self.maybe(0.25):
            content = "" if self.maybe(0.2) else self.text()
            if not content and self.maybe(0.5):
                return f"<{tag}/>"
            return f"<{tag}>{content}</{name} >"
        parts = []
        for _ in range(self.chance.randint(1, 6)):
            if self.indented and not self.maybe(self.mess):
                parts.append("\n" + self.unit * (depth + 1))
            elif self.maybe(self.mess):
                parts.append(self.text())
            parts.append(self.other() if self.maybe(self.mess / 2) else self.element(depth + 1))
        if self.indented and not self.maybe(self.mess):
            parts.append("\n" + self.unit * depth)
        elif self.maybe(self.mess):
            parts.append(self.text())
        return f"<{tag}>{''.join(parts)}</{name}>"

    def document(self) -> str:
        before = "".join(self.other() + "\n" for _ in range(self.chance.choice([0, 0, 1, 3])))
        behind = "".join("\n" + self.other() for _ in range(self.chance.choice([0, 0, 1, 2])))
        subset = "<!ENTITY e 'entity &#38;amp; <b xmlns=\"\">b</b>'>" if self.maybe(0.3) else "<!ENTITY e 'entity'>"
        if self.maybe(0.3):
            subset += "<!ATTLIST a id CDATA 'default' list NMTOKENS ' 1  2 '><!ATTLIST item xmlns:r CDATA 'urn:r'>"
        # Attributes cannot contain an entity with markup.
        body = f'<p:root xmlns:p="urn:p" xmlns:q="urn:q">{self.element(1)}</p:root>'
        if "<b" in subset:
            body = body.replace("&e;", "e") if self.maybe(0.5) else outside_tags(body)
        return f"<?xml version='1.0'?>\n{before}<!DOCTYPE p:root [{subset}]>\n{body}{behind}\n"


def outside_tags(body: str) -> str:
    """References stay in text alone."""
    parts, in_tag = [], False
    for piece in body.replace("<", "\0<").replace(">", ">\0").split("\0"):
        in_tag = piece.startswith("<")
        parts.append(piece.replace("&e;", "e") if in_tag else piece)
    return "".join(parts)


def document(chance: random.Random) -> str:
    return Writer(chance).document()
