"""The canonical form of random documents is that of Santuario."""

from __future__ import annotations

import random

from conftest import Lines
from creo._wss.canonical import canonical
from creo._wss.tree import parse, written

PREFIXES = ["", "a", "b", "c", "soap"]
URIS = ["urn:1", "urn:2", "urn:3"]
LOCALS = ["x", "y", "Z", "é"]
TEXTS = ["", "t", " \n", "&lt;&amp;&gt;", "&#13;", "\t", "Grüße", "\U0001f600", "<!-- c -->", "<![CDATA[<&>]]>", "<?p d ?>", "<?p?>", "]]&gt;", "&quot;'", "\r\n"]
VALUES = ["", "v", "&lt;&amp;>", "&#9;&#10;&#13;", " a  b\n", "&quot;'", "é\U0001f600"]


class Maker:
    """Makes one document."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._left = 12
        self._apex = self._random.choice([0, 0, 1, 2, 3])
        self._count = 0

    def element(self, scope: dict[str, str]) -> str:
        r = self._random
        scope = dict(scope)
        declared = []
        for prefix in r.sample(PREFIXES, r.choice([0, 0, 1, 1, 2, 3])):
            uri = r.choice(URIS) if prefix or r.random() < 0.7 else ""
            scope[prefix] = uri
            declared.append(f'xmlns{":" if prefix else ""}{prefix}="{uri}"')
        prefix = r.choice([p for p in PREFIXES if not p or scope.get(p)])
        attributes, names = [], set()
        for _ in range(r.choice([0, 0, 1, 2, 4])):
            own = r.choice([p for p in [*PREFIXES, "xml"] if not p or p == "xml" or scope.get(p)])
            local = r.choice(["lang", "space"] if own == "xml" else LOCALS)
            if (scope.get(own, own) if own else "", local) not in names:
                names.add((scope.get(own, own) if own else "", local))
                attributes.append(f'{own}{":" if own else ""}{local}="{r.choice(VALUES)}"')
        if self._count == self._apex:
            attributes.append('apex=""')
        self._count += 1
        both = declared + attributes
        r.shuffle(both)
        name = f'{prefix}{":" if prefix else ""}{r.choice(LOCALS)}'
        content = ""
        while self._left > 0 and r.random() < 0.75:
            self._left -= 1
            content += r.choice(TEXTS) + (self.element(scope) if r.random() < 0.6 else "")
        return f"<{' '.join([name, *both])}>{content}</{name}>"

    def prefixes(self) -> list[str]:
        r = self._random
        return r.sample([*PREFIXES, "none"], r.choice([0, 0, 1, 2, 4]))


def test_random_documents(partner: Lines) -> None:
    for seed in range(3_000):
        maker = Maker(seed)
        document = maker.element({}).encode()
        prefixes = maker.prefixes()
        root = parse(document, None)
        apex = next((element for element in root.all() if element.attribute("", "apex")), root)
        listed = " ".join(prefix or "#default" for prefix in prefixes)
        theirs = partner.message("canonical", document, **({"prefixes": listed} if listed else {}))
        assert canonical(apex, prefixes) == theirs, (seed, document, prefixes)
        # What is written again has the same form.
        again = parse(written(root).encode(), None)
        assert canonical(again) == canonical(root), (seed, document)
