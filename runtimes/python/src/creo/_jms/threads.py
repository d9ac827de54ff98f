"""A connection to a broker for threads: an event loop on a separate thread."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
import weakref
from typing import TYPE_CHECKING, Any, TypeVar

from .._base import CreoError, ErrorCode
from .._call import with_peer
from .connection import JmsExchange

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Callable

    from .._base import Limits
    from .._call import CallOptions
    from . import JmsRequest
    from .address import JmsAddress
    from .broker import JmsBroker
    from .message import Message

T = TypeVar("T")


class _Running:
    """A thread with a loop and its connection."""

    def __init__(self, broker: JmsBroker, where: JmsAddress, limits: Limits) -> None:
        self.loop = asyncio.new_event_loop()
        self.exchange = JmsExchange(broker, where, limits)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"creo {where.name}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the connection, every call on it, and the thread."""
        self._stop.set()
        self.loop.call_soon_threadsafe(self.loop.stop)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            while not self._stop.is_set():
                self.loop.run_forever()
            self.loop.run_until_complete(self._end())
        finally:
            self.loop.close()

    async def _end(self) -> None:
        await self.exchange.end()
        calls = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*calls, return_exceptions=True)


class Worker:
    """Takes calls from any thread."""

    def __init__(self, broker: JmsBroker, where: JmsAddress, limits: Limits) -> None:
        self._broker = broker
        self._where = where
        self._limits = limits
        self._lock = threading.Lock()
        self._running: _Running | None = None

    @classmethod
    def of(cls, owner: object, broker: JmsBroker, where: JmsAddress, limits: Limits) -> Worker:
        """A worker that ends with its owner, even if that does not stop it."""
        made = cls(broker, where, limits)
        weakref.finalize(owner, made.stop)
        return made

    def exchange(
        self,
        request: JmsRequest,
        until: float | None,
        oneway: bool,
        options: CallOptions,
    ) -> Message | None:
        """Sends a request and waits for its answer."""
        return self.run(
            lambda exchange: exchange.exchange(request, until, oneway, options.watch), options
        )

    def run(self, work: Callable[[JmsExchange], Coroutine[Any, Any, T]], options: CallOptions) -> T:
        """Does work of a call on the loop of the connection, and waits for it."""
        cancellation = options.cancellation
        with self._lock:
            running = self._running
            if running is None:
                running = self._running = _Running(self._broker, self._where, self._limits)
            pending = asyncio.run_coroutine_threadsafe(work(running.exchange), running.loop)
        if cancellation is not None:
            cancellation.enter(pending, self)
        try:
            return pending.result()
        except concurrent.futures.CancelledError:
            raise self.given_up() from None
        except BaseException:
            # KeyboardInterrupt: the caller no longer waits.
            pending.cancel()
            raise
        finally:
            if cancellation is not None:
                cancellation.leave(pending)

    def given_up(self) -> CreoError:
        """The error of a call that another thread has cancelled."""
        given_up = CreoError(ErrorCode.CANCELLED, "the caller gave up")
        return with_peer(given_up, str(self._broker))

    def cancel(self, pending: Any) -> None:
        """Ends a call from another thread."""
        pending.cancel()

    def stop(self) -> None:
        """Closes the connection; calls in progress end, a later one connects again."""
        with self._lock:
            running, self._running = self._running, None
        if running is not None:
            running.stop()
