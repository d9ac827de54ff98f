"""The namespaces in scope at an element."""

from __future__ import annotations

from typing import Final

from .names import XML_NAMESPACE

# Once per this many nested scopes, one stores all prefixes around it, which bounds the search.
_FLAT_LEVELS: Final = 16


class Scope:
    """The namespaces at an element that declares some."""

    __slots__ = ("_flat", "_level", "count", "own", "parent")

    def __init__(self, parent: Scope | None, own: dict[str, str]) -> None:
        self.parent = parent
        self.own = own
        self.count: int = len(own) + (parent.count if parent is not None else 0)
        self._level: int = 0 if parent is None else parent._level + 1
        self._flat: dict[str, str] | None = None

    def uri(self, prefix: str) -> str | None:
        """The namespace of a prefix; None if unbound."""
        found = self.own.get(prefix)
        scope = self.parent
        while found is None and scope is not None:
            if scope._level % _FLAT_LEVELS == _FLAT_LEVELS - 1:
                return scope.bindings().get(prefix)
            found = scope.own.get(prefix)
            scope = scope.parent
        return found

    def bindings(self) -> dict[str, str]:
        """All bound prefixes with their namespaces."""
        if self._flat is None:
            within: list[dict[str, str]] = []
            scope: Scope | None = self
            while scope is not None:
                if scope._flat is not None:
                    within.append(scope._flat)
                    break
                within.append(scope.own)
                scope = scope.parent
            self._flat = {}
            for own in reversed(within):
                self._flat.update(own)
        return self._flat


def _base() -> Scope:
    made = Scope(None, {"xml": XML_NAMESPACE})
    made.count = 0
    return made


BASE: Final = _base()
