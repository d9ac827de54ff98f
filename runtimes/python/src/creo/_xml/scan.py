"""The pull reader of XML: well-formedness, namespaces, limits (XML-40 to XML-44).

It reads over the decoded text, tag by tag; there is no tree. What is refused is a ``Problem`` with
its position; whoever reads the values adds the place.
"""

from __future__ import annotations

import re
from typing import Final, NoReturn

from .._base import DEFAULT_LIMITS, CreoError, Limits, shown
from .._binary import Bad
from .._text.read import Problem, beyond, no_memory
from .forms import escape_attribute
from .names import NAME, NAME_CHARACTER, QNAME, XML_NAMESPACE, XMLNS_NAMESPACE, XSI_NAMESPACE
from .scope import BASE, Key, Tag

S: Final = "[ \t\r\n]"
WHITE: Final = re.compile(f"{S}*")
_ATTRIBUTE: Final = re.compile(f"""{S}+([^\\s<>/=&'"!?]+){S}*={S}*(?:"([^<"]*)"|'([^<']*)')""")
_BEFORE_COLON: Final = re.compile(f"(?<!{NAME_CHARACTER})([A-Za-z0-9_.\x80-\U0010ffff-]+):")
_TAG_END: Final = re.compile(f"{S}*(/?)>")
_END: Final = re.compile(f"{S}*>")
_REFERENCE: Final = re.compile("&(?:#([0-9]+);|#x([0-9A-Fa-f]+);|(amp|lt|gt|quot|apos);)?")
_ENTITIES: Final = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")

# Tags within that many characters are looked up before they are taken apart.
_USUAL_TAG: Final = 512


class Scanner:
    """A document that is being read."""

    __slots__ = (
        "_declared",
        "base",
        "cdata_ends",
        "depth",
        "encoding",
        "fast",
        "levels",
        "limits",
        "memory",
        "p",
        "parts",
        "pending",
        "returns",
        "s",
        "scope",
        "text_limit",
        "used",
    )  # fmt: skip

    def __init__(self, text: str, limits: Limits, base: int = 0) -> None:
        self.s = text
        self.p = 0
        self.base = base
        """Bytes before the text."""
        self.limits = limits
        self.scope = BASE
        self.depth = 0
        self.levels = limits.max_depth
        """Levels of recursive types that are left (BIN-13)."""
        self.memory = limits.memory
        """What the message may still take (LIM-18)."""
        self.pending: Tag | None = None
        """A start tag that was read ahead."""
        self.parts: dict[str, bytes] | None = None
        """The parts of a package by their ids (SOAP-20)."""
        self.used: set[str] = set()
        self._declared = 0
        """The bytes that declarations added to values (XML-45)."""
        limit = limits.max_xml_text
        self.text_limit = limits.max_message_size if limit is None else limit
        self.returns = "\r" in text
        self.cdata_ends = "]]>" in text
        self.fast = not (self.returns or self.cdata_ends) and 4 * len(text) <= self.text_limit
        """Whether a text without markup needs no closer look."""
        if not self.fast and not self.returns and not self.cdata_ends:
            self.fast = len(text.encode()) <= self.text_limit

    def charge(self, size: int) -> None:
        """Charges the message (LIM-18)."""
        self.memory -= size
        if self.memory < 0:
            raise no_memory(self.limits, self.p)

    # What stands between elements

    def next(self) -> Tag | None:
        """The next start tag; None before an end tag. Only white space may stand before it."""
        tag = self.pending
        if tag is not None:
            self.pending = None
            return tag
        s = self.s
        p = self.p
        two = s[p : p + 2]
        if two == "</":
            return None
        if two[:1] == "<" and two not in ("<!", "<?"):
            return self.start(p)
        while True:
            p = self._skip_white()
            if s.startswith("</", p):
                return None
            if s.startswith("<", p):
                return self.start(p)
            if p >= len(s):
                raise Problem("the text ends within an element", p)
            self._only_white(p)

    def _skip_white(self) -> int:
        """Skips white space and comments, and CDATA sections that hold white space."""
        s, match = self.s, WHITE.match
        p = self.p
        while True:
            if not s.startswith("<", p):
                found = match(s, p)
                p = found.end() if found is not None else p
            if not s.startswith("<!", p):
                self.p = p
                return p
            if s.startswith("<!--", p):
                p = self._comment(p)
            elif s.startswith("<![CDATA[", p):
                end = self._cdata_end(p)
                if s[p + 9 : end].strip(" \t\r\n"):
                    raise Problem("text stands where only elements may stand", p)
                p = end + 3
            else:
                self._no_markup(p)

    def _only_white(self, p: int) -> None:
        """Text that is no plain white space: references may make it so."""
        end = self.s.find("<", p)
        if end < 0:
            end = len(self.s)
        text = self.expand(self.s[p:end], p)
        if text.strip(" \t\r\n"):
            found = shown(text.strip()[:40])
            raise Problem(f"text stands where only elements may stand: {found}", p)
        self.p = end

    def _comment(self, p: int) -> int:
        end = self.s.find("--", p + 4)
        if end < 0:
            raise Problem("a comment has no end", p)
        if not self.s.startswith(">", end + 2):
            raise Problem("`--` stands within a comment", end)
        return end + 3

    def _cdata_end(self, p: int) -> int:
        end = self.s.find("]]>", p + 9)
        if end < 0:
            raise Problem("a CDATA section has no end", p)
        return end

    def _no_markup(self, p: int) -> NoReturn:
        if self.s.startswith("<!DOCTYPE", p):
            raise Problem("a document type declaration is refused", p)
        if self.s.startswith("<?", p):
            raise Problem("a processing instruction is refused", p)
        raise Problem("`<` begins no tag", p)

    # Start tags

    def start(self, p: int) -> Tag:
        """The start tag at ``p``."""
        s, limits = self.s, self.limits
        self.depth += 1
        if self.depth > limits.max_xml_depth:
            allowed = limits.max_xml_depth
            raise beyond("maxXmlDepth", allowed, f"elements nest deeper than {allowed}", p)
        q = s.find(">", p, p + _USUAL_TAG)
        known = self.scope.tags.get(s[p + 1 : q])
        if known is not None and q > 0 and known.fits(limits):
            self.p = q + 1
            tag = Tag(known.raw, known.key, p, self.scope)
            tag.attributes = known.attributes
            if known.inner is not None:
                known.inner.seen += 1
                self.scope = known.inner
            return tag
        outer = self.scope
        raw, q = self._name(p + 1, p)
        tag = Tag(raw, ("", ""), p, outer)
        attributes = None
        if not s.startswith(">", q):
            if s.startswith("/>", q):
                tag.empty = True
                q += 1
            else:
                attributes, q = self._attributes(tag, q)
        self.p = q + 1
        tag.key = self._resolved(raw, p)
        if attributes:
            self._resolve_attributes(tag, attributes)
        if not tag.empty:
            outer.keep(s[p + 1 : q], tag, self.scope)
        return tag

    def _name(self, p: int, at: int) -> tuple[str, int]:
        """The name at ``p``, checked."""
        found = NAME.match(self.s, p)
        q = found.end() if found is not None else p
        allowed = self.limits.max_xml_name
        if q - p > allowed or (4 * (q - p) > allowed and len(self.s[p:q].encode()) > allowed):
            raise beyond("maxXmlName", allowed, f"a name is longer than {allowed} bytes", at)
        raw = self.s[p:q]
        if QNAME.fullmatch(raw) is None:
            if q == p:
                self._no_markup(at)
            raise Problem(f"{shown(raw)!r} is no name", at)
        return raw, q

    def _resolved(self, raw: str, p: int) -> Key:
        key = self.scope.key(raw)
        if key is None:
            raise Problem(f"the prefix of {raw} is not bound", p)
        return key

    def _attributes(self, tag: Tag, q: int) -> tuple[list[tuple[str, str, int]], int]:
        """Attributes other than declarations, as they stand, and where the tag ends."""
        s, allowed = self.s, self.limits.max_xml_attributes
        found: list[tuple[str, str, int]] = []
        declared: dict[str, str] = {}
        count = 0
        while True:
            match = _ATTRIBUTE.match(s, q)
            if match is None:
                break
            count += 1
            if count > allowed:
                message = f"an element has more than {allowed} attributes"
                raise beyond("maxXmlAttributes", allowed, message, tag.p)
            at = match.start(1)
            raw, _ = self._name(at, at)
            part = 2 if match.start(2) >= 0 else 3
            value = self._attribute_value(match[part], match.start(part))
            q = match.end()
            if raw == "xmlns" or raw.startswith("xmlns:"):
                self._declare(declared, raw[6:], value, at)
            else:
                found.append((raw, value, at))
        end = _TAG_END.match(s, q)
        if end is None:
            if q >= len(s) or s.find(">", q) < 0:
                raise Problem("the text ends within a tag", q)
            raise Problem(f"a mistake in the tag of {tag.raw}", q)
        tag.empty = end.end() - end.start() > 1 and end[1] == "/"
        if declared:
            self.scope = self.scope.within(declared)
            allowed = self.limits.max_xml_namespaces
            if self.scope.count > allowed:
                message = f"more than {allowed} declarations of namespaces are in scope"
                raise beyond("maxXmlNamespaces", allowed, message, tag.p)
        return found, end.end() - 1

    def _attribute_value(self, text: str, p: int) -> str:
        self._check_size(text, p)
        if self.returns:
            text = text.replace("\r\n", " ").replace("\r", " ")
        text = text.replace("\n", " ").replace("\t", " ")
        return self.expand(text, p, attribute=True) if "&" in text else text

    def _declare(self, declared: dict[str, str], prefix: str, uri: str, p: int) -> None:
        if prefix in declared:
            raise Problem(f"the prefix {prefix or 'xmlns'} is declared twice", p)
        if prefix and not uri:
            raise Problem(f"the prefix {prefix} is bound to nothing", p)
        if prefix == "xmlns" or uri == XMLNS_NAMESPACE:
            raise Problem("xmlns cannot be declared", p)
        if (prefix == "xml") != (uri == XML_NAMESPACE):
            raise Problem("xml has its own namespace, and no other prefix has it", p)
        declared[prefix] = uri

    def _resolve_attributes(self, tag: Tag, attributes: list[tuple[str, str, int]]) -> None:
        seen: set[Key] = set()
        found: list[tuple[Key, str]] = []
        for raw, value, p in attributes:
            key = self._resolved(raw, p) if ":" in raw else ("", raw)
            if key in seen:
                raise Problem(f"the attribute {raw} is given twice", p)
            seen.add(key)
            found.append((key, value))
        tag.attributes = found

    # Text and ends

    def text(self, tag: Tag) -> str:
        """The text of an element that holds nothing else; reads its end, too."""
        if tag.empty:
            self.end(tag)
            return ""
        s = self.s
        p = self.p
        q = s.find("<", p)
        if q < 0:
            raise Problem("the text ends within an element", len(s))
        text = s[p:q]
        if "&" in text or not self.fast:
            text = self._plain(text, p)
        self.p = q
        if s.startswith("</", q):
            self.end(tag)
            return text
        parts = [text]
        size = len(text)
        while not s.startswith("</", q):
            if s.startswith("<!--", q):
                p = self._comment(q)
            elif s.startswith("<![CDATA[", q):
                end = self._cdata_end(q)
                parts.append(self._line_ends(s[q + 9 : end]))
                size += len(parts[-1])
                p = end + 3
            elif s.startswith(("<!", "<?"), q):
                self._no_markup(q)
            else:
                raise Problem(f"an element stands within the text of {tag.raw}", q)
            q = s.find("<", p)
            if q < 0:
                raise Problem("the text ends within an element", len(s))
            parts.append(self._plain(s[p:q], p))
            size += len(parts[-1])
            if size > self.text_limit:
                self._check_size("".join(parts), q)
        self.p = q
        text = "".join(parts)
        self._check_size(text, tag.p)
        self.end(tag)
        return text

    def _plain(self, text: str, p: int) -> str:
        """Text between markup."""
        self._check_size(text, p)
        if self.cdata_ends and "]]>" in text:
            raise Problem("`]]>` stands in a text", p + text.index("]]>"))
        return self.expand(text, p)

    def _line_ends(self, text: str) -> str:
        return text.replace("\r\n", "\n").replace("\r", "\n") if self.returns else text

    def _check_size(self, text: str, p: int) -> None:
        allowed = self.text_limit
        if len(text) > allowed or (4 * len(text) > allowed and len(text.encode()) > allowed):
            raise beyond("maxXmlText", allowed, f"a text is longer than {allowed} bytes", p)

    def expand(self, text: str, p: int, attribute: bool = False) -> str:
        """A text with its line ends, entities and character references resolved."""
        if not attribute:
            text = self._line_ends(text)
        if "&" not in text:
            return text

        def resolve(match: re.Match[str]) -> str:
            decimal, hexadecimal, name = match.groups()
            if name is not None:
                return _ENTITIES[name]
            if decimal is None and hexadecimal is None:
                raise Problem("`&` begins no reference of XML", p + match.start())
            digits = (decimal or hexadecimal or "").lstrip("0") or "0"
            number = int(digits, 10 if decimal else 16) if len(digits) < 8 else 1 << 21
            if number > 0x10FFFF or 0xD800 <= number < 0xE000 or FORBIDDEN.match(chr(number)):
                raise Problem("XML does not allow this character", p + match.start())
            return chr(number)

        return _REFERENCE.sub(resolve, text)

    def end(self, tag: Tag) -> None:
        """The end tag; only white space and comments may stand before it."""
        if not tag.empty:
            s = self.s
            p = self.p
            if not s.startswith("</", p):
                p = self._before_end(tag)
            q = p + 2 + len(tag.raw)
            if s.startswith(tag.raw, p + 2) and s.startswith(">", q):
                self.p = q + 1
            else:
                end = _END.match(s, q)
                if end is None or not s.startswith(tag.raw, p + 2):
                    if s.find(">", p) < 0:
                        raise Problem("the text ends within a tag", p)
                    raise Problem(f"the end tag of {tag.raw} is expected", p)
                self.p = end.end()
        self.depth -= 1
        self.scope = tag.outer

    def _before_end(self, tag: Tag) -> int:
        found = self.next()
        if found is not None:
            raise Problem(f"an element stands where {tag.raw} ends: {found.raw}", found.p)
        return self.p

    def skip(self, tag: Tag) -> None:
        """Reads an element to its end, whatever it holds."""
        open_tags = [tag]
        while open_tags:
            tag = open_tags[-1]
            inner = None if tag.empty else self.within()
            if inner is None:
                self.end(open_tags.pop())
            else:
                open_tags.append(inner)

    def within(self, words: list[str] | None = None) -> Tag | None:
        """The next start tag, whatever text stands before it; None before an end tag.

        The text is added to ``words``, if that is there.
        """
        s = self.s
        while True:
            q = s.find("<", self.p)
            if q < 0:
                raise Problem("the text ends within an element", len(s))
            if q > self.p:
                text = self._plain(s[self.p : q], self.p)
                if words is not None:
                    words.append(text)
            self.p = q
            if s.startswith("</", q):
                return None
            if s.startswith("<!--", q):
                self.p = self._comment(q)
            elif s.startswith("<![CDATA[", q):
                end = self._cdata_end(q)
                if words is not None:
                    words.append(self._line_ends(s[q + 9 : end]))
                self.p = end + 3
            else:
                return self.start(q)

    def add_declared(self, text: str, p: int) -> None:
        """Counts what stands in a value because of declarations (XML-45)."""
        self._declared += len(text.encode())
        if self._declared > self.text_limit:
            allowed = self.text_limit
            message = f"what declarations add to values is longer than {allowed} bytes"
            raise beyond("maxXmlText", allowed, message, p)

    def raw(self, tag: Tag) -> str:
        """A whole element as it stands, with the declarations that it needs (XML-36)."""
        self.skip(tag)
        text = self.s[tag.p : self.p]
        self._check_size(text, tag.p)
        text = self._line_ends(text)
        head = len(tag.raw) + 1
        own = {raw[6:] for raw in _declarations(text, head)}
        added = ""
        for prefix in sorted({"", *_BEFORE_COLON.findall(text)} - own - {"xml"}):
            uri = tag.outer.uri(prefix)
            if uri:
                added += f' xmlns{":" if prefix else ""}{prefix}="{escape_attribute(uri)}"'
        if added:
            self.add_declared(added, tag.p)
        return f"{text[:head]}{added}{text[head:]}"

    # The document

    def root(self) -> Tag:
        """The start tag of the outermost element."""
        p = self._skip_white()
        if not self.s.startswith("<", p):
            what = "there is no element" if p >= len(self.s) else "text stands before the element"
            raise Problem(what, p)
        if self.s.startswith("</", p):
            raise Problem("an end tag stands before the element", p)
        return self.start(p)

    def finish(self) -> None:
        """Fails unless nothing stands behind the outermost element."""
        p = self._skip_white()
        if p < len(self.s):
            raise Problem("something stands behind the outermost element", p)

    def offset(self, p: int) -> int:
        """The byte that a position stands for (XML-44)."""
        return self.base + len(self.s[:p].encode())


def _declarations(text: str, q: int) -> list[str]:
    found: list[str] = []
    while True:
        match = _ATTRIBUTE.match(text, q)
        if match is None:
            return found
        if match[1] == "xmlns" or match[1].startswith("xmlns:"):
            found.append(match[1])
        q = match.end()


def nil(tag: Tag) -> bool:
    """Whether ``xsi:nil`` says that the element is nothing (XML-21)."""
    for key, value in tag.attributes:
        if key == (XSI_NAMESPACE, "nil"):
            text = value.strip(" \t\r\n")
            if text in ("true", "1"):
                return True
            if text not in ("false", "0"):
                raise Problem(f"xsi:nil is true or false, not {shown(value)!r}", tag.p)
    return False


def plain(tag: Tag) -> None:
    """Fails if an element that has no attributes has some (XML-26), or is said to be nothing."""
    for (uri, local), _ in tag.attributes:
        if not uri:
            raise Problem(f"an attribute that is not declared: {local}", tag.p)
    if nil(tag):
        raise Problem("xsi:nil on what is not optional", tag.p)


def check_element(text: str, name: Key | None) -> None:
    """Fails unless the text is one whole element (XML-36), of this name if one is given."""
    if FORBIDDEN.search(text):
        raise Bad("XML does not allow one of its characters")
    x = Scanner(text, DEFAULT_LIMITS)
    try:
        if not text.startswith("<"):
            raise Problem("it begins with no element", 0)
        tag = x.root()
        if tag.p or (name is not None and tag.key != name):
            raise Problem(f"its element is {tag.raw}", 0)
        x.skip(tag)
        if x.p != len(text):
            raise Problem("something stands behind the element", x.p)
    except Problem as problem:
        raise Bad(f"this is not the element that is expected: {problem.message}") from None


def error_of(problem: Problem, x: Scanner | None, root: str) -> CreoError:
    """The error that a problem deserves, with its place and offset (XML-44)."""
    details = dict(problem.details)
    given = details.pop("offset", None)
    if given is not None:
        offset = int(given)
    else:
        offset = x.offset(problem.p) if x is not None else problem.p
    place = root + "".join(reversed(problem.path))
    return CreoError(problem.code, problem.message, place=place, offset=offset, details=details)
