"""Exclusive XML canonicalization without comments, of an element and all within."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from .tree import Element, Instruction, declaration, escaped, instruction, quoted

if TYPE_CHECKING:
    from .tree import Node


class _End(NamedTuple):
    """The end of an element: its name, and the namespaces to which prefixes return."""

    name: str
    before: list[tuple[str, str]]


def canonical(apex: Element, inclusive: Collection[str] = ()) -> bytes:
    """The canonical form.

    ``inclusive`` are the prefixes whose declarations are kept although no name uses them; ``""``
    is the default namespace.
    """
    out: list[str] = []
    #: The namespaces that are declared in what is written so far, around the current element.
    around: dict[str, str] = {}
    kept = frozenset(inclusive)
    waiting: list[Node | _End] = [apex]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Element):
            wanted = {node.prefix: node.space}
            for attribute in node.attributes:
                if attribute.prefix:
                    wanted[attribute.prefix] = attribute.space
            if kept:
                declared = node.scope() if node is apex else node.declared
                wanted.update((p, uri) for p, uri in declared.items() if p in kept)
            wanted.pop("xml", None)
            new = sorted((p, uri) for p, uri in wanted.items() if around.get(p, "") != uri)
            before = [(prefix, around.get(prefix, "")) for prefix, _ in new]
            around.update(new)
            out.append(f"<{node.name}")
            out += [declaration(prefix, uri) for prefix, uri in new]
            attributes = sorted(node.attributes, key=lambda a: (a.space, a.local))
            out += [f' {a.name}="{quoted(a.value)}"' for a in attributes]
            out.append(">")
            waiting.append(_End(node.name, before))
            waiting.extend(reversed(node.children))
        elif isinstance(node, _End):
            out.append(f"</{node.name}>")
            around.update(node.before)
        elif isinstance(node, Instruction):
            out.append(instruction(node))
        else:
            out.append(escaped(node))
    return "".join(out).encode()
