"""The handshake with generated code."""

from __future__ import annotations

import pytest

from creo._base import NEWEST_INTERFACE, OLDEST_INTERFACE, require


def test_a_runtime_that_is_too_old_says_what_to_do() -> None:
    require(NEWEST_INTERFACE, "0.1.0", "org.example")
    with pytest.raises(ImportError, match="use the copy that was generated with the package"):
        require(NEWEST_INTERFACE + 1, "9.0.0", "org.example")
    with pytest.raises(ImportError, match=r"generate `org\.example` again"):
        require(OLDEST_INTERFACE - 1, "0.0.1", "org.example")
