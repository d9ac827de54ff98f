"""A log of calls (``spec/calls.md``, CALL-79)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable

from .._base import shown

if TYPE_CHECKING:
    import logging

    from . import Outcome, OutgoingCall


class CallLog:
    """An interceptor that logs a line at the end of each call, at the level INFO.

    It says the method, the outcome, the time and the address that was reached, if one was:
    ``example.weather.Weather.celsius result 0.214 ms 127.0.0.1:7400``. It never says what a call
    carries: no arguments, results or metadata.
    """

    def __init__(self, logger: logging.Logger | None = None) -> None:
        """Logs to the logger ``creo.calls`` if none is given."""
        import logging

        self._logger = logger or logging.getLogger("creo.calls")
        self._level = logging.INFO

    def begin(self, call: OutgoingCall) -> Callable[[Outcome], object] | None:
        """Logs nothing yet; what is returned does."""
        if not self._logger.isEnabledFor(self._level):
            return None
        return lambda outcome: self._end(call, outcome)

    def _end(self, call: OutgoingCall, outcome: Outcome) -> None:
        word = outcome.code or ("result" if outcome.error is None else type(outcome.error).__name__)
        peer = "" if outcome.peer is None else f" {shown(outcome.peer)}"
        self._logger.log(self._level, "%s %s %.3f ms%s", call, word, outcome.seconds * 1e3, peer)
