"""Makes single calls, and says how each ended: for the cases of ``malformed/tcp-client`` and ``malformed/http-client``."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from typing import Any, Callable, Optional

from conformance.matrix import (
    AnswerClient,
    AsyncAnswerClient,
    AsyncCarelessClient,
    AsyncEchoClient,
    AsyncStreamsClient,
    AsyncTroubleClient,
    CarelessClient,
    EchoClient,
    Stopped,
    StreamsClient,
    TroubleClient,
)
from conformance.values import NotFound, Refused
from creo import CallOptions, CreoError, Limits, RawMessage
from creo.aio import AsyncChannel
from creo.http import HttpOptions
from creo.json import AsyncJsonChannel, JsonChannel
from creo.raw import raw_text
from creo.soap import AsyncSoapChannel, SoapChannel
from creo.tcp import Channel
from creo.tdxml import AsyncTdxmlChannel, TdxmlChannel

# A method, its client, its arguments, and its result as text.
_METHODS: dict[str, tuple[Any, Any, str, tuple[Any, ...], Callable[[Any], str]]] = {
    "add": (EchoClient, AsyncEchoClient, "add", (1, 2), str),
    "fail": (TroubleClient, AsyncTroubleClient, "fail", ("fine",), str),
    "long": (TroubleClient, AsyncTroubleClient, "fail", ("x" * 8_000_000,), str),
    "bytes": (TroubleClient, AsyncTroubleClient, "bytes_", (4,), lambda found: found.hex()),
    "blocks": (TroubleClient, AsyncTroubleClient, "blocks", (2,), lambda found: str(len(found))),
    "old": (TroubleClient, AsyncTroubleClient, "old", (), lambda _: ""),
    "note": (TroubleClient, AsyncTroubleClient, "note", ("fine",), lambda _: ""),
    "ask": (CarelessClient, AsyncCarelessClient, "ask", (), lambda found: found.to_json().decode()),
    "mark": (CarelessClient, AsyncCarelessClient, "mark", (), lambda found: found.to_json().decode()),
    "part": (CarelessClient, AsyncCarelessClient, "part", (), lambda found: found.to_json().decode()),
    "answer": (AnswerClient, AsyncAnswerClient, "answer", (), str),
    "ticks": (StreamsClient, AsyncStreamsClient, "ticks", (3,), lambda _: ""),
    "stopping": (StreamsClient, AsyncStreamsClient, "stopping", (3,), lambda _: ""),
    "sum": (StreamsClient, AsyncStreamsClient, "sum", ([1, 2, 3],), str),
    "first": (StreamsClient, AsyncStreamsClient, "first", (2, [1, 2, 3]), str),
}
# The methods whose results are streams.
_STREAMS = ("ticks", "stopping")


class _Probe:
    """A channel of each kind, recreated when a question requests it."""

    def __init__(self) -> None:
        self._channel: Any = None
        self._async_channel: Any = None
        self._shown: list[dict[str, Any]] = []
        # The numbers of the items that the last call read.
        self.items: list[int] = []
        # The asynchronous client runs between the calls, as it would in a program.
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    def call(self, question: dict[str, Any]) -> str:
        client, async_client, name, arguments, shown = _METHODS[question["method"]]
        self.items = []
        options = CallOptions(deadline=question["deadline"] / 1000)
        if "shown" in question:
            self._shown = []
            options = CallOptions(
                deadline=question["deadline"] / 1000,
                raw_messages=self._show,
                raw_max_body=question["shown"],
                headers={"X-Api-Key": "hunter2"},
                metadata={"my-token": "hunter2", "authorization": "Bearer hunter2"},
            )
        if question["async"]:
            found = asyncio.run_coroutine_threadsafe(
                self._call(question, async_client, name, arguments, options), self._loop
            ).result()
        else:
            if question["fresh"] or self._channel is None:
                if self._channel is not None:
                    self._channel.close()
                self._channel = _open(question, client, _CHANNELS)
            found = getattr(client.over(self._channel, options), name)(*arguments)
            if name in _STREAMS:
                for item in found:
                    self._read(item)
        return shown(found)

    def _read(self, item: Any) -> None:
        self.items.append(item if isinstance(item, int) else item.number)

    async def _call(
        self,
        question: dict[str, Any],
        client: Any,
        name: str,
        arguments: tuple[Any, ...],
        options: CallOptions,
    ) -> Any:
        if question["fresh"] or self._async_channel is None:
            if self._async_channel is not None:
                await self._async_channel.close()
            self._async_channel = _open(question, client, _ASYNC_CHANNELS)
        found = getattr(client.over(self._async_channel, options), name)(*arguments)
        if name not in _STREAMS:
            return await found
        async for item in found:
            self._read(item)
        return None

    def _show(self, message: RawMessage) -> None:
        known = message._asdict()
        known["body"] = message.body.hex()
        known["text"] = raw_text(message)
        known["indented"] = raw_text(message, indented=True)
        self._shown.append(known)
        raise ValueError("what a hook raises changes nothing (CALL-67)")

    def shown(self) -> dict[str, Any]:
        """The raw messages since the last time."""
        shown, self._shown = self._shown, []
        return {"shown": shown}

    def close(self) -> None:
        if self._channel is not None:
            self._channel.close()
        if self._async_channel is not None:
            closing = self._async_channel.close()
            asyncio.run_coroutine_threadsafe(closing, self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)


# Without a wire: binary over TCP; ``tdxml-tcp``: tables over TCP. Over HTTP a channel is that of one interface.
_CHANNELS: dict[str, Any] = {"": Channel, "json": JsonChannel, "tdxml": TdxmlChannel, "soap": SoapChannel}
_ASYNC_CHANNELS: dict[str, Any] = {
    "": AsyncChannel,
    "json": AsyncJsonChannel,
    "tdxml": AsyncTdxmlChannel,
    "soap": AsyncSoapChannel,
}


def _open(question: dict[str, Any], client: Any, channels: dict[str, Any]) -> Any:
    wire = question.get("wire", "")
    if wire in ("", "tdxml-tcp"):
        bodies = "tdxml" if wire else "binary"
        return channels[""]("127.0.0.1", question["port"], limits=_limits(question), wire=bodies)
    interface = client.__name__.replace("Async", "").replace("Client", "")
    url = f"http://127.0.0.1:{question['port']}/{interface}"
    if wire == "tables":
        return channels["soap"](url, tables="record", limits=_limits(question))
    if wire != "soap":
        return channels[wire](url, limits=_limits(question), http=_http(question))
    return channels[wire](
        url,
        lenient=question.get("lenient", False),
        understood=question.get("understood", "").split(),
        limits=_limits(question),
    )


def _http(question: dict[str, Any]) -> HttpOptions:
    return HttpOptions(
        redirects=question.get("redirects", 0),
        cookies=question.get("cookies", False),
        basic=_pair(question.get("basic")),
        bearer=question.get("bearer"),
        digest=_pair(question.get("digest")),
    )


def _pair(text: str | None) -> tuple[str, str] | None:
    if text is None:
        return None
    user, _, password = text.partition(":")
    return user, password


def _limits(question: dict[str, Any]) -> Limits:
    limits: dict[str, Any] = {}
    if "maxMessageSize" in question:
        limits["max_message_size"] = question["maxMessageSize"]
    if "connectTimeout" in question:
        limits["connect_timeout"] = question["connectTimeout"] / 1000
    return Limits(**limits)


def _answer(probe: _Probe, question: dict[str, Any]) -> dict[str, Any]:
    if question["method"] == "shown":
        return probe.shown()
    outcome = _outcome(probe, question)
    if question["method"] in _STREAMS:
        outcome["items"] = ",".join(map(str, probe.items))
    return outcome


def _outcome(probe: _Probe, question: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"value": probe.call(question)}
    except NotFound:
        return {"exception": "not-found"}
    except Refused:
        return {"exception": "refused"}
    except Stopped:
        return {"exception": "stopped"}
    except CreoError as error:
        return {
            "error": error.code.value,
            "place": error.place,
            "offset": error.offset,
            "fromPeer": error.from_peer,
            "limit": error.details.get("limit"),
            "allowed": error.details.get("allowed"),
            "message": str(error),
            "details": dict(error.details),
        }
    except Exception as failure:
        # A defect of this language: it is the harness that says so.
        return {"defect": f"{type(failure).__name__}: {failure}"}


def run() -> None:
    """Answers each line of standard input by one line."""
    probe = _Probe()
    for line in sys.stdin:
        print(json.dumps(_answer(probe, json.loads(line))), flush=True)
    probe.close()
