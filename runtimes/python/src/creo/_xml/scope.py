"""What a reader of XML knows at a place: the namespaces in scope, a tag, what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from .names import XML_NAMESPACE, XSI_NAMESPACE

if TYPE_CHECKING:
    from .._base import Limits

# How many scopes are kept, and how large ones.
_KEPT_LEVELS: Final = 3
_KEPT_SCOPES: Final = 8
_KEPT_DECLARATIONS: Final = 32
_KEPT_SIZE: Final = 4_096
_KEPT_NAMES: Final = 1_024
_KEPT_INNER: Final = (64, 8, 8)
_KEPT_TEXT: Final = 511

# Each so many scopes within one another, one knows all prefixes around it, so that none is looked
# for in many.
_FLAT_LEVELS: Final = 16

#: The name of an element or attribute: namespace (empty for none) and local name.
Key = tuple[str, str]


class Scope:
    """The namespaces at an element that declares some, and what was looked up under them.

    Those of outer elements are kept, few of them, so that messages that declare the same prefixes
    need not look up their names again.
    """

    __slots__ = (
        "_flat",
        "_inner",
        "_kept",
        "_level",
        "count",
        "keys",
        "own",
        "parent",
        "patterns",
        "seen",
        "tables",
        "tags",
    )

    def __init__(self, parent: Scope | None, own: dict[str, str]) -> None:
        self.parent = parent
        self.own = own
        self.count: int = len(own) + (parent.count if parent is not None else 0)
        self._level: int = 0 if parent is None else parent._level + 1
        self._flat: dict[str, str] | None = None
        self._kept: dict[tuple[tuple[str, str], ...], Scope] = {}
        self._inner = 0
        self.seen = 0
        """How often it was used again."""
        self.patterns: dict[object, Any] = {}
        """For descriptions and tags, what matches whole elements (``rows``)."""
        self.keys: dict[str, Key] = {}
        """Names as they stand in tags, whether they are names or not."""
        self.tags: dict[str, KnownTag] = {}
        """Start tags that were read, by what stands within their brackets."""
        self.tables: dict[object, dict[str, int]] = {}
        """For each description, the indices of its fields by names as they stand in tags."""

    def prefix(self, uri: str) -> str | None:
        """A prefix that is bound to a namespace here; None if there is none."""
        if not uri:
            return None if self.uri("") else ""
        scope: Scope | None = self
        while scope is not None:
            for prefix, bound in scope.own.items():
                if bound == uri and self.uri(prefix) == uri:
                    return prefix
            scope = scope.parent
        return None

    def within(self, own: dict[str, str]) -> Scope:
        """The scope of an element within this one that declares these prefixes."""
        if self._level >= _KEPT_LEVELS or len(own) > _KEPT_DECLARATIONS:
            return Scope(self, own)
        key = tuple(own.items())
        found = self._kept.get(key)
        if found is None:
            found = Scope(self, own)
            if sum(map(len, own.values())) < _KEPT_SIZE:
                if len(self._kept) >= _KEPT_SCOPES:
                    self._kept.clear()
                self._kept[key] = found
        else:
            found.seen += 1
        return found

    def uri(self, prefix: str) -> str | None:
        """What a prefix is bound to; None if to nothing."""
        found = self.own.get(prefix)
        scope = self.parent
        while found is None and scope is not None:
            if scope._level % _FLAT_LEVELS == _FLAT_LEVELS - 1:
                return scope._all().get(prefix)
            found = scope.own.get(prefix)
            scope = scope.parent
        return found

    def _all(self) -> dict[str, str]:
        """All prefixes that are bound, and what to."""
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

    def key(self, raw: str) -> Key | None:
        """The name of an element; None if its prefix is not bound."""
        found = self.keys.get(raw)
        if found is None:
            prefix, colon, local = raw.rpartition(":")
            uri = self.uri(prefix) if colon or prefix else self.uri("") or ""
            if uri is None:
                return None
            found = (uri, local)
            if len(self.keys) < _KEPT_NAMES:
                self.keys[raw] = found
        return found

    def keep(self, text: str, tag: Tag, inner: Scope) -> None:
        """Notes a start tag, to find it sooner when it comes again.

        One whose attributes are values of their own would not, and leave no room for others.
        """
        if len(text) > _KEPT_TEXT or len(self.tags) >= _KEPT_NAMES:
            return
        if any(uri != XSI_NAMESPACE for (uri, _), _ in tag.attributes):
            return
        if inner is self:
            self.tags[text] = KnownTag(text, tag, None)
        elif self._level < _KEPT_LEVELS and self._inner < _KEPT_INNER[self._level]:
            self._inner += 1
            self.tags[text] = KnownTag(text, tag, inner)


class KnownTag:
    """A start tag that was read, with what it declares; its limits hold for each reader anew."""

    __slots__ = ("_size", "attributes", "inner", "key", "raw")

    def __init__(self, text: str, tag: Tag, inner: Scope | None) -> None:
        self.raw = tag.raw
        self.key = tag.key
        self.attributes = tag.attributes
        self.inner = inner
        self._size = len(text.encode())

    def fits(self, limits: Limits) -> bool:
        """Whether it is surely within the limits."""
        if self._size > limits.max_xml_name:
            return False
        if self.inner is None and not self.attributes:
            return True
        size, inner = self._size, self.inner
        return (
            size <= 4 * limits.max_xml_attributes
            and (limits.max_xml_text is None or size <= limits.max_xml_text)
            and (inner is None or inner.count <= limits.max_xml_namespaces)
        )


def _base() -> Scope:
    made = Scope(None, {"xml": XML_NAMESPACE})
    made.count = 0
    return made


BASE: Final = _base()


class Tag:
    """A start tag that was read."""

    __slots__ = ("attributes", "empty", "key", "outer", "p", "raw")

    def __init__(self, raw: str, key: Key, p: int, outer: Scope) -> None:
        self.raw = raw
        self.key = key
        self.p = p
        self.outer = outer
        self.attributes: Sequence[tuple[Key, str]] = ()
        self.empty = False
