"""Writes raw messages of calls to a log.

``client.with_options(raw_messages=RawLog())`` shows requests and answers as they were sent and
came, with ``***`` for secrets (CALL-60 to CALL-68).
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from ._http.raw import text_of

if TYPE_CHECKING:
    from ._call import RawMessage

__all__ = ["RawLog", "raw_text"]


class RawLog:
    """Logs each message as one entry of several lines. Thread-safe."""

    def __init__(
        self,
        logger: logging.Logger | None = None,
        level: int = logging.INFO,
        *,
        indented: bool = False,
    ) -> None:
        """Logs to ``creo.raw`` without a logger. ``indented`` breaks the lines of XML and JSON."""
        self._logger = logger or logging.getLogger("creo.raw")
        self._level = level
        self._indented = indented

    def __call__(self, message: RawMessage) -> None:
        """Logs a message."""
        if self._logger.isEnabledFor(self._level):
            self._logger.log(self._level, "%s", text_of(message, self._indented))


def raw_text(message: RawMessage, *, indented: bool = False) -> str:
    """A message as text of several lines (CALL-68); ``indented`` breaks lines of XML and JSON."""
    return text_of(message, indented)
