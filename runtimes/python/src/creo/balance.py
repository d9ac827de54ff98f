"""Channels that distribute their calls over several addresses (``calls.md``, section 4).

They work with every kind of channel::

    from creo.balance import BalancedChannel
    from creo.tcp import Channel

    with BalancedChannel(["10.0.0.7", "10.0.0.8"], lambda host: Channel(host, 4711)) as channel:
        client = DataServiceClient.over(channel)
"""

from __future__ import annotations

import asyncio
import inspect
import random
import threading
import time
from collections.abc import Awaitable, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Callable, Final, Generic, Optional, TypeVar, Union, cast

from ._base import CreoError, ErrorCode, module_of, not_started, shown
from ._binary.values import DeclaredError
from ._call import CallOptions, until_of
from ._call.attempts import again, repeatable, wait
from ._call.client import AsyncCaller, Caller

if TYPE_CHECKING:
    from typing_extensions import Self, TypeAlias

    from ._call import Method

    Resolver: TypeAlias = Callable[[], Sequence[str]]
    AsyncResolver: TypeAlias = Callable[[], Union[Sequence[str], Awaitable[Sequence[str]]]]
    _Asking: TypeAlias = Future[Optional[BaseException]]

__all__ = ["AsyncBalancedChannel", "BalancedChannel"]

A = TypeVar("A")
R = TypeVar("R")
T = TypeVar("T")
C = TypeVar("C")
F = TypeVar("F")

_RULES: Final = ("round-robin", "least-outstanding", "pick-two")
#: So many lost calls in succession eject an address.
_MAX_LOST: Final = 3
#: The seconds after which a resolver is asked again if an address was ejected.
_SOON: Final = 1.0
#: Addresses that an error names besides its own.
_MAX_NAMED: Final = 8


class _Place(Generic[C]):
    """An address, its channel, and what is known of its host."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.channel: C | None = None
        self.calls = 0
        """Those under way."""
        self.lost = 0
        """Lost ones in succession."""
        self.until: float | None = None
        """When its ejection ends; None if it is not ejected."""
        self.probing = False
        self.epoch = 0
        """How often it was ejected. The outcome of a call that began before does not count."""
        self.ejections = 0
        """How often it was ejected since a call has succeeded."""


class _Visit(Generic[C]):
    """A call that goes to an address."""

    def __init__(
        self, place: _Place[C], channel: C, probe: bool, taken: list[object] | None
    ) -> None:
        self.place = place
        self.channel = channel
        self.probe = probe
        self.taken = taken
        """Where attempts of the same call go on, this one included; None if it is the only one."""
        self.epoch = place.epoch


class _Balancer(Generic[C]):
    """Decides where calls go. It never waits, connects or closes. Safe for use by many threads."""

    def __init__(
        self,
        addresses: object,
        open_: Callable[[str], C],
        rule: str,
        ejection: float,
        max_ejection: float,
        refresh: float,
    ) -> None:
        if rule not in _RULES:
            raise ValueError(f"rule must be one of {', '.join(_RULES)}, is {rule!r:.40}")
        if not 0 < ejection <= max_ejection < float("inf"):
            raise ValueError("ejection must be above 0 seconds, and at most max_ejection")
        if not refresh > 0:
            raise ValueError(f"refresh must be above 0 seconds, is {refresh}")
        self._open = open_
        self._rule = rule
        self._ejection = ejection
        self._max_ejection = max_ejection
        self._refresh = refresh
        self._lock = threading.Lock()
        self._places: list[_Place[C]] = []
        # Those that are no longer given, with calls under way.
        self._leaving: list[_Place[C]] = []
        self._turn = -1
        self._asked: float | None = None
        self._ejected = False
        self._clock = time.monotonic
        self.resolves = callable(addresses)
        if not self.resolves:
            self.replace(addresses)

    # Addresses

    @property
    def known(self) -> bool:
        """Whether there are addresses."""
        return bool(self._places)

    @property
    def channels(self) -> list[C]:
        """The open channels."""
        with self._lock:
            places = [*self._places, *self._leaving]
            return [place.channel for place in places if place.channel is not None]

    def due(self) -> bool:
        """Whether the resolver is to be asked now (CALL-36); it is told that it will be."""
        now = self._clock()
        with self._lock:
            if self._asked is not None and self._places:
                since = now - self._asked
                if since < (min(_SOON, self._refresh) if self._ejected else self._refresh):
                    return False
            self._asked, self._ejected = now, False
            return True

    def replace(self, addresses: Any) -> list[C]:
        """Takes other addresses; returns the channels that are to be closed now.

        :raises ValueError: if there are none, or something else.
        """
        texts = [] if isinstance(addresses, str) else list(dict.fromkeys(addresses))
        if not texts or not all(isinstance(text, str) for text in texts):
            raise ValueError("there must be at least one address, and each must be a text")
        with self._lock:
            former = {place.address: place for place in self._places}
            self._places = [
                former.pop(text) if text in former else _Place[C](text) for text in texts
            ]
            if self._turn < 0:
                self._turn = random.randrange(len(texts))
            self._leaving += [place for place in former.values() if place.calls]
            return [p.channel for p in former.values() if p.channel is not None and not p.calls]

    # Calls

    def choose(
        self, tried: Sequence[_Place[C]], taken: list[object] | None = None
    ) -> _Visit[C] | None:
        """Sends a call that was not placed at these to another address; None if there is none.

        It goes where attempts of the same call go on only if no other address is left (CALL-81).
        """
        now = self._clock()
        with self._lock:
            left = [place for place in self._places if place not in tried]
            if not left:
                return None
            fit = [p for p in left if p.until is None or (p.until <= now and not p.probing)]
            if taken:
                fit = [place for place in fit if place not in taken] or fit
            place = self._by_rule(fit) if fit else min(left, key=lambda p: p.until or 0.0)
            channel = place.channel
            if channel is None:
                channel = place.channel = self._open(place.address)
            place.calls += 1
            if taken is not None:
                taken.append(place)
            # CALL-34
            probe = place.until is not None and bool(fit)
            place.probing = place.probing or probe
            return _Visit(place, channel, probe, taken)

    def end(self, visit: _Visit[C], failure: BaseException | None) -> C | None:
        """A call has ended; returns its channel if that is to be closed."""
        place = visit.place
        with self._lock:
            place.calls -= 1
            if visit.taken is not None:
                visit.taken.remove(place)
            if visit.epoch == place.epoch:
                if visit.probe:
                    place.probing = False
                self._learn(place, visit.probe, failure)
            if place.calls or place not in self._leaving:
                return None
            self._leaving.remove(place)
            return visit.channel

    def _learn(self, place: _Place[C], probe: bool, failure: BaseException | None) -> None:
        """Ejects the address, or takes it back, by the outcome of a call (CALL-33, CALL-34)."""
        if isinstance(failure, CreoError):
            answered = failure.from_peer or failure.code is ErrorCode.MALFORMED
            lost = failure.code is ErrorCode.UNAVAILABLE and not answered
            late = failure.code is ErrorCode.DEADLINE_EXCEEDED and not answered
            if lost:
                place.lost += 1
            elif answered or late:
                place.lost = 0
            failed = _unplaced(failure) or failure.code in _REFUSED or place.lost >= _MAX_LOST
            if failed or (probe and (lost or late)):
                if place.until is None or probe:
                    self._eject(place)
            elif answered:
                place.until = None
        elif failure is None or isinstance(failure, DeclaredError):
            place.until, place.lost, place.ejections = None, 0, 0

    def _eject(self, place: _Place[C]) -> None:
        seconds = self._ejection * 2.0 ** min(place.ejections, 1_000)
        place.until = self._clock() + min(self._max_ejection, seconds)
        place.lost = 0
        # A probe that is under way is one of the ejection before.
        place.probing = False
        place.epoch += 1
        place.ejections += 1
        self._ejected = True

    def _by_rule(self, fit: list[_Place[C]]) -> _Place[C]:
        """CALL-31"""
        if self._rule == "round-robin":
            n = len(self._places)
            turns = [(self._turn + i) % n for i in range(n)]
            turn = next(turn for turn in turns if self._places[turn] in fit)
            self._turn = (turn + 1) % n
            return self._places[turn]
        if self._rule == "pick-two" and len(fit) > 2:
            fit = random.sample(fit, 2)
        fewest = min(place.calls for place in fit)
        return random.choice([place for place in fit if place.calls == fewest])


#: Such a host speaks something else, or is another one (CALL-33).
_REFUSED: Final = (ErrorCode.UNTRUSTED_PEER, ErrorCode.PROTOCOL_MISMATCH)


def _unplaced(failure: CreoError) -> bool:
    """Whether the call may be made at another address (CALL-32)."""
    return failure.code is ErrorCode.UNAVAILABLE and failure.not_started


class _Placing(Generic[C]):
    """The placing of one call. Each attempt is made within ``with``, which gives its channel.

    A failure after which the call goes elsewhere does not leave ``with``.
    """

    def __init__(self, balancer: _Balancer[C], options: CallOptions, until: float | None) -> None:
        self.idle: list[C] = []
        """Channels that are to be closed after the call."""
        self._balancer = balancer
        self._options = options
        self._until = until
        self._tried: list[_Place[C]] = []
        self._taken = None if options.watch is None else options.watch.places
        # There is an address.
        self._visit = cast("_Visit[C]", balancer.choose((), self._taken))

    def __enter__(self) -> tuple[C, CallOptions]:
        options = again(self._options, self._until) if self._tried else self._options
        return self._visit.channel, options

    def __exit__(self, _kind: object, failure: BaseException | None, _trace: object) -> bool:
        return self.end(failure)

    def end(self, failure: BaseException | None, *, stays: bool = False) -> bool:
        """Ends an attempt; whether the call goes elsewhere, which it does not if it ``stays``."""
        visit = self._visit
        idle = self._balancer.end(visit, failure)
        if idle is not None:
            self.idle.append(idle)
        if not isinstance(failure, CreoError):
            return False
        if _unplaced(failure) and not stays:
            other = self._balancer.choose([*self._tried, visit.place], self._taken)
            if other is not None:
                self._tried.append(visit.place)
                self._visit = other
                return True
        if self._tried and (_unplaced(failure) or not failure.from_peer):
            named = [shown(place.address) for place in self._tried[:_MAX_NAMED]]
            # A call goes elsewhere after this error alone.
            tried = ", ".join([f"{address} ({ErrorCode.UNAVAILABLE})" for address in named])
            failure.message = f"{failure.message}; also tried: {tried}"
            failure.args = (failure.code.value, failure.message)
        return False


def _check_resolved(asking: _Asking | asyncio.Task[BaseException | None]) -> None:
    """Ends a call that has waited for the first addresses and got none."""
    problem: BaseException | None = None
    if not asking.done():
        message = "the time for the call is over: the resolver has given no addresses yet"
        error = CreoError(ErrorCode.DEADLINE_EXCEEDED, message)
    elif asking.cancelled():
        error = CreoError(ErrorCode.CANCELLED, "the client was closed")
    else:
        problem = asking.result()
        if problem is None:
            return
        why = shown(str(problem)) or type(problem).__name__
        error = CreoError(ErrorCode.UNAVAILABLE, f"the resolver gave no addresses: {why}")
    raise not_started(error) from problem


class _Balanced(Generic[C, F]):
    """Shared by both kinds of channel."""

    def __init__(
        self,
        addresses: Sequence[str] | F,
        open: Callable[[str], C],
        *,
        rule: str = "round-robin",
        ejection: float = 1.0,
        max_ejection: float = 60.0,
        refresh: float = 30.0,
    ) -> None:
        """Connects to an address with the first call that goes there.

        ``addresses`` are texts that ``open`` understands, or a resolver, which returns them: a
        function, for asyncio also a coroutine function. It is called with the first call, which
        waits for it, and again with a call ``refresh`` seconds later, or one second later if an
        address failed: on a thread of its own, or for asyncio in a task of its own. ``open`` makes
        the channel of an address, of any kind, and must not wait; this channel closes it.

        ``rule`` chooses the address of a call: ``"round-robin"`` takes them in turn,
        ``"least-outstanding"`` the one with the fewest calls under way, ``"pick-two"`` the one with
        fewer of two random ones. An address that fails gets no calls for ``ejection`` seconds,
        twice as long each further time, at most ``max_ejection``.

        :raises ValueError: if an argument is invalid.
        """
        self._resolver: Any = addresses
        self._balancer = _Balancer(addresses, open, rule, ejection, max_ejection, refresh)
        self._lock = threading.Lock()
        self._asking: Any = None
        """The resolver's run, if there is one."""


class BalancedChannel(_Balanced[Caller, "Resolver"]):
    """A channel with several addresses, for blocking clients. All methods are thread-safe.

    A call goes to one of the addresses, and at once to another one if it cannot have begun there.
    An address that fails is left out for a while.
    """

    def call(self, method: Method[A, R], arguments: A, options: CallOptions) -> R:
        """Calls a method at one of the addresses and waits for its result.

        :raises CreoError: if the call fails; or an exception that the method declares.
        """
        until = until_of(options)
        if self._balancer.resolves:
            options = self._resolve(options, until)
        arguments = repeatable(method, arguments)
        placing = _Placing(self._balancer, options, until)
        try:
            while True:
                with placing as (channel, attempt):
                    return channel.call(method, arguments, attempt)
        finally:
            for left in placing.idle:
                left.close()

    def stream(self, method: Any, arguments: Any, source: Any, options: CallOptions) -> Any:
        """Begins a call with streams at one of the addresses: its request has been sent.

        :raises CreoError: if the request cannot be sent.
        """
        until = until_of(options)
        if self._balancer.resolves:
            options = self._resolve(options, until)
        arguments = repeatable(method, arguments)
        placing = _Placing(self._balancer, options, until)
        return module_of("_call.placed").PlacedStream(placing, method, arguments, source)

    def close(self) -> None:
        """Closes all connections. Calls in progress end; a later call connects again."""
        with self._lock:
            asking, self._asking = self._asking, None
        if asking is not None:
            asking.cancel()
        for channel in self._balancer.channels:
            channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _resolve(self, options: CallOptions, until: float | None) -> CallOptions:
        """The options for a call when there are addresses."""
        with self._lock:
            if self._asking is None and self._balancer.due():
                fresh: _Asking = Future()
                name = "creo resolver"
                threading.Thread(target=self._ask, args=(fresh,), name=name, daemon=True).start()
                self._asking = fresh
            asking: _Asking | None = self._asking
        if asking is None or self._balancer.known:
            return options
        known = threading.Event()
        asking.add_done_callback(lambda _: known.set())
        left = None if until is None else max(0.0, until - time.monotonic())
        wait(known, left, options.cancellation)
        _check_resolved(asking)
        return again(options, until)

    def _ask(self, asking: _Asking) -> None:
        problem: BaseException | None = None
        left: list[Caller] = []
        try:
            left = self._balancer.replace(self._resolver())
        except BaseException as raised:
            problem = raised
        with self._lock:
            if self._asking is asking:
                self._asking = None
        if asking.set_running_or_notify_cancel():
            asking.set_result(problem)
        for channel in left:
            channel.close()


class AsyncBalancedChannel(_Balanced[AsyncCaller, "AsyncResolver"]):
    """A channel with several addresses, for asyncio: see ``BalancedChannel``.

    Belongs to one event loop. A resolver that is no coroutine function must not wait.
    """

    async def call(self, method: Method[A, R], arguments: A, options: CallOptions) -> R:
        """Calls a method at one of the addresses and waits for its result.

        :raises CreoError: if the call fails; or an exception that the method declares.
        """
        until = until_of(options)
        if self._balancer.resolves:
            options = await self._resolve(options, until)
        arguments = repeatable(method, arguments)
        placing = _Placing(self._balancer, options, until)
        try:
            while True:
                with placing as (channel, attempt):
                    return await channel.call(method, arguments, attempt)
        finally:
            for left in placing.idle:
                await left.close()

    async def stream(self, method: Any, arguments: Any, source: Any, options: CallOptions) -> Any:
        """Begins a call with streams at one of the addresses: its request has been sent.

        :raises CreoError: if the request cannot be sent.
        """
        until = until_of(options)
        if self._balancer.resolves:
            options = await self._resolve(options, until)
        arguments = repeatable(method, arguments)
        placing = _Placing(self._balancer, options, until)
        part = module_of("_call.placed")
        return await part.AsyncPlacedStream(placing, method, arguments, source).begun()

    async def close(self) -> None:
        """Closes all connections. Calls in progress end; a later call connects again."""
        asking, self._asking = self._asking, None
        if asking is not None:
            asking.cancel()
        for channel in self._balancer.channels:
            await channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _resolve(self, options: CallOptions, until: float | None) -> CallOptions:
        asking = self._asking
        if (asking is None or asking.done()) and self._balancer.due():
            asking = self._asking = asyncio.ensure_future(self._ask())
        if asking is None or self._balancer.known:
            return options
        left = None if until is None else max(0.0, until - time.monotonic())
        await asyncio.wait((asking,), timeout=left)
        _check_resolved(asking)
        return again(options, until)

    async def _ask(self) -> BaseException | None:
        try:
            found = self._resolver()
            left = self._balancer.replace(await found if inspect.isawaitable(found) else found)
        except Exception as problem:
            return problem
        for channel in left:
            await channel.close()
        return None
