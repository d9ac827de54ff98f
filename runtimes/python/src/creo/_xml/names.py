"""XML names, and the namespaces that the runtime uses."""

from __future__ import annotations

import re
from typing import Final

XML_NAMESPACE: Final = "http://www.w3.org/XML/1998/namespace"
XMLNS_NAMESPACE: Final = "http://www.w3.org/2000/xmlns/"
XSI_NAMESPACE: Final = "http://www.w3.org/2001/XMLSchema-instance"
XOP_NAMESPACE: Final = "http://www.w3.org/2004/08/xop/include"

_START: Final = (
    "A-Za-z_\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_MORE: Final = _START + "0-9.\xb7\u0300-\u036f\u203f\u2040-"

#: Possible prefixes in the text of an element (XML-36).
BEFORE_COLON: Final = re.compile(
    "(?<![A-Za-z0-9_.:\x80-\U0010ffff-])([A-Za-z0-9_.\x80-\U0010ffff-]+):"
)
#: A non-ASCII character of names.
OTHER_NAME_CHARACTER: Final = re.compile(f"(?![\x00-\x7f])[{_MORE}]")
#: A name without a prefix.
NCNAME: Final = re.compile(f"[{_START}][{_MORE}]*")
#: A name, with or without a prefix.
QNAME: Final = re.compile(f"[{_START}][{_MORE}]*(?::[{_START}][{_MORE}]*)?")
