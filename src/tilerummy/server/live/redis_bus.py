"""The bus between machines: pub/sub on one channel of a Redis.

Rooms that change while a message is being sent are batched into the next one. A node receives its
own messages too: they serve as heartbeats, and measure the lag.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import msgspec
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from tilerummy.server.live.bus import Changes, OnChanges, OnDrafts, SeatRef, Subscribers
from tilerummy.server.telemetry.metrics import BusHealth

CHANNEL = "tilerummy:rooms"
MOST_WAITING = 10_000
"""Rooms that may wait to be announced; any more are dropped."""
LARGEST_BATCH = 500
"""Rooms in one message."""
GAP = 0.005
"""Seconds between two messages. The first one after a break is sent at once."""
HEARTBEAT = 2.0
"""Seconds of silence after which an empty message is sent as a heartbeat."""
PATIENCE = 3.0
"""Seconds for Redis to connect or to respond."""
SILENCE = 3 * HEARTBEAT
"""Seconds without any message after which the connection counts as broken."""
LAST_WORDS = 1.0
"""Seconds to flush what still waits when the bus is closed."""
FIRST_DELAY, LONGEST_DELAY = 0.05, 5.0
"""Seconds before a retry: exponential backoff."""

_log = logging.getLogger(__name__)
_FAILURES = (RedisError, OSError, asyncio.TimeoutError)
"""Expected connection failures. Anything else is caught too, and logged with a traceback."""


class _Payload(msgspec.Struct, array_like=True, frozen=True):
    node: str
    sent: float
    """By the monotonic clock of the sending node, meaningful only there."""
    rooms: dict[str, int]
    lost: bool = False
    """Whether earlier messages of this node were lost."""
    drafts: list[SeatRef] = []


_decoder = msgspec.msgpack.Decoder(_Payload)


class RedisBus:
    """Drops and counts what cannot be sent. Once Redis is back, all nodes poll the store for what
    they missed."""

    def __init__(self, url: str, *, channel: str = CHANNEL, node: str | None = None) -> None:
        self.node = node or secrets.token_hex(8)
        self._channel = channel
        # A retry hides a stale connection when sending; when listening, it would hide that messages
        # were missed.
        self._sender = _client(url, tries=1)
        self._listener = _client(url, tries=0)
        self._changes: Subscribers[Changes] = Subscribers()
        self._draft_news: Subscribers[list[SeatRef]] = Subscribers()
        self._waiting: dict[str, int] = {}
        self._drafts: dict[SeatRef, None] = {}
        """Drafts that wait to be announced; dropping one is harmless."""
        self._filled = asyncio.Event()
        self._lost = False
        self._closing = False
        self._tasks: list[asyncio.Task[None]] = []
        self._listening = self._sending = False
        self._down_since = time.monotonic()
        self._lag = 0.0
        self._published = self._received = self._dropped = 0

    # The interface

    @property
    def health(self) -> BusHealth:
        up = self._listening and self._sending
        lag = self._lag if up else time.monotonic() - self._down_since
        waiting = len(self._waiting)
        return BusHealth(up, lag, self._published, self._received, self._dropped, waiting)

    async def start(self) -> None:
        if not self._tasks:
            self._tasks = [
                asyncio.create_task(self._send_forever(), name="bus sender"),
                asyncio.create_task(self._listen_forever(), name="bus listener"),
            ]

    def subscribe(self, on_changes: OnChanges) -> Callable[[], None]:
        return self._changes.add(on_changes)

    def subscribe_drafts(self, on_drafts: OnDrafts) -> Callable[[], None]:
        return self._draft_news.add(on_drafts)

    async def publish_draft(self, place: SeatRef) -> None:
        if len(self._drafts) < LARGEST_BATCH:
            self._drafts[place] = None
            self._filled.set()

    async def publish(self, room: str, version: int) -> None:
        waiting = self._waiting
        if room not in waiting and len(waiting) >= MOST_WAITING:
            self._drop(1)
            return
        waiting[room] = max(version, waiting.get(room, 0))
        self._filled.set()

    async def close(self) -> None:
        if self._closing:
            return
        self._closing = True
        self._filled.set()
        if self._tasks:
            sender, listener = self._tasks
            listener.cancel()
            await asyncio.wait([sender], timeout=LAST_WORDS if self._sending else 0)
            sender.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        self._drop(len(self._waiting))
        self._waiting.clear()
        for client in (self._sender, self._listener):
            with suppress(*_FAILURES):
                await client.aclose()

    # Sending

    async def _send_forever(self) -> None:
        delay = FIRST_DELAY
        while not self._closing or self._waiting:
            await self._wait_for_work()
            if await self._send(self._take_batch()):
                delay = FIRST_DELAY
                await asyncio.sleep(0 if self._closing else GAP)
            elif self._closing:
                return
            else:
                delay = await self._pause(delay)

    async def _wait_for_work(self) -> None:
        """Wait for something to send, or until a heartbeat is due."""
        if self._sending and not self._waiting and not self._drafts:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._filled.wait(), HEARTBEAT)

    def _take_batch(self) -> dict[str, int]:
        if len(self._waiting) <= LARGEST_BATCH:
            batch, self._waiting = self._waiting, {}
            self._filled.clear()
        else:
            rooms = [room for room, _ in zip(self._waiting, range(LARGEST_BATCH), strict=False)]
            batch = {room: self._waiting.pop(room) for room in rooms}
        return batch

    async def _send(self, batch: dict[str, int]) -> bool:
        lost, self._lost = self._lost, False
        drafts, self._drafts = [*self._drafts], {}
        message = _Payload(self.node, time.monotonic(), batch, lost, drafts)
        payload = msgspec.msgpack.encode(message)
        try:
            await asyncio.wait_for(self._sender.publish(self._channel, payload), PATIENCE)
        except Exception as error:
            self._note(sending=False, error=error)
            self._lost = self._lost or lost
            # What waits meanwhile is dropped too: when the bus is back, every node polls.
            self._drop(len(batch) + len(self._waiting))
            self._waiting.clear()
            return False
        self._note(sending=True)
        self._published += len(batch)
        return True

    def _drop(self, rooms: int) -> None:
        if rooms:
            self._dropped += rooms
            self._lost = True

    # Listening

    async def _listen_forever(self) -> None:
        delay = FIRST_DELAY
        while True:
            try:
                async with self._subscribed() as channel:
                    delay = FIRST_DELAY
                    self._note(listening=True)
                    self._changes(None)
                    await self._listen(channel)
            except Exception as error:
                self._note(listening=False, error=error)
            delay = await self._pause(delay)

    @asynccontextmanager
    async def _subscribed(self) -> AsyncIterator[PubSub]:
        """A channel whose subscription Redis has confirmed."""
        channel = self._listener.pubsub()
        try:
            async with asyncio.timeout(PATIENCE):
                await channel.subscribe(self._channel)
                message = None
                while message is None or message["type"] != "subscribe":
                    message = await channel.get_message(timeout=PATIENCE)
            yield channel
        finally:
            with suppress(*_FAILURES):
                await channel.aclose()  # type: ignore[no-untyped-call]

    async def _listen(self, channel: PubSub) -> None:
        """Receive until the connection breaks. Raises what redis raises."""
        while True:
            message = await channel.get_message(timeout=SILENCE)
            if message is None:
                raise TimeoutError(f"no message for {SILENCE:g} s")
            if message["type"] == "message":
                self._receive(message["data"])

    def _receive(self, data: bytes) -> None:
        try:
            payload = _decoder.decode(data)
        except msgspec.DecodeError:
            _log.warning("unknown message on the bus")
            return
        if payload.node == self.node:
            self._lag = time.monotonic() - payload.sent
            return
        self._received += len(payload.rooms)
        if payload.lost:
            self._changes(None)
        elif payload.rooms:
            self._changes(payload.rooms)
        if payload.drafts:
            self._draft_news(payload.drafts)

    # Both

    async def _pause(self, delay: float) -> float:
        """Back off with jitter; returns the next delay."""
        await asyncio.sleep(delay * random.uniform(0.5, 1))
        return min(2 * delay, LONGEST_DELAY)

    def _note(
        self,
        *,
        sending: bool | None = None,
        listening: bool | None = None,
        error: Exception | None = None,
    ) -> None:
        """Track whether the bus is up, and log changes once."""
        was_up = self._sending and self._listening
        if sending is not None:
            self._sending = sending
        if listening is not None:
            self._listening = listening
        is_up = self._sending and self._listening
        if was_up and not is_up:
            self._down_since = time.monotonic()
            unknown = error is not None and not isinstance(error, _FAILURES)
            _log.warning("the bus is down: %s", error, exc_info=error if unknown else None)
        elif is_up and not was_up:
            _log.info("the bus is up")


def _client(url: str, tries: int) -> Redis:
    return Redis.from_url(
        url,
        socket_connect_timeout=PATIENCE,
        socket_timeout=PATIENCE,
        socket_keepalive=True,
        retry=Retry(NoBackoff(), tries),
    )
