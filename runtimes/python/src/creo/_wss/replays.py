"""The signatures of the last ten minutes (SOAP-88)."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, Final

from .reason import Reason

if TYPE_CHECKING:
    from typing import Callable

_MAX: Final = 100_000
_KEPT: Final = 600.0


class Replays:
    """What has come before. Safe for use by many threads."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._seen: set[bytes] = set()
        self._order: deque[tuple[float, bytes]] = deque()

    def use(self, signature: bytes) -> None:
        """Remembers a signature; one that is known is refused, and any while there is no room."""
        now = self._clock()
        with self._lock:
            while self._order and self._order[0][0] + _KEPT < now:
                self._seen.discard(self._order.popleft()[1])
            if signature in self._seen:
                raise Reason.REPLAYED.because("the message came before")
            if len(self._seen) >= _MAX:
                raise Reason.REPLAY_MEMORY.because(
                    "too many signed messages came within ten minutes"
                )
            self._seen.add(signature)
            self._order.append((now, signature))
